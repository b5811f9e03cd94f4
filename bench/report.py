"""What every benchmark writes: one JSON file of cases, in the shape of docs/measuring.md.

A case is a dict with at least ``case``, ``set``, ``ratio`` and ``checked``; ``ratio`` is baseline
time over ours, so above 1 is better, unless the benchmark says otherwise.
"""

import json
import math
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"


def git(*args: str) -> str:
    """Return what ``git args`` prints, or "" outside a checkout."""
    done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit_state() -> tuple[str, bool]:
    """Return the commit, and whether anything but results and generated documents differs."""
    # "COMMIT clean" or "COMMIT dirty", for a copy of the tree that comes without its own history.
    stamp = ROOT / "build" / "commit"
    if stamp.exists():
        commit, dirty = stamp.read_text().split()
        return commit, dirty == "dirty"
    changed = git("status", "--porcelain", "--", ".", ":!bench/results", ":!README.md")
    return git("rev-parse", "--short=12", "HEAD"), bool(changed)


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def machine(**more: str) -> dict[str, str]:
    """Describe this machine; ``more`` adds what the benchmark knows (gpu, driver, cuda, …)."""
    return {"cpu": _cpu(), "python": platform.python_version(), **more}


def geomean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def write(
    system: str,
    *,
    headline: str,
    cases: Sequence[Mapping[str, Any]],
    machine: Mapping[str, str],
    **figures: Any,
) -> Path:
    """Write ``bench/results/SYSTEM.json`` and return its path; further ``figures`` stand beside."""
    commit, dirty = commit_state()
    main = [float(case["ratio"]) for case in cases if case["set"] == "main"]
    document = {
        "system": system,
        "machine": dict(machine),
        "when": time.strftime("%Y-%m-%d"),
        "commit": commit,
        "dirty": dirty,
        "command": f"python -m bench.{system} {' '.join(sys.argv[1:])}".strip(),
        "headline": headline,
        "cases": list(cases),
        "summary": {
            "geomean": round(geomean(main), 4) if main else None,
            "worst": round(min(float(case["ratio"]) for case in cases), 4) if cases else None,
        },
        **figures,
    }
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{system}.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(document, indent=1) + "\n")
    temporary.rename(path)
    return path
