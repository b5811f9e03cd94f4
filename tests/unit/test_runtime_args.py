"""Arguments to bytes, without a GPU: what is taken, and how what is not is refused."""

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucc.analysis.access import Access, KernelAccess, ParamAccess
from gpucc.cubin import Param
from gpucc.errors import GpuccError
from gpucc.ptx.syntax import parse_signature
from gpucc.runtime.arrays import UnusableArray, interface_view, view_of
from gpucc.runtime.device import stream_handle
from gpucc.runtime.elements import ELEMENTS, decode, element_of, encode, storage
from gpucc.runtime.marshal import ArgumentError, bind
from gpucc.runtime.signature import signature

# --- elements -------------------------------------------------------------------------------------


@given(st.floats(width=32))
def test_bfloat16_without_ml_dtypes(value):
    """Rounding to nearest even, by the definition: no neighbour is nearer."""
    kept = encode(np.float32(value), ELEMENTS["bf16"]).reshape(1)
    bits = kept.view(np.uint16)
    back = float(decode(bits, ELEMENTS["bf16"])[0])
    if np.isnan(value):
        assert np.isnan(back)
        return
    for step in (-1, 1):
        other = float(
            decode((bits + np.uint16(step % 65536)).astype(np.uint16), ELEMENTS["bf16"])[0]
        )
        if np.isfinite(other) and np.isfinite(back):
            assert abs(back - value) <= abs(other - value)


def test_bfloat16_ties_to_even():
    halfway = np.array([0x3F808000, 0x3F818000], np.uint32).view(np.float32)
    bits = encode(halfway, ELEMENTS["bf16"]).view(np.uint16)
    assert bits.tolist() == [0x3F80, 0x3F82]


def test_elements_and_dtypes():
    for element in ELEMENTS.values():
        assert storage(element).itemsize == element.size
    assert element_of(np.float32) is ELEMENTS["f32"]
    assert element_of(np.dtype([("x", np.float32)])) is None


# --- binding --------------------------------------------------------------------------------------


