"""The runtime on a GPU: every way in for arrays, every way to launch, and what the driver says.

One module of kernels is compiled once for all of it, which is why the file is over 500 lines; it
takes well under a minute.
"""

import ctypes
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import gpucc
from gpucc import toolchain
from gpucc.cubin import read_cubin
from gpucc.models.devices import BOARDS
from gpucc.runtime import (
    ArgumentError,
    DeviceArray,
    DriverError,
    LaunchError,
    NoGpuError,
    create_stream,
    device,
    elapsed_ms,
    record_event,
    synchronize,
    to_device,
)

pytestmark = pytest.mark.gpu

SOURCE = r"""
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Pair { float a; double b; char c; };
struct Large { int values[5000]; };

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
template <class T> __global__ void add(T* x, T b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + b;
}
template __global__ void add<float>(float*, float, int);
template __global__ void add<__half>(__half*, __half, int);
template __global__ void add<__nv_bfloat16>(__nv_bfloat16*, __nv_bfloat16, int);
template __global__ void add<unsigned char>(unsigned char*, unsigned char, int);
template __global__ void add<long long>(long long*, long long, int);

__global__ void by_value(Pair p, float4 v, bool flag, char c, double* out) {
  out[0] = p.a + p.b + p.c;
  out[1] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
  out[2] = flag;
  out[3] = c;
}
__global__ void large(Large l, int* out) { *out = l.values[4999]; }
__global__ void dynamic_shared(int* out, int bytes) {
  extern __shared__ int kept[];
  int last = bytes / 4 - 1;
  if (threadIdx.x == 0) kept[last] = 41;
  __syncthreads();
  if (threadIdx.x == 1) *out = kept[last] + 1;
}
__global__ void static_shared(float* x) {
  __shared__ float kept[777];
  kept[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
__global__ void grid_sum(int* partial, int* total) {
  if (threadIdx.x == 0) partial[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];
    *total = sum;
  }
}
__global__ void cluster_rank(unsigned* out) {
#if __CUDA_ARCH__ >= 900
  unsigned rank, size;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  out[blockIdx.x] = 10 * size + rank;
#endif
}
__global__ void count(int* runs) { atomicAdd(runs, 1); }
__global__ void spin(long long cycles, int* done) {
  long long start = clock64();
  while (clock64() - start < cycles) {}
  *done = 1;
}
__global__ void __launch_bounds__(64) bounded(int* x) { *x = blockDim.x; }
__global__ void copy(const float4* from, float4* to, size_t n) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void wild(int* x) { x[1ll << 40] = 1; }
"""


@pytest.fixture(scope="module")
def kernels():
    try:
        device.ensure_context()
    except NoGpuError as error:
        pytest.skip(error.message)
    return gpucc.load(SOURCE)


