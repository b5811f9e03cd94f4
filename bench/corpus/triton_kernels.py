"""Kernels compiled by Triton for the corpus."""
# pyright: basic
# ruff: noqa: N803 - Triton's own naming: compile-time parameters in capitals

import warnings

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr) -> None:
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr) -> None:
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * columns + at, e / tl.sum(e, axis=0), mask=at < columns)


@triton.jit
def layer_norm(x, out, weight, bias, columns, BLOCK: tl.constexpr) -> None:
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0).to(tl.float32)
    mean = tl.sum(v, axis=0) / columns
    d = tl.where(at < columns, v - mean, 0)
    scale = tl.rsqrt(tl.sum(d * d, axis=0) / columns + 1e-5)
    w = tl.load(weight + at, mask=at < columns).to(tl.float32)
    b = tl.load(bias + at, mask=at < columns).to(tl.float32)
    tl.store(out + row * columns + at, d * scale * w + b, mask=at < columns)


@triton.jit
def matmul(a, b, out, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr) -> None:
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + m[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + n[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(tl.cdiv(K, BK)):
        left = tl.load(pa, mask=k[None, :] < K - step * BK, other=0.0)
        right = tl.load(pb, mask=k[:, None] < K - step * BK, other=0.0)
        total = tl.dot(left, right, total)
        pa += BK
        pb += BK * N
    tl.store(out + m[:, None] * N + n[None, :], total.to(tl.float16))


@triton.jit
def attention(q, k, v, out, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr) -> None:
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    query = tl.load(q + m[:, None] * D + d[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, length, BN):
        n = start + tl.arange(0, BN)
        keys = tl.load(k + n[None, :] * D + d[:, None])
        s = tl.dot(query, keys) * 0.125
        new = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp2(s - new[:, None])
        scale = tl.exp2(top - new)
        total = total * scale + tl.sum(p, axis=1)
        values = tl.load(v + n[:, None] * D + d[None, :])
        acc = acc * scale[:, None] + tl.dot(p.to(tl.float16), values)
        top = new
    tl.store(out + m[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def scatter_add(index, value, out, n, BLOCK: tl.constexpr) -> None:
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i = tl.load(index + at, mask=at < n, other=0)
    tl.atomic_add(out + i, tl.load(value + at, mask=at < n), mask=at < n)


@triton.jit
def sort_rows(x, out, BLOCK: tl.constexpr) -> None:
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def scan(x, out, BLOCK: tl.constexpr) -> None:
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=0))


@triton.jit
def matmul_persistent(a, b, out, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    columns = tl.cdiv(N, BN)
    for tile in range(tl.program_id(0), tl.cdiv(M, BM) * columns, tl.num_programs(0)):
        m = tile // columns * BM + tl.arange(0, BM)
        n = tile % columns * BN + tl.arange(0, BN)
        k = tl.arange(0, BK)
        total = tl.zeros((BM, BN), tl.float32)
        for start in range(0, K, BK):
            pa = a + m[:, None] * K + start + k[None, :]
            pb = b + (start + k)[:, None] * N + n[None, :]
            left = tl.load(pa, mask=m[:, None] < M, other=0.0)
            right = tl.load(pb, mask=n[None, :] < N, other=0.0)
            total = tl.dot(left, right, total)
        inside = (m[:, None] < M) & (n[None, :] < N)
        tl.store(out + m[:, None] * N + n[None, :], total.to(out.dtype.element_ty), mask=inside)


@triton.jit
def matmul_tma(a, b, out, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    result = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    columns = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * columns, tl.num_programs(0)):
        m = tile // columns * BM
        n = tile % columns * BN
        total = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            total = tl.dot(left.load([m, k]), right.load([n, k]).T, total)
        result.store([m, n], total.to(tl.float16))


@triton.jit
def argmax_rows(x, best, place, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr) -> None:
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    inside = at[None, :] < columns
    v = tl.load(x + row[:, None] * columns + at[None, :], mask=inside, other=-float("inf"))
    tl.store(best + row, tl.max(v, axis=1))
    tl.store(place + row, tl.argmax(v, axis=1))


@triton.jit
def dropout(x, out, n, seed, BLOCK: tl.constexpr) -> None:
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > 0.1
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n) / 0.9, 0.0), mask=at < n)


_HALF, _FLOAT, _EIGHT = "*fp16", "*fp32", "*fp8e4nv"
_SIZES = {"M": "i32", "N": "i32", "K": "i32"}
_HALVES = {"a": _HALF, "b": _HALF, "out": _HALF, **_SIZES}
KERNELS = {
    "add": (add, {"x": _FLOAT, "y": _FLOAT, "out": _FLOAT, "n": "i32"}, {"BLOCK": 1024}, 75),
    "softmax": (softmax, {"x": _HALF, "out": _HALF, "columns": "i32"}, {"BLOCK": 4096}, 75),
    "layer_norm": (
        layer_norm,
        {"x": _HALF, "out": _HALF, "weight": _HALF, "bias": _HALF, "columns": "i32"},
        {"BLOCK": 8192},
        75,
    ),
    "matmul_small": (matmul, _HALVES, {"BM": 64, "BN": 64, "BK": 32}, 75),
    "matmul_large": (matmul, _HALVES, {"BM": 128, "BN": 128, "BK": 64}, 75),
    "matmul_persistent": (matmul_persistent, _HALVES, {"BM": 128, "BN": 128, "BK": 64}, 80),
    "matmul_float": (
        matmul_persistent,
        {"a": _FLOAT, "b": _FLOAT, "out": _FLOAT, **_SIZES},
        {"BM": 64, "BN": 64, "BK": 32},
        80,
    ),
    "matmul_fp8": (
        matmul_persistent,
        {"a": _EIGHT, "b": _EIGHT, "out": _HALF, **_SIZES},
        {"BM": 128, "BN": 128, "BK": 64},
        90,
    ),
    "matmul_tma": (matmul_tma, _HALVES, {"BM": 128, "BN": 128, "BK": 64}, 90),
    "attention": (
        attention,
        {"q": _HALF, "k": _HALF, "v": _HALF, "out": _HALF, "length": "i32"},
        {"D": 64, "BM": 128, "BN": 64},
        75,
    ),
    "scatter_add": (
        scatter_add,
        {"index": "*i32", "value": _FLOAT, "out": _FLOAT, "n": "i32"},
        {"BLOCK": 1024},
        75,
    ),
    "argmax_rows": (
        argmax_rows,
        {"x": _FLOAT, "best": _FLOAT, "place": "*i32", "columns": "i32"},
        {"ROWS": 4, "BLOCK": 2048},
        75,
    ),
    "dropout": (
        dropout,
        {"x": _FLOAT, "out": _FLOAT, "n": "i32", "seed": "i32"},
        {"BLOCK": 1024},
        75,
    ),
    "sort_rows": (sort_rows, {"x": _FLOAT, "out": _FLOAT}, {"BLOCK": 1024}, 75),
    "scan": (scan, {"x": _FLOAT, "out": _FLOAT}, {"BLOCK": 4096}, 75),
}
"""By name: the kernel, its parameters' types, its constants, the oldest architecture it is for."""


def compile_kernel(name: str, arch: str, options: tuple[str, ...]) -> dict[str, str]:
    """Return what Triton made of one kernel, by kind: ``ptx``, ``llir``, …."""
    function, signature, constants, _ = KERNELS[name]
    whole = {**signature, **dict.fromkeys(constants, "constexpr")}
    target = GPUTarget("cuda", int(arch[3:].rstrip("af")), 32)
    chosen = {key: int(value) for key, _, value in (o.partition("=") for o in options)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = ASTSource(function, signature=whole, constexprs=constants)
        return triton.compile(source, target=target, options=chosen).asm
