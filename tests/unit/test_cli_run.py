"""gpucc run: arguments as text, and the command with something that plays the GPU."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gpucc.cli.run import command
from gpucc.driver import compile_files
from gpucc.errors import GpuccError, SourceError
from gpucc.runtime import execute
from gpucc.runtime.arguments import (
    ArrayArgument,
    BytesArgument,
    Constant,
    File,
    NullArgument,
    Pattern,
    Random,
    ScalarArgument,
    make_value,
    parse_argument,
)
from gpucc.runtime.elements import ELEMENTS, decode, storage
from gpucc.runtime.image import build
from gpucc.runtime.launch import Timing
from gpucc.runtime.marshal import bind

# --- arguments as text ----------------------------------------------------------------------------

F32, I32, BF16 = ELEMENTS["f32"], ELEMENTS["i32"], ELEMENTS["bf16"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f32[1024]=rand", ArrayArgument(F32, (1024,), Random())),
        ("f32[32,64]=rand(-1,2.5)", ArrayArgument(F32, (32, 64), Random((-1.0, 2.5)))),
        ("i32[ 3 , 4 ]=rand(0,7)", ArrayArgument(I32, (3, 4), Random((0, 7)))),
        ("bf16[8]=2.5", ArrayArgument(BF16, (8,), Constant(2.5))),
        ("i32[0]=arange", ArrayArgument(I32, (0,), Pattern("arange"))),
        ("f32[1_000]=zeros", ArrayArgument(F32, (1000,), Pattern("zeros"))),
        ("f32[]=dir/x=1.npy", ArrayArgument(F32, None, File("dir/x=1.npy"))),
        ("f32[2,2]=ones.npy", ArrayArgument(F32, (2, 2), File("ones.npy"))),
        ("i32=-0x10", ScalarArgument(I32, -16)),
        ("f32=1e-3", ScalarArgument(F32, 0.001)),
        ("bool=true", ScalarArgument(ELEMENTS["bool"], 1)),
        ("bytes=00 ff", BytesArgument(b"\x00\xff")),
        ("null", NullArgument()),
    ],
)
def test_arguments(text, expected):
    assert parse_argument(text) == expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a type"),
        ("[4]=rand", 1, "expected a type"),
        ("f33[4]=rand", 1, "unknown type 'f33'"),
        ("f32", 4, "expected '[' or '='"),
        ("f32(4)=rand", 4, "expected '[' or '='"),
        ("f32[x]=rand", 5, "expected a number of elements"),
        ("f32[4;2]=rand", 6, "expected ',' or ']'"),
        ("f32[4,]=rand", 7, "expected a number of elements"),
        ("f32[-1]=rand", 5, "expected a number of elements"),
        ("f32[4]", 7, "expected '='"),
        ("f32[4]=random", 8, "expected a number"),
        ("i32[4]=1.5", 8, "expected an integer"),
        ("f32[]=rand", 7, "only a file tells the shape"),
        ("i32=2147483648", 5, "2147483648 does not fit i32 (from -2147483648 to 2147483647)"),
        ("u8[4]=rand(0,257)", 14, "257 does not fit u8"),
        ("f32[4]=rand(2,1)", 8, "nothing lies between 2.0 and 1.0"),
        ("f32[4]=rand(0,inf)", 8, "bounds must be finite"),
        ("bool=2", 6, "expected true or false"),
        ("bytes=0", 7, "expected an even number of hexadecimal digits"),
        ("c64=1", 1, "a c64 by value is a structure"),
        ("f32[99999999,99999999]=rand", 4, "more than a terabyte"),
    ],
)
def test_bad_arguments_show_the_place(text, column, message):
    with pytest.raises(SourceError) as caught:
        parse_argument(text, "--arg 3")
    assert (caught.value.column, caught.value.source_line) == (column, text)
    assert caught.value.message.startswith(message)
    assert caught.value.render().startswith(f"--arg 3:1:{column}: error: ")


@given(st.text(max_size=30))
def test_any_text_is_parsed_or_refused(text):
    with contextlib.suppress(SourceError):
        parse_argument(text)


NUMBERS = {
    "float": st.floats(allow_nan=False),
    "signed": st.integers(-128, 127),
    "unsigned": st.integers(0, 255),
    "bool": st.integers(0, 1),
}


@st.composite
def arguments(draw):
    element = draw(st.sampled_from([e for e in ELEMENTS.values() if e.kind != "complex"]))
    number = NUMBERS[element.kind]
    if draw(st.booleans()):
        return ScalarArgument(element, draw(number))
    contents = [st.sampled_from([Pattern("zeros"), Pattern("ones"), Pattern("arange"), Random()])]
    contents.append(st.builds(Constant, number))
    if element.kind != "bool":
        finite = number.filter(lambda n: abs(n) < 1e30)
        pairs = st.tuples(finite, finite).filter(lambda p: p[0] < p[1])
        contents.append(st.builds(Random, pairs))
    contents.append(st.just(File("some dir/x.npy")))
    shape = tuple(draw(st.lists(st.integers(0, 9), min_size=1, max_size=3)))
    return ArrayArgument(element, shape, draw(st.one_of(contents)))


@given(arguments())
def test_printing_what_was_parsed_parses_to_the_same(argument):
    assert parse_argument(str(argument)) == argument


@given(arguments().filter(lambda a: not isinstance(getattr(a, "contents", None), File)))
def test_values_are_of_the_type_and_shape(argument):
    value = make_value(argument, 1)
    assert value.dtype == storage(argument.element)
    if isinstance(argument, ArrayArgument):
        assert value.shape == argument.shape
        if isinstance(argument.contents, Random) and argument.element.kind in (
            "signed",
            "unsigned",
        ):
            low, high = argument.contents.bounds or (0, 100)
            assert ((low <= value) & (value < high)).all()


def test_contents():
    def made(text, seed=0):
        argument = parse_argument(text)
        return decode(make_value(argument, seed), argument.element).tolist()

    assert made("f32[2,2]=arange") == [[0, 1], [2, 3]]
    assert made("bf16[3]=2.5") == [2.5] * 3
    assert made("u8[2]=0xff") == [255, 255]
    assert made("bool[2]=true") == [True, True]
    assert made("i64[1]=9007199254740993") == [9007199254740993]  # not through a float
    assert made("f32[4]=rand", 1) == made("f32[4]=rand", 1) != made("f32[4]=rand", 2)
    assert make_value(parse_argument("i8[300]=arange"), 0)[256] == 0  # wraps, as C does
    assert np.iscomplexobj(make_value(parse_argument("c64[4]=rand"), 0))


def test_files(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.arange(6, dtype=np.float32).reshape(2, 3))
    for text in (f"f32[]={path}", f"f32[2,3]={path}"):
        assert make_value(parse_argument(text), 0).tolist() == [[0, 1, 2], [3, 4, 5]]
    for text, message in (
        (f"f32[3,2]={path}", r"--arg 1: .*x.npy has the shape \[2, 3\], not \[3, 2\]"),
        (f"f64[]={path}", "holds f32, not f64"),
        (f"f32[]={tmp_path / 'absent.npy'}", "cannot read"),
    ):
        with pytest.raises(GpuccError, match=message):
            make_value(parse_argument(text), 0, "--arg 1")
    path.write_bytes(b"not an array")
    with pytest.raises(GpuccError, match=r"is not a \.npy file"):
        make_value(parse_argument(f"f32[]={path}"), 0)
    np.save(path, np.array([{}], object))
    with pytest.raises(GpuccError, match=r"is not a \.npy file"):
        make_value(parse_argument(f"f32[]={path}"), 0)


# --- the command ----------------------------------------------------------------------------------

SAXPY = """
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""


