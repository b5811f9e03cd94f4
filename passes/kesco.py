"""kesco: put independent launches of one function on queues of their own.

Before: ``scale<<<g, b>>>(x, y);  scale<<<g, b>>>(u, v);  add<<<g, b>>>(y, v, z);``  (one stream)
After:  queue 0: scale(x, y), add(y, v, z) behind an event of queue 1;  queue 1: scale(u, v)

The calls stay where they are, with other callees: libgpucc_rt executes the table that this pass
appends.  Copies and memsets take part; a blocking copy then waits only for the work it depends on.

Requires: access modes of the kernels that are launched.  Preserves: blocks, results, error codes,
and the order of everything as seen from outside a region: the null stream is behind all of it.
Runs after all device passes, whose kernels it asks about.
Leaves alone: launches whose pointers cannot be traced to a cudaMalloc of the function, launches on
the user's own streams, and what stands on the other side of a loop, a branch, or a call that may
itself order GPU work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from gpucc.analysis.access import KernelAccess
from gpucc.errors import GpuccError
from gpucc.host.effects import Effects
from gpucc.host.module import HostModule
from gpucc.host.names import readable
from gpucc.host.regions import Region, Site, regions
from gpucc.host.schedule import Entry, Schedule, schedule
from gpucc.passmanager import Context, HostPass, Remark, Result


@dataclass(frozen=True)
class Kesco(HostPass):
    """Schedule kernels, copies and memsets of straight-line host code into queues."""

    name: ClassVar[str] = "kesco"

    queues: int = 8
    """The most queues to use, 2 to 32."""

    def run(
        self, host: HostModule, device_facts: Mapping[str, KernelAccess], ctx: Context
    ) -> Result[HostModule]:
        """Return the module with its sites scheduled, or ``host`` itself if nothing gains."""
        if not 2 <= self.queues <= 32:
            raise GpuccError(f"kesco: queues={self.queues} is not between 2 and 32")
        if host.has_per_thread_stream:
            reason = "the default stream is each thread's own here, and says what runs in order"
            return Result(host, (Remark("kesco", "refused", host.path, reason),))
        by_symbol = {
            symbol: device_facts[name]
            for symbol, name in host.kernels.items()
            if name in device_facts
        }
        effects = Effects({function.name: function for function in host.functions})
        scheduled: list[tuple[Region, Schedule]] = []
        remarks: list[Remark] = []
        for function in host.functions:
            if function.name in by_symbol or "__device_stub__" in function.name:
                continue
            for region in regions(function, effects, by_symbol):
                found = schedule([site.work for site in region.sites], region.exits, self.queues)
                if found.overlaps:
                    remarks.extend(
                        _placed(region, number, entry) for number, entry in enumerate(found.entries)
                    )
                    scheduled.append((region, found))
                else:
                    remarks.extend(_left(region, site) for site in region.sites)
        if not scheduled:
            return Result(host, tuple(remarks))
        return Result(host.with_schedules(scheduled), tuple(remarks))


def _placed(region: Region, number: int, entry: Entry) -> Remark:
    site = region.sites[number]
    words = [f"{readable(site.work.name)}: queue {entry.queue}"]
    if entry.waits:
        others = ", ".join(
            f"{readable(region.sites[w].work.name)} ({_line(region.sites[w])})" for w in entry.waits
        )
        words.append(f"waits for {others}")
    if site.work.waits_for_all:
        words.append("the host waits for all queues, so that errors show here")
    elif site.work.blocks_host:
        words.append("the host waits for this queue alone")
    return _remark("changed", region, site, "; ".join(words))


def _left(region: Region, site: Site) -> Remark:
    if site.trouble:
        return _remark("refused", region, site, f"{readable(site.work.name)}: {site.trouble}")
    if len(region.sites) == 1:
        why = "nothing else stands beside it"
    elif any(other.work.blocks_host for other in region.sites):
        why = "nothing can run beside it (a copy that the host waits for comes first)"
    else:
        why = "nothing can run beside it"
    message = f"{readable(site.work.name)}: stays in order, {why} up to {region.boundary}"
    return _remark("refused", region, site, message)


def _line(site: Site) -> str:
    return "line " + (site.call.location or "?").rpartition(":")[2]


def _remark(
    kind: Literal["changed", "refused"], region: Region, site: Site, message: str
) -> Remark:
    source = site.call.location
    line = int(source.rpartition(":")[2]) if source else None
    return Remark("kesco", kind, readable(region.function), message, line=line, source=source)
