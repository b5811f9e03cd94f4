"""The one table of architectures: what an SM of each compute capability holds, and known boards.

Numbers in, numbers out; nothing here asks a GPU.  Sizes are bytes unless a name says otherwise.

Sources:

* limits per SM and per block: ``cuda/__device/arch_traits.h`` of CCCL 3.3 and ``cuda_occupancy.h``
  of CUDA 13.5 (blocks per SM, barriers, carve-outs, allocation granularity), which agree with the
  CUDA Programming Guide's table "Technical Specifications per Compute Capability";
* the unified L1 / shared memory ("unified data cache") size: the guide's table "Shared Memory
  Capacity per Compute Capability"; line and sector size: the guide's and Nsight Compute's
  documentation (128-byte lines of four 32-byte sectors since Volta);
* least PTX versions and suffixes: :mod:`gpucc.ptx.targets`.

sm_107 is left out: the two headers above do not agree about its shared memory yet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from gpucc.errors import GpuccError
from gpucc.ptx.targets import FIRST_VERSION

KIB = 1024
MIB = 1024 * 1024

WARP_SIZE = 32
MAX_THREADS_PER_BLOCK = 1024
MAX_BLOCK = (1024, 1024, 64)
"""Largest block, by dimension."""
MAX_GRID = (2**31 - 1, 65535, 65535)
"""Largest grid, by dimension."""
DEFAULT_SHARED_PER_BLOCK = 48 * KIB
"""Shared memory a block may have before the launcher must opt in to more."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """What one compute capability offers; ``name`` is ``sm_90``, without suffix."""

    name: str
    family: str
    threads_per_sm: int
    blocks_per_sm: int
    barriers_per_sm: int | None
    """Named barriers (``bar.sync``) that resident blocks share; None where they never run out."""
    shared_per_sm: int
    """Largest share of the unified cache that can be shared memory."""
    shared_carveouts: tuple[int, ...]
    """The splits that can be configured: bytes of shared memory per SM, ascending."""
    unified_cache_per_sm: int
    """L1 and shared memory together; L1 is what the carve-out leaves."""
    reserved_shared_per_block: int
    """Shared memory that the driver takes of every block."""
    shared_granularity: int
    """A block's shared memory is rounded up to this."""
    registers_per_sm: int = 65536
    registers_per_block: int = 65536
    registers_per_thread: int = 255
    register_granularity: int = 256
    """A warp's registers are rounded up to this many."""
    partitions_per_sm: int = 4
    """Parts with a scheduler and a register file of their own; a warp lives in one."""
    l1_line: int = 128
    sector: int = 32
    """What moves between L1 and L2; four make a line."""
    clusters: bool = False
    """Whether blocks can form clusters."""

    @property
    def sm(self) -> int:
        """The compute capability times ten: 90."""
        return int(self.name.removeprefix("sm_"))

    @property
    def features(self) -> tuple[str, ...]:
        """The suffixes that there are of this target (``a``, ``f``)."""
        return tuple(suffix for suffix in "af" if self.name + suffix in FIRST_VERSION)

    @property
    def compute_capability(self) -> tuple[int, int]:
        """Major and minor."""
        return divmod(self.sm, 10)

    @property
    def warps_per_sm(self) -> int:
        """Resident warps."""
        return self.threads_per_sm // WARP_SIZE

    @property
    def shared_per_block(self) -> int:
        """Shared memory a block may have when its launcher opts in."""
        return self.shared_per_sm - self.reserved_shared_per_block


_SMALL = (0, *(n * KIB for n in (8, 16, 32, 64, 100)))
_AMPERE = (*_SMALL, 132 * KIB, 164 * KIB)
_HOPPER = (*_AMPERE, 196 * KIB, 228 * KIB)

_SM_75 = Architecture(
    "sm_75",
    family="Turing",
    threads_per_sm=1024,
    blocks_per_sm=16,
    barriers_per_sm=None,
    shared_per_sm=64 * KIB,
    shared_carveouts=(32 * KIB, 64 * KIB),
    unified_cache_per_sm=96 * KIB,
    reserved_shared_per_block=0,
    shared_granularity=256,
)
_SM_80 = Architecture(
    "sm_80",
    family="Ampere",
    threads_per_sm=2048,
    blocks_per_sm=32,
    barriers_per_sm=None,
    shared_per_sm=164 * KIB,
    shared_carveouts=_AMPERE,
    unified_cache_per_sm=192 * KIB,
    reserved_shared_per_block=KIB,
    shared_granularity=128,
)
_SM_86 = replace(
    _SM_80,
    name="sm_86",
    threads_per_sm=1536,
    blocks_per_sm=16,
    shared_per_sm=100 * KIB,
    shared_carveouts=_SMALL,
    unified_cache_per_sm=128 * KIB,
)
_SM_87 = replace(
    _SM_86,
    name="sm_87",
    shared_per_sm=164 * KIB,
    shared_carveouts=_AMPERE,
    unified_cache_per_sm=192 * KIB,
)
_SM_89 = replace(
    _SM_86,
    name="sm_89",
    family="Ada",
    blocks_per_sm=24,
)
_SM_90 = replace(
    _SM_80,
    name="sm_90",
    family="Hopper",
    barriers_per_sm=64,
    shared_per_sm=228 * KIB,
    shared_carveouts=_HOPPER,
    unified_cache_per_sm=256 * KIB,
    clusters=True,
)
_SM_100 = replace(
    _SM_90,
    name="sm_100",
    family="Blackwell",
)
_SM_103 = replace(
    _SM_100,
    name="sm_103",
    barriers_per_sm=32,
)
_SM_110 = replace(
    _SM_100,
    name="sm_110",
    threads_per_sm=1536,
    blocks_per_sm=24,
    barriers_per_sm=24,
)
_SM_120 = replace(
    _SM_89,
    name="sm_120",
    family="Blackwell",
    barriers_per_sm=24,
    clusters=True,
)

