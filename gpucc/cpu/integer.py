"""Integer arithmetic (PTX ISA 9.7.1), packed integers among it.

What PTX leaves to the machine never traps here: a quotient by zero is all ones, the remainder by
zero is the dividend, the smallest integer divided by -1 is itself.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucc.cpu.code import Value, integer
from gpucc.cpu.site import Lowering, Lowerings, Site
from gpucc.cpu.types import bits, is_signed

_LANES = {"u16x2": ("u16", 2), "s16x2": ("s16", 2), "u8x4": ("u8", 4), "s8x4": ("s8", 4)}

Binary = Callable[[Site, str, Value, Value], Value]


def ones(width: int) -> Value:
    """Return a constant with all bits set."""
    return integer(width, -1)


def _by_lane(site: Site, type_: str, compute: Callable[[str, list[Value]], Value]) -> None:
    """Apply ``compute`` to the sources, lane by lane if the type is packed; write the result."""
    code = site.code
    sources = [site.read(index, type_) for index in range(1, len(site.operands))]
    if type_ not in _LANES:
        site.write(0, compute(type_, sources), type_)
        return
    lane, count = _LANES[type_]
    width = bits(lane)
    result = integer(32, 0)
    for index in range(count):
        shift = integer(32, index * width)
        parts = [code.resize(code.binary("lshr", source, shift), width) for source in sources]
        part = code.resize(compute(lane, parts), 32)
        result = code.binary("or", result, code.binary("shl", part, shift))
    site.write(0, result, type_)


def _simple(compute: Binary) -> Lowering:
    """A lowering of two sources that knows nothing of modifiers but ``.relu``."""

    def lower(site: Site) -> None:
        def one(type_: str, sources: list[Value]) -> Value:
            result = compute(site, type_, sources[0], sources[1])
            if site.has("relu"):
                zero = integer(bits(type_), 0)
                result = site.code.call(result.type, f"llvm.smax.{result.type}", result, zero)
            return result

        _by_lane(site, site.types[-1], one)

    return lower


# --- sums -----------------------------------------------------------------------------------------


def _sum(operation: str) -> Lowering:
    """``add`` and ``sub``: wrapping, saturating, or with the carry flag."""

    def lower(site: Site) -> None:
        mnemonic = site.instruction.mnemonic
        type_ = site.types[-1]
        if site.has("cc") or mnemonic.endswith("c"):
            a, b = site.read(1, type_), site.read(2, type_)
            site.write(0, _carried(site, operation, a, b, mnemonic.endswith("c")), type_)
            return

        def one(lane: str, sources: list[Value]) -> Value:
            a, b = sources
            if not site.has("sat"):
                return site.code.binary(operation, a, b)
            sign = "s" if is_signed(lane) else "u"
            return site.code.call(a.type, f"llvm.{sign}{operation}.sat.{a.type}", a, b)

        _by_lane(site, type_, one)

    return lower


def _carried(site: Site, operation: str, a: Value, b: Value, with_carry: bool) -> Value:
    """Add or subtract with the carry flag (of ``sub``: the borrow) as PTX has it."""
    code, width = site.code, int(a.type[1:])
    wide = width + 1
    result = code.binary(operation, code.resize(a, wide), code.resize(b, wide))
    if with_carry:
        carry = code.resize(code.load("i1", site.frame.carry()), wide)
        result = code.binary(operation, result, carry)
    if site.has("cc"):
        out = code.resize(code.binary("lshr", result, integer(wide, width)), 1)
        code.store(out, site.frame.carry())
    return code.resize(result, width)


# --- products -------------------------------------------------------------------------------------


def _product(site: Site, type_: str, a: Value, b: Value) -> Value:
    """The whole product, twice as wide."""
    code, width = site.code, 2 * bits(type_)
    signed = is_signed(type_)
    return code.binary(
        "mul", code.resize(a, width, signed=signed), code.resize(b, width, signed=signed)
    )


def _half_of_product(site: Site, type_: str, a: Value, b: Value) -> Value:
    code, width = site.code, bits(type_)
    if site.has("lo"):
        return code.binary("mul", a, b)
    product = _product(site, type_, a, b)
    return code.resize(code.binary("lshr", product, integer(2 * width, width)), width)


def _doubled(type_: str) -> str:
    return f"{type_[0]}{2 * bits(type_)}"


def _multiply(site: Site) -> None:
    type_ = site.types[-1]
    a, b = site.read(1, type_), site.read(2, type_)
    if site.has("wide"):
        site.write(0, _product(site, type_, a, b), _doubled(type_))
    else:
        site.write(0, _half_of_product(site, type_, a, b), type_)


def _multiply_add(site: Site) -> None:
    code, type_ = site.code, site.types[-1]
    a, b = site.read(1, type_), site.read(2, type_)
    if site.has("wide"):
        c = site.read(3, _doubled(type_))
        site.write(0, code.binary("add", _product(site, type_, a, b), c), _doubled(type_))
        return
    c = site.read(3, type_)
    product = _half_of_product(site, type_, a, b)
    with_carry = site.instruction.mnemonic == "madc"
    if site.has("cc") or with_carry:
        result = _carried(site, "add", product, c, with_carry)
    elif site.has("sat"):
        result = code.call(product.type, f"llvm.sadd.sat.{product.type}", product, c)
    else:
        result = code.binary("add", product, c)
    site.write(0, result, type_)


def _product_24(site: Site, type_: str, a: Value, b: Value) -> Value:
    """The low or the high 32 of the 48 bits of a product of the low 24 bits."""
    code, signed = site.code, is_signed(type_)
    a, b = (code.resize(code.resize(v, 24), 48, signed=signed) for v in (a, b))
    product = code.binary("mul", a, b)
    if site.has("hi"):
        product = code.binary("lshr", product, integer(48, 16))
    return code.resize(product, 32)


def _multiply_24(site: Site) -> None:
    code, type_ = site.code, site.types[-1]
    result = _product_24(site, type_, site.read(1, type_), site.read(2, type_))
    if site.instruction.mnemonic == "mad24":
        c = site.read(3, type_)
        if site.has("sat"):
            result = code.call("i32", "llvm.sadd.sat.i32", result, c)
        else:
            result = code.binary("add", result, c)
    site.write(0, result, type_)


def _dot_product(site: Site) -> None:
    """``dp4a`` and ``dp2a``: products of bytes, and of halves with bytes, summed up."""
    code = site.code
    a_type, b_type = site.types[0], site.types[1]
    a, b, total = site.read(1, "b32"), site.read(2, "b32"), site.read(3, "b32")
    count, width = (4, 8) if site.instruction.mnemonic == "dp4a" else (2, 16)
    first = 2 if site.has("hi") else 0
    for index in range(count):
        x = _part(site, a, index * width, width, signed=is_signed(a_type))
        y = _part(site, b, (first + index) * 8, 8, signed=is_signed(b_type))
        total = code.binary("add", total, code.binary("mul", x, y))
    site.write(0, total, "b32")


def _part(site: Site, value: Value, at: int, width: int, *, signed: bool) -> Value:
    code = site.code
    part = code.resize(code.binary("lshr", value, integer(32, at)), width)
    return code.resize(part, 32, signed=signed)


# --- quotients ------------------------------------------------------------------------------------


def _divide(site: Site, type_: str, a: Value, b: Value) -> Value:
    code, width = site.code, bits(type_)
    zero = code.icmp("eq", b, integer(width, 0))
    if is_signed(type_):
        inverse = code.icmp("eq", b, ones(width))
        safe = code.select(code.binary("or", zero, inverse), integer(width, 1), b)
        quotient = code.binary("sdiv", a, safe)
        negated = code.binary("sub", integer(width, 0), a)
        quotient = code.select(inverse, negated, quotient)
    else:
        quotient = code.binary("udiv", a, code.select(zero, integer(width, 1), b))
    return code.select(zero, ones(width), quotient)


def _remainder(site: Site, type_: str, a: Value, b: Value) -> Value:
    code, width = site.code, bits(type_)
    zero = code.icmp("eq", b, integer(width, 0))
    if is_signed(type_):
        inverse = code.icmp("eq", b, ones(width))
        safe = code.select(code.binary("or", zero, inverse), integer(width, 1), b)
        rest = code.binary("srem", a, safe)
    else:
        rest = code.binary("urem", a, code.select(zero, integer(width, 1), b))
    return code.select(zero, a, rest)


# --- others ---------------------------------------------------------------------------------------


def _extreme(name: str) -> Binary:
    def compute(site: Site, type_: str, a: Value, b: Value) -> Value:
        sign = "s" if is_signed(type_) else "u"
        return site.code.call(a.type, f"llvm.{sign}{name}.{a.type}", a, b)

    return compute


def _absolute(site: Site) -> None:
    type_ = site.types[-1]
    value = site.read(1, type_)
    result = site.code.call(value.type, f"llvm.abs.{value.type}", value, integer(1, 0))
    site.write(0, result, type_)


def _negate(site: Site) -> None:
    def one(type_: str, sources: list[Value]) -> Value:
        return site.code.binary("sub", integer(bits(type_), 0), sources[0])

    _by_lane(site, site.types[-1], one)


def _sum_of_differences(site: Site) -> None:
    code, type_ = site.code, site.types[-1]
    a, b, c = (site.read(index, type_) for index in (1, 2, 3))
    less = code.icmp("slt" if is_signed(type_) else "ult", a, b)
    difference = code.select(less, code.binary("sub", b, a), code.binary("sub", a, b))
    site.write(0, code.binary("add", difference, c), type_)


def _count(intrinsic: str) -> Lowering:
    def lower(site: Site) -> None:
        value = site.read(1, site.types[-1])
        extra = () if intrinsic == "ctpop" else (integer(1, 0),)
        count = site.code.call(value.type, f"llvm.{intrinsic}.{value.type}", value, *extra)
        site.write(0, site.code.resize(count, 32), "u32")

    return lower


def _find_leading(site: Site) -> None:
    """``bfind``: where the highest bit is that is not a copy of the sign."""
    code, type_ = site.code, site.types[-1]
    width = bits(type_)
    value = site.read(1, type_)
    if is_signed(type_):
        sign = code.binary("ashr", value, integer(width, width - 1))
        value = code.binary("xor", value, sign)
    leading = code.call(value.type, f"llvm.ctlz.{value.type}", value, integer(1, 0))
    none = code.icmp("eq", value, integer(width, 0))
    place = leading
    if not site.has("shiftamt"):
        place = code.binary("sub", integer(width, width - 1), leading)
    site.write(0, code.select(none, ones(32), code.resize(place, 32)), "u32")


def _find_nth(site: Site) -> None:
    result = site.code.call(
        "i32", "gpucc_cpu_fns", site.read(1, "b32"), site.read(2, "b32"), site.read(3, "s32")
    )
    site.write(0, result, "b32")


def _reverse(site: Site) -> None:
    type_ = site.types[-1]
    value = site.read(1, type_)
    site.write(0, site.code.call(value.type, f"llvm.bitreverse.{value.type}", value), type_)


# --- bit fields -----------------------------------------------------------------------------------


def shift(site: Site, operation: str, value: Value, amount: Value) -> Value:
    """``shl`` or ``lshr`` by an amount of the same width; zero for what is shifted out."""
    code, width = site.code, int(value.type[1:])
    inside = code.icmp("ult", amount, integer(width, width))
    safe = code.select(inside, amount, integer(width, 0))
    return code.select(inside, code.binary(operation, value, safe), integer(width, 0))


def _low_mask(site: Site, count: Value) -> Value:
    """A mask of the ``count`` lowest bits; all of them if there are fewer."""
    width = int(count.type[1:])
    return site.code.binary("xor", shift(site, "shl", ones(width), count), ones(width))


def _field(site: Site, operand: int, width: int) -> Value:
    """The position or length of a field, which is eight bits, as ``width`` bits."""
    value = site.code.binary("and", site.read(operand, "u32"), integer(32, 0xFF))
    return site.code.resize(value, width)


def _extract(site: Site) -> None:
    code, type_ = site.code, site.types[-1]
    width = bits(type_)
    value = site.read(1, type_)
    position, length = _field(site, 2, width), _field(site, 3, width)
    if not is_signed(type_):
        field = code.binary("and", shift(site, "lshr", value, position), _low_mask(site, length))
        site.write(0, field, type_)
        return
    # The sign is the field's last bit, or the value's if the field reaches beyond it.
    last = code.binary("sub", code.binary("add", position, length), integer(width, 1))
    last = code.call(last.type, f"llvm.umin.{last.type}", last, integer(width, width - 1))
    sign = code.resize(code.binary("lshr", value, last), 1)
    empty = code.icmp("eq", length, integer(width, 0))
    sign = code.binary("and", sign, code.binary("xor", empty, integer(1, 1)))
    room = code.call(last.type, f"llvm.usub.sat.{last.type}", integer(width, width), position)
    mask = _low_mask(site, code.call(last.type, f"llvm.umin.{last.type}", length, room))
    field = code.binary("and", shift(site, "lshr", value, position), mask)
    filled = code.binary("or", field, code.binary("xor", mask, ones(width)))
    site.write(0, code.select(sign, filled, field), type_)


def _insert(site: Site) -> None:
    code, type_ = site.code, site.types[-1]
    width = bits(type_)
    field, target = site.read(1, type_), site.read(2, type_)
    position, length = _field(site, 3, width), _field(site, 4, width)
    mask = shift(site, "shl", _low_mask(site, length), position)
    kept = code.binary("and", target, code.binary("xor", mask, ones(width)))
    placed = code.binary("and", shift(site, "shl", field, position), mask)
    site.write(0, code.binary("or", kept, placed), type_)


def _limited(site: Site, operand: int) -> tuple[Value, Value]:
    """A count of bits: wrapped or clamped to 32; and whether it was 32 or more under clamp."""
    code = site.code
    value = site.read(operand, "u32")
    if site.has("wrap"):
        return code.binary("and", value, integer(32, 31)), integer(1, 0)
    beyond = code.icmp("uge", value, integer(32, 32))
    return code.select(beyond, integer(32, 32), value), beyond


def _extend(site: Site) -> None:
    """``szext``: the low bits, extended by sign or zeros."""
    code, type_ = site.code, site.types[-1]
    value = site.read(1, type_)
    count, _ = _limited(site, 2)
    mask = _low_mask(site, count)
    low = code.binary("and", value, mask)
    if is_signed(type_):
        top = shift(site, "lshr", value, code.binary("sub", count, integer(32, 1)))
        filled = code.binary("or", low, code.binary("xor", mask, ones(32)))
        low = code.select(code.resize(top, 1), filled, low)
    site.write(0, low, type_)


def _mask(site: Site) -> None:
    """``bmsk``: so many ones from a position on."""
    position, _ = _limited(site, 1)
    count, _ = _limited(site, 2)
    site.write(0, shift(site, "shl", _low_mask(site, count), position), "b32")


LOWERINGS: Lowerings = {
    "add": _sum("add"),
    "addc": _sum("add"),
    "sub": _sum("sub"),
    "subc": _sum("sub"),
    "mul": _multiply,
    "mad": _multiply_add,
    "madc": _multiply_add,
    "mul24": _multiply_24,
    "mad24": _multiply_24,
    "dp4a": _dot_product,
    "dp2a": _dot_product,
    "div": _simple(_divide),
    "rem": _simple(_remainder),
    "min": _simple(_extreme("min")),
    "max": _simple(_extreme("max")),
    "abs": _absolute,
    "neg": _negate,
    "sad": _sum_of_differences,
    "popc": _count("ctpop"),
    "clz": _count("ctlz"),
    "bfind": _find_leading,
    "fns": _find_nth,
    "brev": _reverse,
    "bfe": _extract,
    "bfi": _insert,
    "szext": _extend,
    "bmsk": _mask,
}
