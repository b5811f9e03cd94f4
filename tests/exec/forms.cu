// Kernels that take every way through the CPU target's forms; see test_forms.py.
// Each writes out[i] for its threads and reads in[], n values; in[] holds integers from 0 to 999.

#define INDEX int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + \
        threadIdx.y * blockDim.x + threadIdx.x
#define KERNEL(name) extern "C" __global__ void name(int n, const int *in, int *out)
#define GUARD INDEX; if (i >= n) return

KERNEL(straight) { GUARD; out[i] = in[i] * 3 + i; }

KERNEL(nested_branches) {
    GUARD;
    int v = in[i];
    if (v % 2) { if (v % 3) v *= 5; else v -= 7; } else if (v % 5) v += 11; else v = -v;
    out[i] = v;
}

KERNEL(uneven_loop) {
    GUARD;
    int steps = 0;
    for (unsigned v = in[i] + 1; v != 1 && steps < 500; ++steps) v = v % 2 ? 3 * v + 1 : v / 2;
    out[i] = steps;
}

KERNEL(break_and_continue) {
    GUARD;
    int sum = 0;
    for (int k = 0; k < 40; ++k) {
        if ((in[i] + k) % 7 == 0) continue;
        if (sum > 600) break;
        sum += in[(i + k) % n] % 50;
    }
    out[i] = sum;
}

KERNEL(loop_in_loop) {
    GUARD;
    int sum = 0;
    for (int a = 0; a < in[i] % 9; ++a)
        for (int b = a; b < in[(i + a) % n] % 13; ++b) sum += a * b + 1;
    out[i] = sum;
}

KERNEL(uniform_loop_keeps_its_counter) {
    GUARD;
    int k = 0, last = 0;
    for (; k < n % 17 + 3; ++k) last = last * 31 + in[(i + k) % n];
    out[i] = last + k;
}

KERNEL(value_from_the_last_round) {
    GUARD;
    int k = 0, seen = -1;
    while (k < in[i] % 23) { seen = k * 2; ++k; }
    out[i] = seen * 100 + k;
}

KERNEL(several_ways_in) {
    GUARD;
    int v = in[i], r = 0;
    switch (v % 8) {
    case 0: r += 1;
    case 1: r += 10; break;
    case 2: r += 100; goto behind;
    case 3: r -= 5;
    default: r += v;
    }
    r *= 2;
behind:
    out[i] = r;
}

KERNEL(early_ends) {
    GUARD;
    if (in[i] % 4 == 0) { out[i] = -1; return; }
    int s = 0;
    for (int k = 0; k < 10; ++k) { s += in[(i * 7 + k) % n]; if (s > 3000) { out[i] = s; return; } }
    out[i] = s + 5;
}

KERNEL(types) {
    GUARD;
    signed char c = in[i];
    short h = in[i] * 77;
    long long l = (long long)in[i] * 1234567891011LL;
    double d = in[i] / 7.0;
    float f = in[i] * 0.37f;
    unsigned char u = in[i] + 200;
    out[i] = c + h + (int)(l >> 13) + (int)(d * 1000) + (int)(f * 100) + u + (h < c) + (l > 5);
}

KERNEL(divisions) {
    GUARD;
    int v = in[i] - 500, w = in[(i + 1) % n] - 499;
    out[i] = (w ? v / w + v % w : 3) + (int)((unsigned)v / (unsigned)(w | 1));
}

KERNEL(vectors) {
    GUARD;
    if (i * 4 + 3 < n) {
        int4 v = reinterpret_cast<const int4 *>(in)[i];
        reinterpret_cast<int4 *>(out)[i] = make_int4(v.w, v.z + 1, v.y * 2, v.x - 3);
    }
}

KERNEL(local_array) {
    GUARD;
    int own[16];
    for (int k = 0; k < 16; ++k) own[k] = in[(i + k) % n];
    int at = 0;
    for (int k = 0; k < 20; ++k) { own[(at + k) & 15] += k; at = own[at & 15]; }
    out[i] = at + own[in[i] & 15];
}

__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
KERNEL(constants) { GUARD; out[i] = table[in[i] & 7] + table[blockIdx.x & 7]; }

KERNEL(gather_and_scatter) { GUARD; out[(i ^ 1) < n ? i ^ 1 : i] = in[in[i] % n]; }

