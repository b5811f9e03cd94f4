"""What the tests of the compile driver share: toolkits, sources, passes, a look into binaries."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gpucc import toolchain
from gpucc.build import Report, Settings, run_nvcc
from gpucc.frontend.parser import parse
from gpucc.passmanager import Context, DevicePass, Pipeline, Remark, Result
from gpucc.ptx.module import Module

KERNEL = """
#include <cstdio>
__global__ void scale(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2.f;
}
int main() {
    scale<<<1, 32>>>(nullptr, 0);
    std::printf("ran\\n");
}
"""

_KITS = [kit for kit in toolchain.toolkits() if kit.find("nvcc")]

every_nvcc = pytest.mark.parametrize(
    "nvcc",
    [
        pytest.param(
            path, id=f"{kit.origin.strip('/').replace('/', '-')}-{toolchain.version(path)}"
        )
        for kit in _KITS
        if (path := kit.find("nvcc"))
    ],
)
"""For tests that must hold with each toolkit on this machine (a system's and the wheels')."""


def nvcc_path() -> Path:
    """The nvcc that gpucc uses by default."""
    return toolchain.require("nvcc")


def images(binary: Path) -> dict[str, bytes]:
    """Return the cubins and PTX in an object or program, by name without nvcc's process number."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("-xelf", "-xptx"):
            subprocess.run(
                [toolchain.require("cuobjdump"), kind, "all", str(binary.resolve())],
                cwd=folder,
                capture_output=True,
                check=False,  # it fails where there is no image of the kind
            )
        return {
            path.name.partition("-")[2] or path.name: path.read_bytes()
            for path in sorted(Path(folder).iterdir())
        }


def nvcc(nvcc: Path, words: list[str], cwd: Path) -> dict[str, Path]:
    """Run nvcc in ``cwd`` and return what it made, by name, moved out of the way."""
    before = {path: path.stat().st_mtime_ns for path in cwd.rglob("*") if path.is_file()}
    subprocess.run([nvcc, *words], cwd=cwd, check=True, capture_output=True)
    aside = Path(tempfile.mkdtemp(prefix="nvcc-", dir=cwd.parent))
    made: dict[str, Path] = {}
    for path in list(cwd.rglob("*")):
        if path.is_file() and before.get(path) != path.stat().st_mtime_ns:
            name = str(path.relative_to(cwd))
            made[name] = aside / name
            made[name].parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, made[name])
    return made


@dataclass(frozen=True)
class Marker(DevicePass):
    """Adds a variable to the module, so that it can be seen where the PTX went."""

    name: ClassVar[str] = "marker"
    variable: str = "gpucc_marker"
    """The variable's name."""

    def run(self, module: Module, ctx: Context) -> Result[Module]:
        declaration = f".global .align 4 .b8 {self.variable}_{ctx.target.arch}[4];"
        text = module.text.replace(".address_size 64", f".address_size 64\n\n{declaration}", 1)
        remark = Remark(self.name, "changed", "module", f"added {self.variable}")
        return Result(parse(text), (remark,))


PASSES = '''"""mark: adds a variable to every module.  Used by tests only."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from gpucc.passmanager import DevicePass, Remark, Result


@dataclass(frozen=True)
class Mark(DevicePass):
    """For tests."""

    name: ClassVar[str] = "mark"
    variable: str = "gpucc_mark"
    """The variable's
    name."""
    levels: tuple[str, ...] = ("l1", "l2")
    """Of no use."""
    mode: Literal["add", "crash", "nothing"] = "add"
    """What to do."""

    def run(self, module, ctx):
        from gpucc.frontend.parser import parse

        if self.mode == "crash":
            raise RuntimeError("this pass is broken")
        if self.mode == "nothing":
            return Result(module, (Remark(self.name, "refused", "module", "told not to", line=1),))
        text = module.text.replace(
            ".address_size 64", f".address_size 64\\n.global .b32 {self.variable};", 1
        )
        return Result(parse(text), (Remark(self.name, "changed", "module", "marked it"),))
'''


def environment_with_test_passes(folder: Path, environ: dict[str, str]) -> dict[str, str]:
    """Return an environment in which any ``gpucc`` process also finds the pass ``mark``."""
    passes = folder / "more-passes"
    passes.mkdir(parents=True)
    (passes / "mark.py").write_text(PASSES)
    site = folder / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        f"import gpucc.passes\ngpucc.passes.__path__.append({str(passes)!r})\n"
    )
    root = Path(toolchain.__file__).parents[1]
    return {**environ, "PYTHONPATH": f"{site}:{root}"}


def compile_quietly(
    words: list[str], pipeline: Pipeline | None = None, nvcc: Path | None = None, **options: Any
) -> tuple[Report, str]:
    """Do an nvcc command; return the report and what the tools printed."""
    said: list[str] = []
    settings = Settings(out=said.append, err=said.append, **options)
    report = run_nvcc(nvcc or nvcc_path(), words, pipeline or Pipeline(), settings)
    assert report is not None
    return report, "".join(said)


def files(folder: Path) -> set[str]:
    """Return the names of all files in a folder, at any depth."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
