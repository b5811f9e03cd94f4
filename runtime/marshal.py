"""Arguments to bytes: checks what a kernel is called with against its signature, and packs it.

Pure: it looks at values and makes a plan (:class:`Bound`); memory is copied by
:mod:`gpucc.runtime.launch`.  Nothing is converted behind the caller's back: a value is taken if it
is what the parameter says, in one of these forms, and refused otherwise.

========= ========================================================================================
parameter takes
========= ========================================================================================
pointer   an array whose elements are what is pointed to; ``None`` for a null pointer; an address
          as ``np.uintp``.  NumPy arrays are copied to the GPU and, unless the kernel is known to
          only read through the parameter, back after it has run
number    a Python number that the type can hold; a NumPy or ctypes number of exactly that type
structure ``bytes``, a NumPy record or a ctypes structure of exactly that size; for a vector type
          also a NumPy array of that many bytes
unknown   (a cubin alone, without C++ names) an array, or a NumPy number of that size
========= ========================================================================================
"""

from __future__ import annotations

import ctypes
import itertools
import math
import operator
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from gpucc.errors import GpuccError
from gpucc.runtime.arrays import ArrayView, UnusableArray, view_of
from gpucc.runtime.elements import ELEMENTS, Element, decode, element_of, encode
from gpucc.runtime.signature import POINTER_BYTES, Parameter, Signature


class ArgumentError(GpuccError, TypeError):
    """A kernel was called with something it does not take."""


@dataclass(frozen=True, slots=True)
class HostArray:
    """Host memory that the kernel is to find on the GPU."""

    address: int
    nbytes: int
    offsets: tuple[int, ...]
    """Where in the parameter space the address of the copy goes."""
    copy_back: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """Checked arguments: what to do before and after a launch, and what to launch with."""

    values: bytes
    """The parameter space, with zeros where the addresses of host arrays go."""
    host_arrays: tuple[HostArray, ...]
    streams: frozenset[int]
    """Streams whose work so far must be done before the kernel starts."""
    owners: tuple[Any, ...]
    """Keeps the arguments alive."""

    def with_addresses(self, addresses: Sequence[int]) -> bytearray:
        """Return the parameter space with the device addresses of :attr:`host_arrays`."""
        values = bytearray(self.values)
        for array, address in zip(self.host_arrays, addresses, strict=True):
            for offset in array.offsets:
                values[offset : offset + POINTER_BYTES] = address.to_bytes(POINTER_BYTES, "little")
        return values


def bind(signature: Signature, arguments: Sequence[Any]) -> Bound:
    """Check ``arguments`` against ``signature`` and pack them.

    Raises :class:`ArgumentError`, which names the parameter.
    """
    if len(arguments) != len(signature.params):
        raise ArgumentError(_wrong_count(signature, len(arguments)), hint=str(signature))
    values = bytearray(signature.size)
    arrays: list[tuple[Parameter, ArrayView]] = []
    streams: set[int] = set()
    for parameter, argument in zip(signature.params, arguments, strict=True):
        found = _Argument(signature, parameter, argument).convert()
        if isinstance(found, bytes):
            values[parameter.offset : parameter.offset + parameter.size] = found
            continue
        if found.on_host:
            arrays.append((parameter, found))
        else:
            values[parameter.offset : parameter.offset + POINTER_BYTES] = _address(found.address)
            if found.stream is not None:
                streams.add(found.stream)
    return Bound(
        bytes(values), _host_arrays(signature, arrays), frozenset(streams), tuple(arguments)
    )


def _wrong_count(signature: Signature, given: int) -> str:
    wanted = len(signature.params)
    few = f", none for {signature.params[given]}" if given < wanted else ""
    noun = "argument" if wanted == 1 else "arguments"
    return f"{signature.name} takes {wanted} {noun}, {given} given{few}"


def _address(address: int) -> bytes:
    return address.to_bytes(POINTER_BYTES, "little")


