"""The command line: what it lists, how it fails, how it hands things on to the driver."""

import errno
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from compiling import KERNEL, environment_with_test_passes, images

import gpucc.cli
from gpucc.cli import _fault, doctor, passes
from gpucc.cli._passes import print_remarks
from gpucc.errors import describe
from gpucc.passmanager import Remark
from gpucc.passwork import UnitRemark


@pytest.fixture(scope="module")
def environ(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    (folder / "tmp").mkdir()
    plain = {**os.environ, "TMPDIR": str(folder / "tmp"), "NO_COLOR": "1", "COLUMNS": "200"}
    return environment_with_test_passes(folder, plain)


@pytest.fixture
def here(tmp_path):
    (tmp_path / "k.cu").write_text(KERNEL)
    return tmp_path


def gpucc_command(here, environ, *words, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpucc", *words],
        cwd=here,
        env={**environ, **options},
        capture_output=True,
        text=True,
        check=False,
    )


# --- what the system refuses --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("redirection", "message"),
    [
        ("> /dev/full", "error: No space left on device"),
        (">&-", "error: Bad file descriptor"),
    ],
)
@pytest.mark.parametrize("words", ["--help", "passes", "opt in.ptx", "analyze in.ptx"])
def test_output_that_cannot_be_written_is_an_error_but_no_fault(
    here, environ, redirection, message, words
):
    shutil.copy(Path(__file__).parents[2] / "ptx_samples/saxpy.ptx", here / "in.ptx")
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {sys.executable} -m gpucc {words} {redirection}"],
        cwd=here,
        env=environ,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, message + "\n")


def test_closed_streams_do_not_get_in_the_way(here, environ):
    """The first file that is opened would else be what stderr is."""
    command = f"{sys.executable} -m gpucc compile k.cu -o k.cubin --passes=mark <&- >&- 2>&-"
    subprocess.run(["/bin/sh", "-c", command], cwd=here, env=environ, check=True)
    assert (here / "k.cubin").read_bytes().startswith(b"\x7fELF")
    command = f"{sys.executable} -m gpucc opt nothing.ptx 2>&-"
    assert subprocess.run(["/bin/sh", "-c", command], cwd=here, env=environ).returncode == 1


def test_what_the_system_refuses_is_told_with_its_file_if_there_is_one():
    assert describe(OSError(errno.EMFILE, "Too many open files")) == "Too many open files"
    assert describe(OSError(errno.ENOENT, "No such file", "x.ptx")) == "x.ptx: No such file"
    assert describe(OSError("odd")) == "odd"


def test_the_status_of_a_program_that_nvcc_runs_is_handed_on(here, environ):
    (here / "k.cu").write_text("int main() { return 7; }\n")
    done = gpucc_command(here, environ, "compile", "k.cu", "--passes=mark", "--", "-run")
    assert (done.returncode, done.stderr) == (7, "")
    (here / "k.cu").write_text("int main() { __builtin_trap(); }\n")
    done = gpucc_command(here, environ, "compile", "k.cu", "--", "-run")
    assert done.returncode in (128 + 4, 128 + 5)


# --- the group ----------------------------------------------------------------------------------


def test_a_command_is_any_file_that_defines_one(tmp_path, monkeypatch):
    monkeypatch.setattr(gpucc.cli, "__path__", [str(tmp_path)])
    gpucc.cli._summaries.cache_clear()
    (tmp_path / "greet.py").write_text(
        '"""gpucc greet: says hello,\nover two lines.\n\nMore."""\nimport click\n'
        "@click.command\ndef command(): click.echo('hello')\n"
    )
    (tmp_path / "broken.py").write_text('"""It lists without being run."""\ncommand = 1 / 0\n')
    (tmp_path / "helper.py").write_text('"""No command."""\nvalue = 1\n')
    (tmp_path / "_private.py").write_text("command = None\n")
    listed = CliRunner().invoke(gpucc.cli.group, ["--help"]).output
    assert re.search(r"^  broken +It lists without being run\.$", listed, re.MULTILINE)
    assert re.search(r"^  greet +says hello, over two lines\.$", listed, re.MULTILINE)
    assert "helper" not in listed
    assert "private" not in listed
    assert CliRunner().invoke(gpucc.cli.group, ["greet"]).output == "hello\n"
    for name in ("helper", "_private", "absent", "../x"):
        assert "No such command" in CliRunner().invoke(gpucc.cli.group, [name]).output, name
    gpucc.cli._summaries.cache_clear()


