"""The function around an instruction while it is lowered for a whole warp.

Varying registers are vectors, uniform ones scalars (:mod:`gpucc.cpu.uniform`).  What cannot be done
for all threads at once is done for one after the other: then :attr:`WideFrame.lane` is the number
of the one whose turn it is, and registers are read and written as its own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager

from gpucc.analysis.scopes import Scopes
from gpucc.cpu.code import LANES, Linear, Value, integer
from gpucc.cpu.frame import THREAD, Context, FunctionFrame
from gpucc.cpu.special import LAUNCH_BLOCK
from gpucc.cpu.storage import alignment, size
from gpucc.cpu.types import bits, llvm_type
from gpucc.cpu.uniform import Uniformity
from gpucc.cpu.wide_code import WideCode
from gpucc.cpu.wide_values import FULL, IOTA, wide_type
from gpucc.ptx.module import Function


class WideFrame(FunctionFrame):
    """Implements :class:`gpucc.cpu.site.Frame` for a kernel that runs a warp at a time."""

    def __init__(
        self,
        context: Context,
        function: Function,
        scopes: Scopes,
        shared: Mapping[str, int],
        code: WideCode,
        found: Uniformity,
    ) -> None:
        super().__init__(context, function, scopes, shared, code)
        self._wide = code
        self._uniformity = found
        self._vectors: dict[str, Value] = {}
        self._ids: dict[str, Value] = {}
        self._locals: dict[str, Value] = {}
        self._hints: dict[str, tuple[Value, Value, Value]] = {}
        self.lane: Value | None = None
        self._copies: dict[str, Value] = {}

    @property
    def wide(self) -> WideCode:
        """Where code goes."""
        return self._wide

    # --- registers --------------------------------------------------------------------------------

    def varies(self, name: str) -> bool:
        """Return whether threads may find different values in a register."""
        return self.scopes.key(name, self.at) in self._uniformity.varying

    def _vector(self, name: str, type_: str) -> Value:
        key = self.scopes.key(name, self.at)
        if key not in self._vectors:
            self._vectors[key] = self._wide.slot(wide_type(llvm_type(type_)), zero=True)
        return self._vectors[key]

    def read_register(self, name: str) -> Value:
        """Return what is in a register: a wide value if it varies, or that of the one thread."""
        slot, type_ = self._known(name)
        constant = self._uniformity.constants.get(self.scopes.key(name, self.at))
        if constant is not None and llvm_type(type_)[0] == "i":
            return integer(bits(type_), constant)
        if not self.varies(name):
            return self._wide.load(llvm_type(type_), slot)
        code, kind = self._wide, llvm_type(type_)
        if self.lane is not None and self.scopes.key(name, self.at) in self._copies:
            return code.load(kind, self._own(name, kind))
        text = f"load {wide_type(kind)}, {self._vector(name, type_)}"
        values = Value(kind, code.op(kind, text).name, wide=True)
        if self.lane is not None:
            return code.of_lane(values, self.lane)
        stride = self._uniformity.strides.get(self.scopes.key(name, self.at))
        if stride is None:
            return values
        base, high, holds = self._hint(name, kind)
        linear = Linear(
            code.load(kind, base),
            stride,
            code.load("i1", holds),
            code.load(kind, high) if code.halves else None,
        )
        return values._replace(linear=linear)

    def _hint(self, name: str, kind: str) -> tuple[Value, Value, Value]:
        """Where a register of threads 0 and 16 is, and whether the others follow from them."""
        key = self.scopes.key(name, self.at)
        if key not in self._hints:
            code = self._wide
            base, high = code.slot(kind, zero=True), code.slot(kind, zero=True)
            self._hints[key] = base, high, code.slot("i1", zero=True)
        return self._hints[key]

    def write_register(self, name: str, value: Value) -> None:
        """Put a value of the register's type into it, for the threads that take part."""
        code = self._wide
        slot, type_ = self._known(name)
        if not self.varies(name):
            assert not value.wide, f"{name} is uniform, and was given a value for each thread"
            code.store(value, slot)
            return
        place, kind = self._vector(name, type_), llvm_type(type_)
        key = self.scopes.key(name, self.at)
        if self.lane is not None and key in self._copies:
            code.store(value, self._own(name, kind))
            return
        old: Value | None = None
        if self.lane is not None or code.partial or key in self._uniformity.kept:
            text = f"load {wide_type(kind)}, {place}"
            old = Value(kind, code.op(kind, text).name, wide=True)
        if self.lane is not None:
            assert old is not None
            new = code.with_value(old, self.lane, value)
        else:
            new = code.spread(value)
            if old is not None:
                # Threads that take part find what is linear linear; no others read it.
                new = code.blend(new, old)._replace(linear=new.linear)
        code.line(f"store {new}, {place}")
        if key in self._uniformity.strides:
            base, high, holds = self._hint(name, kind)
            linear = new.linear if value.wide else Linear(value, 0, integer(1, 1), value)
            if linear is not None and linear.stride == self._uniformity.strides[key]:
                code.store(linear.base, base)
                code.store(linear.holds, holds)
                if linear.high is not None:
                    code.store(linear.high, high)
            else:
                code.store(integer(1, 0), holds)

    # --- one thread after the other ---------------------------------------------------------------

    @contextmanager
    def one_by_one(self, names: Iterable[str]) -> Generator[None]:
        """Have those of the registers ``names`` that vary in memory, each thread's by its number.

        What is appended inside is for one thread, whose number :attr:`lane` is.
        """
        code = self._wide
        copied: list[tuple[Value, Value, str]] = []
        for name in names:
            if not self.varies(name):
                continue
            _, type_ = self._known(name)
            kind = llvm_type(type_)
            if kind == "i1":  # vectors of these have no bytes
                continue
            vector, copy = self._vector(name, type_), code.slot(wide_type(kind), align=64)
            values = code.op(kind, f"load {wide_type(kind)}, {vector}").name
            code.line(f"store {wide_type(kind)} {values}, {copy}")
            self._copies[self.scopes.key(name, self.at)] = copy
            copied.append((copy, vector, kind))
        yield
        self._copies.clear()
        for copy, vector, kind in copied:
            values = code.op(kind, f"load {wide_type(kind)}, {copy}").name
            code.line(f"store {wide_type(kind)} {values}, {vector}")

    def _own(self, name: str, kind: str) -> Value:
        """Where the thread whose turn it is has a register."""
        assert self.lane is not None
        code = self._wide
        copy = self._copies[self.scopes.key(name, self.at)]
        step = {"float": 4, "double": 8, "ptr": 8}.get(kind) or int(kind[1:]) // 8
        offset = code.binary("mul", code.resize(self.lane, 64), integer(64, step))
        return code.displace(copy, offset)

    # --- special registers ------------------------------------------------------------------------

    def begin(self, first: Value) -> None:
        """Compute the threads' numbers; ``first`` is that of the warp's first in the block."""
        code = self._wide
        linear = code.binary("add", first, IOTA)
        self._ids["linear"] = linear
        block = code.load("ptr", THREAD, constant=True)
        launch = code.load("ptr", block, constant=True)
        extents = [
            code.load("i32", code.displace(launch, LAUNCH_BLOCK + 4 * axis), constant=True)
            for axis in range(3)
        ]
        flat = code.icmp("eq", code.binary("mul", extents[1], extents[2]), integer(32, 1))
        starts = self._starts(first, extents, flat)
        slots = [code.slot(wide_type("i32"), zero=True) for _ in range(3)]
        line, box, after = code.new_label(), code.new_label(), code.new_label()
        code.branch(flat, line, box)
        code.place(line)
        code.line(f"store {linear}, {slots[0]}")
        code.jump(after)
        code.place(box)
        uneven = code.new_label()
        if code.halves:
            rows = code.new_label()
            code.branch(starts["x"].holds, rows, uneven)
            code.place(rows)
            for axis, slot in zip("xyz", slots, strict=True):
                code.line(f"store {code.of_halves(starts[axis])}, {slot}")
            code.jump(after)
        code.place(uneven)
        self._divide(first, extents, slots)
        code.place(after)
        for axis, slot in zip("xyz", slots, strict=True):
            name = code.op("i32", f"load {wide_type('i32')}, {slot}").name
            self._ids[axis] = Value("i32", name, wide=True, linear=starts[axis])

    def _starts(self, first: Value, extents: list[Value], flat: Value) -> dict[str, Linear]:
        """Return how x, y and z go on through a warp, or through each half of it."""
        code = self._wide
        pieces = 2 if code.halves else 1
        places: list[tuple[Value, Value, Value]] = []
        in_row = integer(1, 1)
        for piece in range(pieces):
            begin = code.binary("add", first, integer(32, piece * LANES // 2)) if piece else first
            column = code.binary("urem", begin, extents[0])
            row = code.binary("udiv", begin, extents[0])
            last = code.binary("add", column, integer(32, LANES // pieces - 1))
            inside = code.icmp("ult", last, extents[0])
            in_row = code.binary("and", in_row, inside) if piece else inside
            places.append(
                (
                    code.select(flat, begin, column),
                    code.binary("urem", row, extents[1]),
                    code.binary("udiv", row, extents[1]),
                )
            )
        holds = code.binary("or", flat, in_row)
        low, high = places[0], places[1] if pieces == 2 else (None, None, None)
        return {axis: Linear(low[n], int(n == 0), holds, high[n]) for n, axis in enumerate("xyz")}

    def _divide(self, first: Value, extents: list[Value], slots: list[Value]) -> None:
        """Split numbers in the block into x, y and z: divide once, then carry until it is right."""
        code = self._wide
        row = code.binary("udiv", first, extents[0])
        x = code.binary("add", code.binary("urem", first, extents[0]), IOTA)
        y = code.spread(code.binary("urem", row, extents[1]))
        z = code.spread(code.binary("udiv", row, extents[1]))
        for value, slot in zip((x, y, z), slots, strict=True):
            code.line(f"store {value}, {slot}")
        again, done = code.new_label(), code.new_label()
        code.place(again)
        carried = integer(32, 0)
        for axis in range(2):
            names = [code.op("i32", f"load {wide_type('i32')}, {slots[axis + n]}") for n in (0, 1)]
            here, above = (Value("i32", name.name, wide=True) for name in names)
            over = code.icmp("uge", here, extents[axis])
            less = code.binary("sub", here, extents[axis])
            code.line(f"store {code.select(over, less, here)}, {slots[axis]}")
            more = code.binary("add", above, integer(32, 1))
            code.line(f"store {code.select(over, more, above)}, {slots[axis + 1]}")
            carried = code.binary("or", carried, code.bits(over))
        code.branch(code.icmp("eq", carried, integer(32, 0)), done, again)
        code.place(done)

    def special(self, name: str, type_: str) -> Value:
        """Return a special register, wide if threads differ in it."""
        found = self._own_number(name)
        if found is None:
            return super().special(name, type_)
        if self.lane is not None:
            found = self._wide.of_lane(found, self.lane)
        return self._wide.resize(found, bits(type_))

    def _own_number(self, name: str) -> Value | None:
        code = self._wide
        base, _, axis = name.removeprefix("%").partition(".")
        if base == "tid" and axis:
            return self._ids[axis] if axis in "xyz" else integer(32, 0)
        one = integer(32, 1)
        match base:
            case "laneid":
                return IOTA
            case "warpid":
                first = code.of_lane(self._ids["linear"], integer(32, 0))
                return code.binary("lshr", first, integer(32, 5))
            case "lanemask_eq":
                return code.binary("shl", one, IOTA)
            case "lanemask_lt":
                return code.binary("sub", code.binary("shl", one, IOTA), one)
            case "lanemask_le":
                lower = code.binary("sub", code.binary("shl", one, IOTA), one)
                return code.binary("or", lower, code.binary("shl", one, IOTA))
            case "lanemask_gt":
                upper = code.binary("shl", FULL, IOTA)
                return code.binary("xor", upper, code.binary("shl", one, IOTA))
            case "lanemask_ge":
                return code.binary("shl", FULL, IOTA)
            case _:
                return None

    # --- variables --------------------------------------------------------------------------------

    def symbol(self, name: str) -> Value:
        """Return an address; of a variable in local space, each thread's own."""
        found = self.scopes.variable(name, self.at)
        if found is None or found[1].space != ".local":
            return super().symbol(name)
        code, variable = self._wide, found[1]
        key = self.scopes.key(name, self.at)
        align = max(alignment(variable), 8)
        step = -(-size(variable) // align) * align
        if key not in self._locals:
            self._locals[key] = code.slot(f"[{step * LANES} x i8]", align=align)
        base = self._locals[key]
        if self.lane is not None:
            offset = code.binary("mul", code.resize(self.lane, 64), integer(64, step))
            return code.displace(base, offset)
        offsets = ", ".join(f"i64 {step * lane}" for lane in range(LANES))
        return code.displace(base, Value("i64", f"<{offsets}>", wide=True))
