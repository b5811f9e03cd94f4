"""Bitwise operations, shifts and permutations of bytes (PTX ISA 9.7.8)."""

from __future__ import annotations

from collections.abc import Mapping

from gpucc.cpu.code import Value, integer
from gpucc.cpu.integer import ones
from gpucc.cpu.site import Lowering, Lowerings, Site
from gpucc.cpu.types import bits, is_signed
from gpucc.ptx.module import Pair


def _bitwise(operation: str) -> Lowering:
    def lower(site: Site) -> None:
        type_ = site.types[-1]
        site.write(0, site.code.binary(operation, site.read(1, type_), site.read(2, type_)), type_)

    return lower


def _invert(site: Site) -> None:
    type_ = site.types[-1]
    value = site.read(1, type_)
    site.write(0, site.code.binary("xor", value, ones(bits(type_))), type_)


def _is_zero(site: Site) -> None:
    """``cnot``: 1 for zero, 0 for anything else."""
    type_ = site.types[-1]
    zero = site.code.icmp("eq", site.read(1, type_), integer(bits(type_), 0))
    site.write(0, site.code.resize(zero, bits(type_)), type_)


# --- any function of three ------------------------------------------------------------------------


def _lookup(site: Site) -> None:
    """``lop3``: the function of three bits whose table is the constant, on all bits at once."""
    code = site.code
    a, b, c = (site.read(index, "b32") for index in (1, 2, 3))
    table = site.number(4)
    if table == 0x96:
        result = code.binary("xor", code.binary("xor", a, b), c)
    else:
        with_a = code.binary("and", a, _of_two(site, table >> 4, b, c))
        inverse = code.binary("xor", a, ones(32))
        without = code.binary("and", inverse, _of_two(site, table & 15, b, c))
        result = code.binary("or", with_a, without)
    target = site.operands[0]
    if not isinstance(target, Pair):
        site.write(target, result, "b32")
        return
    site.write(target.first, result, "b32")
    operation = "or" if site.has("or") else "and"
    some = code.icmp("ne", result, integer(32, 0))
    site.write(target.second, code.binary(operation, some, site.read(5, "pred")), "pred")


def _of_two(site: Site, table: int, b: Value, c: Value) -> Value:
    """The function of two bits whose table is ``table``: its bit 2 * b + c."""
    code = site.code
    with_b = code.binary("and", b, _of_one(site, table >> 2, c))
    inverse = code.binary("xor", b, ones(32))
    without = code.binary("and", inverse, _of_one(site, table & 3, c))
    return code.binary("or", with_b, without)


def _of_one(site: Site, table: int, c: Value) -> Value:
    return (
        integer(32, 0),
        site.code.binary("xor", c, ones(32)),
        c,
        ones(32),
    )[table]


# --- shifts ---------------------------------------------------------------------------------------


def _shift(site: Site) -> None:
    """``shl`` and ``shr``: amounts beyond the width give zeros, or copies of the sign."""
    code, type_ = site.code, site.types[-1]
    width = bits(type_)
    value, amount = site.read(1, type_), site.read(2, "u32")
    outside = code.icmp("uge", amount, integer(32, width))
    amount = code.select(outside, integer(32, width - 1), amount)
    narrow = code.resize(amount, width)
    if site.instruction.mnemonic == "shr" and is_signed(type_):
        site.write(0, code.binary("ashr", value, narrow), type_)
        return
    operation = "shl" if site.instruction.mnemonic == "shl" else "lshr"
    shifted = code.binary(operation, value, narrow)
    site.write(0, code.select(outside, integer(width, 0), shifted), type_)


def _funnel(site: Site) -> None:
    """``shf``: 32 of the 64 bits of two registers, shifted together."""
    code = site.code
    low, high = site.read(1, "b32"), site.read(2, "b32")
    amount = site.read(3, "u32")
    if site.has("wrap"):
        amount = code.binary("and", amount, integer(32, 31))
    else:
        amount = code.call("i32", "llvm.umin.i32", amount, integer(32, 32))
    both = code.binary("shl", code.resize(high, 64), integer(64, 32))
    both = code.binary("or", both, code.resize(low, 64))
    wide = code.resize(amount, 64)
    if site.has("l"):
        shifted = code.binary("lshr", code.binary("shl", both, wide), integer(64, 32))
    else:
        shifted = code.binary("lshr", both, wide)
    site.write(0, code.resize(shifted, 32), "b32")


# --- bytes ----------------------------------------------------------------------------------------

_MODES: Mapping[str, tuple[int, int, int, int]] = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}
"""Selectors by mode and the two low bits of the control (PTX ISA 9.7.9.7, "prmt")."""


def _permute(site: Site) -> None:
    code = site.code
    a, b, control = (site.read(index, "b32") for index in (1, 2, 3))
    mode = next((word for word in site.words if word in _MODES), None)
    selectors = control
    if mode is not None:
        packed = sum(each << (16 * index) for index, each in enumerate(_MODES[mode]))
        chosen = code.binary("and", control, integer(32, 3))
        amount = code.binary("shl", code.resize(chosen, 64), integer(64, 4))
        selectors = code.resize(code.binary("lshr", integer(64, packed), amount), 32)
    both = code.binary("shl", code.resize(b, 64), integer(64, 32))
    both = code.binary("or", both, code.resize(a, 64))
    result = integer(32, 0)
    for index in range(4):
        selector = code.binary("lshr", selectors, integer(32, 4 * index))
        number = code.binary("and", selector, integer(32, 7))
        amount = code.resize(code.binary("shl", number, integer(32, 3)), 64)
        byte = code.resize(code.binary("lshr", both, amount), 8)
        if mode is None:
            sign = code.binary("ashr", byte, integer(8, 7))
            replicate = code.resize(code.binary("lshr", selector, integer(32, 3)), 1)
            byte = code.select(replicate, sign, byte)
        placed = code.binary("shl", code.resize(byte, 32), integer(32, 8 * index))
        result = code.binary("or", result, placed)
    site.write(0, result, "b32")


LOWERINGS: Lowerings = {
    "and": _bitwise("and"),
    "or": _bitwise("or"),
    "xor": _bitwise("xor"),
    "not": _invert,
    "cnot": _is_zero,
    "lop3": _lookup,
    "shl": _shift,
    "shr": _shift,
    "shf": _funnel,
    "prmt": _permute,
}
