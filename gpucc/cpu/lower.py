"""PTX to LLVM IR for this machine: functions and their control flow.

A kernel becomes ``void @"ptx.K"(ptr %thread, ptr %parameters)``, called once for each GPU thread.
In the fast form a call runs a warp (:mod:`gpucc.cpu.wide`): up to a barrier, or, if the kernel has
none, all warps of a block in a loop.  ``runtime/native/cpurt/gpucc_cpu.h`` describes these forms.
A device function takes the thread, then pointers to its results and parameters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from gpucc.analysis.cfg import CFG, build_cfg, noreturn_functions
from gpucc.cpu import control
from gpucc.cpu.code import LANES, Code, Unit, Value, integer
from gpucc.cpu.frame import (
    PARAMETERS,
    THREAD,
    Context,
    FunctionFrame,
    kernel_offsets,
    llvm_name,
    shared_key,
)
from gpucc.cpu.kernels import KernelCode
from gpucc.cpu.operations import lowering
from gpucc.cpu.polling import polling_branches
from gpucc.cpu.site import Refused, Site
from gpucc.cpu.special import LAUNCH_BLOCK, THREAD_LINEAR
from gpucc.cpu.storage import SharedLayout, global_text, shared_layout, size
from gpucc.cpu.sync import WAITS
from gpucc.cpu.uniform import Uniformity, uniformity
from gpucc.cpu.wide import WideLowering, has_barriers, has_rows, why_not
from gpucc.cpu.wide_code import WideCode
from gpucc.cpu.wide_frame import WideFrame
from gpucc.cpu.wide_values import FULL
from gpucc.errors import GpuccError, SourceError
from gpucc.ptx import places
from gpucc.ptx.module import (
    Declaration,
    Function,
    Instruction,
    Item,
    Label,
    Module,
    Statement,
    Variable,
)

_WORD = re.compile(r"[A-Za-z_$%][\w$]*")
_FUNCTION_ATTRIBUTES = 'nounwind "probe-stack"="inline-asm"'


@dataclass(frozen=True, slots=True)
class Lowered:
    """A module in LLVM IR; ``sites`` are the places that the engine's reports name by number."""

    text: str
    kernels: Mapping[str, KernelCode]
    sites: tuple[str, ...]


class _Form(Enum):
    """What a kernel's function runs, and until when."""

    THREAD = auto()
    WARP = auto()
    COROUTINE = auto()  # a warp, until it waits
    LOOP = auto()  # all threads of a block


def lower(
    module: Module,
    kernels: Collection[str] | None = None,
    *,
    loops: bool = True,
    linked: bool = False,
) -> Lowered:
    """Lower ``kernels`` (all, if None) and what they call.

    Without ``loops`` every thread is a fiber of its own, which defines what is right.
    ``linked`` says that the module is a part of a program: what it declares ``.extern`` is defined
    in another part, and others may call its functions.
    Raises :class:`SourceError` at the first instruction that the CPU target does not have.
    """
    functions = {f.name: f for f in module.functions if f.body is None}
    functions |= {f.name: f for f in module.functions if f.body is not None}
    wanted = [k for k in module.kernels if kernels is None or k.name in kernels]
    if kernels is not None and (missing := set(kernels) - {k.name for k in wanted}):
        raise GpuccError(f"{module.path} has no kernel '{sorted(missing)[0]}'")
    variables = _module_variables(module)
    context = Context(module, Unit(), variables.globals, functions, linked=linked)
    _emit_globals(context, variables)
    roots = [*wanted, *_named_in_data(variables, functions)]
    if linked:
        _declare_functions(context)
        roots += [f for f in functions.values() if is_exported(f.signature.linkage)]
    reached = _reachable(functions, roots)
    devices = [f for f in reached if not f.is_kernel]
    common = _layout(variables, devices, devices)
    if linked and common.bytes:
        raise _shared_elsewhere(module, variables, devices)
    for function in devices:
        _lower_function(context, function, common)
    lowered: dict[str, KernelCode] = {}
    for kernel in wanted:
        layout = _layout(variables, devices, [*devices, kernel])
        cfg = build_cfg(kernel, noreturn_functions(module))
        found = uniformity(cfg) if loops else None
        if found is not None and why_not(cfg, found) is None:
            lowered[kernel.name] = _lower_wide(context, kernel, layout, cfg, found)
        else:
            _lower_function(context, kernel, layout)
            symbol = f"ptx.{kernel.name}"
            lowered[kernel.name] = _finish_kernel(context, kernel, layout, symbol, _Form.THREAD)
    return Lowered(context.unit.text, lowered, tuple(context.sites))


