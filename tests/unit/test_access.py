"""Access modes: of real kernels against what their source says, and against LLVM's own analysis."""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

import pytest
from access_modes import expected, modes, shown

from gpucc import toolchain
from gpucc.analysis.access import Access, KernelAccess, kernel_accesses
from gpucc.frontend.parser import parse

INPUTS = Path(__file__).parent / "analysis_inputs"
SAMPLES = Path(__file__).parents[2] / "ptx_samples"


# --- what a source file expects of its kernels ----------------------------------------------------


class Expected:
    """One ``// expect`` comment: by parameter name (and byte), and for other memory."""

    def __init__(self, name: str, parameters: list[str], text: str):
        self.name = name
        self.parameters = parameters
        self.by_word: dict[str, Access] = {}
        for item in text.split():
            what, _, mode = item.partition("=")
            self.by_word[what] = modes(mode)

    def other(self) -> tuple[bool, bool]:
        mode = self.by_word.get("other", Access.NONE)
        return Access.READ in mode, Access.WRITE in mode

    def check(self, found: KernelAccess) -> None:
        shown: dict[str, Access] = {}
        for parameter, access in zip(self.parameters, found.params, strict=True):
            if access.fields:
                union = Access.NONE
                for offset, mode in access.fields:
                    shown[f"{parameter}+{offset}"] = mode
                    union |= mode
                assert union == access.access
            elif access.access:
                shown[parameter] = access.access
        if found.other_read or found.other_write:
            shown["other"] = (Access.READ if found.other_read else Access.NONE) | (
                Access.WRITE if found.other_write else Access.NONE
            )
        assert shown == self.by_word


_COMMENT = re.compile(r"// expect ?(?P<name>[\w<>]*): (?P<text>.*)\n(?:// debug: (?P<debug>.*)\n)?")


def expectations(source: str, *, debug: bool) -> dict[str, Expected]:
    found: dict[str, Expected] = {}
    for comment in _COMMENT.finditer(source):
        name = comment["name"]
        kernel = name.partition("<")[0] or re.search(
            r"__global__ void (\w+)\(", source[comment.end() :]
        ).group(1)  # type: ignore[union-attr]
        head = re.search(rf"__global__ void {kernel}\(([^)]*)\)", source)
        assert head
        parameters = [p.split()[-1].strip("*&") for p in head.group(1).split(",") if p.strip()]
        text = comment["debug"] if debug and comment["debug"] else comment["text"]
        name = name or kernel
        assert name not in found
        found[name] = Expected(name, parameters, text)
    return found


def mangled(name: str, kernel: str) -> bool:
    """Whether ``kernel`` is the symbol of ``name``, which may be ``template<argument>``."""
    return all(f"{len(word)}{word}" in kernel for word in re.findall(r"\w+", name))


@functools.cache
def compiled(*flags: str) -> tuple[KernelAccess, ...]:
    nvcc = toolchain.require("nvcc")
    command = [nvcc, "-ptx", "-arch=sm_90", "--extended-lambda", *flags, INPUTS / "access.cu"]
    ptx = subprocess.run([*command, "-o", "-"], check=True, capture_output=True, text=True).stdout
    return kernel_accesses(parse(ptx))


SOURCE = (INPUTS / "access.cu").read_text()
PLAIN = sorted(set(expectations(SOURCE, debug=False)) - {"calls_elsewhere"})


def find(name: str, kernels: tuple[KernelAccess, ...]) -> KernelAccess:
    found = [k for k in kernels if mangled(name, k.kernel)]
    exact = [k for k in found if re.match(rf"_Z{len(name.split('<')[0])}", k.kernel)]
    assert len(exact) == 1, (name, [k.kernel for k in found])
    return exact[0]


@pytest.mark.parametrize("name", PLAIN)
def test_optimised_kernels_do_what_their_source_says(name: str):
    expectations(SOURCE, debug=False)[name].check(find(name, compiled()))


@pytest.mark.parametrize("name", PLAIN)
def test_unoptimised_kernels_do_what_their_source_says(name: str):
    expectations(SOURCE, debug=True)[name].check(find(name, compiled("-G")))


def test_every_kernel_of_the_file_has_an_expectation():
    assert len(compiled()) == len(PLAIN) >= 60


# --- against another analysis ---------------------------------------------------------------------

_DEFINE = re.compile(r"^define [^\n]*ptx_kernel [^\n]*@(\w+)\((.*)\) [^\n]*\{$", re.M)
_BEYOND_LLVM = {"cp_async", "wgmma"}
"""Samples whose inline assembly LLVM does not look into."""


