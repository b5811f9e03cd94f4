// mma.sync, ldmatrix, stmatrix and movmatrix.
//
// Fragments (PTX ISA 9.7.14, "Matrix Fragments"): with g = lane / 4, t = lane % 4 and p elements in
// a register, register r of A holds row g + 8 * (r % (m / 8)) and the p columns from
// p * (t + 4 * (r / (m / 8))); register r of B holds column g and the p rows from p * (t + 4 * r);
// element e of C and D is row g + 8 * (e / 2), column 2 * t + e % 2.  (A double counts as one
// register of one element.)  Only m8n8k4 of f16 differs.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "engine.h"
#include "half.h"

namespace gpucc_cpu {

namespace {

enum Flag : uint32_t { kSaturate = 1, kXor = 2, kAnd = 4, kColumnsA = 8, kRowsB = 16 };

constexpr uint32_t kMaxM = 16, kN = 8, kMaxK = 64;  // of b1 K is larger, up to 256

struct Mma {
    const gpucc_mma *shape;
    const uint32_t *a, *b, *c;
    uint32_t *d;
};

struct Rows {
    uint32_t count, transposed;
    char *row;            // this lane's
    uint32_t *registers;  // of ldmatrix
    const uint32_t *values;  // of stmatrix
    uint32_t value;          // of movmatrix
};

const Mma &mma_of(const Thread *lanes, uint32_t lane) {
    return *static_cast<const Mma *>(lanes[lane].operands);
}

uint32_t bits_of(uint32_t element) {
    switch (element) {
        case GPUCC_F64: return 64;
        case GPUCC_TF32:
        case GPUCC_F32:
        case GPUCC_S32: return 32;
        case GPUCC_F16:
        case GPUCC_BF16: return 16;
        case GPUCC_S4:
        case GPUCC_U4: return 4;
        case GPUCC_B1: return 1;
        default: return 8;
    }
}

// Writes the elements of registers to `out`, one after the other.
void decode(const uint32_t *registers, uint32_t count, uint32_t type, float *out) {
    for (uint32_t r = 0; r < count; ++r) {
        const uint32_t word = registers[r];
        switch (type) {
            case GPUCC_F16:
                *out++ = float_of_half(static_cast<uint16_t>(word));
                *out++ = float_of_half(static_cast<uint16_t>(word >> 16));
                break;
            case GPUCC_BF16:
                *out++ = float_of_bfloat(static_cast<uint16_t>(word));
                *out++ = float_of_bfloat(static_cast<uint16_t>(word >> 16));
                break;
            case GPUCC_TF32:  // the lower 13 bits are not looked at
                *out++ = bits_as<float>(word & ~0x1fffu);
                break;
            case GPUCC_E4M3:
                for (int i = 0; i < 4; ++i) *out++ = float_of_e4m3(static_cast<uint8_t>(word >> 8 * i));
                break;
            case GPUCC_E5M2:
                for (int i = 0; i < 4; ++i) *out++ = float_of_e5m2(static_cast<uint8_t>(word >> 8 * i));
                break;
            case GPUCC_S8:
                for (int i = 0; i < 4; ++i) *out++ = static_cast<int8_t>(word >> 8 * i);
                break;
            case GPUCC_U8:
                for (int i = 0; i < 4; ++i) *out++ = static_cast<uint8_t>(word >> 8 * i);
                break;
            case GPUCC_S4:
                for (int i = 0; i < 8; ++i)
                    *out++ = static_cast<float>(static_cast<int32_t>(word << (28 - 4 * i)) >> 28);
                break;
            case GPUCC_U4:
                for (int i = 0; i < 8; ++i) *out++ = static_cast<float>(word >> 4 * i & 15);
                break;
            default:
                *out++ = bits_as<float>(word);
        }
    }
}

void decode(const uint32_t *registers, uint32_t count, uint32_t, double *out) {
    memcpy(out, registers, count * sizeof(double));
}

void store(uint32_t *fragment, uint32_t i, uint32_t type, float value) {
    // The device makes one NaN only.
    if (type == GPUCC_F16) {
        const uint32_t half = std::isnan(value) ? 0x7fff : half_of_float(value);
        const uint32_t shift = i % 2 * 16;
        fragment[i / 2] = (fragment[i / 2] & ~(0xffffu << shift)) | half << shift;
    } else {
        fragment[i] = std::isnan(value) ? 0x7fffffff : bits_as<uint32_t>(value);
    }
}

uint32_t integer_result(uint32_t start, int64_t sum, uint32_t flags) {
    sum += static_cast<int32_t>(start);
    if (flags & kSaturate) {
        if (sum > INT32_MAX) sum = INT32_MAX;
        if (sum < INT32_MIN) sum = INT32_MIN;
    }
    return static_cast<uint32_t>(sum);
}

// Calls do(own, e, row, column) for each element of the accumulators of each lane.
template <typename Function>
void each_result(const Thread *lanes, const gpucc_mma &shape, Function function) {
    for (uint32_t lane = 0; lane < kWarp; ++lane)
        for (uint32_t e = 0; e < shape.m / 4; ++e)
            function(mma_of(lanes, lane), e, lane / 4 + 8 * (e / 2), 2 * (lane % 4) + e % 2);
}

// Integers are multiplied as floats: their sums without C stay below 2^24 and are exact.
template <typename Type>
struct Matrices {
    typedef Type Row __attribute__((vector_size(kN * sizeof(Type))));