# --- parts of a program ---------------------------------------------------------------------------


def is_exported(linkage: Collection[str]) -> bool:
    """Return whether other modules of a program see what was declared with ``linkage``."""
    return not {".visible", ".weak", ".common"}.isdisjoint(linkage)


def _declare_functions(context: Context) -> None:
    """Declare the functions that another module defines."""
    for function in context.functions.values():
        if function.body is None and not control.is_library(function.name):
            signature = function.signature
            pointers = ("ptr",) * (1 + len(signature.returns) + len(signature.params))
            context.unit.declare(llvm_name(function.name), "void", pointers, "")


def _shared_elsewhere(
    module: Module, variables: _ModuleVariables, devices: Iterable[Function]
) -> SourceError:
    """Refuse shared variables of functions that kernels of another module may call."""
    culprit = next(f for f in devices if _layout(variables, [f], [f]).bytes)
    return _at(
        module,
        culprit,
        Refused(
            f"shared variables in the device function '{culprit.name}' of a program that is linked"
            " from several modules (-rdc=true)"
        ),
    )


# --- variables ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ModuleVariables:
    globals: dict[str, Variable]
    shared: dict[str, tuple[Variable, bool]]
    constant: frozenset[str]
    declarations: dict[str, Declaration]


def _module_variables(module: Module) -> _ModuleVariables:
    found = _ModuleVariables({}, {}, frozenset(), {})
    constant: set[str] = set()
    for declaration in module.declarations:
        for variable in declaration.variables:
            extern = ".extern" in declaration.linkage
            if variable.space == ".shared":
                found.shared.setdefault(variable.name, (variable, extern))
            elif variable.space in (".global", ".const"):
                known = variable.name in found.globals and extern
                if not known:
                    found.globals[variable.name] = variable
                    found.declarations[variable.name] = declaration
                if variable.space == ".const":
                    constant.add(variable.name)
    return _ModuleVariables(found.globals, found.shared, frozenset(constant), found.declarations)


def _named_in_data(
    variables: _ModuleVariables, functions: Mapping[str, Function]
) -> list[Function]:
    """Return the functions whose address an initial value holds: tables of functions."""
    words = {
        word
        for variable in variables.globals.values()
        for word in _WORD.findall(variable.initializer or "")
    }
    return [functions[word] for word in sorted(words & functions.keys())]


def _emit_globals(context: Context, variables: _ModuleVariables) -> None:
    symbols = {name: llvm_name(name) for name in (*variables.globals, *context.functions)}
    for name, variable in variables.globals.items():
        declaration = variables.declarations[name]
        if context.linked and ".extern" in declaration.linkage:
            context.unit.globals.append(f"@{llvm_name(name)} = external global i8")
            continue
        try:
            context.unit.globals.append(
                global_text(llvm_name(name), variable, constant=False, symbols=symbols)
            )
        except Refused as refused:
            raise _at(context.module, declaration, refused) from None


def _layout(
    variables: _ModuleVariables, first: Collection[Function], functions: Collection[Function]
) -> SharedLayout:
    """Lay the shared memory of ``functions`` out, what ``first`` of them use at its begin.

    So a device function finds its variables at one place, whichever kernel calls it.
    """
    wanted: dict[str, tuple[Variable, bool]] = {}
    for function in sorted(functions, key=lambda f: f not in first):
        words: set[str] = set()
        for statement in function.statements:
            if isinstance(statement, Instruction):
                words.update(_WORD.findall(statement.args))
        wanted |= {name: variables.shared[name] for name in variables.shared if name in words}
        scopes = build_cfg(function).scopes
        for index, statement in enumerate(function.statements):
            if isinstance(statement, Declaration) and statement.space == ".shared":
                for variable in statement.variables:
                    key = shared_key(function, scopes.key(variable.name, index))
                    wanted[key] = variable, ".extern" in statement.linkage
    return shared_layout((key, variable, extern) for key, (variable, extern) in wanted.items())


