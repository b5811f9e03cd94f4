"""Symbols as people read them: ``_Z6squarePfi`` is ``square(float*, int)``.

The C++ runtime library, which every program that is linked here needs, has the function that
``c++filt`` is made of.  (:mod:`gpucc.runtime.mangled` reads parameter types and gives up on names
that it cannot be sure of; a message wants a text for any name.)
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable


def readable(symbol: str) -> str:
    """Return what a symbol, with or without ``@``, stands for; itself if it is not a C++ name.

    The same where no C++ library can be loaded.
    """
    name = symbol.removeprefix("@").strip('"')
    demangle = _library_function()
    return (demangle(name) if demangle and name.startswith("_Z") else None) or name


@functools.cache
def _library_function() -> Callable[[str], str | None] | None:
    """Return ``abi::__cxa_demangle``, which gives None for what is not a mangled name."""
    try:
        function = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
        free = ctypes.CDLL(None).free
    except (OSError, AttributeError):
        return None
    function.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    function.restype = ctypes.c_void_p
    free.argtypes = [ctypes.c_void_p]

    def demangle(name: str) -> str | None:
        found = function(name.encode(), None, None, None)
        if found is None:
            return None
        try:
            return ctypes.string_at(found).decode()
        finally:
            free(found)

    return demangle
