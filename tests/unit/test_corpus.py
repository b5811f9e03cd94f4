"""A part of the benchmarks' corpus: one module of each kind of producer, made here and checked."""

import hashlib

import pytest

from bench.corpus import check as corpus_check
from bench.corpus.store import CACHE, make


@pytest.fixture(scope="module")
def modules():
    made, failures = make(subset=True)
    assert failures == []
    return made


@pytest.mark.timeout(400)  # the first run compiles all of it
def test_every_module_of_the_part_comes_back_as_it_was(modules, capsys):
    assert {module.producer for module in modules} == {"nvcc", "nvrtc", "numba", "triton", "llvm"}
    assert corpus_check.check(modules, [], keep=False), capsys.readouterr().out


def test_the_manifest_describes_the_files(modules):
    for module in modules:
        data = (CACHE / module.path).read_bytes()
        assert module.bytes == len(data)
        assert module.sha256 == hashlib.sha256(data).hexdigest()


def test_a_lost_instruction_is_noticed(modules, monkeypatch):
    """The check is of use: a structural printer that forgets a store gives other code."""
    module = next(m for m in modules if m.producer == "nvcc" and "loops" in m.name)
    right = corpus_check.print_structure

    def forgetful(parsed):
        lines = right(parsed).splitlines(keepends=True)
        lines.remove(next(line for line in lines if "st.global" in line))
        return "".join(lines)

    assert corpus_check.round_trip(module) == (True, True, "")
    monkeypatch.setattr(corpus_check, "print_structure", forgetful)
    identical, same_code, note = corpus_check.round_trip(module)
    assert (identical, same_code) == (True, False)
    assert ".text." in note
