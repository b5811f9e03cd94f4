"""Reading nvcc's command lines and what ``nvcc --dryrun`` prints; dependency files."""

import re
import subprocess

import pytest
from compiling import KERNEL, every_nvcc, nvcc_path

from gpucc.errors import GpuccError
from gpucc.frontend import cuda, depfile, nvcc_args
from gpucc.frontend.cuda import Role

ENVIRON = {"PATH": "/usr/bin:/bin", "HOME": "/home/me"}

# Shortened from nvcc 13.5: quotes, blanks and order as it prints them.
LINES = [
    'NVCC_APPEND_FLAGS="-DA=1"',
    "_NVVM_BRANCH_=nvvm",
    "_SPACE_= ",
    "_CUDART_=cudart",
    "CICC_PATH=/opt/cu da/nvvm/bin",
    "PATH=/opt/cu da/bin:/usr/bin:/bin",
    'INCLUDES="-I/opt/cu da/include"  ',
    'gcc -D__CUDA_ARCH__=900 -E -x c++ "-I/opt/cu da/include" -D "S=\\"a b\\"" -m64 "a b.cu"'
    ' -o "/t/5_a b.cpp1.ii" ',
    'gcc -E -x c++ -m64 "a b.cu" -o "/t/6_a b.cpp4.ii" ',
    "-- Filter Dependencies -- > out dir/a b.d",
    'cudafe++ --c++17 --orig_src_file_name "a b.cu" --gen_c_file_name "/t/7_a b.cudafe1.cpp"'
    ' --stub_file_name "7_a b.cudafe1.stub.c" --gen_module_id_file'
    ' --module_id_file_name "/t/4_a b.module_id" "/t/6_a b.cpp4.ii" ',
    '"$CICC_PATH/cicc" --orig_src_file_name "a b.cu" -arch compute_90a -m64'
    ' --include_file_name "3_a b.fatbin.c" --module_id_file_name "/t/4_a b.module_id"'
    ' --gen_c_file_name "/t/7_a b.cudafe1.c" --stub_file_name "/t/7_a b.cudafe1.stub.c"'
    ' --gen_device_file_name "/t/7_a b.cudafe1.gpu"  "/t/5_a b.cpp1.ii" -o "/t/7_a b.ptx"',
    'ptxas -arch=sm_90a -m64  "/t/7_a b.ptx"  -o "/t/8_a b.cubin" ',
    'fatbinary -64 --cicc-cmdline="-ftz=0 " "--image3=kind=elf,sm=90a,file=/t/8_a b.cubin"'
    ' "--image3=kind=ptx,sm=90a,file=/t/7_a b.ptx" --embedded-fatbin="/t/3_a b.fatbin.c" ',
    "rm /t/3_a b.fatbin",
    'gcc -c -x c++ -m64 "/t/7_a b.cudafe1.cpp" -o "/t/9_a b.o" ',
    'nvlink -m64 --register-link-binaries="/t/10_dlink.reg.c" "/t/9_a b.o" -lcudadevrt'
    ' -o "/t/11_dlink.cubin" --host-ccbin "gcc"',
    'fatbinary -64 -link "--image3=kind=elf,sm=90a,file=/t/11_dlink.cubin"'
    ' --embedded-fatbin="/t/12_dlink.fatbin.c" ',
    'gcc -c -x c++ -DFATBINFILE="\\"/t/12_dlink.fatbin.c\\""'
    ' -DREGISTERLINKBINARYFILE="\\"/t/10_dlink.reg.c\\"" "/opt/cu da/bin/crt/link.stub"'
    ' -o "/t/13_dlink.o" ',
    'g++ -m64 -Wl,--start-group "/t/13_dlink.o" "/t/9_a b.o" -lcudart_static'
    ' -Wl,--end-group -o "pro gram" ',
    './"pro gram" ',
]
WARNING = "nvcc warning : Support for offline compilation will be removed\n"
DRYRUN = WARNING + "".join(f"#$ {line}\n" for line in LINES)


def roles(text: str) -> list[Role]:
    return [stage.role for stage in cuda.read_dryrun(text, ENVIRON).stages]


