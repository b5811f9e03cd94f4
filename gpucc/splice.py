"""Puts passes between nvcc's stages: a plan of nvcc's and a pipeline in, jobs out.

Device passes go between cicc and whoever reads its PTX (ptxas, and fatbinary, which embeds it)::

    cicc -o a.ptx    ->   cicc -o a.ptx
    ptxas a.ptx           a.ptx -> passes -> a.gpucc.ptx
                          ptxas a.gpucc.ptx

Host passes go into the compilation of ``.cudafe1.cpp`` (:mod:`gpucc.frontend.host`).  They want to
know what the kernels do with their pointers, so the host half of *any* file waits for the device
half of *all* files of the command.

Outputs are made under names of their own beside the final ones; :attr:`Splice.outputs` says which.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpucc import toolchain
from gpucc.errors import GpuccError
from gpucc.frontend import cuda, depfile, host
from gpucc.frontend.cuda import Role, Stage
from gpucc.frontend.nvcc_args import Argument, has
from gpucc.jobs import Command, Job
from gpucc.outputs import is_same_file, temporary_name
from gpucc.passmanager import Pipeline, Target
from gpucc.passwork import (
    DeviceUnit,
    Findings,
    PassOptions,
    read_text,
    run_on_device,
    run_on_host,
    write_text,
)

_FACTS = "facts of "
"""Before a PTX file's name: stands for what the host passes want to know of it."""

_WRITES_BESIDE = ("--coverage", "-fprofile-arcs", "-ftest-coverage", "-gsplit-dwarf", "-save-temps")
"""Options of host compilers that name further files after the output: it keeps its name then."""


@dataclass(frozen=True, slots=True)
class Node:
    """A job-to-be with the files that order it."""

    label: str
    role: Role | None
    """None for work of our own."""
    work: Command | Callable[[], None]
    reads: frozenset[str]
    writes: frozenset[str]
    output: str | None = None
    """The file among ``writes`` that it is run for."""


