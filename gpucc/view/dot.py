"""Graphviz text of what a kernel's memory accesses share."""

from __future__ import annotations

from collections.abc import Iterable

from gpucc.analysis.report import KernelReport
from gpucc.analysis.reuse import Reuse

_COLOUR = {
    Reuse.STREAMED.value: "#9ecae1",
    Reuse.WARP.value: "#c7e9c0",
    Reuse.BLOCK.value: "#a1d99b",
    Reuse.GRID.value: "#74c476",
    Reuse.UNKNOWN.value: "#d9d9d9",
}


def access_graph(kernels: Iterable[KernelReport]) -> str:
    """Return DOT text: a cluster for each kernel, boxes for arrays, accesses coloured by reuse."""
    lines = ["digraph accesses {", '  rankdir="LR"; node [fontname="Helvetica", fontsize=10];']
    for number, kernel in enumerate(kernels):
        lines.append(f'  subgraph "cluster_{number}" {{ label={_quote(kernel.name)};')
        lines += [
            f'    "{number}:{_escape(base)}" [shape=box, label={_quote(base)}];'
            for base in dict.fromkeys(access.base or "?" for access in kernel.accesses)
        ]
        for index, access in enumerate(kernel.accesses):
            node = f'"{number}:{index}"'  # no identifier of PTX begins with a digit
            label = f"{access.line}: {access.opcode}\n+ {access.offset}\n{access.reuse}"
            colour = _COLOUR[access.reuse]
            lines.append(f'    {node} [style=filled, fillcolor="{colour}", label={_quote(label)}];')
            base = f'"{number}:{_escape(access.base or "?")}"'
            ends = (base, node) if access.kind == "load" else (node, base)
            lines.append(f"    {ends[0]} -> {ends[1]};")
        lines.append("  }")
    return "\n".join([*lines, "}"])


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _quote(text: str) -> str:
    return f'"{_escape(text)}"'
