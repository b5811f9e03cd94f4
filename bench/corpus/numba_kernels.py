"""Kernels compiled by Numba for the corpus."""
# pyright: basic

import math

from numba import cuda, float32, float64, int32


def saxpy(a, x, y) -> None:
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


def grid_stride(x, y) -> None:
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = math.sqrt(x[i]) + math.sin(x[i])


def matmul(a, b, c) -> None:
    ta = cuda.shared.array((16, 16), float32)
    tb = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for tile in range(a.shape[1] // 16):
        ta[tx, ty] = a[x, ty + tile * 16]
        tb[tx, ty] = b[tx + tile * 16, y]
        cuda.syncthreads()
        for k in range(16):
            total += ta[tx, k] * tb[k, ty]
        cuda.syncthreads()
    c[x, y] = total


def stencil(x, y) -> None:
    i, j = cuda.grid(2)
    if 1 <= i < x.shape[0] - 1 and 1 <= j < x.shape[1] - 1:
        y[i, j] = (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]) / 4


def histogram(x, bins) -> None:
    local = cuda.shared.array(256, int32)
    local[cuda.threadIdx.x] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(local, x[i] & 255, 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, cuda.threadIdx.x, local[cuda.threadIdx.x])


def warp_sum(x, y) -> None:
    value = x[cuda.grid(1)]
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    if cuda.laneid == 0:
        cuda.atomic.max(y, 0, value)


def black_scholes(call, stock, strike, years) -> None:
    i = cuda.grid(1)
    if i < stock.size:
        root = math.sqrt(years[i])
        d1 = (math.log(stock[i] / strike[i]) + 0.07 * years[i]) / (0.3 * root)
        d2 = d1 - 0.3 * root
        call[i] = stock[i] * (0.5 + 0.5 * math.erf(d1 / math.sqrt(2.0))) - strike[i] * math.exp(
            -0.02 * years[i]
        ) * (0.5 + 0.5 * math.erf(d2 / math.sqrt(2.0)))


def special(x, y) -> None:
    i = cuda.grid(1)
    v = x[i]
    y[i] = math.tan(v) + math.gamma(v) + math.lgamma(v) + math.pow(v, 2.5) + math.atan2(v, 3.0)


def functions(x, y) -> None:
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        y[i] = (
            math.sinh(v) + math.cosh(v) * math.tanh(v) + math.asinh(v) + math.acosh(v)
            + math.atanh(v) + math.erf(v) * math.erfc(v) + math.expm1(v) + math.log1p(v)
            + math.log10(v) + math.log2(v) + math.gamma(v) + math.lgamma(v) + math.fmod(v, 3.0)
            + math.hypot(v, v) + math.copysign(v, -v) + math.asin(v) * math.acos(v)
            + math.atan2(v, 2.0) + math.pow(v, v) + math.ceil(v) + math.floor(v)
        )  # fmt: skip


def mandelbrot(image, limit) -> None:
    i, j = cuda.grid(2)
    c = complex(i / image.shape[0] - 0.5, j / image.shape[1] - 0.5)
    z = 0j
    for n in range(limit):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4:
            image[i, j] = n
            return
    image[i, j] = limit


KERNELS = {
    "saxpy": (saxpy, (float32, float32[::1], float32[::1])),
    "grid_stride": (grid_stride, (float64[:], float64[:])),
    "matmul": (matmul, (float32[:, ::1], float32[:, ::1], float32[:, ::1])),
    "stencil": (stencil, (float32[:, :], float32[:, :])),
    "histogram": (histogram, (int32[::1], int32[::1])),
    "warp_sum": (warp_sum, (float32[::1], float32[::1])),
    "black_scholes": (black_scholes, (float64[::1],) * 4),
    "special": (special, (float64[::1], float64[::1])),
    "functions": (functions, (float64[::1], float64[::1])),
    "mandelbrot": (mandelbrot, (int32[:, ::1], int32)),
}


def compile_kernel(name: str, arch: str, options: tuple[str, ...]) -> str:
    """Return the PTX of one kernel."""
    function, signature = KERNELS[name]
    number = int(arch[3:])
    text, _ = cuda.compile_ptx(
        function,
        signature,
        cc=(number // 10, number % 10),
        debug="debug" in options,
        opt="debug" not in options,
        lineinfo="lineinfo" in options,
    )
    return text.decode() if isinstance(text, bytes) else text
