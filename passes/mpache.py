"""mpache: choose, for each memory instruction, which cache levels keep what it touches.

Before: ``ld.global.nc.f32 %f1, [%rd4];``                      (each byte read once by the grid)
After:  ``ld.global.nc.L1::no_allocate.f32 %f1, [%rd4];``

This is the static form: an access is judged by its address alone (:mod:`gpucc.analysis.reuse`).  A
load that streams takes no room in L1, which is left to those that are used again; anything else,
and whatever is unsure, stays as it is.  L2 outlives the kernel, and what the next one reads is not
known here, so policies for L2 are written only when ``levels`` asks for them.

Requires: nothing.  Preserves: everything but cache qualifiers; values never change.
Runs last among device passes: passes before it may add loads, none after it looks at qualifiers.
Never touches volatile, relaxed or acquire accesses, accesses with a qualifier already, or (other
than ``ld.global.nc``) loads of a kernel whose blocks exchange data while it runs.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from gpucc.analysis.reuse import MemoryRole, Reuse, memory_roles
from gpucc.errors import GpuccError
from gpucc.passmanager import Context, DevicePass, Remark, Result
from gpucc.ptx.isa_memory import MemoryAccess, cache_legal, memory_access, with_cache
from gpucc.ptx.module import Directive, Function, Instruction, Module, Statement
from gpucc.ptx.scanner import leading_trivia

COPS = ("ca", "cg", "cs", "lu", "cv", "wb", "wt")
L1_POLICIES = ("evict_normal", "evict_unchanged", "evict_first", "evict_last", "no_allocate")

_EXCHANGES = re.compile(
    r"(?:membar|fence|atom|barrier\.cluster|griddepcontrol|mbarrier)\b"
    r"|(?:ld|st|red)\.(?:\w+\.)*(?:acquire|release|relaxed|volatile|mmio)\b"
)
"""Instructions by which blocks can hand data to each other while the kernel runs."""


@dataclass(frozen=True)
class Mpache(DevicePass):
    """Write cache qualifiers on global loads and stores."""

    name: ClassVar[str] = "mpache"

    levels: tuple[Literal["l1", "l2"], ...] = ("l1",)
    """Cache levels to write policies for; l2 also marks streamed stores as first to leave L2."""
    lines: tuple[str, ...] = ()
    """Explicit policies: LINE:POLICY, LINE of the PTX or FILE:LINE of the source, POLICY a cache
    operator (cg, cs, …), an L1 policy (L1::no_allocate, …) or default (remove what is there)."""

    def run(self, module: Module, ctx: Context) -> Result[Module]:
        """Return the module with qualifiers written; see the module's docstring.

        Raises :class:`GpuccError` if an explicit policy is unknown, illegal for the target, or
        names a line without a global access.
        """
        wanted = _read_lines(self.lines)
        used: set[str] = set()
        changed: dict[str, Function] = {}
        remarks: list[Remark] = []
        lines = _Lines(module)
        for kernel in module.kernels:
            where = _Places(lines, kernel)
            body = list(kernel.statements)
            exchanges = _exchanges_data(kernel)
            for role in memory_roles(kernel, module):
                instruction = body[role.statement]
                assert isinstance(instruction, Instruction)
                explicit = where.named(role.statement, wanted)
                if explicit is not None:
                    used.add(explicit)
                    decision = _explicit(instruction, wanted[explicit], explicit)
                else:
                    decision = self._judge(instruction, role, exchanges)
                if not isinstance(decision, str):
                    access = memory_access(decision.instruction)
                    reason = access and cache_legal(access, ctx.target.arch, module.version)
                    if reason and explicit is not None:
                        raise GpuccError(f"mpache: policy at line {explicit}: {reason}")
                    decision = reason or decision
                if isinstance(decision, str):
                    remarks.append(where.remark("refused", role.statement, decision))
                elif decision.instruction.opcode != instruction.opcode:
                    body[role.statement] = decision.instruction
                    remarks.append(where.remark("changed", role.statement, decision.why))
            if tuple(body) != kernel.statements:
                changed[kernel.name] = kernel.with_body(body)
        if unused := sorted(set(wanted) - used):
            raise GpuccError(
                f"mpache: no global load, store or reduction at line {unused[0]}",
                hint="lines are those of the PTX, or FILE:LINE where the PTX has line information",
            )
        return Result(module.with_functions(changed), tuple(remarks))

    def _judge(
        self, instruction: Instruction, role: MemoryRole, exchanges: bool
    ) -> _Decision | str:
        """Return the instruction to use instead, or why it stays."""
        access = memory_access(instruction)
        if access is None or role.kind == "atomic":
            return f"{_say(role)}; atomics are served by L2 alone"
        if reason := _hands_off(access):
            return f"{_say(role)}; {reason}"
        if role.reuse is not Reuse.STREAMED:
            return _say(role)
        if role.kind == "load":
            if exchanges and not access.non_coherent:
                return f"{_say(role)}; but blocks exchange data in this kernel, and it is not .nc"
            if "l1" in self.levels:
                return _Decision(with_cache(instruction, l1_evict="no_allocate"), _say(role))
            return f"{_say(role)}; but levels leaves out l1"
        if role.kind == "store" and "l2" in self.levels:
            return _Decision(with_cache(instruction, cop="cs"), _say(role))
        return f"{_say(role)}; who reads it after the kernel is not known, so L2 keeps it"


@dataclass(frozen=True, slots=True)
class _Decision:
    instruction: Instruction
    why: str


def _say(role: MemoryRole) -> str:
    return f"{role.kind} {role.address}: {role.reuse.value} ({role.why})"


def _hands_off(access: MemoryAccess) -> str | None:
    """Return why the qualifiers of an access must not be chosen, if so."""
    if access.volatile or access.semantics not in ("", "weak"):
        return "other threads may be writing it"
    if access.cop or access.l1_evict or access.l2_evict or access.cache_hint:
        return "it has a cache qualifier already"
    return None


def _exchanges_data(kernel: Function) -> bool:
    return any(
        _EXCHANGES.match(statement.opcode)
        for statement in kernel.statements
        if isinstance(statement, Instruction)
    )


# --- explicit policies ----------------------------------------------------------------------------


def _read_lines(lines: tuple[str, ...]) -> Mapping[str, str]:
    """Return the policy by line (``12`` or ``foo.cu:12``)."""
    wanted: dict[str, str] = {}
    for text in lines:
        found = re.fullmatch(r"((?:[^:]+:)?\d+):(\w+(?:::\w+)?)", text)
        policy = found[2] if found else ""
        if not found or not (
            policy in (*COPS, "default")
            or (policy.startswith("L1::") and policy[4:] in L1_POLICIES)
        ):
            policies = ", ".join((*COPS, "default", *(f"L1::{p}" for p in L1_POLICIES)))
            raise GpuccError(
                f"mpache: '{text}' is no policy for a line",
                hint=f"LINE:POLICY or FILE:LINE:POLICY; policies are {policies}",
            )
        wanted[found[1]] = policy
    return wanted


def _explicit(instruction: Instruction, policy: str, line: str) -> _Decision:
    why = f"asked for at line {line}"
    plain = with_cache(instruction, cop="", l1_evict="", l2_evict="")
    if policy == "default":
        return _Decision(plain, why)
    if policy.startswith("L1::"):
        return _Decision(with_cache(plain, l1_evict=policy[4:]), why)
    return _Decision(with_cache(plain, cop=policy), why)


# --- places ---------------------------------------------------------------------------------------


class _Lines:
    """Line numbers and source files of ``module``, found once for all its kernels."""

    def __init__(self, module: Module) -> None:
        self._ends = [found.start() for found in re.finditer("\n", module.source)]
        self._files = {
            words[0]: words[1].strip('"')
            for item in module.items
            if isinstance(item, Directive) and item.name == ".file"
            if len(words := item.args.split(None, 1)) == 2
        }

    def of(self, statement: Statement) -> int:
        """Return the line of a statement in the PTX that was read, from 1."""
        at = statement.at + len(leading_trivia(statement.raw))
        return bisect.bisect_left(self._ends, at) + 1

    def sources(self, kernel: Function) -> list[str | None]:
        """Return, for each statement, ``file:line`` of the last ``.loc`` before it."""
        found: list[str | None] = []
        current: str | None = None
        for statement in kernel.statements:
            if isinstance(statement, Directive) and statement.name == ".loc":
                file, line, *_ = statement.args.split()
                current = f"{self._files.get(file, file)}:{line}"
            found.append(current)
        return found


class _Places:
    """Where the statements of ``kernel`` stand, for remarks and explicit policies."""

    def __init__(self, lines: _Lines, kernel: Function) -> None:
        self._lines = lines
        self._kernel = kernel
        self._sources = lines.sources(kernel)

    def named(self, statement: int, wanted: Mapping[str, str]) -> str | None:
        """Return the key of ``wanted`` that names the line of a statement, if one does."""
        if not wanted:
            return None
        names = [str(self._lines.of(self._kernel.statements[statement]))]
        if source := self._sources[statement]:
            names += [source, source.rpartition("/")[2]]
        return next((name for name in names if name in wanted), None)

    def remark(self, kind: Literal["changed", "refused"], statement: int, message: str) -> Remark:
        """Make a remark about a statement."""
        return Remark(
            "mpache",
            kind,
            self._kernel.name,
            message,
            line=self._lines.of(self._kernel.statements[statement]),
            source=self._sources[statement],
        )
