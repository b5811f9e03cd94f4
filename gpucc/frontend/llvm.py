"""LLVM IR to PTX, through the NVPTX backend of the LLVM inside llvmlite.

Reads text (``.ll``) and bitcode (``.bc``) of LLVM 22 and, as LLVM does, of earlier versions,
NVVM IR with typed pointers included.  A kernel is a function with the calling convention
``ptx_kernel`` or one that ``!nvvm.annotations`` names.  A missing triple and data layout are filled
in; NVIDIA's libdevice is linked when ``__nv_*`` functions are called.

The PTX has the first version that knows the target, so that the oldest ptxas reads it; only if
LLVM cannot compile the module for that does it get the newest version that this LLVM writes.

LLVM runs in another process (:mod:`gpucc.frontend.llvm_worker`), as it may end the one it is in.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from gpucc.errors import GpuccError, MissingToolError, SourceError, ToolError
from gpucc.frontend import llvm_worker
from gpucc.models.devices import architecture, min_ptx
from gpucc.passmanager import Target

NEWEST_PTX = (9, 0)
"""The newest PTX that LLVM 22.1 writes."""

_READS_LLVM = 22
"""The newest LLVM whose bitcode is read."""


def to_ptx(path: Path, target: Target, *, level: int = 2) -> str:
    """Compile the LLVM IR file ``path`` to PTX for ``target``.

    ``level`` is LLVM's optimisation level, 0 to 3.  Raises :class:`SourceError` with the place
    that LLVM names, :class:`GpuccError` for other faults of the input, :class:`MissingToolError` if
    libdevice is needed and not there, and :class:`ToolError` if LLVM crashed.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GpuccError(f"cannot read {path}: {error.strerror}") from None
    return _Compilation(str(path), path, data, target, level).run()


def text_to_ptx(text: str, target: Target, *, name: str = "<ll>", level: int = 2) -> str:
    """Compile LLVM IR given as text; ``name`` stands for its path in messages."""
    return bytes_to_ptx(text.encode(), target, name=name, level=level)


def bytes_to_ptx(data: bytes, target: Target, *, name: str = "<bc>", level: int = 2) -> str:
    """Compile LLVM IR given as bytes, bitcode or text."""
    with tempfile.NamedTemporaryFile(prefix="gpucc-", suffix=".ll") as file:
        file.write(data)
        file.flush()
        return _Compilation(name, Path(file.name), data, target, level).run()


