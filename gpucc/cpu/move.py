"""``mov``: registers, constants, addresses, and packing of vectors (PTX ISA 9.7.9.1)."""

from __future__ import annotations

from gpucc.cpu.site import Lowerings, Site


def _move(site: Site) -> None:
    type_ = site.types[-1]
    if site.has("v2", "v4"):
        for target, source in zip(site.items(0), site.items(1), strict=True):
            site.write(target, site.read(source, type_), type_)
        return
    site.write(0, site.read(1, type_, loose=site.is_loose(0)), type_)


LOWERINGS: Lowerings = {"mov": _move}
