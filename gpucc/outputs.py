"""Outputs that appear whole or not at all: made under another name, renamed at the end."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpucc.errors import GpuccError


def temporary_name(output: str, scratch: Path) -> str:
    """Return the name under which ``output`` is made: one beside it.

    It is one in ``scratch`` where a rename would not do: for a device (run as root, it would put a
    file in the place of ``/dev/null``), or for a file in a folder that is not writable.  Raises
    :class:`GpuccError` if the output cannot be written at all.
    """
    final = Path(os.path.realpath(output))  # a link stays one
    folder = final.parent
    if not folder.is_dir():
        raise GpuccError(f"cannot write {output}: there is no folder {folder}")
    if final.is_dir():
        raise GpuccError(f"cannot write {output}: it is a folder")
    name = f".{final.stem}.gpucc-{os.getpid()}{final.suffix}"
    if final.exists() and not stat.S_ISREG(final.stat().st_mode):
        return str(scratch / name)
    if not os.access(folder, os.W_OK):
        if os.access(final, os.W_OK):
            return str(scratch / name)
        raise GpuccError(f"cannot write {output}: {folder} is not writable")
    return str(folder / name)


def is_same_file(name: str, others: Sequence[str]) -> bool:
    """Tell whether ``name`` is a file among ``others``, perhaps by another path."""
    return os.path.isfile(name) and any(
        os.path.exists(other) and os.path.samefile(name, other) for other in others
    )


def commit(outputs: Mapping[str, str]) -> None:
    """Give outputs their names; ``outputs`` has the temporary name of each by the final one."""
    for final, temporary in outputs.items():
        if temporary == final:
            continue
        real = os.path.realpath(final)
        if os.path.dirname(temporary) == os.path.dirname(real):
            os.replace(temporary, real)
        else:
            with open(temporary, "rb") as made, open(real, "wb") as kept:
                shutil.copyfileobj(made, kept)


def discard(outputs: Mapping[str, str]) -> None:
    """Remove what was made of outputs that are not to be."""
    for final, temporary in outputs.items():
        if temporary != final:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
