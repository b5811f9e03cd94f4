// CUTLASS 2.x GEMM on mma.sync; the tile shape is CORPUS_M x CORPUS_N x 32.
#include <cutlass/gemm/device/gemm.h>
#ifndef CORPUS_M
#define CORPUS_M 128
#endif
#ifndef CORPUS_N
#define CORPUS_N 128
#endif
using Element = cutlass::half_t;
using Gemm = cutlass::gemm::device::Gemm<
    Element, cutlass::layout::RowMajor, Element, cutlass::layout::ColumnMajor, float, cutlass::layout::RowMajor, float,
    cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, cutlass::gemm::GemmShape<CORPUS_M, CORPUS_N, 32>, cutlass::gemm::GemmShape<CORPUS_M / 2, CORPUS_N / 2, 32>,
    cutlass::gemm::GemmShape<16, 8, 16>, cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3>;
cutlass::Status run(Gemm::Arguments const &arguments) { Gemm gemm; return gemm(arguments); }
