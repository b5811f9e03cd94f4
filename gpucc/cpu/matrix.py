"""Matrix operations of a warp: ``mma.sync``, ``ldmatrix``, ``stmatrix``, ``movmatrix``.

Fragments go to the engine as arrays of 32-bit words, in the order of the instruction's registers.
"""

from __future__ import annotations

import re

from gpucc.cpu.code import Value, integer
from gpucc.cpu.site import Lowerings, Site
from gpucc.cpu.types import bits
from gpucc.ptx.module import Operand

_ELEMENTS = {
    name: number
    for number, name in enumerate(
        ("f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s4", "u4", "b1", "s32", "e4m3", "e5m2")
    )
}
"""``gpucc_element`` of ``runtime/native/cpurt/gpucc_cpu.h``."""

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_SATURATE, _XOR, _AND = 1, 2, 4


def _fragment(site: Site, operand: Operand, type_: str) -> Value:
    """Store a fragment's registers, each a PTX ``type_``, one after the other; return the place."""
    items = site.items(operand)
    width = bits(type_) // 8
    place = site.code.slot(f"[{len(items) * width} x i8]", align=16)
    for index, item in enumerate(items):
        value = site.read(item, f"b{bits(type_)}")
        site.code.store(value, site.code.displace(place, index * width), align=width)
    return place


def _spread(site: Site, operand: Operand, place: Value, type_: str) -> None:
    """Write what the engine left at ``place`` to the registers of a fragment."""
    width = bits(type_) // 8
    for index, item in enumerate(site.items(operand)):
        where = site.code.displace(place, index * width)
        site.write(item, site.code.load(f"i{width * 8}", where, align=width), f"b{width * 8}")


def _register(element: str) -> str:
    """Return the type of the registers that hold elements of this type."""
    return "b64" if element == "f64" else "b32"


def _multiply(site: Site) -> None:
    shape = next((found for word in site.words if (found := _SHAPE.fullmatch(word))), None)
    elements = [word for word in site.words if word in _ELEMENTS]
    unusual = [
        word for word in site.words if word.startswith(("sp", "kind::", "block_scale", "scale_vec"))
    ]
    if shape is None or unusual or len(elements) != 4:
        raise site.refuse("is not supported on the CPU target")
    if site.has("m8n8k4") and "f16" in elements:
        raise site.refuse("is of Volta's own shape, which the CPU target does not have")
    code = site.code
    d, a, b, c = elements
    flags = _SATURATE if site.has("satfinite") else 0
    flags |= _XOR if site.has("xor") else 0
    flags |= _AND if site.has("and") else 0
    words = [*map(int, shape.groups()), *(_ELEMENTS[e] for e in (a, b, c, d)), flags]
    descriptor = code.unit.constant_words(words)
    result = code.slot(f"[{len(site.items(0)) * bits(_register(d)) // 8} x i8]", align=16)
    code.call(
        "void",
        "gpucc_cpu_mma",
        site.frame.thread,
        descriptor,
        _fragment(site, site.operands[1], _register(a)),
        _fragment(site, site.operands[2], _register(b)),
        _fragment(site, site.operands[3], _register(c)),
        result,
        site.frame.site(),
    )
    _spread(site, site.operands[0], result, _register(d))


def _count(site: Site) -> int:
    if site.types[-1] != "b16" or not site.has("m8n8"):
        raise site.refuse("is not supported on the CPU target")
    return next(int(word[1:]) for word in site.words if word in ("x1", "x2", "x4"))


def _space(site: Site) -> str:
    return "shared" if site.has("shared", "shared::cta") else "generic"


def _load_matrix(site: Site) -> None:
    count = _count(site)
    result = site.code.slot(f"[{count * 4} x i8]", align=16)
    site.code.call(
        "void",
        "gpucc_cpu_ldmatrix",
        site.frame.thread,
        integer(32, count),
        integer(32, int(site.has("trans"))),
        site.pointer(1, _space(site)),
        result,
        site.frame.site(),
    )
    _spread(site, site.operands[0], result, "b32")


def _store_matrix(site: Site) -> None:
    count = _count(site)
    site.code.call(
        "void",
        "gpucc_cpu_stmatrix",
        site.frame.thread,
        integer(32, count),
        integer(32, int(site.has("trans"))),
        site.pointer(0, _space(site)),
        _fragment(site, site.operands[1], "b32"),
        site.frame.site(),
    )


def _move_matrix(site: Site) -> None:
    answer = site.code.call(
        "i32", "gpucc_cpu_movmatrix", site.frame.thread, site.read(1, "b32"), site.frame.site()
    )
    site.write(0, answer, "b32")


LOWERINGS: Lowerings = {
    "mma": _multiply,
    "ldmatrix": _load_matrix,
    "stmatrix": _store_matrix,
    "movmatrix": _move_matrix,
}
