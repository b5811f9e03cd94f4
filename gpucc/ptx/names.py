"""What names stand for: special registers, and the declarations of nested blocks.

A name's *class* (``reg.b32``, ``var.shared``, ``label``; :mod:`gpucc.ptx.isa_operands` lists them)
is all that the instruction table needs to know of it.
"""

from __future__ import annotations

import functools
import re

from gpucc.ptx.module import Directive, Variable
from gpucc.ptx.targets import Needs, parse_needs

UNDECLARED = "none"
"""The class of a name that nothing declares."""

OPAQUE_TYPES = frozenset({".texref", ".samplerref", ".surfref"})

# --- special registers ----------------------------------------------------------------------------

_SPECIAL = """
    tid ntid ctaid nctaid : v4.dim
    clusterid nclusterid cluster_ctaid cluster_nctaid : v4.dim @ 7.8 sm_90
    laneid warpid smid clock : u32 @ 1.0
    nwarpid nsmid lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt : u32 @ 2.0 sm_20
    gridid : any
    clock_hi : u32 @ 5.0 sm_20
    clock64 : u64 @ 2.0 sm_20
    pm0 pm1 pm2 pm3 : u32 @ 1.3
    pm4 pm5 pm6 pm7 : u32 @ 3.0 sm_20
    globaltimer : u64 @ 3.1 sm_30
    globaltimer_lo globaltimer_hi : u32 @ 3.1 sm_30
    total_smem_size dynamic_smem_size : u32 @ 4.1 sm_20
    is_explicit_cluster : pred @ 7.8 sm_90
    cluster_ctarank cluster_nctarank : u32 @ 7.8 sm_90
    aggr_smem_size : u32 @ 8.1 sm_90
    reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap : u32 @ 7.6 sm_80
    current_graph_exec : u64 @ 8.0 sm_50
    perctamemoryoffset perctamemorysize : any @ 9.4
    locality_domain_id : u32 @ 9.5 sm_100
"""
"""PTX ISA 9.4, section 10 (and ptxas 13.5).  ``dim``: 16 or 32 bits, ``any``: 32 or 64."""


@functools.cache
def _special_registers() -> dict[str, tuple[str, Needs]]:
    registers: dict[str, tuple[str, Needs]] = {}
    for line in _SPECIAL.split("\n"):
        names, found, rest = line.partition(" : ")
        if found:
            kind, _, needs = rest.partition("@")
            for name in names.split():
                registers[f"%{name}"] = kind.strip(), parse_needs(needs) if needs else ()
    for number in range(8):
        registers[f"%pm{number}_64"] = "u64", parse_needs("4.0 sm_50")
    for number in range(32):
        registers[f"%envreg{number}"] = "u32", parse_needs("2.1")
    for number in range(2):
        registers[f"%reserved_smem_offset_{number}"] = "u32", parse_needs("7.6 sm_80")
    return registers


def special_register(name: str) -> tuple[str, Needs] | None:
    """Return the class of a special register and what it needs, None if there is none.

    ``%tid`` is ``sreg.v4.dim``, ``%tid.x`` ``sreg.dim``.
    """
    base, dot, part = name.partition(".")
    found = _special_registers().get(base)
    if found is None:
        return None
    kind, needs = found
    if not dot:
        return f"sreg.{kind}", needs
    if kind.startswith("v4.") and part in ("x", "y", "z", "w"):
        return f"sreg.{kind[3:]}", needs
    return None


# --- declared names -------------------------------------------------------------------------------

_NUMBER_AT_END = re.compile(r"\d+\Z")
_COMPONENTS = frozenset("xyzwrgba")
_SELECTORS = re.compile(r"[bh][0-7]{1,4}")


