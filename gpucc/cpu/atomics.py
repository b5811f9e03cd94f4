"""Atomic operations, reductions and fences.

Scopes are not told apart: every operation is atomic for the whole process.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucc.cpu import half
from gpucc.cpu.code import Value, integer
from gpucc.cpu.site import Lowerings, Site
from gpucc.cpu.types import bits, llvm_type
from gpucc.ptx.isa import MemoryAccess, memory_access
from gpucc.ptx.module import Operand

_ORDERS = {
    "relaxed": "monotonic",
    "acquire": "acquire",
    "release": "release",
    "acq_rel": "acq_rel",
}
_INTEGER = {
    "exch": "xchg",
    "add": "add",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "inc": "uinc_wrap",
    "dec": "udec_wrap",
}
"""LLVM's operations; ``inc`` is ``old >= b ? 0 : old + 1``, ``dec`` wraps to ``b`` (PTX ISA)."""


def _access(site: Site) -> MemoryAccess:
    access = memory_access(site.instruction)
    if access is None or site.has("async", "bulk") or access.window == "cluster":
        raise site.refuse("is not supported on the CPU target")
    return access


def _atom(site: Site) -> None:
    access = _access(site)
    pointer = site.pointer(1, access.space)
    if access.operation == "cas":
        site.write(0, _compare_and_swap(site, access, pointer), access.type)
        return
    results = site.items(0)
    values = _each(site, access, pointer, site.operands[2])
    for result, value in zip(results, values, strict=True):
        site.write(result, value, access.type)


def _reduce(site: Site) -> None:
    access = _access(site)
    _each(site, access, site.pointer(0, access.space), site.operands[1])


def _each(site: Site, access: MemoryAccess, pointer: Value, operand: Operand) -> list[Value]:
    """Do the operation on each element of a vector; return what stood there."""
    step = bits(access.type) // 8
    return [
        _one(site, access, site.code.displace(pointer, index * step), item)
        for index, item in enumerate(site.items(operand))
    ]


def _one(site: Site, access: MemoryAccess, pointer: Value, operand: Operand) -> Value:
    code, type_, order = site.code, access.type, _ORDERS[access.semantics]
    if type_ in ("f16", "bf16", "f16x2", "bf16x2"):
        return _packed(site, access, pointer, operand)
    operation = _operation(access)
    if operation is None:
        raise site.refuse("is not supported on the CPU target")
    value = site.read(operand, type_)
    return code.op(
        llvm_type(type_),
        f"atomicrmw {operation} {pointer}, {value} {order}, align {bits(type_) // 8}",
    )


def _operation(access: MemoryAccess) -> str | None:
    if access.type[0] == "f":
        return "fadd" if access.operation == "add" else None
    if access.operation in ("min", "max"):
        return access.operation if access.type[0] == "s" else f"u{access.operation}"
    return _INTEGER.get(access.operation)


def _compare_and_swap(site: Site, access: MemoryAccess, pointer: Value) -> Value:
    code, order = site.code, _ORDERS[access.semantics]
    width = bits(access.type)
    expected, value = site.read(2, access.type), site.read(3, access.type)
    failure = {"release": "monotonic", "acq_rel": "acquire"}.get(order, order)
    pair = code.op(
        f"{{ i{width}, i1 }}",
        f"cmpxchg {pointer}, {expected}, {value} {order} {failure}, align {width // 8}",
    )
    return code.extract(pair, 0, f"i{width}")


def _packed(site: Site, access: MemoryAccess, pointer: Value, operand: Operand) -> Value:
    """16-bit floats: each half is added by itself, which is all that PTX promises of a pair."""
    lane = access.type.removesuffix("x2")
    value = site.read(operand, access.type)
    if access.type == lane:
        return _exchange(
            site, access, pointer, lambda old: _combine(site, access, lane, old, value)
        )
    code = site.code
    low = code.resize(value, 16)
    high = code.resize(code.binary("lshr", value, integer(32, 16)), 16)

    def both(old: Value) -> Value:
        old_high = code.resize(code.binary("lshr", old, integer(32, 16)), 16)
        new_low = _combine(site, access, lane, code.resize(old, 16), low)
        new_high = _combine(site, access, lane, old_high, high)
        shifted = code.binary("shl", code.resize(new_high, 32), integer(32, 16))
        return code.binary("or", shifted, code.resize(new_low, 32))

    return _exchange(site, access, pointer, both)


def _combine(site: Site, access: MemoryAccess, lane: str, old: Value, value: Value) -> Value:
    code = site.code
    a, b = half.widen(site, old, lane), half.widen(site, value, lane)
    if access.operation == "add":
        result = code.binary("fadd", a, b)
    else:
        name = {"min": "llvm.minimumnum.f32", "max": "llvm.maximumnum.f32"}[access.operation]
        result = code.call("float", name, a, b)
    return half.narrow(site, result, lane)


def _exchange(
    site: Site, access: MemoryAccess, pointer: Value, change: Callable[[Value], Value]
) -> Value:
    """Replace what stands at ``pointer`` by ``change`` of it, atomically; return what stood."""
    code, width = site.code, bits(access.type)
    type_ = f"i{width}"
    old_slot = code.slot(type_)
    code.store(code.load(type_, pointer, align=width // 8, how="monotonic"), old_slot)
    again, done = code.new_label(), code.new_label()
    code.place(again)
    old = code.load(type_, old_slot)
    pair = code.op(
        f"{{ {type_}, i1 }}",
        f"cmpxchg {pointer}, {old}, {change(old)} acq_rel acquire, align {width // 8}",
    )
    code.store(code.extract(pair, 0, type_), old_slot)
    code.branch(code.extract(pair, 1, "i1"), done, again)
    code.place(done)
    return old


def _fence(site: Site) -> None:
    if site.has("sc") or site.instruction.mnemonic == "membar":
        order = "seq_cst"
    else:
        order = next((w for w in site.words if w in ("acquire", "release")), "acq_rel")
    site.code.line(f"fence {order}")


LOWERINGS: Lowerings = {"atom": _atom, "red": _reduce, "membar": _fence, "fence": _fence}
