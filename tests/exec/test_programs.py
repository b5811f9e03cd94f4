"""Whole CUDA programs on the CPU: compiled with ``--target=cpu``, run without a GPU, right."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gpucc import toolchain
from gpucc.build import Settings, UserCodeError
from gpucc.driver import Emit, compile_files
from gpucc.errors import GpuccError, SourceError

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

pytestmark = [
    pytest.mark.skipif(toolchain.find("nvcc") is None, reason="nvcc is not installed"),
    pytest.mark.timeout(120),
]

SAMPLES = sorted((ROOT / "ptx_samples").glob("*.cu"))
REFUSED = {
    "cluster.cu": "clusters",
    "texture.cu": "tex.2d",
    "tma.cu": "bulk copies (TMA)",
    "wgmma.cu": "wgmma",
}
"""By sample: what the refusal names."""

PROGRAMS = sorted((HERE / "programs").glob("*.cu"))
SPECIAL = {"failure.cu", "printing.cu"}
"""Programs that tests of their own run."""


def build(
    sources: Sequence[Path],
    output: Path,
    *flags: str,
    emit: Emit = Emit.EXE,
    archs: Sequence[str] = (),
) -> Path:
    compile_files(
        sources, output, emit=emit, archs=archs, flags=flags, settings=Settings(cpu=True, workers=1)
    )
    return output


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def check(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = run(program, *arguments)
    assert done.stdout.startswith("PASS") or "\nPASS" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    return done


# --- what runs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source", [path for path in SAMPLES if path.name not in REFUSED], ids=lambda path: path.stem
)
def test_a_sample_is_right(tmp_path: Path, source: Path):
    check(build([source], tmp_path / "program"))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_sample_that_needs_more_is_refused_by_name(tmp_path: Path, name: str):
    with pytest.raises(SourceError) as refusal:
        build([ROOT / "ptx_samples" / name], tmp_path / "program")
    assert REFUSED[name] in refusal.value.message
    assert name in refusal.value.path
    assert not (tmp_path / "program").exists()


@pytest.mark.parametrize(
    "source", [path for path in PROGRAMS if path.name not in SPECIAL], ids=lambda path: path.stem
)
def test_a_program_is_right(tmp_path: Path, source: Path):
    check(build([source], tmp_path / "program"))


def test_default_streams_of_threads_are_apart(tmp_path: Path):
    source = HERE / "programs" / "default_stream.cu"
    check(build([source], tmp_path / "program", "-default-stream", "per-thread"))


@pytest.fixture(scope="module")
def failure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build([HERE / "programs" / "failure.cu"], tmp_path_factory.mktemp("failure") / "failure")


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("trap", "block (0,0,0), thread (3,0,0): trap at "),
        ("assert", "failure.cu:11: void fail(int): assertion `how == 7` failed"),
        ("deadlock", "32 threads wait at "),
    ],
)
def test_a_kernel_that_fails_makes_the_device_unusable(failure: Path, how: str, says: str):
    assert says in check(failure, how).stderr


def test_what_kernels_print_comes_when_the_host_waits(tmp_path: Path):
    done = run(build([HERE / "programs" / "printing.cu"], tmp_path / "program"))
    assert done.stdout.splitlines() == [
        "before the first wait",
        "device 1 thread 0",
        "device 1 thread 1",
        "after it",
        "before the second",
        "device 2 thread 0",
        "the end",
        "device 3 thread 0",
    ]


# --- several files --------------------------------------------------------------------------------

LINKED = [HERE / "linked" / "first.cu", HERE / "linked" / "second.cu"]


def test_device_code_of_two_files_is_linked(tmp_path: Path):
    check(build(LINKED, tmp_path / "program", "-rdc=true"))


def test_objects_and_archives_are_linked_later(tmp_path: Path):
    objects = [build([path], tmp_path / f"{path.stem}.o", "-dc", emit=Emit.OBJ) for path in LINKED]
    check(build(objects, tmp_path / "program"))
    archive = tmp_path / "libsecond.a"
    subprocess.run(["ar", "rcs", archive, objects[1]], check=True)
    check(build([objects[0], archive], tmp_path / "other"))


TWO = """
#include <cstdio>
static __device__ int value = {value};
namespace {{ __global__ void kernel(int *out) {{ *out = value; }} }}
__global__ void {name}_kernel(int *out) {{ *out = 10 * value; }}
template <typename T> __global__ void same(T *out) {{ *out += value; }}
int {name}() {{
    int *out, more = 0;
    cudaMallocManaged(&out, 4);
    kernel<<<1, 1>>>(out);
    same<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    return *out + more;
}}
"""


def test_files_may_have_kernels_and_variables_of_one_name(tmp_path: Path):
    sources = [tmp_path / "one.cu", tmp_path / "two.cu", tmp_path / "main.cpp"]
    sources[0].write_text(TWO.format(value=3, name="one"))
    sources[1].write_text(TWO.format(value=50, name="two"))
    sources[2].write_text(
        "#include <cstdio>\nint one(), two();\n"
        'int main() { std::printf("%d %d\\n", one(), two()); }\n'
    )
    done = run(build(sources, tmp_path / "program"))
    assert done.stdout == "6 100\n"


def test_what_no_file_defines_is_named_by_the_linker(tmp_path: Path):
    with pytest.raises(UserCodeError) as missing:
        build(LINKED[:1], tmp_path / "program", "-rdc=true")
    assert "undefined reference to `ptx._Z9transformfi'" in missing.value.output


def test_shared_variables_of_linked_device_functions_are_refused(tmp_path: Path):
    source = tmp_path / "shared.cu"
    source.write_text(
        "__device__ __noinline__ int f(int x) { __shared__ int s[32]; s[threadIdx.x] = x;"
        " __syncthreads(); return s[31 - threadIdx.x]; }\n"
        "__global__ void k(int *x) { x[threadIdx.x] = f(x[0]); }\nint main() {}\n"
    )
    with pytest.raises(SourceError, match=r"shared variables in the device function '_Z1fi'"):
        build([source], tmp_path / "program", "-rdc=true")
    build([source], tmp_path / "program")


# --- what is not there ----------------------------------------------------------------------------


def test_a_call_that_is_not_there_is_named_when_linking(tmp_path: Path):
    source = tmp_path / "array.cu"
    source.write_text(
        "int main() { cudaArray_t a; cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();\n"
        "return cudaMallocArray(&a, &d, 64, 64); }\n"
    )
    with pytest.raises(UserCodeError) as missing:
        build([source], tmp_path / "program")
    assert "undefined reference to `cudaMallocArray'" in missing.value.output


def test_kernels_that_launch_kernels_are_refused(tmp_path: Path):
    source = tmp_path / "nested.cu"
    source.write_text(
        "__global__ void inner() {}\n__global__ void outer() { inner<<<1, 1>>>(); }\n"
        "int main() { outer<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n"
    )
    with pytest.raises(SourceError, match=r"'_Z5innerv'|'__cudaCDP2"):
        build([source], tmp_path / "program", "-rdc=true")


@pytest.mark.parametrize("flag", ["-cubin", "-dlto", "-dlink", "-Xcompiler=-flto"])
def test_flags_without_a_meaning_are_refused(tmp_path: Path, flag: str):
    with pytest.raises(GpuccError):
        compile_files(
            [ROOT / "ptx_samples" / "saxpy.cu"],
            tmp_path / "program",
            flags=[flag],
            settings=Settings(cpu=True),
        )
    assert not (tmp_path / "program").exists()


def test_an_object_for_gpus_is_not_run_on_the_cpu(tmp_path: Path):
    source = tmp_path / "kernel.cu"
    source.write_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    compile_files([source], tmp_path / "kernel.o", emit=Emit.OBJ)
    done = run(build([tmp_path / "kernel.o"], tmp_path / "program"))
    assert done.returncode == 127
    assert "not compiled with --target=cpu" in done.stderr


# --- the command ----------------------------------------------------------------------------------


def test_the_newest_architecture_asked_for_is_compiled(tmp_path: Path):
    source = tmp_path / "arch.cu"
    source.write_text(
        "#include <cstdio>\n__global__ void k(int *x) {\n#ifdef __CUDA_ARCH__\n"
        "*x = __CUDA_ARCH__;\n#endif\n}\n"
        "int main() { int *x; cudaMallocManaged(&x, 4); k<<<1, 1>>>(x);\n"
        'cudaDeviceSynchronize(); std::printf("%d", *x); }\n'
    )
    program = build([source], tmp_path / "program", archs=["sm_80", "sm_86"])
    assert run(program).stdout == "860"
    flags = ["-gencode=arch=compute_75,code=sm_75", "-gencode", "arch=compute_80,code=[sm_80]"]
    assert run(build([source], tmp_path / "program", *flags)).stdout == "800"
    assert run(build([source], tmp_path / "program")).stdout == "900"


def test_passes_run_over_the_device_code(tmp_path: Path):
    from gpucc.passmanager import parse_pipeline

    report = compile_files(
        [ROOT / "ptx_samples" / "spmv_csr.cu"],
        tmp_path / "program",
        pipeline=parse_pipeline("mpache"),
        settings=Settings(cpu=True),
    )
    assert any("mpache" in timing.what for timing in report.timings)
    check(tmp_path / "program")


def test_run_says_that_it_runs_on_the_cpu_before_the_program_starts(tmp_path: Path):
    source = tmp_path / "hello.cu"
    source.write_text(
        '#include <cstdio>\n__global__ void k() { printf("from a kernel\\n"); }\n'
        'int main(int n, char **words) { fprintf(stderr, "begins\\n"); k<<<1, 1>>>();\n'
        'cudaDeviceSynchronize(); printf("%s\\n", words[1]); return 3; }\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "gpucc", "run", "--target=cpu", source, "--", "word"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 3
    assert done.stdout == "from a kernel\nword\n"
    assert done.stderr == f"note: {source} runs on the CPU (as asked)\nbegins\n"
