"""Compiles one LLVM IR file to PTX, in a process of its own.

LLVM ends the process it runs in when its code generator meets something it cannot compile
(``report_fatal_error``), and a damaged file may crash it.  :mod:`gpucc.frontend.llvm` therefore
runs this file as a program and reads its answer: one JSON object on stdout, either
``{"ptx": text}`` or ``{"stage": …, "message": …}`` for an error that LLVM reported in an orderly
way.  Everything else (a signal, words on stderr) is a crash.

Run by hand: ``python llvm_worker.py FILE '{"cpu": "sm_90", "features": "", "level": 2,
"libdevice": "…/libdevice.10.bc"}'``.  Only llvmlite is imported, so that it starts quickly.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

llvm: Any = importlib.import_module("llvmlite.binding")  # which has no types

TRIPLE = "nvptx64-nvidia-cuda"


class Rejected(Exception):
    """LLVM or this file does not accept the input; ``stage`` says which step found out."""

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(message)
        self.stage = stage


def is_bitcode(data: bytes) -> bool:
    """Tell whether ``data`` begins as LLVM bitcode does."""
    return data[:4] in (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def compile_file(path: str, options: dict[str, Any]) -> str:
    """Return the PTX of the file; raises :class:`Rejected`."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    level: int = options["level"]
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=options["cpu"], features=options["features"], opt=3 if level else 0
    )
    module = _parse(Path(path).read_bytes())
    _set_target(module, machine)
    try:
        module.verify()
    except RuntimeError as fault:
        raise Rejected("verify", str(fault)) from None
    _check_kernels(module)
    _link_libdevice(module, machine, options["libdevice"])
    _optimise(module, machine, level)
    return machine.emit_assembly(module)


def _parse(data: bytes) -> Any:
    try:
        return llvm.parse_bitcode(data) if is_bitcode(data) else llvm.parse_assembly(data.decode())
    except RuntimeError as fault:
        # llvmlite puts a line of its own before LLVM's message.
        raise Rejected("parse", str(fault).partition("\n")[2]) from None


def _set_target(module: Any, machine: Any) -> None:
    """Fill in triple and data layout; refuse a module that was made for something else."""
    triple: str = module.triple
    if triple and (not triple.startswith("nvptx64-") or triple.endswith("-nvcl")):
        raise Rejected("triple", triple)
    layout: str = module.data_layout
    parts = layout.split("-")
    if "E" in parts or any(p.startswith("p:") and not p.startswith("p:64") for p in parts):
        raise Rejected("layout", layout)
    module.triple = TRIPLE
    module.data_layout = str(machine.target_data)


def _check_kernels(module: Any) -> None:
    """Refuse kernels that return something: LLVM would emit PTX that no assembler takes."""
    for function in module.functions:
        returned = str(function.global_value_type).split(" (")[0]
        if returned != "void" and re.search(r"^define\b[^@]*\bptx_kernel\b", str(function), re.M):
            raise Rejected("kernel", function.name)


def _link_libdevice(module: Any, machine: Any, path: str | None) -> None:
    """Link the definitions of the ``__nv_*`` functions that the module calls."""
    wanted = {f.name for f in module.functions if f.is_declaration and f.name.startswith("__nv_")}
    if not wanted:
        return
    if path is None:
        raise Rejected("libdevice", sorted(wanted)[0])
    library = llvm.parse_bitcode(Path(path).read_bytes())
    library.triple = TRIPLE
    library.data_layout = str(machine.target_data)
    own = {f.name for f in module.functions if not f.is_declaration}
    added: set[str] = set()
    for function in library.functions:
        if function.name in own:
            function.linkage = "weak_any"  # so that the module's own definition is taken
        elif not function.is_declaration:
            added.add(function.name)
    try:
        module.link_in(library)
    except RuntimeError as fault:
        raise Rejected("link", str(fault)) from None
    for function in module.functions:
        if function.name in added:
            function.linkage = "internal"


def _optimise(module: Any, machine: Any, level: int) -> None:
    """Run LLVM's own pipeline; at level 0 only drop what nothing uses (most of libdevice)."""
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(level))
    if level:
        manager = builder.getModulePassManager()
    else:
        manager = llvm.create_new_module_pass_manager()
        manager.add_global_dead_code_eliminate_pass()
    manager.run(module, builder)


def main() -> None:
    """Answer on stdout."""
    path, options = sys.argv[1:]
    try:
        answer = {"ptx": compile_file(path, json.loads(options))}
    except Rejected as fault:
        answer = {"stage": fault.stage, "message": str(fault)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
