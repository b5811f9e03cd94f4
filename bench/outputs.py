"""``python -m bench.outputs``: renew the command output shown in the README.

A block stands between ``<!-- output: COMMAND -->`` and ``<!-- end -->``; the command is run as it
is written there.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

from bench.report import ROOT

README = ROOT / "README.md"
_BLOCK = re.compile(r"(<!-- output: (.*?) -->\n).*?(<!-- end -->)", re.S)


def _run(found: re.Match[str]) -> str:
    words = shlex.split(found[2])
    command = [sys.executable, "-m", *words] if words[0] == "gpucc" else words
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{found[2]}: {done.stderr}")
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    text = "\n".join(f"    {line}" if line else "" for line in lines)
    return f"{found[1]}\n{text}\n\n{found[3]}"


def main() -> int:
    """Run every command and write the README."""
    (ROOT / "build").mkdir(exist_ok=True)
    README.write_text(_BLOCK.sub(_run, README.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
