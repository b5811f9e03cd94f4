"""The compile driver: what it makes of which files, and PTX and LLVM IR among them."""

import re
from pathlib import Path

import pytest
from compiling import (
    Marker,
    files,
    images,
)

from gpucc import toolchain
from gpucc.build import Settings
from gpucc.driver import Emit, compile_files
from gpucc.errors import GpuccError, SourceError
from gpucc.passmanager import Pipeline

MARK = Pipeline((Marker(),))
SM90 = "-arch=sm_90"

pytestmark = pytest.mark.usefixtures("scratch")


# --- what to make of which files ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "emit", "flags", "magic"),
    [
        ("k.cubin", None, [], b"\x7fELF"),
        ("k.fatbin", None, [], b"\x50\xed\x55\xba"),
        ("k.ptx", None, [], b"//\n// Gen"),
        ("k.o", None, [], b"\x7fELF"),
        ("odd.name", Emit.CUBIN, [], b"\x7fELF"),
        ("k.bin", None, ["-cubin"], b"\x7fELF"),
        ("libk.a", None, [], b"!<arch>\n"),
    ],
)
def test_the_suffix_says_what_is_made_unless_something_else_does(here, output, emit, flags, magic):
    (here / "k.cu").write_text("__global__ void k() {}\n")
    report = compile_files([Path("k.cu")], Path(output), emit=emit, flags=flags)
    assert (here / output).read_bytes().startswith(magic)
    assert report.outputs == (Path(output),)


def test_a_shared_object_needs_no_further_options(here):
    (here / "k.cu").write_text('__global__ void k() {}\nextern "C" int f() { return 7; }\n')
    compile_files([Path("k.cu")], Path("libk.so"))
    import ctypes

    assert ctypes.CDLL(str(here / "libk.so")).f() == 7


@pytest.mark.parametrize(
    ("inputs", "output", "options", "message"),
    [
        (["absent.cu"], None, {}, r"absent\.cu: no such file"),
        (["."], None, {}, "is a folder"),
        (["k.cu", "k.ptx"], None, {}, "cannot be compiled together"),
        (["k.cu"], None, {"archs": ["sm_90"], "flags": [SM90]}, "architecture is given twice"),
        (["k.cu"], "k.cubin", {"archs": ["sm_80", "sm_90"]}, "cubin is for one architecture"),
        (["k.cu"], "k.o", {"emit": Emit.PTX, "flags": ["-c"]}, "contradict"),
        (["k.cu"], "k.o", {"archs": ["hopper"]}, "unknown target 'hopper'"),
        (["k.ptx"], "k.o", {}, "gives a cubin, a fatbin or PTX"),
        (["k.ptx", "l.ptx"], "k.cubin", {}, "several inputs cannot have one output"),
        (["k.cu"], "k.cubin", {"flags": ["--nonsense"]}, "Unknown option '--nonsense'"),
    ],
)
def test_what_cannot_be_done_is_told(here, inputs, output, options, message):
    for name in ("k.cu", "k.ptx", "l.ptx"):
        (here / name).write_text("")
    with pytest.raises(GpuccError, match=message):
        compile_files([Path(i) for i in inputs], Path(output) if output else None, **options)
    assert files(here) == {"k.cu", "k.ptx", "l.ptx"}


def test_architectures_become_images_with_ptx_of_the_last(here):
    (here / "k.cu").write_text("__global__ void k() {}\n")
    compile_files([Path("k.cu")], Path("k.o"), archs=["sm_80", "sm_90a"])
    names = sorted(re.sub(".*?(sm_)", r"\1", name) for name in images(here / "k.o"))
    assert [name for name in names if "sm_" in name] == [
        "sm_80.cubin",
        "sm_90a.cubin",
        "sm_90a.ptx",
    ]


# --- PTX and LLVM IR ----------------------------------------------------------------------------

PTX = """.version 7.0
.target sm_80
.address_size 64

.visible .entry k(.param .u64 p)
{
    ret;
}
"""


def test_ptx_gives_the_cubin_that_ptxas_makes(here):
    (here / "k.ptx").write_text(PTX)
    compile_files([Path("k.ptx")], None)
    assert (here / "k.cubin").read_bytes() == toolchain.assemble(PTX, "sm_80", "-m64")


