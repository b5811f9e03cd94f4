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

#include "engine.h"
#include "half.h"

namespace gpucc_cpu {

namespace {

enum Flag : uint32_t { kSaturate = 1, kXor = 2, kAnd = 4, kColumnsA = 8, kRowsB = 16 };

constexpr uint32_t kMaxM = 16, kN = 8, kMaxK = 64;  // K of b1 is larger, in words of 32

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

// Element `i` of a fragment.
float element(const uint32_t *fragment, uint32_t i, uint32_t type, float) {
    switch (type) {
        case GPUCC_F16:
            return float_of_half(static_cast<uint16_t>(fragment[i / 2] >> i % 2 * 16));
        case GPUCC_BF16:
            return float_of_bfloat(static_cast<uint16_t>(fragment[i / 2] >> i % 2 * 16));
        case GPUCC_TF32:  // the lower 13 bits are not looked at
            return bits_as<float>(fragment[i] & ~0x1fffu);
        case GPUCC_E4M3:
            return float_of_e4m3(static_cast<uint8_t>(fragment[i / 4] >> i % 4 * 8));
        case GPUCC_E5M2:
            return float_of_e5m2(static_cast<uint8_t>(fragment[i / 4] >> i % 4 * 8));
        default:
            return bits_as<float>(fragment[i]);
    }
}

double element(const uint32_t *fragment, uint32_t i, uint32_t, double) {
    double value;
    memcpy(&value, fragment + 2 * i, sizeof value);
    return value;
}

int32_t element(const uint32_t *fragment, uint32_t i, uint32_t type, int32_t) {
    switch (type) {
        case GPUCC_S8: return static_cast<int8_t>(fragment[i / 4] >> i % 4 * 8);
        case GPUCC_U8: return static_cast<uint8_t>(fragment[i / 4] >> i % 4 * 8);
        case GPUCC_S4: return static_cast<int32_t>(fragment[i / 8] << (28 - i % 8 * 4)) >> 28;
        case GPUCC_U4: return static_cast<int32_t>(fragment[i / 8] >> i % 8 * 4 & 15);
        default: return static_cast<int32_t>(fragment[i]);  // words of b1, s32
    }
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

void store(uint32_t *fragment, uint32_t i, uint32_t, double value) {
    memcpy(fragment + 2 * i, &value, sizeof value);
}

void store(uint32_t *fragment, uint32_t i, uint32_t, int32_t value) {
    fragment[i] = static_cast<uint32_t>(value);
}

// One step of a sum: exact products, so a fused operation changes nothing but for doubles.
void add_product(float &sum, float x, float y) { sum += x * y; }
void add_product(double &sum, double x, double y) { sum = std::fma(x, y, sum); }
void add_product(int64_t &sum, int32_t x, int32_t y) { sum += int64_t{x} * y; }

float finish(float sum, uint32_t) { return sum; }
double finish(double sum, uint32_t) { return sum; }
int32_t finish(int64_t sum, uint32_t flags) {
    if (flags & kSaturate) {
        if (sum > INT32_MAX) return INT32_MAX;
        if (sum < INT32_MIN) return INT32_MIN;
    }
    return static_cast<int32_t>(static_cast<uint32_t>(sum));
}

template <typename Type, typename Sum>
struct Matrices {
    Type a[kMaxM][kMaxK];
    Type b[kMaxK][kN];
    Sum sum[kMaxM][kN];

    void gather(const Thread *lanes, const gpucc_mma &shape, uint32_t in_register, uint32_t k) {
        const uint32_t halves = shape.m / 8;
        for (uint32_t lane = 0; lane < kWarp; ++lane) {
            const Mma &own = mma_of(lanes, lane);
            const uint32_t g = lane / 4, t = lane % 4;
            const uint32_t registers = k / (4 * in_register);
            for (uint32_t r = 0; r < registers * halves; ++r)
                for (uint32_t i = 0; i < in_register; ++i)
                    a[g + 8 * (r % halves)][in_register * (t + 4 * (r / halves)) + i] =
                        element(own.a, r * in_register + i, shape.a, Type());
            for (uint32_t r = 0; r < registers; ++r)
                for (uint32_t i = 0; i < in_register; ++i)
                    b[in_register * (t + 4 * r) + i][g] =
                        element(own.b, r * in_register + i, shape.b, Type());
            for (uint32_t e = 0; e < 2 * halves; ++e)
                sum[g + 8 * (e / 2)][2 * t + e % 2] = element(own.c, e, shape.c, Type());
        }
    }

    void multiply(uint32_t m, uint32_t k) {
        for (uint32_t row = 0; row < m; ++row)
            for (uint32_t i = 0; i < k; ++i)
                for (uint32_t column = 0; column < kN; ++column)
                    add_product(sum[row][column], a[row][i], b[i][column]);
    }

    void scatter(const Thread *lanes, const gpucc_mma &shape) const {
        for (uint32_t lane = 0; lane < kWarp; ++lane)
            for (uint32_t e = 0; e < shape.m / 4; ++e)
                store(mma_of(lanes, lane).d, e, shape.d,
                      finish(sum[lane / 4 + 8 * (e / 2)][2 * (lane % 4) + e % 2], shape.flags));
    }
};

template <typename Type, typename Sum>
void multiply(const Thread *lanes, const gpucc_mma &shape) {
    Matrices<Type, Sum> matrices;
    const uint32_t bits = bits_of(shape.a);
    matrices.gather(lanes, shape, bits >= 32 ? 1 : 32 / bits, shape.k);
    matrices.multiply(shape.m, shape.k);
    matrices.scatter(lanes, shape);
}

void multiply_bits(const Thread *lanes, const gpucc_mma &shape) {
    Matrices<int32_t, int64_t> words;
    words.gather(lanes, shape, 1, shape.k / 32);
    for (uint32_t row = 0; row < shape.m; ++row)
        for (uint32_t i = 0; i < shape.k / 32; ++i)
            for (uint32_t column = 0; column < kN; ++column) {
                const uint32_t x = static_cast<uint32_t>(words.a[row][i]);
                const uint32_t y = static_cast<uint32_t>(words.b[i][column]);
                words.sum[row][column] += count(shape.flags & kAnd ? x & y : x ^ y);
            }
    words.scatter(lanes, shape);
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
            for (uint32_t i = 0; i < 4; ++i) {
                const float x = element(own.a, i, GPUCC_F16, 0.0f);
                const float y = element(own.b, i, GPUCC_F16, 0.0f);
                if (shape.flags & kColumnsA) a[i + half][t] = x;
                else a[t + half][i] = x;
                if (shape.flags & kRowsB) b[t][i + half] = y;
                else b[i][t + half] = y;
            }
            for (uint32_t i = 0; i < 8; ++i) {
                uint32_t row, col;
                position(l, i, whole_rows, row, col);
                sum[row][col] = element(own.c, i, shape.c, 0.0f);
            }
        }
        for (uint32_t row = 0; row < 8; ++row)
            for (uint32_t k = 0; k < 4; ++k)
                for (uint32_t col = 0; col < 8; ++col)
                    add_product(sum[row][col], a[row][k], b[k][col]);
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
    for (uint32_t lane = 1; lane < kWarp; ++lane)
        if (memcmp(mma_of(lanes, lane).shape, &shape, sizeof shape) != 0)
            fail(&lanes[lane].base, GPUCC_FAULT, "lanes of a warp are at different forms of mma");
    const uint32_t bits = bits_of(shape.a);
    const bool fits = (shape.m == 8 || shape.m == 16) && shape.n == kN &&
                      bits == bits_of(shape.b) && shape.k != 0 &&
                      shape.k % (4 * (bits >= 32 ? 1 : 32 / bits)) == 0 &&
                      shape.k <= (shape.a == GPUCC_B1 ? 32 * kMaxK : kMaxK);
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
        multiply<double, double>(lanes, shape);
    else if (shape.c == GPUCC_S32)
        multiply<int32_t, int64_t>(lanes, shape);
    else
        multiply<float, float>(lanes, shape);
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
