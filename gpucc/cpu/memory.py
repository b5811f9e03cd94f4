"""Loads, stores, address conversions and asynchronous copies.

A weak access is a plain one, so that LLVM may do with it what PTX lets a GPU do.  Asynchronous
copies happen at once, which is one of the orders that PTX allows.
"""

from __future__ import annotations

from gpucc.cpu.code import Value, integer
from gpucc.cpu.site import Lowerings, Site
from gpucc.cpu.special import LAUNCH_SHARED
from gpucc.cpu.types import bits, llvm_type
from gpucc.ptx.isa import MemoryAccess, memory_access
from gpucc.ptx.module import Name, Operand, Sink

_ORDERS = {
    "weak": "",
    "volatile": "volatile",
    "relaxed": "monotonic",
    "acquire": "acquire",
    "release": "release",
}


def _access(site: Site) -> MemoryAccess:
    access = memory_access(site.instruction)
    if access is None or not access.type:
        raise site.refuse("is not supported on the CPU target")
    if access.window == "cluster":
        raise site.refuse("accesses the shared memory of a cluster, which the CPU target lacks")
    return access


def _load(site: Site) -> None:
    access = _access(site)
    pointer = site.pointer(1, access.space)
    items = site.items(0)
    step = bits(access.type) // 8
    constant = access.space == "param" and site.is_kernel_parameter(1)
    values = [
        site.code.load(
            llvm_type(access.type),
            site.code.displace(pointer, index * step),
            align=step,
            how=_ORDERS[access.semantics],
            constant=constant,
        )
        for index in range(len(items))
    ]
    for item, value in zip(items, values, strict=True):
        site.write(item, value, access.type)


def _store(site: Site) -> None:
    access = _access(site)
    pointer = site.pointer(0, access.space)
    step = bits(access.type) // 8
    for index, item in enumerate(site.items(1)):
        place = site.code.displace(pointer, index * step)
        value = site.read(item, access.type)
        site.code.store(value, place, align=step, how=_ORDERS[access.semantics])


def _nothing(site: Site) -> None:
    """Has no effect that a program could see: prefetches, hints to caches."""
    del site


def _create_policy(site: Site) -> None:
    """A cache policy is an opaque number; nothing looks at it here."""
    site.write(0, integer(64, 0), "u64")


# --- addresses ------------------------------------------------------------------------------------


def _convert_address(site: Site) -> None:
    """``cvta``: only addresses in shared memory differ from generic ones."""
    type_ = site.types[-1]
    value = site.read(1, type_)
    space = next(w for w in site.words if not w.startswith(("to", "u")))
    if space == "shared::cluster":
        raise site.refuse("is about the shared memory of a cluster, which the CPU target lacks")
    if space.startswith("shared"):
        code = site.code
        base = site.reshape(code.cast("ptrtoint", site.shared(), "i64"), type_)
        value = code.binary("sub" if site.has("to") else "add", value, base)
    site.write(0, value, type_)


def _is_in_space(site: Site) -> None:
    """``isspacep``: shared memory is told by its range, local memory by the stack's."""
    code = site.code
    address = site.read(1, "u64")
    space = site.words[0]
    launch = code.load("ptr", site.block(), constant=True)
    total = code.load("i32", code.displace(launch, LAUNCH_SHARED), constant=True)
    offset = code.binary("sub", address, code.cast("ptrtoint", site.shared(), "i64"))
    shared = code.icmp("ult", offset, code.resize(total, 64))
    if space.startswith("shared"):
        answer = shared
    else:
        local = code.icmp(
            "ne",
            code.call("i32", "gpucc_cpu_is_local", site.frame.thread, address),
            integer(32, 0),
        )
        if space == "local":
            answer = local
        elif space == "global":
            neither = code.binary("or", shared, local)
            answer = code.binary("xor", neither, integer(1, 1))
        else:
            raise site.refuse(f"asks for {space} space, which the CPU target does not tell apart")
    site.write(0, answer, "pred")


# --- asynchronous copies --------------------------------------------------------------------------


def _copy_async(site: Site) -> None:
    if site.has("bulk"):
        raise site.refuse("is a bulk copy (TMA), which the CPU target does not have")
    if site.has("commit_group", "wait_group", "wait_all"):
        return
    if site.has("mbarrier"):
        _arrive_for_copies(site)
        return
    code = site.code
    target, source = site.pointer(0, "shared"), site.pointer(1, "global")
    total = site.number(2)
    extra: list[Operand] = list(site.operands[3:])
    if site.has("cache_hint", "L2::cache_hint"):
        extra.pop()
    if not extra:
        _copy(site, target, source, integer(64, total))
        return
    if isinstance(extra[0], Name) and _is_predicate(site, extra[0].name):
        ignore = site.read(extra[0], "pred")
        wanted = code.select(ignore, integer(64, 0), integer(64, total))
    else:
        wanted = code.resize(site.read(extra[0], "u32"), 64)
    code.call(
        "void", "llvm.memset.p0.i64", target, integer(8, 0), integer(64, total), integer(1, 0)
    )
    _copy(site, target, source, wanted)


def _copy(site: Site, target: Value, source: Value, count: Value) -> None:
    site.code.call("void", "llvm.memcpy.p0.p0.i64", target, source, count, integer(1, 0))


def _is_predicate(site: Site, name: str) -> bool:
    found = site.frame.register(name)
    return found is not None and found[1] == "pred"


def _arrive_for_copies(site: Site) -> None:
    """The copies are done already: arrive, once more than was expected unless ``.noinc``."""
    if not site.has("noinc"):
        # It raises the pending count by one, then arrives: nothing is left of it.
        return
    site.code.call(
        "i64",
        "gpucc_cpu_mbarrier_arrive",
        site.frame.thread,
        site.pointer(0, "shared" if site.has("shared", "shared::cta") else "generic"),
        integer(32, 1),
        integer(32, 0),
    )


def _map_shared(site: Site) -> None:
    raise site.refuse("is about clusters, which the CPU target does not have")


def _is_type_of(site: Site) -> None:
    raise site.refuse("is about textures, which the CPU target does not have")


# --- the stack ------------------------------------------------------------------------------------


def _stack_save(site: Site) -> None:
    saved = site.code.call("ptr", "llvm.stacksave.p0")
    site.write(0, site.code.cast("ptrtoint", saved, "i64"), site.types[-1])


def _stack_restore(site: Site) -> None:
    saved = site.code.resize(site.read(0, site.types[-1]), 64)
    site.code.call("void", "llvm.stackrestore.p0", site.code.cast("inttoptr", saved, "ptr"))


def _allocate(site: Site) -> None:
    code = site.code
    if isinstance(site.operands[0], Sink):
        return
    count = code.resize(site.read(1, site.types[-1]), 64)
    align = site.number(2) if len(site.operands) > 2 else 8
    place = code.op("ptr", f"alloca i8, {count}, align {align}")
    site.write(0, code.cast("ptrtoint", place, "i64"), site.types[-1])


LOWERINGS: Lowerings = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "prefetch": _nothing,
    "prefetchu": _nothing,
    "applypriority": _nothing,
    "discard": _nothing,
    "createpolicy": _create_policy,
    "cvta": _convert_address,
    "isspacep": _is_in_space,
    "cp": _copy_async,
    "mapa": _map_shared,
    "getctarank": _map_shared,
    "istypep": _is_type_of,
    "stacksave": _stack_save,
    "stackrestore": _stack_restore,
    "alloca": _allocate,
}