def _host_arrays(
    signature: Signature, arrays: Sequence[tuple[Parameter, ArrayView]]
) -> tuple[HostArray, ...]:
    """Group host arrays by memory: an array that is passed twice has one copy on the GPU."""
    groups: dict[tuple[int, int], list[Parameter]] = {}
    for parameter, view in arrays:
        if view.nbytes:
            groups.setdefault((view.address, view.nbytes), []).append(parameter)
    for one, other in itertools.pairwise(sorted(groups)):
        if other[0] < one[0] + one[1]:
            raise ArgumentError(
                f"{signature.name}: the arrays for {groups[one][0]} and {groups[other][0]}"
                " overlap in host memory",
                hint="copy them to the GPU first, as one array (gpucc.runtime.to_device)",
            )
    return tuple(
        HostArray(
            address,
            size,
            tuple(p.offset for p in parameters),
            copy_back=any(not p.type.read_only for p in parameters),
        )
        for (address, size), parameters in groups.items()
    )


# --- one argument ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Argument:
    signature: Signature
    parameter: Parameter
    value: Any

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        raise ArgumentError(f"{self.signature.name}: {self.parameter}: {message}", hint=hint)

    def convert(self) -> bytes | ArrayView:
        """Return the argument's bytes, or the array whose address is passed."""
        kind = self.parameter.type.kind
        value = self.value
        if _is_a(value, ctypes.c_void_p):
            return self.number(np.uintp(value.value or 0))
        if _is_a(value, ctypes._SimpleCData):  # pyright: ignore[reportPrivateUsage]
            return self.number(np.dtype(value.__class__).type(value.value))
        if kind == "bytes":
            return self.by_value()
        if kind in ("scalar", "integer"):
            scalar = _is_a(value, np.ndarray) and value.ndim == 0
            return self.number(value[()] if scalar else value)
        if self.parameter.size == POINTER_BYTES:
            view = self.array()
            if view is not None:
                return view
            if value is None and kind != "bits":
                return _address(0)
        if kind == "pointer":
            return self.raw_address()
        return self.number(value) if kind == "word" else self.untyped()

    # --- arrays -----------------------------------------------------------------------------------

    def array(self) -> ArrayView | None:
        try:
            view = view_of(self.value)
        except UnusableArray as error:
            self.fail(error.message, error.hint)
        if view is None:
            return None
        wanted = self.parameter.type
        if wanted.element is not None and view.itemsize is not None:
            self.check_elements(view, wanted.element, wanted.lanes)
        if not view.writable and not wanted.read_only:
            self.fail(f"{view.text} is read-only, and the kernel may write to it")
        return view

    def check_elements(self, view: ArrayView, wanted: Element, lanes: int) -> None:
        size = wanted.size * lanes
        if not holds(view, wanted, lanes):
            fitting = f"{wanted.numpy}" + (f" (in groups of {lanes})" if lanes > 1 else "")
            self.fail(
                f"takes an array of {fitting}, got {view.text}",
                "convert it, or .view() it if its bits are meant",
            )
        if view.nbytes % size:
            self.fail(f"{view.text} is not a whole number of {size}-byte elements")
        if not view.on_host and lanes in (2, 4) and view.address % size:
            self.fail(f"the address of {view.text} is not a multiple of {size}")

    def raw_address(self) -> bytes:
        value = self.value
        if _is_a(value, np.integer) and value.dtype.itemsize == POINTER_BYTES:
            return value.tobytes()
        if isinstance(value, int):
            self.fail(
                f"takes an array, got the number {value}", "if this is an address: np.uintp(…)"
            )
        return self.fail(f"takes an array, got {_kind_of(value)}", "such as a NumPy array")

    # --- numbers ----------------------------------------------------------------------------------

    def number(self, value: Any) -> bytes:
        size, wanted = self.parameter.size, self.parameter.type
        if _is_a(value, np.generic):
            return self.typed(value)
        if wanted.kind == "bits":
            return self.untyped()
        element = wanted.element if wanted.kind == "scalar" else None
        if element is not None and element.kind == "float":
            return self.floating(value, element)
        if element is not None and element.kind == "bool":
            low, high = 0, 1
        elif element is not None:
            low, high = _range(size, signed=element.kind == "signed")
        else:
            low, high = -(2 ** (8 * size - 1)), 2 ** (8 * size) - 1
        try:
            number = operator.index(value)
        except TypeError:
            noun = "an array or an integer" if wanted.kind == "word" else "an integer"
            self.fail(f"takes {noun}, got {_kind_of(value)}")
        if not low <= number <= high:
            self.fail(f"{number} does not fit (from {low} to {high})")
        return (number & (2 ** (8 * size) - 1)).to_bytes(size, "little")

    def floating(self, value: Any, element: Element) -> bytes:
        if not isinstance(value, (int, float)):
            self.fail(f"takes a number, got {_kind_of(value)}")
        try:
            # Not through NumPy, which takes too long for a single number.
            if element.size == 2:
                return self.half(float(value), element)
            return struct.pack("<f" if element.size == 4 else "<d", value)
        except (OverflowError, struct.error):
            self.fail(f"{value} is too large for {element.numpy}")

    def half(self, value: float, element: Element) -> bytes:
        kept = encode(value, element)
        if math.isfinite(value) and not np.isfinite(decode(kept.reshape(1), element)).all():
            raise OverflowError
        return kept.tobytes()

    def typed(self, value: np.generic[Any]) -> bytes:
        """Take a NumPy number, which must be of the very type."""
        wanted, size = self.parameter.type, self.parameter.size
        found = element_of(value.dtype)
        if wanted.element is not None and wanted.kind == "scalar":
            fits = found == wanted.element or _bits_of_bf16(wanted.element, found)
            hint = f"np.{wanted.element.numpy}(…)"
        elif wanted.kind in ("integer", "word"):
            fits = found is not None and found.kind in ("signed", "unsigned", "bool")
            fits = fits and value.dtype.itemsize == size
            hint = f"np.int{8 * size}(…)"
        else:
            fits, hint = value.dtype.itemsize == size, None
        if not fits:
            self.fail(f"got a NumPy {value.dtype} of {value.dtype.itemsize} bytes", hint)
        return value.tobytes()

    # --- structures and the unknown ---------------------------------------------------------------

    def by_value(self) -> bytes:
        value = self.value
        if _is_a(value, np.generic, np.ndarray) and not value.dtype.hasobject:
            data: bytes = value.tobytes()
        elif _is_a(value, *_BYTES_LIKE):
            data = bytes(value)
        else:
            self.fail(
                f"takes {self.parameter.size} bytes, got {_kind_of(value)}",
                "bytes, a NumPy record or a ctypes structure",
            )
        if len(data) != self.parameter.size:
            self.fail(f"takes {self.parameter.size} bytes, got {len(data)}")
        return data

    def untyped(self) -> bytes:
        size, value = self.parameter.size, self.value
        if isinstance(value, int | float | complex) and not _is_a(value, np.generic):
            forms = [e.numpy for e in ELEMENTS.values() if e.size == size and e.kind != "complex"]
            self.fail(
                f"the cubin does not tell its type, so {value!r} could mean several things",
                "say which: " + ", ".join(f"np.{form}(…)" for form in forms if form != "bfloat16"),
            )
        return self.by_value()


_BYTES_LIKE = (bytes, bytearray, memoryview, ctypes.Structure, ctypes.Union, ctypes.Array)


def _is_a(value: Any, *kinds: type) -> bool:
    return isinstance(value, kinds)


def holds(view: ArrayView, wanted: Element, lanes: int) -> bool:
    """Tell whether an array's elements are ``wanted``, ``lanes`` of which make one (``float4``)."""
    found = view.element
    if found is None:
        return view.itemsize == wanted.size * lanes
    if found.kind == "complex":
        return lanes == 2 and wanted.kind == "float" and found.size == 2 * wanted.size
    if _bits_of_bf16(wanted, found):
        return True
    if wanted.name == "u64":
        return found.name in ("u64", "i64")  # perhaps addresses
    return found == wanted


def _bits_of_bf16(wanted: Element, found: Element | None) -> bool:
    """``uint16`` stands for bfloat16, which NumPy may not have."""
    return found is not None and wanted.name == "bf16" and found.name == "u16"


def _range(size: int, *, signed: bool) -> tuple[int, int]:
    bits = 8 * size
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def _kind_of(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
