"""LLVM IR to PTX: real input from clang and Numba, the PTX assembled, and everything refused."""

import contextlib
import json
import re
import subprocess
import sys

import llvmlite.binding as llvm
import pytest

from gpucc import toolchain
from gpucc.errors import GpuccError, MissingToolError, SourceError, ToolError
from gpucc.frontend.llvm import bytes_to_ptx, text_to_ptx, to_ptx
from gpucc.passmanager import Target

SCALE = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @scale(ptr addrspace(1) %x, float %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %x, i32 %t
  %v = load float, ptr addrspace(1) %p
  %s = fmul float %v, %a
  store float %s, ptr addrspace(1) %p
  ret void
}
"""

LIBDEVICE = """
declare float @__nv_sinf(float)
define ptx_kernel void @k(ptr addrspace(1) %x) {
  %v = load float, ptr addrspace(1) %x
  %s = call float @__nv_sinf(float %v)
  store float %s, ptr addrspace(1) %x
  ret void
}
"""

# What clang 22 makes of a kernel with -g -O1 (--target=nvptx64-nvidia-cuda), shortened.
WITH_DEBUG_INFO = """
source_filename = "add.cpp"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define dso_local ptx_kernel void @k(ptr noundef captures(none) %0, i32 noundef %1) !dbg !11 {
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !14
  %4 = icmp slt i32 %3, %1, !dbg !14
  br i1 %4, label %5, label %7, !dbg !15
5:
  %6 = getelementptr inbounds i32, ptr %0, i32 %3, !dbg !15
  store i32 7, ptr %6, align 4, !dbg !15
  br label %7, !dbg !15
7:
  ret void, !dbg !15
}
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "add.cpp", directory: "/src")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!11 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !12, scopeLine: 3, unit: !0)
!12 = !DISubroutineType(types: !13)
!13 = !{null}
!14 = !DILocation(line: 4, column: 11, scope: !11)
!15 = !DILocation(line: 5, column: 3, scope: !11)
"""  # noqa: E501 - LLVM's own line breaks

TYPED_POINTERS = """
target triple = "nvptx64-nvidia-cuda"
define void @k(float addrspace(1)* %x) {
  %v = load float, float addrspace(1)* %x
  %s = fadd float %v, %v
  store float %s, float addrspace(1)* %x
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (float addrspace(1)*)* @k, !"kernel", i32 1}
"""

CLUSTER = """
declare void @llvm.nvvm.barrier.cluster.arrive()
define ptx_kernel void @k(ptr %x) {
  call void @llvm.nvvm.barrier.cluster.arrive()
  ret void
}
"""


def header(ptx):
    version = re.search(r"^\.version (\S+)", ptx, re.M)
    target = re.search(r"^\.target ([\w]+)", ptx, re.M)
    return version[1], target[1]


@pytest.mark.parametrize(
    ("arch", "version"),
    [("sm_75", "6.3"), ("sm_90", "7.8"), ("sm_90a", "8.0"), ("sm_100a", "8.6"), ("sm_121f", "8.8")],
)
def test_targets_get_their_first_ptx_version_and_assemble(tmp_path, arch, version):
    source = tmp_path / "scale.ll"
    source.write_text(SCALE)
    ptx = to_ptx(source, Target(arch))
    assert header(ptx) == (version, arch)
    assert ".visible .entry scale(" in ptx
    assert toolchain.assemble(ptx, arch)[:4] == b"\x7fELF"


def test_virtual_architecture_is_taken():
    assert header(text_to_ptx(SCALE, Target("compute_86"))) == ("7.1", "sm_86")


def test_bitcode_gives_the_same_ptx(tmp_path):
    source = tmp_path / "scale.bc"
    source.write_bytes(llvm.parse_assembly(SCALE).as_bitcode())
    assert to_ptx(source, Target("sm_80")) == text_to_ptx(SCALE, Target("sm_80"))


def test_contents_count_not_the_suffix(tmp_path):
    source = tmp_path / "scale.ll"
    source.write_bytes(llvm.parse_assembly(SCALE).as_bitcode())
    assert ".entry scale(" in to_ptx(source, Target("sm_80"))


@pytest.mark.parametrize("level", [0, 2])
def test_libdevice_is_linked_and_the_rest_of_it_dropped(level):
    ptx = text_to_ptx(LIBDEVICE, Target("sm_80"), level=level)
    assert ".extern" not in ptx
    assert "__nvvm_reflect" not in ptx
    assert ptx.count(".func") <= 8, "libdevice has hundreds of functions"
    assert toolchain.assemble(ptx, "sm_80")


def test_own_function_named_like_one_of_libdevice_is_kept():
    ptx = text_to_ptx(
        LIBDEVICE.replace(
            "declare float @__nv_sinf(float)", "declare float @__nv_cosf(float)"
        ).replace("@__nv_sinf", "@__nv_cosf")
        + "define float @__nv_sqrtf(float %x) { ret float 42.0 }",
        Target("sm_80"),
    )
    assert re.search(r"\.visible \.func .*__nv_sqrtf", ptx)
    assert "0f42280000" in ptx or "1109917696" in ptx  # 42.0


def test_missing_libdevice_names_the_package(monkeypatch):
    monkeypatch.setattr(toolchain, "find", lambda *_: None)
    with pytest.raises(MissingToolError, match="libdevice"):
        text_to_ptx(LIBDEVICE, Target("sm_80"))
    assert ".entry scale(" in text_to_ptx(SCALE, Target("sm_80"))  # it needs none


def test_optimisation_level_matters():
    loop = """
    define ptx_kernel void @k(ptr %x) {
    entry:
      br label %body
    body:
      %i = phi i32 [ 0, %entry ], [ %n, %body ]
      %s = phi i32 [ 0, %entry ], [ %t, %body ]
      %t = add i32 %s, %i
      %n = add i32 %i, 1
      %c = icmp ult i32 %n, 10
      br i1 %c, label %body, label %done
    done:
      store i32 %t, ptr %x
      ret void
    }
    """
    assert "bra" in text_to_ptx(loop, Target("sm_80"), level=0)
    assert "bra" not in text_to_ptx(loop, Target("sm_80"), level=2)


def test_typed_pointers_and_annotations_of_older_llvm():
    ptx = text_to_ptx(TYPED_POINTERS, Target("sm_80"))
    assert ".visible .entry k(" in ptx
    assert toolchain.assemble(ptx, "sm_80")


def test_annotations_carry_launch_bounds():
    source = """
    target triple = "nvptx64-nvidia-cuda"
    define void @k(ptr %x) { ret void }
    !nvvm.annotations = !{!0, !1}
    !0 = !{ptr @k, !"kernel", i32 1}
    !1 = !{ptr @k, !"maxntidx", i32 128}
    """
    assert ".maxntid 128" in text_to_ptx(source, Target("sm_80"))


def test_debug_info_comes_through():
    ptx = text_to_ptx(WITH_DEBUG_INFO, Target("sm_90"))
    assert re.search(r"\.loc\s+1 5 3", ptx)
    assert ".section\t.debug_info" in ptx
    assert toolchain.assemble(ptx, "sm_90")


def test_what_numba_makes():
    compiler = pytest.importorskip("numba.cuda.compiler", reason="needs numba-cuda")
    from numba import cuda, float32, int32, void

    def kernel(x, n):
        i = cuda.grid(1)
        kept = cuda.shared.array(64, float32)
        if i < n:
            kept[cuda.threadIdx.x] = x[i] / 3
            cuda.syncthreads()
            x[i] = kept[63 - cuda.threadIdx.x]

    compiled = compiler.compile_cuda(kernel, void, (float32[:], int32), cc=(9, 0))
    ptx = text_to_ptx(compiled.library.get_llvm_str(), Target("sm_90"))
    assert "bar.sync" in ptx
    assert "_cudapy_smem" in ptx
    assert toolchain.assemble(ptx, "sm_90")


def test_newer_ptx_only_where_it_is_needed():
    """elect.sync came with PTX 8.0; sm_90's first version is 7.8."""
    elect = """
    declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
    define ptx_kernel void @k(ptr %x) {
      %e = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
      %l = extractvalue { i32, i1 } %e, 0
      store i32 %l, ptr %x
      ret void
    }
    """
    ptx = text_to_ptx(elect, Target("sm_90"))
    assert "elect.sync" in ptx
    assert header(ptx) == ("9.0", "sm_90")
    assert header(text_to_ptx(SCALE, Target("sm_90"))) == ("7.8", "sm_90")


