"""nvcc's stages for a program that runs on the CPU: no ptxas, no fatbin, no device link.

::

    cicc -o a.ptx             ->   cicc, the device passes, then native code: a.device.o
    ptxas, fatbinary               the text that stands in for the fatbin (gpucc.cpu.program)
    g++ -c a.cudafe1.cpp           the same to a.host.o; a.o is both, joined by ld -r
    nvlink, g++ -c link.stub  ->   nothing: objects register their kernels themselves
    g++ … -lcudart_static          the same with libgpucc_cpurt.a

The host half is compiled as the user's compiler and flags have it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpucc import toolchain
from gpucc.errors import GpuccError, MissingToolError
from gpucc.frontend import cuda, nvcc_args
from gpucc.frontend.cuda import Plan, Role, Stage
from gpucc.frontend.nvcc_args import Argument
from gpucc.jobs import Command
from gpucc.passmanager import Target
from gpucc.passwork import read_text, write_text
from gpucc.splice import Node, Splice

_CUDA_LIBRARIES = frozenset({"-lcudart", "-lcudart_static", "-lcudadevrt", "-lcuda"})
_FATBIN = "--embedded-fatbin"


def words_for_cpu(
    words: Sequence[str], environ: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Return an nvcc command and environment for one virtual architecture: the newest asked for.

    Raises :class:`GpuccError` for options that make something else than an object or a program.
    """
    arguments = nvcc_args.effective(words, environ)
    _refuse(arguments)
    arch = _virtual(arguments)
    options = ("-arch", "-gencode", "-code")
    return (
        [*nvcc_args.without(words, *options), f"-gencode=arch={arch},code={arch}"],
        nvcc_args.environment_without(environ, *options),
    )


def _refuse(arguments: Sequence[Argument]) -> None:
    for argument in arguments:
        if argument.option in ("-dlto", "-lto", "-ltoir", "-optix-ir", "-cubin", "-fatbin", "-ptx"):
            raise GpuccError(f"nvcc's {argument.option} has no meaning for the CPU target")
        if argument.option in ("-dlink", "-cuda"):
            raise GpuccError(f"nvcc's {argument.option} is not supported by the CPU target")
        if "-flto" in (argument.value or ""):
            raise GpuccError("the CPU target does not support -flto in host code")


def _virtual(arguments: Sequence[Argument]) -> str:
    """Return the newest virtual architecture among what was asked for."""
    named: list[str] = []
    for argument in arguments:
        value = argument.value or ""
        if argument.option == "-arch":
            named.append(value)
        elif argument.option == "-gencode":
            named += [part[5:] for part in value.split(",") if part.startswith("arch=")]
    archs = [name.replace("sm_", "compute_") for name in named if name[:3] in ("sm_", "com")]
    if not archs:
        archs = [toolchain.DEFAULT_ARCH.replace("sm_", "compute_")]
    return max(archs, key=lambda arch: Target(arch.replace("compute_", "sm_")).sm)


