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
import inspect
import re
import struct
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gpucc import toolchain

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
        """Changes whenever the result may: source, options, the compiler's version, the recipe."""
        recipe = inspect.getsource(_PRODUCERS[self.producer])
        parts = [self.name, _version(self.producer), recipe, *(_text(p) for p in _inputs(self))]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _inputs(job: Job) -> tuple[Path, ...]:
    match job.producer:
        case "numba" | "triton" | "llvm of triton":
            return (Path(__file__).parent / f"{job.producer.split()[-1]}_kernels.py",)
        case _:
            return (_source_path(job),)


def _source_path(job: Job) -> Path:
    """Return the file that a job compiles: one of the corpus's own, or a sample."""
    own = SOURCES / job.source
    return own if own.exists() else SAMPLES / job.source


@functools.cache
def _version(producer: str) -> str:
    package = {
        "nvcc": "nvidia-cuda-nvcc",
        "cutlass": "nvidia-cutlass",
        "nvrtc": "nvidia-cuda-nvrtc",
        "numba": "numba-cuda",
        "triton": "triton",
        "llvm": "llvmlite",
        "llvm of triton": "llvmlite",
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
    families = (_cutlass, _nvcc, _nvcc_on_samples, _nvrtc, _numba, _triton, _llvm)
    return tuple(job for family in families for job in family())  # the slowest first


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


def _nvcc_on_samples() -> Iterator[Job]:
    for path in sorted(SAMPLES.glob("*.cu")):
        named = re.search(r"--arch=(sm_90a?)", path.read_text())
        yield Job("nvcc", path.name, "sm_90a", ("-lineinfo",))
        if path.name != "dp4a.cu":  # nvcc refuses its intrinsic without optimisation
            yield Job("nvcc", path.name, named[1] if named else "sm_80", ("-G",))
        if not named:
            yield Job("nvcc", path.name, "sm_120a")


def _cutlass() -> Iterator[Job]:
    yield Job("cutlass", "cutlass_blackwell.cu", "sm_100a")
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

    for kernel, (_, _, _, oldest) in KERNELS.items():
        for arch in (*_ARCHES, "sm_120a"):
            if int(arch[3:].rstrip("a")) >= oldest:
                subset = kernel == "softmax" and arch == "sm_90a"
                yield Job("triton", kernel, arch, subset=subset)
        if oldest <= 80:
            yield Job("triton", kernel, "sm_80", ("num_warps=8", "num_stages=2"))


def _llvm() -> Iterator[Job]:
    from bench.corpus.triton_kernels import KERNELS

    for index, path in enumerate(sorted(SAMPLES.glob("*.ll"))):
        hopper = "sm_90" in path.read_text().partition("target datalayout")[0]
        yield Job("llvm", path.name, "sm_90a", subset=index % 3 == 0)
        if not hopper:
            yield Job("llvm", path.name, "sm_80", ("O0",))
    for kernel, (_, _, _, oldest) in KERNELS.items():
        # The older LLVM takes dropout's decimals as inexact; scan's assembly needs PTX 7.8.
        if oldest <= 80 and kernel not in ("dropout", "scan"):
            yield Job("llvm of triton", kernel, "sm_80")


# --- the producers ------------------------------------------------------------------------------


def produce(job: Job) -> str:
    """Compile the module; raises whatever the compiler raises."""
    return _PRODUCERS[job.producer](job)


@functools.cache
def _wheel() -> Path:
    """Return the CUDA toolkit that the wheels make up."""
    return next(kit.root for kit in toolchain.toolkits() if kit.origin == "wheel")


def _cutlass_include() -> Path:
    import cutlass_library  # pyright: ignore[reportMissingImports]

    return Path(cutlass_library.__file__).parent / "source" / "include"  # pyright: ignore


def _run_nvcc(job: Job) -> str:
    arch = f"arch=compute_{job.arch[3:]},code={job.arch}"
    include = [f"-I{_cutlass_include()}"] if job.producer == "cutlass" else []
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.ptx"
        subprocess.run(
            [_wheel() / "bin" / "nvcc", "-std=c++17", "--extended-lambda",
             "--expt-relaxed-constexpr", "-w", *include, "-gencode", arch, *job.options, "-ptx",
             _source_path(job), "-o", output],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        return output.read_bytes().decode()


def _run_nvrtc(job: Job) -> str:
    nvrtc = importlib.import_module("cuda.bindings.nvrtc")

    include = _wheel() / "include"
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

    return compile_kernel(job.source, job.arch, job.options)["ptx"]


def _run_llvm(job: Job) -> str:
    from gpucc.frontend.llvm import to_ptx
    from gpucc.passmanager import Target

    return to_ptx(SAMPLES / job.source, Target(job.arch), level=0 if "O0" in job.options else 2)


def _run_llvm_of_triton(job: Job) -> str:
    """Compile the LLVM IR that Triton made; its newer LLVM writes floats in other ways."""
    from bench.corpus.triton_kernels import compile_kernel
    from gpucc.frontend.llvm import text_to_ptx
    from gpucc.passmanager import Target

    text = compile_kernel(job.source, job.arch, job.options)["llir"]
    words = {"inf": "0x7FF0000000000000", "-inf": "0xFFF0000000000000"}
    text = re.sub(r"(?<=[ (])\+?(-?inf)(?=[,) ])", lambda m: words[m[1]], text)
    text = re.sub(r"\bf0x([0-9A-F]{8})\b", lambda m: _as_double(m[1]), text)
    return text_to_ptx(text, Target(job.arch))


def _as_double(single: str) -> str:
    """Return the bits of a float as those of the equal double, as LLVM up to 21 writes it."""
    (value,) = struct.unpack(">f", bytes.fromhex(single))
    return f"0x{struct.pack('>d', value).hex().upper()}"


_PRODUCERS: dict[str, Callable[[Job], str]] = {
    "nvcc": _run_nvcc,
    "cutlass": _run_nvcc,
    "nvrtc": _run_nvrtc,
    "numba": _run_numba,
    "triton": _run_triton,
    "llvm": _run_llvm,
    "llvm of triton": _run_llvm_of_triton,
}
