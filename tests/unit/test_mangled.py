"""Parameter types from mangled names: as c++filt tells them, or not at all."""

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucc.runtime.mangled import demangle

# From nvcc 13.5; the texts are c++filt's.
MANGLED = {
    "_Z2stPiPVfPPfPvPKvbcahstijlmxyfd": (
        "st(int*, float volatile*, float**, void*, void const*, bool, char, signed char, "
        "unsigned char, short, unsigned short, int, unsigned int, long, unsigned long, long long, "
        "unsigned long long, float, double)"
    ),
    "_Z8variadicIJiPfdEEvDpT_": "variadic<int, float*, double>(int, float*, double)",
    "_Z2fnPFvifEPA4_iP14__nv_bfloat1627__half2P13__nv_fp8_e4m3mlPhy": (
        "fn(void (*)(int, float), int (*) [4], __nv_bfloat162*, __half2, __nv_fp8_e4m3*, "
        "unsigned long, long, unsigned char*, unsigned long long)"
    ),
    "_Z3ttpIN2ns3ArrEiEvT_IT0_Li3EEPS3_": "ttp<ns::Arr, int>(ns::Arr<int, 3>, int*)",
    "_Z3depIfEvN5OuterIT_E5InnerES1_": "dep<float>(Outer<float>::Inner, float)",
    "_Z11constrainedPKfS0_PfS0_": "constrained(float const*, float const*, float*, float const*)",
    "_ZN2ns5in_nsENS_1VEPKS0_NS_4ModeE6float4P6float26uchar4": (
        "ns::in_ns(ns::V, ns::V const*, ns::Mode, float4, float2*, uchar4)"
    ),
    "_ZN2ns2tkI6__halfEEvPT_PKS2_NS_3ArrIS2_Li4EEEPS7_S2_": (
        "ns::tk<__half>(__half*, __half const*, ns::Arr<__half, 4>, ns::Arr<__half, 4>*, __half)"
    ),
    "_ZN2ns39_GLOBAL__N__0a5f1488_7_mang_cu_6fc1ccf24anonEPf": (
        "ns::(anonymous namespace)::anon(float*)"
    ),
    "_ZL6staticv": "static()",
}


@pytest.mark.parametrize("mangled", list(MANGLED))
def test_demangles_what_nvcc_mangles(mangled):
    function = demangle(mangled)
    assert f"{function.name}({', '.join(p.text for p in function.params)})" == MANGLED[mangled]


@pytest.mark.parametrize(
    "mangled", ["saxpy", "_Z3lamILi3ELb1EZ4mainEUlPiE_EvT1_S0_", "_Z", "_Z9short", "_Z1kPS7_", ""]
)
def test_demangling_gives_up_rather_than_guess(mangled):
    assert demangle(mangled) is None


_MEMBERS = ("_ZNK", "_ZNV", "_ZT", "_ZGV")
"""Qualified member functions (c++filt writes that behind the parameters) and tables."""


def test_demangles_a_library_as_cxxfilt_does():
    """Every function of the C++ library: the same text, or none."""
    tools = shutil.which("nm"), shutil.which("c++filt"), shutil.which("g++")
    if None in tools:
        pytest.skip("needs nm, c++filt and g++")
    library = subprocess.run(
        ["g++", "-print-file-name=libstdc++.so.6"], capture_output=True, text=True, check=True
    ).stdout.strip()
    table = subprocess.run(["nm", "-D", library], capture_output=True, text=True, check=True)
    names = sorted({line.split()[-1].partition("@")[0] for line in table.stdout.splitlines()})
    names = [n for n in names if n.startswith("_Z") and not n.startswith(_MEMBERS)]
    shown = subprocess.run(
        ["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    understood = 0
    for name, expected in zip(names, shown, strict=True):
        if (function := demangle(name)) is not None:
            ours = f"{function.name}({', '.join(p.text for p in function.params)})"
            assert expected == ours or expected.endswith(f" {ours}"), name
            understood += 1
    assert understood > 500


@given(st.text("_ZNKPSTIEJLDpvifdcbs0123456789ns", max_size=30))
def test_demangling_never_crashes(tail):
    demangle(f"_Z{tail}")
