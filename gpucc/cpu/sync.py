"""Barriers, warp operations and mbarriers: calls of the engine, where threads meet.

The functions and the numbers of their kinds are those of ``runtime/native/cpurt/gpucc_cpu.h``.
"""

from __future__ import annotations

from gpucc.cpu.code import Value, integer
from gpucc.cpu.site import Lowerings, Site
from gpucc.ptx.module import Operand, Pair

_SYNC, _ARRIVE, _POPC, _AND, _OR = range(5)


def _truth(site: Site, value: Value) -> Value:
    """Return an ``i32`` as a predicate."""
    return site.code.icmp("ne", value, integer(32, 0))


def _flag(site: Site, predicate: Value) -> Value:
    return site.code.resize(predicate, 32)


def _high_bit(site: Site, value: Value) -> Value:
    """Return bit 32 of an ``i64`` as a predicate."""
    shifted = site.code.binary("lshr", value, integer(64, 32))
    return site.code.resize(shifted, 1)


def _write_pair(site: Site, value: Value, type_: str) -> None:
    """Write the low half of an ``i64``, and its bit 32 to the predicate of a pair."""
    low = site.code.resize(value, 32)
    operand = site.operands[0]
    if isinstance(operand, Pair):
        site.write(operand.first, low, type_)
        site.write(operand.second, _high_bit(site, value), "pred")
    else:
        site.write(operand, low, type_)


# --- barriers of a block --------------------------------------------------------------------------


def _barrier(site: Site) -> None:
    if site.has("cluster"):
        raise site.refuse("is about clusters, which the CPU target does not have")
    if site.has("warp"):
        _sync_warp(site, 0)
        return
    operands = list(site.operands)
    kind = _SYNC
    if site.has("arrive"):
        kind = _ARRIVE
    elif site.has("red"):
        kind = _POPC if site.has("popc") else _AND if site.has("and") else _OR
    result: Operand | None = operands.pop(0) if site.has("red") else None
    predicate = integer(32, 0)
    if result is not None:
        predicate = _flag(site, site.read(operands.pop(), "pred"))
    number = site.read(operands[0], "u32") if operands else integer(32, 0)
    count = site.read(operands[1], "u32") if len(operands) > 1 else integer(32, 0)
    answer = site.code.call(
        "i32",
        "gpucc_cpu_barrier",
        site.frame.thread,
        number,
        count,
        integer(32, kind),
        predicate,
        site.frame.site(),
    )
    if result is not None:
        if kind == _POPC:
            site.write(result, answer, "u32")
        else:
            site.write(result, _truth(site, answer), "pred")


def _sync_warp(site: Site, operand: int) -> None:
    members = site.read(operand, "b32")
    site.code.call("void", "gpucc_cpu_warpsync", site.frame.thread, members, site.frame.site())


# --- warp operations ------------------------------------------------------------------------------

_SHUFFLES = {"up": 0, "down": 1, "bfly": 2, "idx": 3}


def _members(site: Site, operand: int) -> Value:
    """Return the mask of lanes; 0 stands for an operation without ``.sync``."""
    return site.read(operand, "b32") if site.has("sync") else integer(32, 0)


def _shuffle(site: Site) -> None:
    mode = next(_SHUFFLES[word] for word in site.words if word in _SHUFFLES)
    answer = site.code.call(
        "i64",
        "gpucc_cpu_shfl",
        site.frame.thread,
        integer(32, mode),
        site.read(1, "b32"),
        site.read(2, "u32"),
        site.read(3, "u32"),
        _members(site, 4),
        site.frame.site(),
    )
    _write_pair(site, answer, "b32")


_VOTES = {"all": 0, "any": 1, "uni": 2, "ballot": 3}


def _vote(site: Site) -> None:
    kind = next(_VOTES[word] for word in site.words if word in _VOTES)
    answer = site.code.call(
        "i32",
        "gpucc_cpu_vote",
        site.frame.thread,
        integer(32, kind),
        _flag(site, site.read(1, "pred")),
        _members(site, 2),
        site.frame.site(),
    )
    if kind == _VOTES["ballot"]:
        site.write(0, answer, "b32")
    else:
        site.write(0, _truth(site, answer), "pred")


def _match(site: Site) -> None:
    answer = site.code.call(
        "i64",
        "gpucc_cpu_match",
        site.frame.thread,
        integer(32, 1 if site.has("all") else 0),
        site.code.resize(site.read(1, site.types[-1]), 64),
        site.read(2, "b32"),
        site.frame.site(),
    )
    _write_pair(site, answer, "b32")


_REDUCTIONS = {
    ("add", "u32"): 0,
    ("add", "s32"): 0,
    ("and", "b32"): 1,
    ("or", "b32"): 2,
    ("xor", "b32"): 3,
    ("min", "u32"): 4,
    ("max", "u32"): 5,
    ("min", "s32"): 6,
    ("max", "s32"): 7,
    ("min", "f32"): 8,
    ("max", "f32"): 9,
}


