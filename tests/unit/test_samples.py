"""The sample kernels: each in three forms, all checked, all read by the tools they are for."""

import re
from pathlib import Path

import pytest

from gpucc import toolchain
from gpucc.check import runfile
from gpucc.check.suite import Options, find_tests, run_tests

SAMPLES = Path(__file__).parents[2] / "ptx_samples"
FORMS = (".cu", ".ptx", ".ll")


def complete_kernels():
    """Return the samples that exist in all three forms."""
    stems = [{path.stem for path in SAMPLES.glob(f"*{form}")} for form in FORMS]
    return sorted(set.intersection(*stems))


def test_there_are_enough_kernels_in_all_three_forms():
    assert len(complete_kernels()) >= 24


@pytest.mark.slow
def test_gpucc_check_passes_on_all_of_them():
    tests = find_tests([SAMPLES])
    outcomes = run_tests(tests, Options())
    reports = [o.failure.report for o in outcomes if o.failure]
    assert not reports, "\n\n".join(reports)
    assert {o.path.name for o in outcomes if o.status != "passed"} == set(), "no RUN line"
    assert len(outcomes) >= 3 * 24


@pytest.mark.parametrize(
    "path",
    [SAMPLES / f"{name}{form}" for name in complete_kernels() for form in FORMS],
    ids=lambda path: path.name,
)
def test_each_says_what_it_shows_and_how_it_is_checked(path):
    file = runfile.read(path)
    mark = re.escape(";" if path.suffix == ".ll" else "//")
    head = file.text.partition("\n\n")[0]
    assert re.match(rf"{mark} {path.stem}: \w", head)
    assert re.search(rf"^{mark} Shows: ", head, re.MULTILINE)
    assert file.runs
    prefixes = {p for run in file.runs for line in run.chain for s in line for p in prefixes_of(s)}
    for prefix in prefixes:
        assert len(re.findall(rf"^{mark} {prefix}[A-Z0-9-]*:", head, re.MULTILINE)) >= 2


def prefixes_of(step):
    return runfile.check_prefixes(step)


@pytest.mark.parametrize("name", complete_kernels())
def test_ptxas_accepts_each_ptx(name):
    text = (SAMPLES / f"{name}.ptx").read_text()
    target = re.search(r"^\.target (\w+)", text, re.MULTILINE)[1]
    assert toolchain.assemble(text, target)


@pytest.mark.parametrize("name", complete_kernels())
def test_generated_forms_have_the_kernels_of_the_source(name):
    """A stale .ptx or .ll, made before a kernel was renamed or added, is found here."""
    source = re.sub(r"__\w+__\([\d\w, ]*\)", "", (SAMPLES / f"{name}.cu").read_text())
    kernels = set(re.findall(r"__global__[^;{(]*\b(\w+)\(", source))
    ptx = (SAMPLES / f"{name}.ptx").read_text()
    llvm = (SAMPLES / f"{name}.ll").read_text()
    assert kernels
    for kernel in kernels:
        mangled = rf"_Z{len(kernel)}{kernel}\w*"
        assert re.search(rf"\.entry {mangled}\(", ptx)
        assert re.search(rf"ptx_kernel void @{mangled}\(", llvm)