class _Compilation:
    """One module on its way to PTX: where it is, and how errors in it are told."""

    def __init__(self, name: str, path: Path, data: bytes, target: Target, level: int) -> None:
        self.name = name
        self.path = path
        self.arch = target.arch.replace("compute_", "sm_")
        self.level = level
        architecture(self.arch)
        self.text = None if llvm_worker.is_bitcode(data) else self._decode(data)

    def run(self) -> str:
        first = min_ptx(self.arch)
        done = self._work(first)
        if done.returncode != 0 and first < NEWEST_PTX:
            newer = self._work(NEWEST_PTX)
            if newer.returncode == 0 or _fatal_message(newer.stderr):
                done = newer
        if done.returncode != 0:
            self._crashed(done)
        answer: dict[str, str] = json.loads(done.stdout)
        if "ptx" not in answer:
            self._rejected(answer["stage"], answer["message"])
        self._check_intrinsics(answer["ptx"])
        return answer["ptx"]

    def _work(self, version: tuple[int, int]) -> subprocess.CompletedProcess[str]:
        from gpucc import toolchain

        libdevice = toolchain.find("libdevice")
        options = {
            "cpu": self.arch,
            "features": f"+ptx{version[0]}{version[1]}",
            "level": self.level,
            "libdevice": str(libdevice.path) if libdevice else None,
        }
        return subprocess.run(
            # -P: the folder of the worker has modules whose names hide others.
            [sys.executable, "-P", llvm_worker.__file__, self.path, json.dumps(options)],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            check=False,
        )

    # --- errors -----------------------------------------------------------------------------------

    def _decode(self, data: bytes) -> str:
        try:
            text = data.decode()
        except UnicodeDecodeError as fault:
            shown = data.decode("latin-1")
            raise SourceError(
                "this is neither bitcode nor UTF-8 text",
                path=self.name,
                text=shown,
                at=fault.start,
            ) from None
        if "\0" in text:
            # LLVM would take the text for ended here.
            raise SourceError("a NUL byte", path=self.name, text=text, at=text.index("\0"))
        return text

    def _fail(self, message: str, at: int | None = None, hint: str | None = None) -> NoReturn:
        if self.text is None or at is None:
            raise GpuccError(f"{self.name}: {message}", hint=hint)
        raise SourceError(message, path=self.name, text=self.text, at=at, hint=hint)

    def _rejected(self, stage: str, message: str) -> NoReturn:
        """Raise the error for something that LLVM, or the worker, does not accept."""
        if stage == "parse":
            self._unreadable(message)
        if stage == "verify":
            self._fail(f"invalid IR: {_first_line(message)}", self._quoted_line(message))
        if stage == "triple":
            self._fail(
                f"the module is for '{message}', not for {llvm_worker.TRIPLE}",
                self._find(r'target triple = "'),
                "device code of a CUDA program: clang --cuda-device-only -S -emit-llvm",
            )
        if stage == "layout":
            self._fail(
                f"the data layout '{message}' is not that of a 64-bit NVIDIA GPU",
                self._find(r'target datalayout = "'),
                "leave it out: it is filled in",
            )
        if stage == "kernel":
            self._fail(f"kernel {message} does not return void", self._definition_of(message))
        if stage == "libdevice":
            from gpucc import toolchain

            toolchain.require("libdevice")
            raise MissingToolError(f"{self.name}: {message} is in libdevice, which was not found")
        self._fail(f"cannot link libdevice: {message}")

    def _unreadable(self, message: str) -> NoReturn:
        placed = re.match(r"[^\n]*?:(\d+):(\d+): error: ([^\n]*)", message)
        if placed and self.text is not None:
            line, column = int(placed[1]), int(placed[2])
            self._fail(placed[3], _offset(self.text, line, column))
        written = re.search(r"Producer: 'LLVM(\d+)", message)
        newer = written is not None and int(written[1]) > _READS_LLVM
        if newer or "Incompatible epoch" in message:
            self._fail(
                f"bitcode of a newer LLVM: {_first_line(message)}",
                hint=f"LLVM up to {_READS_LLVM} is read; text (.ll) of a newer one often is too",
            )
        self._fail(f"not readable as LLVM IR: {_first_line(message)}")

    def _crashed(self, done: subprocess.CompletedProcess[str]) -> NoReturn:
        """Raise the error for an end of the worker that it did not announce."""
        fatal = _fatal_message(done.stderr)
        if fatal is None:
            if done.returncode > 0:
                raise RuntimeError(f"{llvm_worker.__file__} failed:\n{done.stderr}")
            what = signal.Signals(-done.returncode).name
            kept = Path(tempfile.mkdtemp(prefix="gpucc-llvm-")) / "module.ll"
            kept.write_bytes(self.path.read_bytes())
            raise ToolError(
                f"LLVM crashed ({what}) on {self.name}",
                command=[*map(str, done.args[:3]), kept, done.args[4]],
                status=done.returncode,
                output=done.stderr,
            )
        hint = f"the target is {self.arch}; another (--arch) may have it"
        if missing := re.search(r"Cannot select: intrinsic %([\w.]+)", fatal):
            self._fail(
                f"{self.arch} has no instruction for {missing[1]}", self._use_of(missing[1]), hint
            )
        function = re.search(r"In function: (\S+)", fatal)
        place = self._definition_of(function[1]) if function else None
        hint = hint if "Cannot select" in fatal else None
        self._fail(f"LLVM cannot compile this: {_first_line(fatal)}", place, hint)

    def _check_intrinsics(self, ptx: str) -> None:
        """Refuse what LLVM took for a function because it knows no intrinsic of that name."""
        unknown = re.search(r"\.extern \.func[^;]*?\b(llvm\.[\w.]+)", ptx)
        if unknown:
            self._fail(
                f"LLVM {_READS_LLVM} knows no intrinsic {unknown[1]}", self._use_of(unknown[1])
            )

    # --- places -----------------------------------------------------------------------------------

    def _find(self, pattern: str) -> int | None:
        found = re.search(pattern, self.text or "")
        return found.start() if found else None

    def _definition_of(self, function: str) -> int | None:
        return self._find(rf'define [^\n]*@"?{re.escape(function)}(?![\w.$-])')

    def _use_of(self, function: str) -> int | None:
        """Return where a function is called, or else declared."""
        name = rf'@"?{re.escape(function)}"?\s*\('
        call = re.search(rf"\b(?:call|invoke)\b[^\n]*?({name})", self.text or "")
        return call.start(1) if call else self._find(name)

    def _quoted_line(self, message: str) -> int | None:
        """Return the place of the instruction that the verifier quotes below its message."""
        for quoted in message.splitlines()[1:]:
            words = [re.escape(word) for word in re.sub(r", ![\w.]+ !\d+", "", quoted).split()]
            if words and (at := self._find(r"\s*".join(words))) is not None:
                return at
        return None


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]


def _fatal_message(stderr: str) -> str | None:
    """Return LLVM's last words, if it said any."""
    found = re.search(r"LLVM ERROR: (.*)", stderr, re.DOTALL)
    return found[1].strip() if found else None


def _offset(text: str, line: int, column: int) -> int:
    """Return the offset of a place; LLVM counts lines and columns from 1, columns in bytes."""
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    in_line = text[start:].partition("\n")[0].encode()[: column - 1]
    return start + len(in_line.decode(errors="ignore"))
