"""What ``make demo`` shows: a CUDA program compiled with passes, what they did, and a run.

Everything here is what a user would type; the commands are printed before they run.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from gpucc.toolchain import gpu_arch

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "build" / "demo"


def show(*words: str) -> int:
    """Print a command as one would type it, run it, and return its exit status."""
    print(f"\n$ {shlex.join(words)}", flush=True)
    program = [sys.executable, "-m", "gpucc", *words[1:]] if words[0] == "gpucc" else list(words)
    return subprocess.run(program, cwd=ROOT, check=False).returncode


def compile_and_sum_up(sample: str, program: str) -> int:
    """Compile with both passes; print kesco's remarks, and of mpache's the changes and a count."""
    words = ["compile", sample, "--passes=mpache,kesco", "--explain", "-o", program]
    print(f"\n$ gpucc {shlex.join(words)}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "gpucc", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip
    lines = done.stderr.splitlines()
    kept = [line for line in lines if "refused: " not in line or "[kesco" in line]
    print("\n".join(sorted(kept, key=lambda line: "[mpache" not in line)))
    if left := len(lines) - len(kept):
        print(f"(and {left} accesses that mpache left alone: the command says why, for each)")
    return done.returncode


def main() -> int:
    """Run the demonstration; the exit status is that of the first command that failed."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    program = OUTPUT / "multitask"
    relative = str(program.relative_to(ROOT))
    sample = "ptx_samples/multitask.cu"
    if status := show("gpucc", "doctor"):
        return status
    if status := compile_and_sum_up(sample, relative):
        return status
    if gpu_arch() is None:
        print(f"\nNo GPU here, so {relative} is not run. On a machine with one: ./{relative}")
        return 0
    trace = OUTPUT / "trace.jsonl"
    print(f"\n$ GPUCC_RT_TRACE={trace.relative_to(ROOT)} ./{relative}", flush=True)
    environment = os.environ | {"GPUCC_RT_TRACE": str(trace)}
    status = subprocess.run([program], env=environment, check=False).returncode
    if trace.exists():
        print(f"\nThe first launches of {trace.relative_to(ROOT)}:")
        print("".join(trace.read_text().splitlines(keepends=True)[:8]))
    return status


if __name__ == "__main__":
    sys.exit(main())
