"""Branches, calls, and the ends of threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gpucc.cpu.code import Value, integer
from gpucc.cpu.frame import THREAD, FunctionFrame, llvm_name
from gpucc.cpu.site import Site
from gpucc.cpu.types import constant, llvm_type
from gpucc.ptx.module import Directive, Group, Immediate, Name, Operand


def label_of(frame: FunctionFrame, site: Site, name: str) -> str:
    """Return the LLVM label of the PTX label that ``name`` means at the instruction."""
    index = frame.scopes.label(name, frame.at)
    if index is None:
        raise site.refuse(f"goes to '{name}', which is not a label")
    return f"s{index}"


def branch_table(frame: FunctionFrame, site: Site) -> None:
    """``brx.idx``: a switch; an index outside the table is undefined in PTX, here it traps."""
    index = site.read(0, "u32")
    table = site.operands[1]
    assert isinstance(table, Name)
    at = frame.scopes.label(table.name, frame.at)
    statements = frame.function.statements
    following = statements[at + 1] if at is not None and at + 1 < len(statements) else None
    if not isinstance(following, Directive) or following.name != ".branchtargets":
        raise site.refuse(f"has no table '{table.name}'")
    code = site.code
    outside = code.new_label()
    cases = " ".join(
        f"i32 {number}, label %{label_of(frame, site, name)}"
        for number, name in enumerate(following.names)
    )
    code.end(f"switch {index}, label %{outside} [ {cases} ]")
    code.place(outside)
    trap(site)


def trap(site: Site) -> None:
    """End the grid with an error."""
    site.code.call("void", "gpucc_cpu_trap", THREAD, site.frame.site())
    site.code.end("unreachable")


def leave(frame: FunctionFrame, site: Site) -> None:
    """``exit``: end the thread, from wherever it is."""
    if frame.function.is_kernel:
        site.code.end("ret void")
    else:
        site.code.call("void", "gpucc_cpu_exit", THREAD)
        site.code.end("unreachable")


# --- calls ----------------------------------------------------------------------------------------


def call(frame: FunctionFrame, site: Site) -> None:
    """Lower a call.

    Parameters and results are passed as pointers to where the caller has them.
    """
    operands = list(site.operands)
    results: tuple[Operand, ...] = ()
    first = operands[0]
    if isinstance(first, Group) and len(operands) > 1:
        results = first.items
        operands.pop(0)
    callee = operands.pop(0)
    given: tuple[Operand, ...] = ()
    if operands and isinstance(operands[0], Group):
        given = operands[0].items
    if not isinstance(callee, Name):
        raise site.refuse(f"calls {callee}, which is not a function")
    if frame.register(callee.name) is not None:
        address = site.code.cast("inttoptr", site.read(callee, "u64"), "ptr")
        _invoke(frame, site, address, results, given)
        return
    function = frame.context.functions.get(callee.name)
    elsewhere = function is not None and function.body is None and frame.context.linked
    if elsewhere and not is_library(callee.name):
        _invoke(frame, site, Value("ptr", f"@{llvm_name(callee.name)}"), results, given)
        return
    if function is None or function.body is None:
        _call_library(frame, site, callee.name, results, given)
        return
    if function.is_kernel:
        raise site.refuse(f"calls the kernel '{callee.name}'")
    _invoke(frame, site, Value("ptr", f"@{llvm_name(callee.name)}"), results, given)


def _invoke(
    frame: FunctionFrame,
    site: Site,
    address: Value,
    results: tuple[Operand, ...],
    given: tuple[Operand, ...],
) -> None:
    passed = [THREAD, *(_place(frame, site, r) for r in results)]
    passed += [_copy(frame, site, g) for g in given]
    site.code.line(f"call void {address.name}({', '.join(map(str, passed))})")


def _place(frame: FunctionFrame, site: Site, operand: Operand) -> Value:
    """Return where a result goes, or where a variable that is passed lies."""
    if not isinstance(operand, Name):
        raise site.refuse(f"passes {operand}, which is not supported")
    found = frame.register(operand.name)
    return found[0] if found else frame.symbol(operand.name)


def _copy(frame: FunctionFrame, site: Site, operand: Operand) -> Value:
    """Return where the value of an argument lies; the callee may change what is there."""
    code = site.code
    if isinstance(operand, Immediate):
        value = operand.value
        if value is None:
            raise site.refuse(f"passes {operand}, which is not a number")
        slot = code.slot("i64", align=8)
        code.store(constant("b64", operand.text, value), slot)
        return slot
    place = _place(frame, site, operand)
    assert isinstance(operand, Name)
    found = frame.register(operand.name)
    if found is None:
        return place
    type_ = llvm_type(found[1])
    slot = code.slot(type_)
    code.store(site.read(operand, found[1]), slot)
    return slot


# --- functions of the device's library ------------------------------------------------------------

_Library = Callable[[Site, tuple[Value, ...], tuple[Value, ...]], None]


def _call_library(
    frame: FunctionFrame,
    site: Site,
    name: str,
    results: tuple[Operand, ...],
    given: tuple[Operand, ...],
) -> None:
    function = _LIBRARY.get(name)
    if function is None:
        raise site.refuse(f"calls '{name}', which has no definition here")
    function(
        site,
        tuple(_place(frame, site, r) for r in results),
        tuple(_copy(frame, site, g) for g in given),
    )


def _pointer(site: Site, place: Value) -> Value:
    return site.code.load("ptr", place)


def _vprintf(site: Site, results: tuple[Value, ...], given: tuple[Value, ...]) -> None:
    pointers = (_pointer(site, place) for place in given)
    printed = site.code.call("i32", "gpucc_cpu_vprintf", *pointers)
    for place in results:
        site.code.store(printed, place)


def _assert_fail(site: Site, results: tuple[Value, ...], given: tuple[Value, ...]) -> None:
    del results
    code = site.code
    message, file, line, function = given[:4]
    code.call(
        "void",
        "gpucc_cpu_assertfail",
        THREAD,
        _pointer(site, message),
        _pointer(site, file),
        code.load("i32", line),
        _pointer(site, function),
    )
    code.end("unreachable")


def _malloc(site: Site, results: tuple[Value, ...], given: tuple[Value, ...]) -> None:
    memory = site.code.call("ptr", "malloc", site.code.load("i64", given[0]))
    site.code.store(memory, results[0])


def _free(site: Site, results: tuple[Value, ...], given: tuple[Value, ...]) -> None:
    del results
    site.code.call("void", "free", _pointer(site, given[0]))


_LIBRARY: Mapping[str, _Library] = {
    "vprintf": _vprintf,
    "__assertfail": _assert_fail,
    "malloc": _malloc,
    "free": _free,
}
"""What the CUDA runtime gives to device code: by name, given places of results and arguments."""


def is_library(name: str) -> bool:
    """Return whether a function is one that the CUDA runtime gives to device code."""
    return name in _LIBRARY or name.startswith(("cuda", "__cuda"))


def yield_to_others(site: Site) -> None:
    """Let other threads run."""
    site.code.call("void", "gpucc_cpu_yield", THREAD)


def guard(site: Site) -> Value:
    """Return the predicate under which the instruction executes."""
    predicate = site.instruction.predicate
    assert predicate is not None
    name, wanted = predicate
    value = site.read(Name(name), "pred")
    return value if wanted else site.code.binary("xor", value, integer(1, 1))
