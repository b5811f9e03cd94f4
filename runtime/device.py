"""The GPU of this process: doors to cuda.core and cuda.bindings, the context, streams and events.

Streams, events and buffers are cuda.core's own objects; wherever a stream is taken, those of
PyTorch, CuPy and everything with ``__cuda_stream__`` are taken too.  Nothing is touched before a
function is called: importing this works without a GPU and without cuda.core.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import functools
import importlib
import threading
from collections.abc import Generator
from typing import Any, NoReturn

from gpucc.errors import GpuccError
from gpucc.models.devices import ARCHITECTURES, Architecture
from gpucc.runtime.arrays import LEGACY_STREAM

_RUN_EXTRA = "pip install 'gpucc[run]'"


class NoGpuError(GpuccError):
    """There is no GPU, or nothing to drive it with."""


class DriverError(GpuccError):
    """The CUDA driver refused a call; ``status`` is its name for why."""

    def __init__(self, message: str, status: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


def may_have_gpu() -> bool:
    """Tell whether NVIDIA's driver is installed, without loading anything of CUDA's Python."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


# --- doors ----------------------------------------------------------------------------------------


@functools.cache
def core() -> Any:
    """Return the module ``cuda.core`` (before its version 1, ``cuda.core.experimental``)."""
    for name in ("cuda.core", "cuda.core.experimental"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if hasattr(module, "Device"):
            return module
    raise NoGpuError("the Python package cuda-core is not installed", hint=_RUN_EXTRA)


@functools.cache
def driver() -> Any:
    """Return the module ``cuda.bindings.driver``."""
    try:
        return importlib.import_module("cuda.bindings.driver")
    except ImportError:
        raise NoGpuError(
            "the Python package cuda-bindings is not installed", hint=_RUN_EXTRA
        ) from None


def call(function: str, *arguments: Any) -> Any:
    """Call a function of the CUDA driver; return its result, or a tuple if it has several.

    Raises :class:`DriverError`, or :class:`NoGpuError` if the driver is not there.
    """
    try:
        status, *results = getattr(driver(), function)(*arguments)
    except RuntimeError as error:  # cuda.bindings found no libcuda, or one without the function
        missing = type(error).__name__ == "DynamicLibNotFoundError"
        _no_gpu("NVIDIA's driver is not installed (no libcuda)" if missing else str(error))
    if int(status) != 0:
        _refused(function, status)
    return results[0] if len(results) == 1 else tuple(results)


_NO_DEVICE = ("CUDA_ERROR_NO_DEVICE", "CUDA_ERROR_STUB_LIBRARY", "CUDA_ERROR_SYSTEM_NOT_READY")
_FAULTS = (
    "CUDA_ERROR_ILLEGAL_ADDRESS",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    "CUDA_ERROR_INVALID_ADDRESS_SPACE",
    "CUDA_ERROR_INVALID_PC",
    "CUDA_ERROR_LAUNCH_FAILED",
    "CUDA_ERROR_MISALIGNED_ADDRESS",
)


@contextlib.contextmanager
def core_errors() -> Generator[None]:
    """Turn what cuda.core raises for a refused driver call into a :class:`DriverError`."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ != "CUDAError":  # which cuda.core does not export
            raise
        status = str(error).partition(":")[0]
        raise DriverError(str(error), status) from None


def _refused(function: str, status: Any) -> NoReturn:
    described = driver().cuGetErrorString(status)[1]
    why = described.decode() if isinstance(described, bytes) else "unknown error"
    name = str(status.name)
    if name in _NO_DEVICE:
        _no_gpu(why)
    hint = None
    if name in _FAULTS:
        hint = "a kernel did this, perhaps an earlier one: compute-sanitizer shows which and where"
    raise DriverError(f"{function}: {why} ({name})", name, hint=hint)


def _no_gpu(why: str) -> NoReturn:
    raise NoGpuError(
        f"no GPU can be used here: {why.strip().rstrip('.')}",
        hint="it takes an NVIDIA GPU and its driver (gpucc doctor); compiling needs neither",
    ) from None


# --- the device -----------------------------------------------------------------------------------


def ensure_context() -> None:
    """Make sure that this thread has a CUDA context: the current one, else that of GPU 0."""
    call("cuInit", 0)
    if int(call("cuCtxGetCurrent")) == 0:
        with core_errors():
            core().Device(0).set_current()


_thread = threading.local()


def current_device() -> Any:
    """Return the cuda.core ``Device`` of this thread's context."""
    ensure_context()
    with core_errors():
        device = core().Device()
        if device.device_id not in _thread.__dict__.setdefault("known", set()):
            # cuda.core wants this once per thread, whoever made the context; it changes to the
            # device's primary context, which may not be the current one.
            context = call("cuCtxGetCurrent")
            device.set_current()
            call("cuCtxSetCurrent", context)
            _thread.known.add(device.device_id)
    return device


def current_arch() -> str:
    """Return the most specific architecture of the current GPU: ``sm_86``, ``sm_90a``."""
    ensure_context()
    device = call("cuCtxGetDevice")
    attribute = driver().CUdevice_attribute
    major = call(
        "cuDeviceGetAttribute",
        attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        device,
    )
    minor = call(
        "cuDeviceGetAttribute",
        attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        device,
    )
    name = f"sm_{major}{minor}"
    row = ARCHITECTURES.get(name)
    return f"{name}a" if row and "a" in row.features else name


def current_architecture() -> Architecture | None:
    """Return the table's row for the current GPU; None if it is newer than the table."""
    return ARCHITECTURES.get(current_arch().rstrip("a"))


# --- streams and events ---------------------------------------------------------------------------


def stream_handle(stream: Any) -> int:
    """Return CUDA's handle of a stream; ``None`` is the legacy default stream.

    Takes streams of cuda.core, PyTorch and CuPy, whatever has ``__cuda_stream__``, and handles.
    """
    if stream is None:
        return LEGACY_STREAM
    if isinstance(stream, int):
        return stream or LEGACY_STREAM
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1]) or LEGACY_STREAM
    for attribute in ("cuda_stream", "ptr"):  # PyTorch and CuPy, before they had the protocol
        handle = getattr(stream, attribute, None)
        if isinstance(handle, int):
            return handle or LEGACY_STREAM
    raise GpuccError(f"not a CUDA stream: a {type(stream).__name__}")


