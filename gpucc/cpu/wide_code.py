"""LLVM IR for a whole warp: each operation is done for 32 threads at once, where they differ.

A value is wide if one of its sources is; what all threads have in common stays a scalar.  The mask
says which threads take part; it is a 32-bit integer, thread 0 lowest.
"""

from __future__ import annotations

import re

from gpucc.cpu.code import LANES, Code, Linear, Unit, Value, integer

FULL = integer(32, -1)
"""The mask of all threads."""

IOTA = Value("i32", f"<{', '.join(f'i32 {lane}' for lane in range(LANES))}>", wide=True)
"""The number of each thread in its warp."""

_FRAME_ALIGNMENT = 128
"""That of memory from ``gpucc_cpu_frame``, in bytes."""

_FLAGS = frozenset({"llvm.abs", "llvm.ctlz", "llvm.cttz"})
"""Intrinsics whose last argument is a constant and stays a scalar."""

_SUFFIX = re.compile(r"\.([if]\d+)")


def wide_type(type_: str) -> str:
    """Return the vector of a type that a wide value has."""
    return f"<{LANES} x {type_}>"


class WideCode(Code):
    """A function under construction in which values may be wide."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.mask = FULL
        """Which threads take part in what is appended."""
        self.partial = False
        """Whether other threads take part in the same instruction, in their turn."""
        self.live = self.slot("i32")
        """Where the mask of threads that have not ended is."""

    # --- giving way -------------------------------------------------------------------------------

    def suspend(self, *, last: bool = False) -> None:
        """Give way; what is appended from here on runs when the coroutine is resumed.

        ``last``: it has ended.
        """
        self.unit.declare("llvm.coro.suspend", "i8", ("token", "i1"), "")
        answer = self.op("i8", f"call i8 @llvm.coro.suspend(token none, i1 {str(last).lower()})")
        after = self.new_label()
        self.end(f"switch {answer}, label %suspended [i8 0, label %{after} i8 1, label %dropped]")
        self.place(after)

    def finish_coroutine(self, name: str, attributes: str) -> None:
        """Give the function to the unit as a coroutine: what starts it, ``(thread, parameters)``.

        It returns a handle, which holds the address of the function that goes on with it; null when
        it has ended.  Its memory, which lives until the block ends, comes from the engine.  See
        LLVM's "Coroutines", "Switched-Resume Lowering".
        """
        self.suspend(last=True)
        self.end("unreachable")
        self.place("dropped")
        self.jump("suspended")
        self.place("suspended")
        self.line("call void @llvm.coro.end(ptr %handle, i1 false, token none)")
        self.end("ret ptr %handle")
        for intrinsic, result, parameters in (
            ("llvm.coro.id", "token", ("i32", "ptr", "ptr", "ptr")),
            ("llvm.coro.size.i64", "i64", ()),
            ("gpucc_cpu_frame", "ptr", ("ptr", "i64")),
            ("llvm.coro.begin", "ptr", ("token", "ptr")),
            ("llvm.coro.end", "void", ("ptr", "i1", "token")),
        ):
            self.unit.declare(intrinsic, result, parameters, "")
        first = (
            f"  %id = call token @llvm.coro.id(i32 {_FRAME_ALIGNMENT},"
            " ptr null, ptr null, ptr null)",
            "  %frame.bytes = call i64 @llvm.coro.size.i64()",
            "  %frame = call ptr @gpucc_cpu_frame(ptr %thread, i64 %frame.bytes)",
            "  %handle = call ptr @llvm.coro.begin(token %id, ptr %frame)",
        )
        head = f'define ptr @"{name}"(ptr %thread, ptr %parameters) presplitcoroutine {attributes}'
        self.finish(head, first=first)

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
        return self._wide(value.type, shuffle)

    def _wide(self, type_: str, text: str) -> Value:
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
        return self._wide(values.type, f"insertelement {values}, {value}, {lane}")

    def bits(self, predicate: Value) -> Value:
        """Return a predicate as a mask: its bits for the threads, or all of them."""
        if not predicate.wide:
            return self.select(predicate, FULL, integer(32, 0))
        return self.op("i32", f"bitcast {predicate} to i32")

    def predicate(self, mask: Value) -> Value:
        """Return a mask as a wide predicate."""
        if mask == FULL:
            return Value("i1", "splat (i1 true)", wide=True)
        return self._wide("i1", f"bitcast {mask} to {wide_type('i1')}")

    def blend(self, new: Value, old: Value) -> Value:
        """Return ``new`` for the threads that take part, ``old`` for the others; both wide."""
        if self.mask == FULL:
            return new
        condition = self.predicate(self.mask)
        return self._wide(new.type, f"select {condition}, {new}, {old}")

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
        return self._wide(a.type, f"{operation} {x}, {y.name}")._replace(linear=linear)

    # --- what is known of how threads differ ------------------------------------------------------

    def _linear(self, value: Value) -> Linear | None:
        return value.linear if value.wide else Linear(value, 0, _TRUE)

    def _both(self, a: Linear, b: Linear) -> Value:
        if a.holds == _TRUE or a.holds == b.holds:
            return b.holds
        return a.holds if b.holds == _TRUE else super().binary("and", a.holds, b.holds)

    def _combined(self, operation: str, a: Value, b: Value) -> Linear | None:
        x, y = self._linear(a), self._linear(b)
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
        return Linear(super().binary(operation, x.base, y.base), stride, self._both(x, y))

    def _extended(self, operation: str, a: Value, type_: str) -> Linear | None:
        """A conversion of what is linear: extension only if no thread's value wraps."""
        found = a.linear
        if found is None:
            return None
        base = super().cast(operation, found.base, type_)
        if operation in ("trunc", "inttoptr", "ptrtoint"):
            return found._replace(base=base)
        if operation not in ("zext", "sext"):
            return None
        if not found.stride:
            return found._replace(base=base)
        bits, wide = int(a.type[1:]), int(type_[1:])
        span = found.stride * (LANES - 1)
        last = super().binary("add", found.base, integer(bits, span))
        exact = super().binary("add", base, integer(wide, span))
        same = super().icmp("eq", super().cast(operation, last, type_), exact)
        return Linear(base, found.stride, self._both(Linear(base, 0, same), found))

    def unary(self, operation: str, a: Value) -> Value:
        """As in :class:`Code`; wide if the source is."""
        if not a.wide:
            return super().unary(operation, a)
        return self._wide(a.type, f"{operation} {a}")

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
        wide = self._wide(type_, f"{operation} {a} to {wide_type(type_)}")
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
        return self._wide("i1", f"icmp {condition} {x}, {y.name}")

    def fcmp(self, condition: str, a: Value, b: Value) -> Value:
        """As in :class:`Code`; wide if a source is."""
        x, y = self._together(a, b)
        if not x.wide:
            return super().fcmp(condition, a, b)
        assert a.type == b.type, f"fcmp {condition} of {a} and {b}"
        return self._wide("i1", f"fcmp {condition} {x}, {y.name}")

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """As in :class:`Code`; wide if a source is."""
        if condition.name in ("true", "false"):
            return yes if condition.name == "true" else no
        c, x, y = self._together(condition, yes, no)
        if not c.wide:
            return super().select(condition, yes, no)
        assert yes.type == no.type, f"select of {yes} and {no}"
        return self._wide(yes.type, f"select {c}, {x}, {y}")

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
        return self._wide(result, text)

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

    # --- memory -----------------------------------------------------------------------------------

    def displace(self, pointer: Value, offset: Value | int) -> Value:
        """As in :class:`Code`; wide if a source is."""
        if isinstance(offset, int):
            if not offset:
                return pointer
            offset = integer(64, offset)
        if not (pointer.wide or offset.wide):
            return super().displace(pointer, offset)
        result = self._wide("ptr", f"getelementptr i8, {pointer}, {offset}")
        x, y = self._linear(pointer), self._linear(offset)
        if x is None or y is None:
            return result
        base = super().displace(x.base, y.base)
        return result._replace(linear=Linear(base, x.stride + y.stride, self._both(x, y)))

    def load(
        self, type_: str, pointer: Value, *, align: int = 0, how: str = "", constant: bool = False
    ) -> Value:
        """As in :class:`Code`; of a wide pointer the threads that take part load, each its own."""
        if not pointer.wide:
            return super().load(type_, pointer, align=align, how=how, constant=constant)
        assert not how, "an ordered access of many threads at once"
        vector = wide_type(type_)
        slot = self.slot(vector)
        mask = self.predicate(self.mask)
        first, together = self._side_by_side(pointer, type_)
        near, far, after = self.new_label(), self.new_label(), self.new_label()
        self.branch(together, near, far)
        self.place(near)
        suffix = f"v{LANES}{_mangled(type_)}"
        name = f"llvm.masked.load.{suffix}.p0"
        self.unit.declare(name, vector, ("ptr", mask.llvm_type, vector), "")
        place = f"ptr align {align or 1} {first.name}"
        loaded = self._wide(type_, f"call {vector} @{name}({place}, {mask}, {vector} poison)")
        super().store(loaded, slot)
        self.jump(after)
        self.place(far)
        name = f"llvm.masked.gather.{suffix}.v{LANES}p0"
        self.unit.declare(name, vector, (pointer.llvm_type, mask.llvm_type, vector), "")
        places = f"{pointer.llvm_type} align {align or 1} {pointer.name}"
        loaded = self._wide(type_, f"call {vector} @{name}({places}, {mask}, {vector} poison)")
        super().store(loaded, slot)
        self.place(after)
        return self._wide(type_, f"load {vector}, {slot}")

    def store(self, value: Value, pointer: Value, *, align: int = 0, how: str = "") -> None:
        """As in :class:`Code`; of a wide pointer the threads that take part store, each its own.

        Where threads store to one place, the last one's value stays.
        """
        if not pointer.wide:
            if value.wide:
                value = self.of_lane(value, self._last())
            super().store(value, pointer, align=align, how=how)
            return
        assert not how, "an ordered access of many threads at once"
        value = self.spread(value)
        mask = self.predicate(self.mask)
        first, together = self._side_by_side(pointer, value.type)
        near, far, after = self.new_label(), self.new_label(), self.new_label()
        self.branch(together, near, far)
        self.place(near)
        suffix = f"v{LANES}{_mangled(value.type)}"
        name = f"llvm.masked.store.{suffix}.p0"
        self.unit.declare(name, "void", (value.llvm_type, "ptr", mask.llvm_type), "")
        self.line(f"call void @{name}({value}, ptr align {align or 1} {first.name}, {mask})")
        self.jump(after)
        self.place(far)
        name = f"llvm.masked.scatter.{suffix}.v{LANES}p0"
        self.unit.declare(name, "void", (value.llvm_type, pointer.llvm_type, mask.llvm_type), "")
        places = f"{pointer.llvm_type} align {align or 1} {pointer.name}"
        self.line(f"call void @{name}({value}, {places}, {mask})")
        self.place(after)

    def _last(self) -> Value:
        """The number of the last thread that takes part; there is one."""
        if self.mask == FULL:
            return integer(32, LANES - 1)
        leading = self.call("i32", "llvm.ctlz.i32", self.mask, integer(1, 1))
        return self.binary("sub", integer(32, LANES - 1), leading)

    def _side_by_side(self, pointer: Value, type_: str) -> tuple[Value, Value]:
        """Return the first thread's pointer, and whether each thread's is one element further."""
        size = {"i1": 1, "float": 4, "double": 8}.get(type_) or int(type_[1:]) // 8
        if pointer.linear is not None and pointer.linear.stride == size:
            return pointer.linear.base, pointer.linear.holds
        first = self.of_lane(pointer, integer(32, 0))
        offsets = ", ".join(f"i64 {size * lane}" for lane in range(LANES))
        expected = self._wide("ptr", f"getelementptr i8, {first}, {wide_type('i64')} <{offsets}>")
        same = self.bits(self.icmp("eq", pointer, expected))
        if self.mask != FULL:
            same = self.binary("or", same, self.binary("xor", self.mask, FULL))
        return first, self.icmp("eq", same, FULL)


_TRUE = integer(1, 1)


def number(value: Value) -> int | None:
    """Return an integer constant's number, signed; None for anything else."""
    digits = value.name.removeprefix("-")
    return int(value.name) if digits.isdecimal() and value.type[0] == "i" else None


def _mangled(type_: str) -> str:
    return {"float": "f32", "double": "f64"}.get(type_, type_)