    Type a[kMaxM][kMaxK];
    Row b[kMaxK];
    Row sum[kMaxM];

    void gather(const Thread *lanes, const gpucc_mma &shape) {
        const uint32_t bits = bits_of(shape.a), in_register = bits >= 32 ? 1 : 32 / bits;
        const uint32_t halves = shape.m / 8, registers = shape.k / (4 * in_register);
        const uint32_t words = sizeof(Type) / 4;  // of what counts as a register here
        for (uint32_t lane = 0; lane < kWarp; ++lane) {
            const Mma &own = mma_of(lanes, lane);
            const uint32_t g = lane / 4, t = lane % 4;
            for (uint32_t r = 0; r < registers * halves; ++r)
                decode(own.a + r * words, 1, shape.a,
                       &a[g + 8 * (r % halves)][in_register * (t + 4 * (r / halves))]);
            for (uint32_t r = 0; r < registers; ++r) {
                Type column[8];
                decode(own.b + r * words, 1, shape.b, column);
                for (uint32_t i = 0; i < in_register; ++i)
                    b[in_register * (t + 4 * r) + i][g] = column[i];
            }
            Type start[4] = {};
            if (shape.c != GPUCC_S32)
                decode(own.c, shape.c == GPUCC_F16 ? halves : 2 * halves, shape.c, start);
            for (uint32_t e = 0; e < 2 * halves; ++e)
                sum[g + 8 * (e / 2)][2 * t + e % 2] = start[e];
        }
    }
};

// Products of floats are exact, so that a fused operation would change nothing.
void multiply_floats(const Thread *lanes, const gpucc_mma &shape) {
    Matrices<float> matrices;
    matrices.gather(lanes, shape);
    for (uint32_t row = 0; row < shape.m; ++row) {
        auto sum = matrices.sum[row];
        for (uint32_t i = 0; i < shape.k; ++i) sum += matrices.a[row][i] * matrices.b[i];
        matrices.sum[row] = sum;
    }
    each_result(lanes, shape, [&](const Mma &own, uint32_t e, uint32_t row, uint32_t column) {
        const float sum = matrices.sum[row][column];
        if (shape.d == GPUCC_S32)
            own.d[e] = integer_result(own.c[e], static_cast<int64_t>(sum), shape.flags);
        else
            store(own.d, e, shape.d, sum);
    });
}

void multiply_doubles(const Thread *lanes, const gpucc_mma &shape) {
    Matrices<double> matrices;
    matrices.gather(lanes, shape);
    each_result(lanes, shape, [&](const Mma &own, uint32_t e, uint32_t row, uint32_t column) {
        double sum = matrices.sum[row][column];
        for (uint32_t i = 0; i < shape.k; ++i)
            sum = std::fma(matrices.a[row][i], matrices.b[i][column], sum);
        memcpy(own.d + 2 * e, &sum, sizeof sum);
    });
}

// Of single bits a register holds 32 of a row of A or a column of B.
void multiply_bits(const Thread *lanes, const gpucc_mma &shape) {
    uint32_t a[kMaxM][8], b[kN][8];
    const uint32_t halves = shape.m / 8, words = shape.k / 32;
    for (uint32_t lane = 0; lane < kWarp; ++lane) {
        const Mma &own = mma_of(lanes, lane);
        const uint32_t g = lane / 4, t = lane % 4;
        for (uint32_t r = 0; r < words / 4 * halves; ++r)
            a[g + 8 * (r % halves)][t + 4 * (r / halves)] = own.a[r];
        for (uint32_t r = 0; r < words / 4; ++r) b[g][t + 4 * r] = own.b[r];
    }
    each_result(lanes, shape, [&](const Mma &own, uint32_t e, uint32_t row, uint32_t column) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < words; ++i)
            sum += count(shape.flags & kAnd ? a[row][i] & b[column][i] : a[row][i] ^ b[column][i]);
        own.d[e] = integer_result(own.c[e], sum, shape.flags);
    });
}