def cpp(symbol, *sizes):
    """A signature as for a kernel of this mangled name, parameters aligned to their sizes."""
    layout, at = [], 0
    for ordinal, size in enumerate(sizes):
        align = min(size & -size, 8)
        at = -(-at // align) * align
        layout.append(Param(ordinal, at, size))
        at += size
    return signature(symbol, layout)


def ptx(text, *sizes, access=None):
    """A signature as for a kernel of this PTX head."""
    head = parse_signature(text)
    plain = cpp("k", *sizes)
    layout = [Param(p.index, p.offset, p.size) for p in plain.params]
    return signature("k", layout, head.params, access)


SAXPY = cpp("_Z5saxpyifPKfPf", 4, 4, 8, 8)


def test_values_stand_where_the_cubin_says():
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    bound = bind(SAXPY, [7, 2.5, x, y])
    values = bound.with_addresses([0x1000, 0x2000])
    assert bytes(values) == (
        np.int32(7).tobytes()
        + np.float32(2.5).tobytes()
        + np.uint64(0x1000).tobytes()
        + np.uint64(0x2000).tobytes()
    )
    read, written = bound.host_arrays
    assert (read.address, read.nbytes, read.copy_back) == (x.ctypes.data, 16, False)
    assert (written.address, written.copy_back) == (y.ctypes.data, True)


def test_arrays_on_the_gpu_are_not_copied():
    on_gpu = SimpleNamespace(
        __cuda_array_interface__={
            "shape": (4,), "typestr": "<f4", "data": (0xABC0, False), "version": 3, "stream": 7,
        }
    )  # fmt: skip
    bound = bind(SAXPY, [4, 1.0, on_gpu, on_gpu])
    assert bound.host_arrays == ()
    assert bound.values[8:16] == np.uint64(0xABC0).tobytes()
    assert bound.streams == {7}


def test_an_array_passed_twice_is_copied_once():
    x = np.zeros(4, np.float32)
    (only,) = bind(SAXPY, [4, 1.0, x, x]).host_arrays
    assert only.offsets == (8, 16)
    assert only.copy_back


def test_overlapping_arrays_are_refused():
    x = np.zeros(8, np.float32)
    with pytest.raises(ArgumentError, match="overlap in host memory"):
        bind(SAXPY, [4, 1.0, x[:4], x[2:6]])
    bind(SAXPY, [4, 1.0, x[:4], x[4:]])


def test_empty_arrays_and_null_pointers():
    bound = bind(SAXPY, [0, 1.0, np.zeros(0, np.float32), None])
    assert bound.values[8:] == bytes(16)
    assert bound.host_arrays == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([7, 2.5, None], r"takes 4 arguments, 3 given, none for parameter 4 \(float\*\)"),
        ([7, 2.5, None, None, None], "takes 4 arguments, 5 given"),
        ([7.0, 2.5, None, None], r"saxpy: parameter 1 \(int\): takes an integer, got a float"),
        ([2**31, 2.5, None, None], r"parameter 1 \(int\): 2147483648 does not fit"),
        ([np.int64(7), 2.5, None, None], r"parameter 1 \(int\): got a NumPy int64 of 8 bytes"),
        ([np.uint32(7), 2.5, None, None], r"parameter 1 \(int\): got a NumPy uint32"),
        ([7, np.float64(2.5), None, None], r"parameter 2 \(float\): got a NumPy float64"),
        ([7, "2", None, None], r"parameter 2 \(float\): takes a number, got a str"),
        ([7, 1e300, None, None], r"parameter 2 \(float\): 1e\+300 is too large"),
        ([7, 10**400, None, None], r"parameter 2 \(float\): 1000.* is too large"),
        ([7, 2.5, np.zeros(4), None], r"takes an array of float32, got NumPy float64\[4\]"),
        ([7, 2.5, np.zeros(4, np.int32), None], r"got NumPy int32\[4\]"),
        ([7, 2.5, np.zeros((4, 4), np.float32)[:, 1], None], "gaps or permuted axes"),
        ([7, 2.5, np.zeros(4, ">f4"), None], "other byte order"),
        ([7, 2.5, [1.0, 2.0], None], r"parameter 3 \(float const\*\): takes an array, got a list"),
        ([7, 2.5, 0xABC0, None], "takes an array, got the number 43968"),
    ],
)  # fmt: skip
def test_wrong_arguments_name_the_parameter(arguments, message):
    with pytest.raises(ArgumentError, match=message) as caught:
        bind(SAXPY, arguments)
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, GpuccError)


def test_read_only_arrays_go_where_nothing_is_written():
    x = np.zeros(4, np.float32)
    x.flags.writeable = False
    bind(SAXPY, [4, 1.0, x, None])
    with pytest.raises(ArgumentError, match="read-only, and the kernel may write"):
        bind(SAXPY, [4, 1.0, None, x])


def test_addresses():
    bound = bind(SAXPY, [1, 1.0, np.uintp(0xABC0), ctypes.c_void_p(0xDEF0)])
    assert bound.values[8:] == np.array([0xABC0, 0xDEF0], np.uint64).tobytes()


def test_numbers_of_exactly_the_type():
    numbers = cpp("_Z1kbahstijlmfd", 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8)
    values = [True, -1, 255, -2, 65535, -3, 2**32 - 1, -4, 2**64 - 1, 0.5, 0.25]
    typed = [
        np.bool_(1), np.int8(-1), np.uint8(255), np.int16(-2), np.uint16(65535), np.int32(-3),
        np.uint32(2**32 - 1), np.int64(-4), np.uint64(2**64 - 1), np.float32(0.5), np.float64(0.25),
    ]  # fmt: skip
    assert bind(numbers, values).values == bind(numbers, typed).values
    foreign = [
        ctypes.c_bool(1), ctypes.c_int8(-1), ctypes.c_uint8(255), ctypes.c_short(-2),
        ctypes.c_ushort(65535), ctypes.c_int(-3), ctypes.c_uint(2**32 - 1), ctypes.c_long(-4),
        ctypes.c_ulong(2**64 - 1), ctypes.c_float(0.5), ctypes.c_double(0.25),
    ]  # fmt: skip
    assert bind(numbers, foreign).values == bind(numbers, values).values
    assert bind(numbers, [np.array(v) for v in typed]).values == bind(numbers, values).values


def test_bool_takes_no_other_number():
    one = cpp("_Z1kb", 1)
    with pytest.raises(ArgumentError, match="2 does not fit"):
        bind(one, [2])


