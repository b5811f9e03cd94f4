"""The instruction table against ptxas, and what it says of effects and caches."""

import random
from collections.abc import Iterator
from pathlib import Path

import judging
import pytest

from gpucc.frontend.parser import parse
from gpucc.ptx import isa
from gpucc.ptx.isa import MemoryEffect, effects, memory_access
from gpucc.ptx.isa_forms import Binding, Form, Pattern
from gpucc.ptx.isa_operands import registers_for
from gpucc.ptx.module import Instruction

# --- what ptxas takes and what it refuses ---------------------------------------------------------


def collected() -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    text = Path(__file__).with_name("instructions.txt").read_text()
    for line in text.splitlines():
        words = line.split()
        if line.startswith("# sm_"):
            key = words[1], words[2]
        elif line and not line.startswith("#"):
            found.setdefault(key, []).append(line)
    return found


COLLECTED = collected()


@pytest.mark.parametrize(("target", "version"), COLLECTED)
def test_instructions_are_judged_as_ptxas_judges_them(target: str, version: str) -> None:
    instructions = COLLECTED[target, version]
    ours = judging.ours(instructions, target, version)
    theirs = judging.theirs(instructions, target, version)
    assert {instructions[i]: ours[i] for i in ours.keys() - theirs.keys()} == {}
    assert {instructions[i]: theirs[i] for i in theirs.keys() - ours.keys()} == {}


REGISTERS = {
    "pred": "%p", "b8": "%c", "b16": "%h", "b32": "%r", "b64": "%d", "b128": "%q",
    "f32": "%f", "f64": "%g",
}  # fmt: skip


def register(type_: str, number: int) -> str:
    holder = next(name for name in REGISTERS if name in registers_for(type_))
    return f"{REGISTERS[holder]}{number}"


def written(binding: Binding, pattern: Pattern, number: int, choose: random.Random) -> str | None:
    """Return an operand that the pattern describes; None for textures, tensors and the like."""
    if pattern.kind == "constant":
        return str(choose.choice(sorted(pattern.values))) if pattern.values is not None else "1"
    if pattern.kind == "address":
        space = pattern.space or binding.named.get("S", "generic")
        if space in ("tex", "surf", "tensor", "handle", "tmem"):
            return None
        return "[p0]" if space.startswith("param") else f"[%d{number}]"
    if pattern.kind != "value":
        return {"label": "L0", "sink": "_"}.get(pattern.kind)
    type_ = binding.type(pattern.type)
    if pattern.double:
        type_ = f"{type_[0]}{2 * int(type_[1:])}"
    count = binding.count(pattern)
    if count is not None:
        items = (register(type_, n % 3 if type_ in ("pred", "b128") else n) for n in range(count))
        return f"{{{', '.join(items)}}}"
    second = f"|{register(pattern.second, 1)}" if pattern.second else ""
    return register(type_, number % 3) + second


def spelling_of(form: Form, choose: random.Random) -> str | None:
    """Return an instruction of this form, with modifiers and optional operands by chance."""
    for _ in range(20):
        modifiers = [
            choose.choice(list(slot.choices))
            for slot in form.slots
            if not slot.optional or choose.random() < 0.4
        ]
        binding = form.bind(modifiers)
        if not isinstance(binding, Binding):
            continue
        patterns = [
            pattern
            for pattern in form.operands
            if (pattern.only_with in binding.modifiers if pattern.only_with else True)
            and (not pattern.optional or pattern.only_with or choose.random() < 0.5)
        ]
        operands = [written(binding, p, n + 1, choose) for n, p in enumerate(patterns)]
        if None not in operands:
            return f"{'.'.join([*form.head, *modifiers])} {', '.join(map(str, operands))};"
    return None


def sample(seed: int) -> Iterator[str]:
    choose = random.Random(seed)
    for mnemonic in isa.mnemonics():
        for form in isa.forms(mnemonic):
            if not form.open and mnemonic != "call":
                text = spelling_of(form, choose)
                if text is not None and ".cta_group::2" not in text:  # or ::1: not both
                    yield text


@pytest.mark.parametrize(
    ("target", "version"),
    [("sm_75", "9.0"), ("sm_80", "8.0"), ("sm_90a", "9.0"), ("sm_100a", "9.0"), ("sm_120f", "9.2")],
)
def test_every_form_of_the_table_is_judged_as_ptxas_judges_it(target: str, version: str) -> None:
    instructions = list(dict.fromkeys(sample(seed=int(target[3:].rstrip("af")))))
    assert len(instructions) > 600
    ours = judging.ours(instructions, target, version)
    theirs = judging.theirs(instructions, target, version)
    assert len(ours) < len(instructions)
    assert {instructions[i]: ours[i] for i in ours.keys() - theirs.keys()} == {}
    assert {instructions[i]: theirs[i] for i in theirs.keys() - ours.keys()} == {}


