"""Occupancy against NVIDIA's own calculator, compiled here, and against published examples."""

import ctypes
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from gpucc import toolchain
from gpucc.errors import GpuccError
from gpucc.models.devices import ARCHITECTURES, BOARDS, architecture, min_ptx, runs_on
from gpucc.models.occupancy import Limit, max_dynamic_shared, occupancy

REFERENCE = """
#include <climits>
#include <cuda_occupancy.h>
extern "C" int blocks(int major, int minor, int threads_per_sm, int shared_per_sm, int optin,
                      int reserved, int block, int registers, int fixed, int dynamic, int barriers,
                      unsigned* limits) {
  cudaOccDeviceProp p;
  p.computeMajor = major; p.computeMinor = minor; p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiprocessor = threads_per_sm; p.regsPerBlock = 65536;
  p.regsPerMultiprocessor = 65536; p.warpSize = 32; p.sharedMemPerBlock = 49152;
  p.sharedMemPerMultiprocessor = shared_per_sm; p.numSms = 1; p.sharedMemPerBlockOptin = optin;
  p.reservedSharedMemPerBlock = reserved;
  cudaOccFuncAttributes a;
  a.maxThreadsPerBlock = 1024; a.numRegs = registers; a.sharedSizeBytes = fixed;
  a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN; a.maxDynamicSharedSizeBytes = dynamic;
  a.numBlockBarriers = barriers;
  cudaOccDeviceState s; cudaOccResult r;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &s, block, dynamic)) return -1;
  *limits = r.limitingFactors;
  return r.activeBlocksPerMultiprocessor;
}
"""
BITS = {
    Limit.WARPS: 1,
    Limit.REGISTERS: 2,
    Limit.SHARED: 4,
    Limit.BLOCKS: 8,
    Limit.BARRIERS: 16,
}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """NVIDIA's calculator as a function, built from the header that comes with the toolkit."""
    # CUDA 13.0's header gave sm_103 twice its barriers; the wheel's is mended.
    headers = [kit.root / "include" for kit in toolchain.toolkits() if kit.origin == "wheel"]
    header = next((h for h in headers if (h / "cuda_occupancy.h").exists()), None)
    if header is None or shutil.which("g++") is None:
        pytest.skip("needs g++ and cuda_occupancy.h (nvidia-cuda-runtime 13.5)")
    folder: Path = tmp_path_factory.mktemp("occupancy")
    (folder / "reference.cpp").write_text(REFERENCE)
    library = folder / "reference.so"
    subprocess.run(
        ["g++", "-O1", "-shared", "-fPIC", "-I", header, folder / "reference.cpp", "-o", library],
        check=True,
    )
    return ctypes.CDLL(str(library)).blocks


def ask(reference, arch, block, registers, fixed, dynamic, barriers):
    limits = ctypes.c_uint()
    blocks = reference(
        *arch.compute_capability,
        arch.threads_per_sm,
        arch.shared_per_sm,
        arch.shared_per_block,
        arch.reserved_shared_per_block,
        block,
        registers,
        fixed,
        dynamic,
        barriers,
        ctypes.byref(limits),
    )
    assert blocks >= 0
    return blocks, limits.value


@pytest.mark.parametrize("name", list(ARCHITECTURES))
def test_agrees_with_nvidias_calculator(reference, name):
    arch = ARCHITECTURES[name]
    draw = random.Random(name)
    for _ in range(4000):
        block = draw.choice([draw.randint(1, 1024), 32 * draw.randint(1, 32), 1056])
        registers = draw.choice([draw.randint(1, 255), 256, 257, 16, 32, 64, 128])
        fixed = draw.choice([0, draw.randint(0, 48 * 1024)])
        dynamic = draw.choice([0, draw.randint(0, 230 * 1024), draw.randint(0, 16 * 1024)])
        barriers = draw.choice([0, 1, 1, 2, 5, 16])
        expected, limits = ask(reference, arch, block, registers, fixed, dynamic, barriers)
        ours = occupancy(
            arch,
            block_threads=block,
            registers=registers,
            static_shared=fixed,
            dynamic_shared=dynamic,
            barriers=barriers,
        )
        case = (block, registers, fixed, dynamic, barriers)
        assert ours.blocks == expected, case
        # The reference keeps the other limits' flags when barriers turn out to bind harder.
        if Limit.BARRIERS not in ours.limits:
            assert sum(BITS[limit] for limit in ours.limits) == limits, case


