"""Special registers (``%tid.x``, ``%laneid``, ``%clock``) on the CPU target.

What is read lies in the structures of ``runtime/native/cpurt/gpucc_cpu.h``, at these offsets.
"""

from __future__ import annotations

from gpucc.cpu.code import Code, Value, integer

THREAD_TID = 8
THREAD_LINEAR = 20
BLOCK_CTAID = 16
BLOCK_WORKER = 28
LAUNCH_GRID = 0
LAUNCH_BLOCK = 12
LAUNCH_SHARED = 24
LAUNCH_DYNAMIC = 28
LAUNCH_ID = 32
LAUNCH_WORKSPACE = 40

_AXES = {"x": 0, "y": 4, "z": 8}
WARP_SIZE = 32
_SMS = 132
"""What ``%nsmid`` says: that of an H200."""


class SpecialRegisters:
    """Reads special registers in one function, whose thread is ``thread`` (a ``ptr``)."""

    def __init__(self, code: Code, thread: Value) -> None:
        self._code = code
        self._thread = thread

    def read(self, name: str) -> Value | None:
        """Return the value, 32 or 64 bits wide; None for one that is not supported."""
        code = self._code
        base, _, axis = name.removeprefix("%").partition(".")
        if axis:
            return self._vector(base, axis)
        match base:
            case "laneid":
                return code.binary("and", self.linear(), integer(32, WARP_SIZE - 1))
            case "warpid":
                return code.binary("lshr", self.linear(), integer(32, 5))
            case "nwarpid":
                return integer(32, 64)
            case "smid":
                return self._word(self._block(), BLOCK_WORKER)
            case "nsmid":
                return integer(32, _SMS)
            case "gridid":
                return self._constant("i64", self._launch(), LAUNCH_ID)
            case "total_smem_size" | "aggr_smem_size":
                return self._word(self._launch(), LAUNCH_SHARED)
            case "dynamic_smem_size":
                return self._word(self._launch(), LAUNCH_DYNAMIC)
            case "envreg1" | "envreg2":
                half = 4 if base == "envreg1" else 0
                return self._word(self._launch(), LAUNCH_WORKSPACE + half)
            case "WARP_SZ":
                return integer(32, WARP_SIZE)
            case _ if base.startswith("lanemask_"):
                return self._lane_mask(base.removeprefix("lanemask_"))
            case _:
                return self._time(base)

    def _vector(self, base: str, axis: str) -> Value | None:
        if base not in ("tid", "ctaid", "ntid", "nctaid"):
            return None
        if axis == "w":
            return integer(32, 0)
        if axis not in _AXES:
            return None
        offset = _AXES[axis]
        match base:
            case "tid":
                return self._of_thread(THREAD_TID + offset)
            case "ctaid":
                return self._word(self._block(), BLOCK_CTAID + offset)
            case "ntid":
                return self._word(self._launch(), LAUNCH_BLOCK + offset)
            case _:
                return self._word(self._launch(), LAUNCH_GRID + offset)

    def linear(self) -> Value:
        """The thread's number within its block."""
        return self._of_thread(THREAD_LINEAR)

    def _lane_mask(self, relation: str) -> Value | None:
        code = self._code
        lane = code.binary("and", self.linear(), integer(32, WARP_SIZE - 1))
        bit = code.binary("shl", integer(32, 1), lane)
        below = code.binary("sub", bit, integer(32, 1))
        everything = integer(32, -1)
        match relation:
            case "eq":
                return bit
            case "lt":
                return below
            case "le":
                return code.binary("or", bit, below)
            case "gt":
                return code.binary("xor", code.binary("or", bit, below), everything)
            case "ge":
                return code.binary("xor", below, everything)
            case _:
                return None

    def _time(self, base: str) -> Value | None:
        clocks = {"clock": 0, "clock64": 0, "clock_hi": 32}
        timers = {"globaltimer": 0, "globaltimer_lo": 0, "globaltimer_hi": 32}
        function = "gpucc_cpu_clock" if base in clocks else "gpucc_cpu_globaltimer"
        if base not in clocks and base not in timers:
            return None
        now = self._code.call("i64", function)
        shift = (clocks | timers)[base]
        return self._code.binary("lshr", now, integer(64, shift)) if shift else now

    def _of_thread(self, offset: int) -> Value:
        # Not a constant: a loop over threads has one structure for all of them.
        return self._code.load("i32", self._code.displace(self._thread, offset))

    def _word(self, place: Value, offset: int) -> Value:
        return self._constant("i32", place, offset)

    def _constant(self, type_: str, place: Value, offset: int) -> Value:
        return self._code.load(type_, self._code.displace(place, offset), constant=True)

    def _block(self) -> Value:
        return self._code.load("ptr", self._thread)

    def _launch(self) -> Value:
        return self._constant("ptr", self._block(), 0)
