"""Source files to one output: what ``gpucc compile`` does.

Chooses the nvcc command for the files, the wanted output and the architecture;
:mod:`gpucc.build` runs it with passes between its stages.  PTX and LLVM IR are brought to the
same route, or need no tool at all.
"""

from __future__ import annotations

import enum
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from gpucc import toolchain
from gpucc.build import Report, Settings, UserCodeError, run_nvcc, scratch_folder
from gpucc.errors import GpuccError
from gpucc.frontend import nvcc_args
from gpucc.outputs import commit, discard, temporary_name
from gpucc.passmanager import Pipeline, Target
from gpucc.passwork import DeviceUnit, Findings, read_text, run_on_device, write_text


class Emit(enum.Enum):
    """What ``gpucc compile`` makes."""

    EXE = "exe"
    OBJ = "obj"
    CUBIN = "cubin"
    FATBIN = "fatbin"
    PTX = "ptx"
    HOST_IR = "host-ir"


# --- files to an output ---------------------------------------------------------------------------

_BY_SUFFIX = {
    ".cubin": Emit.CUBIN,
    ".fatbin": Emit.FATBIN,
    ".ll": Emit.HOST_IR,
    ".o": Emit.OBJ,
    ".obj": Emit.OBJ,
    ".ptx": Emit.PTX,
}
_PHASE_OF = {
    Emit.EXE: (),
    Emit.OBJ: ("-c",),
    Emit.CUBIN: ("-cubin",),
    Emit.FATBIN: ("-fatbin",),
    Emit.PTX: ("-ptx",),
    Emit.HOST_IR: ("-c",),
}
_EMIT_OF = {
    "-c": Emit.OBJ,
    "-cubin": Emit.CUBIN,
    "-dc": Emit.OBJ,
    "-dw": Emit.OBJ,
    "-fatbin": Emit.FATBIN,
    "-link": Emit.EXE,
    "-ptx": Emit.PTX,
    "-run": Emit.EXE,
}
_DEVICE_INPUTS = (".ptx", ".ll", ".bc")


def compile_files(
    inputs: Sequence[Path],
    output: Path | None,
    *,
    pipeline: Pipeline | None = None,
    emit: Emit | None = None,
    archs: Sequence[str] = (),
    flags: Sequence[str] = (),
    settings: Settings | None = None,
) -> Report:
    """Compile ``inputs`` to ``output``.

    CUDA C++ (with any other files that nvcc takes) gives what ``emit`` says; PTX and LLVM IR give
    a cubin, a fatbin or PTX.  Without ``emit`` the suffix of ``output`` decides, without
    ``output`` nvcc's rules do.  ``archs`` are real architectures (``sm_90``); ``flags`` go to nvcc.

    Raises :class:`GpuccError` for everything that the user can mend.
    """
    settings = settings or Settings()
    pipeline = pipeline or Pipeline()
    for path in inputs:
        if not path.exists():
            raise GpuccError(f"{path}: no such file")
        if path.is_dir():
            raise GpuccError(f"{path} is a folder, not a file")
    device = [path for path in inputs if path.suffix in _DEVICE_INPUTS]
    if device and len(device) < len(inputs):
        other = next(path for path in inputs if path not in device)
        raise GpuccError(f"{device[0]} and {other} cannot be compiled together")
    arguments = nvcc_args.effective(flags, os.environ)
    if archs and nvcc_args.names_arch(arguments):
        raise GpuccError(
            "the architecture is given twice", hint="by --arch, or by nvcc's own options; not both"
        )
    emit, phase = _phase(emit, output, arguments, device_input=bool(device))
    if settings.cpu and (device or emit not in (Emit.EXE, Emit.OBJ)):
        raise GpuccError(
            "--target=cpu makes programs and objects of CUDA C++",
            hint="gpucc run --target=cpu runs a kernel of a PTX file",
        )
    if device:
        return _compile_device_files(device, output, pipeline, emit, archs, flags, settings)
    if pipeline.host and emit in (Emit.PTX, Emit.CUBIN, Emit.FATBIN):
        raise GpuccError(
            f"'{pipeline.host[0].name}' is a pass over host code, and a {emit.value} has none"
        )
    words = [*(_word(path, str(path)) for path in inputs), *flags, *phase]
    if not nvcc_args.names_arch(arguments):
        chosen = archs or [toolchain.DEFAULT_ARCH if settings.cpu else toolchain.default_arch()]
        links_later = nvcc_args.has(arguments, "-dlto", "-lto", "-ltoir")
        words.extend(_linked_later(chosen) if links_later else _gencode(chosen, emit))
    if output is not None and emit is not Emit.HOST_IR:
        words.extend(("-o", _word(output, str(output))))
    nvcc = toolchain.require("nvcc", settings.toolkit)
    host_ir = _host_ir_names(inputs, output) if emit is Emit.HOST_IR else None
    report = run_nvcc(nvcc, words, pipeline, settings, host_ir=host_ir)
    if report is None and pipeline.passes:
        settings.err("note: nothing is compiled here, so the passes have nothing to work on\n")
    return report or _run_plainly(nvcc, words, output)