def test_every_line_of_a_dry_run_gets_its_role():
    assert roles(DRYRUN) == [
        Role.PREPROCESS,
        Role.PREPROCESS,
        Role.DEPENDENCIES,
        Role.SPLIT,
        Role.DEVICE,
        Role.ASSEMBLE,
        Role.PACK,
        Role.REMOVE,
        Role.HOST,
        Role.DEVICE_LINK,
        Role.PACK,
        Role.HOST,
        Role.LINK,
        Role.EXECUTE,
    ]


def test_words_are_those_that_a_shell_would_see():
    plan = cuda.read_dryrun(DRYRUN, ENVIRON)
    preprocess, cicc = plan.stages[0], plan.stages[4]
    assert 'S="a b"' in preprocess.words
    assert "-I/opt/cu da/include" in preprocess.words
    assert cicc.words[0] == "/opt/cu da/nvvm/bin/cicc"
    assert cuda.option_value(cicc.words, "-arch") == "compute_90a"
    assert plan.stages[7].words == ("rm", "/t/3_a b.fatbin")


def test_variables_become_the_environment_and_messages_are_kept():
    plan = cuda.read_dryrun(DRYRUN, ENVIRON)
    assert plan.environment["PATH"] == "/opt/cu da/bin:/usr/bin:/bin"
    assert plan.environment["HOME"] == "/home/me"
    assert plan.messages == WARNING
    assert plan.text.startswith('#$ NVCC_APPEND_FLAGS="-DA=1"\n#$ _NVVM_BRANCH_=nvvm\n')


def test_stages_say_what_they_touch_also_what_no_word_says():
    stages = cuda.read_dryrun(DRYRUN, ENVIRON).stages
    split, device, pack, host, link = (stages[i] for i in (3, 4, 6, 8, 12))
    assert split.writes == {"/t/7_a b.cudafe1.cpp", "/t/4_a b.module_id"}
    assert "/t/4_a b.module_id" in device.reads
    assert device.writes >= {"/t/7_a b.ptx", "/t/7_a b.cudafe1.stub.c"}
    assert pack.reads >= {"/t/8_a b.cubin", "/t/7_a b.ptx"}
    # The host half includes the stub, and the stub the fatbin.
    assert host.reads >= {"/t/7_a b.cudafe1.cpp", "/t/7_a b.cudafe1.stub.c", "/t/3_a b.fatbin.c"}
    assert stages[11].reads >= {"/t/12_dlink.fatbin.c", "/t/10_dlink.reg.c"}
    assert link.writes == {"pro gram"}


@every_nvcc
def test_threads_do_not_change_the_plan(nvcc, tmp_path, monkeypatch):
    """nvcc's own plan for --threads mixes the files and sends all output to files."""
    words = ["-c", "a.cu", "sub/a.cu", "-MD", "-odir", "."]
    environ = {**ENVIRON, "NVCC_APPEND_FLAGS": "--threads 2"}
    plain = cuda.plan(nvcc, words, tmp_path, ENVIRON)
    threaded = cuda.plan(nvcc, [*words, "-t", "4"], tmp_path, environ)
    assert [s.role for s in threaded.stages] == [s.role for s in plain.stages]
    assert all(">" not in word for s in threaded.stages for word in s.words)


def test_a_command_with_a_command_in_it_is_left_to_the_shell():
    line = '#$ "`echo /usr/bin/ar`" cr "lib$HOME.a" "/t/a.o" \n'
    (stage,) = cuda.read_dryrun(line, ENVIRON).stages
    assert stage.words == ("/usr/bin/ar", "cr", "lib/home/me.a", "/t/a.o")
    assert stage.role is Role.ARCHIVE
    assert stage.writes == {"lib/home/me.a"}


def test_a_line_break_in_a_quoted_word_does_not_end_the_command():
    (stage,) = cuda.read_dryrun('#$ gcc -E -D "X=1\n2" "a.cu" -o "/t/a.ii"\n', ENVIRON).stages
    assert "X=1\n2" in stage.words


