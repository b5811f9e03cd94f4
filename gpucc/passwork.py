"""Runs the passes of a compilation over its files: PTX to PTX, host IR to host IR.

This is what stands between nvcc's stages; :mod:`gpucc.splice` decides where.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpucc.errors import GpuccError
from gpucc.passmanager import (
    Context,
    LaunchEffects,
    PassFault,
    Pipeline,
    Remark,
    RunOptions,
    Target,
    run_device_passes,
)

if TYPE_CHECKING:
    from gpucc.analysis.access import KernelAccess, ParamAccess
    from gpucc.ptx.module import Module


@dataclass(frozen=True, slots=True)
class PassOptions:
    """What to do around the passes."""

    verify_each: bool = False
    """Assemble the PTX with ptxas after every device pass."""
    print_after: frozenset[str] = frozenset()
    """Names of passes whose output is to be shown."""
    show: Callable[[str], None] = print
    """Where it is shown."""


@dataclass(frozen=True, slots=True)
class UnitRemark:
    """A remark and the unit of the compilation that it is about (``a.cu (sm_90)``)."""

    unit: str
    remark: Remark

    @property
    def place(self) -> str:
        """Where it is, as the user knows it: a line of the source, else one of the unit's PTX."""
        remark = self.remark
        if remark.source or remark.line is None:
            return remark.source or self.unit
        if _HAS_OTHER_LANGUAGE.search(self.unit):
            return f"{self.unit}, line {remark.line} of its PTX"
        return f"{self.unit}:{remark.line}"


_HAS_OTHER_LANGUAGE = re.compile(r"\.(?!ptx)\w+ \(")
"""Names of units that are compiled to PTX: ``a.cu (sm_90)``."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one thing took."""

    what: str
    seconds: float


class PassCrash(Exception):
    """Something raised what it should not while it worked on ``text``: a fault of gpucc's.

    ``name`` is a file name for the text, so that it can be saved with the report.
    """

    def __init__(self, unit: str, name: str, text: str) -> None:
        super().__init__(f"internal fault while passes ran over {unit}")
        self.name = name
        self.text = text


@dataclass(slots=True)
class Findings:
    """What the passes of one command found and did; filled while its jobs run."""

    remarks: list[UnitRemark] = field(default_factory=list[UnitRemark])
    timings: list[Timing] = field(default_factory=list[Timing])
    kernels: dict[str, KernelAccess] = field(default_factory=dict[str, "KernelAccess"])
    """What each kernel of the command does with its parameters."""
    host_changed: bool = False


@dataclass(frozen=True, slots=True)
class DeviceUnit:
    """The PTX of one file for one architecture."""

    name: str
    """For messages: ``a.cu (sm_90)``."""
    path: str
    """Where the PTX is; errors in it are reported there."""
    target: Target
    assemble: Callable[[str], None]
    """Raises :class:`gpucc.errors.ToolError` if ptxas does not accept a PTX text."""
    is_given: bool = False
    """The PTX is the user's own, so it is verified before passes run; a compiler's is not."""


def run_on_device(
    unit: DeviceUnit,
    pipeline: Pipeline,
    options: PassOptions,
    findings: Findings,
    *,
    module: Module | None = None,
) -> str:
    """Run the device passes of ``pipeline`` over a unit and return the PTX that comes out.

    ``module`` is the unit if it is parsed, and verified, already; else its file is read.  With host
    passes in the pipeline, also finds out what the resulting kernels do with their parameters.
    """
    from gpucc.frontend.parser import parse
    from gpucc.ptx.verify import require_valid

    text = module.text if module else read_text(unit.path)
    try:
        if module is None:
            start = time.perf_counter()
            module = parse(text, unit.path)
            findings.timings.append(Timing(f"parse PTX: {unit.name}", time.perf_counter() - start))
            if unit.is_given and pipeline.device:
                require_valid(module)
        if pipeline.device:
            module = _run_device_passes(unit, module, pipeline, options, findings)
        if pipeline.host:
            _note_accesses(module, findings)
        return module.text
    except (GpuccError, PassFault):
        raise
    except Exception as fault:
        raise PassCrash(unit.name, Path(unit.path).name, text) from fault


