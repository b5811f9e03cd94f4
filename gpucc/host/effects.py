"""What a call in host code may do to the order of work on the GPU: nothing, or anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gpucc.host.ir import HostFunction, Instr

# CUDA calls that neither put work on a stream nor wait for any, nor read device memory.
_PASSIVE_CUDA = frozenset(
    {
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
_ASKS = frozenset({"@cudaGetLastError", "@cudaPeekAtLastError"})
_C_LIBRARY = frozenset(
    {
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
    r"@(?:_Zn[aw]|_Zd[al]|_ZNK?S[taosi]|_ZSt|_ZN9__gnu_cxx|__cxa_(?!guard_)|__clang_call_terminate"
    r"|_Unwind_|__gxx_)"
    r"(?!.*(?:thread|mutex|condition|future|promise|async|atomic|semaphore|call_once|notify))"
)
"""libstdc++ itself, without what other threads may be synchronised by."""
_NEVER_THROWS = re.compile(r"@(?:llvm\.|cuda|__cuda|__cxa_(?!throw|rethrow)|_Zd[al])")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call may do.

    ``passive``: it neither orders nor touches GPU work.  ``throws``: it may not come back.
    ``asks``: it asks whether earlier work went wrong.
    """

    passive: bool
    throws: bool
    asks: bool = False


class Effects:
    """Judges calls in a translation unit, looking into the functions it defines."""

    def __init__(self, functions: Mapping[str, HostFunction]) -> None:
        self._functions = functions
        self._known: dict[str, Effect] = {}

    def of(self, call: Instr) -> Effect:
        """Return what one call, or one atomic operation, may do.

        Another thread that is synchronised by an atomic operation may use the null stream, whose
        order is the same for all threads: so it counts as not passive.
        """
        if call.kind == "atomic":
            return Effect(passive=False, throws=False)
        return self._of_symbol(call.callee)

    def _of_symbol(self, symbol: str) -> Effect:
        """Return the sum over all that can be reached from ``symbol`` by calls."""
        if symbol in self._known:
            return self._known[symbol]
        passive, throws, asks = True, False, False
        seen = {symbol}
        waiting = [symbol]
        while waiting:
            reached = waiting.pop()
            function = self._body(reached)
            if function is None or reached in self._known:
                effect = self._known.get(reached) or _of_unseen(reached)
                passive, throws = passive and effect.passive, throws or effect.throws
                asks = asks or effect.asks
                continue
            for instruction in function.instructions():
                if instruction.kind == "atomic":
                    passive = False
                elif instruction.kind == "call" and instruction.callee not in seen:
                    seen.add(instruction.callee)
                    waiting.append(instruction.callee)
        return self._known.setdefault(symbol, Effect(passive, throws, asks))

    def _body(self, symbol: str) -> HostFunction | None:
        """Return the body that a call of ``symbol`` is known to execute."""
        found = self._functions.get(symbol[1:].strip('"')) if symbol.startswith("@") else None
        return None if found is None or found.replaceable else found


def _of_unseen(symbol: str) -> Effect:
    """Return what a call may do of which only the name is known."""
    passive = (
        (symbol.startswith("@llvm.") and not symbol.startswith("@llvm.coro."))
        or symbol in _PASSIVE_CUDA
        or symbol in _C_LIBRARY
        or bool(_CXX_LIBRARY.match(symbol))
    )
    throws = not (_NEVER_THROWS.match(symbol) or symbol in _C_LIBRARY - {"@exit", "@abort"})
    return Effect(passive, throws, asks=symbol in _ASKS)