def test_ptx_is_what_cicc_writes_unless_it_is_for_link_time():
    plain, _, _ = (f'#$ cicc a.ii {words} -o "/t/a.{end}"\n' for words, end in CICC)
    (stage,) = cuda.read_dryrun(plain, ENVIRON).stages
    assert cuda.ptx_of(stage) == "/t/a.ptx"
    for words, end in CICC[1:]:
        (stage,) = cuda.read_dryrun(f'#$ cicc a.ii {words} -o "/t/a.{end}"\n', ENVIRON).stages
        assert stage.role is Role.DEVICE
        assert cuda.ptx_of(stage) is None


CICC = [("--simt-only", "ptx"), ("-lto", "ltoir"), ("-olto /t/a.ltoir", "ptx")]


def test_files_are_renamed_wherever_a_command_names_them():
    words = ("fatbinary", "--image3=kind=ptx,sm=90,file=/t/a.ptx", "/t/a.ptx", "/t/xa.ptx", "-DV=1")
    assert cuda.rename_words(words, {"/t/a.ptx": "/t/b=c.ptx"}) == (
        "fatbinary",
        "--image3=kind=ptx,sm=90,file=/t/b=c.ptx",
        "/t/b=c.ptx",
        "/t/xa.ptx",
        "-DV=1",
    )


def test_nvcc_refuses_in_its_own_words(tmp_path):
    with pytest.raises(cuda.NvccRefused) as caught:
        cuda.plan(nvcc_path(), ["-c", "a.cu", "--no-such-option"], tmp_path, ENVIRON)
    assert caught.value.render() == "nvcc fatal   : Unknown option '--no-such-option'"


@every_nvcc
def test_a_plan_of_a_real_nvcc_has_all_stages(nvcc, tmp_path):
    words = ["-MD", "-arch=sm_90", "a'b $c.cu", "x.cpp", "-o", "prog"]
    plan = cuda.plan(nvcc, words, tmp_path, ENVIRON)
    assert [stage.role for stage in plan.stages if stage.role is Role.OTHER] == []
    assert {stage.role for stage in plan.stages} >= {Role.SPLIT, Role.DEVICE, Role.LINK}
    made = {name for stage in plan.stages for name in stage.writes}
    for stage in plan.stages:
        for name in stage.reads:
            assert name in made or not name.startswith(str(tmp_path)), (stage.line, name)


# --- command lines ------------------------------------------------------------------------------


@every_nvcc
def test_the_table_of_options_is_nvccs_own(nvcc):
    """Each option with a value that ``nvcc --help`` lists is read as one, and no flag is."""
    help_text = subprocess.run([nvcc, "--help"], capture_output=True, text=True, check=True).stdout
    listed = re.findall(r"^(--[\w-]+)( \S.*?)? {2,}\(?(-[\w-]+)\)?", help_text, re.MULTILINE)
    assert len(listed) > 100
    for long, value, short in listed:
        for name in {long, short} if short != long else {long}:
            read = nvcc_args.read([name, "value", "a.cu"])
            takes_value = bool(value) and len(read) == 2
            assert takes_value == bool(value), (name, value, read)


def test_values_are_not_taken_for_options_nor_inputs():
    compiler, output = ["-Xcompiler", "-c"], ["-o", "-dc"]
    arch = ["--generate-code", "arch=compute_80,code=sm_80"]
    read = nvcc_args.read([*compiler, *output, *arch, "-MT", "x.cu", "-c", "a.cu"])
    assert [argument.value for argument in read if argument.option is None] == ["a.cu"]
    assert nvcc_args.last(read, "-Xcompiler") == "-c"
    assert nvcc_args.last(read, "-o") == "-dc"
    assert nvcc_args.names_arch(read)
    assert [a.option for a in read if a.option in nvcc_args.PHASES] == ["-c"]


@pytest.mark.parametrize(
    ("word", "option", "value"),
    [
        ("-O3", "-O", "3"),
        ("-Iinclude", "-I", "include"),
        ("-lm", "-l", "m"),
        ("-lineinfo", "-lineinfo", None),
        ("-lto", "-lto", None),
        ("-t4", "-t", "4"),
        ("-m64", "-m", "64"),
        ("-march=native", "-march=native", None),
        ("--options-file=x", "-optf", "x"),
        ("--compile", "-c", None),
        ("-DX=a=b", "-D", "X=a=b"),
    ],
)
def test_spellings(word, option, value):
    assert nvcc_args.read([word]) == (nvcc_args.Argument(option, value, (word,)),)


