// What the programs share: checks of calls, numbers that are the same on every run, the verdict.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudaError_t status_ = (call);                                                      \
        if (status_ != cudaSuccess) {                                                            \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));         \
            std::exit(2);                                                                        \
        }                                                                                        \
    } while (0)

struct Random {
    unsigned long long state = 42;
    unsigned next() {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<unsigned>(state >> 33);
    }
    float uniform() { return static_cast<float>(next() & 0xffffff) * 0x1p-24f; }
};

inline int wrong = 0;

inline void expect(const char *what, size_t at, double got, double wanted, double tolerance = 0) {
    if (std::fabs(got - wanted) <= tolerance * (1 + std::fabs(wanted))) return;
    if (wrong++ == 0) std::printf("%s[%zu] is %.9g, not %.9g\n", what, at, got, wanted);
}
inline void expect(const char *what, bool holds) {
    if (holds) return;
    if (wrong++ == 0) std::printf("not so: %s\n", what);
}
#define EXPECT(condition) expect(#condition, condition)

inline int verdict() {
    std::printf(wrong == 0 ? "PASS\n" : "FAIL: %d wrong\n", wrong);
    return wrong != 0;
}

// An array on the device.
template <typename T>
struct Device {
    T *data = nullptr;
    size_t count;
    explicit Device(size_t n) : count(n) { CHECK(cudaMalloc(&data, n * sizeof(T))); }
    explicit Device(const std::vector<T> &from) : Device(from.size()) {
        CHECK(cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Device() { cudaFree(data); }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    operator T *() const { return data; }
    std::vector<T> host() const {
        std::vector<T> copy(count);
        CHECK(cudaMemcpy(copy.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }
};
