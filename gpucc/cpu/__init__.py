"""The CPU target: PTX to host LLVM IR, to native code, run by ``libgpucc_cpu``.

It defines what kernels mean.  Data flow::

    PTX module -> lower.py (LLVM IR as text) -> native.py (machine code, cached) -> engine.py

``lower.py`` walks over functions and control flow; what one instruction does is in the modules of
operations (``integer.py``, ``floating.py``, …), which see it through :mod:`gpucc.cpu.site`.
"""
