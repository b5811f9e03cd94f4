"""Sources to images that can be loaded, and launches that are refused before the GPU is asked."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from compiling import Marker

from gpucc.errors import GpuccError, SourceError
from gpucc.passmanager import LaunchEffects, Pipeline, Result
from gpucc.runtime.image import build, find_kernel, read_source
from gpucc.runtime.launch import Geometry, LaunchError, check, dimension

# --- launches -------------------------------------------------------------------------------------


def test_dimensions():
    assert dimension(4, "grid") == (4, 1, 1)
    assert dimension((np.int64(4), 2), "grid") == (4, 2, 1)
    for value, message in (
        (0, "grid 0 is empty"),
        ((4, 0), r"grid \(4, 0\) is empty"),
        (4.0, "grid is to be whole numbers, got a float"),
        ((1, 2, 3, 4), "grid has 4 dimensions"),
        ((), "grid has 0 dimensions"),
    ):
        with pytest.raises(LaunchError, match=message):
            dimension(value, "grid")


BOUNDED = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry bounded(.param .u64 x) .maxntid 128 { .shared .b8 kept[4096]; .reg .b32 %r<2>;
  mov.u32 %r1, kept; st.shared.u32 [%r1], 7; ret; }
.visible .entry clustered(.param .u64 x) .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry exact(.param .u64 x) .reqntid 32, 2, 1 { ret; }
"""


def test_launches_that_cannot_work():
    from gpucc.models.devices import architecture

    image = build(read_source(BOUNDED), "sm_90")
    bounded, exact = image.kernels["bounded"], image.kernels["exact"]
    arch = architecture("sm_90")

    def refused(kernel, grid, block, **more):
        geometry = Geometry(dimension(grid, "grid"), dimension(block, "block"), **more)
        with pytest.raises(LaunchError) as caught:
            check("k", geometry, kernel, arch)
        return caught.value.message

    check("k", Geometry((1, 1, 1), (128, 1, 1)), bounded, arch)
    check("k", Geometry((1, 1, 1), (32, 2, 1)), exact, arch)
    assert "compiled for at most 128" in refused(bounded, 1, 129)
    assert refused(bounded, 4, 2048).startswith("k<<<4, 2048>>>: block.x is 2048, at most 1024")
    assert "a block of 2048 threads" in refused(None, 1, (1024, 2))
    assert "grid.y is 65536" in refused(bounded, (1, 65536), 1)
    clustered = image.kernels["clustered"]
    assert "not a multiple of the cluster's 2" in refused(clustered, 3, 32)
    assert "requires clusters of 2 blocks" in refused(clustered, 4, 32, cluster=(4, 1, 1))
    assert "requires blocks of (32, 2)" in refused(exact, 1, 64)
    assert "232449 bytes of shared memory (4096 static)" in refused(
        bounded, 1, 32, shared_bytes=227 * 1024 - 4095
    )
    hungry = replace(bounded, registers=255, max_threads=None)
    assert "a block of 512 threads with 255 registers each does not fit" in refused(hungry, 1, 512)
    assert "not a multiple of the cluster's 2" in refused(bounded, 3, 32, cluster=(2, 1, 1))


def test_kernels_are_found_by_the_names_that_people_write():
    symbols = [
        "plain",
        "_ZN2ns5scaleIfEEvPT_S1_",
        "_ZN2ns5scaleIdEEvPT_S1_",
        "_ZN2ns3oneEPf",
    ]
    assert find_kernel(symbols, "plain", "x.cu") == "plain"
    assert find_kernel(symbols, "one", "x.cu") == symbols[3]
    assert find_kernel(symbols, "ns::one", "x.cu") == symbols[3]
    assert find_kernel(symbols, "ns::scale<double>", "x.cu") == symbols[2]
    assert find_kernel(symbols, "scale< float >", "x.cu") == symbols[1]
    with pytest.raises(GpuccError, match="2 kernels are called 'scale'") as caught:
        find_kernel(symbols, "scale", "x.cu")
    assert "ns::scale<float>" in caught.value.hint
    with pytest.raises(GpuccError, match="no kernel 'absent'"):
        find_kernel(symbols, "absent", "x.cu")


# --- images ---------------------------------------------------------------------------------------