def attribute(name):
    key = getattr(device.driver().CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
    return device.call("cuDeviceGetAttribute", key, device.call("cuCtxGetDevice"))


def function_attribute(kernel, name):
    key = getattr(device.driver().CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}")
    return device.call("cuFuncGetAttribute", key, kernel.function().handle)


# --- what is known without the GPU, against what the driver says ----------------------------------


def test_cubin_reader_agrees_with_the_driver(kernels):
    for name in kernels.kernels:
        kernel = kernels[name]
        assert kernel.info.registers == function_attribute(kernel, "NUM_REGS"), name
        assert kernel.info.shared_bytes == function_attribute(kernel, "SHARED_SIZE_BYTES"), name
        driver = [
            device.call("cuKernelGetParamInfo", kernel._handle, index)
            for index in range(len(kernel.signature.params))
        ]
        assert [(p.offset, p.size) for p in kernel.signature.params] == driver, name
    assert kernels.bounded.info.max_threads == 64
    assert function_attribute(kernels.bounded, "MAX_THREADS_PER_BLOCK") == 64


def test_occupancy_agrees_with_the_driver(kernels):
    for kernel in (kernels.saxpy, kernels.static_shared, kernels.grid_sum, kernels.copy):
        for block in (32, 96, 256, 1000, 1024):
            for shared in (0, 1024, 20_000, 40_000):
                expected = device.call(
                    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                    kernel.function().handle,
                    block,
                    shared,
                )
                assert kernel.occupancy(block, shared).blocks == expected, (kernel, block, shared)


def test_table_agrees_with_the_driver(kernels):
    arch = device.current_architecture()
    if arch is None:
        pytest.skip(f"{device.current_arch()} is not in the table")
    assert arch.threads_per_sm == attribute("MAX_THREADS_PER_MULTIPROCESSOR")
    assert arch.blocks_per_sm == attribute("MAX_BLOCKS_PER_MULTIPROCESSOR")
    assert arch.registers_per_sm == attribute("MAX_REGISTERS_PER_MULTIPROCESSOR")
    assert arch.registers_per_block == attribute("MAX_REGISTERS_PER_BLOCK")
    assert arch.shared_per_sm == attribute("MAX_SHARED_MEMORY_PER_MULTIPROCESSOR")
    assert arch.shared_per_block == attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
    assert arch.reserved_shared_per_block == attribute("RESERVED_SHARED_MEMORY_PER_BLOCK")
    assert arch.clusters == bool(attribute("CLUSTER_LAUNCH"))


def test_board_agrees_with_the_driver(kernels):
    name = device.call("cuDeviceGetName", 128, device.call("cuCtxGetDevice"))
    name = name.partition(b"\0")[0].decode()
    if name not in BOARDS:
        pytest.skip(f"'{name}' is not in the table of boards")
    assert BOARDS[name].sms == attribute("MULTIPROCESSOR_COUNT")
    assert BOARDS[name].l2_bytes == attribute("L2_CACHE_SIZE")


# --- NumPy ----------------------------------------------------------------------------------------


def test_numpy_arrays_are_copied_there_and_back(kernels):
    x = np.random.default_rng(1).random(100_000, np.float32)
    y = np.ones(100_000, np.float32)
    before = x.copy()
    kernels.saxpy[(100_000 + 255) // 256, 256](100_000, 2.0, x, y)
    np.testing.assert_array_equal(y, np.float32(1) + np.float32(2) * x)
    np.testing.assert_array_equal(x, before)


def test_fortran_order_lies_as_it_lies(kernels):
    x = np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4))
    y = np.zeros((3, 4), np.float32, order="F")
    kernels.saxpy[1, 32](12, 1.0, x, y)
    np.testing.assert_array_equal(x, y)


def test_one_array_twice_is_one_array(kernels):
    x = np.arange(64, dtype=np.float32)
    kernels.saxpy[1, 64](64, 1.0, x, x)
    np.testing.assert_array_equal(x, 2 * np.arange(64))


def test_read_only_and_empty_arrays(kernels):
    x, y = np.ones(32, np.float32), np.zeros(32, np.float32)
    x.flags.writeable = False
    kernels.saxpy[1, 32](32, 3.0, x, y)
    assert (y == 3).all()
    kernels.saxpy[1, 32](0, 3.0, np.zeros(0, np.float32), None)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("add<float>", np.float32),
        ("add<__half>", np.float16),
        ("add<unsigned char>", np.uint8),
        ("add<long long>", np.int64),
    ],
)
def test_element_types(kernels, name, dtype):
    x = np.arange(64).astype(dtype)
    kernels[name][1, 64](x, 3, 64)
    np.testing.assert_array_equal(x, (np.arange(64) + 3).astype(dtype))
    wrong = np.zeros(64, np.float64)
    with pytest.raises(ArgumentError, match=r"parameter 1 \(.*\*\): takes an array of"):
        kernels[name][1, 64](wrong, 3, 64)


def test_bfloat16_bits_and_ml_dtypes(kernels):
    bits = np.full(32, 0x3FC0, np.uint16)  # 1.5
    kernels["add<__nv_bfloat16>"][1, 32](bits, 2.0, 32)
    assert (bits == 0x4060).all()  # 3.5
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.full(32, 1.5, ml_dtypes.bfloat16)
    kernels["add<__nv_bfloat16>"][1, 32](x, 2.0, 32)
    assert (x.astype(np.float32) == 3.5).all()


def test_values(kernels):
    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_double), ("c", ctypes.c_char)]

    out = np.zeros(4)
    four = np.array([1, 2, 3, 4], np.float32)
    kernels.by_value[1, 1](Pair(1.5, 2.25, bytes([7])), four, True, -5, out)
    assert out.tolist() == [10.75, 4321.0, 1.0, -5.0]
    record = np.zeros((), np.dtype([("a", "f4"), ("b", "f8"), ("c", "i1")], align=True))
    record["a"], record["b"], record["c"] = 1, 2, 3
    kernels.by_value[1, 1](record, four.tobytes(), np.bool_(0), np.int8(9), out)
    assert out.tolist() == [6.0, 4321.0, 0.0, 9.0]