def test_half_precision_scalars():
    halves = cpp("_Z1k6__half13__nv_bfloat16", 2, 2)
    assert bind(halves, [1.5, 1.5]).values == np.array([0x3E00, 0x3FC0], np.uint16).tobytes()
    with pytest.raises(ArgumentError, match=r"70000\.0 is too large for float16"):
        bind(halves, [70000.0, 1.0])


def test_structures_by_value():
    struct = ptx(".entry k(.param .align 8 .b8 s[24], .param .u32 n)", 24, 4)

    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_double), ("c", ctypes.c_char)]

    record = np.zeros((), np.dtype([("a", "f4"), ("b", "f8"), ("c", "i1")], align=True))
    record["a"], record["b"], record["c"] = 1.5, 2.5, 7
    pair = Pair(1.5, 2.5, bytes([7]))
    expected = bytes(pair)
    for value in (pair, record, record[()], expected, bytearray(expected), memoryview(expected)):
        assert bind(struct, [value, 1]).values[:24] == expected
    with pytest.raises(ArgumentError, match=r"parameter 1 's' .*takes 24 bytes, got 23"):
        bind(struct, [expected[:-1], 1])
    with pytest.raises(ArgumentError, match="takes 24 bytes, got a float"):
        bind(struct, [1.0, 1])


def test_vector_types():
    vectors = cpp("_Z1k6float4P6float4P6float2", 16, 8, 8)
    four = np.arange(4, dtype=np.float32)
    x, z = np.zeros(8, np.float32), np.zeros(3, np.complex64)
    bound = bind(vectors, [four, x, z])
    assert bound.values[:16] == four.tobytes()
    with pytest.raises(ArgumentError, match="not a whole number of 16-byte elements"):
        bind(vectors, [four, np.zeros(6, np.float32), z])
    with pytest.raises(ArgumentError, match=r"float32 \(in groups of 2\), got NumPy int32"):
        bind(vectors, [four, x, np.zeros(2, np.int32)])
    unaligned = {"shape": (8,), "typestr": "<f4", "data": (0x1004, False), "version": 2}
    with pytest.raises(ArgumentError, match="not a multiple of 16"):
        bind(vectors, [four, SimpleNamespace(__cuda_array_interface__=unaligned), z])


def test_void_and_class_pointers_take_any_array():
    anything = cpp("_Z1kPvPcPN2ns1VEPPf", 8, 8, 8, 8)
    arrays = [np.zeros(2), np.zeros(3, np.int16), np.zeros(2, "f4,f4"), np.zeros(2, np.uint64)]
    assert len(bind(anything, arrays).host_arrays) == 4


def test_extern_c_kernels_are_checked_by_their_ptx():
    kernel = ptx(".entry k(.param .u64 k_param_0, .param .u32 k_param_1, .param .f32 x)", 8, 4, 4)
    x = np.zeros(4, np.float32)
    bind(kernel, [x, 5, 0.5])
    bind(kernel, [x, -5, 0.5])
    bind(kernel, [x, 2**32 - 1, 0.5])
    bind(kernel, [12345, 5, 0.5])  # a 64-bit integer, for all that the PTX says
    for arguments, message in (
        ([x, 0.5, 0.5], r"parameter 2 \(.u32\): takes an integer, got a float"),
        ([x, np.float32(5), 0.5], r"parameter 2 \(.u32\): got a NumPy float32"),
        ([x, 5, np.int32(1)], r"parameter 3 'x' \(.f32\): got a NumPy int32"),
        ([0.5, 5, 0.5], r"parameter 1 \(.u64\): takes an array or an integer, got a float"),
    ):
        with pytest.raises(ArgumentError, match=message):
            bind(kernel, arguments)


def test_marked_pointers_take_no_integers():
    kernel = ptx(".entry k(.param .u64 .ptr .global .align 4 x)", 8)
    with pytest.raises(ArgumentError, match="takes an array, got the number 5"):
        bind(kernel, [5])


