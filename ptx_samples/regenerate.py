"""Renew the .ptx and .ll of samples from their .cu: ``python ptx_samples/regenerate.py [NAME]…``.

The PTX is nvcc's and the LLVM IR clang's, both from the wheels that gpucc installs, so that the
same versions give the same files.  What a sample shows is copied from its .cu.  The RUN and CHECK
lines of a generated file are its own and stay; a new file starts with the CHECK lines of its .cu,
which LLVM's PTX mostly passes when f32, u32 and the like become b32 in loads and stores.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gpucc import toolchain
from gpucc.errors import GpuccError

HERE = Path(__file__).parent

FORMS = {".ptx": "//", ".ll": ";"}
"""The generated forms and what starts a comment in each."""

_MPACHE = (
    "RUN: gpucc opt %s --passes=mpache | filecheck %s --check-prefix=MPACHE",
    r"AUTOMPACHE: (ld|st|red|atom)\S*\.global",
)
"""What a new .ptx has below its CHECK lines; ``gpucc check --update`` adds the MPACHE lines."""

_ARCH = re.compile(r"--arch=(sm_\d+[af]?)")


@dataclass(frozen=True, slots=True)
class Sample:
    """What the head of a .cu says: prose, and the RUN and CHECK lines without comment marks."""

    source: Path
    prose: tuple[str, ...]
    checks: tuple[str, ...]
    arch: str


def read_sample(source: Path) -> Sample:
    """Read the head of a .cu file; :class:`GpuccError` if it has no RUN line with an --arch."""
    head = _head(source.read_text(), "//")
    first = next((at for at, line in enumerate(head) if line.startswith("RUN:")), len(head))
    arch = _ARCH.search("\n".join(head[first:]))
    if arch is None:
        raise GpuccError(f"{source}: no RUN line with --arch=sm_NN in its head")
    prose = "\n".join(head[:first]).strip().splitlines()
    checks = tuple(line for line in head[first:] if line and not line.startswith("RUN:"))
    return Sample(source, tuple(prose), checks, arch[1])


def _head(text: str, mark: str) -> list[str]:
    """Return the comment lines at the start of ``text``, without their marks."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith(mark):
            break
        lines.append(line.removeprefix(mark).strip())
    return lines


def directives(sample: Sample, suffix: str) -> list[str]:
    """Return the RUN and CHECK lines for a generated file: its own, or those of a new one."""
    path = sample.source.with_suffix(suffix)
    if path.exists():
        head = _head(path.read_text(), FORMS[suffix])
        first = next((at for at, line in enumerate(head) if line.startswith("RUN:")), None)
        if first is not None:
            return head[first:]
    if suffix == ".ll":
        run = f"gpucc compile %s --arch={sample.arch} -o %t.ptx && filecheck %s --input-file=%t.ptx"
        return [f"RUN: {run}", *sample.checks]
    return ["RUN: gpucc opt %s | filecheck %s", *sample.checks, "", *_MPACHE]


def render(sample: Sample, suffix: str, body: str, compiler: str) -> str:
    """Return a generated file: head, a blank line, and what the compiler wrote."""
    made = (
        f"Generated from {sample.source.name} for {sample.arch} by regenerate.py, with {compiler};"
    )
    head = [*sample.prose, "", made, "edit only the lines below this one.", ""]
    mark = FORMS[suffix]
    lines = [f"{mark} {line}".rstrip() for line in (*head, *directives(sample, suffix))]
    return "\n".join(lines) + "\n\n" + body.strip("\n") + "\n"


def ptx(sample: Sample, nvcc: Path) -> str:
    """Compile a sample to PTX with nvcc, without the comment that nvcc puts first."""
    virtual = sample.arch.replace("sm_", "compute_")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "sample.ptx")
        code = f"-gencode=arch={virtual},code={sample.arch}"
        toolchain.run([nvcc, code, "-ptx", sample.source, "-o", output], what="nvcc")
        text = output.read_text()
    return re.sub(r"\A(?:\s*//.*\n)+", "", text)


def llvm_ir(sample: Sample, clang: toolchain.HostClang, include: Path) -> str:
    """Compile a sample's device half to LLVM IR with clang and the prelude in ``clang/``."""
    folders = [HERE / "clang", include, include / "cccl", HERE]
    command = [
        *(clang.program, *clang.arguments, "-x", "cuda", "--cuda-device-only"),
        *("-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version"),
        *(f"--cuda-gpu-arch={sample.arch}", "-O2", "-S", "-emit-llvm"),
        *(f"-I{folder}" for folder in folders),
        *("-include", "cuda_runtime.h", sample.source.name, "-o", "-"),
    ]
    text = _with_cluster_size(sample, toolchain.run(command, what="clang", cwd=HERE))
    # Where clang was installed, and where in its input an asm statement stood, change needlessly.
    text = re.sub(r", !srcloc !\d+", "", text)
    return re.sub(r"^!\d+ = !\{i64 \d+(?:, i64 \d+)*\}\n", "", text, flags=re.MULTILINE)


def _with_cluster_size(sample: Sample, text: str) -> str:
    """Say how large a kernel's clusters are, which clang reads in the source and leaves out."""
    size = re.search(r"__cluster_dims__\(([\d, ]+)\)", sample.source.read_text())
    if size is None:
        return text
    kernels = re.findall(r"^define .*\bptx_kernel\b.* (#\d+) \{$", text, re.MULTILINE)
    if len(kernels) != 1:
        raise GpuccError(f"{sample.source}: a sample with clusters has one kernel")
    attribute = f'"nvvm.cluster_dim"="{size[1].replace(" ", "")}"'
    return text.replace(
        f"attributes {kernels[0]} = {{ ", f"attributes {kernels[0]} = {{ {attribute} "
    )


def main(names: list[str]) -> None:
    """Renew the samples ``names``, or all that use sample.h (others have one form only)."""
    wheel = next((kit for kit in toolchain.toolkits() if kit.origin == "wheel"), None)
    clang = toolchain.find_clang()
    if wheel is None or clang is None:
        raise GpuccError(
            "the CUDA and clang wheels are needed", hint="pip install gpucc[cuda,host]"
        )
    nvcc = wheel.find("nvcc")
    if nvcc is None:
        raise GpuccError("no nvcc in the CUDA wheels", hint="pip install gpucc[cuda]")
    sources = [HERE / f"{name}.cu" for name in names] or [
        path for path in sorted(HERE.glob("*.cu")) if '#include "sample.h"' in path.read_text()
    ]
    for source in sources:
        sample = read_sample(source)
        made = {
            ".ptx": (ptx(sample, nvcc), f"nvcc {toolchain.version(nvcc)}"),
            ".ll": (
                llvm_ir(sample, clang, nvcc.parent.parent / "include"),
                f"clang {toolchain.version(clang.program)}",
            ),
        }
        for suffix, (body, compiler) in made.items():
            source.with_suffix(suffix).write_text(render(sample, suffix, body, compiler))
        print(source.stem)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except GpuccError as error:
        sys.exit(error.render())
