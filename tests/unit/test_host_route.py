"""The host half through LLVM IR: with every clang found, back to what g++ links and runs."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from compiling import KERNEL, Marker, compile_quietly, every_nvcc, images

from gpucc import toolchain
from gpucc.build import UserCodeError
from gpucc.driver import Emit, compile_files
from gpucc.errors import GpuccError, MissingToolError, ToolError
from gpucc.frontend import host
from gpucc.passmanager import HostPass, Pipeline, Remark, Result

SM90 = "-arch=sm_90"

pytestmark = pytest.mark.usefixtures("scratch")


@dataclass(frozen=True)
class Rename(HostPass):
    """Renames in the text of the IR, and notes what it was given."""

    name: ClassVar[str] = "rename"
    old: str = ""
    new: str = ""
    seen: tuple = ()
    """Lists: gets (path, text, kernels) of each run."""

    def run(self, host, device_facts, ctx):
        from gpucc.host.module import HostModule

        for record in self.seen:
            record.append((ctx.target.arch, host.text, dict(device_facts)))
        if not self.old:
            return Result(host)
        text = host.text.replace(self.old, self.new)
        remark = Remark(self.name, "changed", "main", f"{self.old} is now {self.new}")
        return Result(HostModule.parse(text, "renamed.ll"), (remark,))


@pytest.fixture
def scratch_name():
    return "scratch dir"


@pytest.fixture
def runtime(tmp_path_factory, monkeypatch):
    """A runtime library with one function, in a folder with a blank in its name."""
    folder = tmp_path_factory.mktemp("run time")
    source = (
        '#include <cstdio>\nextern "C" int gpucc_rt_test() { std::puts("runtime"); return 0; }\n'
    )
    (folder / "rt.cpp").write_text(source)
    subprocess.run(["g++", "-c", "rt.cpp", "-o", "rt.o"], cwd=folder, check=True)
    subprocess.run(["ar", "cr", "libgpucc_rt.a", "rt.o"], cwd=folder, check=True)
    library = folder / "libgpucc_rt.a"
    monkeypatch.setattr("gpucc.host.runtime_library", lambda: library, raising=False)
    return library


@pytest.fixture
def no_runtime(monkeypatch):
    def missing() -> Path:
        raise MissingToolError("libgpucc_rt.a was not built")

    monkeypatch.setattr("gpucc.host.runtime_library", missing, raising=False)


def clangs() -> list[toolchain.HostClang]:
    """Return every clang here, not only the one that is chosen."""
    found = [toolchain.find_clang(), toolchain._zig_clang()]
    return list(dict.fromkeys(clang for clang in found if clang))


def output_of(program: str) -> str:
    return subprocess.run([f"./{program}"], capture_output=True, text=True, check=True).stdout


STRINGS = """
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
std::string greet(const std::string &name);
std::map<std::string, int> count(const std::string &text);
__global__ void k() {}
int main() {
    k<<<1, 1>>>();
    std::puts(greet("GPU").c_str());
    for (auto &[letter, n] : count("aba")) std::printf("%s%d ", letter.c_str(), n);
    try { greet(""); } catch (const std::invalid_argument &e) { std::puts(e.what()); }
}
"""
GREET = """
#include <map>
#include <stdexcept>
#include <string>
std::string greet(const std::string &name) {
    if (name.empty()) throw std::invalid_argument("nobody");
    return "hello " + name;
}
std::map<std::string, int> count(const std::string &text) {
    std::map<std::string, int> n;
    for (char c : text) n[std::string(1, c)]++;
    return n;
}
"""


@every_nvcc
@pytest.mark.parametrize("clang", clangs(), ids=lambda clang: clang.origin)
def test_the_standard_library_is_that_of_objects_gcc_built(
    nvcc, clang, here, no_runtime, monkeypatch
):
    """Strings, maps and exceptions cross between a g++-built object and ours, both ways."""
    monkeypatch.setattr(toolchain, "find_clang", lambda: clang)
    (here / "main.cu").write_text(STRINGS)
    (here / "greet.cpp").write_text(GREET)
    subprocess.run(["g++", "-O2", "-c", "greet.cpp"], check=True)
    words = [SM90, "-O2", "main.cu", "greet.o", "-o", "prog"]
    compile_quietly(words, Pipeline((Rename(),)), nvcc=nvcc)
    assert output_of("prog") == "hello GPU\na2 b1 nobody\n"


def test_other_files_of_the_command_are_compiled_by_gcc(here, no_runtime):
    (here / "main.cu").write_text(STRINGS)
    (here / "greet.cpp").write_text(GREET + "#ifdef __clang__\n#error not by gcc\n#endif\n")
    compile_quietly([SM90, "main.cu", "greet.cpp", "-o", "prog"], Pipeline((Rename(),)))
    assert output_of("prog") == "hello GPU\na2 b1 nobody\n"


def test_the_kernels_are_registered_before_main(here, no_runtime):
    """Constructors stand in .init_array; in .ctors, some linkers drop them without a word."""
    (here / "k.cu").write_text(KERNEL)
    compile_quietly(["-c", SM90, "k.cu"], Pipeline((Rename(),)))
    sections = subprocess.run(["readelf", "-SW", "k.o"], capture_output=True, text=True, check=True)
    assert ".init_array" in sections.stdout
    assert ".ctors" not in sections.stdout
    assert [name for name in images(here / "k.o") if name.endswith(".cubin")]


def test_a_host_pass_sees_the_kernels_of_all_files_and_every_call_site(here, runtime):
    (here / "a.cu").write_text("__global__ void in_a(int *p) { *p = 1; }\n" + LAUNCH_A)
    (here / "b.cu").write_text("__global__ void in_b(int *p) { *p = 2; }\n" + LAUNCH_B)
    seen: list = []
    compile_quietly([SM90, "a.cu", "b.cu", "-o", "prog"], Pipeline((Rename(seen=(seen,)),)))
    assert [set(kernels) for _, _, kernels in seen] == [{"_Z4in_aPi", "_Z4in_bPi"}] * 2
    assert [arch for arch, _, _ in seen] == ["sm_90"] * 2
    first = seen[0][1]
    # Not optimised, but fit to be: calls stand where the user wrote them, with their lines.
    assert "optnone" not in first
    assert re.search(r"call i32 @__cudaPushCallConfiguration\(.*!dbg", first)
    assert re.search(r'DIFile\(filename: "a\.cu"', first)
    assert "define" in first
    assert "@_Z5inneri" in first


LAUNCH_A = """
static int inner(int v) { return v + 1; }
void other();
int main() { in_a<<<1, inner(2)>>>(nullptr); other(); }
""".replace("static ", "")
LAUNCH_B = "void other() { in_b<<<1, 2>>>(nullptr); }\n"


def test_changed_host_code_is_linked_with_the_runtime_library(here, runtime):
    (here / "k.cu").write_text(KERNEL + 'extern "C" int cudaTest();\nint before = cudaTest();\n')
    rename = Pipeline((Rename("cudaTest", "gpucc_rt_test"),))
    report, _ = compile_quietly([SM90, "k.cu", "-o", "prog"], rename)
    assert report.host_changed
    assert [remark.remark.message for remark in report.remarks] == ["cudaTest is now gpucc_rt_test"]
    assert output_of("prog") == "runtime\nran\n"
    # In two steps: the objects first, then a link that compiles nothing.
    _, said = compile_quietly(["-c", SM90, "k.cu"], rename)
    assert said == f"note: host passes changed this code: link it with '{runtime}' -lpthread -ldl\n"
    compile_quietly([SM90, "k.o", "-o", "again"], rename)
    assert output_of("again") == "runtime\nran\n"
    compile_quietly([SM90, "-shared", "-Xcompiler", "-fPIC", "k.cu", "-o", "k.so"], rename)
    undefined = subprocess.run(
        ["nm", "-D", "-u", "k.so"], capture_output=True, text=True, check=True
    )
    assert "gpucc_rt_test" not in undefined.stdout


def test_without_a_change_no_runtime_library_is_needed(here, no_runtime):
    (here / "k.cu").write_text(KERNEL)
    report, _ = compile_quietly([SM90, "k.cu", "-o", "prog"], Pipeline((Rename(),)))
    assert not report.host_changed
    assert output_of("prog") == "ran\n"


def test_with_a_change_a_missing_runtime_library_is_told(here, no_runtime):
    (here / "k.cu").write_text(KERNEL)
    with pytest.raises(MissingToolError, match="libgpucc_rt"):
        compile_quietly([SM90, "k.cu", "-o", "prog"], Pipeline((Rename("@main(", "@main("),)))
    assert {path.name for path in here.iterdir()} == {"k.cu"}


def test_device_and_host_passes_in_one_pipeline(here, no_runtime):
    (here / "k.cu").write_text(KERNEL)
    pipeline = Pipeline((Rename(), Marker()))
    archs = ["-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"]
    compile_quietly([*archs, "-G", "k.cu", "-MD", "-o", "prog"], pipeline)
    assert any(b"gpucc_marker" in data for data in images(here / "prog").values())
    assert output_of("prog") == "ran\n"
    rule = (here / "prog.d").read_text()
    assert rule.startswith("prog : k.cu \\\n")
    assert "cuda_runtime.h" in rule


@pytest.mark.parametrize("flags", [[], ["-O3"], ["-g"], ["-O2", "-g"]], ids=" ".join)
def test_the_users_levels_of_optimisation_and_debugging_are_kept(here, no_runtime, flags):
    (here / "k.cu").write_text(FOLDS)
    compile_quietly(["-c", SM90, *flags, "k.cu"], Pipeline((Rename(),)))
    listing = subprocess.run(
        ["objdump", "-d", "--disassemble=_Z5foldsv", "k.o"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    optimised = "-O3" in flags or "-O2" in flags
    assert ("$0x1f" in listing and "call" not in listing) == optimised
    sections = subprocess.run(["readelf", "-SW", "k.o"], capture_output=True, text=True, check=True)
    assert (".debug_line" in sections.stdout) == ("-g" in flags)


FOLDS = """
__global__ void k() {}
inline int square(int v) { return v * v; }
int folds() { return square(5) + square(2) + 2; }
"""


def test_no_clang_is_asked_for_unless_a_host_pass_runs(here, monkeypatch):
    monkeypatch.setattr(toolchain, "find_clang", lambda: pytest.fail("a clang was looked for"))
    (here / "k.cu").write_text(KERNEL)
    compile_quietly(["-c", SM90, "k.cu"], Pipeline((Marker(),)))


def test_a_missing_clang_names_what_brings_it(here, monkeypatch):
    monkeypatch.setattr(toolchain, "find_clang", lambda: None)
    (here / "k.cu").write_text(KERNEL)
    with pytest.raises(MissingToolError, match="need a clang") as caught:
        compile_quietly(["-c", SM90, "k.cu"], Pipeline((Rename(),)))
    assert caught.value.hint == "pip install 'gpucc[host]'"


def test_the_users_gcc_still_compiles_the_rest_and_links(here, no_runtime, monkeypatch):
    """A -ccbin that is no clang, from the command or nvcc's environment, keeps its other work."""
    log = here / "log"
    own = here / "my-g++"
    own.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec g++ "$@"\n')
    own.chmod(0o755)
    (here / "k.cu").write_text(KERNEL)
    (here / "rest.cpp").write_text("int rest;\n")
    for words, variable in (
        (["-ccbin", str(own)], {}),
        ([], {"NVCC_APPEND_FLAGS": f"-ccbin {own}"}),
    ):
        log.unlink(missing_ok=True)
        for name, value in variable.items():
            monkeypatch.setenv(name, value)
        compile_quietly([SM90, *words, "k.cu", "rest.cpp", "-o", "prog"], Pipeline((Rename(),)))
        assert output_of("prog") == "ran\n"
        calls = log.read_text().splitlines()
        assert any("rest.cpp" in call for call in calls)
        assert any("-Wl,--start-group" in call for call in calls)
        assert not any("cudafe1.cpp" in call for call in calls)