// m8n8k4 of f16: four products, each by the lanes 4 * q + {0..3, 16..19}, the upper ones of which
// have the lower half of the rows of A, C and D and of the columns of B.
void multiply_quads(const Thread *lanes, const gpucc_mma &shape) {
    const bool whole_rows = shape.c == GPUCC_F16, stores_rows = shape.d == GPUCC_F16;
    for (uint32_t q = 0; q < 4; ++q) {
        float a[8][4], b[4][8], sum[8][8];
        const auto position = [](uint32_t l, uint32_t i, bool rows, uint32_t &row, uint32_t &col) {
            const uint32_t t = l % 4, half = l / 4 * 4;
            row = rows ? t + half : (t & 1) + (i & 2) + half;
            col = rows ? i : (i & 4) + (t & 2) + (i & 1);
        };
        for (uint32_t l = 0; l < 8; ++l) {
            const Mma &own = mma_of(lanes, 4 * q + l % 4 + l / 4 * 16);
            const uint32_t t = l % 4, half = l / 4 * 4;
            float x[4], y[4], start[8];
            decode(own.a, 2, GPUCC_F16, x);
            decode(own.b, 2, GPUCC_F16, y);
            decode(own.c, whole_rows ? 4 : 8, shape.c, start);
            for (uint32_t i = 0; i < 4; ++i) {
                if (shape.flags & kColumnsA) a[i + half][t] = x[i];
                else a[t + half][i] = x[i];
                if (shape.flags & kRowsB) b[t][i + half] = y[i];
                else b[i][t + half] = y[i];
            }
            for (uint32_t i = 0; i < 8; ++i) {
                uint32_t row, col;
                position(l, i, whole_rows, row, col);
                sum[row][col] = start[i];
            }
        }
        for (uint32_t row = 0; row < 8; ++row)
            for (uint32_t k = 0; k < 4; ++k)
                for (uint32_t col = 0; col < 8; ++col)
                    sum[row][col] += a[row][k] * b[k][col];
        for (uint32_t l = 0; l < 8; ++l) {
            const Mma &own = mma_of(lanes, 4 * q + l % 4 + l / 4 * 16);
            for (uint32_t i = 0; i < 8; ++i) {
                uint32_t row, col;
                position(l, i, stores_rows, row, col);
                store(own.d, i, shape.d, sum[row][col]);
            }
        }
    }
}

void complete_mma(Thread *lanes) {
    const gpucc_mma &shape = *mma_of(lanes, 0).shape;
    for (uint32_t lane = 1; lane < kWarp; ++lane) {
        const gpucc_mma *other = mma_of(lanes, lane).shape;
        if (other != &shape && memcmp(other, &shape, sizeof shape) != 0)
            fail(&lanes[lane].base, GPUCC_FAULT, "lanes of a warp are at different forms of mma");
    }
    const uint32_t bits = bits_of(shape.a);
    const bool fits = (shape.m == 8 || shape.m == 16) && shape.n == kN &&
                      bits == bits_of(shape.b) && shape.k != 0 &&
                      shape.k % (4 * (bits >= 32 ? 1 : 32 / bits)) == 0 &&
                      shape.k <= (shape.a == GPUCC_B1 ? 256 : kMaxK);
    const bool quads = shape.m == 8 && shape.n == 8 && shape.k == 4 && shape.a == GPUCC_F16;
    if (!fits && !quads)
        fail(&lanes[0].base, GPUCC_FAULT,
             "no mma of m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" +
                 std::to_string(shape.k));
    if (quads)
        multiply_quads(lanes, shape);
    else if (shape.a == GPUCC_B1)
        multiply_bits(lanes, shape);
    else if (shape.a == GPUCC_F64)
        multiply_doubles(lanes, shape);
    else
        multiply_floats(lanes, shape);
}

// --- matrices of 8x8 elements of 16 bits ------------------------------------------------------------

