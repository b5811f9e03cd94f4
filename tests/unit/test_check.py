"""gpucc check: exit statuses, reports, RUN lines, updating, JUnit."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from gpucc.check import autocheck, matching, runfile, suite
from gpucc.cli.check import command
from gpucc.errors import GpuccError, SourceError


def write(folder, name, text):
    path = folder / name
    path.write_text(textwrap.dedent(text).lstrip("\n"))
    return path


def check(*arguments):
    """Run the command in this process; the tests themselves run in its workers."""
    return CliRunner().invoke(command, [str(word) for word in arguments], standalone_mode=False)


PASSING = """
    // RUN: cat %s | filecheck %s
    // CHECK-LABEL: .entry add
    // CHECK: ld.global.f32 [[VALUE:%f[0-9]+]], [%rd1];
    // CHECK-NEXT: st.global.f32 [%rd2], [[VALUE]];
    // CHECK-NOT: bar.sync
    .entry add
    ld.global.f32 %f7, [%rd1];
    st.global.f32 [%rd2], %f7;
"""
FAILING = PASSING.replace("ld.global.f32 %f7", "ld.global.v2.f32 %f7")


# --- exit statuses --------------------------------------------------------------------------------


def test_passing_files_give_0_and_a_line_that_says_so(tmp_path):
    write(tmp_path, "a.ptx", PASSING)
    write(tmp_path, "b.ll", PASSING)
    done = check(tmp_path)
    assert done.return_value == 0
    assert re.fullmatch(r"2 passed in \d+\.\d s\n", done.output)


def test_a_failing_check_gives_1_and_shows_what_to_mend(tmp_path):
    write(tmp_path, "good.ptx", PASSING)
    bad = write(tmp_path, "bad.ptx", FAILING)
    done = check(tmp_path)
    assert done.return_value == 1
    assert f"FAIL {bad}:1" in done.output
    assert f"{bad}:3: error: Couldn't match" in done.output
    assert "closest: ld.global.v2.f32 %f7, [%rd1];    (line 2)" in done.output
    assert f"command:   cat {bad} | filecheck {bad}" in done.output
    assert f"reproduce: gpucc check {bad} -v" in done.output
    assert "1 passed, 1 failed" in done.output


def test_the_command_that_is_shown_reproduces_the_failure(tmp_path):
    bad = write(tmp_path, "with space.ptx", FAILING.replace("cat %s", "cat '%s' > %t && cat %t"))
    done = check(bad)
    shown = re.search(r"command:   (.*)", done.output)[1]
    environ = {**os.environ, "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
    again = subprocess.run(shown, shell=True, cwd=tmp_path, env=environ, capture_output=True)
    assert done.return_value == 1
    assert again.returncode != 0
    assert b"No such file" not in again.stderr


def test_no_test_at_all_gives_2(tmp_path):
    write(tmp_path, "a.ptx", "// nothing to run\n")
    done = check(tmp_path)
    assert done.return_value == 2
    assert f"no RUN line: {tmp_path / 'a.ptx'}" in done.output


def test_an_empty_folder_gives_2(tmp_path):
    assert check(tmp_path).return_value == 2


def test_a_path_that_is_not_there_is_a_usage_error(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "gpucc", "check", tmp_path / "nowhere"], capture_output=True
    )
    assert done.returncode == 2
    assert b"no such file or folder" in done.stderr


def test_a_file_without_a_run_line_is_named_beside_those_that_pass(tmp_path):
    write(tmp_path, "a.ptx", PASSING)
    write(tmp_path, "b.ptx", ".entry add\n")
    done = check(tmp_path)
    assert done.return_value == 0
    assert f"no RUN line: {tmp_path / 'b.ptx'}" in done.output
    assert "1 passed, 1 without a RUN line" in done.output


# --- a test cannot pass by accident ---------------------------------------------------------------


def test_check_lines_in_the_output_do_not_match_themselves(tmp_path):
    """A pass prints comments as they came, the test's own CHECK lines among them."""
    text = "// RUN: cat %s | filecheck %s\n// CHECK: st.global\nld.global.f32 %f7, [%rd1];\n"
    bad = write(tmp_path, "a.ptx", text)
    done = check(bad)
    assert done.return_value == 1
    assert f"{bad}:2: error: Couldn't match" in done.output


def test_a_misspelt_kind_of_check_is_an_error(tmp_path):
    bad = write(tmp_path, "a.ptx", PASSING.replace("CHECK-NEXT", "CHECK-NXT"))
    done = check(bad)
    assert done.return_value == 1
    assert f"{bad}:4:4: error: 'CHECK-NXT' is no kind of check" in done.output