def test_listing_the_commands_loads_none_of_them(here, environ):
    script = (
        "import sys, gpucc.cli\n"
        "try: gpucc.cli.group.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith('gpucc') or m in ('rich', 'llvmlite')])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{script}"],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = done.stdout.splitlines()[-1]
    assert loaded == "['gpucc', 'gpucc.errors', 'gpucc.cli']"
    assert "compile" in done.stdout


def test_a_shell_completes_commands_and_passes(here, environ):
    def complete(*words: str) -> list[str]:
        variables = {
            "_GPUCC_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(["gpucc", *words]),
            "COMP_CWORD": str(len(words)),
        }
        out = gpucc_command(here, environ, **variables).stdout
        return [line.partition(",")[2] for line in out.splitlines()]

    assert "compile" in complete("com")
    for command in ("compile", "opt", "run"):
        assert "mark" in complete(command, "--passes", "ma")
    assert "--verify-each" in complete("compile", "--ver")


# --- gpucc compile ------------------------------------------------------------------------------


def test_compiling_with_a_pass_that_explains_itself(here, environ):
    done = gpucc_command(
        *(here, environ, "compile", "k.cu", "-o", "prog", "--arch=sm_90"),
        *("--passes=mark{variable=gpucc_seen}", "--explain", "--", "-O2"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "k.cu (sm_90): changed: marked it [mark, module]\n"
    assert done.stdout == ""
    assert any(b"gpucc_seen" in data for data in images(here / "prog").values())


def test_times_and_commands_can_be_seen(here, environ):
    words = ("compile", "k.cu", "-o", "k.cubin", "--passes=mark", "--time-passes", "-v")
    done = gpucc_command(here, environ, *words, "--print-after=mark")
    assert re.search(r"^ +\d+\.\d{3} s  cicc k\.cu$", done.stderr, re.MULTILINE)
    assert re.search(r"^ +\d+\.\d{3} s  mark: k\.cu \(sm_\d+\)$", done.stderr, re.MULTILINE)
    assert re.search(r"^\+ \S*ptxas ", done.stderr, re.MULTILINE)
    assert done.stdout == ""
    shown = done.stderr.partition("// after mark: k.cu (sm_")[2]
    assert "gpucc_mark" in shown


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["absent.cu"], 1, "error: absent.cu: no such file"),
        (["k.cu", "--passes=absent"], 1, "error: unknown pass 'absent'"),
        (["k.cu", "--passes=mark{size=3}"], 1, "error: pass 'mark' has no option 'size'"),
        (["k.cu", "--arch=ampere", "-o", "k.o"], 1, "error: unknown target 'ampere'"),
        (["k.cu", "--", "--nonsense"], 1, "nvcc fatal   : Unknown option '--nonsense'"),
        (["k.cu", "-O3"], 2, "No such option '-O' (options for nvcc go after --)."),
        (["k.cu", "--emit=elf"], 2, "Invalid value for '--emit'"),
        (["k.cu", "--print-after=mark"], 2, "mark is not in the pipeline"),
        ([], 2, "Missing argument 'INPUTS...'"),
        (["k.cu", "--toolkit=."], 1, "error: no CUDA toolkit in ."),
    ],
)
def test_mistakes(here, environ, words, status, message):
    done = gpucc_command(here, environ, "compile", *words)
    assert done.returncode == status
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in here.iterdir()] == ["k.cu"]


def test_an_error_in_the_users_code_comes_as_nvcc_prints_it(here, environ):
    (here / "k.cu").write_text("\n__global__ void k() { absent(); }\n")
    done = gpucc_command(here, environ, "compile", "k.cu", "-o", "k.o")
    assert done.returncode == 1
    assert done.stderr.startswith('k.cu(2): error: identifier "absent" is undefined\n')
    assert re.search(r"^error: .* failed \(exit status \d\)$", done.stderr, re.MULTILINE)
    assert re.search(r"^  reproduce: \S*nvcc k\.cu ", done.stderr, re.MULTILINE)
    assert not list(Path(environ["TMPDIR"]).iterdir())


