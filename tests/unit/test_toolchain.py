"""Finding tools: whose comes first, what is told when one is missing, which reads newer PTX."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from compiling import every_nvcc

from gpucc import toolchain
from gpucc.cli import doctor
from gpucc.errors import GpuccError, MissingToolError, ToolError

PTX = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n"


@pytest.fixture(autouse=True)
def _forget():
    """Answers are kept for the life of the process; tests change what is to be found."""
    cached = (
        toolchain._toolkits,
        toolchain.find_clang,
        toolchain.gpu_arch,
        toolchain._version_output,
    )
    yield
    for function in cached:
        function.cache_clear()


def program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def toolkit(root: Path, *tools: str) -> Path:
    for tool in tools or ("bin/nvcc", "bin/ptxas"):
        program(root / tool, "exit 0")
    (root / "bin").mkdir(exist_ok=True)
    (root / "bin/nvcc.profile").write_text("")
    return root


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine with nothing of CUDA on it, but with a shell."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "env"):
        (tools / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setattr(toolchain, "SYSTEM_TOOLKIT", tmp_path / "nowhere")
    monkeypatch.setattr(toolchain, "_wheel_roots", tuple)
    monkeypatch.setattr(toolchain, "_zig_clang", lambda: None)
    toolchain._toolkits.cache_clear()
    toolchain.find_clang.cache_clear()
    return tools


def test_toolkits_come_in_the_documented_order(bare, tmp_path, monkeypatch):
    roots = {
        name: toolkit(tmp_path / name) for name in ("option", "home", "path", "system", "wheel")
    }
    monkeypatch.setenv("CUDA_HOME", str(roots["home"]))
    monkeypatch.setenv("PATH", f"{roots['path']}/bin:{bare}")
    monkeypatch.setattr(toolchain, "SYSTEM_TOOLKIT", roots["system"])
    monkeypatch.setattr(toolchain, "_wheel_roots", lambda: (roots["wheel"],))
    found = [kit.root for kit in toolchain.toolkits(roots["option"])]
    assert found == list(roots.values())
    assert toolchain.require("nvcc") == roots["home"] / "bin/nvcc"
    assert toolchain.require("nvcc", roots["option"]) == roots["option"] / "bin/nvcc"


def test_a_toolkit_found_twice_is_listed_once(bare, tmp_path, monkeypatch):
    root = toolkit(tmp_path / "cuda")
    monkeypatch.setenv("CUDA_HOME", str(root))
    monkeypatch.setenv("PATH", f"{root}/bin:{bare}")
    assert [(kit.root, kit.origin) for kit in toolchain.toolkits()] == [(root, "CUDA_HOME")]


def test_each_tool_comes_from_the_first_toolkit_that_has_it(bare, tmp_path, monkeypatch):
    first = toolkit(tmp_path / "first")
    second = toolkit(tmp_path / "second", "bin/nvcc", "bin/cuobjdump")
    monkeypatch.setenv("CUDA_HOME", str(first))
    monkeypatch.setattr(toolchain, "_wheel_roots", lambda: (second,))
    assert toolchain.find("nvcc").origin == "CUDA_HOME"
    assert toolchain.find("cuobjdump") == toolchain.Tool(
        "cuobjdump", second / "bin/cuobjdump", "wheel"
    )


def test_an_nvcc_that_is_a_link_or_a_script_leads_to_its_toolkit(bare, tmp_path, monkeypatch):
    root = toolkit(tmp_path / "cuda-99")
    program(root / "bin/nvcc", f"echo '#$ TOP={root}/bin/..' >&2")
    (tmp_path / "links").mkdir()
    (tmp_path / "links/nvcc").symlink_to(root / "bin/nvcc")
    program(tmp_path / "scripts/nvcc", f'exec {root}/bin/nvcc "$@"')
    for folder in ("links", "scripts"):
        monkeypatch.setenv("PATH", f"{tmp_path / folder}:{bare}")
        assert [kit.root for kit in toolchain.toolkits()] == [root], folder


def test_a_folder_that_is_no_toolkit_is_refused_when_named(tmp_path):
    with pytest.raises(GpuccError, match="no CUDA toolkit in"):
        toolchain.toolkits(tmp_path)


@pytest.mark.parametrize(
    ("tool", "remedy"),
    [("nvcc", "gpucc[cuda]"), ("ptxas", "gpucc[cuda]"), ("g++", "apt install g++")],
)
def test_a_missing_tool_names_what_brings_it(bare, tool, remedy):
    with pytest.raises(MissingToolError) as caught:
        toolchain.require(tool)
    assert caught.value.message.startswith(f"{tool} was not found")
    assert remedy in caught.value.hint


@every_nvcc
def test_nvcc_needs_nothing_but_gcc(nvcc, tmp_path):
    """The wheels' nvcc works as it is: no variable points it to its other halves."""
    (tmp_path / "a.cu").write_text("__global__ void k() {}\nint main() { k<<<1,1>>>(); }\n")
    subprocess.run(
        [nvcc, "a.cu", "-o", "a"], cwd=tmp_path, check=True, env={"PATH": "/usr/bin:/bin"}
    )
    assert (tmp_path / "a").exists()


