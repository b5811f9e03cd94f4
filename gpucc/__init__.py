"""gpucc: a compiler toolchain for NVIDIA GPUs."""

__version__ = "0.1.0"
