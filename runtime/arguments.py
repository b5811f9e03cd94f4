"""Kernel arguments as text: what ``gpucc run --arg`` takes.

============================ ====================================================================
text                         argument
============================ ====================================================================
``f32[1024]=rand``           array: uniform in [0, 1); integers from 0 to 99; bools
``f32[32,64]=rand(-1,1)``    array: uniform in [low, high), or integers from low to high - 1
``i32[10]=arange``           array: 0, 1, 2, …
``u8[100]=zeros`` ``ones``   array
``f16[8]=2.5``               array of one value
``f32[32,64]=x.npy``         array from a file, whose shape and type must be these
``f32[]=x.npy``              array from a file, of any shape
``i32=1024``                 number (``f32=nan``, ``u8=0xff``, ``bool=true``)
``bytes=00ff``               a structure by value, in hexadecimal
``null``                     a null pointer
============================ ====================================================================

Element types are those of :data:`gpucc.runtime.elements.ELEMENTS`.  Printing what was parsed gives
text that parses to the same.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from gpucc.errors import GpuccError, SourceError
from gpucc.runtime.elements import ELEMENTS, Element, element_of, encode, storage

Number: TypeAlias = int | float


@dataclass(frozen=True, slots=True)
class Pattern:
    """Contents that are counted out."""

    name: Literal["zeros", "ones", "arange"]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Random:
    """Uniformly random contents, from ``bounds[0]`` to below ``bounds[1]``."""

    bounds: tuple[Number, Number] | None = None
    """None for those of the element type."""

    def __str__(self) -> str:
        return f"rand({self.bounds[0]},{self.bounds[1]})" if self.bounds else "rand"


@dataclass(frozen=True, slots=True)
class Constant:
    """The same value everywhere."""

    value: Number

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class File:
    """The contents of a ``.npy`` file."""

    path: str

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """An array; ``shape`` is None for that of the file."""

    element: Element
    shape: tuple[int, ...] | None
    contents: Pattern | Random | Constant | File

    def __str__(self) -> str:
        extents = ",".join(map(str, self.shape or ()))
        return f"{self.element.name}[{extents}]={self.contents}"


@dataclass(frozen=True, slots=True)
class ScalarArgument:
    """A number."""

    element: Element
    value: Number

    def __str__(self) -> str:
        value = str(bool(self.value)).lower() if self.element.kind == "bool" else self.value
        return f"{self.element.name}={value}"


@dataclass(frozen=True, slots=True)
class BytesArgument:
    """A structure."""

    data: bytes

    def __str__(self) -> str:
        return f"bytes={self.data.hex()}"


@dataclass(frozen=True, slots=True)
class NullArgument:
    """A null pointer."""

    def __str__(self) -> str:
        return "null"


Argument: TypeAlias = ArrayArgument | ScalarArgument | BytesArgument | NullArgument


# --- reading --------------------------------------------------------------------------------------

_TYPE = re.compile(r"[A-Za-z_]\w*")
_EXTENT = re.compile(r"\s*(\d[\d_]*)\s*")
_RANDOM = re.compile(r"rand(?:\((?P<low>[^,()]*),(?P<high>[^,()]*)\))?")
_NAMES = ", ".join(ELEMENTS)


def parse_argument(text: str, where: str = "--arg") -> Argument:
    """Parse one argument; ``where`` stands for it in messages (``--arg 2``).

    Raises :class:`SourceError`, which shows the place.
    """
    return _Reader(text, where).argument()


@dataclass(slots=True)
class _Reader:
    text: str
    where: str

    def fail(self, message: str, at: int, hint: str | None = None) -> NoReturn:
        raise SourceError(message, path=self.where, text=self.text, at=at, hint=hint)

    def argument(self) -> Argument:
        if self.text == "null":
            return NullArgument()
        found = _TYPE.match(self.text)
        if not found:
            self.fail("expected a type", 0, f"such as f32[1024]=rand; types are {_NAMES}")
        name, at = found[0], found.end()
        if name == "bytes":
            return self.bytes(at)
        element = ELEMENTS.get(name)
        if element is None:
            self.fail(f"unknown type '{name}'", 0, f"types are {_NAMES}, and bytes")
        if self.text[at : at + 1] != "[":
            at = self.equals(at, "'[' or '='")
            if element.kind == "complex":
                self.fail(f"a {name} by value is a structure", 0, "write it as bytes=…")
            return ScalarArgument(element, self.number(at, len(self.text), element))
        shape, at = self.shape(at + 1)
        at = self.equals(at, "'='")
        return self.array(element, shape, at)

    def equals(self, at: int, wanted: str) -> int:
        if self.text[at : at + 1] != "=":
            self.fail(f"expected {wanted}", at, "such as f32[1024]=rand or i32=1024")
        return at + 1

    def bytes(self, at: int) -> BytesArgument:
        at = self.equals(at, "'='")
        try:
            return BytesArgument(bytes.fromhex(self.text[at:]))
        except ValueError:
            self.fail("expected an even number of hexadecimal digits", at)

    def shape(self, at: int) -> tuple[tuple[int, ...] | None, int]:
        """Read ``32,64]``; ``]`` alone is the shape of a file."""
        if self.text[at : at + 1] == "]":
            return None, at + 1
        extents: list[int] = []
        while True:
            found = _EXTENT.match(self.text, at)
            if not found:
                self.fail("expected a number of elements", at)
            extents.append(int(found[1].replace("_", "")))
            at = found.end()
            mark = self.text[at : at + 1]
            if mark not in (",", "]"):
                self.fail("expected ',' or ']'", at)
            at += 1
            if mark == "]":
                break
        if math.prod(extents) > 2**40:
            self.fail("more than a terabyte", self.text.index("["))
        return tuple(extents), at

    def array(self, element: Element, shape: tuple[int, ...] | None, at: int) -> ArrayArgument:
        value = self.text[at:]
        contents: Pattern | Random | Constant | File
        if value.endswith(".npy"):
            return ArrayArgument(element, shape, File(value))
        if shape is None:
            self.fail("only a file tells the shape", at, "such as f32[]=x.npy")
        if value == "zeros" or value == "ones" or value == "arange":
            contents = Pattern(value)
        elif found := _RANDOM.fullmatch(value):
            contents = self.random(element, found, at)
        elif element.kind == "complex":
            self.fail("expected rand, zeros, ones, arange or FILE.npy", at)
        else:
            contents = Constant(self.number(at, len(self.text), element))
        return ArrayArgument(element, shape, contents)

    def random(self, element: Element, found: re.Match[str], at: int) -> Random:
        if found["low"] is None:
            return Random()
        if element.kind in ("bool", "complex"):
            self.fail(f"rand has no bounds for {element.name}", at)
        low = self.number(at + found.start("low"), at + found.end("low"), element)
        high = self.number(at + found.start("high"), at + found.end("high"), element, past=1)
        if not low < high:
            self.fail(f"nothing lies between {low} and {high}", at)
        if not math.isfinite(high) or not math.isfinite(low):
            self.fail("bounds must be finite", at)
        return Random((low, high))

    def number(self, at: int, end: int, element: Element, past: int = 0) -> Number:
        """Read the number from ``at`` to ``end``; a bound may lie one ``past`` the largest."""
        text = self.text[at:end].strip()
        if element.kind == "bool":
            if text not in ("true", "false", "0", "1"):
                self.fail("expected true or false", at)
            return int(text in ("true", "1"))
        if element.kind == "float":
            try:
                return float(text)
            except ValueError:
                self.fail("expected a number", at)
        try:
            value = int(text, 0)
        except ValueError:
            self.fail("expected an integer", at)
        limits = np.iinfo(element.numpy)
        if not limits.min <= value <= int(limits.max) + past:
            self.fail(
                f"{value} does not fit {element.name} (from {limits.min} to {limits.max})", at
            )
        return value


# --- making ---------------------------------------------------------------------------------------

_RANDOM_INTEGERS = (0, 100)


def make_value(argument: Argument, seed: int, where: str = "--arg") -> Any:
    """Return the value: an array or number in its storage, bytes, or None for a null pointer.

    ``seed`` decides what is random.  Raises :class:`GpuccError` for files that do not fit.
    """
    if isinstance(argument, NullArgument):
        return None
    if isinstance(argument, BytesArgument):
        return argument.data
    if isinstance(argument, ScalarArgument):
        return encode(argument.value, argument.element)[()]
    if isinstance(argument.contents, File):
        return _read_file(argument, argument.contents.path, where)
    shape, element = argument.shape or (), argument.element
    if isinstance(argument.contents, Random):
        return _random(argument.contents, shape, element, np.random.default_rng(seed))
    if isinstance(argument.contents, Constant):
        return np.full(shape, encode(argument.contents.value, element), storage(element))
    if argument.contents.name == "arange":
        count = math.prod(shape)
        # Not through 64-bit floats alone: integers wrap, floats round once.
        return encode(np.arange(count, dtype=np.int64), element).reshape(shape)
    return np.full(shape, encode(int(argument.contents.name == "ones"), element), storage(element))


def _random(
    contents: Random, shape: tuple[int, ...], element: Element, draw: np.random.Generator
) -> npt.NDArray[Any]:
    if element.kind == "bool":
        return draw.integers(0, 2, shape).astype(bool)
    if element.kind == "complex":
        return encode(draw.random(shape) + 1j * draw.random(shape), element)
    if element.kind == "float":
        low, high = contents.bounds or (0.0, 1.0)
        return encode(draw.uniform(low, high, shape), element)
    low, high = contents.bounds or _RANDOM_INTEGERS
    return draw.integers(int(low), int(high), shape, dtype=np.dtype(element.numpy))


def _read_file(argument: ArrayArgument, path: str, where: str) -> npt.NDArray[Any]:
    try:
        array: npt.NDArray[Any] = np.load(Path(path), allow_pickle=False)
    except OSError as error:
        raise GpuccError(f"{where}: cannot read {path}: {error.strerror or error}") from None
    except (ValueError, EOFError) as error:
        raise GpuccError(f"{where}: {path} is not a .npy file: {error}") from None
    kept = storage(argument.element)
    # bfloat16 is stored in .npy files as two bytes of no type.
    if array.dtype.kind == "V" and argument.element.name == "bf16" and array.dtype.itemsize == 2:
        array = array.view(kept)
    if array.dtype != kept:
        found = element_of(array.dtype)
        name = found.name if found else str(array.dtype)
        raise GpuccError(f"{where}: {path} holds {name}, not {argument.element.name}")
    if argument.shape is not None and array.shape != argument.shape:
        raise GpuccError(
            f"{where}: {path} has the shape {list(array.shape)}, not {list(argument.shape)}"
        )
    return np.ascontiguousarray(array).reshape(array.shape)