# --- what is refused ------------------------------------------------------------------------------


def refused(text, arch="sm_80"):
    with pytest.raises(SourceError) as caught:
        text_to_ptx(text, Target(arch), name="bad.ll")
    return caught.value


def test_syntax_error_has_llvms_line_and_column():
    error = refused("define void @k(ptr %x) {\n  store flot 1.0, ptr %x\n  ret void\n}\n")
    assert (error.line, error.column) == (2, 9)
    assert error.render().splitlines() == [
        "bad.ll:2:9: error: expected type",
        "    store flot 1.0, ptr %x",
        "          ^",
    ]


def test_columns_count_characters():
    error = refused('define void @k() {\n  call void @"ﬀ𝛼"() ret flot\n}\n')
    assert error.source_line[error.column - 1 :].startswith("flot")


def test_verifier_error_points_at_the_instruction():
    error = refused(
        "define void @k() {\n  br label %a\na:\n"
        "  %z = phi   i32 [ %q, %a ] ; one entry short\n"
        "  %q = add i32 %z, 1\n  br i1 true, label %a, label %b\nb:\n  ret void\n}\n"
    )
    assert (error.line, error.column) == (4, 3)
    assert "PHI" in error.message


def test_missing_instruction_does_not_end_the_process():
    """LLVM calls abort() here; ours must not."""
    error = refused(CLUSTER, "sm_80")
    assert (error.line, error.column) == (4, 13)
    assert error.message == "sm_80 has no instruction for llvm.nvvm.barrier.cluster.arrive"
    assert "--arch" in error.hint
    assert "barrier.cluster.arrive" in text_to_ptx(CLUSTER, Target("sm_90"))


