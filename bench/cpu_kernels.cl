// The kernels of bench/cpu.py, in what CUDA C++ and OpenCL C have in common.

KERNEL saxpy(int n, float a, GLOBAL const float *x, GLOBAL float *y) {
    int i = GX;
    if (i < n) y[i] = a * x[i] + y[i];
}

KERNEL black_scholes(int n, GLOBAL const float *price, GLOBAL float *call) {
    int i = GX;
    if (i >= n) return;
    float s = 10 + 90 * price[i], k = 50, t = 1, r = 0.02f, v = 0.3f;
    float d1 = (logf(s / k) + (r + 0.5f * v * v) * t) / (v * sqrtf(t)), d2 = d1 - v * sqrtf(t);
    float result = 0, d = d1;
    for (int side = 0; side < 2; ++side) {
        float q = 1 / (1 + 0.2316419f * fabsf(d));
        float p = 0.39894228f * expf(-0.5f * d * d) * q *
                  (0.31938153f + q * (-0.356563782f + q * (1.781477937f + q * (-1.821255978f + q * 1.330274429f))));
        if (d > 0) p = 1 - p;
        result += side ? -k * expf(-r * t) * p : s * p;
        d = d2;
    }
    call[i] = result;
}

KERNEL stencil(int w, int h, GLOBAL const float *in, GLOBAL float *out) {
    int x = GX, y = GY;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int i = y * w + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}

KERNEL transpose(int n, GLOBAL const float *in, GLOBAL float *out) {
    LOCAL float tile[16][17];
    int x = WX * 16 + LX, y = WY * 16 + LY;
    tile[LY][LX] = in[y * n + x];
    BARRIER;
    out[(WX * 16 + LY) * n + WY * 16 + LX] = tile[LX][LY];
}

KERNEL matmul(int n, GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c) {
    LOCAL float ta[16][16];
    LOCAL float tb[16][16];
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        ta[LY][LX] = a[GY * n + k + LX];
        tb[LY][LX] = b[(k + LY) * n + GX];
        BARRIER;
        for (int j = 0; j < 16; ++j) sum += ta[LY][j] * tb[j][LX];
        BARRIER;
    }
    c[GY * n + GX] = sum;
}

KERNEL matmul_naive(int n, GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[GY * n + k] * b[k * n + GX];
    c[GY * n + GX] = sum;
}

KERNEL reduce(int n, GLOBAL const float *x, GLOBAL float *sums) {
    LOCAL float part[256];
    int t = LX;
    part[t] = GX < n ? x[GX] : 0;
    BARRIER;
    for (int reach = 128; reach > 0; reach /= 2) {
        if (t < reach) part[t] += part[t + reach];
        BARRIER;
    }
    if (t == 0) sums[WX] = part[0];
}

KERNEL scan(int n, GLOBAL const int *x, GLOBAL int *y) {
    LOCAL int part[256];
    int t = LX;
    part[t] = x[GX];
    BARRIER;
    for (int step = 1; step < 256; step *= 2) {
        int v = t >= step ? part[t - step] : 0;
        BARRIER;
        part[t] += v;
        BARRIER;
    }
    y[GX] = part[t];
}

KERNEL histogram(int n, GLOBAL const int *x, GLOBAL int *bins) {
    LOCAL int own[256];
    int t = LX;
    own[t] = 0;
    BARRIER;
    for (int k = 0; k < 16; ++k) ADD(&own[x[(WX * 16 + k) * 256 + t]], 1);
    BARRIER;
    ADD(&bins[t], own[t]);
}

KERNEL nbody(int n, GLOBAL const float *p, GLOBAL float *force) {
    LOCAL float tile[128 * 4];
    int i = GX, t = LX;
    float x = p[4 * i], y = p[4 * i + 1], z = p[4 * i + 2], fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < n; first += 128) {
        for (int k = 0; k < 4; ++k) tile[k * 128 + t] = p[4 * (first + t) + k];
        BARRIER;
        for (int j = 0; j < 128; ++j) {
            float dx = tile[j] - x, dy = tile[128 + j] - y, dz = tile[256 + j] - z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float s = tile[384 + j] * inverse * inverse * inverse;
            fx += s * dx;
            fy += s * dy;
            fz += s * dz;
        }
        BARRIER;
    }
    force[4 * i] = fx;
    force[4 * i + 1] = fy;
    force[4 * i + 2] = fz;
}

KERNEL mandelbrot(int w, int h, int most, GLOBAL int *out) {
    int px = GX, py = GY;
    float cx = -2.0f + 3.0f * px / w, cy = -1.0f + 2.0f * py / h, x = 0, y = 0;
    int k = 0;
    while (k < most && x * x + y * y < 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++k;
    }
    out[py * w + px] = k;
}

KERNEL spmv(int n, GLOBAL const int *rows, GLOBAL const int *columns, GLOBAL const float *values,
            GLOBAL const float *x, GLOBAL float *y) {
    int i = GX;
    if (i >= n) return;
    float sum = 0;
    for (int k = rows[i]; k < rows[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] = sum;
}

KERNEL convolution(int n, GLOBAL const float *x, GLOBAL const float *taps, GLOBAL float *y) {
    int i = GX;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 64; ++k) sum += taps[k] * x[i + k];
    y[i] = sum;
}
