"""The cubin reader against cuobjdump, and against damaged files."""

import random
import re
import subprocess

import pytest

from gpucc import toolchain
from gpucc.cubin import Param, is_cubin, is_fatbin, program_sections, read_cubin
from gpucc.errors import GpuccError

SOURCE = """
struct Pair { float a; double b; char c; };
__global__ void mixed(float* x, const int* y, char c, Pair s, long long n, unsigned short h) {
  x[threadIdx.x] = y[0] + c + s.b + n + h;
}
extern "C" __global__ void __launch_bounds__(128) shared(float* x, int n) {
  __shared__ float kept[777];
  extern __shared__ float more[];
  kept[threadIdx.x] = x[n];
  __syncthreads();
  x[threadIdx.x] = kept[127 - threadIdx.x] + more[3];
}
extern "C" __global__ void spills(float* x, int n) {
  float kept[64];
  for (int i = 0; i < 64; ++i) kept[i] = x[i * n];
  for (int i = 0; i < n; ++i) kept[i & 63] += kept[(i * 7) & 63];
  for (int i = 0; i < 64; ++i) x[i] = kept[i];
}
extern "C" __global__ void nothing() {}
"""

DIRECTIVES = """
.version 8.8
.target sm_100a
.address_size 64
.visible .entry large(.param .align 8 .b8 p[20000], .param .u64 q)
.reqntid 64, 2, 1 .reqnctapercluster 2, 1, 1 .maxnreg 40
{
  .shared .align 4 .b8 kept[48];
  .reg .b64 %rd<3>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p+19000];
  ld.param.u64 %rd2, [q];
  mov.u32 %r1, kept;
  st.shared.u32 [%r1], 7;
  bar.sync 3;
  ld.shared.u32 %r2, [%r1];
  st.global.u64 [%rd2], %rd1;
  st.global.u32 [%rd2], %r2;
  ret;
}
"""


def build(tmp_path, arch, *options):
    source, cubin = tmp_path / "kernels.cu", tmp_path / f"{arch}.cubin"
    source.write_text(SOURCE)
    nvcc = toolchain.require("nvcc")
    toolchain.run([nvcc, "-cubin", f"-arch={arch}", *options, source, "-o", cubin], what="nvcc")
    return cubin


def resource_usage(cubin):
    """Registers, stack and shared bytes by kernel, as cuobjdump prints them."""
    cuobjdump = toolchain.find("cuobjdump")
    if cuobjdump is None:
        pytest.skip("needs cuobjdump")
    shown = subprocess.run(
        [cuobjdump.path, "-res-usage", cubin], capture_output=True, text=True, check=True
    ).stdout
    rows = re.findall(r"Function (\S+):\s+REG:(\d+) STACK:(\d+) SHARED:(\d+)", shown)
    return {name: tuple(map(int, numbers)) for name, *numbers in rows}


@pytest.mark.parametrize("arch", ["sm_75", "sm_86", "sm_90a", "sm_100", "sm_120"])
def test_agrees_with_cuobjdump(tmp_path, arch):
    path = build(tmp_path, arch)
    cubin = read_cubin(path.read_bytes())
    expected = resource_usage(path)
    reserved = 1024 if int(re.sub(r"\D", "", arch)) >= 90 else 0
    assert cubin.arch == arch or cubin.arch == arch.rstrip("a")
    assert [k.name for k in cubin.kernels] == sorted(expected)
    for kernel in cubin.kernels:
        assert (kernel.registers, kernel.stack_bytes, kernel.shared_bytes + reserved) == (
            expected[kernel.name]
        )
    assert cubin.kernel("spills").stack_bytes == 256
    assert cubin.kernel("shared").shared_bytes == 3120  # 777 floats, rounded up to 16
    assert cubin.kernel("shared").max_threads == 128
    assert cubin.kernel("shared").barriers == 1
    assert cubin.kernel("nothing").params == ()
    assert cubin.kernel("nothing").max_threads is None


