"""``gpucc-launch``: passes into a build system's nvcc commands, everything else untouched."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from compiling import KERNEL, environment_with_test_passes, images, nvcc_path

LAUNCH = "import sys; sys.argv[0] = 'gpucc-launch'; from gpucc.cli.launch import main; main()"


@pytest.fixture(scope="module")
def environ(tmp_path_factory):
    base = {name: value for name, value in os.environ.items() if not name.startswith("GPUCC")}
    return environment_with_test_passes(tmp_path_factory.mktemp("passes"), base)


@pytest.fixture
def here(tmp_path):
    (tmp_path / "k.cu").write_text(KERNEL)
    return tmp_path


def launch(here, environ, *command, passes="mark") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LAUNCH, *map(str, command)],
        cwd=here,
        env={**environ, "GPUCC_PASSES": passes},
        capture_output=True,
        text=True,
        check=False,
    )


def marked(path: Path) -> bool:
    return any(b"gpucc_mark" in data for data in images(path).values())


@pytest.fixture
def recorder(here):
    """A compiler that prints its arguments and the id of its process."""
    compiler = here / "nvcc"
    compiler.write_text('#!/bin/sh\nfor word; do echo "<$word>"; done\necho pid $$\nexit 7\n')
    compiler.chmod(0o755)
    return compiler


def test_a_compilation_gets_the_passes(here, environ):
    done = launch(here, environ, nvcc_path(), "-arch=sm_90", "-c", "k.cu", "-o", "k.o")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert marked(here / "k.o")


@pytest.mark.parametrize(
    ("words", "passes"),
    [
        (["-c", "k.cu", "a b", '"c"', "$HOME"], ""),
        (["--version"], "mark"),
        (["-E", "k.cu"], "mark"),
        (["-dlink", "k.o", "-o", "d.o"], "mark"),
        (["--dryrun", "-c", "k.cu"], "mark"),
        (["-M", "k.cu"], "mark"),
    ],
)
def test_everything_else_is_executed_as_it_stands(here, environ, recorder, words, passes):
    """In our own place: the exit status is the compiler's, and there is no process of ours."""
    process = subprocess.Popen(
        [sys.executable, "-c", LAUNCH, recorder, *words],
        cwd=here,
        env={**environ, "GPUCC_PASSES": passes},
        stdout=subprocess.PIPE,
        text=True,
    )
    out, _ = process.communicate()
    assert out.splitlines() == [*(f"<{word}>" for word in words), f"pid {process.pid}"]
    assert process.returncode == 7


def test_other_compilers_and_other_files_are_left_alone(here, environ):
    (here / "x.cpp").write_text("int x;\n")
    assert launch(here, environ, "g++", "-c", "x.cpp").returncode == 0
    assert launch(here, environ, nvcc_path(), "-c", "x.cpp", "-o", "y.o").returncode == 0
    assert launch(here, environ, nvcc_path(), "y.o", "-shared", "-o", "z.so").returncode == 0
    assert {"x.o", "y.o", "z.so"} <= {path.name for path in here.iterdir()}


def test_a_compiler_cache_is_left_out_as_it_does_not_know_of_passes(here, environ):
    cache = here / "ccache"
    cache.write_text("#!/bin/sh\necho cached\n")
    cache.chmod(0o755)
    assert launch(here, environ, cache, nvcc_path(), "-c", "k.cu", passes="").stdout == "cached\n"
    done = launch(here, environ, cache, nvcc_path(), "-cubin", "-arch=sm_90", "k.cu")
    assert (done.returncode, done.stdout) == (0, "")
    assert b"gpucc_mark" in (here / "k.cubin").read_bytes()


