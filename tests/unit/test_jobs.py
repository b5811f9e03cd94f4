"""Running jobs: order, what is reported of several failures, that nothing is left running."""

import os
import sys
import threading
import time

import pytest

from gpucc import jobs
from gpucc.jobs import Command, Job, JobFailed


def shell(script: str, *after: int) -> Job:
    return Job(script, Command(("/bin/sh", "-c", script), dict(os.environ)), frozenset(after))


def run(*work: Job, workers: int = 4, **options) -> list[str]:
    printed: list[str] = []
    jobs.run(
        work,
        workers=workers,
        report=lambda index, outcome: printed.append(f"{index}:{outcome.stdout.strip()}"),
        **options,
    )
    return printed


def test_reports_come_in_order_whatever_ends_first():
    assert run(shell("sleep 0.2; echo slow"), shell("echo fast"), shell("echo last", 0)) == [
        "0:slow",
        "1:fast",
        "2:last",
    ]


def test_a_job_waits_for_what_it_names_and_for_nothing_else(tmp_path):
    made = tmp_path / "made"
    run(
        shell(f"sleep 0.3; touch {made}"),
        shell(f"test ! -e {made}"),
        shell(f"test -e {made}", 0),
    )


def test_our_own_work_runs_here_between_commands(tmp_path):
    file = tmp_path / "file"
    threads: list[threading.Thread] = []

    def work() -> None:
        threads.append(threading.current_thread())
        file.write_text(file.read_text() + "ours\n")

    printed = run(
        shell(f"echo theirs > {file}"),
        Job("ours", work, frozenset([0])),
        shell(f"cat {file}", 1),
    )
    assert printed == ["0:", "1:", "2:theirs\nours"]
    assert threads == [threading.current_thread()]


@pytest.mark.parametrize("workers", [1, 2])
def test_no_more_commands_run_at_once_than_allowed(tmp_path, workers):
    script = f"touch {tmp_path}/$$; ls {tmp_path} | wc -l; sleep 0.1; rm {tmp_path}/$$"
    printed = run(*(shell(script) for _ in range(5)), workers=workers)
    assert max(int(line.partition(":")[2]) for line in printed) == workers


def test_of_two_failures_the_first_in_order_is_raised():
    with pytest.raises(JobFailed) as caught:
        run(shell("sleep 0.3; exit 3"), shell("exit 4"))
    assert (caught.value.index, caught.value.outcome.status) == (0, 3)


def test_after_a_failure_nothing_later_starts_and_what_runs_is_ended(tmp_path):
    """Also what the command started itself: a compiler driver's children."""
    start = time.monotonic()
    with pytest.raises(JobFailed):
        run(
            shell("sleep 0.2; exit 1"),
            shell(f"(sleep 30; touch {tmp_path}/survivor) & sleep 30"),
            shell(f"touch {tmp_path}/later", 0),
        )
    assert time.monotonic() - start < 10
    assert list(tmp_path.iterdir()) == []


def test_an_exception_of_ours_is_raised_after_earlier_jobs_ended():
    def fail() -> None:
        raise ValueError("ours")

    printed: list[int] = []
    with pytest.raises(ValueError, match="ours"):
        jobs.run(
            [shell("sleep 0.2"), Job("fails", fail), shell("sleep 30")],
            workers=2,
            report=lambda index, _: printed.append(index),
        )
    assert printed == [0]


def test_a_program_that_is_not_there_is_an_os_error():
    missing = Job("missing", Command(("/no/such/program",), dict(os.environ)))
    with pytest.raises(FileNotFoundError) as caught:
        run(missing)
    assert caught.value.filename == "/no/such/program"


def test_an_interruption_ends_everything():
    start = time.monotonic()

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(shell("sleep 30"), while_waiting=interrupt)
    assert time.monotonic() - start < 10


def test_much_output_on_both_streams_does_not_block():
    script = "import sys; print('o' * 300_000); print('e' * 300_000, file=sys.stderr)"
    command = Command((sys.executable, "-c", script), dict(os.environ))
    sizes: list[tuple[int, int]] = []
    jobs.run(
        [Job("loud", command)],
        workers=1,
        report=lambda _, outcome: sizes.append((len(outcome.stdout), len(outcome.stderr))),
    )
    assert sizes == [(300_001, 300_001)]