def llvm_modes(text: str) -> dict[str, list[str | None]]:
    """Return what LLVM's attributes say of each kernel's parameters: None if it is no pointer."""
    found: dict[str, list[str | None]] = {}
    for name, parameters in _DEFINE.findall(text):
        plain = re.sub(r"\([^()]*\)", "", parameters)  # captures(none), byval(…)
        found[name] = [
            None
            if not p.strip().startswith("ptr") or "byval" in p
            else next((w for w in ("readonly", "writeonly", "readnone") if w in p.split()), "")
            for p in plain.split(",")
        ]
    return found


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.ll")), ids=lambda path: path.stem)
def test_samples_agree_with_llvm(path: Path):
    """Clang's ``readonly`` and ``writeonly`` were derived from the same source another way."""
    if path.stem in _BEYOND_LLVM:
        return
    theirs = llvm_modes(path.read_text())
    ours = kernel_accesses(parse(path.with_suffix(".ptx").read_text()))
    assert {k.kernel for k in ours} == set(theirs)
    expected = {
        "readonly": Access.READ,
        "writeonly": Access.WRITE,
        "readnone": Access.NONE,
        "": Access.READ | Access.WRITE,
    }
    for kernel in ours:
        for param, attribute in zip(kernel.params, theirs[kernel.kernel], strict=True):
            if attribute is not None:
                assert param.access & ~Access.ESCAPES == expected[attribute], param


# --- other compilers ------------------------------------------------------------------------------


def test_numba_arrays_are_seven_numbers_each_of_which_one_is_a_pointer():
    numba = pytest.importorskip("numba", reason="numba is not installed")
    from numba import cuda

    def stencil(a, o):
        i, j = cuda.grid(2)
        if 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1:
            o[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1]

    def gather(o, a, ix):
        i = cuda.grid(1)
        if i < o.size:
            o[i] = a[ix[i]]

    def histogram(x, h):
        cuda.atomic.add(h, x[cuda.grid(1)], 1)

    f, i, u = numba.float32, numba.int32, numba.uint8
    cases = [
        (stencil, (f[:, ::1], f[:, ::1]), expected(_4="read", _13="write")),
        (stencil, (f[:, :], f[:, :]), expected(_4="read", _13="write")),
        (gather, (f[::1], f[::1], i[::1]), expected(_4="write", _11="read", _18="read")),
        (gather, (u[:], u[:], numba.int64[:]), expected(_5="write", _12="read", _19="read")),
        (histogram, (i[::1], i[::1]), expected(_4="read", _11="read+write")),
    ]
    for function, types, wanted in cases:
        ptx, _ = cuda.compile_ptx(function, types, cc=(8, 0))
        (kernel,) = kernel_accesses(parse(ptx))
        found = {k: mode for k, mode in shown(kernel).items() if k != "other"}
        positions = sorted(int(k) for k in found)
        assert [found[str(k)] for k in positions] == [wanted[k] for k in sorted(wanted, key=int)], (
            function
        )
        assert "other" not in shown(kernel)


def test_triton_kernels():
    triton = pytest.importorskip("triton", reason="triton is not installed")
    import triton_kernels
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    pointers = dict.fromkeys(("a_ptr", "b_ptr", "c_ptr"), "*fp16")
    sizes = ("rows", "columns", "depth", "sam", "sak", "sbk", "sbn", "scm", "scn")
    matmul = ASTSource(
        triton_kernels.matmul,
        signature=pointers | dict.fromkeys(sizes, "i32"),
        constexprs={"bm": 32, "bn": 32, "bk": 32},
    )
    gather = ASTSource(
        triton_kernels.gather_bytes,
        signature={"data_ptr": "*i8", "index_ptr": "*i64", "out_ptr": "*i8", "count": "i32"},
        constexprs={"block": 128},
    )
    wanted = expected(_0="read", _1="read", _2="write")
    for source in (matmul, gather):
        for architecture in (75, 80, 90):
            compiled = triton.compile(source, target=GPUTarget("cuda", architecture, 32))
            (kernel,) = kernel_accesses(parse(compiled.asm["ptx"]))
            assert shown(kernel) == wanted


def test_functions_of_other_modules_are_followed_when_they_are_at_hand(tmp_path: Path):
    nvcc = toolchain.require("nvcc")
    flags = ["-ptx", "-arch=sm_90", "--extended-lambda", "-rdc=true"]
    other = tmp_path / "other.cu"
    other.write_text('extern "C" __device__ int elsewhere(float *a) { return (int)a[3]; }')
    texts = [
        subprocess.run(
            [nvcc, *flags, *more, "-o", "-"], check=True, capture_output=True, text=True
        ).stdout
        for more in (["-DSEPARATE", str(INPUTS / "access.cu")], [str(other)])
    ]
    alone, elsewhere = (parse(text) for text in texts)
    found = find("calls_elsewhere", kernel_accesses(alone))
    expectations(SOURCE, debug=False)["calls_elsewhere"].check(found)
    together = find("calls_elsewhere", kernel_accesses(alone, [elsewhere]))
    assert shown(together) == expected(_0="read", _1="write")