class Saxpy:
    """Plays the GPU: does on the host what the kernel above does."""

    arch = "sm_90a"
    notice = ""
    jobs: list = []  # noqa: RUF012

    def __init__(self, target=None, options=None):
        pass

    def build(self, source, arch, passes):
        return build(source, arch, passes)

    def signatures(self, image):
        return image.signatures

    def run(self, job):
        bind(job.image.signatures[job.symbol], job.arguments)
        n, a, x, y = job.arguments
        result = y.copy()
        result.reshape(-1)[:n] += np.float32(a) * x.reshape(-1)[:n]
        self.jobs.append(job)
        timing = Timing((0.25,) * job.repeats) if job.repeats else None
        return execute.Outcome({3: result}, timing)


@pytest.fixture
def gpu(monkeypatch):
    Saxpy.jobs.clear()
    monkeypatch.setattr(execute, "find_executor", Saxpy)


@pytest.fixture(scope="module")
def saxpy(tmp_path_factory):
    """The kernel as PTX: compiled once, and its C++ name still tells the types."""
    source = tmp_path_factory.mktemp("saxpy") / "saxpy.cu"
    source.write_text(SAXPY)
    ptx = source.with_suffix(".ptx")
    compile_files([source], ptx, archs=["sm_90"])
    return ptx


