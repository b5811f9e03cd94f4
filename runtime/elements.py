"""What arrays and scalar parameters are made of: ``f32``, ``bf16``, ``u8``, …

NumPy has no bfloat16.  Where ``ml_dtypes`` is installed its type is used; without it such arrays
are kept as their bits (``uint16``), and only :func:`encode` and :func:`decode` know what they mean.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["float", "signed", "unsigned", "bool", "complex"]


@dataclass(frozen=True, slots=True)
class Element:
    """One element type; ``name`` is as ``--arg`` takes it, ``numpy`` what NumPy calls it."""

    name: str
    kind: Kind
    size: int
    """Bytes."""
    numpy: str


ELEMENTS: Mapping[str, Element] = MappingProxyType(
    {
        element.name: element
        for element in (
            Element("f64", "float", 8, "float64"),
            Element("f32", "float", 4, "float32"),
            Element("f16", "float", 2, "float16"),
            Element("bf16", "float", 2, "bfloat16"),
            Element("i8", "signed", 1, "int8"),
            Element("i16", "signed", 2, "int16"),
            Element("i32", "signed", 4, "int32"),
            Element("i64", "signed", 8, "int64"),
            Element("u8", "unsigned", 1, "uint8"),
            Element("u16", "unsigned", 2, "uint16"),
            Element("u32", "unsigned", 4, "uint32"),
            Element("u64", "unsigned", 8, "uint64"),
            Element("bool", "bool", 1, "bool"),
            Element("c64", "complex", 8, "complex64"),
            Element("c128", "complex", 16, "complex128"),
        )
    }
)
"""All element types, by name."""

_BF16 = ELEMENTS["bf16"]
_BY_NUMPY = {element.numpy: element for element in ELEMENTS.values()}


def element_of(dtype: npt.DTypeLike) -> Element | None:
    """Return the element type of a NumPy dtype, bfloat16 included; None for records and others."""
    return _element_of(np.dtype(dtype))


@functools.cache
def _element_of(dtype: np.dtype[Any]) -> Element | None:
    return _BY_NUMPY.get(dtype.name)


@functools.cache
def storage(element: Element) -> np.dtype[Any]:
    """Return the dtype in which arrays of ``element`` are kept."""
    if element is not _BF16:
        return np.dtype(element.numpy)
    try:
        return np.dtype(importlib.import_module("ml_dtypes").bfloat16)
    except ImportError:
        return np.dtype(np.uint16)


def encode(values: npt.ArrayLike, element: Element) -> npt.NDArray[Any]:
    """Convert numbers to an array of ``element``, in its storage.

    Floats are rounded to the nearest, ties to even; integers wrap, as C's conversions do.
    """
    array = np.asarray(values)
    kept = storage(element)
    with np.errstate(over="ignore", invalid="ignore"):
        if element is not _BF16 or kept != np.uint16:
            return array.astype(kept)
        bits = np.asarray(array, np.float32).view(np.uint32)
    rounded = (bits + (0x7FFF + (bits >> 16 & 1))) >> 16
    quiet = (bits >> 16) | 0x40
    return np.where(np.isnan(bits.view(np.float32)), quiet, rounded).astype(np.uint16)


def decode(array: npt.NDArray[Any], element: Element) -> npt.NDArray[Any]:
    """Convert an array from storage to one that NumPy calculates with and prints."""
    if element is not _BF16:
        return array
    if array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32)