def test_large_parameters(kernels):
    values, out = np.arange(5000, dtype=np.int32), np.zeros(1, np.int32)
    kernels.large[1, 1](values.tobytes(), out)
    assert out[0] == 4999


# --- arrays of others -----------------------------------------------------------------------------


def test_own_device_arrays(kernels):
    x = to_device(np.arange(256, dtype=np.float32))
    y = to_device(np.ones(256, np.float32))
    kernels.saxpy[1, 256](256, 2.0, x, y)
    np.testing.assert_array_equal(y.to_host(), 1 + 2 * np.arange(256))
    y.fill_from(np.zeros(256, np.float32))
    assert not y.to_host().any()
    assert DeviceArray((0, 3), np.int32).to_host().shape == (0, 3)


def test_cupy(kernels):
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(1000, dtype=cupy.float32)
    y = cupy.ones(1000, cupy.float32)
    kernels.saxpy[4, 256](1000, 2.0, x, y)
    np.testing.assert_array_equal(y.get(), 1 + 2 * np.arange(1000))
    with pytest.raises(ArgumentError, match="takes an array of float32, got ndarray float64"):
        kernels.saxpy[4, 256](1000, 2.0, x.astype(cupy.float64), y)
    own = to_device(np.arange(8, dtype=np.float32))
    assert cupy.asarray(own).get().tolist() == list(range(8))
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        z = cupy.zeros(1000, cupy.float32)
    kernels.saxpy[4, 256, stream](1000, 1.0, x, z)
    stream.synchronize()
    np.testing.assert_array_equal(z.get(), np.arange(1000))


def test_torch(kernels):
    torch = pytest.importorskip("torch")
    x = torch.arange(1000, dtype=torch.float32, device="cuda")
    y = torch.ones(1000, device="cuda", requires_grad=True)
    kernels.saxpy[4, 256](1000, 2.0, x, y)
    assert torch.equal(y.detach().cpu(), 1 + 2 * torch.arange(1000.0))
    b = torch.full((64,), 1.5, dtype=torch.bfloat16, device="cuda")
    kernels["add<__nv_bfloat16>"][1, 64](b, 2.0, 64)
    assert (b.float() == 3.5).all()
    for wrong, message in (
        (x.double(), r"takes an array of float32, got torch float64\[1000\]"),
        (x.cpu(), r"torch float32\[1000\] is in host memory"),
    ):
        with pytest.raises(ArgumentError, match=message):
            kernels.saxpy[4, 256](1000, 2.0, wrong, y)
    own = to_device(np.arange(8, dtype=np.float32))
    assert torch.as_tensor(own, device="cuda").tolist() == list(range(8))


def test_torch_work_on_another_stream_is_waited_for(kernels):
    torch = pytest.importorskip("torch")
    side, y = torch.cuda.Stream(), torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(200_000_000)  # some 100 ms
        x = torch.full((1,), 5.0, device="cuda")
        kernels.saxpy[1, 1](1, 1.0, x, y)  # on the default stream
    torch.cuda.synchronize()
    assert y.item() == 5.0


def test_dlpack_alone(kernels):
    torch = pytest.importorskip("torch")
    tensor = torch.arange(64, dtype=torch.float32, device="cuda")

    class Only:
        def __dlpack__(self, **options):
            return tensor.__dlpack__(**options)

        def __dlpack_device__(self):
            return tensor.__dlpack_device__()

    y = to_device(np.zeros(64, np.float32))
    kernels.saxpy[1, 64](64, 1.0, Only(), y)
    np.testing.assert_array_equal(y.to_host(), np.arange(64))


def test_cuda_core_buffers(kernels):
    here = device.current_device()
    buffer = here.allocate(256, stream=here.default_stream)
    y = to_device(np.zeros(64, np.float32))
    device.call("cuMemsetD32Async", int(buffer.handle), 0x40000000, 64, 1)  # 2.0
    kernels.saxpy[1, 64](64, 1.0, buffer, y)
    assert (y.to_host() == 2).all()


# --- launches -------------------------------------------------------------------------------------


def test_dynamic_shared_memory_beyond_48_kb(kernels):
    arch = device.current_architecture()
    most = arch.shared_per_block if arch else 64 * 1024
    out = np.zeros(1, np.int32)
    for size in (1024, 48 * 1024, most, 4096):
        out[0] = 0
        kernels.dynamic_shared[1, 32, None, size](out, size)
        assert out[0] == 42
    if arch:
        with pytest.raises(LaunchError, match="bytes of shared memory"):
            kernels.dynamic_shared[1, 32, None, most + 4]


