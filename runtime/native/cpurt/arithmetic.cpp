// Arithmetic of doubles that is not rounded to nearest.
//
// Operands go through volatile variables: compilers do not know that fesetround changes what an
// addition gives, whatever they are told.
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "gpucc_cpu.h"

namespace {

// By gpucc_rounding.
constexpr int directions[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

class Rounding {
public:
    explicit Rounding(uint32_t mode) : before(std::fegetround()) {
        std::fesetround(directions[mode & 3]);
    }
    ~Rounding() { std::fesetround(before); }
    Rounding(const Rounding &) = delete;
    Rounding &operator=(const Rounding &) = delete;

private:
    int before;
};

template <class Operation>
double rounded(uint32_t mode, double first, double second, Operation operation) {
    volatile double a = first, b = second;
    Rounding rounding(mode);
    volatile double result = operation(a, b);
    return result;
}

}  // namespace

extern "C" {

double gpucc_cpu_add_f64(double a, double b, uint32_t mode) {
    return rounded(mode, a, b, [](double x, double y) { return x + y; });
}

double gpucc_cpu_mul_f64(double a, double b, uint32_t mode) {
    return rounded(mode, a, b, [](double x, double y) { return x * y; });
}

double gpucc_cpu_div_f64(double a, double b, uint32_t mode) {
    return rounded(mode, a, b, [](double x, double y) { return x / y; });
}

double gpucc_cpu_sqrt_f64(double a, uint32_t mode) {
    return rounded(mode, a, 0.0, [](double x, double) { return std::sqrt(x); });
}

double gpucc_cpu_fma_f64(double a, double b, double c, uint32_t mode) {
    volatile double addend = c;
    return rounded(mode, a, b, [&](double x, double y) { return std::fma(x, y, addend); });
}

}  // extern "C"
