"""Where the data of an array is, whoever made it: NumPy, CuPy, PyTorch, JAX, Numba, cuda.core, we.

Nothing is copied and no GPU is asked; an array is only looked at.
"""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucc.errors import GpuccError
from gpucc.runtime.elements import ELEMENTS, Element, element_of

LEGACY_STREAM = 1
"""CUDA's handle for the legacy default stream (``CU_STREAM_LEGACY``); 0 is another name of it."""


@dataclass(frozen=True, slots=True)
class ArrayView:
    """An array's memory."""

    address: int
    """Of the first element; 0 if the array is empty."""
    nbytes: int
    shape: tuple[int, ...]
    element: Element | None
    """None for records and for memory without a type."""
    itemsize: int | None
    """Bytes of one element; None for memory without a type."""
    maker: str
    """``NumPy``, ``torch`` or the name of a class."""
    dtype: str
    """Its maker's name of the element type."""
    on_host: bool
    writable: bool = True
    stream: int | None = None
    """The stream on which the producer may still be writing it; None if there is none."""

    @property
    def text(self) -> str:
        """For messages: ``NumPy float32[4, 8]``."""
        return _describe(self.maker, self.dtype, self.shape)


class UnusableArray(GpuccError):
    """An array, but not one that a kernel can be given."""


def view_of(value: Any) -> ArrayView | None:
    """Return where the data of ``value`` is; None if it is no array.

    Arrays on the host must be dense, C or Fortran order: they are copied as they lie in memory.
    Of arrays on the GPU the address is taken, whatever their strides: the kernel is told those by
    other parameters.  Raises :class:`UnusableArray`, which says what to do.
    """
    array: type = np.ndarray
    if isinstance(value, array):
        return _numpy_view(value)
    if _is_from(value, "torch") and hasattr(value, "data_ptr"):
        return _torch_view(value)
    if hasattr(value, "__cuda_array_interface__"):
        return interface_view(value.__cuda_array_interface__, type(value).__name__)
    if _is_from(value, "cuda") and hasattr(value, "is_device_accessible"):
        return _buffer_view(value)
    if hasattr(value, "__dlpack_device__"):
        return _dlpack_view(value)
    return None


def _is_from(value: Any, package: str) -> bool:
    return type(value).__module__.partition(".")[0] == package


def _describe(maker: str, dtype: str, shape: Sequence[int]) -> str:
    return f"{maker} {dtype}[{', '.join(map(str, shape))}]"


def _numpy_view(array: Any) -> ArrayView:
    dtype = array.dtype
    flags = array.flags
    view = ArrayView(
        array.ctypes.data if array.nbytes else 0,
        array.nbytes,
        array.shape,
        element_of(dtype),
        dtype.itemsize,
        "NumPy",
        str(dtype),
        on_host=True,
        writable=flags.writeable,
    )
    if dtype.hasobject:
        raise UnusableArray(f"{view.text} holds Python objects", hint="convert it with .astype()")
    if not dtype.isnative:
        raise UnusableArray(
            f"{view.text} has the other byte order", hint="convert it with .astype()"
        )
    if not (flags.c_contiguous or flags.f_contiguous):
        raise UnusableArray(
            f"{view.text} has gaps or permuted axes", hint="pass np.ascontiguousarray(…) of it"
        )
    return view


def _torch_view(tensor: Any) -> ArrayView:
    dtype = str(tensor.dtype).removeprefix("torch.")
    shape = tuple(tensor.shape)
    text = _describe("torch", dtype, shape)
    if str(tensor.layout) != "torch.strided":
        raise UnusableArray(f"{text} is sparse", hint="pass its index and value tensors")
    if not tensor.is_cuda:
        raise UnusableArray(
            f"{text} is in host memory", hint="pass x.cuda(), or x.numpy() to have it copied"
        )
    torch: Any = importlib.import_module("torch")
    stream: int = torch.cuda.current_stream(tensor.device).cuda_stream
    element = next((e for e in ELEMENTS.values() if e.numpy == dtype), None)
    size: int = tensor.element_size()
    return ArrayView(
        tensor.data_ptr(),
        tensor.numel() * size,
        shape,
        element,
        size,
        "torch",
        dtype,
        on_host=False,
        stream=stream or LEGACY_STREAM,
    )


def interface_view(interface: Mapping[str, Any], maker: str = "array") -> ArrayView:
    """Return the view that a ``__cuda_array_interface__`` (versions 0 to 3) describes."""
    shape: tuple[int, ...] = tuple(interface["shape"])
    dtype, element, name = _typestr(interface["typestr"])
    address, read_only = interface["data"]
    stream = interface.get("stream")
    nbytes = math.prod(shape) * dtype.itemsize
    view = ArrayView(
        int(address or 0) if nbytes else 0,
        nbytes,
        shape,
        element,
        dtype.itemsize,
        maker,
        name,
        on_host=False,
        writable=not read_only,
        stream=stream,
    )
    if interface.get("mask") is not None:
        raise UnusableArray(f"{view.text} has a mask")
    if not dtype.isnative:
        raise UnusableArray(f"{view.text} has the other byte order")
    return view


@functools.cache
def _typestr(typestr: str) -> tuple[np.dtype[Any], Element | None, str]:
    dtype = np.dtype(typestr)
    return dtype, element_of(dtype), str(dtype)


def _buffer_view(buffer: Any) -> ArrayView:
    """A ``cuda.core.Buffer``: memory without a type."""
    if not buffer.is_device_accessible:
        raise UnusableArray("this cuda.core buffer is not accessible on the GPU")
    size = int(buffer.size)
    return ArrayView(
        int(buffer.handle), size, (size,), None, None, "cuda.core buffer", "bytes", on_host=False
    )


_DLPACK_ON_GPU = (2, 3, 13)
"""CUDA memory, pinned host memory, managed memory (dlpack.h, ``DLDeviceType``)."""


def _dlpack_view(value: Any) -> ArrayView:
    kind, _device = value.__dlpack_device__()
    maker = type(value).__name__
    if int(kind) not in _DLPACK_ON_GPU:
        raise UnusableArray(
            f"this {maker} is not in memory of an NVIDIA GPU",
            hint="move it there, or pass a NumPy array to have it copied",
        )
    from gpucc.runtime.device import core

    # The legacy default stream: what the producer has queued is done before it continues.
    kind_of_view = core().utils.StridedMemoryView
    make = getattr(kind_of_view, "from_dlpack", kind_of_view)  # younger than version 0.4
    view = make(value, stream_ptr=LEGACY_STREAM)
    dtype = np.dtype(view.dtype)
    shape: tuple[int, ...] = tuple(view.shape)
    nbytes = math.prod(shape) * dtype.itemsize
    return ArrayView(
        int(view.ptr) if nbytes else 0,
        nbytes,
        shape,
        element_of(dtype),
        dtype.itemsize,
        maker,
        str(dtype),
        on_host=False,
        writable=not view.readonly,
        stream=LEGACY_STREAM,
    )