def test_cooperative_launch(kernels):
    blocks = attribute("MULTIPROCESSOR_COUNT")
    partial, total = to_device(np.zeros(blocks, np.int32)), to_device(np.zeros(1, np.int32))
    kernels.grid_sum.configure(blocks, 64, cooperative=True)(partial, total)
    assert total.to_host()[0] == blocks * (blocks + 1) // 2
    with pytest.raises(DriverError, match="grid_sum<<<1000000, 64>>>") as caught:
        kernels.grid_sum.configure(1_000_000, 64, cooperative=True)(partial, total)
    assert caught.value.status == "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"


def test_clusters(kernels):
    if not attribute("CLUSTER_LAUNCH"):
        pytest.skip("this GPU has no clusters")
    out = np.zeros(8, np.uint32)
    kernels.cluster_rank.configure(8, 32, cluster=4)(out)
    assert out.tolist() == [40, 41, 42, 43] * 2
    with pytest.raises(LaunchError, match="not a multiple of the cluster's 4"):
        kernels.cluster_rank.configure(6, 32, cluster=4)


def test_launch_bounds_are_kept(kernels):
    x = np.zeros(1, np.int32)
    kernels.bounded[1, 64](x)
    assert x[0] == 64
    with pytest.raises(LaunchError, match="compiled for at most 64"):
        kernels.bounded[1, 65]


def test_calls_return_before_the_kernel_has_run(kernels):
    stream = create_stream()
    done = to_device(np.zeros(1, np.int32))
    start = record_event(stream)
    kernels.spin[1, 1, stream](100_000_000, done)
    end = record_event(stream)
    assert not end.is_done
    assert elapsed_ms(start, end) > 10
    assert done.to_host()[0] == 1


def test_timing_runs_as_often_as_it_says(kernels):
    runs = to_device(np.zeros(1, np.int32))
    timing = kernels.count[1, 1].time(runs, repeats=7, warmup=2)
    assert runs.to_host()[0] == 9
    assert len(timing.milliseconds) == 7
    on_host = np.zeros(1, np.int32)
    kernels.count[1, 1].time(on_host, repeats=3, warmup=0)
    assert on_host[0] == 3