KERNEL(block_sum) {
    __shared__ int part[1024];
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x, size = blockDim.x * blockDim.y;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 512; half; half /= 2) {
        if (t < half && t + half < size) part[t] += part[t + half];
        __syncthreads();
    }
    if (i < n) out[i] = part[0] + part[t];
}

KERNEL(barrier_with_votes) {
    INDEX;
    int odd = i < n && in[i] % 2;
    int any = __syncthreads_or(odd), all = __syncthreads_and(odd), many = __syncthreads_count(odd);
    if (i < n) out[i] = any + 2 * all + 4 * many;
}

KERNEL(some_barriers_vote) {
    INDEX;
    int odd = i < n && in[i] % 2;
    int any = __syncthreads_or(odd), all = __syncthreads_and(odd);
    if (i < n) out[i] = any + 2 * all;
}

extern __shared__ int dynamic[];
KERNEL(dynamic_shared) {
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x, size = blockDim.x * blockDim.y;
    dynamic[t] = i < n ? in[i] : 7;
    __syncthreads();
    if (i < n) out[i] = dynamic[(t * 5 + 1) % size];
}

#define LANE ((threadIdx.y * blockDim.x + threadIdx.x) & 31)
#define WHOLE(t) (((t) | 31) < blockDim.x * blockDim.y)
KERNEL(shuffles) {
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int v = in[i % n], r = v;
    if (WHOLE(t)) {
        r += __shfl_xor_sync(~0u, v, 5) + __shfl_down_sync(~0u, v, 3) * 2;
        r += __shfl_up_sync(~0u, v, 9) * 3 + __shfl_sync(~0u, v, v) * 5;
        r += __shfl_down_sync(~0u, v, 2, 8) * 7 + __shfl_xor_sync(~0u, v, LANE & 3, 16) * 11;
        r += __shfl_sync(~0u, v, 33, 4) * 13 + __shfl_up_sync(~0u, v, v & 31, 16) * 17;
    }
    if (i < n) out[i] = r;
}

KERNEL(votes) {
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int v = in[i % n], r = 0;
    if (WHOLE(t)) {
        r = __ballot_sync(~0u, v % 3 == 0) ^ (__any_sync(~0u, v == 17) << 3);
        r += __all_sync(~0u, v < 990) * 1000;
    }
    if (i < n) out[i] = r;
}

KERNEL(votes_of_some) {
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int v = in[i % n], r = 0;
    if (WHOLE(t)) {
        if (LANE < 12) r = __ballot_sync(0xfffu, v & 1) + __shfl_xor_sync(0xfffu, v, 1);
        else r = __popc(__ballot_sync(0xfffff000u, v & 2));
    }
    if (i < n) out[i] = r;
}

KERNEL(warp_matches) {
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int v = in[i % n] % 5;
    if (i < n) out[i] = WHOLE(t) ? __match_any_sync(~0u, v) : v;
}

KERNEL(reductions) {
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int v = in[i % n] - 400, r = 0;
    if (WHOLE(t)) {
        r = __reduce_add_sync(~0u, v) ^ __reduce_min_sync(~0u, v) ^ __reduce_max_sync(~0u, v);
        r += __reduce_xor_sync(~0u, (unsigned)v) + __reduce_max_sync(~0u, (unsigned)v);
    }
    if (i < n) out[i] = r;
}

KERNEL(histogram_in_shared) {
    __shared__ int bins[33];
    INDEX;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int size = blockDim.x * blockDim.y;
    for (int b = t; b < 33; b += size) bins[b] = 0;
    __syncthreads();
    if (i < n) { atomicAdd(&bins[in[i] & 31], 1); atomicMax(&bins[32], in[i] % 100); }
    __syncthreads();
    if (i < n) out[i] = bins[t % 33];
}

KERNEL(counters_in_global) {
    GUARD;
    out[i] = 0;
    atomicXor(&out[i], in[i]);
    atomicAdd(&out[i], 5);
    atomicMin(&out[i], 700);
    if (atomicCAS(&out[i], 700, 1) == 700) atomicExch(&out[i], 2);
}