@pytest.mark.parametrize(
    ("command", "passes", "message"),
    [
        (["{nvcc}", "-c", "k.cu"], "nonsense", "error: unknown pass 'nonsense'"),
        (["{nvcc}", "-c", "k.cu"], "mark{", "error: in the pipeline 'mark{'"),
        ([], "mark", "error: gpucc-launch wants a compiler's command line"),
        (["no-such-compiler", "-c", "k.cu"], "mark", "error: no-such-compiler: no such program"),
        (["{nvcc}", "-c", "absent.cu"], "mark", "absent.cu: No such file"),
    ],
)
def test_mistakes_end_with_status_1_and_no_traceback(here, environ, command, passes, message):
    command = [word.format(nvcc=nvcc_path()) for word in command]
    done = launch(here, environ, *command, passes=passes)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_it_says_what_it_is_and_what_changed_host_code_is_linked_with(here, environ):
    done = launch(here, environ, "--help", passes="")
    assert (done.returncode, done.stdout[:6]) == (0, "Usage:")
    flags = launch(here, environ, "--link-flags", passes="").stdout.split()
    assert Path(flags[0]).name == "libgpucc_rt.a"
    assert Path(flags[0]).exists()
    assert flags[1:] == ["-lpthread", "-ldl"]


def test_nvcc_is_found_where_the_other_commands_find_it(here, environ):
    path = os.pathsep.join(
        folder
        for folder in environ["PATH"].split(os.pathsep)
        if not (Path(folder) / "nvcc").exists()
    )
    done = launch(here, {**environ, "PATH": path}, "nvcc", "-cubin", "-arch=sm_90", "k.cu")
    assert (done.returncode, done.stderr) == (0, "")
    assert b"gpucc_mark" in (here / "k.cubin").read_bytes()


# --- CMake --------------------------------------------------------------------------------------

PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(sample LANGUAGES CXX CUDA)
add_library(part STATIC "part file.cu")
add_executable(program main.cu help.cpp)
target_link_libraries(program part)
set_target_properties(part program PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
"""
MAIN = KERNEL.replace("int main() {", "void part();\nint help();\nint main() {\n    part();")
PART = '#include "part.h"\n__global__ void other() {}\nvoid part() { other<<<1, THREADS>>>(); }\n'


def cmake() -> str | None:
    """Return a cmake from PATH, or from the wheel of that name."""
    beside = Path(sys.executable).with_name("cmake")
    return shutil.which("cmake") or (str(beside) if beside.exists() else None)


def generator() -> str:
    return "Ninja" if shutil.which("ninja") else "Unix Makefiles"


@pytest.mark.skipif(cmake() is None, reason="cmake is not installed (pip install cmake)")
def test_a_cmake_project_is_built_with_passes_and_rebuilt_when_a_header_changes(tmp_path, environ):
    source = tmp_path / "the source"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(PROJECT)
    (source / "main.cu").write_text(MAIN)
    (source / "part file.cu").write_text(PART)
    (source / "part.h").write_text("#define THREADS 32\n")
    (source / "help.cpp").write_text("int help() { return 1; }\n")
    launcher = tmp_path / "gpucc-launch"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{LAUNCH}" "$@"\n')
    launcher.chmod(0o755)
    build = tmp_path / "build"
    environ = {**environ, "GPUCC_PASSES": "mark"}

    def run(*words: str | Path) -> str:
        done = subprocess.run(
            [str(cmake()), *map(str, words)],
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(
        *("-S", source, "-B", build, "-G", generator()),
        f"-DCMAKE_CUDA_COMPILER={nvcc_path()}",
        f"-DCMAKE_CUDA_COMPILER_LAUNCHER={launcher}",
        "-DCMAKE_CUDA_ARCHITECTURES=90",
        "-DCMAKE_BUILD_TYPE=Release",
    )
    run("--build", build)
    program = build / "program"
    out = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert out == "ran\n"
    objects = list(build.rglob("*.cu.o"))
    assert {path.name for path in objects} == {"main.cu.o", "part_file.cu.o"}
    assert all(marked(path) for path in objects)
    assert marked(program)
    # Nothing to do; then one header changes, and one file is compiled again.
    again = run("--build", build)
    assert not re.search(r"Building CUDA", again)
    stamp = time.time() + 5
    os.utime(source / "part.h", (stamp, stamp))
    rebuilt = re.findall(r"Building CUDA object .*?(\w+\.cu)\.o", run("--build", build))
    assert rebuilt == ["part_file.cu"]
