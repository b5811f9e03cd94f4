"""Reuse classes of real kernels, as nvcc compiles them."""

import subprocess
from pathlib import Path

import pytest

from gpucc.analysis.reuse import MemoryRole, Reuse, memory_roles
from gpucc.frontend.parser import parse
from gpucc.ptx.module import Instruction, Module
from gpucc.toolchain import require

SOURCE = r"""
#define N gridDim.x * blockDim.x
extern "C" {
__global__ void axpy(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += 2 * x[i]; }
__global__ void vectors(const float4 *x, float4 *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = x[i]; }
__global__ void grid_stride(const float *x, float *y, int n) {
    #pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += N) y[i] = x[i]; }
__global__ void unrolled(const float *x, float *y, int n) {
    #pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * N)
        y[i] = x[i] + x[i + N] + x[i + 2 * N] + x[i + 3 * N]; }
__global__ void rolled(const float *__restrict__ x, float *__restrict__ y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += N) y[i] = 2 * x[i]; }
__global__ void two_passes(const float *x, float *y, int n) { float s = 0;
    #pragma unroll 1
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[blockIdx.x * n + i];
    #pragma unroll 1
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = s * x[blockIdx.x * n + i]; }
__global__ void tiles(const float *x, float *y) {
    int i = blockIdx.x * 1024 + threadIdx.x; y[i] = x[i]; }
__global__ void rows(const float *x, float *y, int columns) { float s = 0;
    #pragma unroll 1
    for (int c = threadIdx.x; c < columns; c += blockDim.x) s += x[blockIdx.x * columns + c];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s; }
__global__ void copy2d(const float *x, float *y, int pitch) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    y[r * pitch + c] = x[r * pitch + c]; }
__global__ void uniform(const float *x, float *y) {
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.x]; }
__global__ void per_column(const float *x, float *y) {
    y[(blockIdx.x * blockDim.x + threadIdx.x) * blockDim.y + threadIdx.y] = x[threadIdx.x]; }
__global__ void same_for_blocks(const float *x, float *y) {
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x]; }
__global__ void repeated(const float *x, volatile float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (int k = 0; k < n; ++k) { y[k] = 1; y[i] = x[i]; } }
__global__ void stencil(const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = x[i] + x[i + 1] + x[i + 256]; }
__global__ void per_thread_run(const float *x, float *y) { float s = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (int k = 0; k < 64; ++k) s += x[i * 64 + k];
    y[i] = s; }
__global__ void sliding(const float *x, float *y, int n) { float s = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (int k = 0; k < n; ++k) s += x[i + k];
    y[i] = s; }
__global__ void strided(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = x[i * n]; }
__global__ void gather(const int *index, const float *table, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = table[index[i]]; }
__global__ void twice(const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; float a = x[i]; y[i] = a; __syncthreads();
    y[i] = x[i] + a; }
__global__ void misaligned(const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = x[i + 3]; }
__global__ void shifted_write(float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; x[i + 512] = x[i]; }
__global__ void histogram(const int *x, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(bins + x[i], 1); }
}
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    folder = tmp_path_factory.mktemp("reuse")
    source, output = folder / "kernels.cu", folder / "kernels.ptx"
    source.write_text(SOURCE)
    command: list[str | Path] = [require("nvcc"), "-arch=sm_80", "-ptx", source, "-o", output]
    subprocess.run(command, check=True)
    return parse(output.read_text())


def loads(module: Module, name: str) -> list[MemoryRole]:
    (kernel,) = (k for k in module.kernels if k.name == name)
    return [role for role in memory_roles(kernel, module) if role.kind == "load"]


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("axpy", [Reuse.STREAMED, Reuse.STREAMED]),
        ("vectors", [Reuse.STREAMED]),
        ("grid_stride", [Reuse.STREAMED]),
        ("unrolled", [Reuse.STREAMED] * 4),
        ("rolled", [Reuse.STREAMED]),
        ("two_passes", [Reuse.BLOCK] * 2),
        ("tiles", [Reuse.STREAMED]),
        ("rows", [Reuse.STREAMED]),
        ("copy2d", [Reuse.STREAMED]),
        ("uniform", [Reuse.WARP]),
        ("per_column", [Reuse.GRID]),
        ("same_for_blocks", [Reuse.GRID]),
        ("repeated", [Reuse.BLOCK]),
        ("stencil", [Reuse.BLOCK] * 3),
        ("per_thread_run", [Reuse.UNKNOWN]),
        ("sliding", [Reuse.BLOCK]),
        ("strided", [Reuse.UNKNOWN]),
        ("gather", [Reuse.STREAMED, Reuse.UNKNOWN]),
        ("twice", [Reuse.BLOCK, Reuse.BLOCK]),
        ("misaligned", [Reuse.BLOCK]),
        ("shifted_write", [Reuse.BLOCK]),
        ("histogram", [Reuse.STREAMED]),
    ],
)
def test_loads(module: Module, kernel: str, expected: list[Reuse]) -> None:
    roles = loads(module, kernel)
    assert [role.reuse for role in roles] == expected, [f"{r.address}: {r.why}" for r in roles]


def test_reason_names_what_is_indirect(module: Module) -> None:
    _, table = loads(module, "gather")
    assert table.address.loads
    assert "load" in table.why


def test_partner_is_the_other_access(module: Module) -> None:
    (load,) = loads(module, "shifted_write")
    kernel = next(k for k in module.kernels if k.name == "shifted_write")
    partner = kernel.statements[load.partner]
    assert isinstance(partner, Instruction)
    assert partner.opcode.startswith("st.global")


def test_reductions_and_atomics_are_classified(module: Module) -> None:
    kernel = next(k for k in module.kernels if k.name == "histogram")
    kinds = {role.kind for role in memory_roles(kernel, module)}
    assert kinds & {"reduction", "atomic"}


def test_unrolled_grid_stride_loop_goes_on_where_its_remainder_ended() -> None:
    sample = Path(__file__).parents[2] / "ptx_samples" / "grid_stride.ptx"
    module = parse(sample.read_text())
    roles = loads(module, module.kernels[0].name)
    assert [role.reuse for role in roles] == [Reuse.STREAMED] * 5, [role.why for role in roles]
