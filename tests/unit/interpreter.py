"""Runs one thread of a PTX kernel, integers only, and reports the memory that it touches.

For tests of analyses: it shares no code with them beyond the parser.  Integer instructions are
exact; the results of all others (floating point, textures, …) are random numbers, which is as good
as data that was loaded.  Other threads do not exist: barriers do nothing, lanes exchange with
themselves.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpucc.ptx.module import (
    Address,
    Brace,
    Declaration,
    Directive,
    Displaced,
    Element,
    Function,
    Group,
    Immediate,
    Instruction,
    Label,
    Module,
    Name,
    Not,
    Operand,
    Pair,
    Variable,
    Vector,
)

WINDOW = 1 << 36
"""Bytes of address space for each variable; parameters of a kernel point to windows of their own"""

SHARED = 1 << 24
"""Shared variables lie within 32 bits of address space, a megabyte each."""
LOCAL, MODULE, PARAM, POINTERS = (n * (WINDOW << 6) for n in range(1, 5))


class Stop(Exception):
    """The thread is done, or ran into something that is not supported."""


@dataclass(frozen=True)
class Touch:
    """One access: by which statement of which function, where, and whether it writes."""

    function: str
    statement: int
    address: int
    writes: bool


@dataclass
class Frame:
    function: Function
    registers: dict[str, int] = field(default_factory=dict)
    variables: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


_INTEGER = re.compile(r"[busf](8|16|32|64)")


def width_of(word: str) -> int:
    found = _INTEGER.fullmatch(word)
    return (
        int(found[1])
        if found
        else {"pred": 1, "f16x2": 32, "bf16x2": 32, "b128": 128}.get(word, 16)
    )


def signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


class Thread:
    """One thread.

    ``step`` is called before each statement of the kernel itself, and ``touching`` before each of
    its accesses to memory, with the address.
    """

    def __init__(
        self,
        module: Module,
        special: Mapping[str, int],
        parameters: Mapping[str, bytes],
        seed: int,
        step: Callable[[Frame, int], None] = lambda frame, statement: None,
        touching: Callable[[Frame, int, int], None] = lambda frame, statement, address: None,
        limit: int = 20_000,
        largest: int = 1 << 10,
    ):
        self.module = module
        self.special = special
        self.parameters = parameters
        self.random = random.Random(seed)
        self.step = step
        self.touching = touching
        self.left = limit
        self.largest = largest
        self.memory: dict[int, int] = {}
        self.touched: list[Touch] = []
        self.depth = 0
        self.globals: dict[str, int] = {}
        self.functions = {f.name: f for f in module.functions if f.body is not None}
        self.next_local = LOCAL

    # --- memory -------------------------------------------------------------------------------

    def load(self, address: int, size: int) -> int:
        """Read bytes; what was never written is a small random number, and stays it.

        On the stack it is an address of the stack, so that using it does no harm; and so are the
        pointers that other threads would have put into shared memory.
        """
        on_stack = LOCAL <= address < MODULE
        if address not in self.memory and (on_stack or (size == 8 and SHARED <= address < LOCAL)):
            return LOCAL
        if address % size == 0 and all(address + i not in self.memory for i in range(size)):
            self.store(address, self.random.randrange(self.largest), size)
        return sum(self.memory.setdefault(address + i, 0) << (8 * i) for i in range(size))

    def store(self, address: int, value: int, size: int) -> None:
        for i in range(size):
            self.memory[address + i] = value >> (8 * i) & 255

    # --- functions ----------------------------------------------------------------------------

    def run(self, kernel: Function) -> None:
        frame = Frame(kernel)
        for index, variable in enumerate(kernel.signature.params):
            at = PARAM + index * 4096
            frame.variables[variable.name] = at
            for i, byte in enumerate(self.parameters[variable.name]):
                self.memory[at + i] = byte
        with contextlib.suppress(Stop):
            self.body(frame)

    def body(self, frame: Frame) -> None:
        statements = frame.function.statements
        labels = {s.name: i for i, s in enumerate(statements) if isinstance(s, Label)}
        tables = {
            s.name: t.names
            for s, t in itertools.pairwise(statements)
            if isinstance(s, Label) and isinstance(t, Directive) and t.name == ".branchtargets"
        }
        at = 0
        while at < len(statements):
            statement = statements[at]
            if self.depth == 0:
                self.step(frame, at)
            if isinstance(statement, Declaration):
                for variable in statement.variables:
                    self.declare(frame, variable)
            elif isinstance(statement, Instruction):
                self.left -= 1
                if self.left < 0:
                    raise Stop
                if self.holds(frame, statement):
                    mnemonic = statement.mnemonic
                    if mnemonic in ("ret", "exit", "trap"):
                        if mnemonic != "ret":
                            raise Stop
                        return
                    if mnemonic == "bra":
                        at = labels[statement.args.strip()]
                        continue
                    if mnemonic == "brx":
                        index, table = (str(o) for o in statement.operands)
                        targets = tables[table]
                        at = labels[targets[self.value(frame, Name(index), 32) % len(targets)]]
                        continue
                    self.execute(frame, statement, at)
            else:
                assert isinstance(statement, (Label, Brace, Directive))
            at += 1

    def holds(self, frame: Frame, instruction: Instruction) -> bool:
        if instruction.predicate is None:
            return True
        name, wanted = instruction.predicate
        return bool(frame.registers.get(name, 0) & 1) is wanted

    def declare(self, frame: Frame, variable: Variable) -> None:
        if variable.space in (".local", ".param"):
            if variable.name not in frame.variables:
                frame.variables[variable.name] = self.next_local
                self.next_local += 1 << 16
            frame.sizes[variable.name] = variable.size or 8
        elif variable.space == ".shared":
            frame.variables[variable.name] = self.global_variable(variable.name, SHARED)

    def global_variable(self, name: str, base: int) -> int:
        if name not in self.globals:
            apart = 1 << 20 if base == SHARED else WINDOW
            self.globals[name] = base + len(self.globals) * apart
        return self.globals[name]

    def address_of(self, frame: Frame, name: str) -> int:
        if name in frame.variables:
            return frame.variables[name]
        for declaration in self.module.declarations:
            for variable in declaration.variables:
                if variable.name == name:
                    base = SHARED if variable.space == ".shared" else MODULE
                    return self.global_variable(name, base)
        return self.global_variable(name, MODULE)  # a function

    # --- operands -----------------------------------------------------------------------------

    def value(self, frame: Frame, operand: Operand, width: int) -> int:
        mask = (1 << width) - 1
        match operand:
            case Name(name):
                if name in frame.registers:
                    return frame.registers[name] & mask
                if name == "WARP_SZ":
                    return 32
                if name[0] == "%" and name[1:] in self.special:
                    return self.special[name[1:]] & mask
                if name[0] == "%":
                    return self.random.randrange(1 << min(width, 5)) & mask
                return self.address_of(frame, name) & mask
            case Immediate():
                value = operand.value
                return value & mask if isinstance(value, int) else self.noise(width)
            case Displaced(base, offset):
                return (self.value(frame, base, width) + int(offset.value or 0)) & mask
            case Element(base):
                return self.value(frame, base, width)
            case Not(inner):
                return 1 - (self.value(frame, inner, 1) & 1)
            case Vector(items):
                part = width // len(items)
                return sum(self.value(frame, x, part) << (i * part) for i, x in enumerate(items))
            case _:
                return 0

    def noise(self, width: int) -> int:
        return self.random.randrange(min(1 << width, self.largest))

    def place(self, frame: Frame, address: Address, space: str) -> int:
        base = address.base
        if isinstance(base, Element):
            base = base.base
        offset = address.offset.value if address.offset else 0
        return (self.value(frame, base, 64) + int(offset or 0)) & ((1 << 64) - 1)

    def put(self, frame: Frame, operand: Operand, value: int) -> None:
        if isinstance(operand, Name):
            frame.registers[operand.name] = value
        elif isinstance(operand, Pair):
            self.put(frame, operand.first, value)
            self.put(frame, operand.second, self.random.randrange(2))

    # --- instructions -------------------------------------------------------------------------

    def execute(self, frame: Frame, instruction: Instruction, at: int) -> None:
        parts = instruction.opcode.replace("::", ".").split(".")
        operands = instruction.operands
        mnemonic = parts[0]
        if mnemonic == "call":
            self.call(frame, operands)
        elif mnemonic in ("ld", "ldu", "st", "atom", "red"):
            self.access(frame, parts, operands, at)
        elif mnemonic == "cp" and operands and isinstance(operands[0], Address):
            writes = ".global.shared" in instruction.opcode
            address = operands[0 if writes else 1]
            assert isinstance(address, Address)
            self.touch(frame, at, self.place(frame, address, "global"), writes=writes)
        elif operands:
            self.compute(frame, parts, operands)

    def touch(self, frame: Frame, at: int, address: int, *, writes: bool) -> None:
        self.touched.append(Touch(frame.function.name, at, address, writes))
        if self.depth == 0:
            self.touching(frame, at, address)

    def access(
        self, frame: Frame, parts: list[str], operands: tuple[Operand, ...], at: int
    ) -> None:
        size = max(1, width_of(parts[-1]) // 8)
        mnemonic = parts[0]
        spaces = ("global", "shared", "local", "param", "const")
        space = next((p for p in parts if p in spaces), "generic")
        position = 0 if mnemonic in ("st", "red") else 1
        address = operands[position]
        assert isinstance(address, Address)
        where = self.place(frame, address, space)
        if space in ("generic", "global", "const"):
            if mnemonic not in ("st",):
                self.touch(frame, at, where, writes=False)
            if mnemonic in ("st", "atom", "red"):
                self.touch(frame, at, where, writes=True)
        if mnemonic == "st":
            source = operands[1]
            items = source.items if isinstance(source, Vector) else (source,)
            for i, item in enumerate(items):
                self.store(where + i * size, self.value(frame, item, size * 8), size)
            return
        if mnemonic in ("ld", "ldu"):
            to = operands[0]
            items = to.items if isinstance(to, Vector) else (to,)
            for i, item in enumerate(items):
                value = self.load(where + i * size, size)
                if parts[-1][0] == "s":
                    value = signed(value, size * 8) & ((1 << 64) - 1)
                self.put(frame, item, value)
            return
        old = self.load(where, size)
        given = [self.value(frame, o, size * 8) for o in operands[position + 1 :]]
        if given:
            new = given[-1] if "exch" in parts or "cas" in parts else old + given[0]
            self.store(where, new, size)
        if mnemonic == "atom":
            self.put(frame, operands[0], old)

    def call(self, frame: Frame, operands: tuple[Operand, ...]) -> None:
        rest = list(operands)
        results: tuple[Operand, ...] = ()
        if isinstance(rest[0], Group):
            results = rest.pop(0).items  # type: ignore[union-attr]
        target = rest.pop(0)
        arguments = rest[0].items if rest and isinstance(rest[0], Group) else ()
        assert isinstance(target, Name)
        callee = self.functions.get(target.name)
        if callee is None or self.depth > 40:
            for result in results:
                if isinstance(result, Name) and result.name in frame.variables:
                    self.store(frame.variables[result.name], self.noise(64), 8)
                else:
                    self.put(frame, result, self.noise(64))
            return
        inner = Frame(callee)
        signature = callee.signature
        for formal, argument in zip(signature.params, arguments, strict=True):
            self.declare(inner, formal)
            if formal.space == ".reg":
                inner.registers[formal.name] = self.value(frame, argument, 64)
                continue
            size = formal.size or 8
            if isinstance(argument, Name) and argument.name in frame.variables:
                source = frame.variables[argument.name]
                value = sum(self.memory.get(source + i, 0) << 8 * i for i in range(size))
            else:
                value = self.value(frame, argument, size * 8)
            self.store(inner.variables[formal.name], value, size)
        for formal in signature.returns:
            self.declare(inner, formal)
        self.depth += 1
        self.body(inner)
        self.depth -= 1
        for formal, result in zip(signature.returns, results, strict=True):
            size = formal.size or 8
            if formal.space == ".reg":
                self.put(frame, result, inner.registers.get(formal.name, 0))
                continue
            at = inner.variables[formal.name]
            value = sum(self.memory.get(at + i, 0) << 8 * i for i in range(size))
            if isinstance(result, Name) and result.name in frame.variables:
                self.store(frame.variables[result.name], value, size)
            else:
                self.put(frame, result, value)

    def compute(self, frame: Frame, parts: list[str], operands: tuple[Operand, ...]) -> None:
        to, *sources = operands
        name, type_ = parts[0], parts[-1]
        width = width_of(type_)
        if name == "mov" and isinstance(to, Vector):
            whole = self.value(frame, sources[0], width)
            part = width // len(to.items)
            for i, item in enumerate(to.items):
                self.put(frame, item, whole >> (i * part) & ((1 << part) - 1))
            return
        is_float = (type_[0] == "f" and type_ != "f16x2") or type_.startswith("bf")
        if name in ("mov", "cvta", "shfl"):
            value = self.value(frame, sources[0], width)
        elif name == "selp":
            value = self.value(
                frame, sources[0 if self.value(frame, sources[2], 1) & 1 else 1], width
            )
        elif name == "setp" and not is_float and len(parts) == 3:
            a, b = (self.number(frame, s, width, type_) for s in sources[:2])
            if parts[1] in ("lo", "ls", "hi", "hs"):
                a, b = a & ((1 << width) - 1), b & ((1 << width) - 1)
            value = int(_COMPARE[parts[1]](a, b))
            if isinstance(to, Pair):
                self.put(frame, to.first, value)
                self.put(frame, to.second, 1 - value)
                return
        elif (
            name == "cvt"
            and not is_float
            and not parts[-2].startswith(("f", "bf"))
            and len(parts) == 3
        ):
            value = self.number(frame, sources[0], width, type_)
            width = width_of(parts[-2])
            value = signed(value, width) if parts[-2][0] == "s" else value & ((1 << width) - 1)
            width = 64
        elif not is_float and name in _INTEGER_OPS and len(parts) <= 3:
            numbers = [self.number(frame, s, width, type_) for s in sources]
            if name in ("shl", "shr"):
                numbers[1] = self.value(frame, sources[1], 32)
            if name == "mad" and "wide" in parts:
                numbers[2] = self.value(frame, sources[2], 2 * width)
            value = _INTEGER_OPS[name](parts, width, type_, numbers)
            if "wide" in parts:
                width *= 2
        else:
            for item in to.items if isinstance(to, Vector) else (to,):
                self.put(frame, item, self.noise(1 if name.startswith("set") else width))
            return
        self.put(frame, to, value & ((1 << width) - 1))

    def number(self, frame: Frame, operand: Operand, width: int, type_: str) -> int:
        value = self.value(frame, operand, width)
        return signed(value, width) if type_[0] == "s" else value


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    **{n: (lambda a, b: a < b) for n in ("lt", "lo")},
    **{n: (lambda a, b: a <= b) for n in ("le", "ls")},
    **{n: (lambda a, b: a > b) for n in ("gt", "hi")},
    **{n: (lambda a, b: a >= b) for n in ("ge", "hs")},
}

Op = Callable[[list[str], int, str, list[int]], int]


def _mul(parts: list[str], width: int, type_: str, n: list[int]) -> int:
    return n[0] * n[1] >> width if "hi" in parts else n[0] * n[1]


def _div(a: int, b: int) -> int:
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _bfi(parts: list[str], width: int, type_: str, n: list[int]) -> int:
    position, length = n[2] & 255, n[3] & 255
    field = ((1 << length) - 1) << position
    return (n[1] & ~field) | (n[0] << position & field)


_INTEGER_OPS: dict[str, Op] = {
    "add": lambda p, w, t, n: n[0] + n[1],
    "sub": lambda p, w, t, n: n[0] - n[1],
    "neg": lambda p, w, t, n: -n[0],
    "not": lambda p, w, t, n: ~n[0],
    "abs": lambda p, w, t, n: abs(n[0]),
    "and": lambda p, w, t, n: n[0] & n[1],
    "or": lambda p, w, t, n: n[0] | n[1],
    "xor": lambda p, w, t, n: n[0] ^ n[1],
    "min": lambda p, w, t, n: min(n[0], n[1]),
    "max": lambda p, w, t, n: max(n[0], n[1]),
    "mul": _mul,
    "mad": lambda p, w, t, n: _mul(p, w, t, n) + n[2],
    "div": lambda p, w, t, n: _div(n[0], n[1]),
    "rem": lambda p, w, t, n: n[0] if n[1] == 0 else n[0] - n[1] * _div(n[0], n[1]),
    "shl": lambda p, w, t, n: n[0] << n[1] if n[1] < w else 0,
    "shr": lambda p, w, t, n: n[0] >> min(n[1], w),
    "bfe": lambda p, w, t, n: n[0] >> (n[1] & 255) & ((1 << (n[2] & 255)) - 1),
    "bfi": _bfi,
}