def test_passes_run_over_given_ptx_and_flags_reach_ptxas(here):
    (here / "k.ptx").write_text(PTX)
    said: list[str] = []
    report = compile_files(
        [Path("k.ptx")],
        Path("out.cubin"),
        pipeline=MARK,
        archs=["sm_90"],
        flags=["-Xptxas", "-v"],
        settings=Settings(err=said.append),
    )
    assert b"gpucc_marker_sm_90" in (here / "out.cubin").read_bytes()
    assert "Compiling entry function 'k' for 'sm_90'" in "".join(said)
    assert [remark.unit for remark in report.remarks] == ["k.ptx"]
    assert files(here) == {"k.ptx", "out.cubin"}


def test_ptx_to_ptx_without_passes_is_the_same_bytes(here):
    (here / "k.ptx").write_bytes(
        PTX.replace("\n", "\r\n").encode() + "// größer".encode() + b"\xff"
    )
    compile_files([Path("k.ptx")], Path("out.ptx"))
    assert (here / "out.ptx").read_bytes() == (here / "k.ptx").read_bytes()
    with pytest.raises(GpuccError, match="would replace its input"):
        compile_files([Path("k.ptx")], None, emit=Emit.PTX)


def test_bad_ptx_is_reported_where_it_is(here):
    (here / "k.ptx").write_text(PTX.replace("ret;", "ret }}}"))
    with pytest.raises(SourceError) as caught:
        compile_files([Path("k.ptx")], Path("k.cubin"), pipeline=MARK)
    assert caught.value.path == "k.ptx"
    assert caught.value.line == 7
    assert files(here) == {"k.ptx"}


@pytest.mark.parametrize("output", ["out.cubin", "out.ptx"])
def test_a_fault_of_given_ptx_is_no_fault_of_a_pass(here, output):
    (here / "k.ptx").write_text(PTX.replace("ret;", "mov.u32 %r99, 1;\nret;"))
    with pytest.raises(SourceError, match=r"'%r99' is not declared") as caught:
        compile_files([Path("k.ptx")], Path(output), pipeline=MARK)
    assert caught.value.render().startswith("k.ptx:")
    assert files(here) == {"k.ptx"}


def test_ptx_newer_than_the_toolkit_goes_to_the_newest_ptxas(here):
    kits = [kit for kit in toolchain.toolkits() if kit.find("nvcc")]
    by_version = sorted(kits, key=lambda kit: toolchain.ptx_version(kit.find("ptxas")))
    oldest, newest = by_version[0], by_version[-1]
    if oldest == newest:
        pytest.skip("there is only one CUDA toolkit on this machine")
    major, minor = toolchain.ptx_version(newest.find("ptxas"))
    (here / "k.ptx").write_text(PTX.replace("7.0", f"{major}.{minor}"))
    said: list[str] = []
    settings = Settings(toolkit=oldest.root, err=said.append)
    compile_files([Path("k.ptx")], Path("k.cubin"), settings=settings)
    assert (here / "k.cubin").exists()
    assert f"k.ptx is newer than {oldest.find('ptxas')}" in "".join(said)


def test_several_files_are_compiled_for_the_newest_of_their_targets(here):
    (here / "old.ptx").write_text(PTX)
    (here / "new.ptx").write_text(PTX.replace("7.0", "8.0").replace("sm_80", "sm_90"))
    report = compile_files([Path("old.ptx"), Path("new.ptx")], None)
    assert set(report.outputs) == {Path("old.cubin"), Path("new.cubin")}


LLVM = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  store i32 7, ptr addrspace(1) %p
  ret void
}
"""


def test_llvm_ir_gives_a_cubin_or_ptx(here):
    (here / "k.ll").write_text(LLVM)
    compile_files([Path("k.ll")], None, pipeline=MARK, archs=["sm_90"])
    assert b"gpucc_marker_sm_90" in (here / "k.cubin").read_bytes()
    compile_files([Path("k.ll")], Path("k.ptx"), archs=["sm_80"])
    assert ".target sm_80" in (here / "k.ptx").read_text()
