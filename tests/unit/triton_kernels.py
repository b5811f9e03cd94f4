"""Triton kernels that tests compile; Triton wants them in a file."""

import triton
import triton.language as tl


@triton.jit
def matmul(
    a_ptr, b_ptr, c_ptr, rows, columns, depth, sam, sak, sbk, sbn, scm, scn,
    bm: tl.constexpr, bn: tl.constexpr, bk: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0) * bm + tl.arange(0, bm)
    column = tl.program_id(1) * bn + tl.arange(0, bn)
    inner = tl.arange(0, bk)
    a_at = a_ptr + row[:, None] * sam + inner[None, :] * sak
    b_at = b_ptr + inner[:, None] * sbk + column[None, :] * sbn
    total = tl.zeros((bm, bn), dtype=tl.float32)
    for k in range(tl.cdiv(depth, bk)):
        a = tl.load(a_at, mask=inner[None, :] < depth - k * bk, other=0.0)
        b = tl.load(b_at, mask=inner[:, None] < depth - k * bk, other=0.0)
        total = tl.dot(a, b, total)
        a_at += bk * sak
        b_at += bk * sbk
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    to = c_ptr + row[:, None] * scm + column[None, :] * scn
    tl.store(to, total.to(tl.float16), mask=inside)


@triton.jit
def gather_bytes(data_ptr, index_ptr, out_ptr, count, block: tl.constexpr):
    """Index bytes with 64-bit numbers: nothing scales these before they meet the pointer."""
    at = tl.program_id(0) * block + tl.arange(0, block)
    index = tl.load(index_ptr + at, mask=at < count, other=0)
    tl.store(out_ptr + at, tl.load(data_ptr + index, mask=at < count, other=0), mask=at < count)
