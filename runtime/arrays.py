"""Where the data of an array is, whoever made it: NumPy, CuPy, PyTorch, JAX, Numba, cuda.core, we.

Nothing is copied and no GPU is asked; an array is only looked at.
"""

from __future__ import annotations

import importlib
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
    text: str
    """For messages: ``NumPy float32[4, 8]``."""
    on_host: bool
    writable: bool = True
    stream: int | None = None
    """The stream on which the producer may still be writing it; None if there is none."""


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
    text = _describe("NumPy", str(array.dtype), array.shape)
    if array.dtype.hasobject:
        raise UnusableArray(f"{text} holds Python objects", hint="convert it with .astype()")
    if not array.dtype.isnative:
        raise UnusableArray(f"{text} has the other byte order", hint="convert it with .astype()")
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise UnusableArray(
            f"{text} has gaps or permuted axes", hint="pass np.ascontiguousarray(…) of it"
        )
    return ArrayView(
        array.ctypes.data if array.nbytes else 0,
        array.nbytes,
        array.shape,
        element_of(array.dtype),
        array.dtype.itemsize,
        text,
        on_host=True,
        writable=array.flags.writeable,
    )


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
        text,
        on_host=False,
        stream=stream or LEGACY_STREAM,
    )


def interface_view(interface: Mapping[str, Any], maker: str = "array") -> ArrayView:
    """Return the view that a ``__cuda_array_interface__`` (versions 0 to 3) describes."""
    shape = tuple(int(extent) for extent in interface["shape"])
    dtype = np.dtype(interface["typestr"])
    text = _describe(maker, str(dtype), shape)
    if interface.get("mask") is not None:
        raise UnusableArray(f"{text} has a mask")
    if not dtype.isnative:
        raise UnusableArray(f"{text} has the other byte order")
    address, read_only = interface["data"]
    stream = interface.get("stream")
    count = int(np.prod(shape, dtype=np.int64))
    return ArrayView(
        int(address or 0) if count else 0,
        count * dtype.itemsize,
        shape,
        element_of(dtype),
        dtype.itemsize,
        text,
        on_host=False,
        writable=not read_only,
        stream=None if stream is None else int(stream),
    )


def _buffer_view(buffer: Any) -> ArrayView:
    """A ``cuda.core.Buffer``: memory without a type."""
    if not buffer.is_device_accessible:
        raise UnusableArray("this cuda.core buffer is not accessible on the GPU")
    return ArrayView(
        int(buffer.handle),
        int(buffer.size),
        (int(buffer.size),),
        None,
        None,
        f"a cuda.core buffer of {buffer.size} bytes",
        on_host=False,
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
    view = core().utils.StridedMemoryView.from_dlpack(value, stream_ptr=LEGACY_STREAM)
    dtype = np.dtype(view.dtype)
    shape = tuple(view.shape)
    count = int(np.prod(shape, dtype=np.int64))
    return ArrayView(
        int(view.ptr) if count else 0,
        count * dtype.itemsize,
        shape,
        element_of(dtype),
        dtype.itemsize,
        _describe(maker, str(dtype), shape),
        on_host=False,
        writable=not view.readonly,
        stream=LEGACY_STREAM,
    )
