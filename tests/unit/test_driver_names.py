"""The compile driver: names of files, odd ones among them, and where outputs go."""

import os
import stat
import subprocess
from pathlib import Path

import pytest
from compiling import (
    KERNEL,
    Marker,
    compile_quietly,
    files,
)

from gpucc.driver import compile_files
from gpucc.errors import GpuccError
from gpucc.passmanager import Pipeline

MARK = Pipeline((Marker(),))
SM90 = "-arch=sm_90"

pytestmark = pytest.mark.usefixtures("scratch")


def test_blanks_and_letters_of_any_alphabet(here):
    folder = here / "mit Lücke ü"
    folder.mkdir()
    source = folder / "naïve 'kernel' (1).cu"
    source.write_text(KERNEL)
    compile_files([source], folder / "ßß prog", pipeline=MARK, archs=["sm_90"])
    assert subprocess.run([folder / "ßß prog"], capture_output=True, check=True).stdout == b"ran\n"
    assert files(folder) == {source.name, "ßß prog"}


def test_names_that_look_like_options(here, monkeypatch):
    monkeypatch.chdir(here)
    (here / "-k.cu").write_text(KERNEL)
    compile_files([Path("-k.cu")], Path("-prog"), pipeline=MARK, archs=["sm_90"])
    assert subprocess.run(["./-prog"], capture_output=True, check=True).stdout == b"ran\n"
    compile_files([Path("-k.cu")], Path("-k.ptx"), archs=["sm_90"])
    compile_files([Path("-k.ptx")], None, pipeline=MARK)
    assert files(here) == {"-k.cu", "-prog", "-k.ptx", "-k.cubin"}


@pytest.mark.parametrize("name", ["a$HOME.cu", "a`id`.cu", 'a".cu', "a$HOME.ptx"])
def test_names_that_nvcc_would_let_a_shell_change_are_refused(here, name):
    (here / name).write_text("")
    with pytest.raises(GpuccError, match=r"nvcc does not take a file with '.' in its name"):
        compile_files([Path(name)], Path("k.cubin"), pipeline=MARK, archs=["sm_90"])


@pytest.mark.parametrize("flags", [["-c"], ["-cubin"], ["-rdc=true"]])
@pytest.mark.parametrize("output", ["k.cu", "./sub/../k.cu", "link.cu"])
def test_no_output_replaces_an_input(here, flags, output):
    (here / "sub").mkdir()
    (here / "k.cu").write_text(KERNEL)
    (here / "link.cu").symlink_to("k.cu")
    with pytest.raises(GpuccError, match="would replace an input"):
        compile_quietly([*flags, SM90, "k.cu", "-o", output], MARK)
    assert (here / "k.cu").read_text() == KERNEL


def test_a_device_may_be_input_and_output(here):
    compile_quietly(["-c", SM90, "-x", "cu", "/dev/null", "-o", "/dev/null"], MARK)
    assert Path("/dev/null").is_char_device()


def test_optimisation_at_link_time_needs_no_architecture_from_the_user(here):
    """nvcc refuses -dlto beside -gencode, which gpucc gives otherwise."""
    (here / "k.cu").write_text(KERNEL)
    compile_files([Path("k.cu")], Path("k.o"), flags=["-dc", "-dlto"])
    assert (here / "k.o").read_bytes().startswith(b"\x7fELF")
    with pytest.raises(GpuccError, match="for one architecture"):
        compile_files([Path("k.cu")], None, archs=["sm_80", "sm_90"], flags=["-dc", "-dlto"])


def test_an_output_that_is_a_link_stays_one(here):
    (here / "k.cu").write_text("__global__ void k() {}\n")
    (here / "real").mkdir()
    (here / "link.cubin").symlink_to("real/k.cubin")
    compile_quietly(["-cubin", "k.cu", "-o", "link.cubin"])
    assert (here / "link.cubin").is_symlink()
    assert (here / "real/k.cubin").read_bytes()[:4] == b"\x7fELF"


def test_a_device_as_output_is_written_to_and_stays_one(here):
    """A pipe stands for any: a rename, run as root, puts a file in the place of /dev/null."""
    (here / "k.cu").write_text("__global__ void k() {}\n")
    os.mkfifo(here / "pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        compile_quietly(["-cubin", "k.cu", "-o", "pipe"])
        assert reader.communicate(timeout=60)[0][:4] == b"\x7fELF"
    assert stat.S_ISFIFO((here / "pipe").stat().st_mode)


def test_an_output_that_cannot_be_written_is_told_before_anything_runs(here):
    (here / "k.cu").write_text("does not compile;")
    (here / "folder").mkdir()
    with pytest.raises(GpuccError, match="there is no folder"):
        compile_quietly(["-c", "k.cu", "-o", "nowhere/k.o"])
    with pytest.raises(GpuccError, match="it is a folder"):
        compile_quietly(["-c", "k.cu", "-o", "folder"])


def test_files_that_a_host_compiler_puts_beside_its_output_keep_their_names(here):
    (here / "k.cu").write_text(KERNEL)
    compile_quietly(["-c", SM90, "-Xcompiler", "--coverage", "k.cu", "-o", "k.o"])
    assert files(here) == {"k.cu", "k.o", "k.gcno"}


def test_nvcc_may_start_the_program(here, capfd):
    (here / "k.cu").write_text(KERNEL)
    compile_quietly(["-run", SM90, "k.cu", "-o", "prog"])
    assert capfd.readouterr().out == "ran\n"