def test_a_fault_of_ours_is_saved_with_what_caused_it(here, environ):
    done = gpucc_command(
        here, environ, "compile", "k.cu", "-o", "k.cubin", "--passes=mark{mode=crash}"
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: a fault in gpucc itself: ")
    folder = Path(re.search(r"all of (\S+)", done.stderr)[1])
    saved = {path.suffix: path for path in folder.iterdir()}
    assert set(saved) == {".txt", ".cu", ".ptx"}
    report = saved[".txt"].read_text()
    assert "RuntimeError: this pass is broken" in report
    assert "Traceback" in report
    assert "mark{mode=crash}" in report
    assert ".entry _Z5scalePfi" in saved[".ptx"].read_text()
    shutil.rmtree(folder)


def test_a_pass_that_makes_invalid_ptx_is_a_fault_too(tmp_path, monkeypatch):
    from compiling import Marker

    from gpucc.frontend.parser import parse
    from gpucc.passmanager import PassFault

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    module = parse(".version 8.0\n.target sm_80\n.address_size 64\n")
    told = _fault.save_report(PassFault(Marker(), module, "no such register"), ["gpucc", "opt"])
    assert "pass 'marker' produced invalid PTX: no such register" in told
    (folder,) = tmp_path.iterdir()
    assert (folder / "pass-input.ptx").read_text() == module.text


# --- what is printed where ----------------------------------------------------------------------


def on_a_terminal(here, environ, *words: str) -> str:
    """Run gpucc with its output on a pseudo-terminal; return what it printed."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gpucc", *words],
        cwd=here,
        env={**environ, "TERM": "xterm-256color"},
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=child,
    )
    os.close(child)
    printed = b""
    try:
        while chunk := os.read(parent, 65536):
            printed += chunk
    except OSError:  # the other end is closed
        pass
    os.close(parent)
    process.wait()
    return printed.decode()


def test_colour_is_for_terminals_only(here, environ):
    coloured = {name: value for name, value in environ.items() if name != "NO_COLOR"}
    piped = gpucc_command(here, coloured, "compile", "absent.cu").stderr
    assert piped == "error: absent.cu: no such file\n"
    shown = on_a_terminal(here, coloured, "compile", "absent.cu")
    assert "\x1b[31m\x1b[1merror: \x1b[0m" in shown
    assert "\x1b" not in on_a_terminal(here, environ, "compile", "absent.cu")


REMARKS = [
    UnitRemark("k.cu (sm_90)", Remark("mpache", "changed", "scale", "bypasses L1", 12, "k.cu:5")),
    UnitRemark("k.cu (sm_90)", Remark("mpache", "refused", "scale", "[unknown] address", 13)),
    UnitRemark("k.cu", Remark("kesco", "note", "main", "nothing to do")),
]


def test_remarks_are_lines_that_other_tools_can_read(capsys):
    print_remarks(REMARKS)
    assert capsys.readouterr().err.splitlines() == [
        "k.cu:5: changed: bypasses L1 [mpache, scale]",
        "k.cu (sm_90):13: refused: [unknown] address [mpache, scale]",
        "k.cu: note: nothing to do [kesco, main]",
    ]


def test_remarks_are_a_table_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    print_remarks(REMARKS)
    text = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().err)
    assert re.search(r"^ *pass +what +where +line +remark", text, re.MULTILINE)
    assert re.search(r"mpache +refused +scale +13 +\[unknown\] address", text)


# --- gpucc passes, gpucc doctor -----------------------------------------------------------------


def test_passes_are_listed_with_their_options(here, environ):
    done = gpucc_command(here, environ, "passes", "mark")
    assert done.stdout.splitlines() == [
        "mark (device): adds a variable to every module.",
        "  variable=str (default gpucc_mark): The variable's name.",
        "  levels=str+… (default l1+l2): Of no use.",
        "  mode=add|crash|nothing (default add): What to do.",
    ]
    (described,) = json.loads(gpucc_command(here, environ, "passes", "mark", "--json").stdout)
    assert described["name"] == "mark"
    assert described["kind"] == "device"
    assert [option["name"] for option in described["options"]] == ["variable", "levels", "mode"]
    unknown = gpucc_command(here, environ, "passes", "absent")
    assert unknown.returncode == 1
    assert unknown.stderr.startswith("error: unknown pass 'absent'")


def test_every_pass_there_is_can_be_listed():
    listed = CliRunner().invoke(passes.command, ["--json"])
    assert listed.exit_code == 0, listed.exception
    for one in json.loads(listed.output):
        assert one["summary"], one["name"]
        for option in one["options"]:
            assert option["doc"], (one["name"], option["name"])


def test_doctor_prints_a_line_for_each_tool():
    lines = CliRunner().invoke(doctor.command).output.splitlines()
    assert re.fullmatch(r"nvcc +[\d.]+ +\S+ +/.*/nvcc", lines[0])
    assert lines[-1].startswith("GPU: ")
