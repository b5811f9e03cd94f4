"""Makes the modules that are not in the cache yet, one a processor, and lists what is there."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.corpus.jobs import Job, all_jobs, produce, version
from bench.report import ROOT

CACHE = ROOT / ".cache" / "corpus"


@dataclass(frozen=True, slots=True)
class CorpusModule:
    """One PTX file of the corpus, as its line in ``manifest.jsonl`` has it."""

    name: str
    producer: str
    version: str
    arch: str
    options: tuple[str, ...]
    bytes: int
    sha256: str
    path: str
    """Relative to the cache folder."""

    @property
    def text(self) -> str:
        """The PTX."""
        return (CACHE / self.path).read_bytes().decode()


def make(*, subset: bool = False) -> tuple[list[CorpusModule], list[tuple[str, str]]]:
    """Return the corpus, making what is missing, and the jobs that failed with the reason."""
    CACHE.mkdir(parents=True, exist_ok=True)
    jobs = [job for job in all_jobs() if job.subset or not subset]
    missing = [job for job in jobs if not _path(job).exists()]
    failures: list[tuple[str, str]] = []
    if missing:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
            waiting = {pool.submit(_make_one, job): job for job in missing}
            for count, done in enumerate(as_completed(waiting), 1):
                if reason := done.result():
                    failures.append((waiting[done].name, reason))
                if sys.stderr.isatty():
                    print(f"\r{count}/{len(missing)}", end="", file=sys.stderr)
    modules = [_describe(job) for job in jobs if _path(job).exists()]
    lines = "".join(f"{json.dumps(asdict(module))}\n" for module in modules)
    (CACHE / ("subset.jsonl" if subset else "manifest.jsonl")).write_text(lines)
    return modules, failures


def made() -> list[CorpusModule]:
    """Return the corpus as it was made, perhaps elsewhere, by the manifest that came with it."""
    lines = (CACHE / "manifest.jsonl").read_text().splitlines()
    return [CorpusModule(**json.loads(line)) for line in lines]


def _path(job: Job) -> Path:
    return CACHE / f"{job.key}.ptx"


def _make_one(job: Job) -> str:
    """Make one module; return why it failed, or ""."""
    try:
        text = produce(job)
    except subprocess.CalledProcessError as error:
        return str(error.stderr or error.stdout or error)
    except Exception as error:  # a compiler's own failure, whatever its type, is reported
        return f"{type(error).__name__}: {error}"
    temporary = _path(job).with_suffix(f".{os.getpid()}")
    temporary.write_bytes(text.encode())
    temporary.rename(_path(job))
    return ""


def _describe(job: Job) -> CorpusModule:
    path = _path(job)
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return CorpusModule(
        job.name, job.producer, version(job), job.arch, job.options, len(data), digest, path.name
    )