@dataclass(slots=True)
class Splice:
    """Builds the jobs of one command: :meth:`build` once, then :meth:`jobs`."""

    plan: cuda.Plan
    pipeline: Pipeline
    options: PassOptions
    arguments: Sequence[Argument]
    """The nvcc command, read."""
    scratch: Path
    compiler: str | None = None
    """What compiles and links where the plan's compiler (a clang for host passes) should not."""
    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to call given PTX files that stand for something else (an ``.ll`` file)."""
    host_ir: Callable[[str], str] | None = None
    """If given, stop when the host passes are through; gives the output's name for a source."""
    findings: Findings = field(default_factory=Findings)
    nodes: list[Node] = field(default_factory=list[Node])
    outputs: dict[str, str] = field(default_factory=dict[str, str])
    """The name under which each is made, by the name that it has in the end (perhaps the same)."""
    last: list[Stage] = field(default_factory=list[Stage])
    """What runs when the outputs have their names (``nvcc --run``)."""
    units: list[str] = field(default_factory=list[str])
    """What passes run over, in order: the names of remarks' units."""
    notes: list[str] = field(default_factory=list[str])
    """What the user should know."""
    _names: dict[str, str] = field(init=False, default_factory=dict[str, str])
    """PTX files by the name nvcc gave them: what stands for them after the passes."""
    _assemblers: dict[str, Stage] = field(init=False, default_factory=dict[str, Stage])
    """The first ptxas stage of each PTX file."""
    _sources: dict[str, str] = field(init=False, default_factory=dict[str, str])
    """The user's source files by their host halves (``.cudafe1.cpp``)."""
    _about: dict[str, str] = field(init=False, default_factory=dict[str, str])
    """The user's source files by what is made of them."""
    _facts: set[str] = field(init=False, default_factory=set[str])
    """What stands for the device halves among what the host passes wait for."""

    def build(self) -> None:
        """Fill :attr:`nodes` and :attr:`outputs`."""
        self._look_ahead()
        for stage in self._in_order():
            self._add(stage)
        if self.host_ir:
            self._keep_what_leads_to({self.host_ir(source) for source in self._sources.values()})
        self._name_outputs()

    def jobs(self) -> list[Job]:
        """Return the jobs; each waits for those before it that touch the same files."""
        return [
            Job(
                node.label,
                node.work,
                frozenset(
                    i
                    for i, earlier in enumerate(self.nodes[:j])
                    if earlier.writes & (node.reads | node.writes) or earlier.reads & node.writes
                ),
            )
            for j, node in enumerate(self.nodes)
        ]

    # --- order ----------------------------------------------------------------------------------

    def _look_ahead(self) -> None:
        for stage in self.plan.stages:
            if stage.role is Role.SPLIT:
                half = cuda.option_value(stage.words, "--gen_c_file_name") or ""
                source = cuda.option_value(stage.words, "--orig_src_file_name")
                self._sources[half] = source or half
            elif stage.role is Role.ASSEMBLE:
                for name in stage.reads:
                    self._assemblers.setdefault(name, stage)
            elif stage.role is Role.DEVICE and self.pipeline.passes:
                ptx = cuda.ptx_of(stage)
                if ptx is None:
                    raise GpuccError(
                        f"no pass can run on {self._subject(stage)}: its device code is not"
                        " compiled to PTX but kept for optimisation at link time",
                        hint="leave out -dlto, -lto, -ltoir and code=lto_…, or the passes",
                    )
                if self.pipeline.host:
                    self._facts.add(_FACTS + ptx)

    def _in_order(self) -> list[Stage]:
        """Return the plan's stages; with host passes, every device half before any host half."""
        stages = self.plan.stages
        if not self.pipeline.host:
            return list(stages)
        late: set[str] = set()
        device: list[Stage] = []
        rest: list[Stage] = []
        for stage in stages:
            if self._half(stage) or stage.reads & late:
                late |= stage.writes
                rest.append(stage)
                continue
            device.append(stage)
            for waiting in rest:
                if clash := stage.writes & (waiting.reads | waiting.writes):
                    raise GpuccError(
                        f"two of the files would both be kept as {min(clash)}, and host passes"
                        " look at all files together",
                        hint="leave out --keep, or compile the files one by one",
                    )
        return device + rest

    # --- one stage ------------------------------------------------------------------------------

    def _add(self, stage: Stage) -> None:
        for name in sorted(stage.reads):
            if name.endswith(".ptx") and name not in self._names and not self._is_made(name):
                self._add_given_ptx(name)
        stage = self._with_ptxas(stage).renamed(self._names)
        if stage.role is Role.EXECUTE:
            self.last.append(stage)
        elif stage.role is Role.DEPENDENCIES:
            self._add_dependencies(stage)
        elif stage.role is Role.REMOVE:
            self._own("rm", lambda: _remove(stage.writes), writes=stage.writes)
        elif self.pipeline.passes and (ptx := cuda.ptx_of(stage)):
            self._add_device(stage, ptx)
        elif (self.pipeline.host or self.host_ir) and (half := self._half(stage)):
            self._add_host(stage, half)
        elif stage.role is Role.LINK:
            self._add_link(stage)
        else:
            self._add_command(stage)

    def _add_command(self, stage: Stage) -> None:
        half = self._half(stage)
        words = stage.words
        about = self._subject(stage)
        self._about.update(dict.fromkeys(stage.writes, about))
        if self.compiler and (
            stage.role is Role.LINK or (stage.role is Role.HOST and half is None)
        ):
            words = (self.compiler, *words[1:])
        output = stage.output
        if stage.role is Role.PACK:
            output = cuda.option_value(stage.words, "--create")
        elif stage.role is Role.ARCHIVE:
            (output,) = stage.writes
        self.nodes.append(
            Node(
                f"{stage.role.value} {about}".strip(),
                stage.role,
                Command(words, self.plan.environment),
                stage.reads,
                stage.writes,
                output,
            )
        )

    def _subject(self, stage: Stage) -> str:
        """Return what a stage is about: a source file of the user's, or nothing if several."""
        named = cuda.option_value(stage.words, "--orig_src_file_name")
        if named is None and stage.role is Role.PREPROCESS and "-o" in stage.words:
            named = stage.words[stage.words.index("-o") - 1]
        about = {self._about[name] for name in stage.reads if name in self._about}
        return named or (about.pop() if len(about) == 1 else "")

    def _own(
        self,
        label: str,
        work: Callable[[], None],
        *,
        reads: frozenset[str] = frozenset(),
        writes: frozenset[str] = frozenset(),
        output: str | None = None,
    ) -> None:
        self.nodes.append(Node(label, None, work, reads, writes, output))

    def _add_dependencies(self, stage: Stage) -> None:
        preprocessed = [Path(name) for name in stage.words]
        for path in stage.writes:
            self._own(
                f"dependencies {path}",
                lambda path=path: depfile.write(
                    preprocessed, Path(self.outputs.get(path, path)), self.arguments
                ),
                reads=stage.reads,
                writes=stage.writes,
                output=path,
            )

    # --- device passes --------------------------------------------------------------------------

    def _add_device(self, stage: Stage, ptx: str) -> None:
        """Add a cicc stage and the passes over its PTX."""
        arch = cuda.option_value(stage.words, "-arch") or ""
        final = ptx
        check = self._checker(ptx, Target(_real(arch)))
        if self.pipeline.device:
            if self._is_ours(ptx) or has(self.arguments, "-keep", "-save-temps"):
                final = str(Path(ptx).with_suffix(".gpucc.ptx"))
                self._names[ptx] = final
            else:  # PTX is what the user wants: what cicc writes is not yet it
                ptx = str(self.scratch / f"{len(self.nodes)}.ptx")
                stage = stage.renamed({final: ptx})
        self._add_command(stage)
        name = f"{self._subject(stage)} ({_real(arch)})"
        self._about[final] = name
        self._add_passes(DeviceUnit(name, ptx, Target(_real(arch)), check), final)

    def _add_given_ptx(self, name: str) -> None:
        """Add the passes over a PTX file of the user's."""
        if not self.pipeline.device:
            return
        assembler = self._assemblers.get(name)
        arch = cuda.option_value(assembler.words, "-arch") if assembler else None
        target = Target(_real(arch or toolchain.DEFAULT_ARCH))
        final = str(self.scratch / f"{len(self.nodes)}.gpucc.ptx")
        check = self._checker(name, target)
        title = self.titles.get(name, name)
        unit = DeviceUnit(title, name, target, check, is_given=title == name)
        self._add_passes(unit, final)
        self._names[name] = final

    def _add_passes(self, unit: DeviceUnit, final: str) -> None:
        self.units.append(unit.name)

        def work() -> None:
            text = run_on_device(unit, self.pipeline, self.options, self.findings)
            if final != unit.path:
                write_text(self.outputs.get(final, final), text)

        self._own(
            f"passes {unit.name}",
            work,
            reads=frozenset([unit.path]),
            writes=frozenset({_FACTS + unit.path, final} - {unit.path}),
            output=final,
        )

    def _checker(self, ptx: str, target: Target) -> Callable[[str], None]:
        """Return what ``--verify-each`` calls: ptxas as it will be called for the file ``ptx``.

        Where the command ends with PTX, ptxas is called as for code that is linked later.
        """
        assembler = self._assemblers.get(ptx)

        def check(text: str) -> None:
            if assembler is None:
                toolchain.assemble(text, target.arch, "-c")
                return
            source, cubin = str(self.scratch / "verify.ptx"), str(self.scratch / "verify.cubin")
            write_text(source, text)
            names = {ptx: source, **({assembler.output: cubin} if assembler.output else {})}
            words = cuda.rename_words(assembler.words, names)
            toolchain.run(words, what="ptxas", env=self.plan.environment)

        return check

    def _with_ptxas(self, stage: Stage) -> Stage:
        """Give a ptxas stage the ptxas that reads its file, if the toolkit's is too old for it."""
        if stage.role is not Role.ASSEMBLE:
            return stage
        for name in stage.reads:
            if name.endswith(".ptx") and not self._is_made(name):
                own = toolchain.which(stage.words[0], self.plan.environment)
                tool = toolchain.ptxas_for(read_text(name), first=own)
                if tool.path != own:
                    title = self.titles.get(name, name)
                    self.notes.append(
                        f"{title} is newer than {own} ({toolchain.version(own)});"
                        f" {tool.path} ({toolchain.version(tool.path)}) assembles it"
                    )
                    return replace(stage, words=(str(tool.path), *stage.words[1:]))
        return stage

    # --- host passes ----------------------------------------------------------------------------

    def _add_host(self, stage: Stage, half: str) -> None:
        """Add, for the compilation of a host half: to IR, the passes, and to an object."""
        source = self._sources[half]
        stem = str(self.scratch / f"{len(self.nodes)}-{Path(source).stem}")
        raw, made = f"{stem}.ll", stage.output or ""
        final = self.host_ir(source) if self.host_ir else f"{stem}.gpucc.ll"
        environment = self.plan.environment
        self.nodes.append(
            Node(
                f"host IR {source}",
                Role.HOST,
                Command(host.to_ir(stage, raw), environment),
                stage.reads,
                frozenset([raw]),
            )
        )
        target = Target(_real(self._first_arch()))
        self.units.append(source)

        def work() -> None:
            text = run_on_host(source, raw, target, self.pipeline, self.options, self.findings)
            write_text(self.outputs.get(final, final), text)

        self._own(
            f"host passes {source}",
            work,
            reads=frozenset([raw, *self._facts]),
            writes=frozenset([final]),
            output=final,
        )
        self.nodes.append(
            Node(
                f"host object {source}",
                None,  # not the user's code any more: if it fails, that is ours
                Command(host.to_object(stage, half, final), environment),
                frozenset([final]),
                stage.writes,
                stage.output,
            )
        )
        strip = host.without_line_numbers(made)
        if strip and not host.has_debug_info(stage):
            self.nodes.append(
                Node(
                    f"strip {source}",
                    None,
                    Command(strip, environment),
                    frozenset([made]),
                    frozenset([made]),
                    stage.output,
                )
            )

    def _add_link(self, stage: Stage) -> None:
        """Add the link; after host passes, with the runtime library that changed code calls.

        Whether any did is known only then, so the library stands in a response file.
        """
        if self.pipeline.host:
            more = str(self.scratch / "runtime.rsp")
            given = any(
                name.endswith((".o", ".a", ".so")) and not self._is_made(name)
                for name in stage.reads
            )
            self._own(
                "runtime library",
                lambda: _write_runtime(Path(more), self.findings.host_changed, given=given),
                reads=stage.reads,
                writes=frozenset([more]),
            )
            words = list(stage.words)
            end = "-Wl,--end-group"
            words.insert(words.index(end) if end in words else len(words), f"@{more}")
            stage = replace(stage, words=tuple(words), reads=stage.reads | {more})
        self._add_command(stage)

    def _first_arch(self) -> str:
        archs = (
            cuda.option_value(stage.words, "-arch")
            for stage in self.plan.stages
            if stage.role is Role.DEVICE
        )
        return next((arch for arch in archs if arch), toolchain.DEFAULT_ARCH)

    def _keep_what_leads_to(self, wanted: set[str]) -> None:
        kept: list[Node] = []
        for node in reversed(self.nodes):
            if node.writes & wanted:
                wanted |= node.reads
                kept.append(node)
        self.nodes = kept[::-1]

    # --- outputs --------------------------------------------------------------------------------

    def _name_outputs(self) -> None:
        """Let what the user gets be written under another name first."""
        given = [a.value for a in self.arguments if a.option is None and a.value]
        for node in self.nodes:
            final = node.output
            if final and node.role is not Role.ARCHIVE and is_same_file(final, given):
                raise GpuccError(f"the output {final} would replace an input")
            if final and not self._is_ours(final) and not self._is_read(final):
                in_place = node.role is Role.ARCHIVE or _names_files_after(node)
                self.outputs[final] = final if in_place else temporary_name(final, self.scratch)
        self.nodes = [_renamed(node, self.outputs) for node in self.nodes]

    def _is_read(self, name: str) -> bool:
        """Tell whether something is made of the file ``name``."""
        return any(name in node.reads and node.writes - {name} for node in self.nodes)

    def _is_made(self, name: str) -> bool:
        return any(name in stage.writes for stage in self.plan.stages)

    def _is_ours(self, name: str) -> bool:
        return Path(name).is_relative_to(self.scratch)

    def _half(self, stage: Stage) -> str | None:
        return cuda.host_source_of(stage, frozenset(self._sources))


def _real(arch: str) -> str:
    return arch.replace("compute_", "sm_")


def _remove(names: frozenset[str]) -> None:
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _names_files_after(node: Node) -> bool:
    return isinstance(node.work, Command) and any(
        word.startswith(_WRITES_BESIDE) for word in node.work.words
    )


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    if not isinstance(node.work, Command):
        return node
    work = replace(node.work, words=cuda.rename_words(node.work.words, names))
    return replace(node, work=work)


def _write_runtime(path: Path, changed: bool, *, given: bool) -> None:
    """Write the linker's arguments for code that host passes changed, here or before (``given``).

    A static library that nothing refers to adds nothing.
    """
    from gpucc.host import runtime_library

    if not changed and not given:
        path.write_text("")
        return
    try:
        library = runtime_library()
    except GpuccError:
        if changed:
            raise
        path.write_text("")
        return
    quoted = str(library).replace("\\", "\\\\").replace(" ", "\\ ")
    path.write_text(f"{quoted} -lpthread -ldl\n")