# --- functions ------------------------------------------------------------------------------------


def _reachable(functions: Mapping[str, Function], roots: Iterable[Function]) -> list[Function]:
    """Return the functions with a body that ``roots`` name, directly or through others."""
    found: dict[str, Function] = {}
    work = list(roots)
    while work:
        function = work.pop()
        if function.name in found or function.body is None:
            continue
        found[function.name] = function
        for statement in function.statements:
            if isinstance(statement, Instruction):
                work += [functions[w] for w in _WORD.findall(statement.args) if w in functions]
    return list(found.values())


def _lower_function(context: Context, function: Function, layout: SharedLayout) -> None:
    """Append a function to the unit."""
    code = Code(context.unit)
    cfg = build_cfg(function, noreturn_functions(context.module))
    frame = FunctionFrame(context, function, cfg.scopes, layout.offsets, code)
    polling = polling_branches(cfg)
    for index, statement in enumerate(function.statements):
        frame.at = index
        if isinstance(statement, Label):
            code.place(f"s{index}")
        elif isinstance(statement, Instruction):
            try:
                _lower_instruction(frame, statement, polls=index in polling)
            except Refused as refused:
                raise _at(context.module, statement, refused) from None
    code.end("ret void")
    if function.is_kernel:
        head = f"define internal void @{_body_name(function)}(ptr %thread, ptr %parameters)"
        head += f" alwaysinline {_FUNCTION_ATTRIBUTES}"
    else:
        signature = function.signature
        names = [f'ptr %"{v.name}"' for v in (*signature.returns, *signature.params)]
        parameters = ", ".join(["ptr %thread", *names])
        head = f"define internal void @{llvm_name(function.name)}({parameters})"
        head += f" {_FUNCTION_ATTRIBUTES}"
    code.finish(head)


def _lower_instruction(frame: FunctionFrame, instruction: Instruction, *, polls: bool) -> None:
    """Append one instruction."""
    site = Site(instruction, frame)
    code = frame.code

    def body() -> None:
        match instruction.mnemonic:
            case "bra":
                code.jump(control.label_of(frame, site, instruction.args.strip()))
            case "brx":
                control.branch_table(frame, site)
            case "call":
                control.call(frame, site)
            case "ret":
                code.end("ret void")
            case "exit":
                control.leave(frame, site)
            case "trap":
                control.trap(site)
            case _:
                lowering(site)(site)

    if polls:
        control.yield_to_others(site)
    if instruction.guard:
        with code.when(control.guard(site)):
            body()
    else:
        body()


def _body_name(kernel: Function) -> str:
    return llvm_name(f"{kernel.name}.body")


def _finish_kernel(
    context: Context, kernel: Function, layout: SharedLayout, symbol: str, form: _Form
) -> KernelCode:
    """Append what is called from outside, around the kernel's body, and describe the kernel."""
    code = Code(context.unit)
    body = f"call void @{_body_name(kernel)}"
    head = f'define void @"{symbol}"(ptr %thread, ptr %parameters)'
    if form is _Form.LOOP:
        _loop_over_warps(code, body)
        head = f'define void @"{symbol}"(ptr %block, ptr %parameters, i32 %begin, i32 %end)'
    elif form is _Form.WARP:
        first, mask = _own_threads(code)
        code.line(f"{body}({THREAD}, {PARAMETERS}, {first}, {mask})")
    elif form is _Form.THREAD:
        code.line(f"{body}({THREAD}, {PARAMETERS})")
    if form is not _Form.COROUTINE:
        code.end("ret void")
        code.finish(f"{head} {_FUNCTION_ATTRIBUTES}")
    offsets = kernel_offsets(kernel)
    total = max(
        (offsets[v.name] + size(v) for v in kernel.signature.params),
        default=0,
    )
    return KernelCode(
        kernel.name,
        symbol,
        loops=form is _Form.LOOP,
        resumes=form is _Form.COROUTINE,
        lanes=1 if form is _Form.THREAD else LANES,
        parameter_bytes=total,
        static_shared=layout.bytes,
    )


