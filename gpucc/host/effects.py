"""What a call in host code may do to the order of work on the GPU: nothing, or anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gpucc.host.ir import HostFunction, Instr

# CUDA calls that neither put work on a stream nor wait for any, nor read device memory.
_PASSIVE_CUDA = frozenset(
    {  # fmt: skip
        "@cudaMalloc",
        "@cudaGetErrorString",
        "@cudaGetErrorName",
        "@cudaGetLastError",
        "@cudaPeekAtLastError",
        "@cudaGetDevice",
        "@cudaGetDeviceCount",
        "@cudaGetDeviceProperties",
        "@cudaDeviceGetAttribute",
        "@cudaDriverGetVersion",
        "@cudaRuntimeGetVersion",
        "@cudaMallocHost",
        "@cudaHostAlloc",
        "@__cudaPushCallConfiguration",
    }
)
_C_LIBRARY = frozenset(
    {  # fmt: skip
        "@abort",
        "@abs",
        "@aligned_alloc",
        "@atof",
        "@atoi",
        "@calloc",
        "@clock",
        "@clock_gettime",
        "@exit",
        "@fabs",
        "@fabsf",
        "@fflush",
        "@fprintf",
        "@fputc",
        "@fputs",
        "@free",
        "@fwrite",
        "@getenv",
        "@gettimeofday",
        "@malloc",
        "@memcmp",
        "@memcpy",
        "@memmove",
        "@memset",
        "@pow",
        "@powf",
        "@printf",
        "@putc",
        "@putchar",
        "@puts",
        "@rand",
        "@realloc",
        "@snprintf",
        "@sprintf",
        "@sqrt",
        "@sqrtf",
        "@srand",
        "@strcmp",
        "@strlen",
        "@strncmp",
        "@strtod",
        "@strtol",
        "@time",
        "@vfprintf",
        "@vprintf",
        "@log",
        "@logf",
        "@exp",
        "@expf",
        "@sin",
        "@sinf",
        "@cos",
        "@cosf",
        "@fmod",
        "@fmodf",
        "@floor",
        "@ceil",
        "@round",
        "@lround",
    }
)
_CXX_LIBRARY = re.compile(
    r"@(?:_Zn[aw]|_Zd[al]|_ZNK?St(?!6thread|7promise|\d*future|\d*async)|_ZSt|_ZNSo|_ZNSi|_ZNKSs|_ZNSs"
    r"|_ZN9__gnu_cxx|_ZdlPv|_ZTI|__cxa_|__clang_call_terminate|_Unwind_|__gxx_)"
)
_NEVER_THROWS = re.compile(r"@(?:llvm\.|cuda|__cuda|__cxa_(?!throw|rethrow)|_Zd[al])")


@dataclass(frozen=True, slots=True)
class Effect:
    """``passive``: it neither orders nor touches GPU work.  ``throws``: it may not come back."""

    passive: bool
    throws: bool


class Effects:
    """Judges calls in a translation unit, looking into the functions it defines."""

    def __init__(self, functions: Mapping[str, HostFunction]) -> None:
        self._functions = functions
        self._known: dict[str, Effect] = {}

    def of(self, call: Instr) -> Effect:
        """Return what one call may do."""
        return self._of_symbol(call.callee)

    def _of_symbol(self, symbol: str) -> Effect:
        if symbol in self._known:
            return self._known[symbol]
        function = self._functions.get(symbol[1:]) if symbol.startswith("@") else None
        if function is None:
            passive = (
                symbol.startswith("@llvm.")
                or symbol in _PASSIVE_CUDA
                or symbol in _C_LIBRARY
                or bool(_CXX_LIBRARY.match(symbol))
            )
            throws = not (_NEVER_THROWS.match(symbol) or symbol in _C_LIBRARY - {"@exit", "@abort"})
            effect = Effect(passive, throws)
        else:
            self._known[symbol] = Effect(passive=True, throws=False)  # what recursion adds: nothing
            calls = [i for i in function.instructions() if i.kind == "call"]
            effects = [self._of_symbol(call.callee) for call in calls]
            effect = Effect(
                all(effect.passive for effect in effects),
                any(effect.throws for effect in effects),
            )
        self._known[symbol] = effect
        return effect