def test_openmp_is_refused_where_the_clang_has_no_library_for_it(here):
    zig = toolchain._zig_clang()
    if zig is None or toolchain.find_clang() != zig:
        pytest.skip("host code is compiled by a clang that is not the ziglang wheel's")
    (here / "k.cu").write_text(KERNEL)
    with pytest.raises(GpuccError, match="OpenMP"):
        compile_quietly(["-Xcompiler=-Wall,-fopenmp", SM90, "k.cu"], Pipeline((Rename(),)))


def test_host_optimisation_at_link_time_is_refused(here):
    (here / "k.cu").write_text(KERNEL)
    with pytest.raises(GpuccError, match="-flto exclude each other"):
        compile_quietly(["-Xcompiler", "-flto", SM90, "k.cu"], Pipeline((Rename(),)))


def test_an_error_in_host_code_is_told_with_its_place(here):
    (here / "k.cu").write_text(KERNEL + "int bad() { return nothing; }\n")
    with pytest.raises(UserCodeError) as caught:
        compile_quietly(["-c", SM90, "k.cu"], Pipeline((Rename(),)))
    assert re.match(r'k\.cu\(11\): error: identifier "nothing" is undefined', caught.value.output)
    assert caught.value.reproduce is None  # what failed had our clang in it


def test_ir_that_no_object_can_be_made_of_is_kept(here, scratch):
    """Whether the user's assembly is wrong or what a pass made: the command shows it again."""
    (here / "k.cu").write_text(KERNEL + 'int bad() { asm("bogus"); return 0; }\n')
    with pytest.raises(ToolError, match=r"host object k\.cu failed") as caught:
        compile_quietly(["-c", SM90, "k.cu"], Pipeline((Rename(),)))
    again = subprocess.run(caught.value.command, capture_output=True, text=True, check=False)
    assert "invalid instruction mnemonic 'bogus'" in again.stderr
    (kept,) = scratch.iterdir()
    shutil.rmtree(kept)


