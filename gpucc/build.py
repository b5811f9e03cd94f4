"""Runs one nvcc command with passes in it: its stages in order, the outputs in one piece.

What the command does without passes is what nvcc does, byte for byte in every cubin.  Either all
outputs are left complete or none: what stood there before is untouched until everything has
succeeded.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpucc import jobs, splice_cpu, toolchain
from gpucc.errors import GpuccError, SourceError, ToolError, describe
from gpucc.frontend import cuda, host, nvcc_args
from gpucc.frontend.cuda import Role
from gpucc.outputs import commit, discard
from gpucc.passmanager import Pipeline
from gpucc.passwork import PassOptions, Timing, UnitRemark
from gpucc.splice import Node, Splice
from gpucc.splice_cpu import CpuSplice


def _to_stdout(text: str) -> None:
    sys.stdout.write(text)


def _to_stderr(text: str) -> None:
    sys.stderr.write(text)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run, beside what to make."""

    passes: PassOptions = field(default_factory=PassOptions)
    workers: int = 0
    """Commands at once; 0 means one for each processor that we may use."""
    toolkit: Path | None = None
    """The CUDA toolkit to use, instead of the one that is found."""
    verbose: bool = False
    """Show every command, as ``nvcc --verbose`` does."""
    cpu: bool = False
    """Make a program that runs on the CPU, with no GPU."""
    out: Callable[[str], None] = _to_stdout
    """Takes what tools print on stdout."""
    err: Callable[[str], None] = _to_stderr
    """Takes what tools print on stderr, warnings above all."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a compilation did."""

    outputs: tuple[Path, ...]
    remarks: tuple[UnitRemark, ...] = ()
    timings: tuple[Timing, ...] = ()
    host_changed: bool = False
    """Host code now calls ``libgpucc_rt``: objects must be linked with it."""
    status: int = 0
    """The exit status of the program, with ``nvcc --run``."""


class UserCodeError(GpuccError):
    """A tool found a fault in the user's program; ``output`` is what it said, word for word."""

    def __init__(self, message: str, *, output: str, reproduce: str | None) -> None:
        super().__init__(message)
        self.output = output
        self.reproduce = reproduce

    def render(self) -> str:
        """Return the tool's own words, then ours."""
        text = f"{self.output.rstrip()}\n" if self.output.strip() else ""
        text += f"error: {self.message}"
        return f"{text}\n  reproduce: {self.reproduce}" if self.reproduce else text


def run_nvcc(
    nvcc: Path,
    words: Sequence[str],
    pipeline: Pipeline,
    settings: Settings | None = None,
    *,
    titles: Mapping[str, str] | None = None,
    host_ir: Callable[[str], str] | None = None,
) -> Report | None:
    """Do what the command ``nvcc WORDS`` does, with the passes of ``pipeline`` in it.

    Returns None, having done nothing, if the command compiles no device code and links nothing
    that passes have changed: the caller then runs nvcc itself.  ``titles`` are names for PTX
    inputs that stand for other files; ``host_ir`` is :attr:`Splice.host_ir`.
    """
    settings = settings or Settings()
    arguments = nvcc_args.effective(words, os.environ)
    if nvcc_args.has(arguments, "-dryrun"):
        return None
    with scratch_folder() as scratch:
        compiler = None
        environ: Mapping[str, str] = os.environ
        asked: Sequence[str] = words
        if settings.cpu:
            asked, environ = splice_cpu.words_for_cpu(words, environ)
        if pipeline.host or host_ir:
            chosen = host.route(asked, environ, scratch)
            asked, environ, compiler = chosen.words, chosen.environment, chosen.other
        plan = cuda.plan(nvcc, asked, scratch, environ)
        if not settings.cpu and not _has_work(plan, pipeline):
            return None
        splice = (CpuSplice if settings.cpu else Splice)(
            plan,
            pipeline,
            settings.passes,
            arguments,
            scratch,
            compiler,
            titles or {},
            host_ir,
        )
        splice.build()
        # With a clang of ours in it, the user's command is not what failed.
        shown = "nvcc" if toolchain.which("nvcc", os.environ) == nvcc else str(nvcc)
        reproduce = shlex.join([shown, *words]) if environ is os.environ else None
        _run_jobs(splice, settings, reproduce)
        commit(splice.outputs)
        if splice.findings.host_changed and not host_ir:
            _tell_about_runtime(plan, settings)
        status = 0
        for stage in splice.last:
            status = status or _run_program(stage, plan)
    findings = splice.findings
    findings.remarks.sort(key=lambda found: splice.units.index(found.unit))
    return Report(
        tuple(map(Path, splice.outputs)),
        tuple(findings.remarks),
        tuple(findings.timings),
        findings.host_changed,
        status,
    )


