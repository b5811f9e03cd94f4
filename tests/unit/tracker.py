"""Runs a kernel beside the analysis of its addresses, and compares them access by access."""

from __future__ import annotations

import random

from interpreter import POINTERS, WINDOW, Frame, Thread, signed

from gpucc.analysis.access import KernelAccess
from gpucc.analysis.addresses import Addresses, AddressExpr
from gpucc.analysis.affine import Affine, Symbol, SymbolKind
from gpucc.ptx.module import TYPE_BYTES, Function, Instruction, Module


class Tracker:
    """Follows one run and knows, at each access, what the symbols of the analysis stand for."""

    def __init__(self, module: Module, kernel: Function, special: dict[str, int]):
        self.addresses = Addresses(kernel, module)
        self.kernel = kernel
        self.special = special
        self.loops = self.addresses.values.loops.loops
        self.count = [0] * len(self.loops)
        self.inside = [False] * len(self.loops)
        self.arrived: dict[int, tuple[int, list[int]]] = {}  # by block: from where, and all counts
        self.loaded: dict[str, int] = {}
        self.block = -1
        self.last: int | None = None
        self.equal = self.exact = self.skipped = 0
        self.only_exact = False

    def start(self, thread: Thread) -> None:
        self.thread = thread

    def step(self, frame: Frame, at: int) -> None:
        if self.last is not None:
            self.note_load(frame, self.last)
        self.last = at
        cfg = self.addresses.cfg
        block = cfg.block_of[at]
        if at == cfg.blocks[block].start:
            self.enter(block)
            self.block = block

    def enter(self, block: int) -> None:
        self.arrived[block] = self.block, list(self.count)
        for number, loop in enumerate(self.loops):
            if block == loop.header:
                self.count[number] = self.count[number] + 1 if self.block in loop.body else 0
            self.inside[number] = block in loop.body

    def note_load(self, frame: Frame, at: int) -> None:
        statement = self.kernel.statements[at]
        if not isinstance(statement, Instruction) or not statement.opcode.startswith(
            ("ld", "atom")
        ):
            return
        names = [n.strip() for n in statement.args.partition("[")[0].strip(" ,{}").split(",")]
        names = [n.strip(" {}") for n in names if n.strip(" {}") not in ("", "_")]
        type_ = statement.opcode.rpartition(".")[2]
        width = TYPE_BYTES.get(f".{type_}", 8) * 8
        for place, name in enumerate(names):
            value = frame.registers.get(name, 0)
            known = signed(value, width) if width >= 32 or type_[0] == "s" else value
            text = f"load@{at}" if len(names) == 1 else f"load@{at}.{place}"
            self.loaded[text] = known

    def symbol(self, symbol: Symbol, frame: Frame) -> int | None:
        """Return what a symbol stands for now; None if it is one of the unknown ones."""
        text = symbol.text
        match symbol.kind:
            case SymbolKind.SPECIAL:
                return self.special.get(text)
            case SymbolKind.PARAMETER:
                name, _, width = text.partition(":")
                name, _, offset = name.partition("+")
                declared = self.addresses.values.parameters[name]
                size = int(width) // 8 if width else (8 if declared.dimensions else declared.size)
                start = int(offset or 0)
                raw = self.thread.parameters[name][start : start + (size or 8)]
                return int.from_bytes(raw, "little", signed=(size or 8) >= 4)
            case SymbolKind.VARIABLE:
                return self.thread.address_of(frame, text)
            case SymbolKind.ITERATION:
                assert self.inside[int(text[4:])], "a loop's count outside of the loop"
                return self.count[int(text[4:])]
            case SymbolKind.LAST:
                loop, _, rest = text[4:].partition(".")
                if "@" not in rest:
                    return self.count[int(loop)]
                name, _, ways = rest.partition("@")
                gone, _, join = ways.partition(">")
                before, counts = self.arrived[int(join)]
                if str(before) not in gone.split(","):
                    return 0
                return counts[int(loop)] + (name == "rounds")
            case SymbolKind.LOADED:
                return self.loaded.get(text)
            case _:
                return None

    def base(self, address: AddressExpr, frame: Frame) -> int | None:
        """Return what the base of an address stands for now."""
        base = address.base
        if base is None:
            return 0
        match base.kind:
            case "parameter":
                raw = self.thread.parameters[base.name][base.position : base.position + 8]
                return int.from_bytes(raw, "little")
            case "variable":
                return self.thread.address_of(frame, base.name)
            case "loaded":
                return self.loaded[base.name]

    def bind(self, form: Affine, frame: Frame, known: dict[str, int]) -> bool:
        """Collect the values of all symbols in ``form``; False if one is unknown."""
        for symbol in form.symbols():
            if symbol.operation is not None:
                if not all(self.bind(o, frame, known) for o in symbol.operation.operands):
                    return False
                continue
            value = self.symbol(symbol, frame)
            if value is None:
                return False
            known[symbol.text] = value
        return True

    def touching(self, frame: Frame, at: int, address: int) -> None:
        found = self.addresses.of(at)
        statements = self.kernel.statements
        chosen = any(
            getattr(statements[i], "opcode", "").startswith("selp") for i in found.offset.assumed
        )
        known: dict[str, int] = {}
        start = self.base(found, frame)
        if chosen or start is None or not self.bind(found.offset, frame, known):
            self.skipped += 1
            return
        if self.only_exact and not found.is_exact:
            self.skipped += 1
            return
        difference = start + found.offset.evaluate(known) - address
        if found.is_exact:
            self.exact += 1
        # an assumption that does not hold shows as a 32-bit value that went round
        allowed = 1 << (64 if found.is_exact else 32)
        self.equal += difference % (1 << 64) == 0
        assert difference % allowed == 0, (
            f"{self.kernel.name}: {statements[at].raw.strip()}: {found} with {known}"  # type: ignore[union-attr]
        )


