// The host side that the sample programs share: arrays in managed memory, launch checks, the verdict.
//
// A program prints "PASS" and returns 0, or prints the first wrong element and returns 1; it
// returns 2 if CUDA itself fails (no GPU, a GPU of another architecture).

#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// End the program if a CUDA call failed.
inline void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

// Wait for everything launched so far, and end the program if any of it failed.
inline void finish(const char *kernel) {
    check(cudaGetLastError(), kernel);
    check(cudaDeviceSynchronize(), kernel);
}

// An array that both the host and kernels reach; freed when it goes out of scope.
template <typename T> class Array {
  public:
    explicit Array(std::size_t count) : count_(count) {
        check(cudaMallocManaged(reinterpret_cast<void **>(&data_), count * sizeof(T)), "allocation");
        for (std::size_t i = 0; i < count; ++i)
            data_[i] = T{};
    }
    ~Array() { cudaFree(data_); }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;

    T *data() { return data_; }
    std::size_t size() const { return count_; }
    T &operator[](std::size_t i) { return data_[i]; }
    operator T *() { return data_; } // so that it can be a kernel's argument as it is

  private:
    T *data_ = nullptr;
    std::size_t count_;
};

// Numbers in [0, 1) that are the same on every run.
class Random {
  public:
    float uniform() { return static_cast<float>(next() >> 8) * 0x1p-24f; }
    unsigned below(unsigned bound) { return next() % bound; }

  private:
    unsigned next() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<unsigned>(state_ >> 32);
    }
    unsigned long long state_ = 1;
};

// Counts wrong results; `verdict` prints what came of it and is main's return value.
class Checker {
  public:
    void equal(const char *what, std::size_t at, double got, double wanted, double tolerance = 0) {
        if (std::fabs(got - wanted) <= tolerance * (1 + std::fabs(wanted)))
            return;
        if (wrong_++ == 0)
            std::printf("%s[%zu] is %.9g, not %.9g\n", what, at, got, wanted);
    }
    int verdict() const {
        if (wrong_ == 0)
            std::printf("PASS\n");
        else
            std::printf("FAIL: %zu wrong\n", wrong_);
        return wrong_ != 0;
    }

  private:
    std::size_t wrong_ = 0;
};