const Rows &rows_of(const Thread *lanes, uint32_t lane) {
    return *static_cast<const Rows *>(lanes[lane].operands);
}

void check_rows(Thread *lanes) {
    const Rows &first = rows_of(lanes, 0);
    for (uint32_t lane = 0; lane < kWarp; ++lane) {
        const Rows &own = rows_of(lanes, lane);
        if (own.count != first.count || own.transposed != first.transposed)
            fail(&lanes[lane].base, GPUCC_FAULT,
                 "lanes of a warp are at different forms of ldmatrix or stmatrix");
        if (lane < 8 * own.count && reinterpret_cast<uintptr_t>(own.row) % 16 != 0)
            fail(&lanes[lane].base, GPUCC_FAULT,
                 "the address of a row of a matrix is not a multiple of 16 at " +
                     place(block_of(&lanes[lane].base)->launch, lanes[lane].site));
    }
}

// Where element `i` (0, 1) of register `r` of a lane lies.
char *position(const Thread *lanes, uint32_t lane, uint32_t r, uint32_t i) {
    uint32_t row = lane / 4, column = 2 * (lane % 4) + i;
    if (rows_of(lanes, lane).transposed) std::swap(row, column);
    return rows_of(lanes, 8 * r + row).row + 2 * column;
}

void load(Thread *lanes) {
    check_rows(lanes);
    for (uint32_t lane = 0; lane < kWarp; ++lane)
        for (uint32_t r = 0; r < rows_of(lanes, lane).count; ++r) {
            uint16_t halves[2];
            for (uint32_t i = 0; i < 2; ++i) memcpy(&halves[i], position(lanes, lane, r, i), 2);
            rows_of(lanes, lane).registers[r] = halves[0] | static_cast<uint32_t>(halves[1]) << 16;
        }
}

void store_rows(Thread *lanes) {
    check_rows(lanes);
    for (uint32_t lane = 0; lane < kWarp; ++lane)
        for (uint32_t r = 0; r < rows_of(lanes, lane).count; ++r)
            for (uint32_t i = 0; i < 2; ++i) {
                const uint16_t half =
                    static_cast<uint16_t>(rows_of(lanes, lane).values[r] >> 16 * i);
                memcpy(position(lanes, lane, r, i), &half, 2);
            }
}

void transpose(Thread *lanes) {
    for (uint32_t lane = 0; lane < kWarp; ++lane) {
        uint32_t result = 0;
        for (uint32_t i = 0; i < 2; ++i) {
            const uint32_t row = 2 * (lane % 4) + i, column = lane / 4;
            const uint32_t value = rows_of(lanes, 4 * row + column / 2).value;
            result |= (value >> column % 2 * 16 & 0xffff) << 16 * i;
        }
        lanes[lane].value = result;
    }
}

}  // namespace

void complete_matrix(Kind kind, Thread *lanes) {
    if (kind == Kind::mma) complete_mma(lanes);
    if (kind == Kind::ldmatrix) load(lanes);
    if (kind == Kind::stmatrix) store_rows(lanes);
    if (kind == Kind::movmatrix) transpose(lanes);
}

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

void gpucc_cpu_mma(gpucc_thread *thread, const gpucc_mma *shape, const uint32_t *a,
                   const uint32_t *b, const uint32_t *c, uint32_t *d, uint32_t site) {
    Mma operands{shape, a, b, c, d};
    collective(thread, Kind::mma, kFull, site, &operands);
}

void gpucc_cpu_ldmatrix(gpucc_thread *thread, uint32_t count, uint32_t transposed, const void *row,
                        uint32_t *registers, uint32_t site) {
    Rows operands{count, transposed, const_cast<char *>(static_cast<const char *>(row)), registers,
                  nullptr, 0};
    collective(thread, Kind::ldmatrix, kFull, site, &operands);
}

void gpucc_cpu_stmatrix(gpucc_thread *thread, uint32_t count, uint32_t transposed, void *row,
                        const uint32_t *registers, uint32_t site) {
    Rows operands{count, transposed, static_cast<char *>(row), nullptr, registers, 0};
    collective(thread, Kind::stmatrix, kFull, site, &operands);
}

uint32_t gpucc_cpu_movmatrix(gpucc_thread *thread, uint32_t value, uint32_t site) {
    Rows operands{0, 0, nullptr, nullptr, nullptr, value};
    collective(thread, Kind::movmatrix, kFull, site, &operands);
    return static_cast<uint32_t>(thread_of(thread)->value);
}
