// black_scholes: prices of options, with exact mathematical functions in double precision.
//
// Shows: what log, exp, sqrt and erfc turn into (libdevice's polynomials, constants in memory,
// calls for the slow cases); five streams that are touched once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}price
// CHECK: ld.global.nc.f64
// CHECK: sqrt.rn.f64
// CHECK: fma.rn.f64
// CHECK: st.global.f64

#include "sample.h"

__host__ __device__ double below(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }

__host__ __device__ void price_one(double stock, double strike, double years, double *call,
                                   double *put) {
    const double rate = 0.02, volatility = 0.3;
    double root = sqrt(years);
    double d1 = (log(stock / strike) + (rate + 0.5 * volatility * volatility) * years) /
                (volatility * root);
    double d2 = d1 - volatility * root;
    double discounted = strike * exp(-rate * years);
    *call = stock * below(d1) - discounted * below(d2);
    *put = discounted * below(-d2) - stock * below(-d1);
}

__global__ void price(int n, const double *__restrict__ stock, const double *__restrict__ strike,
                      const double *__restrict__ years, double *__restrict__ call,
                      double *__restrict__ put) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        price_one(stock[i], strike[i], years[i], &call[i], &put[i]);
}

int main() {
    const int n = 30011;
    Array<double> stock(n), strike(n), years(n), call(n), put(n);
    Random random;
    for (int i = 0; i < n; ++i) {
        stock[i] = 5 + 25 * random.uniform();
        strike[i] = 1 + 99 * random.uniform();
        years[i] = 0.25 + 9.75 * random.uniform();
    }
    price<<<(n + 127) / 128, 128>>>(n, stock, strike, years, call, put);
    finish("price");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        double wanted_call, wanted_put;
        price_one(stock[i], strike[i], years[i], &wanted_call, &wanted_put);
        checker.equal("call", i, call[i], wanted_call, 1e-12);
        checker.equal("put", i, put[i], wanted_put, 1e-12);
    }
    return checker.verdict();
}