def test_check_lines_that_nothing_reads_are_an_error(tmp_path):
    bad = write(tmp_path, "a.ptx", PASSING.replace(" | filecheck %s", ""))
    done = check(bad)
    assert done.return_value == 1
    assert "no RUN line reads the lines with 'CHECK'" in done.output


def test_a_prefix_without_check_lines_is_an_error(tmp_path):
    text = PASSING.replace("filecheck %s", "filecheck %s --check-prefix=MPACHE")
    bad = write(tmp_path, "a.ptx", text.replace("CHECK", "OTHER"))
    done = check(bad)
    assert done.return_value == 1
    assert "No check strings found with prefix MPACHE" in done.output


def test_empty_output_is_an_error(tmp_path):
    done = check(write(tmp_path, "a.ptx", "// RUN: true | filecheck %s\n// CHECK: x\n"))
    assert done.return_value == 1
    assert "is empty" in done.output


def test_a_failure_before_the_end_of_a_pipeline_counts(tmp_path):
    text = "// RUN: not true | cat\n// RUN: cat %s | filecheck %s\n// CHECK: add\nadd\n"
    done = check(write(tmp_path, "a.ptx", text))
    assert done.return_value == 1
    assert "succeeded, and was to fail: true" in done.output


# --- RUN lines ------------------------------------------------------------------------------------


def runs(text):
    path = "t.ptx"
    return runfile._run_lines(path, text)


def test_run_lines_go_on_after_a_backslash():
    (line,) = runs("// RUN: gpucc opt %s \\\n// RUN:   | filecheck %s\n")
    assert [step.words for step in line.chain[0]] == [("gpucc", "opt", "%s"), ("filecheck", "%s")]
    assert line.line == 1


def test_words_redirections_and_order():
    (line,) = runs('; RUN: not a \'b | c\' "d\\"e" f\\ g < %s 2>&1 > %t && h{i=j}\n')
    first, second = line.chain
    assert first[0].words == ("a", "b | c", 'd"e', "f g")
    assert (first[0].negated, first[0].merged) == (True, True)
    assert (first[0].stdin, first[0].stdout) == ("%s", "%t")
    assert second[0].words == ("h{i=j}",)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("a || b", 11, "'||' is not in the language"),
        ("a; b", 10, "';' is not in the language"),
        ("a $HOME", 11, "'$' is not in the language"),
        ("a `b`", 11, "'`' is not in the language"),
        ("a >> b", 11, "'>>' is not in the language"),
        ("a | | b", 13, "expected a command"),
        ("| a", 9, "expected a command"),
        ("a |", 12, "expected a command"),
        ("", 9, "expected a command"),
        ("a > | b", 13, "expected a file name after '>'"),
        ("a 'b", 11, "a quote that does not end"),
        ("a \\", 9, "goes on in the next one"),
    ],
)
def test_what_is_no_run_line_is_refused_with_its_place(line, column, message):
    with pytest.raises(SourceError) as caught:
        runs(f"\n// RUN: {line}\n")
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (2, column)


def test_a_broken_run_line_fails_only_its_own_file(tmp_path):
    write(tmp_path, "a.ptx", PASSING)
    bad = write(tmp_path, "b.ptx", PASSING.replace("|", "||"))
    done = check(tmp_path)
    assert done.return_value == 1
    assert f"{bad}:1:16: error: '||' is not in the language" in done.output
    assert "1 passed, 1 failed" in done.output


def test_substitutions():
    values = {"s": "/a b/c.ptx", "S": "/a b", "t": "/tmp/x/c.tmp", "T": "/tmp/x"}
    words = ["%s", "-o%t.ptx", "%S/Inputs/d", "%T", "100%%s", "%tid", "%f1"]
    expanded = [runfile.expand(word, values) for word in words]
    assert expanded == [
        *("/a b/c.ptx", "-o/tmp/x/c.tmp.ptx", "/a b/Inputs/d", "/tmp/x", "100%s", "%tid", "%f1")
    ]


def test_a_program_that_is_not_there(tmp_path):
    done = check(write(tmp_path, "a.ptx", "// RUN: no-such-program %s\n"))
    assert done.return_value == 1
    assert "there is no program 'no-such-program'" in done.output


def test_gpucc_runs_with_its_output_and_status(tmp_path):
    text = """
        // RUN: gpucc passes | filecheck %s
        // RUN: not gpucc passes no_such_pass 2> %t && filecheck %s --check-prefix=BAD < %t
        // RUN: not gpucc compile %T/none.ptx 2>&1 | filecheck %s --check-prefix=NONE
        // CHECK: mpache
        // BAD: error: unknown pass 'no_such_pass'
        // NONE: none.ptx
    """
    done = check(write(tmp_path, "a.ptx", text))
    assert done.return_value == 0, done.output


