"""Occupancy: how many blocks of a kernel an SM holds at once, and what stops it from holding more.

The rules are those of ``cuda_occupancy.h`` (CUDA 13.5), which NVIDIA publishes for this purpose:

* warps are placed whole; a warp's registers are rounded up to 256 and come from the register file
  of one of the SM's four partitions;
* a block's shared memory is static + dynamic + what the driver reserves, rounded up to 128 bytes
  (256 on Turing), out of the largest carve-out;
* from Hopper on, blocks share a number of named barriers.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from gpucc.errors import GpuccError
from gpucc.models.devices import MAX_THREADS_PER_BLOCK, WARP_SIZE, Architecture

_MOST_REGISTERS = 256
"""A thread can be given one register more than an instruction can name."""


class Limit(enum.Enum):
    """A resource that bounds the number of resident blocks."""

    WARPS = "warps"
    REGISTERS = "registers"
    SHARED = "shared memory"
    BLOCKS = "blocks"
    BARRIERS = "barriers"


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Resident blocks and warps of one SM."""

    blocks: int
    """0: a block does not fit, so the launch would fail."""
    warps: int
    max_warps: int
    limits: tuple[Limit, ...]
    """The resources that allow no block more, those that bind at the same number together."""
    blocks_by_limit: tuple[tuple[Limit, int], ...]
    """How many blocks each resource alone would allow; resources that are not used are left out."""

    @property
    def fraction(self) -> float:
        """Resident warps over the most there can be, 0 to 1."""
        return self.warps / self.max_warps


def occupancy(
    arch: Architecture,
    *,
    block_threads: int,
    registers: int,
    static_shared: int = 0,
    dynamic_shared: int = 0,
    barriers: int = 0,
) -> Occupancy:
    """Return the occupancy of a kernel on an SM of ``arch``.

    ``registers`` is per thread; ``static_shared`` and ``dynamic_shared`` are bytes per block,
    without what the driver reserves; ``barriers`` is the number of named barriers a block uses.
    Raises :class:`GpuccError` for a block without threads or negative amounts.
    """
    if block_threads < 1 or min(registers, static_shared, dynamic_shared, barriers) < 0:
        raise GpuccError("occupancy of a kernel with no threads, or negative resources")
    warps = -(-block_threads // WARP_SIZE)
    allowed: dict[Limit, int] = {
        Limit.WARPS: (arch.warps_per_sm // warps if block_threads <= MAX_THREADS_PER_BLOCK else 0),
        Limit.BLOCKS: arch.blocks_per_sm,
    }
    if registers:
        allowed[Limit.REGISTERS] = _blocks_by_registers(arch, registers, warps)
    shared = static_shared + dynamic_shared
    if shared + arch.reserved_shared_per_block:
        allowed[Limit.SHARED] = _blocks_by_shared(arch, shared)
    if barriers and arch.barriers_per_sm is not None:
        allowed[Limit.BARRIERS] = arch.barriers_per_sm // barriers
    blocks = min(allowed.values())
    return Occupancy(
        blocks,
        blocks * warps,
        arch.warps_per_sm,
        tuple(limit for limit, count in allowed.items() if count == blocks),
        tuple(allowed.items()),
    )


def max_dynamic_shared(arch: Architecture, *, blocks: int, static_shared: int = 0) -> int | None:
    """Return the most dynamic shared memory (bytes) with which ``blocks`` blocks fit on an SM.

    None if that many do not fit even without any.
    """
    if blocks < 1:
        raise GpuccError("occupancy of no blocks")
    per_block = arch.shared_per_sm // blocks // arch.shared_granularity * arch.shared_granularity
    room = min(per_block - arch.reserved_shared_per_block, arch.shared_per_block) - static_shared
    return room if room >= 0 else None


def _blocks_by_registers(arch: Architecture, registers: int, warps: int) -> int:
    per_warp = _round_up(registers * WARP_SIZE, arch.register_granularity)
    # The hardware's check of a block's size assumes that it uses all partitions evenly.
    checked = per_warp * _round_up(warps, arch.partitions_per_sm)
    if registers > _MOST_REGISTERS or checked > arch.registers_per_block:
        return 0
    warps_per_partition = arch.registers_per_sm // arch.partitions_per_sm // per_warp
    return warps_per_partition * arch.partitions_per_sm // warps


def _blocks_by_shared(arch: Architecture, shared: int) -> int:
    if shared > arch.shared_per_block:
        return 0
    taken = _round_up(shared + arch.reserved_shared_per_block, arch.shared_granularity)
    return arch.shared_per_sm // taken


def _round_up(value: int, step: int) -> int:
    return -(-value // step) * step
