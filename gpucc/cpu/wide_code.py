"""LLVM IR for a whole warp: its accesses to memory, and where it gives way.

What lies side by side is loaded and stored as a vector, where it can be seen that it does: from how
threads differ (:class:`Linear`), else by a look at the addresses.
"""

from __future__ import annotations

from gpucc.cpu.code import LANES, Linear, Value, integer
from gpucc.cpu.wide_values import FULL, LOW_HALF, WideValues, wide_type

_FRAME_ALIGNMENT = 128
"""That of memory from ``gpucc_cpu_frame``, in bytes."""


class WideCode(WideValues):
    """A function under construction that runs a warp."""

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

    # --- memory -----------------------------------------------------------------------------------

    def displace(self, pointer: Value, offset: Value | int) -> Value:
        """As in :class:`Code`; wide if a source is."""
        if isinstance(offset, int):
            if not offset:
                return pointer
            offset = integer(64, offset)
        if not (pointer.wide or offset.wide):
            return super().displace(pointer, offset)
        result = self.wide("ptr", f"getelementptr i8, {pointer}, {offset}")
        x, y = self.linear(pointer), self.linear(offset)
        if x is None or y is None:
            return result
        return result._replace(linear=self.of_two(super().displace, x, y, x.stride + y.stride))

    def load(
        self, type_: str, pointer: Value, *, align: int = 0, how: str = "", constant: bool = False
    ) -> Value:
        """As in :class:`Code`; of a wide pointer the threads that take part load, each its own."""
        if not pointer.wide:
            return super().load(type_, pointer, align=align, how=how, constant=constant)
        assert not how, "an ordered access of many threads at once"
        slot = self.slot(wide_type(type_))
        after = self.new_label()
        if pointer.linear is not None and pointer.linear.stride == 0:
            far = self._if(pointer.linear.holds)
            super().store(self._one_for_all(type_, pointer.linear, align), slot)
            self.jump(after)
        else:
            first, together, high = self._side_by_side(pointer, type_)
            far = self._if(together)
            halves = self._if(self._continues(first, high, type_)) if high is not None else ""
            super().store(self._side(type_, first, self.predicate(self.mask), align), slot)
            self.jump(after)
            if high is not None:
                self.place(halves)
                pair = [
                    self._side(type_, place, self._half(self.predicate(self.mask), which), align)
                    for which, place in enumerate((first, high))
                ]
                super().store(self._joined(*pair), slot)
                self.jump(after)
        self.place(far)
        mask, vector = self.predicate(self.mask), wide_type(type_)
        name = f"llvm.masked.gather.v{LANES}{_mangled(type_)}.v{LANES}p0"
        self.unit.declare(name, vector, (pointer.llvm_type, mask.llvm_type, vector), "")
        places = f"{pointer.llvm_type} align {align or 1} {pointer.name}"
        loaded = self.wide(type_, f"call {vector} @{name}({places}, {mask}, {vector} poison)")
        super().store(loaded, slot)
        self.place(after)
        return self.wide(type_, f"load {wide_type(type_)}, {slot}")

    def _if(self, condition: Value) -> str:
        """Go on here if a condition holds, else at the label returned."""
        here, otherwise = self.new_label(), self.new_label()
        self.branch(condition, here, otherwise)
        self.place(here)
        return otherwise

    def _one_for_all(self, type_: str, linear: Linear, align: int) -> Value:
        """Load what all threads, or all of each half, have the same address of."""
        if linear.high is None or linear.high == linear.base:
            return self.spread(super().load(type_, linear.base, align=align))
        # The address of a half in which no thread takes part may be no address.
        halves = (linear.base, linear.high)
        loaded: list[Value] = []
        for which, bits in enumerate((0xFFFF, -0x10000)):
            some = self.icmp("ne", self.binary("and", self.mask, integer(32, bits)), integer(32, 0))
            place = self.select(some, halves[which], halves[1 - which])
            loaded.append(self.spread(super().load(type_, place, align=align)))
        low = Value("i1", LOW_HALF, wide=True)
        return self.select(low, *loaded)

    def _side(self, type_: str, first: Value, mask: Value, align: int) -> Value:
        """Load for as many threads as ``mask`` has, side by side from ``first`` on."""
        lanes = LANES if mask.wide else LANES // 2
        vector = f"<{lanes} x {type_}>"
        name = f"llvm.masked.load.v{lanes}{_mangled(type_)}.p0"
        kind = f"<{lanes} x i1>"
        self.unit.declare(name, vector, ("ptr", kind, vector), "")
        place = f"ptr align {align or 1} {first.name}"
        text = f"call {vector} @{name}({place}, {kind} {mask.name}, {vector} poison)"
        return self.wide(type_, text) if mask.wide else self.op(vector, text)

    def _half(self, value: Value, which: int) -> Value:
        """Return the lower (0) or upper (1) half of a wide value, as a vector."""
        begin = which * LANES // 2
        order = ", ".join(f"i32 {lane}" for lane in range(begin, begin + LANES // 2))
        kind = f"<{LANES // 2} x {value.type}>"
        return self.op(
            kind, f"shufflevector {value}, {value.llvm_type} poison, <{LANES // 2} x i32> <{order}>"
        )

    def _joined(self, low: Value, high: Value) -> Value:
        order = ", ".join(f"i32 {lane}" for lane in range(LANES))
        type_ = low.type.split(" x ")[1].removesuffix(">")
        return self.wide(type_, f"shufflevector {low}, {high}, <{LANES} x i32> <{order}>")

    def _continues(self, first: Value, high: Value, type_: str) -> Value:
        """Return whether the second half lies behind the first."""
        return self.icmp("eq", super().displace(first, _size(type_) * LANES // 2), high)

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
        first, together, high = self._side_by_side(pointer, value.type)
        after = self.new_label()
        far = self._if(together)
        halves = self._if(self._continues(first, high, value.type)) if high is not None else ""
        self._store_side(value, first, self.predicate(self.mask), align)
        self.jump(after)
        if high is not None:
            self.place(halves)
            for which, place in enumerate((first, high)):
                mask = self._half(self.predicate(self.mask), which)
                self._store_side(self._half(value, which), place, mask, align)
            self.jump(after)
        self.place(far)
        mask = self.predicate(self.mask)
        name = f"llvm.masked.scatter.v{LANES}{_mangled(value.type)}.v{LANES}p0"
        self.unit.declare(name, "void", (value.llvm_type, pointer.llvm_type, mask.llvm_type), "")
        places = f"{pointer.llvm_type} align {align or 1} {pointer.name}"
        self.line(f"call void @{name}({value}, {places}, {mask})")
        self.place(after)

    def _store_side(self, value: Value, first: Value, mask: Value, align: int) -> None:
        lanes = LANES if mask.wide else LANES // 2
        type_ = value.type if value.wide else value.type.split(" x ")[1].removesuffix(">")
        name = f"llvm.masked.store.v{lanes}{_mangled(type_)}.p0"
        self.unit.declare(name, "void", (value.llvm_type, "ptr", mask.llvm_type), "")
        self.line(f"call void @{name}({value}, ptr align {align or 1} {first.name}, {mask})")

    def _last(self) -> Value:
        """The number of the last thread that takes part; there is one."""
        if self.mask == FULL:
            return integer(32, LANES - 1)
        leading = self.call("i32", "llvm.ctlz.i32", self.mask, integer(1, 1))
        return self.binary("sub", integer(32, LANES - 1), leading)

    def _side_by_side(self, pointer: Value, type_: str) -> tuple[Value, Value, Value | None]:
        """Return the first thread's pointer and whether each thread's is one element further.

        With the pointer of thread 16, if that is true of each half by itself.
        """
        size, linear = _size(type_), pointer.linear
        if linear is not None and linear.stride == size:
            return linear.base, linear.holds, linear.high
        first = self.of_lane(pointer, integer(32, 0))
        offsets = ", ".join(f"i64 {size * lane}" for lane in range(LANES))
        expected = self.wide("ptr", f"getelementptr i8, {first}, {wide_type('i64')} <{offsets}>")
        same = self.bits(self.icmp("eq", pointer, expected))
        if self.mask != FULL:
            same = self.binary("or", same, self.binary("xor", self.mask, FULL))
        return first, self.icmp("eq", same, FULL), None


def _size(type_: str) -> int:
    """Return the bytes that a value takes in memory."""
    return {"i1": 1, "float": 4, "double": 8}.get(type_) or int(type_[1:]) // 8


def _mangled(type_: str) -> str:
    return {"float": "f32", "double": "f64"}.get(type_, type_)
