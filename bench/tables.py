"""``python -m bench.tables``: write the tables of the README from ``bench/results``.

A table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``; ``--check`` only says whether
the README is up to date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from bench.report import RESULTS, ROOT

README = ROOT / "README.md"
_BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)


def corpus(result: Mapping[str, Any]) -> str:
    """Return the round-trip table."""
    counts = result["counts"]
    rows = [
        ("modules", f"{counts['modules']} ({counts['bytes'] / 1e6:.1f} MB)"),
        ("printed text identical", counts["identical_text"]),
        ("same machine code when printed from structure", counts["same_machine_code"]),
        ("skipped", counts["skipped"]),
    ]
    makers = ", ".join(f"{name}: {n}" for name, n in sorted(counts["by_producer"].items()))
    return _table(("corpus", ""), rows) + f"\nMade by {makers}.\n"


def frontend(result: Mapping[str, Any]) -> str:
    """Return the table of the PTX front end against ptxas."""
    shares = sorted(case["share_of_ptxas"] for case in result["cases"])
    rows = [
        ("modules of at least 100 KB", len(shares)),
        ("time of ptxas over ours, geometric mean", f"{result['summary']['geomean']:.1f}x"),
        (
            "our time in per cent of ptxas's, geometric mean",
            _percent(1 / result["summary"]["geomean"]),
        ),
        ("the same, median", _percent(shares[len(shares) // 2])),
        ("the same, worst module", _percent(result["worst_share_of_ptxas"])),
        ("memory growth, in sizes of the file, largest", f"{result['largest_memory_growth']:.0f}x"),
        ("largest module", f"{result['largest_module_bytes'] / 1e6:.1f} MB"),
    ]
    return _table(("parse, analyse for mpache, print", ""), rows)


def compile_time(result: Mapping[str, Any]) -> str:
    """Return the table of whole compilations against nvcc."""
    rows = [
        (
            case["case"],
            f"{case['baseline_ms'] / 1e3:.2f} s",
            f"{case['baselines']['gpucc without passes'] / 1e3:.2f} s",
            f"{case['ours_ms'] / 1e3:.2f} s",
            f"{case['wall_over_nvcc']:.2f}",
        )
        for case in result["cases"]
    ]
    return _table(("file", "nvcc", "gpucc", "gpucc, mpache", "mpache over nvcc"), rows)


_TABLES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "corpus": corpus,
    "frontend": frontend,
    "compile": compile_time,
}


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def render(text: str) -> str:
    """Return the README's text with every table renewed whose results are there."""

    def renew(found: re.Match[str]) -> str:
        path = RESULTS / f"{found[2]}.json"
        if not path.exists():
            return f"{found[1]}Not measured yet.\n{found[3]}"
        result = json.loads(path.read_text())
        source = f"\n`{result['command']}`, {result['when']}, {result['machine']['cpu']}.\n"
        return f"{found[1]}{_TABLES[found[2]](result)}{source}{found[3]}"

    return _BLOCK.sub(renew, text)


def main() -> int:
    """Renew the README, or check it with ``--check``."""
    old = README.read_text()
    new = render(old)
    if "--check" in sys.argv:
        return int(new != old)
    README.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
