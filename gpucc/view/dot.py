"""Graphviz text of what a kernel's memory accesses share."""

from __future__ import annotations

from collections.abc import Iterable

from gpucc.analysis.report import KernelReport

_COLOUR = {
    "streamed once": "#9ecae1",
    "reused inside a warp": "#c7e9c0",
    "reused across a block": "#a1d99b",
    "reused across blocks": "#74c476",
    "unknown": "#d9d9d9",
}


def access_graph(kernels: Iterable[KernelReport]) -> str:
    """Return a DOT graph: arrays are boxes, accesses are coloured by reuse, one cluster each."""
    lines = ["digraph accesses {", '  rankdir="LR"; node [fontname="Helvetica", fontsize=10];']
    for number, kernel in enumerate(kernels):
        lines.append(f'  subgraph "cluster_{number}" {{ label={_quote(kernel.name)};')
        lines += [
            f'    "{number}:{_escape(base)}" [shape=box, label={_quote(base)}];'
            for base in dict.fromkeys(access.base or "?" for access in kernel.accesses)
        ]
        for access in kernel.accesses:
            node = f'"{number}:{access.line}"'
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
