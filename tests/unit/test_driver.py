"""The compile driver: what it makes is nvcc's, with passes in it, whole or not at all.

This file is over 500 lines: its cases share the commands of one nvcc.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from compiling import (
    KERNEL,
    Marker,
    compile_quietly,
    every_nvcc,
    files,
    images,
    nvcc,
    nvcc_path,
)

from gpucc import toolchain
from gpucc.build import UserCodeError
from gpucc.driver import compile_files
from gpucc.errors import GpuccError, ToolError
from gpucc.frontend.parser import parse
from gpucc.passmanager import DevicePass, LaunchEffects, Pipeline, Result
from gpucc.passwork import PassCrash, PassOptions

MARK = Pipeline((Marker(),))
SM90 = "-arch=sm_90"

pytestmark = pytest.mark.usefixtures("scratch")


# --- without passes: nvcc's bytes ---------------------------------------------------------------

TWO_ARCHS = [
    "-gencode=arch=compute_80,code=sm_80",
    "-gencode=arch=compute_90,code=[sm_90,compute_90]",
]
USE = """
extern __device__ int twice(int);
__global__ void k(int *p) { *p = twice(*p); }
int help(int);
int main() { k<<<1, 1>>>(nullptr); return help(0); }
"""
OTHER = """
__global__ void other(int *p) { *p = 1; }
void f() { other<<<1, 1>>>(nullptr); }
"""
SOURCES = {
    "k.cu": KERNEL,
    "lib.cu": "__device__ int twice(int v) { return 2 * v; }\n",
    "use.cu": USE,
    "help.cpp": "int help(int v) { return v; }\n",
    "sub/k.cu": OTHER,
}
COMMANDS = [
    ["-cubin", SM90, "k.cu"],
    ["-ptx", SM90, "-G", "-g", "k.cu", "-o", "out.ptx"],
    ["-cubin", SM90, "-lineinfo", "-use_fast_math", "-Xptxas", "-O1", "k.cu"],
    ["-fatbin", *TWO_ARCHS, "k.cu"],
    ["-c", SM90, "-O3", "-std=c++20", "-MD", "k.cu", "-odir", "out", "-t2"],
    ["-dc", "-dlto", SM90, "lib.cu"],
    [SM90, "-O2", "-keep", "-keep-dir", "out", "k.cu", "-o", "prog"],
    [SM90, "k.cu", "sub/k.cu", "-o", "prog ram"],
    ["-rdc=true", SM90, "lib.cu", "use.cu", "help.cpp", "-o", "prog"],
    ["-shared", "-Xcompiler", "-fPIC", SM90, "sub/k.cu", "-o", "lib.so"],
    ["-lib", SM90, "lib.cu", "-o", "lib.a"],
]


def project(here: Path) -> None:
    for name, text in SOURCES.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text)
    (here / "out").mkdir()


def test_debug_code_is_nvccs_instruction_by_instruction(here):
    """Not byte for byte: ptxas -g writes its command line into the cubin, with file names."""
    project(here)
    words = ["-cubin", SM90, "-G", "-g", "k.cu"]
    (theirs,) = nvcc(nvcc_path(), words, here).values()
    compile_quietly(words)
    listings = [
        toolchain.run([toolchain.require("nvdisasm"), "-c", "-hex", cubin], what="nvdisasm")
        for cubin in (theirs, here / "k.cubin")
    ]
    assert listings[0] == listings[1]
    assert "scale" in listings[0]


def is_device_code(name: str) -> bool:
    return name.endswith((".cubin", ".ptx", ".fatbin", ".d", ".gpu"))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_without_passes_the_device_code_is_nvccs_byte_for_byte(words, here):
    _same_as_nvcc(nvcc_path(), words, here)


def _same_as_nvcc(program: Path, words: list[str], here: Path) -> None:
    project(here)
    theirs = nvcc(program, words, here)
    before = files(here)
    compile_quietly(words, nvcc=program)
    assert files(here) - before == set(theirs)
    compared = 0
    for name, path in theirs.items():
        if is_device_code(name):
            assert (here / name).read_bytes() == path.read_bytes(), name
            compared += 1
        elif expected := images(path):
            assert images(here / name) == expected, name
            compared += len(expected)
    assert compared


@every_nvcc
def test_each_toolkit_makes_its_own_code_in_a_program_that_runs(nvcc, here):
    """The objects of nvcc's and ours also link; the program runs up to its missing GPU."""
    _same_as_nvcc(nvcc, [SM90, "k.cu", "-o", "prog"], here)
    assert subprocess.run(["./prog"], capture_output=True, check=True).stdout == b"ran\n"
    subprocess.run([nvcc, "-c", SM90, "sub/k.cu", "-o", "sub.o"], check=True)
    (here / "k.cu").write_text(KERNEL.replace("int main", "void f();\nint main"))
    compile_quietly([SM90, "k.cu", "sub.o", "-o", "prog"], nvcc=nvcc)
    assert subprocess.run(["./prog"], capture_output=True, check=True).stdout == b"ran\n"


