"""LLVM IR for a whole warp: each operation is done for 32 threads at once, where they differ.

A value is wide if one of its sources is; what all threads have in common stays a scalar.  The mask
says which threads take part; it is a 32-bit integer, thread 0 lowest.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from gpucc.cpu.code import LANES, Code, Linear, Unit, Value, integer

FULL = integer(32, -1)
"""The mask of all threads."""

IOTA = Value("i32", f"<{', '.join(f'i32 {lane}' for lane in range(LANES))}>", wide=True)
"""The number of each thread in its warp."""

_FLAGS = frozenset({"llvm.abs", "llvm.ctlz", "llvm.cttz"})
"""Intrinsics whose last argument is a constant and stays a scalar."""

_SUFFIX = re.compile(r"\.([if]\d+)")


def wide_type(type_: str) -> str:
    """Return the vector of a type that a wide value has."""
    return f"<{LANES} x {type_}>"


class WideValues(Code):
    """A function under construction in which values may be wide: all but its memory."""

    def __init__(self, unit: Unit, *, halves: bool = False) -> None:
        super().__init__(unit)
        self.halves = halves
        """Whether what is linear in each half of a warp is told from what is not."""
        self.mask = FULL
        """Which threads take part in what is appended."""
        self.partial = False
        """Whether other threads take part in the same instruction, in their turn."""
        self.live = self.slot("i32")
        """Where the mask of threads that have not ended is."""

    # --- wide values ------------------------------------------------------------------------------

    def spread(self, value: Value) -> Value:
        """Return a scalar as the same value for all threads; a wide value as it is."""
        if value.wide:
            return value
        if value.name[0] not in "%@":
            if value.name == "null":
                return Value("ptr", "zeroinitializer", wide=True)
            return Value(value.type, f"splat ({value.type} {value.name})", wide=True)
        first = self.fresh()
        vector = wide_type(value.type)
        self.line(f"{first} = insertelement {vector} poison, {value}, i64 0")
        shuffle = (
            f"shufflevector {vector} {first}, {vector} poison, <{LANES} x i32> zeroinitializer"
        )
        return self.wide(value.type, shuffle)

    def wide(self, type_: str, text: str) -> Value:
        """Append an instruction whose result is wide; ``type_`` is that of each thread's."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return Value(type_, name, wide=True)

    def of_lane(self, value: Value, lane: Value) -> Value:
        """Return the value of one thread, given by its number."""
        if not value.wide:
            return value
        return self.op(value.type, f"extractelement {value}, {lane}")

    def with_value(self, values: Value, lane: Value, value: Value) -> Value:
        """Return ``values`` with that of one thread replaced."""
        return self.wide(values.type, f"insertelement {values}, {value}, {lane}")

    def of_halves(self, linear: Linear) -> Value:
        """Return what a :class:`Linear` says of each half of the warp, as a wide value."""
        assert linear.high is not None
        low = Value("i1", LOW_HALF, wide=True)
        values = self.select(low, self.spread(linear.base), self.spread(linear.high))
        steps = ", ".join(
            f"{linear.base.type} {linear.stride * (lane % (LANES // 2))}" for lane in range(LANES)
        )
        return self.binary("add", values, Value(linear.base.type, f"<{steps}>", wide=True))

    def bits(self, predicate: Value) -> Value:
        """Return a predicate as a mask: its bits for the threads, or all of them."""
        if not predicate.wide:
            return self.select(predicate, FULL, integer(32, 0))
        return self.op("i32", f"bitcast {predicate} to i32")

    def predicate(self, mask: Value) -> Value:
        """Return a mask as a wide predicate."""
        if mask == FULL:
            return Value("i1", "splat (i1 true)", wide=True)
        return self.wide("i1", f"bitcast {mask} to {wide_type('i1')}")

    def blend(self, new: Value, old: Value) -> Value:
        """Return ``new`` for the threads that take part, ``old`` for the others; both wide."""
        if self.mask == FULL:
            return new
        condition = self.predicate(self.mask)
        return self.wide(new.type, f"select {condition}, {new}, {old}")

    # --- instructions -----------------------------------------------------------------------------

    def _together(self, *values: Value) -> tuple[Value, ...]:
        return tuple(map(self.spread, values)) if any(v.wide for v in values) else values

    def binary(self, operation: str, a: Value, b: Value) -> Value:
        """As in :class:`Code`; wide if a source is."""
        x, y = self._together(a, b)
        if not x.wide:
            return super().binary(operation, a, b)
        assert a.type == b.type, f"{operation} of {a} and {b}"
        linear = self._combined(operation, a, b)
        return self.wide(a.type, f"{operation} {x}, {y.name}")._replace(linear=linear)

    # --- what is known of how threads differ ------------------------------------------------------

    def linear(self, value: Value) -> Linear | None:
        """Return how a value, wide or not, differs from thread to thread."""
        if value.wide:
            return value.linear
        return Linear(value, 0, _TRUE, value if self.halves else None)

    def _both(self, a: Value, b: Value) -> Value:
        if a in (_TRUE, b):
            return b
        return a if b == _TRUE else super().binary("and", a, b)

    def _moved(self, linear: Linear, move: Callable[[Value], Value]) -> Linear:
        """Do the same to the first value of the warp and to that of its second half."""
        high = linear.high
        base = move(linear.base)
        return linear._replace(base=base, high=None if high is None else move(high))

    def _combined(self, operation: str, a: Value, b: Value) -> Linear | None:
        x, y = self.linear(a), self.linear(b)
        if x is None or y is None or operation not in ("add", "sub", "mul", "shl"):
            return None
        match operation:
            case "add":
                stride = x.stride + y.stride
            case "sub":
                stride = x.stride - y.stride
            case "shl":
                amount = number(b)
                if amount is None and x.stride:
                    return None
                stride = x.stride << (amount or 0)
            case _:
                first, second = number(a), number(b)
                if x.stride == 0 and y.stride == 0:
                    stride = 0
                elif y.stride == 0 and second is not None:
                    stride = x.stride * second
                elif x.stride == 0 and first is not None:
                    stride = y.stride * first
                else:
                    return None
        return self.of_two(functools.partial(super().binary, operation), x, y, stride)

    def of_two(
        self, combine: Callable[[Value, Value], Value], x: Linear, y: Linear, stride: int
    ) -> Linear:
        """Combine two that are linear into one that goes up by ``stride``."""
        base = combine(x.base, y.base)
        high = None
        if x.high is not None and y.high is not None:
            same = x.base == x.high and y.base == y.high
            high = base if same else combine(x.high, y.high)
        return Linear(base, stride, self._both(x.holds, y.holds), high)

    def _extended(self, operation: str, a: Value, type_: str) -> Linear | None:
        """A conversion of what is linear: extension only if no thread's value wraps."""
        found = a.linear
        if found is None or operation not in ("trunc", "inttoptr", "ptrtoint", "zext", "sext"):
            return None
        moved = self._moved(
            found, lambda value: super(WideValues, self).cast(operation, value, type_)
        )
        if operation not in ("zext", "sext") or not found.stride:
            return moved
        bits, wide = int(a.type[1:]), int(type_[1:])
        span = found.stride * (LANES - 1 if found.high is None else LANES // 2 - 1)
        holds = found.holds
        for narrow, extended in ((found.base, moved.base), (found.high, moved.high)):
            if narrow is None or extended is None:
                continue
            last = super().binary("add", narrow, integer(bits, span))
            exact = super().binary("add", extended, integer(wide, span))
            same = super().icmp("eq", super().cast(operation, last, type_), exact)
            holds = self._both(same, holds)
        return moved._replace(holds=holds)

    def unary(self, operation: str, a: Value) -> Value:
        """As in :class:`Code`; wide if the source is."""
        if not a.wide:
            return super().unary(operation, a)
        return self.wide(a.type, f"{operation} {a}")

    def cast(self, operation: str, a: Value, type_: str) -> Value:
        """As in :class:`Code`; wide if the source is."""
        if a.type == type_:
            return a
        value = number(a)
        if value is not None and type_[0] == "i" and operation in ("trunc", "zext", "sext"):
            unsigned = value & ((1 << int(a.type[1:])) - 1)
            return integer(int(type_[1:]), unsigned if operation == "zext" else value)
        if not a.wide:
            return super().cast(operation, a, type_)
        linear = self._extended(operation, a, type_)
        wide = self.wide(type_, f"{operation} {a} to {wide_type(type_)}")
        return wide._replace(linear=linear)

    def icmp(self, condition: str, a: Value, b: Value) -> Value:
        """As in :class:`Code`; wide if a source is."""
        first, second = number(a), number(b)
        if condition == "uge" and first is not None and second is not None and first >= 0 <= second:
            return integer(1, int(first >= second))  # whether a shift is too far
        x, y = self._together(a, b)
        if not x.wide:
            return super().icmp(condition, a, b)
        assert a.type == b.type, f"icmp {condition} of {a} and {b}"
        return self.wide("i1", f"icmp {condition} {x}, {y.name}")

    def fcmp(self, condition: str, a: Value, b: Value) -> Value:
        """As in :class:`Code`; wide if a source is."""
        x, y = self._together(a, b)
        if not x.wide:
            return super().fcmp(condition, a, b)
        assert a.type == b.type, f"fcmp {condition} of {a} and {b}"
        return self.wide("i1", f"fcmp {condition} {x}, {y.name}")

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """As in :class:`Code`; wide if a source is."""
        if condition.name in ("true", "false"):
            return yes if condition.name == "true" else no
        c, x, y = self._together(condition, yes, no)
        if not c.wide:
            return super().select(condition, yes, no)
        assert yes.type == no.type, f"select of {yes} and {no}"
        return self.wide(yes.type, f"select {c}, {x}, {y}")

    def call(self, result: str, name: str, *arguments: Value, attributes: str = "") -> Value:
        """As in :class:`Code`: an intrinsic of wide values, or a call for each thread."""
        if not any(a.wide for a in arguments):
            return super().call(result, name, *arguments, attributes=attributes)
        if not name.startswith("llvm."):
            return self._for_each(result, name, arguments, attributes)
        base = ".".join(name.split(".")[:2])
        flags = 1 if base in _FLAGS else 0
        given = [
            *map(self.spread, arguments[: len(arguments) - flags]),
            *arguments[-flags:][:flags],
        ]
        mangled = _SUFFIX.sub(rf".v{LANES}\1", name)
        self.unit.declare(mangled, wide_type(result), tuple(a.llvm_type for a in given), attributes)
        text = f"call {wide_type(result)} @{mangled}({', '.join(map(str, given))})"
        return self.wide(result, text)

    def _for_each(
        self, result: str, name: str, arguments: tuple[Value, ...], attributes: str
    ) -> Value:
        """Call a function without effects for each thread, one after the other."""
        results = Value(result, "poison", wide=True)
        for number in range(LANES):
            lane = integer(32, number)
            own = [self.of_lane(argument, lane) for argument in arguments]
            one = super().call(result, name, *own, attributes=attributes)
            results = self.with_value(results, lane, one)
        return results


LOW_HALF = "<" + ", ".join(f"i1 {str(lane < LANES // 2).lower()}" for lane in range(LANES)) + ">"


_TRUE = integer(1, 1)


def number(value: Value) -> int | None:
    """Return an integer constant's number, signed; None for anything else."""
    digits = value.name.removeprefix("-")
    return int(value.name) if digits.isdecimal() and value.type[0] == "i" else None