def test_source_is_known_by_what_it_says(tmp_path):
    assert read_source("// saxpy\n.version 8.0\n").language == "ptx"
    assert read_source("define void @k() {\n}\n").language == "llvm"
    assert read_source("__global__ void k() {\n}\n").language == "cuda"
    assert read_source(b"\x50\xed\x55\xba").language == "fatbin"
    with pytest.raises(GpuccError, match="cannot read"):
        read_source(tmp_path / "absent.ptx")
    (tmp_path / "k.txt").write_text("x")
    with pytest.raises(GpuccError, match="not a kind of file that can be loaded"):
        read_source(tmp_path / "k.txt")


def test_access_modes_come_from_the_ptx():
    """Without a C++ name nothing says const, but the code shows what is written."""
    image = build(
        read_source(
            'extern "C" __global__ void k(const float* x, float* y, float* z, float** w) {\n'
            "  y[0] = x[0] + z[0];\n  w[0] = z;\n}\n"
        ),
        "sm_90",
    )
    assert [p.type.read_only for p in image.signatures["k"].params] == [True, False, False, False]


def test_cuda_source_gives_signatures_with_cpp_types():
    image = build(
        read_source(
            "struct P { int a; float b; };\n"
            "__global__ void k(float* x, const int* y, P p, unsigned n) { x[n] = y[0] + p.b; }\n"
        ),
        "sm_90a",
    )
    (found,) = image.signatures.values()
    assert str(found) == "k(float*, int const*, 8 bytes by value, unsigned int)"
    assert image.arch == "sm_90a"


def test_cubin_and_llvm_images():
    first = build(read_source(BOUNDED), "sm_90")
    again = build(read_source(first.binary), "sm_90")
    assert again.arch == "sm_90"
    assert set(again.signatures) == {"bounded", "clustered", "exact"}
    llvm = build(
        read_source("define ptx_kernel void @k(ptr %x, half %h) {\n  ret void\n}\n"), "sm_80"
    )
    assert [p.type.kind for p in llvm.signatures["k"].params] == ["pointer", "bytes"]


def test_what_cannot_be_built():
    cubin = build(read_source(BOUNDED), "sm_90").binary
    for source, options, message in (
        (BOUNDED, {"flags": ["-O3"]}, "flags are for CUDA"),
        (BOUNDED, {"passes": "nonsense"}, "unknown pass"),
        (BOUNDED.replace("mov.u32", "mov.u33"), {}, "ptxas failed"),
        (cubin[:2000], {}, "damaged or cut off"),
    ):
        with pytest.raises(GpuccError, match=message):
            build(read_source(source), "sm_90", **options)


def test_a_fault_of_given_ptx_is_no_fault_of_a_pass():
    with pytest.raises(SourceError, match="is not declared"):
        build(read_source(BOUNDED.replace("mov.u32 %r1", "mov.u32 %x")), "sm_90", "mpache")


def test_without_a_gpu_loading_says_so():
    from gpucc import toolchain
    from gpucc.runtime import NoGpuError, load

    if toolchain.gpu_arch() is not None:
        pytest.skip("there is a GPU here")
    with pytest.raises(NoGpuError, match=r"no GPU can be used here|not installed") as caught:
        load(BOUNDED)
    assert caught.value.hint


@dataclass(frozen=True)
class Widen(Marker):
    """Asks for shared memory and changes nothing."""

    name: ClassVar[str] = "widen"

    def run(self, module, ctx):
        return Result(module, (), LaunchEffects({"bounded": 1024}))


@pytest.mark.parametrize(
    "source",
    [BOUNDED, 'extern "C" __global__ void bounded(float* x) {\n  *x = 1;\n}\n'],
    ids=["ptx", "cuda"],
)
def test_shared_memory_that_passes_ask_for_is_added_up(source, monkeypatch):
    pipeline = Pipeline((Widen(), Widen()))
    monkeypatch.setattr("gpucc.runtime.image.parse_pipeline", lambda _text: pipeline)
    assert build(read_source(source), "sm_90").extra_shared == {"bounded": 2048}


def test_cuda_source_goes_through_the_passes():
    source = 'extern "C" __global__ void k(float* x, int n) {\n  x[threadIdx.x] += n;\n}\n'
    image = build(read_source(source), "sm_90", "mpache", ["-DUNUSED"])
    assert "ld.global.L1::no_allocate.f32" in image.ptx