# --- what instructions do -------------------------------------------------------------------------

READ, WRITE, ATOMIC = MemoryEffect.READ, MemoryEffect.WRITE, MemoryEffect.ATOMIC
SYNC, ASYNC, NONE = MemoryEffect.SYNC, MemoryEffect.ASYNC, MemoryEffect.NONE


@pytest.mark.parametrize(
    ("opcode", "writes", "memory", "space"),
    [
        ("add.s32", (0,), NONE, ""),
        ("setp.lt.f32", (0,), NONE, ""),
        ("ld.global.v4.f32", (0,), READ, "global"),
        ("ld.f32", (0,), READ, "generic"),
        ("ld.acquire.gpu.global.u32", (0,), READ | SYNC, "global"),
        ("st.shared.f32", (), WRITE, "shared"),
        ("atom.global.add.u32", (0,), READ | WRITE | ATOMIC, "global"),
        ("red.shared.add.u32", (), READ | WRITE | ATOMIC, "shared"),
        ("cp.async.cg.shared.global", (), READ | WRITE | ASYNC, "generic"),
        ("cp.async.wait_all", (), SYNC, ""),
        ("bar.sync", (), SYNC, ""),
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", (0,), READ, "shared"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", (0,), NONE, ""),
    ],
)
def test_effects(opcode: str, writes: tuple[int, ...], memory: MemoryEffect, space: str) -> None:
    found = effects(Instruction.make(opcode))
    assert found.known
    assert (found.writes, found.memory, found.space) == (writes, memory, space)


@pytest.mark.parametrize(
    ("opcode", "attribute"),
    [
        ("bra", "control"),
        ("exit", "control"),
        ("shfl.sync.bfly.b32", "convergent"),
        ("bar.red.popc.u32", "convergent"),
        ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "convergent"),
        ("trap", "side_effects"),
        ("ld.volatile.global.u32", "side_effects"),
        ("addc.cc.u32", "carry"),
    ],
)
def test_what_must_not_be_moved(opcode: str, attribute: str) -> None:
    assert getattr(effects(Instruction.make(opcode)), attribute)
    assert not getattr(effects(Instruction.make("add.s32")), attribute)


def test_an_unknown_opcode_may_do_anything() -> None:
    found = effects(Instruction.make("frobnicate.b32"))
    assert not found.known
    assert found.memory is MemoryEffect.UNKNOWN
    assert found.control
    assert found.convergent
    assert found.side_effects
    assert found.carry


# --- cache controls -------------------------------------------------------------------------------

CONTROLS = [
    {"cop": "cg"},
    {"cop": "cs"},
    {"cop": "lu"},
    {"cop": "cv"},
    {"l1_evict": "no_allocate"},
    {"l1_evict": "evict_last"},
    {"l2_prefetch": 256},
    {"l2_evict": "evict_first"},
    {"cop": "wt"},
]
ACCESSES = [
    "ld.global.f32 %f1, [%d1];",
    "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%d1];",
    "ld.volatile.global.u32 %r1, [%d1];",
    "ld.relaxed.gpu.global.u32 %r1, [%d1];",
    "ld.shared.u32 %r1, [%r2];",
    "ld.const.u32 %r1, [%d1];",
    "st.global.f32 [%d1], %f1;",
    "st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4};",
    "red.global.add.u32 [%d1], %r1;",
    "atom.global.add.u32 %r1, [%d1], %r2;",
]


@pytest.mark.parametrize(("target", "version"), [("sm_75", "8.0"), ("sm_90a", "9.0")])
def test_cache_controls_are_legal_exactly_where_ptxas_takes_them(target: str, version: str) -> None:
    major, minor = map(int, version.split("."))
    changed: list[str] = []
    legal: list[bool] = []
    for text in ACCESSES:
        module = parse(judging.module([text], target, version))
        instruction = next(s for s in module.kernels[0].statements if isinstance(s, Instruction))
        for controls in CONTROLS:
            other = isa.with_cache(instruction, **controls)
            access = memory_access(other)
            assert access is not None
            assert all(getattr(access, name) == value for name, value in controls.items())
            changed.append(f"{other.opcode} {other.args};")
            legal.append(isa.cache_legal(access, target, (major, minor)) is None)
    theirs = judging.theirs(changed, target, version)
    assert {changed[i] for i in range(len(changed)) if legal[i] == (i in theirs)} == set()
    assert any(legal)
    assert not all(legal)
