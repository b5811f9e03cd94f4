"""Access modes: of real kernels against what their source says, and against LLVM's own analysis."""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

import pytest

from gpucc import toolchain
from gpucc.analysis.access import Access, KernelAccess, kernel_accesses
from gpucc.frontend.parser import parse

INPUTS = Path(__file__).parent / "analysis_inputs"
SAMPLES = Path(__file__).parents[2] / "ptx_samples"


def modes(text: str) -> Access:
    found = Access.NONE
    for word in text.split("+"):
        found |= Access[word.upper()]
    return found


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
    ptx = subprocess.run(
        [*command, "-o", "-"], check=True, capture_output=True, text=True
    ).stdout
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