@dataclass(slots=True)
class CpuSplice(Splice):
    """Builds the jobs of one command for the CPU."""

    _ptx_of_stub: dict[str, str] = field(init=False, default_factory=dict[str, str])
    """By the stub file that a host half includes: the PTX of its device half, as nvcc names it."""
    _linked: bool = field(init=False, default=False)

    def _look_ahead(self) -> None:
        super(CpuSplice, self)._look_ahead()
        self.plan = replace(self.plan, stages=tuple(_kept(self.plan)))
        for stage in self.plan.stages:
            if stage.role is Role.DEVICE:
                ptx = cuda.ptx_of(stage)
                assert ptx is not None, "options that give no PTX are refused before"
                self._ptx_of_stub[cuda.option_value(stage.words, "--stub_file_name") or ""] = ptx
                self._linked = self._linked or "--device-c" in stage.words

    def _add(self, stage: Stage) -> None:
        if stage.role is Role.PACK:
            self._add_registration(stage)
        elif stage.role is Role.LINK:
            self._add_link(_with_runtime(stage))
        elif self._half(stage):
            self._add_half(stage)
        else:
            super(CpuSplice, self)._add(stage)
            if stage.role is Role.DEVICE:
                self._add_device_object(stage)

    def _add_registration(self, stage: Stage) -> None:
        """Write what the host half includes as its fatbin."""
        from gpucc.cpu import program

        name = cuda.option_value(stage.words, _FATBIN) or ""
        text = program.registration(_cuda_version(self.plan), linked=self._linked)
        self._own(f"registration {name}", lambda: write_text(name, text), writes=frozenset([name]))

    def _add_device_object(self, stage: Stage) -> None:
        """Compile the PTX of a cicc stage, after the passes, to native code."""
        from gpucc.cpu import program

        made = cuda.ptx_of(stage) or ""
        ptx = self._names.get(made, made)
        source = self._subject(stage)
        linked = self._linked

        def work() -> None:
            title = f"{source} (PTX)"
            data = program.compile_object(read_text(ptx), title, linked=linked)
            Path(_device_object(made)).write_bytes(data)

        self._own(
            f"cpu code {source}",
            work,
            reads=frozenset([ptx]),
            writes=frozenset([_device_object(made)]),
        )

    def _add_half(self, stage: Stage) -> None:
        """Compile a host half, and join it with the object of the device half."""
        from gpucc.cpu import program

        final = stage.output or ""
        half = f"{self.scratch}/{len(self.nodes)}.host.o"
        device = next(
            _device_object(ptx) for stub, ptx in self._ptx_of_stub.items() if stub in stage.reads
        )
        super(CpuSplice, self)._add(stage.renamed({final: half}))
        both = frozenset([half, device])
        environment = self.plan.environment
        about = self._subject(stage)
        self._about[final] = about
        for label, words, reads in (
            ("join", (_tool("ld"), "-r", half, device, "-o", final), both),
            ("localize", (_tool("objcopy"), f"--localize-symbol={program.TABLE}", final), {final}),
        ):
            self.nodes.append(
                Node(
                    f"{label} {about}".strip(),
                    None,
                    Command(words, environment),
                    frozenset(reads),
                    frozenset([final]),
                    final,
                )
            )


def _cuda_version(plan: Plan) -> tuple[int, int]:
    """Return the version of the CUDA headers, which nvcc tells the preprocessor."""
    found = {
        part: int(word.partition("=")[2])
        for stage in plan.stages
        for word in stage.words
        for part in ("MAJOR", "MINOR")
        if word.startswith(f"-D__CUDACC_VER_{part}__=")
    }
    return found["MAJOR"], found["MINOR"]


def _device_object(ptx: str) -> str:
    return f"{ptx}.device.o"


def _tool(name: str) -> str:
    if found := shutil.which(name):
        return found
    raise MissingToolError(f"{name} was not found (joins objects)", hint="apt install binutils")


def _kept(plan: Plan) -> list[Stage]:
    """Return the stages that have a meaning here: none that makes or links GPU code."""
    dropped: set[str] = set()
    kept: list[Stage] = []
    for stage in plan.stages:
        links_device_code = stage.role is Role.HOST and any(
            os.path.basename(word) == "link.stub" for word in stage.words
        )
        makes_nothing = stage.role is Role.PACK and "-link" in stage.words
        if stage.role in (Role.ASSEMBLE, Role.DEVICE_LINK) or links_device_code or makes_nothing:
            dropped |= stage.writes
        elif stage.role is Role.REMOVE:
            continue
        else:
            words = tuple(word for word in stage.words if word not in dropped)
            kept.append(replace(stage, words=words, reads=stage.reads - dropped))
    return kept


def _with_runtime(stage: Stage) -> Stage:
    """Link with our CUDA runtime instead of NVIDIA's."""
    from gpucc.native import native_library

    library = str(native_library("libgpucc_cpurt.a"))
    words = [word for word in stage.words if word not in _CUDA_LIBRARIES]
    end = "-Wl,--end-group"
    at = words.index(end) if end in words else len(words)
    more = [library, "-lrt", "-lpthread", "-ldl", "-lstdc++", "-lm"]
    words[at:at] = more
    return replace(stage, words=tuple(words), reads=stage.reads | {library})