def _word(path: Path, title: str) -> str:
    """Return a file's name as nvcc takes it for one; ``title`` is what the user called the file.

    nvcc puts names between double quotes and lets a shell read them, so some cannot be given.
    """
    name = str(path)
    if found := re.search(r'["$`\n]', name):
        raise GpuccError(
            f"{title}: nvcc does not take a file with {found[0]!r} in its name",
            hint="rename it, or make a link to it",
        )
    return f"./{name}" if name.startswith("-") else name


def _phase(
    emit: Emit | None,
    output: Path | None,
    arguments: Sequence[nvcc_args.Argument],
    *,
    device_input: bool,
) -> tuple[Emit, tuple[str, ...]]:
    """Return what is made and the nvcc option for it, unless the user's flags say it already."""
    given = [a.option for a in arguments if a.option in nvcc_args.PHASES]
    if given:
        meant = _EMIT_OF.get(given[-1] or "", Emit.EXE)
        if emit not in (None, meant):
            raise GpuccError(f"--emit={emit.value} and nvcc's {given[-1]} contradict each other")
        return meant, ()
    suffix = output.suffix if output else ""
    if emit is None and device_input:
        emit = _BY_SUFFIX.get(suffix, Emit.CUBIN)
    if emit is None:
        emit = _BY_SUFFIX.get(suffix, Emit.EXE)
    phase = _PHASE_OF[emit]
    if emit is Emit.EXE and suffix == ".so" and not nvcc_args.has(arguments, "-shared"):
        phase = ("-shared", "-Xcompiler=-fPIC")
    if emit is Emit.EXE and suffix == ".a":
        phase = ("-lib",)
    return emit, phase


def _gencode(archs: Sequence[str], emit: Emit) -> Iterator[str]:
    """Return nvcc's options for real architectures, with PTX of the last for newer GPUs.

    Never ``-arch=sm_90a``: nvcc reads that as sm_90 and sm_90a, and compiles twice.
    """
    if len(archs) > 1 and emit in (Emit.CUBIN, Emit.PTX):
        raise GpuccError(f"a {emit.value} is for one architecture", hint="make a fatbin")
    for arch in archs:
        Target(arch).sm  # noqa: B018 - refuses what is no architecture
        virtual = arch.replace("sm_", "compute_")
        real = arch.replace("compute_", "sm_")
        with_ptx = arch == archs[-1] and emit in (Emit.EXE, Emit.OBJ, Emit.FATBIN, Emit.HOST_IR)
        code = f"[{real},{virtual}]" if with_ptx else real
        yield f"-gencode=arch={virtual},code={code}"


def _linked_later(archs: Sequence[str]) -> list[str]:
    """Return nvcc's option for an architecture with ``-dlto``, which excludes ``-gencode``."""
    if len(archs) > 1:
        raise GpuccError("with optimisation at link time, code is for one architecture")
    Target(archs[0]).sm  # noqa: B018 - refuses what is no architecture
    return [f"-arch={archs[0]}"]


def _host_ir_names(inputs: Sequence[Path], output: Path | None) -> Callable[[str], str]:
    cuda_inputs = [path for path in inputs if path.suffix == ".cu"]
    if output is not None and len(cuda_inputs) > 1:
        raise GpuccError("host IR is made for each file: several inputs cannot have one output")
    return lambda source: str(output or Path(source).with_suffix(".ll").name)


def _run_plainly(nvcc: Path, words: Sequence[str], output: Path | None) -> Report:
    """Run nvcc itself, for a command that has no stage for us (it only links, or preprocesses)."""
    done = subprocess.run([nvcc, *words], check=False)
    if done.returncode != 0:
        raise UserCodeError(
            f"nvcc failed (exit status {done.returncode})", output="", reproduce=None
        )
    return Report((output,) if output else ())


# --- PTX and LLVM IR ------------------------------------------------------------------------------