def test_hopper_worked_example():
    """256 threads of 64 registers: 8 warps x 2048 registers, so 4 blocks fill the register file."""
    result = occupancy(architecture("sm_90a"), block_threads=256, registers=64)
    assert (result.blocks, result.warps, result.fraction) == (4, 32, 0.5)
    assert result.limits == (Limit.REGISTERS,)


def test_shared_memory_limits_and_does_not_fit():
    arch = architecture("sm_90")
    assert occupancy(arch, block_threads=128, registers=32, static_shared=48 * 1024).blocks == 4
    assert occupancy(arch, block_threads=128, registers=32, dynamic_shared=227 * 1024).blocks == 1
    beyond = occupancy(arch, block_threads=128, registers=32, dynamic_shared=227 * 1024 + 1)
    assert beyond.blocks == 0
    assert beyond.limits == (Limit.SHARED,)


@pytest.mark.parametrize("name", list(ARCHITECTURES))
def test_max_dynamic_shared_is_the_edge(name):
    arch = ARCHITECTURES[name]
    for blocks in range(1, arch.blocks_per_sm + 1):
        room = max_dynamic_shared(arch, blocks=blocks, static_shared=100)
        assert room is not None

        def fits(dynamic):
            return occupancy(
                arch,
                block_threads=32,
                registers=1,
                static_shared=100,
                dynamic_shared=dynamic,
            ).blocks

        assert fits(room) >= blocks
        assert fits(room + 1) < blocks


def test_max_dynamic_shared_says_when_nothing_fits():
    assert max_dynamic_shared(architecture("sm_75"), blocks=16, static_shared=4097) is None


def test_table_knows_suffixes():
    assert architecture("sm_90a").clusters
    assert min_ptx("sm_90") == (7, 8)
    assert min_ptx("sm_90a") == (8, 0)
    assert min_ptx("compute_100f") == (8, 8)
    for unknown in ("sm_89a", "sm_90f", "sm_91", "sm90", "gfx90a", "sm_1"):
        with pytest.raises(GpuccError, match="unknown architecture"):
            architecture(unknown)


def test_boards_name_architectures_of_the_table():
    assert all(board.arch in ARCHITECTURES for board in BOARDS.values())


def test_nonsense_is_refused():
    with pytest.raises(GpuccError):
        occupancy(architecture("sm_80"), block_threads=0, registers=1)
    with pytest.raises(GpuccError):
        occupancy(architecture("sm_80"), block_threads=1, registers=1, dynamic_shared=-1)


def test_ptxas_agrees_on_the_first_ptx_version(tmp_path):
    """The table's least PTX version is accepted by ptxas, the one before is refused."""
    ptxas = toolchain.require("ptxas")
    versions = [(6, 2), (6, 3), (6, 5), (7, 0), (7, 1), (7, 3), (7, 4), (7, 7), (7, 8), (8, 0)]
    versions += [(8, 5), (8, 6), (8, 7), (8, 8), (9, 0)]
    for name, row in ARCHITECTURES.items():
        for suffix in ("", *row.features):
            least = min_ptx(name + suffix)
            before = versions[versions.index(least) - 1]
            for version, accepted in ((before, False), (least, True)):
                source = tmp_path / "probe.ptx"
                source.write_text(
                    f".version {version[0]}.{version[1]}\n.target {name}{suffix}\n"
                    ".address_size 64\n.entry k() { ret; }\n"
                )
                done = subprocess.run(
                    [ptxas, f"-arch={name}{suffix}", source, "-o", "/dev/null"],
                    capture_output=True,
                    check=False,
                )
                if (name, accepted) == ("sm_88", False):
                    continue  # ptxas 13.0 takes it from PTX 8.8 on, 13.5 from 9.0 on
                assert (done.returncode == 0) == accepted, (name, suffix, version)


@pytest.mark.parametrize(
    ("cubin", "gpu", "runs"),
    [
        ("sm_80", "sm_80", True),
        ("sm_80", "sm_86", True),
        ("sm_86", "sm_80", False),
        ("sm_80", "sm_90a", False),
        ("sm_90a", "sm_90a", True),
        ("sm_90", "sm_90a", True),
        ("sm_100a", "sm_103a", False),
        ("sm_100f", "sm_103a", True),
        ("sm_120", "sm_121a", True),
        ("sm_75", "sm_90a", False),
    ],
)
def test_binary_compatibility(cubin: str, gpu: str, runs: bool) -> None:
    assert runs_on(cubin, gpu) is runs