def test_parameter_layout_is_that_of_the_c_compiler(tmp_path):
    cubin = read_cubin(build(tmp_path, "sm_90").read_bytes())
    mixed = next(k for k in cubin.kernels if "mixed" in k.name)
    assert mixed.params == (
        Param(0, 0, 8),
        Param(1, 8, 8),
        Param(2, 16, 1),
        Param(3, 24, 24),
        Param(4, 48, 8),
        Param(5, 56, 2),
    )
    assert mixed.param_bytes == 58


def test_large_parameters_and_directives():
    cubin = read_cubin(toolchain.assemble(DIRECTIVES, "sm_100a"))
    kernel = cubin.kernel("large")
    assert kernel.params == (Param(0, 0, 20000), Param(1, 20000, 8))
    assert kernel.required_block == (64, 2, 1)
    assert kernel.required_cluster == (2, 1, 1)
    assert kernel.max_threads == 128
    assert kernel.barriers == 4
    assert kernel.shared_bytes == 48


def test_relocatable_is_told(tmp_path):
    assert read_cubin(build(tmp_path, "sm_90", "-rdc=true").read_bytes()).relocatable
    assert not read_cubin(build(tmp_path, "sm_90").read_bytes()).relocatable


def test_unknown_kernel_lists_those_that_are_there(tmp_path):
    cubin = read_cubin(build(tmp_path, "sm_80").read_bytes())
    with pytest.raises(GpuccError, match="no kernel 'absent'") as caught:
        cubin.kernel("absent")
    assert "nothing" in caught.value.hint


def test_other_files_are_refused():
    for data in (b"", b"\x7fELF", b"\x50\xed\x55\xba" + bytes(64), b".version 8.0\n"):
        assert not is_cubin(data)
        with pytest.raises(GpuccError, match="not a cubin"):
            read_cubin(data)
    assert is_fatbin(b"\x50\xed\x55\xba\x01")


def test_damaged_files_never_crash(tmp_path):
    """Cut at every eighth byte, or with random bytes changed: an error or a value."""
    whole = build(tmp_path, "sm_90").read_bytes()
    draw = random.Random(1)
    damaged = [whole[:cut] for cut in range(0, len(whole), 8)]
    for _ in range(1500):
        changed = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            changed[draw.randrange(16, len(changed))] = draw.choice([0, 255, draw.randrange(256)])
        damaged.append(bytes(changed))
    refused = 0
    for data in damaged:
        try:
            read_cubin(data)
        except GpuccError:
            refused += 1
    assert refused >= len(whole) // 8 - 8  # the section headers stand last: every cut is noticed


PROGRAM = """.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .entry k(.param .u64 out)
{
    .shared .align 4 .b8 tile[64];
    .reg .b64 %rd<4>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [out];
    mov.u64 %rd2, table;
    ld.global.u32 %r1, [%rd2+4];
    st.shared.u32 [tile], %r1;
    bar.sync 0;
    ld.shared.u32 %r2, [tile];
    st.global.u32 [%rd1], %r2;
    ret;
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%r2;", "%r1;"),
        ("tile[64]", "tile[128]"),
        ("{1, 2,", "{1, 5,"),
        (".param .u64 out)", ".param .u64 out, .param .u32 more)"),
        (".param .u64 out)", ".param .u64 out) .maxntid 128"),
    ],
)
def test_what_changes_a_program_changes_its_sections(old, new):
    """Code, sizes of memory, initial values, parameters, limits."""
    one, two = (
        program_sections(toolchain.assemble(text, "sm_80"))
        for text in (PROGRAM, PROGRAM.replace(old, new))
    )
    assert one != two


def test_how_the_text_is_laid_out_changes_no_section():
    spread = PROGRAM.replace(";", ";\n\n// a comment\n")
    one, two = (
        program_sections(toolchain.assemble(text, "sm_80", "-lineinfo"))
        for text in (PROGRAM, spread)
    )
    assert one == two
    with pytest.raises(GpuccError, match="not a cubin"):
        program_sections(b"nothing")
