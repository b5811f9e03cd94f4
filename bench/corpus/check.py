"""The round trip of every module: text, and machine code from structure."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from bench.corpus.store import CorpusModule
from bench.report import machine, write
from gpucc.cubin import program_sections
from gpucc.errors import ToolError
from gpucc.frontend.parser import parse
from gpucc.ptx.printer import print_structure
from gpucc.toolchain import assemble


def check(
    modules: Sequence[CorpusModule], failures: Sequence[tuple[str, str]], *, keep: bool
) -> bool:
    """Check all ``modules``; return whether every one is right.  ``keep`` writes the
    counts to ``bench/results/corpus.json``."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        results = list(pool.map(round_trip, modules, chunksize=2))
    cases = [
        {
            "case": module.name,
            "set": "main",
            "bytes": module.bytes,
            "identical_text": text,
            "same_machine_code": code,
            "checked": text and code,
            "ratio": 1.0,
            **({"note": note} if note else {}),
        }
        for module, (text, code, note) in zip(modules, results, strict=True)
    ]
    counts = {
        "modules": len(modules),
        "bytes": sum(module.bytes for module in modules),
        "identical_text": sum(bool(case["identical_text"]) for case in cases),
        "same_machine_code": sum(bool(case["same_machine_code"]) for case in cases),
        "skipped": len(failures),
        "by_producer": dict(Counter(module.version for module in modules)),
    }
    for case in cases:
        if not case["checked"]:
            print(f"differs: {case['case']}: {case.get('note', '')}")
    print(counts)
    if keep:
        _write(cases, counts)
    return all(case["checked"] for case in cases)


def _write(cases: Sequence[Mapping[str, Any]], counts: Mapping[str, Any]) -> None:
    write(
        "corpus",
        headline="the original text; ratio is 1 because nothing is timed",
        cases=cases,
        machine=machine(),
        counts=counts,
        compared="text: bytes; machine code: all sections of the cubins but those for debuggers",
    )


def round_trip(module: CorpusModule) -> tuple[bool, bool, str]:
    """Return whether the text and the machine code are the same, and what went wrong."""
    text = module.text
    try:
        parsed = parse(text, module.name)
        identical = parsed.text == text
        structure = print_structure(parsed)
    except Exception as error:  # any failure is a finding, and the others go on
        return False, False, f"{type(error).__name__}: {error}"
    try:
        one, two = (_assemble(ptx, parsed.targets) for ptx in (text, structure))
    except ToolError as error:
        return identical, False, error.output[-300:]
    differing = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    return identical, not differing, ", ".join(differing)


def _assemble(text: str, targets: Sequence[str]) -> dict[str, tuple[int, int, bytes]]:
    """Assemble with ptxas; return the sections that make up the program, by name."""
    debug = ["-g"] if "debug" in targets else []
    return program_sections(assemble(text, targets[0], "-c", *debug))
