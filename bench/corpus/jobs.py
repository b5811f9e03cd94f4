"""What the corpus consists of: one job per module, and how each producer makes it.

The compilers are those of the test environment, so the corpus needs no GPU and no download.
"""

# pyright: basic
# (the producers are libraries without type stubs)

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).parent / "sources"
SAMPLES = Path(__file__).parents[2] / "ptx_samples"


@dataclass(frozen=True, slots=True)
class Job:
    """One module: which producer makes it, from what, for which target, with which options."""

    producer: str
    source: str
    arch: str
    options: tuple[str, ...] = ()
    subset: bool = False
    """Whether the quick corpus of the tests has it."""

    @property
    def name(self) -> str:
        """A name that is also a file name."""
        words = [self.producer, self.source.replace("/", "_"), self.arch, *self.options]
        return "-".join("".join(c if c.isalnum() or c in "._" else "" for c in w) for w in words)

    @property
    def key(self) -> str:
        """Changes whenever the result may: source text, options, version of the compiler."""
        parts = [self.name, _version(self.producer), *(_text(p) for p in _inputs(self))]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _inputs(job: Job) -> tuple[Path, ...]:
    match job.producer:
        case "numba" | "triton":
            return (Path(__file__).parent / f"{job.producer}_kernels.py",)
        case "llvm":
            return (SAMPLES / job.source,)
        case _:
            return (SOURCES / job.source,)


@functools.cache
def _version(producer: str) -> str:
    package = {
        "nvcc": "nvidia-cuda-nvcc",
        "cutlass": "nvidia-cutlass",
        "nvrtc": "nvidia-cuda-nvrtc",
        "numba": "numba-cuda",
        "triton": "triton",
        "llvm": "llvmlite",
    }[producer]
    return f"{package} {importlib.metadata.version(package)}"


def version(job: Job) -> str:
    """Return the package and version that makes ``job``."""
    return _version(job.producer)


# --- the list -------------------------------------------------------------------------------------

_ARCHES = ("sm_75", "sm_80", "sm_90a", "sm_100a")
_PLAIN = ("language.cu", "math.cu", "parallel.cu", "loops.cu", "cub_block.cu")
_TYPES = ("float", "int", "double", "unsigned long long", "unsigned char")


def all_jobs() -> tuple[Job, ...]:
    """Return the whole corpus."""
    return tuple(
        job for family in (_nvcc, _cutlass, _nvrtc, _numba, _triton, _llvm) for job in family()
    )


def _nvcc() -> Iterator[Job]:
    for source in _PLAIN:
        for arch in (*_ARCHES, "sm_86", "sm_120a"):
            yield Job("nvcc", source, arch, subset=arch == "sm_90a" and source != "cub_block.cu")
        yield Job("nvcc", source, "sm_90", ("-lineinfo",), subset=source == "loops.cu")
        yield Job("nvcc", source, "sm_80", ("-G",), subset=source == "language.cu")
        yield Job("nvcc", source, "sm_80", ("-rdc=true", "-O1"))
        yield Job("nvcc", source, "sm_75", ("-use_fast_math", "-maxrregcount=64"))
    for value in _TYPES:
        for items in (4, 16, 23):
            yield Job(
                "nvcc",
                "cub_block.cu",
                "sm_80",
                (f"-DCORPUS_VALUE={value}", f"-DCORPUS_ITEMS={items}"),
            )
    for unroll in (1, 4, 32, 64):
        for arch in ("sm_80", "sm_90a"):
            yield Job("nvcc", "loops.cu", arch, (f"-DUNROLL={unroll}",))
    for value in ("float", "int", "double", "short"):
        yield Job("nvcc", "cub_device.cu", "sm_90", (f"-DCORPUS_VALUE={value}",))
    yield Job("nvcc", "cub_device.cu", "sm_80", ("-DSORT", "-DCORPUS_VALUE=float"))
    yield Job("nvcc", "cub_device.cu", "sm_90", ("-DSORT", "-DCORPUS_VALUE=int", "-lineinfo"))
    yield Job("nvcc", "cub_device.cu", "sm_80", ("-G",))
    for arch in ("sm_80", "sm_100"):
        yield Job("nvcc", "thrust.cu", arch)
    yield Job("nvcc", "thrust.cu", "sm_90", ("-G",))


def _cutlass() -> Iterator[Job]:
    for m, n in ((64, 64), (128, 64), (128, 128), (256, 128), (128, 256), (256, 64)):
        yield Job("cutlass", "cutlass_gemm.cu", "sm_80", (f"-DCORPUS_M={m}", f"-DCORPUS_N={n}"))
    for n in (64, 128, 256):
        yield Job("cutlass", "cutlass_hopper.cu", "sm_90a", (f"-DTILE_N={n}",))