def test_a_test_leaves_nothing_behind(tmp_path):
    write(tmp_path, "a.ptx", PASSING.replace("cat %s", "touch here && touch %t && cat %s"))
    assert check(tmp_path).return_value == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.ptx"]


def test_a_hanging_test_is_ended(tmp_path):
    write(tmp_path, "a.ptx", "// RUN: sleep 100\n")
    write(tmp_path, "b.ptx", PASSING)
    done = check(tmp_path, "--timeout", "1", "-j1")
    assert done.return_value == 1
    assert "not done after 1 s" in done.output
    assert "1 passed, 1 failed" in done.output


def test_a_dying_worker_fails_its_own_test_alone(tmp_path):
    """A command of gpucc's runs inside the worker, so a crash takes the worker with it."""
    for name in ("a", "c", "d"):
        write(tmp_path, f"{name}.ptx", PASSING)
    kill = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    write(tmp_path, "b.ptx", f"// RUN: {sys.executable} -c '{kill}'\n")
    done = check(tmp_path, "-j2")
    assert done.return_value == 1
    assert f"FAIL {tmp_path / 'b.ptx'}\n  error: the process that ran this test died" in done.output
    assert "3 passed, 1 failed" in done.output


def test_verbose_shows_what_filecheck_was_given(tmp_path):
    bad = write(tmp_path, "a.ptx", FAILING)
    assert "st.global.f32 [%rd2], %f7;" not in check(bad).output
    assert re.search(r"^ +3 st\.global\.f32 \[%rd2\], %f7;$", check(bad, "-v").output, re.MULTILINE)


def test_folders_are_searched_without_inputs_and_hidden_ones(tmp_path):
    for name in ("a.ptx", "b.txt", "x/c.cu", "x/Inputs/d.ptx", ".y/e.ptx", "x/.f.ptx", "x/z/g.ll"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path, name, PASSING)
    found = suite.find_tests([tmp_path, tmp_path / "b.txt", tmp_path / "a.ptx"])
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        "a.ptx", "x/c.cu", "x/z/g.ll", "b.txt"
    ]  # fmt: skip


# --- matching -------------------------------------------------------------------------------------


def test_not_filecheck_passes_when_the_checks_fail(tmp_path):
    assert check(write(tmp_path, "a.ptx", FAILING.replace("| f", "| not f"))).return_value == 0
    done = check(write(tmp_path, "a.ptx", PASSING.replace("| f", "| not f")))
    assert done.return_value == 1


def test_an_excluded_line_is_shown(tmp_path):
    bad = write(tmp_path, "a.ptx", textwrap.dedent(PASSING) + "bar.sync 0;\n")
    done = check(bad)
    assert done.return_value == 1
    assert "excluded string found in input ('bar.sync')" in done.output


def test_filecheck_options_that_are_none(tmp_path):
    test = write(tmp_path, "a.ptx", PASSING)
    with pytest.raises(GpuccError, match="Unconsumed arguments"):
        matching.check([str(test), "--no-such-option"], "x")


def test_numeric_expressions_are_refused_not_passed(tmp_path):
    test = write(tmp_path, "a.ptx", "// CHECK: [[#%u,NUM:]]\n// CHECK: [[#NUM+1]]\n")
    with pytest.raises(GpuccError, match="Numerical substitutions"):
        matching.check([str(test)], "7\n8\n")


# --- updating -------------------------------------------------------------------------------------

OUTDATED = """
    // RUN: cat %s | filecheck %s
    // CHECK: .version
    // AUTOCHECK: (ld|st)\\.global
    // CHECK-LABEL: .entry old(
    // CHECK: ld.global.f64

    .version 8.0
    .visible .entry add(
    \t@%p1 ld.global.v2.f32 \t{%f1, %f2}, [%rd4+8];
    \tadd.f32 %f3, %f1, %f2;
    \tst.global.f32 \t[%rd5], %f3;
    \tst.global.f32 \t[%rd6], %f3;
    .visible .entry empty(
"""


def test_update_renews_the_block_and_nothing_else(tmp_path):
    test = write(tmp_path, "a.ptx", OUTDATED)
    assert check(test).return_value == 1
    before = test.read_text()
    done = check(test, "--update")
    assert done.return_value == 0, done.output
    assert f"updated: {test}" in done.output
    assert "1 passed, 1 updated" in done.output
    old = "// CHECK-LABEL: .entry old(\n// CHECK: ld.global.f64\n"
    new = (
        "// CHECK-LABEL: .entry{{.*[ )]}}add(\n"
        "// CHECK: @{{%p[0-9]+}} ld.global.v2.f32 {{.*}}, [{{%rd[0-9]+}}+8];\n"
        "// CHECK-COUNT-2: st.global.f32 [{{%rd[0-9]+}}], {{%f[0-9]+}};\n"
    )
    assert test.read_text() == before.replace(old, new)