def _run_device_passes(
    unit: DeviceUnit,
    module: Module,
    pipeline: Pipeline,
    options: PassOptions,
    findings: Findings,
) -> Module:
    def after_pass(name: str, result: Module) -> None:
        if name in options.print_after:
            options.show(f"// after {name}: {unit.name}\n{result.text}")
        if options.verify_each:
            unit.assemble(result.text)

    report = run_device_passes(module, pipeline, Context(unit.target), RunOptions(after_pass))
    findings.remarks.extend(UnitRemark(unit.name, remark) for remark in report.remarks)
    findings.timings.extend(Timing(f"{name}: {unit.name}", s) for name, s in report.seconds)
    for step, effects in zip(pipeline.device, report.effects, strict=True):
        if effects != LaunchEffects():
            raise GpuccError(
                f"pass '{step.name}' changes how kernels of {unit.name} are launched,"
                " which a compiled program does not know of",
                hint="gpucc.load() launches them as the pass wants",
            )
    return report.ir


def _note_accesses(module: Module, findings: Findings) -> None:
    from gpucc.analysis.access import kernel_accesses

    for access in kernel_accesses(module):
        known = findings.kernels.get(access.kernel)
        findings.kernels[access.kernel] = merge_accesses(known, access) if known else access


def merge_accesses(one: KernelAccess, other: KernelAccess) -> KernelAccess:
    """Return what is true of a kernel that was compiled twice (for two architectures)."""
    from gpucc.analysis.access import Access

    if len(one.params) != len(other.params):
        # Two kernels of one name in two files: whichever is launched, nothing is known.
        longer = max(one, other, key=lambda access: len(access.params))
        return replace(
            longer,
            params=tuple(replace(p, access=Access.ESCAPES, fields=()) for p in longer.params),
            other_read=True,
            other_write=True,
        )
    return replace(
        one,
        params=tuple(map(_merge_params, one.params, other.params)),
        other_read=one.other_read or other.other_read,
        other_write=one.other_write or other.other_write,
    )


def _merge_params(one: ParamAccess, other: ParamAccess) -> ParamAccess:
    fields = dict(one.fields)
    for offset, access in other.fields:
        fields[offset] = fields.get(offset, access) | access
    return replace(one, access=one.access | other.access, fields=tuple(sorted(fields.items())))


def run_on_host(
    name: str,
    path: str,
    target: Target,
    pipeline: Pipeline,
    options: PassOptions,
    findings: Findings,
) -> str:
    """Run the host passes over the LLVM IR file ``path`` and return the IR that comes out.

    ``name`` is the source file, for messages.
    """
    text = read_text(path)
    if not pipeline.host:
        return text
    from gpucc.host.module import HostModule

    try:
        module = HostModule.parse(text, path)
        for step in pipeline.host:
            start = time.perf_counter()
            result = step.run(module, findings.kernels, Context(target))
            findings.timings.append(Timing(f"{step.name}: {name}", time.perf_counter() - start))
            findings.remarks.extend(UnitRemark(name, remark) for remark in result.remarks)
            findings.host_changed |= result.ir is not module
            module = result.ir
            if step.name in options.print_after:
                options.show(f"; after {step.name}: {name}\n{module.text}")
        return module.text
    except GpuccError:
        raise
    except Exception as fault:
        raise PassCrash(name, Path(path).name, text) from fault


def read_text(path: str | Path) -> str:
    """Return a file as text, so that :func:`write_text` gives the same bytes back."""
    return Path(path).read_bytes().decode("utf-8", errors="surrogateescape")


def write_text(path: str | Path, text: str) -> None:
    """Write what :func:`read_text` read."""
    Path(path).write_bytes(text.encode("utf-8", errors="surrogateescape"))