def special_registers(rng: random.Random, kernel: Function) -> dict[str, int]:
    directives = dict(kernel.signature.directives)
    fixed = directives.get(".reqntid") or directives.get(".maxntid")
    if fixed:
        shape = [int(x) for x in fixed.split(",")]
    else:
        shape = [rng.choice([1, 32, 64, 96]), rng.choice([1, 2, 4]), 1]
    values: dict[str, int] = {"laneid": 0, "warpid": 0, "nwarpid": 1}
    for axis, extent in zip("xyz", [*shape, 1, 1], strict=False):
        values[f"ntid.{axis}"] = extent
        values[f"tid.{axis}"] = rng.randrange(extent) if rng.random() < 0.7 else 0
        values[f"nctaid.{axis}"] = rng.randrange(1, 9)
        values[f"ctaid.{axis}"] = rng.randrange(values[f"nctaid.{axis}"])
    return values


def arguments(
    rng: random.Random, kernel: Function, access: KernelAccess, *, wild: bool = False
) -> dict[str, bytes]:
    """Make up arguments: pointers where the access analysis sees them (anywhere if ``wild``)."""
    made: dict[str, bytes] = {}
    pointers = 0
    for variable, param in zip(kernel.signature.params, access.params, strict=True):
        size = variable.size or 8
        data = bytearray(size)
        words = {offset for offset, _ in param.fields} if variable.dimensions else {0}
        for offset in range(0, size, 8):
            is_pointer = (offset in words and bool(param.access)) or (wild and rng.random() < 0.3)
            if is_pointer and size - offset >= 8:
                value = POINTERS + pointers * WINDOW * 16 + WINDOW * 8
                pointers += 1
                data[offset : offset + 8] = value.to_bytes(8, "little")
                continue
            for at in range(offset, min(offset + 8, size), 4):
                part = min(4, size - at)
                small = rng.choice(
                    [rng.randrange(1, 12), rng.randrange(1, 200), rng.randrange(5000)]
                )
                data[at : at + part] = (small % (1 << 8 * part)).to_bytes(part, "little")
            if size == 8 and not variable.dimensions:
                data[4:8] = bytes(4)
        made[variable.name] = bytes(data)
    return made


def run_and_compare(module: Module, kernel: Function, access: KernelAccess, seed: int) -> Tracker:
    rng = random.Random(seed)
    special = special_registers(rng, kernel)
    tracker = Tracker(module, kernel, special)
    thread = Thread(
        module,
        special,
        arguments(rng, kernel, access),
        seed,
        step=tracker.step,
        touching=tracker.touching,
        limit=1500,
    )
    tracker.start(thread)
    thread.run(kernel)
    return tracker
