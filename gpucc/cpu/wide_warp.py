"""Barriers and warp operations where a warp runs as one: operations on vectors.

Threads that an operation names and that do not take part here would have to be waited for; that
ends the kernel with an error, unless they have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gpucc.cpu import control
from gpucc.cpu.code import LANES, Value, integer
from gpucc.cpu.site import Site
from gpucc.cpu.uniform import Uniformity
from gpucc.cpu.wide_code import WideCode
from gpucc.cpu.wide_values import FULL, IOTA, number, wide_type
from gpucc.ptx.module import Instruction, Operand, Pair

WideOperation = Callable[[Site, WideCode, Value], None]
"""Lowers an operation for those threads that take part; its last argument is their mask."""

_MEMBERS = {"shfl": 4, "vote": 2, "elect": 1, "redux": 2}
"""Which operand of an operation with ``.sync`` names the threads that it is for."""

_ALL = (1 << LANES) - 1

UNSUPPORTED = frozenset({"match", "mma", "ldmatrix", "stmatrix", "movmatrix", "wmma"})
"""Warp operations that need a fiber for each thread."""


def barrier(site: Site, code: WideCode) -> None:
    """A barrier that the whole warp reaches: it gives way until the other warps have come."""
    if site.has("warp"):
        named = site.read(0, "b32")
        if not named.wide:
            _present(site, code, named)
        return
    operands = list(site.operands)
    result: Operand | None = operands.pop(0) if site.has("red") else None
    predicate = integer(32, 0)
    kind = 0
    if result is not None:
        bits = code.bits(site.read(operands.pop(), "pred"))
        if site.has("and"):
            kind, missing = 3, code.binary("xor", bits, FULL)
            some = code.icmp("eq", code.binary("and", missing, code.mask), integer(32, 0))
        else:
            kind, some = 4, code.icmp("ne", code.binary("and", bits, code.mask), integer(32, 0))
        predicate = code.resize(some, 32)
    thread, which = site.frame.thread, site.read(operands[0], "u32")
    given = (thread, which, integer(32, kind), predicate, site.frame.site())
    code.call("void", "gpucc_cpu_meet", *given)
    code.suspend()
    if result is not None:
        answer = code.call("i32", "gpucc_cpu_met", thread)
        site.write(result, code.icmp("ne", answer, integer(32, 0)), "pred")


def operation(site: Site, code: WideCode) -> None:
    """A warp operation, for each set of threads that name each other."""
    lower = LOWERINGS[site.instruction.mnemonic]
    if not site.has("sync"):
        lower(site, code, code.mask)
        return
    named = site.read(_MEMBERS[site.instruction.mnemonic], "b32")
    if not named.wide:
        lower(site, code, _present(site, code, named))
        return
    before = code.mask
    left = code.slot("i32")
    code.store(before, left)
    again, done = code.new_label(), code.new_label()
    code.place(again)
    remaining = code.load("i32", left)
    first = code.call("i32", "llvm.cttz.i32", remaining, integer(1, 1))
    own = code.of_lane(named, first)
    same = code.binary("and", code.bits(code.icmp("eq", named, own)), remaining)
    rest = code.binary("and", remaining, code.binary("xor", same, FULL))
    code.store(rest, left)
    code.mask, code.partial = same, True
    lower(site, code, _present(site, code, own))
    code.mask, code.partial = before, False
    code.branch(code.icmp("eq", rest, integer(32, 0)), done, again)
    code.place(done)


def named(instruction: Instruction, at: int, found: Uniformity) -> int:
    """Return the threads that an operation may be for, as far as the text tells."""
    if "sync" not in instruction.parts:
        return 0
    operand = instruction.operands[_MEMBERS.get(instruction.mnemonic, 0)]
    value = found.constant(operand, at)
    return _ALL if value is None else value & _ALL


def _present(site: Site, code: WideCode, named: Value) -> Value:
    """Return those of ``named`` that take part, having seen that no others are waited for."""
    waiting = code.binary("and", named, code.load("i32", code.live))
    elsewhere = code.binary("and", waiting, code.binary("xor", code.mask, FULL))
    with code.when(code.icmp("ne", elsewhere, integer(32, 0))):
        control.trap(site)
    return code.binary("and", named, code.mask)


def _write_pair(site: Site, value: Value, predicate: Value, type_: str) -> None:
    target = site.operands[0]
    if isinstance(target, Pair):
        site.write(target.first, value, type_)
        site.write(target.second, predicate, "pred")
    else:
        site.write(target, value, type_)


def _shuffle(site: Site, code: WideCode, members: Value) -> None:
    """``shfl``: PTX ISA 9.7.9.6, "shfl.sync", has the arithmetic."""
    value = code.spread(site.read(1, "b32"))
    lane = code.binary("and", site.read(2, "u32"), integer(32, 31))
    bounds = site.read(3, "u32")
    clamp = code.binary("and", bounds, integer(32, 31))
    segment = code.binary("and", code.binary("lshr", bounds, integer(32, 8)), integer(32, 31))
    outside = code.binary("xor", segment, FULL)
    low = code.binary("and", IOTA, segment)
    limit = code.binary("or", low, code.binary("and", clamp, outside))
    if site.has("up"):
        source = code.binary("sub", IOTA, lane)
        valid = code.icmp("sge", source, limit)
    elif site.has("down"):
        source = code.binary("add", IOTA, lane)
        valid = code.icmp("sle", source, limit)
    elif site.has("bfly"):
        source = code.binary("xor", IOTA, lane)
        valid = code.icmp("sle", source, limit)
    else:
        source = code.binary("or", low, code.binary("and", lane, outside))
        valid = code.icmp("sle", source, limit)
    source = code.select(valid, source, IOTA)
    known = _known_sources(site, code)
    if known is not None:
        order = ", ".join(f"i32 {source}" for source in known)
        text = f"shufflevector {value}, {value}, {wide_type('i32')} <{order}>"
        moved = Value("i32", code.op("i32", text).name, wide=True)
    else:
        slot = code.slot(wide_type("i32"), align=64)
        code.line(f"store {value}, {slot}")
        offset = code.binary(
            "shl", code.resize(code.binary("and", source, integer(32, 31)), 64), integer(64, 2)
        )
        places = code.displace(slot, offset)
        vector = wide_type("i32")
        name = f"llvm.masked.gather.v{LANES}i32.v{LANES}p0"
        mask = code.predicate(FULL)
        code.unit.declare(name, vector, (places.llvm_type, mask.llvm_type, vector), "")
        given = f"{places.llvm_type} align 4 {places.name}"
        text = f"call {vector} @{name}({given}, {mask}, {vector} poison)"
        moved = Value("i32", code.op("i32", text).name, wide=True)
    _write_pair(site, moved, valid, "b32")


def _known_sources(site: Site, code: WideCode) -> list[int] | None:
    """Return whom each thread reads from, where the operands are constants."""
    given = [number(site.read(operand, "u32")) for operand in (2, 3)]
    if given[0] is None or given[1] is None:
        return None
    lane, clamp, segment = given[0] & 31, given[1] & 31, given[1] >> 8 & 31
    sources: list[int] = []
    for own in range(LANES):
        low = own & segment
        limit = low | (clamp & ~segment & 31)
        if site.has("up"):
            source, valid = own - lane, own - lane >= limit
        elif site.has("down"):
            source, valid = own + lane, own + lane <= limit
        elif site.has("bfly"):
            source, valid = own ^ lane, (own ^ lane) <= limit
        else:
            source = low | (lane & ~segment & 31)
            valid = source <= limit
        sources.append(source if valid else own)
    return sources


def _vote(site: Site, code: WideCode, members: Value) -> None:
    bits = code.binary("and", code.bits(site.read(1, "pred")), members)
    zero = integer(32, 0)
    if site.has("ballot"):
        site.write(0, bits, "b32")
    elif site.has("any"):
        site.write(0, code.icmp("ne", bits, zero), "pred")
    elif site.has("all"):
        site.write(0, code.icmp("eq", bits, members), "pred")
    else:
        none, every = code.icmp("eq", bits, zero), code.icmp("eq", bits, members)
        site.write(0, code.binary("or", none, every), "pred")


def _active_mask(site: Site, code: WideCode, members: Value) -> None:
    del members
    site.write(0, code.mask, "b32")


def _elect(site: Site, code: WideCode, members: Value) -> None:
    leader = code.call("i32", "llvm.cttz.i32", members, integer(1, 0))
    _write_pair(site, leader, code.icmp("eq", IOTA, leader), "b32")


_REDUCTIONS = {
    ("add", "u32"): "add", ("add", "s32"): "add", ("min", "u32"): "umin", ("max", "u32"): "umax",
    ("min", "s32"): "smin", ("max", "s32"): "smax", ("and", "b32"): "and", ("or", "b32"): "or",
    ("xor", "b32"): "xor",
}  # fmt: skip
_NEUTRAL = {"umin": -1, "and": -1, "smin": (1 << 31) - 1, "smax": 1 << 31}


def _reduce(site: Site, code: WideCode, members: Value) -> None:
    type_ = site.types[-1]
    found = next((op for (w, t), op in _REDUCTIONS.items() if t == type_ and site.has(w)), None)
    if found is None:
        raise site.refuse("is not supported on the CPU target")
    neutral = integer(32, _NEUTRAL.get(found, 0))
    values = code.spread(code.select(code.predicate(members), site.read(1, "b32"), neutral))
    name = f"llvm.vector.reduce.{found}.v{LANES}i32"
    code.unit.declare(name, "i32", (values.llvm_type,), "")
    site.write(0, code.op("i32", f"call i32 @{name}({values})"), "b32")


LOWERINGS: Mapping[str, WideOperation] = {
    "shfl": _shuffle,
    "vote": _vote,
    "activemask": _active_mask,
    "elect": _elect,
    "redux": _reduce,
}