def test_update_changes_nothing_the_second_time(tmp_path):
    test = write(tmp_path, "a.ptx", OUTDATED)
    check(test, "--update")
    stamp, text = test.stat().st_mtime_ns, test.read_text()
    done = check(test, "--update")
    assert "updated" not in done.output
    assert (test.stat().st_mtime_ns, test.read_text()) == (stamp, text)


def test_what_update_wrote_fails_when_the_output_changes(tmp_path):
    test = write(tmp_path, "a.ptx", OUTDATED)
    check(test, "--update")
    test.write_text(
        test.read_text().replace("\tst.global.f32 \t[%rd6]", "\tst.global.f64 \t[%rd6]")
    )
    assert check(test).return_value == 1


def test_update_leaves_files_without_a_block_alone(tmp_path):
    bad = write(tmp_path, "a.ptx", FAILING)
    before = bad.read_text()
    assert check(bad, "--update").return_value == 1
    assert bad.read_text() == before


def test_update_takes_the_prefix_of_the_command():
    text = "// AUTOMPACHE: ld\n// MPACHE: old\n// CHECK: kept\n"
    new = autocheck.update(text, "t.ptx", ("MPACHE",), "ld.global.f32 %f1, [%rd1];\n")
    assert new == (
        "// AUTOMPACHE: ld\n"
        "// MPACHE: ld.global.f32 {{%f[0-9]+}}, [{{%rd[0-9]+}}];\n"
        "// CHECK: kept\n"
    )
    assert autocheck.update(text, "t.ptx", ("CHECK",), "ld\n") == text


def test_update_refuses_what_is_no_regular_expression(tmp_path):
    done = check(write(tmp_path, "a.ptx", OUTDATED.replace("(ld|st)", "(ld|st")), "--update")
    assert done.return_value == 1
    assert ":3:15: error: not a regular expression" in done.output


def test_functions_with_results_have_their_names_in_the_label():
    output = ".func  (.param .b32 func_retval0) _Z3gcdii(\n\tld.param.u32 %r1, [a];\n"
    lines = list(autocheck.check_lines(output, re.compile("ld"), "CHECK"))
    assert lines[0] == "CHECK-LABEL: .func{{.*[ )]}}_Z3gcdii("


# --- JUnit ----------------------------------------------------------------------------------------


def test_junit_has_each_file_with_its_outcome(tmp_path):
    write(tmp_path, "a.ptx", PASSING)
    write(tmp_path, "b.ptx", FAILING)
    write(tmp_path, "c.ptx", "add\n")
    report = tmp_path / "report.xml"
    assert check(tmp_path, "--junit", report).return_value == 1
    root = ElementTree.parse(report).getroot()
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("3", "1", "1")
    outcomes = {case.get("name"): [child.tag for child in case] for case in root}
    assert outcomes == {"a.ptx": [], "b.ptx": ["failure"], "c.ptx": ["skipped"]}
    failure = root.find(".//failure")
    assert "Couldn't match" in failure.get("message")
    assert "filecheck" in failure.text


def test_junit_survives_characters_that_xml_has_not(tmp_path):
    write(tmp_path, "a.ptx", "// RUN: not true\x01\n")
    report = tmp_path / "report.xml"
    check(tmp_path, "--junit", report)
    assert ElementTree.parse(report).getroot().get("failures") == "1"


# --- ends before the end --------------------------------------------------------------------------


def test_what_is_no_file_is_no_test(tmp_path):
    os.mkfifo(tmp_path / "pipe.ptx")
    assert suite.find_tests([tmp_path]) == []
    with pytest.raises(GpuccError, match="neither a file nor a folder"):
        suite.find_tests([tmp_path / "pipe.ptx"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_nothing_goes_on_and_nothing_is_left(tmp_path, number):
    started, scratch = tmp_path / "started", tmp_path / "scratch"
    scratch.mkdir()
    for name in ("one.ptx", "two.ptx"):
        (tmp_path / name).write_text(f"// RUN: touch {started}-{name}\n// RUN: sleep 60\n")
    words = [sys.executable, "-m", "gpucc", "check", tmp_path, "-j", "2"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as check:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob("started-*"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        check.send_signal(number)
        _, printed = check.communicate(timeout=20)
    assert check.returncode != 0
    assert "Traceback" not in printed
    assert list(scratch.glob("gpucc-check-*")) == []