def _compile_device_files(
    inputs: Sequence[Path],
    output: Path | None,
    pipeline: Pipeline,
    emit: Emit,
    archs: Sequence[str],
    flags: Sequence[str],
    settings: Settings,
) -> Report:
    """Compile PTX or LLVM IR files, which have no host half."""
    if pipeline.host:
        raise GpuccError(
            f"'{pipeline.host[0].name}' is a pass over host code, and {inputs[0]} has none"
        )
    if emit not in (Emit.CUBIN, Emit.FATBIN, Emit.PTX):
        raise GpuccError(
            f"{inputs[0]} has no host code: it gives a cubin, a fatbin or PTX",
            hint="write --emit=cubin, or an output that ends in .cubin",
        )
    if output is not None and len(inputs) > 1:
        raise GpuccError("several inputs cannot have one output", hint="leave out -o")
    with scratch_folder() as scratch:
        ptx: dict[str, str] = {}
        for at, path in enumerate(inputs):
            if path.suffix == ".ptx":
                ptx[str(path)] = str(path)
            else:
                ptx[_from_llvm(path, scratch / str(at), archs, flags)] = str(path)
        if emit is Emit.PTX:
            return _ptx_to_ptx(ptx, output, pipeline, archs, settings, scratch)
        words = [*(_word(Path(file), title) for file, title in ptx.items()), *flags]
        arguments = nvcc_args.effective(flags, os.environ)
        if not nvcc_args.has(arguments, *nvcc_args.PHASES):
            words.extend(_PHASE_OF[emit])
        if not nvcc_args.names_arch(arguments):
            wanted = [_arch_for(read_text(file)) for file in ptx]
            chosen = archs or [max(wanted, key=lambda arch: Target(arch).sm)]
            words.extend(_gencode(chosen, emit))
        if output is not None:
            words.extend(("-o", _word(output, str(output))))
        nvcc = toolchain.require("nvcc", settings.toolkit)
        report = run_nvcc(nvcc, words, pipeline, settings, titles=ptx)
        return report or _run_plainly(nvcc, words, output)


def _from_llvm(path: Path, folder: Path, archs: Sequence[str], flags: Sequence[str]) -> str:
    """Compile an LLVM IR file to PTX in ``folder``; return the PTX file."""
    from gpucc.frontend.llvm import to_ptx

    arguments = nvcc_args.effective(flags, os.environ)
    named = nvcc_args.last(arguments, "-arch")
    arch = archs[0] if archs else named or toolchain.default_arch()
    folder.mkdir()
    ptx = folder / f"{path.stem}.ptx"
    write_text(ptx, to_ptx(path, Target(arch.replace("compute_", "sm_"))))
    return str(ptx)


def _arch_for(text: str) -> str:
    """Return what to compile PTX for: the GPU here if it runs it, else what the PTX is for."""
    declared = re.search(r"^\s*\.target\s+(sm_\d+[af]?)", text, re.MULTILINE)
    here = toolchain.gpu_arch()
    if declared is None:
        return here or toolchain.DEFAULT_ARCH
    wanted = declared[1]
    if here and wanted[-1].isdigit() and Target(here).sm >= Target(wanted).sm:
        return here
    return wanted


def _ptx_to_ptx(
    files: Mapping[str, str],
    output: Path | None,
    pipeline: Pipeline,
    archs: Sequence[str],
    settings: Settings,
    scratch: Path,
) -> Report:
    """Run the device passes over PTX; without passes that copies it."""
    findings = Findings()
    outputs: list[Path] = []
    for ptx, title in files.items():
        final = output or Path(Path(title).with_suffix(".ptx").name)
        if output is None and final.exists() and final.samefile(title):
            raise GpuccError(f"the output would replace its input {title}", hint="name it with -o")
        text = read_text(ptx)
        arch = archs[0] if archs else _arch_for(text)
        if pipeline.device:

            def check(result: str, arch: str = arch) -> None:
                toolchain.assemble(result, arch)

            unit = DeviceUnit(title, ptx, Target(arch), check, is_given=ptx == title)
            text = run_on_device(unit, pipeline, settings.passes, findings)
        names = {str(final): temporary_name(str(final), scratch)}
        try:
            write_text(names[str(final)], text)
            commit(names)
        except OSError as error:
            discard(names)
            raise GpuccError(f"cannot write {final}: {error.strerror}") from None
        outputs.append(final)
    return Report(tuple(outputs), tuple(findings.remarks), tuple(findings.timings))
