"""What ``gpucc run`` does: one kernel with given arguments, or a whole program.

What can run a kernel is an :class:`Executor`; :func:`find_executor` picks one.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from gpucc.errors import GpuccError
from gpucc.passmanager import parse_pipeline
from gpucc.runtime.arguments import (
    Argument,
    ArrayArgument,
    ScalarArgument,
    make_value,
    parse_argument,
)
from gpucc.runtime.arrays import view_of
from gpucc.runtime.elements import Element
from gpucc.runtime.executor import Executor, Job, Outcome, Target
from gpucc.runtime.image import Image, Source, build, find_kernel, read_source, readable
from gpucc.runtime.launch import Geometry, Timing
from gpucc.runtime.marshal import ArgumentError, holds
from gpucc.runtime.signature import Parameter, Signature

if TYPE_CHECKING:
    from gpucc.cpu.engine import Options as CpuOptions


class GpuExecutor:
    """The current GPU.  Raises NoGpuError if there is none."""

    notice: ClassVar[str] = ""

    def __init__(self) -> None:
        from gpucc.runtime import device

        self._arch = device.current_arch()

    def build(self, source: Source, arch: str, passes: str) -> Image:
        """Compile to machine code."""
        return build(source, arch, passes)

    @property
    def arch(self) -> str:
        """The GPU's own architecture, with all its features."""
        return self._arch

    def signatures(self, image: Image) -> Mapping[str, Signature]:
        """Return the kernels of an image; of a fatbin's, the driver is asked."""
        from gpucc.runtime.module import Module

        return image.signatures or Module(image).signatures

    def run(self, job: Job) -> Outcome:
        """Launch once and read the arrays back, then time more launches."""
        from gpucc.runtime.memory import DeviceArray, to_device
        from gpucc.runtime.module import Launch, Module

        kernel = Module(job.image)[job.symbol]
        launch: Launch = kernel.configure(
            job.geometry.grid,
            job.geometry.block,
            shared_bytes=job.geometry.shared_bytes,
            cooperative=job.geometry.cooperative,
            cluster=job.geometry.cluster,
        )
        by_value = {p.index for p in kernel.signature.params if p.type.kind == "bytes"}
        arguments = [
            to_device(value) if _is_array(value) and index not in by_value else value
            for index, value in enumerate(job.arguments)
        ]
        launch(*arguments)
        arrays = {
            index: value.to_host()
            for index, value in enumerate(arguments)
            if isinstance(value, DeviceArray) and not kernel.signature.params[index].type.read_only
        }
        timing = launch.time(*arguments, repeats=job.repeats) if job.repeats else None
        return Outcome(arrays, timing)


def _is_array(value: Any) -> bool:
    kind: type = np.ndarray
    return isinstance(value, kind)


def find_executor(target: Target | None = None, options: CpuOptions | None = None) -> Executor:
    """Return what runs kernels: the GPU if there is one, else the CPU; or what ``target`` says.

    ``options`` are for the CPU.  Raises :class:`gpucc.runtime.NoGpuError` if a GPU is asked for
    and there is none.
    """
    if target == "gpu":
        return GpuExecutor()
    from gpucc.runtime.cpu import CpuExecutor
    from gpucc.runtime.device import NoGpuError, may_have_gpu

    if target is None and may_have_gpu():
        with contextlib.suppress(NoGpuError):
            return GpuExecutor()
    return CpuExecutor(options)


# --- one kernel -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Written:
    """An array that the kernel may have written."""

    index: int
    """Which argument, from 0."""
    argument: ArrayArgument
    contents: npt.NDArray[Any]
    """After the first run."""


@dataclass(frozen=True, slots=True)
class KernelReport:
    """What came of running a kernel."""

    signature: Signature
    written: tuple[Written, ...]
    timing: Timing | None