def _reduce(site: Site) -> None:
    type_ = site.types[-1]
    operation = next(
        number for (word, of), number in _REDUCTIONS.items() if of == type_ and site.has(word)
    )
    operation |= (16 if site.has("abs") else 0) | (32 if site.has("NaN") else 0)
    answer = site.code.call(
        "i32",
        "gpucc_cpu_redux",
        site.frame.thread,
        integer(32, operation),
        site.read(1, "b32"),
        site.read(2, "b32"),
        site.frame.site(),
    )
    site.write(0, answer, "b32")


def _active_mask(site: Site) -> None:
    answer = site.code.call("i32", "gpucc_cpu_activemask", site.frame.thread, site.frame.site())
    site.write(0, answer, "b32")


def _elect(site: Site) -> None:
    answer = site.code.call(
        "i64", "gpucc_cpu_elect", site.frame.thread, site.read(1, "b32"), site.frame.site()
    )
    _write_pair(site, answer, "b32")


# --- mbarriers ------------------------------------------------------------------------------------


def _mbarrier(site: Site) -> None:
    match site.words[0]:
        case "init":
            site.code.call(
                "void",
                "gpucc_cpu_mbarrier_init",
                site.frame.thread,
                _barrier_place(site, 0),
                site.read(1, "u32"),
            )
        case "inval":
            site.code.call(
                "void", "gpucc_cpu_mbarrier_inval", site.frame.thread, _barrier_place(site, 0)
            )
        case "arrive" | "arrive_drop":
            _arrive(site)
        case "test_wait" | "try_wait":
            _test(site)
        case "pending_count":
            answer = site.code.call("i32", "gpucc_cpu_mbarrier_pending", site.read(1, "u64"))
            site.write(0, answer, "u32")
        case _:
            raise site.refuse("is not supported on the CPU target")


def _barrier_place(site: Site, operand: int) -> Value:
    if site.has("shared::cluster"):
        raise site.refuse("is about clusters, which the CPU target does not have")
    return site.pointer(operand, "shared" if site.has("shared", "shared::cta") else "generic")


def _arrive(site: Site) -> None:
    if site.has("expect_tx"):
        raise site.refuse("counts bytes of bulk copies (TMA), which the CPU target does not have")
    count = site.read(2, "u32") if len(site.operands) > 2 else integer(32, 1)
    answer = site.code.call(
        "i64",
        "gpucc_cpu_mbarrier_arrive",
        site.frame.thread,
        _barrier_place(site, 1),
        count,
        integer(32, int(site.words[0] == "arrive_drop")),
    )
    site.write(0, answer, "u64")


def _test(site: Site) -> None:
    if any(word.startswith("phase_type") for word in site.words):
        raise site.refuse("is not supported on the CPU target")
    by_parity = site.has("parity")
    state = site.code.resize(site.read(2, "u32" if by_parity else "u64"), 64)
    answer = site.code.call(
        "i32",
        "gpucc_cpu_mbarrier_test",
        site.frame.thread,
        _barrier_place(site, 1),
        state,
        integer(32, int(by_parity)),
    )
    site.write(0, _truth(site, answer), "pred")


# --- others ---------------------------------------------------------------------------------------


def _sleep(site: Site) -> None:
    site.code.call("void", "gpucc_cpu_yield", site.frame.thread)


def _nothing(site: Site) -> None:
    """Has no effect that a program could see here."""
    del site


LOWERINGS: Lowerings = {
    "bar": _barrier,
    "barrier": _barrier,
    "shfl": _shuffle,
    "vote": _vote,
    "match": _match,
    "redux": _reduce,
    "activemask": _active_mask,
    "elect": _elect,
    "mbarrier": _mbarrier,
    "nanosleep": _sleep,
    "griddepcontrol": _nothing,
    "pmevent": _nothing,
    "brkpt": _nothing,
}

WAITS = frozenset(
    {
        "gpucc_cpu_barrier",
        "gpucc_cpu_shfl",
        "gpucc_cpu_vote",
        "gpucc_cpu_match",
        "gpucc_cpu_redux",
        "gpucc_cpu_activemask",
        "gpucc_cpu_elect",
        "gpucc_cpu_warpsync",
        "gpucc_cpu_mma",
        "gpucc_cpu_ldmatrix",
        "gpucc_cpu_stmatrix",
        "gpucc_cpu_movmatrix",
        "gpucc_cpu_mbarrier_test",
        "gpucc_cpu_yield",
        "gpucc_cpu_exit",
        "gpucc_cpu_trap",
        "gpucc_cpu_assertfail",
    }
)
"""What may only be called on a fiber: it switches to another thread or ends this one."""