def test_missing_instruction_in_bitcode_names_the_file(tmp_path):
    source = tmp_path / "cluster.bc"
    source.write_bytes(llvm.parse_assembly(CLUSTER).as_bitcode())
    with pytest.raises(GpuccError, match=r"cluster\.bc: sm_80 has no instruction"):
        to_ptx(source, Target("sm_80"))


def test_llvm_gives_up_without_naming_a_place():
    source = """
    define ptx_kernel void @k(ptr %x, fp128 %y) {
      %z = fadd fp128 %y, %y
      store fp128 %z, ptr %x
      ret void
    }
    """
    with pytest.raises(GpuccError, match="unsupported library call") as caught:
        text_to_ptx(source, Target("sm_80"))
    assert not isinstance(caught.value, ToolError)


def test_unknown_intrinsic():
    error = refused(
        "declare i32 @llvm.nvvm.wibble(i32)\ndefine ptx_kernel void @k(ptr %x) {\n"
        "  %a = call i32 @llvm.nvvm.wibble(i32 3)\n  store i32 %a, ptr %x\n  ret void\n}\n"
    )
    assert (error.line, error.column) == (3, 17)
    assert "knows no intrinsic llvm.nvvm.wibble" in error.message


def test_host_module():
    error = refused(
        'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n'
    )
    assert error.line == 1
    assert "x86_64-unknown-linux-gnu" in error.message


def test_32_bit_module():
    error = refused(
        'target datalayout = "e-p:32:32-i64:64-n16:32:64"\ndefine void @k() {\n  ret void\n}\n'
    )
    assert error.line == 1
    assert "64-bit" in error.message
    assert "nvptx-nvidia-cuda" in refused('target triple = "nvptx-nvidia-cuda"\n').message


