"""gpucc opt and gpucc analyze, as users call them; and the page on adding a pass, step by step."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import gpucc.passes
from gpucc.cli import group
from gpucc.errors import GpuccError
from gpucc.passmanager import pass_class

ROOT = Path(__file__).parents[2]
SAXPY = ROOT / "ptx_samples" / "saxpy.ptx"


def gpucc_(*words: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(group, words, input=stdin)
    if result.exception and not isinstance(result.exception, (SystemExit, GpuccError)):
        raise result.exception
    return result


def test_opt_without_passes_is_the_identity(tmp_path: Path) -> None:
    text = SAXPY.read_bytes().replace(b"\n", b"\r\n")
    source, output = tmp_path / "in.ptx", tmp_path / "out.ptx"
    source.write_bytes(text)
    assert gpucc_("opt", str(source), "-o", str(output)).exit_code == 0
    assert output.read_bytes() == text


def test_opt_reads_stdin_and_writes_stdout() -> None:
    result = gpucc_("opt", "-", "--passes=mpache", stdin=SAXPY.read_text())
    assert "ld.global.L1::no_allocate.f32" in result.stdout


def test_opt_explains_on_stderr() -> None:
    result = gpucc_("opt", str(SAXPY), "--passes=mpache", "--explain", "--time-passes")
    assert "changed: load" in result.stderr
    assert "mpache" in result.stderr
    assert "changed: load" not in result.stdout


def test_opt_prints_after_a_pass_on_stderr() -> None:
    result = gpucc_("opt", str(SAXPY), "--passes=mpache", "--print-after=mpache")
    assert "L1::no_allocate" in result.stdout
    assert result.stdout in result.stderr
    wrong = gpucc_("opt", str(SAXPY), "--print-after=mpache")
    assert wrong.exit_code == 2
    assert "mpache is not in the pipeline" in wrong.stderr


@pytest.mark.parametrize("command", ["opt", "analyze"])
def test_invalid_ptx_is_refused_with_its_place(command: str, tmp_path: Path) -> None:
    source = tmp_path / "bad.ptx"
    before, opcode, after = SAXPY.read_text().rpartition("fma.rn.f32")
    source.write_text(f"{before}{opcode}.slowly{after}")
    error = gpucc_(command, str(source)).exception
    assert isinstance(error, GpuccError)
    line = before.count("\n") + 1
    assert error.render().startswith(f"{source}:{line}:")


def test_opt_keeps_the_old_output_when_it_fails(tmp_path: Path) -> None:
    output = tmp_path / "out.ptx"
    output.write_text("old")
    assert gpucc_("opt", "-", "-o", str(output), stdin=".version 8.0\n?").exit_code
    assert output.read_text() == "old"
    assert list(tmp_path.iterdir()) == [output]


def test_opt_writes_to_a_device_and_leaves_it_one() -> None:
    assert gpucc_("opt", str(SAXPY), "-o", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()


def test_opt_refuses_host_passes_and_missing_files() -> None:
    assert "host code" in str(gpucc_("opt", str(SAXPY), "--passes=kesco").exception)
    assert "cannot read" in str(gpucc_("opt", "nowhere.ptx").exception)


def test_analyze_json() -> None:
    (kernel,) = json.loads(gpucc_("analyze", str(SAXPY), "--json").stdout)
    assert [p["access"] for p in kernel["params"]] == ["none", "none", "read", "read+write"]
    assert {a["reuse"] for a in kernel["accesses"]} == {"streamed once"}


def test_analyze_dot_and_text() -> None:
    dot = gpucc_("analyze", str(SAXPY), "--dot").stdout
    assert dot.startswith("digraph")
    assert dot.count("->") == 3
    text = gpucc_("analyze", str(ROOT / "ptx_samples" / "matmul_tiled.ptx")).stdout
    assert "reused across blocks" in text
    assert "loop, lines" in text


def test_analyze_piped_has_no_blanks_at_line_ends() -> None:
    text = gpucc_("analyze", str(SAXPY)).stdout
    assert "read+write\n" in text
    assert not re.search(r"[ \t]\n", text)


def test_accesses_on_one_line_are_two_in_the_graph(tmp_path: Path) -> None:
    kernel = tmp_path / "k.ptx"
    kernel.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n"
        ".reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];\n"
        "ld.global.u32 %r, [%d]; st.global.u32 [%d+4], %r;\nret;\n}\n"
    )
    dot = gpucc_("analyze", str(kernel), "--dot").stdout
    (load, store) = re.findall(r'^ *("0:\d+") \[style=filled', dot, re.M)
    assert f'"0:p" -> {load};' in dot
    assert f'{store} -> "0:p";' in dot


def test_analyze_prints_one_form() -> None:
    result = gpucc_("analyze", str(SAXPY), "--json", "--dot")
    assert result.exit_code == 2
    assert "--json and --dot exclude each other" in result.stderr


def test_analyze_takes_no_architecture_for_ptx() -> None:
    result = gpucc_("analyze", str(SAXPY), "--arch=sm_90")
    assert result.exit_code == 2
    assert "PTX names its own target" in result.stderr


def test_analyze_cuda_source() -> None:
    result = gpucc_("analyze", str(ROOT / "ptx_samples" / "gather.cu"), "--arch=sm_80", "--json")
    assert "unknown" in {a["reuse"] for k in json.loads(result.stdout) for a in k["accesses"]}


def test_analyze_unknown_kernel() -> None:
    error = gpucc_("analyze", str(SAXPY), "--kernel", "nope").exception
    assert isinstance(error, GpuccError)
    assert "saxpy" in (error.hint or "")


def test_the_page_on_adding_a_pass_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "adding-a-pass.md").read_text()
    code = re.search(r"```python\n(.*?)```", page, re.S)
    test = re.search(r"```\n(// RUN.*?)```", page, re.S)
    assert code
    assert test
    (tmp_path / "prefetch.py").write_text(code[1])
    kernel = tmp_path / "streams.ptx"
    kernel.write_text(test[1])
    monkeypatch.setattr(gpucc.passes, "__path__", [*gpucc.passes.__path__, str(tmp_path)])
    pass_class.cache_clear()
    result = gpucc_("opt", str(kernel), "--passes=prefetch", "--verify-each")
    assert "ld.global.L2::128B.f32" in result.stdout
    pass_class.cache_clear()