__noinline__ __device__ int helper(int v, int depth) {
    return depth ? helper(v * 3 + 1, depth - 1) % 10007 : v;
}
KERNEL(calls) { GUARD; out[i] = helper(in[i], in[i] % 6); }

KERNEL(two_dimensions) {
    GUARD;
    out[i] = threadIdx.x + 100 * threadIdx.y + 10000 * blockIdx.x + 1000000 * blockIdx.y + in[i];
}

KERNEL(floats) {
    GUARD;
    float a = in[i] * 0.5f, b = in[(i + 3) % n] - 300.25f;
    float r = a * b + a / (b * b + 1) - fminf(a, b) + sqrtf(fabsf(b)) + (a > b ? a : -b);
    double d = sqrt((double)a) * 1e-3 + b;
    out[i] = __float_as_int(r) ^ (int)__double_as_longlong(d);
}

KERNEL(grid_stride) {
    int stride = gridDim.x * gridDim.y * blockDim.x * blockDim.y;
    INDEX;
    for (; i < n; i += stride) out[i] = in[i] ^ (i >> 2);
}

KERNEL(sums_of_named_sets) {
    INDEX;
    int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
    unsigned own = lane < 10 ? 0x3ffu : lane % 2 ? 0xaaaaa800u : 0x55555400u;
    own &= __activemask();
    int v = i < n ? in[i] : 0;
    int sum = __reduce_add_sync(own, v);
    int most = __reduce_max_sync(own, v);
    if (i < n) out[i] = sum * 1000 + most;
}

KERNEL(votes_of_named_sets) {
    INDEX;
    int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
    unsigned all = __activemask();
    unsigned own = (lane < 16 ? 0xffffu : 0xffff0000u) & all;
    int v = i < n ? in[i] : 0;
    unsigned odd = __ballot_sync(own, v & 1);
    int any = __any_sync(own, v > 900);
    int low = __shfl_sync(own, v, 0, 16);
    v += __shfl_xor_sync(own, v, 1);
    v += __shfl_xor_sync(own, v, 2);
    if (i < n) out[i] = odd % 977 + any * 10000 + low * 3 + v;
}

KERNEL(meetings_on_both_sides) {
    INDEX;
    extern __shared__ int place[];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned all = __activemask();
    place[t] = i < n ? in[i] : 1;
    int other = 0;
    if (t % 2) {
        place[t] += 5;
        __syncwarp(all);
        other = place[t - 1];
    } else {
        place[t] *= 2;
        __syncwarp(all);
        if (all >> (t % 32 + 1) & 1) other = place[t + 1];
    }
    if (i < n) out[i] = other;
}

KERNEL(own_array_across_barriers) {
    INDEX;
    extern __shared__ int place[];
    int t = threadIdx.y * blockDim.x + threadIdx.x, size = blockDim.x * blockDim.y;
    int own[8];
    for (int k = 0; k < 8; ++k) own[k] = (i < n ? in[i] : 0) + k;
    for (int round = 0; round < 6; ++round) {
        place[t] = own[(t + round) % 8];
        __syncthreads();
        own[(t + 3 * round) % 8] += place[(t + 1) % size];
        __syncthreads();
    }
    int *some = in[i % n] % 2 ? own : place + t;  // a generic address
    int isown = __isLocal(some), sum = isown * 7;
    for (int k = 0; k < 8; ++k) sum += own[k];
    __syncthreads();
    sum += *some;
    if (i < n) out[i] = sum;
}

KERNEL(rows_and_columns) {
    int x = threadIdx.x, y = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.y + threadIdx.y;
    int at = y * blockDim.x + x;
    if (at >= n) return;
    // Of the last rows no thread takes part: their addresses need not exist.
    out[at] = in[y] * 2 + in[at] + in[at - y * (int)blockDim.x] + (x % 3 ? in[at - x] : in[y + x]);
}

KERNEL(columns_through_shared_memory) {
    extern __shared__ int place[];
    INDEX;
    int w = blockDim.x, h = blockDim.y, t = threadIdx.y * w + threadIdx.x;
    place[threadIdx.x * h + threadIdx.y] = i < n ? in[i] : 0;
    __syncthreads();
    short narrow = place[t];
    if (i < n) out[i] = place[(w * h - 1) - t] * 3 + narrow + place[threadIdx.y] + place[threadIdx.x];
}
