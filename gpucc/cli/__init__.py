"""The command line: one file here for each command, and the group that finds them.

A file that defines ``command`` (a :class:`click.Command`) is a command of the file's name.  It is
loaded only when it is called: listing all commands reads the first lines of the files.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import functools
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

import gpucc
from gpucc.errors import GpuccError, describe

_EPILOG = (
    'Completion in your shell: eval "$(_GPUCC_COMPLETE=bash_source gpucc)"'
    " (or zsh_source, fish_source)."
)


@functools.cache
def _summaries() -> dict[str, str]:
    """Return the commands and the first sentence of each one's module, without loading any."""
    found: dict[str, str] = {}
    for module in pkgutil.iter_modules(__path__):
        source = Path(__path__[0], f"{module.name}.py")
        if not module.ispkg and not module.name.startswith("_") and source.exists():
            tree = ast.parse(source.read_text(encoding="utf-8"))
            if any(_defines_command(node) for node in tree.body):
                first = (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")
                name = f"gpucc {module.name}"
                found[module.name] = (
                    first.removeprefix(f"``{name}``").removeprefix(name).strip(": ")
                )
    return found


def _defines_command(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name == "command"
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return any(isinstance(target, ast.Name) and target.id == "command" for target in targets)


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_summaries())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not cmd_name.isidentifier() or not Path(__path__[0], f"{cmd_name}.py").exists():
            return None
        command = getattr(importlib.import_module(f"{__name__}.{cmd_name}"), "command", None)
        if not isinstance(command, click.Command):
            return None
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_summaries().items()))


@click.command(cls=_Group, epilog=_EPILOG)
@click.version_option(gpucc.__version__, message="gpucc %(version)s")
def group() -> None:
    """Compile CUDA C++, PTX or LLVM IR for NVIDIA GPUs, with passes in between."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run ``gpucc``; exit with 0, 1 for an error of the user's, 2 for a wrong command line."""
    run_guarded(lambda: group.main(arguments, prog_name="gpucc", standalone_mode=False))


_MACHINE = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EBADF),
        *(errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EPERM),
    }
)
"""What the system refuses for reasons that are not in gpucc: full disks, limits, closed streams."""


def run_guarded(command: Callable[[], object]) -> NoReturn:
    """Call ``command``, print what went wrong as the user is to see it, and exit.

    0 and None mean success, as does any result that is not a number.  A :class:`GpuccError` is
    printed and gives 1, as is what the system refuses (a full disk); Ctrl-C, SIGTERM and a closed
    terminal give 130; anything else is a fault of gpucc's, whose report is saved.
    """
    _replace_closed_streams()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, _terminate)
    try:
        try:
            result = command()
        except click.exceptions.Exit as error:
            result = error.exit_code
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        _exit(error.exit_code)
    except GpuccError as error:
        print_error(error.render())
        _exit(1)
    except (KeyboardInterrupt, click.Abort):
        print_error("interrupted")
        _exit(130)
    except BrokenPipeError:
        _drop_output()  # whoever read it (head, less) has seen enough
        _exit(1)
    except MemoryError:
        print_error("error: there is not enough memory")
        _exit(1)
    except Exception as fault:
        _drop_output()
        if isinstance(fault, OSError) and fault.errno in _MACHINE:
            print_error(f"error: {describe(fault)}")
            _exit(1)
        from gpucc.cli._fault import save_report

        print_error(save_report(fault, sys.argv))
        _exit(1)
    _exit(result if isinstance(result, int) else 0)


def _replace_closed_streams() -> None:
    """Open what stands for a standard stream that our caller closed (``>&-``).

    Python has None for it, and the next file opened would get its number.  Reading or writing the
    replacement is an error, as it is on a closed stream, except for messages: nobody wants them.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # gets the lowest free number: this one
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _drop_output() -> None:
    """Write what is left for stdout nowhere: else it fails once more when Python ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout.flush()


def print_error(text: str) -> None:
    """Print an error report on stderr, in colour where that is a terminal."""
    if not sys.stderr.isatty() or "NO_COLOR" in os.environ:
        click.echo(text, err=True)
        return
    for line in text.splitlines():
        before, mark, after = line.partition("error: ")
        if mark and (not before or before.endswith(": ")):
            line = click.style(before, bold=True) + click.style(mark, fg="red", bold=True) + after
        elif line.lstrip().startswith(("hint: ", "reproduce: ")):
            word, _, rest = line.partition(": ")
            line = click.style(word + ":", fg="cyan") + " " + rest
        elif line.strip() == "^":
            line = click.style(line, fg="green", bold=True)
        click.echo(line, err=True)


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _exit(status: int | str | None) -> NoReturn:
    sys.exit(status)