def test_option_files_and_environment_count(tmp_path):
    options = tmp_path / "options.txt"
    options.write_text('-arch=sm_80 -DV="a b"')
    environ = {"NVCC_PREPEND_FLAGS": "-MT first", "NVCC_APPEND_FLAGS": "-MT 'last one'"}
    read = nvcc_args.effective(["-optf", str(options), "-MT", "middle", "a.cu"], environ)
    assert nvcc_args.names_arch(read)
    assert nvcc_args.last(read, "-D") == "V=a b"
    assert nvcc_args.last(read, "-MT") == "last one"


def test_a_variable_that_cannot_be_read_is_named():
    with pytest.raises(GpuccError, match="NVCC_APPEND_FLAGS: No closing quotation"):
        nvcc_args.effective([], {"NVCC_APPEND_FLAGS": "-DX='a"})


def test_options_can_be_taken_out():
    words = ["-ccbin", "clang++", "-O2", "--compiler-bindir=x", "a.cu", "-Xcompiler", "-ccbin"]
    assert nvcc_args.without(words, "-ccbin") == ["-O2", "a.cu", "-Xcompiler", "-ccbin"]


# --- dependency files ---------------------------------------------------------------------------


def test_names_are_read_as_the_preprocessor_writes_them():
    text = rb"""# 0 "a.cu"
# 0 "<built-in>"
# 1 "/usr/include/x.h" 1 3 4
# 1 "dir/q\"uote\\s.h" 1
# 1 "\303\274.h" 1
# 2 "a.cu" 2
int x; // # 1 "not.h"
"""
    assert depfile.files_of([text], with_system=True) == [
        "a.cu",
        "/usr/include/x.h",
        'dir/q"uote\\s.h',
        "ü.h",
    ]
    assert "/usr/include/x.h" not in depfile.files_of([text], with_system=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A file whose host and device halves include different headers, some with odd names."""
    folder = tmp_path_factory.mktemp("dep end")
    (folder / "inc").mkdir()
    for header in ("a b.h", "üñí.h", "hash#dollar$.h", "device.h"):
        (folder / "inc" / header).write_text("")
    (folder / "k.cu").write_text(
        '#include "inc/a b.h"\n#include "inc/üñí.h"\n#include "inc/hash#dollar$.h"\n'
        '#if __CUDA_ARCH__ == 900\n#include "inc/device.h"\n#endif\n'
        "#ifndef __CUDA_ARCH__\n#include <vector>\n#endif\n" + KERNEL
    )
    return folder


DEPENDENCIES = [
    ["-MD", "-c", "k.cu", "-o", "k.o"],
    ["-MMD", "-MP", "-c", "k.cu", "-o", "k.o"],
    ["-MD", "-MF", "d ep.d", "-MT", "tar get", "-c", "k.cu"],
    ["-MD", "-MP", "-cubin", "-arch=sm_90", "k.cu"],
    ["-MD", "k.cu", "-o", "prog"],
    ["-MD", "-ptx", "k.cu", "-odir", "inc"],
    [
        "-MD",
        "-c",
        "k.cu",
        "-gencode=arch=compute_80,code=sm_80",
        "-gencode=arch=compute_90,code=sm_90",
    ],
]


@pytest.mark.parametrize("words", DEPENDENCIES, ids=" ".join)
def test_dependency_files_are_nvccs_byte_for_byte(project, words, monkeypatch):
    """Made from the .ii files that nvcc itself keeps; nvcc's own file is the right answer."""
    monkeypatch.chdir(project)
    nvcc = nvcc_path()
    subprocess.run([nvcc, *words, "--keep"], check=True, capture_output=True)
    plan = cuda.plan(nvcc, [*words, "--keep"], project, ENVIRON)
    (stage,) = [stage for stage in plan.stages if stage.role is Role.DEPENDENCIES]
    (path,) = stage.writes
    expected = (project / path).read_bytes()
    ours = project / "ours.d"
    depfile.write([project / ii for ii in stage.words], ours, nvcc_args.read(words))
    assert ours.read_bytes() == expected
    for path in project.iterdir():
        if path.is_file() and path.name != "k.cu":
            path.unlink()