ARCHITECTURES: Mapping[str, Architecture] = MappingProxyType(
    {
        a.name: a
        for a in (
            _SM_75,
            _SM_80,
            _SM_86,
            _SM_87,
            replace(_SM_86, name="sm_88"),
            _SM_89,
            _SM_90,
            _SM_100,
            _SM_103,
            _SM_110,
            _SM_120,
            replace(_SM_120, name="sm_121"),
        )
    }
)
"""All architectures, oldest first, by name without suffix."""


@dataclass(frozen=True, slots=True)
class Board:
    """A product: what differs between parts of one architecture."""

    name: str
    """As ``nvidia-smi`` and the driver print it."""
    arch: str
    sms: int
    l2_bytes: int


BOARDS: Mapping[str, Board] = MappingProxyType(
    {
        board.name: board
        for board in (
            # Turing whitepaper (WP-09183), appendix A and C.
            Board("Tesla T4", "sm_75", 40, 4 * MIB),
            Board("NVIDIA GeForce RTX 2080 Ti", "sm_75", 68, 5632 * KIB),
            # A100 whitepaper, table 4; GA102 whitepaper, table 2.
            Board("NVIDIA A100-SXM4-40GB", "sm_80", 108, 40 * MIB),
            Board("NVIDIA A100-SXM4-80GB", "sm_80", 108, 40 * MIB),
            Board("NVIDIA GeForce RTX 3090", "sm_86", 82, 6 * MIB),
            # Ada whitepaper, appendix A.
            Board("NVIDIA GeForce RTX 4090", "sm_89", 128, 72 * MIB),
            # H100 whitepaper, table 3.
            Board("NVIDIA H100 80GB HBM3", "sm_90", 132, 50 * MIB),
            Board("NVIDIA H100 PCIe", "sm_90", 114, 50 * MIB),
            # Read from the driver on one board.
            Board("NVIDIA H200", "sm_90", 132, 60 * MIB),
            # RTX Blackwell whitepaper, appendix A.
            Board("NVIDIA GeForce RTX 5090", "sm_120", 170, 96 * MIB),
        )
    }
)
"""Boards whose SM count and L2 size are published or were read, by name."""


def architecture(arch: str) -> Architecture:
    """Return the table's row for ``sm_90``, ``sm_90a`` or ``compute_90``.

    Raises :class:`GpuccError` for a name that is not in the table, or a suffix it does not have.
    """
    found = re.fullmatch(r"(?:sm|compute)_(\d+)([af]?)", arch)
    row = ARCHITECTURES.get(f"sm_{found[1]}") if found else None
    if row is None or not found or (found[2] and found[2] not in row.features):
        raise GpuccError(
            f"unknown architecture '{arch}'",
            hint=f"known are: {', '.join(_names())}",
        )
    return row


def min_ptx(arch: str) -> tuple[int, int]:
    """Return the first PTX version that has the target ``arch``, its suffix counted."""
    architecture(arch)
    return FIRST_VERSION[arch.replace("compute_", "sm_")]


def runs_on(cubin_arch: str, gpu_arch: str) -> bool:
    """Return whether machine code for one architecture runs on a GPU of another.

    It does within a major number, on the same or a higher minor one; code for ``sm_90a`` runs on
    that alone (CUDA C++ Programming Guide, "Binary Compatibility" and "Architecture-Specific
    Features").  Suffixes of ``gpu_arch`` say nothing.
    """
    made, here = int(cubin_arch[3:].rstrip("af")), int(gpu_arch[3:].rstrip("af"))
    if cubin_arch.endswith("a"):
        return made == here
    return made // 10 == here // 10 and made <= here


def _names() -> list[str]:
    return [name + suffix for name, row in ARCHITECTURES.items() for suffix in ("", *row.features)]