def core_stream(stream: Any) -> Any:
    """Return the cuda.core ``Stream`` of any stream that :func:`stream_handle` takes."""
    if isinstance(stream, core().Stream):
        return stream
    handle = stream_handle(stream)
    ensure_context()
    if handle == LEGACY_STREAM:
        legacy = getattr(core(), "LEGACY_DEFAULT_STREAM", None)
        return legacy if legacy is not None else current_device().default_stream
    return core().Stream.from_handle(handle)


def create_stream() -> Any:
    """Return a new cuda.core ``Stream`` that does not wait for the default stream."""
    return current_device().create_stream()


def record_event(stream: Any = None) -> Any:
    """Record a cuda.core ``Event`` with a time behind the work that ``stream`` has so far."""
    return core_stream(stream).record(options=_timing_options())


def elapsed_ms(start: Any, end: Any) -> float:
    """Return the milliseconds between two events, once ``end`` has happened."""
    end.sync()
    return float(end - start)


def wait_for(stream: int, producer: int) -> None:
    """Let ``stream`` wait for the work that the stream ``producer`` has so far (both handles)."""
    flags = driver().CUevent_flags.CU_EVENT_DISABLE_TIMING
    event = call("cuEventCreate", int(flags))
    try:
        call("cuEventRecord", event, producer)
        call("cuStreamWaitEvent", stream, event, 0)
    finally:
        call("cuEventDestroy", event)  # once it has happened


def synchronize(stream: Any = None) -> None:
    """Wait until all work in ``stream`` is done; raises what went wrong in it."""
    ensure_context()
    call("cuStreamSynchronize", stream_handle(stream))


@functools.cache
def _timing_options() -> Any:
    options = core().EventOptions
    names = {field.name for field in dataclasses.fields(options)}
    # Renamed with version 1 of cuda.core.
    return options(**{"timing_enabled" if "timing_enabled" in names else "enable_timing": True})