def run(*words):
    return CliRunner().invoke(command, [str(word) for word in words], standalone_mode=False)


BASIC = ("--grid", "4", "--block", "256", "--arg", "i32=6", "--arg", "f32=2")
ARRAYS = ("--arg", "f32[2,4]=arange", "--arg", "f32[8]=ones")


@pytest.mark.usefixtures("gpu")
def test_prints_what_the_kernel_wrote_and_the_time(saxpy):
    done = run(saxpy, *BASIC, *ARRAYS)
    assert done.exception is None
    assert done.output == (
        "4: f32[8] =\n   [ 1.  3.  5.  7.  9. 11.  1.  1.]\n"
        "saxpy<<<4, 256>>>: median 0.2500 ms, best 0.2500 ms of 10 runs\n"
    )
    assert Saxpy.jobs[0].image.arch == "sm_90a"


@pytest.mark.usefixtures("gpu")
def test_saves_instead_of_printing(saxpy, tmp_path):
    saved = tmp_path / "y.npy"
    done = run(saxpy, *BASIC, *ARRAYS, "--save", f"4={saved}", "--repeat", "0")
    assert (done.exception, done.output) == (None, "")
    assert np.load(saved).tolist() == [1, 3, 5, 7, 9, 11, 1, 1]
    assert [p.name for p in tmp_path.iterdir() if "gpucc" in p.name] == []


@pytest.mark.usefixtures("gpu")
def test_large_arrays_are_shortened(saxpy):
    done = run(saxpy, *BASIC, "--arg", "f32[4096]=zeros", "--arg", "f32[4096]=arange")
    assert "[0.000e+00 1.000e+00 2.000e+00 ... 4.093e+03 4.094e+03 4.095e+03]" in done.output


@pytest.mark.usefixtures("gpu")
def test_random_arguments_differ_and_repeat(saxpy):
    words = (saxpy, *BASIC, "--arg", "f32[8]=rand", "--arg", "f32[8]=rand")
    for seed in ("1", "1", "2"):
        assert run(*words, "--seed", seed).exception is None
    first, again, other = (job.arguments for job in Saxpy.jobs)
    assert (first[2] != first[3]).all()
    assert (first[3] == again[3]).all()
    assert (first[3] != other[3]).all()


@pytest.mark.usefixtures("gpu")
def test_geometry_in_three_dimensions(saxpy):
    done = run(
        saxpy, "--grid", "4,2", "--block", "8x8x2", "--shared", "64", "--cluster", "2",
        "--arg", "i32=1", "--arg", "f32=1", *ARRAYS,
    )  # fmt: skip
    assert "saxpy<<<(4, 2), (8, 8, 2), 64>>>" in done.output
    assert Saxpy.jobs[0].geometry.cluster == (2, 1, 1)


@pytest.mark.usefixtures("gpu")
def test_the_sign_of_an_integer_does_not_matter_its_size_does(saxpy):
    words = ("--grid", "1", "--block", "32", "--arg", "f32=1", *ARRAYS)
    assert run(saxpy, *words[:4], "--arg", "u32=3", *words[4:]).exception is None
    for number in ("i64=3", "f32=3", "u8=3"):
        done = run(saxpy, *words[:4], "--arg", number, *words[4:])
        assert re.match(rf"--arg 1: {number}(\.0)? is not what parameter 1 \(int\)",
                        done.exception.message)  # fmt: skip
        assert done.exception.hint == "i32=…"


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--arg", "f64[8]=rand", "--arg", "f32[8]=ones"), r"--arg 3: f64\[8\]=rand is not what"),
        (("--arg", "f32[8]=rand"), r"saxpy takes 4 arguments, 3 given"),
        (("--arg", "f32=1", "--arg", "f32[8]=ones"), r"--arg 3: f32=1.0 is not what parameter 3"),
        ((*ARRAYS, "--kernel", "axpy"), "no kernel 'axpy'"),
        ((*ARRAYS, "--save", "3=x.npy"), "--save 3: the kernel does not write this argument"),
        ((*ARRAYS, "--save", "4=/nonexistent/x.npy"), "cannot write /nonexistent/x.npy"),
        ((*ARRAYS, "--passes", "absent"), "unknown pass 'absent'"),
    ],
)
def test_mistakes(saxpy, words, message):
    done = run(saxpy, *BASIC, *words)
    assert isinstance(done.exception, GpuccError)
    assert re.search(message, done.exception.message)


