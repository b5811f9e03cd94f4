"""gpucc check: run RUN/CHECK files and say which fail."""

from __future__ import annotations

import contextlib
import shlex
import sys
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gpucc.errors import GpuccError

if TYPE_CHECKING:
    from gpucc.check.execute import Outcome

_EPILOG = """\b
Exit status: 0 if all tests pass; 1 if one fails; 2 for a wrong command line,
or if there is no file with a RUN line.

\b
A test is a .ptx, .ll or .cu file with comments like these:
  // RUN: gpucc opt %s --passes=mpache | filecheck %s
  // CHECK: ld.global.L1::no_allocate.f32
%s is the file, %S its folder, %t a name for a file of the test's own, %T the
folder of those.  A line may have |, &&, not, quotes, <, >, 2> and 2>&1.
With --update, CHECK lines directly below '// AUTOCHECK: REGEX' are renewed
from the lines of the output that the regular expression finds.

\b
Examples:
  gpucc check tests/passes
  gpucc check kernel.ptx --verbose
  gpucc check ptx_samples --update && git diff ptx_samples
"""


@click.command(epilog=_EPILOG)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-j", "--jobs", type=click.IntRange(min=1), help="Tests that run at once.")
@click.option("--update", is_flag=True, help="Renew the CHECK lines below AUTOCHECK, then check.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="Time that one file may take.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show what a failing command was given.")
def command(
    paths: tuple[Path, ...],
    jobs: int | None,
    update: bool,
    junit: Path | None,
    timeout: float,
    verbose: bool,
) -> int:
    """Run the RUN/CHECK files PATHS, and those in the folders PATHS.  No GPU is needed."""
    from gpucc.check.suite import Options, find_tests, run_tests

    start = time.perf_counter()
    try:
        tests = find_tests(paths)
    except GpuccError as error:
        raise click.UsageError(error.render().removeprefix("error: ")) from None
    options = Options(jobs=jobs or 0, timeout=timeout, update=update)
    with _progress(len(tests)) as advance:
        outcomes = run_tests(tests, options, advance)
    if junit is not None:
        from gpucc.check.junit import render

        try:
            junit.write_text(render(outcomes, Path.cwd()), encoding="utf-8")
        except OSError as error:
            raise GpuccError(f"cannot write {junit}: {error.strerror}") from None
    return _report(outcomes, time.perf_counter() - start, verbose=verbose)


@contextlib.contextmanager
def _progress(total: int) -> Generator[Callable[[Outcome], None]]:
    """Show on a terminal how far the tests are, and which failed last."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    failed: list[str] = []
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)

        def advance(outcome: Outcome) -> None:
            if outcome.status == "failed":
                failed.append(outcome.path.name)
            told = f"[red]{len(failed)} failed, last {failed[-1]}[/]" if failed else ""
            progress.update(task, advance=1, description=told)

        yield advance


def _report(outcomes: Sequence[Outcome], seconds: float, *, verbose: bool) -> int:
    """Print the failures and a last line that says it all; return the exit status."""
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    without = [outcome for outcome in outcomes if outcome.status == "no RUN line"]
    updated = [outcome for outcome in outcomes if outcome.updated]
    passed = len(outcomes) - len(failed) - len(without)
    for outcome in failed:
        _print_failure(outcome, verbose=verbose)
    for outcome in without:
        click.echo(f"{click.style('no RUN line', fg='yellow')}: {_shown(outcome.path)}")
    for outcome in updated:
        click.echo(f"{click.style('updated', fg='cyan')}: {_shown(outcome.path)}")
    parts = [click.style(f"{passed} passed", fg="green" if passed else None)]
    if failed:
        parts.append(click.style(f"{len(failed)} failed", fg="red", bold=True))
    if without:
        parts.append(click.style(f"{len(without)} without a RUN line", fg="yellow"))
    if updated:
        parts.append(f"{len(updated)} updated")
    click.echo(f"{', '.join(parts)} in {seconds:.1f} s")
    if failed:
        return 1
    if not passed:
        click.echo("error: nothing to check: no file with a RUN line", err=True)
        return 2
    return 0


def _print_failure(outcome: Outcome, *, verbose: bool) -> None:
    failure = outcome.failure
    assert failure is not None, "a failed test says why"
    path = _shown(outcome.path)
    place = f"{path}:{failure.line}" if failure.line else path
    click.echo(f"{click.style('FAIL', fg='red', bold=True)} {place}")
    for line in failure.report.splitlines():
        click.echo(f"  {line.replace(str(outcome.path), path)}")
    if verbose and failure.output:
        click.echo("  --- what the command was given, or printed:")
        for number, line in enumerate(failure.output.splitlines(), start=1):
            click.echo(f"  {number:5} {line}")
    if failure.command:
        click.echo(f"  {click.style('command', fg='cyan')}:   {failure.command}")
    click.echo(f"  {click.style('reproduce', fg='cyan')}: gpucc check {shlex.quote(path)} -v\n")


def _shown(path: Path) -> str:
    """Return a path relative to the current folder, if it is in there."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
