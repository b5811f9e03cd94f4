"""Everything the analyses say of a module's kernels: what ``gpucc analyze`` prints."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from gpucc.analysis.access import Access, KernelAccess, kernel_accesses
from gpucc.analysis.reuse import MemoryRole, memory_roles
from gpucc.analysis.values import Values
from gpucc.errors import line_column
from gpucc.ptx.module import Function, Instruction, Module
from gpucc.ptx.scanner import leading_trivia


@dataclass(frozen=True, slots=True)
class LoopReport:
    """One natural loop: its PTX lines, nesting and trip count (an expression, or None)."""

    first_line: int
    last_line: int
    depth: int
    trips: str | None


@dataclass(frozen=True, slots=True)
class AccessReport:
    """One global access: ``reuse`` and ``why`` as :class:`MemoryRole` has them."""

    line: int
    opcode: str
    kind: str
    base: str | None
    offset: str
    bytes: int
    reuse: str
    why: str


@dataclass(frozen=True, slots=True)
class KernelReport:
    """What is known of one kernel."""

    name: str
    access: KernelAccess
    loops: tuple[LoopReport, ...]
    accesses: tuple[AccessReport, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values, for JSON."""
        params = [
            {
                "name": param.name,
                "size": param.size,
                "access": access_text(param.access),
                "fields": {str(offset): access_text(mode) for offset, mode in param.fields},
            }
            for param in self.access.params
        ]
        return {
            "kernel": self.name,
            "params": params,
            "other_read": self.access.other_read,
            "other_write": self.access.other_write,
            "loops": [asdict(loop) for loop in self.loops],
            "accesses": [asdict(access) for access in self.accesses],
        }


def access_text(access: Access) -> str:
    """Return a mode in words: ``none``, ``read``, ``write``, ``read+write`` or ``escapes``."""
    if Access.ESCAPES in access:
        return "escapes"
    words = [
        mode.name.lower() for mode in (Access.READ, Access.WRITE) if mode in access and mode.name
    ]
    return "+".join(words) or "none"


def report(module: Module) -> tuple[KernelReport, ...]:
    """Analyse every kernel of ``module``, in order."""
    by_name = {access.kernel: access for access in kernel_accesses(module)}
    return tuple(
        KernelReport(
            kernel.name,
            by_name[kernel.name],
            _loops(module, kernel),
            tuple(_access(module, kernel, role) for role in memory_roles(kernel, module)),
        )
        for kernel in module.kernels
    )


def _line(module: Module, kernel: Function, statement: int) -> int:
    found = kernel.statements[statement]
    return line_column(module.source, found.at + len(leading_trivia(found.raw)))[0]


def _access(module: Module, kernel: Function, role: MemoryRole) -> AccessReport:
    instruction = kernel.statements[role.statement]
    assert isinstance(instruction, Instruction)
    base = role.address.base
    return AccessReport(
        line=_line(module, kernel, role.statement),
        opcode=instruction.opcode,
        kind=role.kind,
        base=None if base is None else str(base),
        offset=str(role.address.offset),
        bytes=role.address.size,
        reuse=role.reuse.value,
        why=role.why,
    )


def _loops(module: Module, kernel: Function) -> tuple[LoopReport, ...]:
    values = Values(kernel)
    blocks = values.cfg.blocks
    found: list[LoopReport] = []
    for index, loop in enumerate(values.loops.loops):
        trips = values.trip_count(index)
        if trips is None:
            text = None
        elif trips.constant is not None:
            text = str(trips.constant + 1)
        else:
            text = f"ceil(({trips.span})/{trips.step}) + 1"
        found.append(
            LoopReport(
                first_line=_line(module, kernel, blocks[loop.header].start),
                last_line=_line(module, kernel, max(blocks[b].end for b in loop.body) - 1),
                depth=loop.depth,
                trips=text,
            )
        )
    return tuple(found)