# --- versions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "version"),
    [
        (
            "Cuda compilation tools, release 13.5, V13.5.37\nBuild cuda_13.5.r13.5/compiler.3",
            "13.5.37",
        ),
        ("Debian clang version 19.1.7 (3+b1)\nTarget: x86_64-pc-linux-gnu", "19.1.7"),
        ("g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright", "12.2.0"),
        ("g++ (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0\nCopyright", "13.3.0"),
        ("NVIDIA-SMI version  : 580.159.03\nDRIVER version      : 580.159.03", "580.159.03"),
        ("who knows", None),
    ],
)
def test_versions_are_read_from_what_tools_print(tmp_path, output, version):
    tool = program(tmp_path / "tool", f"cat <<'END'\n{output}\nEND")
    assert toolchain.version(tool) == version


def test_a_tool_that_does_not_start_has_no_version(tmp_path):
    (tmp_path / "tool").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "tool").chmod(0o755)
    assert toolchain.version(tmp_path / "tool") is None


# --- clang --------------------------------------------------------------------------------------


def test_a_clang_whose_ir_we_cannot_read_is_passed_over(bare):
    program(bare / "clang++", "echo clang version 99.1.0")
    assert toolchain.find_clang() is None
    program(bare / "clang++-19", "echo Debian clang version 19.1.7")
    toolchain.find_clang.cache_clear()
    assert toolchain.find_clang().program == bare / "clang++-19"


def test_the_clang_of_the_wheel_compiles_for_this_processor(monkeypatch):
    pytest.importorskip("ziglang", reason="the ziglang wheel is not installed")
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert "--target=aarch64-linux-gnu" in toolchain._zig_clang().arguments


def test_the_wrapper_hands_its_arguments_on_as_they_are(tmp_path):
    shown = program(tmp_path / "with space/show", 'for word; do echo "<$word>"; done')
    clang = toolchain.HostClang(shown, ("-x y", "-z"), "test", links=False)
    wrapper = clang.write_wrapper(tmp_path)
    out = subprocess.run([wrapper, "a b", '"c"'], capture_output=True, text=True, check=True)
    assert out.stdout.splitlines() == ["<-x y>", "<-z>", "<a b>", '<"c">']


# --- PTX and GPUs -------------------------------------------------------------------------------