@pytest.mark.usefixtures("gpu")
def test_a_file_with_several_kernels_needs_a_name(tmp_path):
    path = tmp_path / "two.cu"
    path.write_text(SAXPY + "__global__ void other(float* x) {}\n")
    words = (*BASIC, *ARRAYS)
    done = run(path, *words)
    assert "has 2 kernels" in done.exception.message
    assert "saxpy" in done.exception.hint
    assert run(path, *words, "--kernel", "saxpy").exception is None


@pytest.mark.parametrize(
    "words",
    [
        ("--grid", "4"),
        ("--block", "4"),
        ("--arg", "i32=1"),
        ("--grid", "0", "--block", "4"),
        ("--grid", "1,2,3,4", "--block", "4"),
        ("--grid", "4", "--block", "x"),
        ("--grid", "1", "--block", "1", "--", "more"),
        ("--grid", "1", "--block", "1", "--save", "1"),
        ("--grid", "1", "--block", "1", "--save", "1=x.npy"),
        ("--grid", "1", "--block", "1", "--repeat", "-1"),
        ("--grid", "1", "--block", "1", "--shared", "-1"),
    ],
)
def test_wrong_command_lines(words):
    import click

    assert isinstance(run("k.cu", *words).exception, click.UsageError)


# --- programs -------------------------------------------------------------------------------------

PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <csignal>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::printf("%s;", argv[i]);
  std::fflush(stdout);
  if (argc > 2) std::raise(SIGKILL);
  return argc == 1 ? 0 : std::atoi(argv[1]);
}
"""


def test_a_program_gets_its_arguments_and_hands_on_its_status(tmp_path, monkeypatch, capfd):
    from gpucc import toolchain

    monkeypatch.setattr(toolchain, "gpu_arch", lambda: "sm_90")
    path = tmp_path / "program.cu"
    path.write_text(PROGRAM)
    statuses = [
        run(path, *words).return_value for words in ((), ("--", "7"), ("--", "--grid", "a b"))
    ]
    assert statuses == [0, 7, 128 + 9]
    assert capfd.readouterr().out == "7;--grid;a b;"


def test_a_program_that_is_not_there_is_told_before_any_gpu_is_looked_for():
    error = run("absent.cu").exception
    assert isinstance(error, GpuccError)
    assert error.message == "absent.cu: no such file"


def test_without_a_gpu(tmp_path):
    """Through the whole program: exit status 1, an error with a hint, no traceback."""
    from gpucc import toolchain

    if toolchain.gpu_arch() is not None:
        pytest.skip("there is a GPU here")
    saxpy = tmp_path / "saxpy.cu"
    saxpy.write_text(SAXPY)
    for words in ((*BASIC, *ARRAYS, "--target=gpu"), ("--target=gpu",)):
        done = subprocess.run(
            [sys.executable, "-c", "from gpucc.cli import main; main()", "run", saxpy, *words],
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[2],
            check=False,
        )
        assert done.returncode == 1
        assert re.search(r"^error: .*(no GPU|not installed)", done.stderr)
        assert "hint: " in done.stderr
        assert "Traceback" not in done.stderr


def test_without_a_gpu_a_kernel_runs_on_the_cpu_and_says_so(saxpy):
    result = run(str(saxpy), *BASIC, *ARRAYS, "--target=cpu")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("note: there is no GPU in use: this runs on the CPU\n")
    assert "[ 1.  3.  5.  7.  9. 11.  1.  1.]" in result.stdout.replace("\n", " ")


def test_the_cpu_takes_no_machine_code_for_gpus(saxpy, tmp_path):
    cubin = tmp_path / "saxpy.cubin"
    compile_files([saxpy], cubin, archs=["sm_90"])
    result = run(str(cubin), *BASIC, *ARRAYS, "--target=cpu")
    assert "is machine code for a GPU; the CPU target takes PTX" in str(result.exception)
