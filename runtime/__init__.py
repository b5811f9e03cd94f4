"""Running kernels from Python, on cuda.core.

:func:`load` gives a :class:`Module`; :func:`to_device` puts a NumPy array on the GPU for those
who have neither CuPy nor PyTorch; :func:`create_stream`, :func:`record_event`, :func:`elapsed_ms`
and :func:`synchronize` handle cuda.core's streams and events.  Importing this needs no GPU.
"""

from gpucc.runtime.device import (
    DriverError,
    NoGpuError,
    create_stream,
    elapsed_ms,
    record_event,
    synchronize,
)
from gpucc.runtime.launch import LaunchError, Timing
from gpucc.runtime.marshal import ArgumentError
from gpucc.runtime.memory import DeviceArray, to_device
from gpucc.runtime.module import Kernel, Launch, Module, load

__all__ = [
    "ArgumentError",
    "DeviceArray",
    "DriverError",
    "Kernel",
    "Launch",
    "LaunchError",
    "Module",
    "NoGpuError",
    "Timing",
    "create_stream",
    "elapsed_ms",
    "load",
    "record_event",
    "synchronize",
    "to_device",
]
