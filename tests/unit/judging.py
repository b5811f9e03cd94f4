"""ptxas as the judge of single instructions: which of many it takes, in a few runs.

Instructions stand in one function, each on a line of its own; ptxas names the lines it refuses.
Faults that it finds only when all else is right show when the refused ones are taken out.
"""

from __future__ import annotations

import functools
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gpucc.frontend.parser import parse
from gpucc.ptx.targets import NEWEST_VERSION
from gpucc.ptx.verify import verify
from gpucc.toolchain import ptxas_for

_DECLARED = """
.global .align 16 .b8 gvar[256];
.const .align 16 .b8 cvar[256];
.shared .align 16 .b8 svar[1024];
.global .texref tex0;
.global .surfref srf0;
.func (.param .b32 fr) fn0 (.param .b32 fa) { st.param.b32 [fr], 0; ret; }
"""
_REGISTERS = """
.reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<33>; .reg .b64 %d<33>; .reg .f32 %f<33>;
.reg .f64 %g<33>; .reg .b128 %q<4>; .reg .b8 %c<4>; .reg .u16 %uh<4>; .reg .u32 %ur<4>;
.reg .u64 %ud<4>; .reg .s32 %sr<4>; .reg .s64 %sd<4>;
.local .align 16 .b8 lvar[64];
"""


def module(instructions: Sequence[str], target: str, version: str) -> str:
    """Return a module with ``instructions`` (each with its ``;``) in a kernel, a line each."""
    head = f".version {version}\n.target {target}\n.address_size 64\n"
    head += _DECLARED.replace("\n", " ") + "\n"
    head += ".visible .entry k(.param .u64 p0, .param .u32 p1) {" + _REGISTERS.replace("\n", " ")
    return head + "\n" + "\n".join(instructions) + "\nL0:\nret;\n}\n"


_FIRST_LINE = 6


def ours(instructions: Sequence[str], target: str, version: str) -> dict[int, str]:
    """Return what the verifier refuses, by index, with its message."""
    parsed = parse(module(instructions, target, version))
    refused: dict[int, str] = {}
    for problem in verify(parsed):
        if problem.severity == "error":
            line = parsed.source.count("\n", 0, problem.at) + 1
            refused.setdefault(line - _FIRST_LINE, problem.message)
    return refused


def theirs(instructions: Sequence[str], target: str, version: str) -> dict[int, str]:
    """Return what ptxas refuses, by index, with its message."""
    refused: dict[int, str] = {}
    while True:
        kept = ["" if index in refused else text for index, text in enumerate(instructions)]
        found = _refused(module(kept, target, version), target)
        new = {line - _FIRST_LINE: message for line, message in found.items()}
        new = {index: message for index, message in new.items() if index not in refused}
        if not new:
            return refused
        refused |= new


@functools.cache
def _newest_ptxas() -> Path:
    """Return the ptxas that the table follows, whichever other one may be on the machine."""
    return ptxas_for(f".version {'.'.join(map(str, NEWEST_VERSION))}").path


_NARROW = re.compile(r"32-bit address on line '(\d+)'")
_ERROR = re.compile(r"line (\d+); (?:fatal|error)\s*:?\s*(.*)")


def _refused(text: str, target: str) -> dict[int, str]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "module.ptx"
        source.write_text(text)
        done = subprocess.run(
            [_newest_ptxas(), f"-arch={target}", "-O0", "-c", source, "-o", "/dev/null"],
            capture_output=True,
            text=True,
            check=False,
        )
        printed = done.stdout + done.stderr
        refused: dict[int, str] = {}
        for line, message in _ERROR.findall(printed):
            refused.setdefault(int(line), message)
        if "32-Bit addressing) is not supported" in printed:
            refused |= {int(line): "32-bit address" for line in _NARROW.findall(printed)}
        # A fault without a line is one of no instruction, and would be taken for none.  Code that
        # makes no sense may crash the code generator, which only runs when nothing is refused.
        assert refused or done.returncode <= 0, printed
        return refused