def test_a_cubin_alone_wants_typed_numbers():
    kernel = cpp("k", 8, 4)
    x = np.zeros(4, np.float32)
    assert bind(kernel, [x, np.float32(0.5)]).values[8:] == np.float32(0.5).tobytes()
    with pytest.raises(ArgumentError, match="could mean several things") as caught:
        bind(kernel, [x, 5])
    assert caught.value.hint == "say which: np.float32(…), np.int32(…), np.uint32(…)"
    with pytest.raises(ArgumentError, match="takes 4 bytes, got 8"):
        bind(kernel, [x, np.int64(5)])


def test_access_modes_spare_the_copy_back():
    text = ".entry k(.param .u64 a, .param .u64 b, .param .u64 c)"
    access = KernelAccess(
        "k",
        (
            ParamAccess(0, "a", 8, Access.READ),
            ParamAccess(1, "b", 8, Access.READ | Access.WRITE),
            ParamAccess(2, "c", 8, Access.READ | Access.ESCAPES),
        ),
    )
    arrays = [np.zeros(4, np.float32) for _ in range(3)]
    bound = bind(ptx(text, 8, 8, 8, access=access), arrays)
    assert [a.copy_back for a in bound.host_arrays] == [False, True, True]
    assert [a.copy_back for a in bind(ptx(text, 8, 8, 8), arrays).host_arrays] == [True] * 3


def test_mangled_types_that_do_not_fit_are_not_believed():
    """Numba mangles the types of its arrays, each of which becomes seven parameters."""
    numba = "_ZN8__main__1fB2v2E5ArrayIfLi1E1A7mutable7alignedEi"
    kernel = signature(numba, [Param(i, 8 * i, 8) for i in range(8)])
    assert {p.type.kind for p in kernel.params} == {"bits"}
    wrong_size = signature("_Z1ki", [Param(0, 0, 8)])
    assert wrong_size.params[0].type.kind == "bits"


@given(st.integers(-(2**70), 2**70), st.sampled_from("ahstijlm"))
def test_integers_fit_or_are_refused(value, code):
    kind = {"a": "i1", "h": "u1", "s": "i2", "t": "u2", "i": "i4", "j": "u4", "l": "i8", "m": "u8"}
    dtype = np.dtype(kind[code])
    kernel = cpp(f"_Z1k{code}", dtype.itemsize)
    limits = np.iinfo(dtype)
    if limits.min <= value <= limits.max:
        assert int(np.frombuffer(bind(kernel, [value]).values, dtype)[0]) == value
    else:
        with pytest.raises(ArgumentError, match="does not fit"):
            bind(kernel, [value])


# --- arrays of others -----------------------------------------------------------------------------


class FakeTensor:
    """What is asked of a torch tensor."""

    layout, is_cuda, dtype = "torch.strided", False, "torch.bfloat16"
    shape = (2, 3)

    def data_ptr(self):
        return 0x5000


FakeTensor.__module__ = "torch"


def test_torch_tensor_on_the_host_says_what_to_do():
    with pytest.raises(UnusableArray, match=r"torch bfloat16\[2, 3\] is in host memory") as caught:
        view_of(FakeTensor())
    assert "cuda()" in caught.value.hint


def test_dlpack_of_another_device():
    elsewhere = SimpleNamespace(__dlpack_device__=lambda: (1, 0), __dlpack__=None)
    with pytest.raises(UnusableArray, match="not in memory of an NVIDIA GPU"):
        view_of(elsewhere)


def test_interface_versions():
    old = {"shape": (2, 3), "typestr": "<i8", "data": (64, True), "version": 0}
    view = interface_view(old)
    assert (view.nbytes, view.writable, view.stream, view.on_host) == (48, False, None, False)
    empty = {"shape": (0,), "typestr": "<i8", "data": (None, False), "version": 3}
    assert interface_view(empty).address == 0
    with pytest.raises(UnusableArray, match="mask"):
        interface_view({**old, "mask": object()})


def test_no_array_is_none():
    for value in (1, 2.0, "x", [1], None, b"abc", np.float32(1)):
        assert view_of(value) is None


def test_streams_of_others():
    assert stream_handle(None) == stream_handle(0) == 1
    assert stream_handle(SimpleNamespace(__cuda_stream__=lambda: (0, 77))) == 77
    assert stream_handle(SimpleNamespace(cuda_stream=78)) == 78
    assert stream_handle(SimpleNamespace(ptr=0)) == 1
    with pytest.raises(GpuccError, match="not a CUDA stream: a str"):
        stream_handle("stream")
