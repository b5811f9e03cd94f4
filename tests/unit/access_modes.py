"""How tests write access modes, and what a kernel's look like beside them."""

from __future__ import annotations

from gpucc.analysis.access import Access, KernelAccess


def modes(text: str) -> Access:
    """Read a mode as tests write it: ``read+write``."""
    found = Access.NONE
    for word in text.split("+"):
        found |= Access[word.upper()]
    return found


def shown(kernel: KernelAccess) -> dict[str, Access]:
    """Return what a kernel does, by parameter index; fields as ``0+8``."""
    found = {str(p.index): p.access for p in kernel.params if p.access and not p.fields}
    for param in kernel.params:
        found |= {f"{param.index}+{offset}": mode for offset, mode in param.fields}
    if kernel.other_read or kernel.other_write:
        found["other"] = (Access.READ if kernel.other_read else Access.NONE) | (
            Access.WRITE if kernel.other_write else Access.NONE
        )
    return found


def expected(**words: str) -> dict[str, Access]:
    """Return what :func:`shown` gives: ``_0="read"``, ``_0_8`` for a field, ``other``."""
    return {key.strip("_").replace("_", "+"): modes(mode) for key, mode in words.items()}