def test_ptx_goes_to_the_first_ptxas_that_reads_its_version(bare, tmp_path, monkeypatch):
    def ptxas(name: str, newest: str) -> Path:
        root = toolkit(tmp_path / name)
        program(
            root / "bin/ptxas",
            f"echo \"Unsupported .version; current version is '{newest}'\"; exit 1",
        )
        return root

    old, new = ptxas("old", "9.0"), ptxas("new", "9.5")
    monkeypatch.setenv("CUDA_HOME", str(old))
    monkeypatch.setattr(toolchain, "_wheel_roots", lambda: (new,))
    assert toolchain.ptxas_for(".version 9.0\n").path == old / "bin/ptxas"
    assert toolchain.ptxas_for("// comment\n.version 9.1\n").path == new / "bin/ptxas"
    assert toolchain.ptxas_for("no version at all").path == old / "bin/ptxas"
    with pytest.raises(MissingToolError, match=r"9\.6 is newer .* reads 9\.5"):
        toolchain.ptxas_for(".version 9.6\n")


def test_a_real_ptxas_tells_its_newest_version_and_assembles():
    major, minor = toolchain.ptx_version(toolchain.require("ptxas"))
    assert major >= 8
    text = PTX.replace("7.0", f"{major}.{minor}")
    assert toolchain.assemble(text, "sm_90")[:4] == b"\x7fELF"


def test_what_ptxas_refuses_can_be_reproduced(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(ToolError, match="ptxas failed") as caught:
        toolchain.assemble(PTX.replace("ret;", "nonsense.b32 %r1;"), "sm_80")
    again = subprocess.run(caught.value.command, capture_output=True, text=True, check=False)
    assert again.returncode == caught.value.status
    assert "nonsense" in again.stderr
    assert "nonsense" in caught.value.render()


@pytest.mark.parametrize(
    ("smi", "arch"),
    [("echo 9.0", "sm_90"), ("echo 12.0; echo 8.0", "sm_120"), ("exit 9", None), ("echo No", None)],
)
def test_the_gpu_is_asked_through_nvidia_smi(bare, smi, arch):
    program(bare / "nvidia-smi", smi)
    assert toolchain.gpu_arch() == arch
    assert toolchain.default_arch() == (arch or toolchain.DEFAULT_ARCH)


# --- gpucc doctor -------------------------------------------------------------------------------


def test_doctor_lists_every_tool_as_json():
    done = CliRunner().invoke(doctor.command, ["--json"])
    tools = {tool["name"]: tool for tool in json.loads(done.stdout)["tools"]}
    assert set(tools) == {info.name for info in toolchain.TOOLS}
    nvcc = tools["nvcc"]
    assert os.access(nvcc["path"], os.X_OK)
    assert nvcc["version"].count(".") == 2


def test_doctor_on_a_bare_machine_says_what_to_install(bare):
    done = subprocess.run(
        [sys.executable, "-c", DOCTOR],
        capture_output=True,
        text=True,
        check=False,
        env=clean_env(bare),
    )
    assert done.returncode == 1, done.stderr
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "missing" in lines["nvcc"]
    assert "pip install 'gpucc[cuda]'" in lines["nvcc"]
    assert "apt install g++" in lines["g++"]
    assert "pip install 'gpucc[host]'" in lines["clang"]
    assert lines["GPU:"].startswith("GPU: none")


DOCTOR = """
from gpucc import toolchain
from pathlib import Path
toolchain.SYSTEM_TOOLKIT = Path("/nowhere")
toolchain._wheel_roots = tuple
toolchain._zig_clang = lambda: None
from gpucc.cli import group, run_guarded
run_guarded(lambda: group.main(["doctor"], standalone_mode=False))
"""


def clean_env(bin_folder: Path) -> dict[str, str]:
    root = Path(toolchain.__file__).parents[1]
    return {"PATH": str(bin_folder), "PYTHONPATH": str(root)}


def test_doctor_json_gives_null_for_what_is_missing(bare):
    done = CliRunner().invoke(doctor.command, ["--json"], standalone_mode=False)
    tools = {tool["name"]: tool for tool in json.loads(done.stdout)["tools"]}
    assert tools["nvcc"]["path"] is None
    assert tools["nvcc"]["version"] is None
    assert tools["nvcc"]["remedy"]
    assert done.return_value == 1
