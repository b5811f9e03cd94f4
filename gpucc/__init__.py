"""gpucc: a compiler toolchain for NVIDIA GPUs.

:func:`load` (of :mod:`gpucc.runtime.module`) compiles and loads kernels; it is imported when first
asked for, so that compiling does not wait for NumPy.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpucc.runtime.module import load as load

__version__ = "0.1.0"
__all__ = ["__version__", "load"]


def __getattr__(name: str) -> Any:
    if name == "load":
        from gpucc.runtime.module import load

        return load
    raise AttributeError(f"module 'gpucc' has no attribute '{name}'")
