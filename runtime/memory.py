"""Arrays on the GPU for those who have neither CuPy nor PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpucc.errors import GpuccError
from gpucc.runtime.arrays import LEGACY_STREAM, view_of
from gpucc.runtime.device import (
    call,
    core_errors,
    core_stream,
    current_device,
    synchronize,
)


class DeviceArray:
    """A dense array in GPU memory, freed with the object.

    It is an array to everything that knows ``__cuda_array_interface__``: kernels of this package,
    ``cupy.asarray(x)``, ``torch.as_tensor(x, device="cuda")``, Numba.
    """

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self.nbytes = int(np.prod(shape, dtype=np.int64)) * self.dtype.itemsize
        self._buffer: Any = allocate(self.nbytes) if self.nbytes else None

    @property
    def address(self) -> int:
        """Of the first element, on the GPU; 0 if there is none."""
        return int(self._buffer.handle) if self._buffer is not None else 0

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "strides": None,
            "version": 3,
            "stream": LEGACY_STREAM,
        }

    def to_host(self) -> npt.NDArray[Any]:
        """Return a copy in host memory, once the default stream is done."""
        array = np.empty(self.shape, self.dtype)
        if self.nbytes:
            copy_from_device(array.ctypes.data, self.address, self.nbytes, LEGACY_STREAM)
        synchronize()
        return array

    def fill_from(self, array: npt.NDArray[Any]) -> None:
        """Overwrite the contents with those of a host array of the same shape and dtype."""
        if array.shape != self.shape or array.dtype != self.dtype:
            raise GpuccError(
                f"{array.dtype}{list(array.shape)} does not fit {self.dtype}{list(self.shape)}"
            )
        dense = np.ascontiguousarray(array)
        if self.nbytes:
            copy_to_device(self.address, dense.ctypes.data, self.nbytes, LEGACY_STREAM)
        synchronize()

    def __repr__(self) -> str:
        return f"DeviceArray({self.dtype}{list(self.shape)} at {self.address:#x})"


def to_device(array: npt.NDArray[Any]) -> DeviceArray:
    """Return a copy of a NumPy array in GPU memory.  Raises UnusableArray for Python objects."""
    dense = np.ascontiguousarray(array).reshape(array.shape)
    view_of(dense)
    copy = DeviceArray(dense.shape, dense.dtype)
    copy.fill_from(dense)
    return copy


def allocate(nbytes: int, stream: Any = None) -> Any:
    """Return a cuda.core ``Buffer`` of GPU memory, in the order of ``stream``."""
    with core_errors():
        return current_device().allocate(nbytes, stream=core_stream(stream))


def copy_to_device(device_address: int, host_address: int, nbytes: int, stream: int) -> None:
    """Queue a copy to the GPU; the host memory may be changed when this returns."""
    call("cuMemcpyHtoDAsync", device_address, host_address, nbytes, stream)


def copy_from_device(host_address: int, device_address: int, nbytes: int, stream: int) -> None:
    """Queue a copy from the GPU; the stream must be synchronised before it is read."""
    call("cuMemcpyDtoHAsync", host_address, device_address, nbytes, stream)
