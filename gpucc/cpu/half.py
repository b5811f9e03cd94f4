"""Arithmetic of 16-bit floats: ``f16``, ``bf16`` and pairs of them."""

from __future__ import annotations

from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.site import Site


def widen(site: Site, value: Value, type_: str) -> Value:
    """Return an ``f16`` or ``bf16``, an ``i16``, as the ``float`` that is equal to it.

    What a NaN's payload becomes is not said.
    """
    code = site.code
    if type_ == "f16":
        return code.cast("fpext", code.cast("bitcast", value, "half"), "float")
    high = code.binary("shl", code.resize(value, 32), integer(32, 16))
    return code.cast("bitcast", high, "float")


def narrow(site: Site, value: Value, type_: str) -> Value:
    """Return a ``float`` as ``f16`` or ``bf16``, an ``i16``: to nearest even; NaN is 0x7FFF."""
    code = site.code
    nan = code.fcmp("uno", value, value)
    if type_ == "f16":
        rounded = code.cast("bitcast", code.cast("fptrunc", value, "half"), "i16")
    else:
        rounded = _nearest_bf16(code, code.cast("bitcast", value, "i32"))
    return code.select(nan, integer(16, 0x7FFF), rounded)


def _nearest_bf16(code: Code, pattern: Value) -> Value:
    """The upper half of a single's bits, to nearest even."""
    odd = code.binary("and", code.binary("lshr", pattern, integer(32, 16)), integer(32, 1))
    bias = code.binary("add", odd, integer(32, 0x7FFF))
    rounded = code.binary("add", pattern, bias)
    return code.resize(code.binary("lshr", rounded, integer(32, 16)), 16)