def test_kept_files_of_one_name_are_refused(here):
    for folder in ("a", "b"):
        (here / folder).mkdir()
        (here / folder / "k.cu").write_text(KERNEL)
    with pytest.raises(GpuccError, match="would both be kept as"):
        compile_quietly([SM90, "--keep", "a/k.cu", "b/k.cu"], Pipeline((Rename(),)))


# --- host IR as the output ----------------------------------------------------------------------


def test_host_ir_can_be_the_output(here):
    (here / "k.cu").write_text(KERNEL)
    (here / "l.cu").write_text("__global__ void l() {}\n")
    report = compile_files([Path("k.cu"), Path("l.cu")], None, emit=Emit.HOST_IR)
    assert sorted(report.outputs) == [Path("k.ll"), Path("l.ll")]
    assert "define dso_local noundef i32 @main" in (here / "k.ll").read_text()
    compile_files([Path("k.cu")], Path("out.ll"), pipeline=Pipeline((Rename("@main", "@niam"),)))
    assert "@niam(" in (here / "out.ll").read_text()
    assert {path.name for path in here.iterdir()} == {"k.cu", "l.cu", "k.ll", "l.ll", "out.ll"}
    with pytest.raises(GpuccError, match="several inputs cannot have one output"):
        compile_files([Path("k.cu"), Path("l.cu")], Path("out.ll"))


