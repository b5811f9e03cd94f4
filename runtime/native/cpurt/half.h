// Conversions between formats of floating point; to nearest, ties to even.
#ifndef GPUCC_CPU_HALF_H
#define GPUCC_CPU_HALF_H

#include <cstdint>
#include <cstring>

namespace gpucc_cpu {

template <typename To, typename From>
To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From), "bits of the same size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

// Exact.  A NaN keeps its payload and becomes quiet.
inline float float_of_half(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t magnitude = static_cast<uint32_t>(half & 0x7fff) << 13;
    // As bits of a float the exponent is too small by 112; the product is right for subnormals too.
    uint32_t bits = bits_as<uint32_t>(bits_as<float>(magnitude) * 0x1p112f);
    if (magnitude >= 0x0f800000u)
        bits = magnitude | 0x7f800000u | (magnitude > 0x0f800000u ? 0x400000u : 0u);
    return bits_as<float>(sign | bits);
}

inline float float_of_bfloat(uint16_t value) {
    return bits_as<float>(static_cast<uint32_t>(value) << 16);
}

// 4 bits of exponent, 3 of fraction; no infinity; both NaNs have all bits set.
inline float float_of_e4m3(uint8_t value) {
    const uint32_t sign = static_cast<uint32_t>(value & 0x80) << 24;
    const uint32_t exponent = value >> 3 & 15, fraction = value & 7;
    if ((value & 0x7f) == 0x7f) return bits_as<float>(0x7fffffffu);
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-9f;
        return bits_as<float>(sign | bits_as<uint32_t>(magnitude));
    }
    return bits_as<float>(sign | (exponent + 120) << 23 | fraction << 20);
}

// The upper half of a half.
inline float float_of_e5m2(uint8_t value) {
    return float_of_half(static_cast<uint16_t>(value << 8));
}

// Rounds a double to a format of 16 bits with `fraction_bits` of fraction.
inline uint16_t narrow(double value, int fraction_bits) {
    const int exponent_bits = 15 - fraction_bits;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const uint64_t bits = bits_as<uint64_t>(value);
    const uint32_t sign = static_cast<uint32_t>(bits >> 48) & 0x8000;
    const int raw = static_cast<int>(bits >> 52 & 0x7ff);
    const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
    const uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    if (raw == 0x7ff) {
        if (fraction == 0) return static_cast<uint16_t>(sign | infinity);
        const uint32_t payload = static_cast<uint32_t>(fraction >> (52 - fraction_bits));
        return static_cast<uint16_t>(sign | infinity | 1u << (fraction_bits - 1) | payload);
    }
    if (raw == 0) return static_cast<uint16_t>(sign);  // far below the smallest
    const int exponent = raw - 1023 + bias;            // in the format; subnormal if below 1
    const int shift = 52 - fraction_bits + (exponent < 1 ? 1 - exponent : 0);
    if (shift > 54) return static_cast<uint16_t>(sign);
    const uint64_t significand = fraction | uint64_t{1} << 52;
    uint64_t result = significand >> shift;
    const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
    const uint64_t middle = uint64_t{1} << (shift - 1);
    if (rest > middle || (rest == middle && (result & 1))) ++result;
    // The leading one of a normal number adds one to the exponent's field.
    if (exponent >= 1) result += static_cast<uint64_t>(exponent - 1) << fraction_bits;
    if (result >= infinity) result = infinity;
    return static_cast<uint16_t>(sign | result);
}

inline uint16_t half_of_double(double value) { return narrow(value, 10); }
inline uint16_t bfloat_of_double(double value) { return narrow(value, 7); }
// Exact on the way, so rounded once.
inline uint16_t half_of_float(float value) { return narrow(static_cast<double>(value), 10); }
inline uint16_t bfloat_of_float(float value) { return narrow(static_cast<double>(value), 7); }

}  // namespace gpucc_cpu

#endif
