// Conversions that LLVM calls where the processor has none, under the names it uses.
//
// A 16-bit number is passed and returned in the low bits of a floating-point register, on x86-64 and
// aarch64 alike; here it is declared as the float whose register that is, for want of a type that
// every compiler has.  Weak: another runtime's functions may take their place.
#include "half.h"

using namespace gpucc_cpu;

namespace {

uint16_t low(float value) { return static_cast<uint16_t>(bits_as<uint32_t>(value)); }
float in_register(uint16_t value) { return bits_as<float>(static_cast<uint32_t>(value)); }

}  // namespace

#define GPUCC_BUILTIN extern "C" __attribute__((weak, visibility("default")))

GPUCC_BUILTIN float __extendhfsf2(float half) { return float_of_half(low(half)); }
GPUCC_BUILTIN float __truncsfhf2(float value) { return in_register(half_of_float(value)); }
GPUCC_BUILTIN float __truncdfhf2(double value) { return in_register(half_of_double(value)); }
GPUCC_BUILTIN float __truncsfbf2(float value) { return in_register(bfloat_of_float(value)); }
GPUCC_BUILTIN float __truncdfbf2(double value) { return in_register(bfloat_of_double(value)); }