class Names(dict[str, str]):
    """The classes of names in one block; a lookup falls back to the block around it.

    As a mapping it also takes the text between names (``", ["``) to itself without white space and
    numbers to ``1``, so that ``"".join(map(names.__getitem__, TOKEN.split(args)))`` is the shape of
    an operand text.  What was looked up is remembered.
    """

    def __init__(self, outer: Names | None = None) -> None:
        super().__init__()
        self.outer = outer
        self.declared: dict[str, Variable | None] = {}
        self._directives: dict[str, Directive] = {}
        self._numbered: dict[str, tuple[int, str]] = {}

    def declare(self, variable: Variable, kind: str) -> bool:
        """Add a declaration; return whether all its names were free in this block."""
        name, count = variable.name, variable.count
        if count is None:
            free = name not in self.declared and self._number(name) is None
            self.declared[name] = variable
            self[name] = kind
            return free
        free = name not in self._numbered and not any(
            key.startswith(name) and variable.covers(key) for key in self.declared
        )
        self._numbered[name] = count, kind
        for key in [key for key in self if key.startswith(name)]:
            if key not in self.declared:
                del self[key]  # looked up before, found outside or nowhere
        return free

    def add(self, name: str, kind: str) -> bool:
        """Add a name that is no variable; return whether it was free."""
        free = name not in self.declared
        self.declared[name] = None
        self[name] = kind
        return free

    def add_directive(self, name: str, kind: str, directive: Directive) -> bool:
        """Add the label of a branch table, list of targets or prototype; return whether free."""
        self._directives[name] = directive
        return self.add(name, kind)

    def directive(self, name: str) -> Directive | None:
        """Return what a label of :meth:`add_directive` stands before."""
        block: Names | None = self
        while block is not None:
            if name in block.declared:
                return block._directives.get(name)
            block = block.outer
        return None

    def variable(self, name: str) -> Variable | None:
        """Return the declaration of a name that is not one of a numbered series."""
        block: Names | None = self
        while block is not None:
            if name in block.declared:
                return block.declared[name]
            block = block.outer
        return None

    def __missing__(self, text: str) -> str:
        first = text[:1]
        if first.isalpha() or first in ("%", "_", "$"):
            kind = self._find(text)
        elif first.isdigit() or (first == "." and text[1:2].isdigit()):
            kind = stand_in(text)
        else:
            kind = "".join(text.split())
        self[text] = kind
        return kind

    def _find(self, name: str) -> str:
        kind = self._number(name)
        if kind is None and "." in name:
            kind = self._part(name)
        if kind is not None:
            return kind
        if self.outer is not None:
            return self.outer[name]
        if name == "_":
            return "_"
        if name == "WARP_SZ":
            return "1"
        special = special_register(name) if name[0] == "%" else None
        return special[0] if special else UNDECLARED

    def _number(self, name: str) -> str | None:
        """Return the class of ``%r3`` where ``%r<4>`` is declared here."""
        digits = _NUMBER_AT_END.search(name)
        if digits is None or not self._numbered:
            return None
        for at in range(digits.start(), len(name)):
            found = self._numbered.get(name[:at])
            if found is not None and int(name[at:]) < found[0]:
                return found[1]
        return None

    def _part(self, name: str) -> str | None:
        """Return the class of ``v.x`` or of ``r.b0`` where ``v`` or ``r`` is declared here."""
        base, _, part = name.rpartition(".")
        kind = self.get(base) if base in self.declared else self._number(base)
        if kind is None or not kind.startswith("reg."):
            return None
        if kind.startswith("reg.v"):
            return f"reg.{kind.rpartition('.')[2]}" if part in _COMPONENTS else UNDECLARED
        return f"{kind}.{part}" if _SELECTORS.fullmatch(part) else UNDECLARED


def stand_in(number: str) -> str:
    """Return a number of the same kind, so that shapes do not differ in what does not matter."""
    if number[:2] in ("0f", "0F"):
        return "0f00000000"
    if number[:2] in ("0d", "0D") or (
        not number[:2].lower().startswith("0x") and _is_float(number)
    ):
        return "0d0000000000000000"
    return "1"


def _is_float(number: str) -> bool:
    return "." in number or "e" in number or "E" in number


def variable_class(variable: Variable, *, parameter: bool = False) -> str:
    """Return the class of what a declaration declares.

    ``parameter``: it stands in a function's head, where parameters are not to be written.
    """
    if variable.type in OPAQUE_TYPES:
        return f"tex{variable.type}"
    if variable.space == ".reg":
        return f"reg{variable.vector}{variable.type}"
    space = variable.space.partition("[")[0]
    return "var.input" if parameter and space == ".param" else f"var{space}"