def _lanes_below(code: Code, count: Value) -> Value:
    """The mask of the first ``count`` (at least 1) threads of a warp."""
    whole = code.icmp("uge", count, integer(32, LANES))
    inside = code.binary("and", count, integer(32, LANES - 1))
    part = code.binary("sub", code.binary("shl", integer(32, 1), inside), integer(32, 1))
    return code.select(whole, FULL, part)


def _own_threads(code: Code) -> tuple[Value, Value]:
    """Return the first thread of the warp that ``%thread`` is, and the mask of its threads."""
    number = code.load("i32", code.displace(THREAD, THREAD_LINEAR), constant=True)
    first = code.binary("mul", number, integer(32, LANES))
    block = code.load("ptr", THREAD, constant=True)
    launch = code.load("ptr", block, constant=True)
    threads = integer(32, 1)
    for axis in range(3):
        place = code.displace(launch, LAUNCH_BLOCK + 4 * axis)
        threads = code.binary("mul", threads, code.load("i32", place, constant=True))
    return first, _lanes_below(code, code.binary("sub", threads, first))


def _loop_over_warps(code: Code, body: str) -> None:
    """Run threads ``%begin`` to ``%end`` - 1 of a block, a warp at a time."""
    begin, end = Value("i32", "%begin"), Value("i32", "%end")
    thread = code.slot("{ ptr, [3 x i32], i32 }")
    code.store(Value("ptr", "%block"), thread)
    place = code.slot("i32")
    code.store(code.binary("and", begin, integer(32, -LANES)), place)
    again, done = code.new_label(), code.new_label()
    code.place(again)
    first = code.load("i32", place)
    below = _lanes_below(code, code.binary("sub", end, first))
    skipped = code.call("i32", "llvm.usub.sat.i32", begin, first)
    mask = code.binary("and", below, code.binary("shl", FULL, skipped))
    code.line(f"{body}({thread}, {PARAMETERS}, {first}, {mask})")
    following = code.binary("add", first, integer(32, LANES))
    code.store(following, place)
    code.branch(code.icmp("ult", following, end), again, done)
    code.place(done)


def _lower_wide(
    context: Context, kernel: Function, layout: SharedLayout, cfg: CFG, found: Uniformity
) -> KernelCode:
    """Append a kernel that runs a warp at a time."""
    code = WideCode(context.unit, halves=has_rows(cfg))
    frame = WideFrame(context, kernel, cfg.scopes, layout.offsets, code, found)
    waits = has_barriers(cfg)
    first, mask = Value("i32", "%first"), Value("i32", "%mask")
    if waits:
        first, mask = _own_threads(code)
    frame.begin(first)
    try:
        WideLowering(frame, found).run(mask)
    except Refused as refused:
        raise _at(context.module, kernel.statements[frame.at], refused) from None
    symbol = f"ptx.{kernel.name}"
    if waits:
        form = _Form.COROUTINE
        code.finish_coroutine(symbol, _FUNCTION_ATTRIBUTES)
    else:
        form = _Form.LOOP if code.called.isdisjoint(WAITS) else _Form.WARP
        code.end("ret void")
        code.finish(
            f"define internal void @{_body_name(kernel)}"
            "(ptr %thread, ptr %parameters, i32 %first, i32 %mask)"
            f" alwaysinline {_FUNCTION_ATTRIBUTES}"
        )
    return _finish_kernel(context, kernel, layout, symbol, form)


def _at(module: Module, where: Statement | Item, refused: Refused) -> SourceError:
    at = places.start(where)
    message = str(refused)
    if not message.startswith("'") or " " not in message:
        message = f"the CPU target does not support {message}"
    return SourceError(
        message, path=module.path, text=module.source if at >= 0 else where.raw, at=max(at, 0)
    )
