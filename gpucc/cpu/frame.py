"""The function that is being lowered: where its registers, variables and parameters are.

Registers and local variables are slots on the stack, which LLVM turns into values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpucc.analysis.scopes import Scopes
from gpucc.cpu.code import Code, Unit, Value, integer
from gpucc.cpu.nans import loose_registers
from gpucc.cpu.site import Refused
from gpucc.cpu.special import LAUNCH_DYNAMIC, LAUNCH_SHARED, SpecialRegisters
from gpucc.cpu.storage import DYNAMIC, alignment, size
from gpucc.cpu.types import bits, llvm_type
from gpucc.errors import line_column
from gpucc.ptx import places
from gpucc.ptx.module import Function, Instruction, Module, Variable
from gpucc.ptx.names import special_register

THREAD = Value("ptr", "%thread")
PARAMETERS = Value("ptr", "%parameters")

_AXES = {"": (), ".v2": ("x", "y"), ".v4": ("x", "y", "z", "w")}


def llvm_name(name: str) -> str:
    """Return the LLVM name of a variable or function of the module, without the ``@``."""
    return f'"ptx.{name}"'


@dataclass
class Context:
    """What the functions of a module share while it is lowered.

    ``globals`` are the global and constant variables by name, ``functions`` those with a body or a
    prototype.  ``sites`` collects the places of instructions that reports may name.  ``linked``:
    functions without a body are in another module of the program.
    """

    module: Module
    unit: Unit
    globals: Mapping[str, Variable]
    functions: Mapping[str, Function]
    sites: list[str] = field(default_factory=list[str])
    linked: bool = False


class FunctionFrame:
    """Implements :class:`gpucc.cpu.site.Frame` for one function.

    ``shared`` has the offsets of shared variables by :func:`shared_key`.
    """

    def __init__(
        self,
        context: Context,
        function: Function,
        scopes: Scopes,
        shared: Mapping[str, int],
        code: Code,
    ) -> None:
        self.context = context
        self.function = function
        self.scopes = scopes
        self.at = 0
        self._shared = shared
        self._code = code
        self._special = SpecialRegisters(code, THREAD)
        self._found: dict[str, tuple[Value, str] | None] = {}
        self._variables: dict[str, Value] = {}
        self._carry: Value | None = None
        self._loose = loose_registers(function, scopes)
        signature = function.signature
        self._parameters = {v.name: v for v in (*signature.returns, *signature.params)}
        self._offsets = kernel_offsets(function) if function.is_kernel else {}

    @property
    def code(self) -> Code:
        """Where instructions go."""
        return self._code

    @property
    def thread(self) -> Value:
        """The ``ptr`` to the ``gpucc_thread`` that executes."""
        return THREAD

    # --- registers --------------------------------------------------------------------------------

    def register(self, name: str) -> tuple[Value, str] | None:
        """Return the slot and the PTX type of a register; None if the name is something else."""
        key = self.scopes.key(name, self.at)
        if key not in self._found:
            self._found[key] = self._make_register(name)
        return self._found[key]

    def read_register(self, name: str) -> Value:
        """Return what is in a register."""
        slot, type_ = self._known(name)
        return self._code.load(llvm_type(type_), slot)

    def write_register(self, name: str, value: Value) -> None:
        """Put a value of the register's type into it."""
        self._code.store(value, self._known(name)[0])

    def _known(self, name: str) -> tuple[Value, str]:
        found = self.register(name)
        assert found is not None, name
        return found

    def _make_register(self, name: str) -> tuple[Value, str] | None:
        base, dot, axis = name.rpartition(".")
        if dot and special_register(name) is None:
            declared = self._register_variable(base)
            if declared is None or axis not in _AXES[declared.vector]:
                return None
            width = bits(declared.type[1:]) // 8
            whole = self._vector_slot(base, declared)
            slot = self._code.displace(whole, _AXES[declared.vector].index(axis) * width)
            return slot, declared.type[1:]
        declared = self._register_variable(name)
        if declared is None or declared.vector:
            return None
        if name in self._parameters and self.scopes.variable(name, self.at) is None:
            return Value("ptr", f'%"{name}"'), declared.type[1:]
        type_ = declared.type[1:]
        return self._code.slot(llvm_type(type_), zero=True), type_

    def _vector_slot(self, name: str, declared: Variable) -> Value:
        key = self.scopes.key(name, self.at)
        if key not in self._variables:
            width = bits(declared.type[1:]) // 8 * len(_AXES[declared.vector])
            self._variables[key] = self._code.slot(f"[{width} x i8]", align=16, zero=True)
        return self._variables[key]

    def _register_variable(self, name: str) -> Variable | None:
        found = self.scopes.variable(name, self.at)
        variable = found[1] if found else self._parameters.get(name)
        return variable if variable is not None and variable.space == ".reg" else None

    def loose(self, name: str) -> str:
        """Return ``f32`` or ``f64`` if a register may hold any NaN (:mod:`gpucc.cpu.nans`)."""
        return self._loose.get(self.scopes.key(name, self.at), "")

    def components(self, name: str) -> tuple[str, ...]:
        """Return the components of a vector register; none of anything else."""
        if self.register(name) is not None:
            return ()
        declared = self._register_variable(name)
        return tuple(f"{name}.{axis}" for axis in _AXES[declared.vector]) if declared else ()

    # --- symbols ----------------------------------------------------------------------------------

    def symbol(self, name: str) -> Value:
        """Return the address of a variable or function: a ``ptr``, or an offset (``i64``)."""
        found = self.scopes.variable(name, self.at)
        if found is not None:
            return self._body_variable(name, found[1])
        if name in self._parameters:
            if self.function.is_kernel:
                return self._code.displace(PARAMETERS, self._offsets[name])
            return Value("ptr", f'%"{name}"')
        if name in self._shared:
            return self._shared_address(name)
        function = self.context.functions.get(name)
        if function is not None and function.is_kernel:
            raise Refused(f"the address of the kernel '{name}'")
        if name in self.context.globals or name in self.context.functions:
            return Value("ptr", f"@{llvm_name(name)}")
        raise Refused(f"'{name}', which the CPU target does not have")

    def is_kernel_parameter(self, name: str) -> bool:
        """Return whether ``name`` is a parameter of the kernel, which never changes."""
        return (
            self.function.is_kernel
            and name in self._parameters
            and self.scopes.variable(name, self.at) is None
        )

    def _body_variable(self, name: str, variable: Variable) -> Value:
        key = self.scopes.key(name, self.at)
        match variable.space:
            case ".shared":
                return self._shared_address(shared_key(self.function, key))
            case ".local" | ".param":
                if key not in self._variables:
                    self._variables[key] = self._code.slot(
                        f"[{size(variable)} x i8]", align=max(alignment(variable), 8)
                    )
                return self._variables[key]
            case _:
                raise Refused(f"'{name}', a variable in {variable.space} space inside a function")

    def _shared_address(self, key: str) -> Value:
        offset = self._shared[key]
        if offset != DYNAMIC:
            return integer(64, offset)
        code = self._code
        block = code.load("ptr", THREAD)
        launch = code.load("ptr", block, constant=True)
        total = code.load("i32", code.displace(launch, LAUNCH_SHARED), constant=True)
        dynamic = code.load("i32", code.displace(launch, LAUNCH_DYNAMIC), constant=True)
        return code.resize(code.binary("sub", total, dynamic), 64)

    # --- the rest ---------------------------------------------------------------------------------

    def special(self, name: str, type_: str) -> Value:
        """Return a special register as a value of the PTX type ``type_``."""
        value = self._special.read(name)
        if value is None:
            known = special_register(name) is not None
            what = "a register that the CPU target does not have" if known else "not declared"
            raise Refused(f"'{name}', {what}")
        return self._code.resize(value, bits(type_))

    def carry(self) -> Value:
        """Return the slot of the carry flag."""
        if self._carry is None:
            self._carry = self._code.slot("i1", zero=True)
        return self._carry

    def site(self) -> Value:
        """Return the number of the instruction at :attr:`at`."""
        statement = self.function.statements[self.at]
        assert isinstance(statement, Instruction)
        module = self.context.module
        line, _ = line_column(module.source, places.start(statement))
        said = " ".join(f"{statement.opcode} {statement.args}".split())
        self.context.sites.append(f"{module.path}:{line}: {said}")
        return integer(32, len(self.context.sites) - 1)


def shared_key(function: Function, key: str) -> str:
    """Return what tells a shared variable of a function body from those of others."""
    return f"{function.name}:{key}"


def kernel_offsets(function: Function) -> dict[str, int]:
    """Return where the parameters of a kernel lie in its parameter buffer (PTX ISA 5.1.6)."""
    offsets: dict[str, int] = {}
    end = 0
    for variable in function.signature.params:
        align = alignment(variable)
        offsets[variable.name] = -(-end // align) * align
        end = offsets[variable.name] + size(variable)
    return offsets