def test_kernel_that_returns_something():
    error = refused(
        "define i32 @f() {\n  ret i32 1\n}\ndefine ptx_kernel i32 @k() {\n  ret i32 7\n}\n"
    )
    assert (error.line, error.message) == (4, "kernel k does not return void")


def test_ir_from_before_2015():
    error = refused("define void @k(i32* %x) {\n  %v = load i32* %x\n  ret void\n}\n")
    assert (error.line, error.column) == (2, 18)


def test_nul_byte_is_not_the_end():
    error = refused(SCALE + "\0define void @lost() {\n  ret void\n}\n")
    assert "NUL" in error.message


def test_neither_text_nor_bitcode():
    with pytest.raises(SourceError, match="neither bitcode nor UTF-8"):
        bytes_to_ptx(b"; comment\n\xff\xfe", Target("sm_80"))


def flip(data, *bits):
    changed = bytearray(data)
    for bit in bits:
        changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_bitcode_of_a_newer_llvm():
    """Two ways to be newer: another epoch; or a producer's name beside something unknown."""
    ours = llvm.parse_assembly("define void @k() {\n ret void\n}").as_bitcode()
    epoch, producer, record = 227, 164, 329  # bits: epoch 1, LLVM23, a module version unheard of
    for newer in (flip(ours, epoch), flip(ours, producer, record)):
        with pytest.raises(GpuccError, match="bitcode of a newer LLVM") as caught:
            bytes_to_ptx(newer, Target("sm_80"))
        assert "up to 22" in caught.value.hint
    with pytest.raises(GpuccError, match="not readable"):
        bytes_to_ptx(flip(ours, record), Target("sm_80"))


def test_damaged_bitcode():
    whole = llvm.parse_assembly(SCALE).as_bitcode()
    for cut_off in (whole[:-64], whole[:40], b"BC\xc0\xde"):
        with pytest.raises(GpuccError):
            bytes_to_ptx(cut_off, Target("sm_80"))
    for bit in (250, 700, 1100, 1500, 3000):
        with contextlib.suppress(GpuccError):  # or else it still says something
            assert ".version" in bytes_to_ptx(flip(whole, bit), Target("sm_80"))


def test_crash_is_shown_with_a_command_that_repeats_it():
    """llvmlite's LLVM checks itself with assertions; some damage makes one fail.

    Which bit it takes depends on what the process has used LLVM for before, hence one of its own.
    """
    done = subprocess.run([sys.executable, "-c", CRASH], stdout=subprocess.PIPE, check=True)
    crash = json.loads(done.stdout)
    assert crash["message"].startswith("LLVM crashed (SIG")
    assert "broken.bc" in crash["message"]
    assert "Assertion" in crash["output"]
    again = subprocess.run(crash["command"], capture_output=True, check=False)
    assert again.returncode == crash["status"]


CRASH = """
import json
import llvmlite.binding as llvm
from gpucc.errors import GpuccError, ToolError
from gpucc.frontend.llvm import bytes_to_ptx
from gpucc.passmanager import Target

ours = llvm.parse_assembly("define void @k() {\\n ret void\\n}").as_bitcode()
for bit in range(34, 400):
    damaged = bytearray(ours)
    damaged[bit // 8] ^= 1 << bit % 8
    try:
        bytes_to_ptx(bytes(damaged), Target("sm_80"), name="broken.bc")
    except ToolError as crash:
        if "Assertion" in crash.output:
            kept = ("message", "output", "status")
            said = {name: getattr(crash, name) for name in kept}
            print(json.dumps(said | {"command": list(map(str, crash.command))}))
            break
    except GpuccError:
        pass
"""


def test_missing_file_and_unknown_target(tmp_path):
    with pytest.raises(GpuccError, match="cannot read"):
        to_ptx(tmp_path / "absent.ll", Target("sm_80"))
    for arch in ("sm_42", "gfx90a", "sm_80a"):
        with pytest.raises(GpuccError, match="unknown architecture"):
            text_to_ptx(SCALE, Target(arch))