def _tell_about_runtime(plan: cuda.Plan, settings: Settings) -> None:
    """Say what changed objects need, where the command does not link them itself."""
    from gpucc.host import runtime_library

    if all(stage.role is not Role.LINK for stage in plan.stages):
        settings.err(
            "note: host passes changed this code: link it with"
            f" {shlex.quote(str(runtime_library()))} -lpthread -ldl\n"
        )


def _has_work(plan: cuda.Plan, pipeline: Pipeline) -> bool:
    roles = {stage.role for stage in plan.stages}
    if roles & {Role.DEVICE, Role.ASSEMBLE}:
        return True
    return bool(pipeline.host) and Role.LINK in roles  # objects may call the runtime library


@contextlib.contextmanager
def scratch_folder() -> Generator[Path]:
    """Make a folder for intermediate files; it stays if an error refers to what is in it."""
    folder = Path(tempfile.mkdtemp(prefix="gpucc-"))
    try:
        yield folder
    except (ToolError, SourceError) as error:
        if str(folder) not in error.render():
            shutil.rmtree(folder, ignore_errors=True)
        raise
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _run_jobs(splice: Splice, settings: Settings, reproduce: str | None) -> None:
    """Run what was spliced together; leave no half-written output behind."""
    nodes = splice.nodes
    said: set[str] = set()

    def report(index: int, outcome: jobs.Outcome) -> None:
        node = nodes[index]
        if isinstance(node.work, jobs.Command):
            splice.findings.timings.append(Timing(node.label, outcome.seconds))
        settings.out(outcome.stdout)
        settings.err(_once(outcome.stderr, said) if node.role in _DIAGNOSES else outcome.stderr)

    if nvcc_args.has(splice.arguments, "-v"):
        settings.err(splice.plan.text)
    if settings.verbose:
        for node in nodes:
            work = node.work
            words = shlex.join(work.words) if isinstance(work, jobs.Command) else f"({node.label})"
            settings.err(f"+ {words}\n")
    settings.err(splice.plan.messages)
    for note in splice.notes:
        settings.err(f"note: {note}\n")
    try:
        jobs.run(
            splice.jobs(),
            workers=settings.workers or len(os.sched_getaffinity(0)),
            report=report,
            while_waiting=_import_what_passes_need if splice.pipeline.passes else None,
        )
    except BaseException as error:
        discard(splice.outputs)
        if isinstance(error, jobs.JobFailed):
            raise _failure(nodes[error.index], error.outcome, reproduce) from None
        if isinstance(error, OSError):
            raise GpuccError(describe(error)) from error
        raise


def _import_what_passes_need() -> None:
    """Load modules while the first stages run: the time is free."""
    import importlib

    for name in ("gpucc.frontend.parser", "gpucc.ptx.verify"):
        importlib.import_module(name)
    importlib.import_module("gpucc.ptx.syntax").load_grammar()


_DIAGNOSES = frozenset({Role.PREPROCESS, Role.SPLIT, Role.DEVICE})
"""Stages that read the whole source each, and each say the same about it."""


def _once(text: str, said: set[str]) -> str:
    """Return the paragraphs of a tool's output that were not ``said`` before."""
    fresh: list[str] = []
    for paragraph in text.split("\n\n"):
        if not paragraph.strip() or paragraph not in said:
            fresh.append(paragraph)
        said.add(paragraph)
    result = "\n\n".join(fresh)
    return result if result.strip() else ""


_USERS = frozenset(
    {Role.PREPROCESS, Role.SPLIT, Role.DEVICE, Role.HOST, Role.DEVICE_LINK, Role.LINK}
)
"""Stages that fail because of the user's program, unless they crash."""


def _failure(node: Node, outcome: jobs.Outcome, reproduce: str | None) -> GpuccError:
    assert isinstance(node.work, jobs.Command)
    output = outcome.stdout + outcome.stderr
    if node.role in _USERS and 0 < outcome.status < 128:
        return UserCodeError(
            f"{node.label} failed (exit status {outcome.status})",
            output=output,
            reproduce=reproduce,
        )
    program, *rest = node.work.words
    command = [str(toolchain.which(program, node.work.environment)), *rest]  # for the user's PATH
    return ToolError(f"{node.label} failed", command=command, status=outcome.status, output=output)


def _run_program(stage: cuda.Stage, plan: cuda.Plan) -> int:
    """Return the program's exit status as a shell has it (128 and the signal that ended it)."""
    status = subprocess.run(stage.words, env=dict(plan.environment), check=False).returncode
    return status if status >= 0 else 128 - status