# --- device passes ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Replace(DevicePass):
    """Replaces text: for outcomes that no sensible pass has."""

    name: ClassVar[str] = "replace"
    old: str = ""
    new: str = ""

    def run(self, module, ctx):
        return Result(parse(module.text.replace(self.old, self.new)))


@pytest.fixture(scope="module")
def plain_cubin(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    (folder / "k.cu").write_text(KERNEL)
    subprocess.run([nvcc_path(), "-cubin", SM90, "k.cu"], cwd=folder, check=True)
    return (folder / "k.cubin").read_bytes()


def test_a_pass_changes_every_image_and_the_embedded_ptx(here):
    (here / "k.cu").write_text(KERNEL)
    report, _ = compile_quietly(["k.cu", *TWO_ARCHS, "-o", "prog"], MARK)
    found = images(here / "prog")
    marked = {
        f"{re.search('sm_[0-9]+', name)[0]}{Path(name).suffix}": data
        for name, data in found.items()
        if b"gpucc_marker" in data
    }
    assert set(marked) == {"sm_80.cubin", "sm_90.cubin", "sm_90.ptx"}
    assert b"gpucc_marker_sm_80" in marked["sm_80.cubin"]
    assert b"gpucc_marker_sm_90" in marked["sm_90.ptx"]
    assert [remark.unit for remark in report.remarks] == ["k.cu (sm_80)", "k.cu (sm_90)"]
    assert report.outputs == (Path("prog"),)
    assert subprocess.run(["./prog"], capture_output=True, check=True).stdout == b"ran\n"


def test_a_pass_that_changes_nothing_changes_nothing(here, plain_cubin):
    (here / "k.cu").write_text(KERNEL)
    compile_quietly(["-cubin", SM90, "k.cu"], Pipeline((Replace(),)))
    assert (here / "k.cubin").read_bytes() == plain_cubin


def test_separate_compilation_with_passes_links(here):
    project(here)
    compile_quietly(["-dc", SM90, "lib.cu", "use.cu"], MARK)
    subprocess.run([nvcc_path(), SM90, "lib.o", "use.o", "help.cpp", "-o", "prog"], check=True)
    linked = [data for name, data in images(here / "prog").items() if b"gpucc_marker_sm_90" in data]
    assert linked


def test_ptx_that_is_asked_for_is_what_the_passes_made(here):
    (here / "k.cu").write_text(KERNEL)
    report, _ = compile_quietly(["-ptx", "-arch=sm_90a", "k.cu", "-o", "k.ptx"], MARK)
    assert "gpucc_marker_sm_90a[4]" in (here / "k.ptx").read_text()
    assert report.outputs == (Path("k.ptx"),)
    assert files(here) == {"k.cu", "k.ptx"}


def test_kept_files_show_the_ptx_before_and_after(here):
    (here / "k.cu").write_text(KERNEL)
    compile_quietly(["-cubin", SM90, "--keep", "k.cu"], MARK)
    assert "gpucc_marker" not in (here / "k.ptx").read_text()
    assert "gpucc_marker" in (here / "k.gpucc.ptx").read_text()


@pytest.mark.parametrize(
    "flags",
    [[SM90, "-dlto", "-dc"], ["-arch=compute_90", "-code=lto_90", "-dc"], [SM90, "-optix-ir"]],
)
def test_passes_are_refused_where_there_is_no_ptx(here, flags):
    (here / "k.cu").write_text(KERNEL)
    with pytest.raises(GpuccError, match=r"no pass can run on k\.cu.*link time") as caught:
        compile_quietly([*flags, "k.cu"], MARK)
    assert "dlto" in caught.value.hint
    assert files(here) == {"k.cu"}


def test_what_a_pass_prints_and_how_long_it_takes(here):
    (here / "k.cu").write_text(KERNEL)
    shown: list[str] = []
    options = PassOptions(print_after=frozenset({"marker"}), show=shown.append)
    report, _ = compile_quietly(["-cubin", SM90, "k.cu"], MARK, passes=options)
    (text,) = shown
    assert text.startswith("// after marker: k.cu (sm_90)\n")
    assert "gpucc_marker_sm_90" in text
    timed = [timing.what for timing in report.timings]
    assert "cicc k.cu" in timed
    assert "marker: k.cu (sm_90)" in timed


def test_verify_each_tells_at_once_what_ptxas_does_not_take(here, scratch, monkeypatch):
    """Even if our own verifier had nothing against it."""
    monkeypatch.setattr("gpucc.ptx.verify.verify", lambda _: ())
    (here / "k.cu").write_text(KERNEL)
    wrong = Replace(".reg .b32", ".reg .b16")
    pipeline = Pipeline((wrong, Marker()))
    with pytest.raises(ToolError, match="ptxas") as caught:
        compile_quietly(["-cubin", SM90, "k.cu"], pipeline, passes=PassOptions(verify_each=True))
    shown = caught.value.render()
    assert "verify.ptx" in shown
    assert "gpucc_marker" not in Path(caught.value.command[-3]).read_text()
    (kept,) = scratch.iterdir()
    shutil.rmtree(kept)


def test_verify_each_assembles_where_the_command_does_not(here, scratch, monkeypatch):
    monkeypatch.setattr("gpucc.ptx.verify.verify", lambda _: ())
    (here / "k.cu").write_text("extern __device__ int other();\n" + KERNEL)
    options = PassOptions(verify_each=True)
    only_ptx = ["-c", "-gencode=arch=compute_90,code=compute_90"]
    for words in ([SM90, "-ptx", "-rdc=true"], [SM90, "-ptx", "-G"], only_ptx):
        compile_quietly([*words, "k.cu"], MARK, passes=options)
        wrong = Pipeline((Replace(".reg .b32", ".reg .b16"),))
        with pytest.raises(ToolError, match=r"^ptxas failed"):
            compile_quietly([*words, "k.cu"], wrong, passes=options)
        (kept,) = scratch.iterdir()
        shutil.rmtree(kept)


def test_a_crash_in_a_pass_carries_its_input(here):
    (here / "k.cu").write_text(KERNEL)
    with pytest.raises(PassCrash, match=r"k\.cu \(sm_90\)") as caught:
        compile_quietly(["-cubin", SM90, "k.cu"], Pipeline((Replace(old=None),)))
    assert ".visible .entry _Z5scalePfi" in caught.value.text
    assert isinstance(caught.value.__cause__, TypeError)
    assert files(here) == {"k.cu"}


def test_a_pass_that_needs_other_launches_is_refused_where_none_are_made(here):
    @dataclass(frozen=True)
    class Spread(Marker):
        name: ClassVar[str] = "spread"

        def run(self, module, ctx):
            effects = LaunchEffects({"k": 1024})
            return Result(module, (), effects)

    (here / "k.cu").write_text("__global__ void k() {}\n")
    with pytest.raises(GpuccError, match=r"'spread' changes how kernels of .* are launched"):
        compile_quietly(["-c", SM90, "k.cu"], Pipeline((Spread(),)))
    assert files(here) == {"k.cu"}


# --- failures -----------------------------------------------------------------------------------


def test_an_error_of_the_users_is_told_as_nvcc_tells_it_and_nothing_is_touched(here):
    (here / "bad file.cu").write_text("__global__ void k(int *p) {\n  *p = nothing;\n}\n")
    (here / "out.o").write_text("old")
    words = ["-c", "bad file.cu", "-o", "out.o", "-MD"]
    theirs = subprocess.run([nvcc_path(), *words], capture_output=True, text=True, check=False)
    (here / "out.d").unlink(missing_ok=True)
    (here / "out.o").write_text("old")
    with pytest.raises(UserCodeError) as caught:
        compile_quietly(words, MARK)
    assert caught.value.output == theirs.stderr
    assert caught.value.output.startswith(
        'bad file.cu(2): error: identifier "nothing" is undefined'
    )
    assert caught.value.reproduce.endswith("nvcc -c 'bad file.cu' -o out.o -MD")
    again = subprocess.run(
        shlex.split(caught.value.reproduce), capture_output=True, text=True, check=False
    )
    assert again.stderr == theirs.stderr
    (here / "out.o").write_text("old")
    (here / "out.d").unlink(missing_ok=True)
    assert (here / "out.o").read_text() == "old"
    assert files(here) == {"bad file.cu", "out.o"}


@pytest.mark.parametrize(
    ("source", "phase", "says"),
    [
        ('#include "absent.h"\n', "-c", "absent.h: No such file"),
        ('int main() { asm("bogus"); }\n', "-c", "no such instruction"),
        ("int f();\nint main() { return f(); }\n", "-link", "undefined reference"),
    ],
)
def test_whichever_stage_finds_the_error_the_old_output_stays(here, source, phase, says):
    (here / "k.cu").write_text(source)
    (here / "out").write_text("old")
    with pytest.raises(UserCodeError) as caught:
        compile_quietly([phase, "k.cu", "-o", "out"])
    assert says in caught.value.output
    assert (here / "out").read_text() == "old"
    assert files(here) == {"k.cu", "out"}


def test_what_ptxas_refuses_is_kept_and_can_be_reproduced(here, scratch):
    """The same command again fails the same way: the files it names are still there."""
    (here / "k.cu").write_text('__global__ void k() { asm("nonsense.b32 7;"); }\n')
    with pytest.raises(ToolError, match=r"ptxas k\.cu failed") as caught:
        compile_quietly(["-cubin", SM90, "k.cu"])
    command = caught.value.command
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == caught.value.status
    assert "nonsense" in again.stderr
    (kept,) = scratch.iterdir()
    shutil.rmtree(kept)


def test_of_two_bad_files_the_first_is_reported_and_no_object_is_left(here):
    (here / "good.cu").write_text("__global__ void g() {}\n")
    (here / "bad.cu").write_text("first mistake;\n")
    (here / "worse.cu").write_text("second mistake;\n")
    with pytest.raises(UserCodeError, match=r"bad\.cu") as caught:
        compile_quietly(["-c", "good.cu", "bad.cu", "worse.cu"], workers=3)
    assert "worse.cu" not in caught.value.output
    assert files(here) == {"good.cu", "bad.cu", "worse.cu"}


def test_warnings_reach_the_user_once(here):
    (here / "k.cu").write_text(
        "#warning of the preprocessor\n"
        "__global__ void k() { int unused; }\nint f() { }\nint main() { k<<<1, 1>>>(); }\n"
    )
    _, said = compile_quietly(["-c", *TWO_ARCHS, "k.cu"])
    assert said.count("#warning of the preprocessor") == 2  # gcc quotes the line below it
    assert said.count('variable "unused" was declared but never referenced') == 1
    assert said.count("missing return statement") == 1
    _, said = compile_quietly(["-c", SM90, "-Xptxas", "-v", "k.cu"], MARK)
    assert said.count("Compiling entry function") == 1


def test_a_toolkits_own_warnings_are_passed_on(here):
    (here / "k.cu").write_text("__global__ void k() {}\n")
    _, said = compile_quietly(["-cubin", SM90, "-arch=sm_80", "k.cu"])
    assert said.count("incompatible redefinition for option 'gpu-architecture'") == 1


def test_verbose_shows_nvccs_lines_and_ours(here):
    (here / "k.cu").write_text("__global__ void k() {}\n")
    _, said = compile_quietly(["-cubin", SM90, "-v", "k.cu"], MARK, verbose=True)
    assert re.search(r"^#\$ _CUDART_=cudart$", said, re.MULTILINE)
    assert re.search(r"^\+ \S*cicc ", said, re.MULTILINE)
    assert "+ (passes k.cu (sm_90))\n" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_nothing_is_left(here, scratch, number):
    (here / "k.cu").write_text("#include <thrust/sort.h>\n" + KERNEL)
    process = subprocess.Popen(
        [sys.executable, "-m", "gpucc", "compile", "k.cu", "-o", "prog"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(toolchain.__file__).parents[1])},
        start_new_session=True,  # so that only gpucc gets the signal, not its children
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # tests may run with "&"
    )
    wait_until(lambda: list(scratch.glob("gpucc-*/*.ii")))
    assert running_in(scratch)
    process.send_signal(number)
    assert process.communicate(timeout=60)[1].strip() == "interrupted"
    assert process.returncode == 130
    wait_until(lambda: not running_in(scratch))
    assert files(here) == {"k.cu"}


def wait_until(condition, seconds=60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def running_in(folder: Path) -> list[str]:
    """Return the commands of processes that work on files in ``folder``."""
    found = []
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = cmdline.read_text()
        except (OSError, UnicodeDecodeError):
            continue
        if str(folder) in command:
            found.append(command)
    return found


def test_two_files_of_one_name(here):
    project(here)
    compile_files([here / "k.cu", here / "sub/k.cu"], Path("prog"), pipeline=MARK, archs=["sm_90"])
    kernels = b"".join(images(here / "prog").values())
    assert b"_Z5scalePfi" in kernels
    assert b"_Z5otherPi" in kernels