def test_our_llvm_reads_the_ir_of_every_clang(here, monkeypatch):
    import llvmlite.binding as llvm

    (here / "k.cu").write_text(STRINGS)
    for clang in clangs():
        monkeypatch.setattr(toolchain, "find_clang", lambda clang=clang: clang)
        compile_files([Path("k.cu")], Path("k.ll"))
        llvm.parse_assembly((here / "k.ll").read_text()).verify()


# --- commands -----------------------------------------------------------------------------------


def test_host_compilers_are_found_by_folder_or_name(tmp_path, monkeypatch):
    gcc = tmp_path / "bin/g++"
    gcc.parent.mkdir()
    gcc.write_text("#!/bin/sh\necho g++ 12.2.0\n")
    gcc.chmod(0o755)
    for named in (str(gcc.parent), str(gcc)):
        route = host.route(["-ccbin", named, "-c", "k.cu"], {}, tmp_path)
        assert route.other == str(gcc)
        assert route.words[-2:] == (route.clang, "-allow-unsupported-compiler")
        assert named not in route.words


def test_a_clang_of_the_users_does_everything(tmp_path):
    clang = tmp_path / "my-clang++"
    clang.write_text("#!/bin/sh\necho clang version 19.1.7\n")
    clang.chmod(0o755)
    for words, environ in ((["-ccbin", str(clang)], {}), ([], {"NVCC_CCBIN": str(clang)})):
        route = host.route([*words, "k.cu"], environ, tmp_path)
        assert route == host.HostRoute((*words, "k.cu"), environ, str(clang), None)
    shutil.rmtree(tmp_path)