def run_kernel(
    file: Path,
    arguments: Sequence[str],
    geometry: Geometry,
    *,
    kernel: str | None = None,
    passes: str = "",
    arch: str | None = None,
    repeats: int = 0,
    seed: int = 0,
    target: Target | None = None,
    options: CpuOptions | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> KernelReport:
    """Compile ``file`` through ``passes`` and run one of its kernels on ``target``.

    ``arguments`` are as :mod:`gpucc.runtime.arguments` describes; ``kernel`` may be left out if
    there is one only.  Raises :class:`GpuccError`, for bad arguments before anything is compiled.
    """
    parsed = [parse_argument(text, f"--arg {at}") for at, text in enumerate(arguments, 1)]
    source = read_source(file)
    executor = find_executor(target, options)
    if executor.notice:
        tell(executor.notice)
    image = executor.build(source, arch or executor.arch, passes)
    signatures = executor.signatures(image)
    symbol = choose_kernel(signatures, kernel, str(file))
    values = make_values(signatures[symbol], parsed, seed)
    outcome = executor.run(Job(image, symbol, geometry, values, repeats))
    written = [
        Written(index, argument, outcome.arrays[index])
        for index, argument in enumerate(parsed)
        if isinstance(argument, ArrayArgument) and index in outcome.arrays
    ]
    return KernelReport(signatures[symbol], tuple(written), outcome.timing)


def choose_kernel(signatures: Mapping[str, Signature], wanted: str | None, where: str) -> str:
    """Return the symbol of the kernel to run: the named one, or the only one."""
    if wanted is not None:
        return find_kernel(tuple(signatures), wanted, where)
    if len(signatures) == 1:
        return next(iter(signatures))
    if not signatures:
        raise GpuccError(f"{where} has no kernels")
    names = ", ".join(map(readable, signatures))
    raise GpuccError(f"{where} has {len(signatures)} kernels", hint=f"--kernel: {names}")


def make_values(signature: Signature, arguments: Sequence[Argument], seed: int) -> tuple[Any, ...]:
    """Return the values of arguments for a kernel, each with random numbers of its own.

    Raises :class:`ArgumentError` where there are too few or too many, or a number is of another
    type than its parameter.
    """
    wanted = len(signature.params)
    if len(arguments) != wanted:
        raise ArgumentError(
            f"{signature.name} takes {wanted} arguments, {len(arguments)} given",
            hint=str(signature),
        )
    values: list[Any] = []
    for index, (argument, parameter) in enumerate(zip(arguments, signature.params, strict=True)):
        where = f"--arg {index + 1}"
        value = make_value(argument, seed + index, where)
        if isinstance(argument, ScalarArgument):
            value = _fit(value, argument, parameter, where)
        elif isinstance(argument, ArrayArgument):
            _check_elements(value, argument, parameter, where)
        values.append(value)
    return tuple(values)


def _check_elements(
    value: npt.NDArray[Any], argument: ArrayArgument, parameter: Parameter, where: str
) -> None:
    wanted, view = parameter.type, view_of(value)
    if wanted.kind != "pointer" or wanted.element is None or view is None:
        return
    if not holds(view, wanted.element, wanted.lanes):
        raise ArgumentError(
            f"{where}: {argument} is not what {parameter} takes", hint=_suggestion(parameter)
        )


def _fit(value: Any, argument: ScalarArgument, parameter: Parameter, where: str) -> Any:
    """Check a number against its parameter; whether integers have a sign does not matter."""
    kind, element = parameter.type.kind, parameter.type.element
    if kind in ("bits", "bytes"):
        return value
    given = argument.element
    integers = ("signed", "unsigned", "bool")
    if kind == "scalar" and element is not None:
        fits = given == element or (
            given.size == element.size and {given.kind, element.kind} <= {"signed", "unsigned"}
        )
    else:
        fits = kind != "pointer" and given.kind in integers and given.size == parameter.size
    if not fits:
        raise ArgumentError(
            f"{where}: {argument} is not what {parameter} takes", hint=_suggestion(parameter)
        )
    if given.kind == "float":
        return argument.value
    bits = 8 * parameter.size
    number = int(argument.value) & (2**bits - 1)
    signed = element is not None and element.kind == "signed"
    return number - 2**bits if signed and number >> (bits - 1) else number


def _suggestion(parameter: Parameter) -> str:
    element: Element | None = parameter.type.element
    if parameter.type.kind == "pointer":
        return f"an array: {element.name if element else 'f32'}[1024]=rand"
    if element is not None:
        return f"{element.name}=…"
    return f"an integer of {parameter.size} bytes: i{8 * parameter.size}=…"


# --- a program ------------------------------------------------------------------------------------


def run_program(
    file: Path,
    arguments: Sequence[str],
    *,
    passes: str,
    arch: str | None,
    target: str | None = None,
) -> int:
    """Compile a ``.cu`` file through ``passes`` and run it; return its exit status.

    It runs on the ``target`` (``gpu`` or ``cpu``); None is the GPU if there is one, and else the
    CPU, which is said on stderr.  As in a shell, a program that a signal ended has 128 more than
    the signal's number.
    """
    from gpucc import toolchain
    from gpucc.driver import Emit, Settings, compile_files
    from gpucc.runtime.device import NoGpuError

    if not file.exists():
        raise GpuccError(f"{file}: no such file")
    if file.suffix != ".cu":
        raise GpuccError(f"{file} has no main()", hint="for one of its kernels: --grid and --block")
    found = target == "cpu" or toolchain.gpu_arch() is not None
    if target == "gpu" and not found:
        raise NoGpuError(f"there is no GPU here to run {file} on", hint="--target=cpu runs it here")
    on_cpu = target == "cpu" or not found
    with tempfile.TemporaryDirectory(prefix="gpucc-run-") as folder:
        program = Path(folder) / file.stem
        compile_files(
            [file],
            program,
            pipeline=parse_pipeline(passes),
            emit=Emit.EXE,
            archs=[arch] if arch else [],
            settings=Settings(cpu=on_cpu),
        )
        if on_cpu:
            why = "as asked" if target else "there is no GPU here"
            print(f"note: {file} runs on the CPU ({why})", file=sys.stderr, flush=True)
        status = subprocess.run([program, *arguments], check=False).returncode
    return 128 - status if status < 0 else status
