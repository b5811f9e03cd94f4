// CUTLASS 3.x GEMM on Blackwell's tensor cores (tcgen05, tensor memory), by the collective builders.
#include <cutlass/cutlass.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#ifndef CORPUS_TYPE
#define CORPUS_TYPE cutlass::half_t
#endif
using namespace cute;
using Type = CORPUS_TYPE;
constexpr int align = 128 / cutlass::sizeof_bits<Type>::value;
using BlockTile = Shape<_256, _128, Int<128 / sizeof(Type)>>;
using Cluster = Shape<_2, _1, _1>;
using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, BlockTile, Cluster, cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, cutlass::layout::RowMajor, 4, float, cutlass::layout::RowMajor, 4, cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;
using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Type, cutlass::layout::RowMajor, align, Type, cutlass::layout::ColumnMajor, align, float, BlockTile, Cluster, cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage))>, cutlass::gemm::collective::KernelScheduleAuto>::CollectiveOp;
using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
cutlass::Status run(Gemm::Arguments const &arguments) { Gemm gemm; return gemm(arguments); }