def _nvrtc() -> Iterator[Job]:
    for source in ("math.cu", "loops.cu", "parallel.cu", "cub_block.cu"):
        for arch in (*_ARCHES, "sm_120"):
            yield Job("nvrtc", source, arch, subset=arch == "sm_80" and source == "loops.cu")
        yield Job("nvrtc", source, "sm_80", ("--device-debug",))
        yield Job("nvrtc", source, "sm_90", ("--generate-line-info",))
    for unroll in (2, 8, 24):
        yield Job("nvrtc", "loops.cu", "sm_89", (f"-DUNROLL={unroll}",))


def _numba() -> Iterator[Job]:
    from bench.corpus.numba_kernels import KERNELS

    for kernel in KERNELS:
        for arch in ("sm_75", "sm_80", "sm_90", "sm_120"):
            yield Job("numba", kernel, arch, subset=arch == "sm_80")
        yield Job("numba", kernel, "sm_80", ("debug",))
        yield Job("numba", kernel, "sm_90", ("lineinfo",))


def _triton() -> Iterator[Job]:
    from bench.corpus.triton_kernels import KERNELS

    for kernel in KERNELS:
        for arch in (*_ARCHES, "sm_120a"):
            yield Job("triton", kernel, arch, subset=kernel == "softmax" and arch == "sm_90a")
        yield Job("triton", kernel, "sm_80", ("num_warps=8", "num_stages=2"))


def _llvm() -> Iterator[Job]:
    for path in sorted(SAMPLES.glob("*.ll")):
        hopper = "sm_90" in path.read_text().partition("target datalayout")[0]
        for arch in ("sm_90a",) if hopper else ("sm_80", "sm_90a"):
            yield Job("llvm", path.name, arch, subset=arch == "sm_90a")


# --- the producers ------------------------------------------------------------------------------


def produce(job: Job) -> str:
    """Compile the module; raises whatever the compiler raises."""
    return _PRODUCERS[job.producer](job)


def _nvidia() -> Path:
    import nvidia.cu13  # pyright: ignore[reportMissingImports]

    return Path(next(iter(nvidia.cu13.__path__)))  # pyright: ignore


def _cutlass_include() -> Path:
    import cutlass_library  # pyright: ignore[reportMissingImports]

    return Path(cutlass_library.__file__).parent / "source" / "include"  # pyright: ignore


def _run_nvcc(job: Job) -> str:
    arch = f"arch=compute_{job.arch[3:]},code={job.arch}"
    include = [f"-I{_cutlass_include()}"] if job.producer == "cutlass" else []
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.ptx"
        subprocess.run(
            [_nvidia() / "bin/nvcc", "-std=c++17", "--extended-lambda", "--expt-relaxed-constexpr",
             "-w", *include, "-gencode", arch, *job.options, "-ptx", SOURCES / job.source,
             "-o", output],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        return output.read_bytes().decode()


def _run_nvrtc(job: Job) -> str:
    nvrtc = importlib.import_module("cuda.bindings.nvrtc")

    include = _nvidia() / "include"
    options = [f"--gpu-architecture={job.arch.replace('sm', 'compute')}", "-std=c++17",
               "-default-device", f"-I{include}", f"-I{include}/cccl", *job.options]  # fmt: skip
    source = (SOURCES / job.source).read_bytes()
    status, program = nvrtc.nvrtcCreateProgram(source, job.source.encode(), 0, [], [])
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS
    try:
        encoded = [option.encode() for option in options]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(encoded), encoded)
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            size = nvrtc.nvrtcGetProgramLogSize(program)[1]
            log = bytes(size)
            nvrtc.nvrtcGetProgramLog(program, log)
            raise RuntimeError(log.decode(errors="replace"))
        text = bytes(nvrtc.nvrtcGetPTXSize(program)[1])
        nvrtc.nvrtcGetPTX(program, text)
        return text.decode().rstrip("\0")
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _run_numba(job: Job) -> str:
    from bench.corpus.numba_kernels import compile_kernel

    return compile_kernel(job.source, job.arch, job.options)


def _run_triton(job: Job) -> str:
    from bench.corpus.triton_kernels import compile_kernel

    return compile_kernel(job.source, job.arch, job.options)


def _run_llvm(job: Job) -> str:
    from gpucc.frontend.llvm import to_ptx
    from gpucc.passmanager import Target

    return to_ptx(SAMPLES / job.source, Target(job.arch))


_PRODUCERS: dict[str, Callable[[Job], str]] = {
    "nvcc": _run_nvcc,
    "cutlass": _run_nvcc,
    "nvrtc": _run_nvrtc,
    "numba": _run_numba,
    "triton": _run_triton,
    "llvm": _run_llvm,
}
