"""kesco on host IR that no ordinary source gives, and the reading of larger programs."""

from pathlib import Path

import pytest

from gpucc.analysis.access import Access, KernelAccess, ParamAccess
from gpucc.driver import Emit, compile_files
from gpucc.host.effects import Effects
from gpucc.host.ir import Instr
from gpucc.host.module import HostModule
from gpucc.passes.kesco import Kesco
from gpucc.passmanager import Context, Target

FACTS = {
    "k": KernelAccess("k", (ParamAccess(0, "p", 8, Access.READ | Access.WRITE),)),
}
_NULLS = ", ".join(["ptr null"] * 5)
HEAD = f"""\
target triple = "x86_64-pc-linux-gnu"
@array = global [8 x i32] zeroinitializer
@name = private unnamed_addr constant [2 x i8] c"k\\00"
@text = private unnamed_addr constant [23 x i8] c"say @cudaLaunchKernel(\\00"
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaDeviceSynchronize()
declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64, ptr)
declare i32 @__cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
declare void @__cudaRegisterFunction(ptr, ptr, ptr, ptr, i32, ptr, ptr, ptr, ptr, ptr)
declare i32 @printf(ptr, ...)
define void @k(ptr %0) {{
  %2 = call i32 @__cudaLaunchKernel(ptr @k, i64 1, i32 1, i64 1, i32 1, ptr null, i64 0, ptr null)
  ret void
}}
define internal void @register(ptr %0) {{
  call void @__cudaRegisterFunction(ptr %0, ptr @k, ptr @name, ptr @name, i32 -1, {_NULLS})
  ret void
}}
"""
LAUNCH = """\
  %x{n} = load ptr, ptr %{v}
  %c{n} = call i32 @__cudaPushCallConfiguration(i64 1, i32 1, i64 1, i32 1, i64 0, ptr null)
  %t{n} = icmp ne i32 %c{n}, 0
  br i1 %t{n}, label %e{n}, label %d{n}

d{n}:
  call void @k(ptr %x{n})
  br label %e{n}

e{n}:
"""


def _remarks(between="", before="", more=""):
    """Run kesco over two independent launches with something before or between them."""
    body = (
        "define void @work(ptr %f) {\n  %a = alloca ptr\n  %b = alloca ptr\n"
        "  %m1 = call i32 @cudaMalloc(ptr %a, i64 64)\n"
        "  %m2 = call i32 @cudaMalloc(ptr %b, i64 64)\n"
        f"{before}{LAUNCH.format(n=1, v='a')}{between}{LAUNCH.format(n=2, v='b')}  ret void\n}}\n"
    )
    host = HostModule.parse(HEAD + more + body, "a.ll")
    result = Kesco().run(host, FACTS, Context(Target("sm_90")))
    return [remark for remark in result.remarks if remark.kind == "changed"], result.ir.text


def test_the_text_itself_is_scheduled():
    """What the refusals below are measured against."""
    changed, text = _remarks()
    assert len(changed) == 2
    assert 'c"say @cudaLaunchKernel(\\00"' in text
    assert text.count("call i32 @gpucc_rt_push(") == 2
    assert text.count("call i32 @gpucc_rt_launch(ptr @__cudaLaunchKernel, ") == 1


@pytest.mark.parametrize(
    "between",
    [
        '  %z = call i32 asm sideeffect "rdtsc", "={ax}"()\n',
        "  call void %f()\n",
        "  call void inttoptr (i64 4096 to ptr)()\n",
        "  fence seq_cst\n",
        "  store atomic i32 1, ptr @array release, align 4\n",
        "  %z = load atomic i32, ptr @array acquire, align 4\n",
        "  %z = atomicrmw add ptr @array, i32 1 seq_cst\n",
        "  %z = cmpxchg ptr @array, i32 0, i32 1 seq_cst seq_cst\n",
    ],
)
def test_what_may_order_work_ends_a_region(between):
    assert _remarks(between)[0] == []


@pytest.mark.parametrize(
    "between",
    [
        '  call void asm sideeffect "", "~{memory}"()\n',
        "  %z = call i32 (ptr, ...) @printf(ptr @text)\n",
        "  %z = load volatile i32, ptr @array\n",
    ],
)
def test_what_orders_nothing_does_not(between):
    assert len(_remarks(between)[0]) == 2


@pytest.mark.parametrize(
    "before",
    [
        "  store ptr getelementptr inbounds (i8, ptr @array, i64 4), ptr %a, align 8\n",
        "  store i64 12345, ptr %a, align 8\n",
        "  store volatile ptr %a, ptr @array\n",
        "  %z = select i1 true, ptr %a, ptr %b\n",
        "  %z = atomicrmw xchg ptr %a, ptr null seq_cst\n",
        "  %z = ptrtoint ptr %a to i64\n",
        "  %z = getelementptr i8, ptr %a, i64 8\n",
        '  call void asm "movq $$0, $0", "=*m"(ptr elementtype(ptr) %a)\n',
    ],
)
def test_a_variable_that_others_may_change_is_not_traced(before):
    assert _remarks(before=before)[0] == []


def test_recursion_does_not_hide_what_a_function_does():
    more = (
        "define internal void @ping() {\n  call void @pong()\n"
        "  %1 = call i32 @cudaDeviceSynchronize()\n  ret void\n}\n"
        "define internal void @pong() {\n  call void @ping()\n  ret void\n}\n"
        "define void @first() {\n  call void @ping()\n  ret void\n}\n"
    )
    for callee in ("ping", "pong", "first"):
        assert _remarks(f"  call void @{callee}()\n", more=more)[0] == []


def test_a_weak_function_may_be_another_one():
    weak = "define weak void @hook() {\n  ret void\n}\n"
    assert _remarks("  call void @hook()\n", more=weak)[0] == []
    same = "define weak_odr void @hook() {\n  ret void\n}\n"
    assert len(_remarks("  call void @hook()\n", more=same)[0]) == 2


@pytest.mark.parametrize("name", ["thrust.cu"])
def test_every_call_of_a_larger_program_is_read(tmp_path, name):
    """Thrust, exceptions, lambdas, switches: as many calls are read as LLVM counts."""
    import llvmlite.binding as llvm

    source = Path(__file__).parents[2] / "bench" / "corpus" / "sources" / name
    made = tmp_path / "host.ll"
    compile_files([source], made, emit=Emit.HOST_IR, archs=["sm_90"], flags=["-std=c++17"])
    host = HostModule.parse(made.read_text(), str(made))
    module = llvm.parse_assembly(host.text)
    wanted = {
        function.name: [i.opcode for b in function.blocks for i in b.instructions]
        for function in module.functions
        if not function.is_declaration
    }
    assert len(wanted) > 10
    assert _counts(host) == {
        name: sum(opcode in ("call", "invoke") for opcode in opcodes)
        for name, opcodes in wanted.items()
    }


def _counts(host):
    return {
        function.name: sum(i.kind == "call" for i in function.instructions())
        for function in host.functions
    }


def test_a_coroutine_may_suspend_anywhere_so_it_is_not_passive() -> None:
    suspend = Instr(0, "call", "%1", callee="@llvm.coro.suspend")
    assert not Effects({}).of(suspend).passive
    assert Effects({}).of(Instr(0, "call", "", callee="@llvm.lifetime.start.p0")).passive