def test_timing_is_plausible(kernels):
    """Half a gigabyte read and written: at least as long as any memory takes, and not 10x that."""
    count = 2**27
    x, y = DeviceArray((count,), np.float32), DeviceArray((count,), np.float32)
    timing = kernels.copy[count // 4 // 256, 256].time(x, y, count // 4, repeats=10)
    terabytes_per_second = 2 * 4 * count / (timing.median_ms * 1e-3) / 1e12
    assert 0.05 < terabytes_per_second < 12
    assert timing.best_ms <= timing.median_ms


def test_another_thread(kernels):
    results = []

    def work():
        x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
        kernels.saxpy[1, 32](32, 1.0, x, y)
        results.append(y)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    np.testing.assert_array_equal(results[0], np.arange(32))


def test_wrong_arguments_name_the_parameter(kernels):
    x = np.zeros(4, np.float32)
    with pytest.raises(ArgumentError, match="saxpy takes 4 arguments, 3 given"):
        kernels.saxpy[1, 32](4, 1.0, x)
    with pytest.raises(TypeError, match=r"parameter 1 \(int\): takes an integer, got a float"):
        kernels.saxpy[1, 32](4.0, 1.0, x, x)
    with pytest.raises(AttributeError, match="no kernel 'absent'"):
        kernels.absent  # noqa: B018
    with pytest.raises(gpucc.errors.GpuccError, match="5 kernels are called 'add'"):
        kernels["add"]


def test_too_much_memory_is_an_error_of_ours(kernels):
    with pytest.raises(DriverError, match="OUT_OF_MEMORY"):
        DeviceArray((2**45,), np.uint8)


# --- sources --------------------------------------------------------------------------------------

PTX = """
.version 7.0
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 x) {
  .reg .b64 %rd<3>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [x];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r1, [%rd2];
  add.u32 %r2, %r1, %r1;
  st.global.u32 [%rd2], %r2;
  ret;
}
"""

LLVM = """
declare float @__nv_cbrtf(float)
define ptx_kernel void @root(ptr %x) {
  %v = load float, ptr %x
  %s = call float @__nv_cbrtf(float %v)
  store float %s, ptr %x
  ret void
}
"""


def test_ptx_and_llvm_ir(kernels):
    x = np.array([21], np.int32)
    gpucc.load(PTX).twice[1, 1](x)
    assert x[0] == 42
    y = np.array([27], np.float32)
    gpucc.load(LLVM).root[1, 1](y)
    assert y[0] == pytest.approx(3)


def test_cubin_and_fatbin(kernels, tmp_path):
    x, y = np.ones(32, np.float32), np.zeros(32, np.float32)
    again = gpucc.load(kernels.image.binary)
    again.saxpy[1, 32](32, 2.0, x, y)
    assert (y == 2).all()
    source, fatbin = tmp_path / "k.cu", tmp_path / "k.fatbin"
    source.write_text(SOURCE)
    arch = device.current_arch().rstrip("a").replace("sm_", "")
    nvcc = toolchain.require("nvcc")
    toolchain.run(
        [nvcc, "-fatbin", f"-gencode=arch=compute_{arch},code=sm_{arch}", source, "-o", fatbin],
        what="nvcc",
    )
    packed = gpucc.load(fatbin)
    assert set(packed.kernels) == set(kernels.kernels)
    packed.saxpy[1, 32](32, 2.0, x, y)
    assert (y == 4).all()
    assert str(packed.saxpy.signature) == str(kernels.saxpy.signature)


def test_cubin_for_another_gpu(kernels):
    other = "sm_75" if device.current_arch() != "sm_75" else "sm_80"
    cubin = toolchain.assemble(PTX, other)
    assert read_cubin(cubin).arch == other
    with pytest.raises(DriverError) as caught:
        gpucc.load(cubin)
    assert f"it is for {other}" in caught.value.hint


# --- whole programs -------------------------------------------------------------------------------


def gpucc_command(*words):
    return subprocess.run(
        [sys.executable, "-c", "from gpucc.cli import main; main()", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )


def test_run_command(kernels, tmp_path):
    pytest.importorskip("click")
    source, saved = tmp_path / "k.cu", tmp_path / "y.npy"
    source.write_text(SOURCE)
    done = gpucc_command(
        "run", source, "--kernel", "saxpy", "--grid", 4, "--block", 256, "--arg", "i32=1000",
        "--arg", "f32=2", "--arg", "f32[1000]=arange", "--arg", "f32[1000]=ones",
        "--save", f"4={saved}",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("saxpy<<<4, 256>>>: median ")
    np.testing.assert_array_equal(np.load(saved), 1 + 2 * np.arange(1000))


def test_run_program(kernels, tmp_path):
    pytest.importorskip("click")
    source = tmp_path / "main.cu"
    source.write_text(
        """
        #include <cstdio>
        __global__ void three(int* x) { *x = 3; }
        int main(int argc, char** argv) {
          int *x, y = 0;
          cudaMalloc(&x, 4);
          three<<<1, 1>>>(x);
          cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost);
          std::printf("%s %d\\n", argv[1], y);
          return y;
        }
        """
    )
    done = gpucc_command("run", source, "--", "--hello")
    assert (done.returncode, done.stdout) == (3, "--hello 3\n"), done.stderr


def test_faults_of_kernels_are_told(kernels, tmp_path):
    """In a process of its own: the context does not survive it."""
    script = tmp_path / "fault.py"
    script.write_text(
        "import numpy as np, gpucc\n"
        "from gpucc.runtime import DriverError\n"
        f"module = gpucc.load({kernels.image.binary!r})\n"
        "try:\n"
        "    module.wild[1, 1](np.zeros(1, np.int32))\n"
        "except DriverError as error:\n"
        "    print(error.render())\n"
    )
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        env={**__import__("os").environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )
    assert "error: wild<<<1, 1>>>: " in done.stdout, done.stderr
    assert "CUDA_ERROR_ILLEGAL_ADDRESS" in done.stdout
    assert "compute-sanitizer" in done.stdout


def test_streams_can_be_waited_for(kernels):
    stream = create_stream()
    y = to_device(np.zeros(8, np.float32))
    x = to_device(np.arange(8, dtype=np.float32))
    kernels.saxpy[1, 8, stream](8, 1.0, x, y)
    synchronize(stream)
    assert y.to_host().tolist() == list(range(8))
