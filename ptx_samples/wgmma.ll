; wgmma: Hopper's matrix instruction, by which four warps multiply 64x16 by 16x64 out of shared
; memory.
;
; Shows: wgmma.mma_async with matrix descriptors and 32 accumulators, its fences and groups, and
; the fence between ordinary stores and what the tensor cores read.
;
; Generated from wgmma.cu for sm_90a by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_90a -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK: .target sm_90a
; CHECK-LABEL: .entry {{.*}}matmul
; CHECK: st.shared.{{.*}}32
; CHECK: fence.proxy.async.shared::cta;
; CHECK: wgmma.fence.sync.aligned;
; CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
; CHECK: wgmma.commit_group.sync.aligned;
; CHECK: wgmma.wait_group.sync.aligned 0;
; CHECK: st.global{{(.v2)?}}.b32

; ModuleID = 'wgmma.cu'
source_filename = "wgmma.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.__half = type { i16 }

@_ZZ6matmuliiPK6__halfS1_PfE6tile_a = internal addrspace(3) global [4096 x %struct.__half] undef, align 128
@_ZZ6matmuliiPK6__halfS1_PfE6tile_b = internal addrspace(3) global [4096 x %struct.__half] undef, align 128

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef range(i64 34363932672, 34363949056) i64 @_Z10descriptorPK6__half(ptr noundef %0) local_unnamed_addr #0 {
  %2 = addrspacecast ptr %0 to ptr addrspace(3)
  %3 = ptrtoint ptr addrspace(3) %2 to i64
  %4 = lshr i64 %3, 4
  %5 = and i64 %4, 16383
  %6 = or disjoint i64 %5, 34363932672
  ret i64 %6
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z12multiply_addRA32_fPK6__halfS3_(ptr noundef nonnull align 4 captures(none) dereferenceable(128) %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #1 {
  %4 = load float, ptr %0, align 4, !tbaa !8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %6 = load float, ptr %5, align 4, !tbaa !8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load float, ptr %7, align 4, !tbaa !8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %10 = load float, ptr %9, align 4, !tbaa !8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load float, ptr %11, align 4, !tbaa !8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 20
  %14 = load float, ptr %13, align 4, !tbaa !8
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %16 = load float, ptr %15, align 4, !tbaa !8
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %18 = load float, ptr %17, align 4, !tbaa !8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %20 = load float, ptr %19, align 4, !tbaa !8
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %22 = load float, ptr %21, align 4, !tbaa !8
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %24 = load float, ptr %23, align 4, !tbaa !8
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 44
  %26 = load float, ptr %25, align 4, !tbaa !8
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %28 = load float, ptr %27, align 4, !tbaa !8
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %30 = load float, ptr %29, align 4, !tbaa !8
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %32 = load float, ptr %31, align 4, !tbaa !8
  %33 = getelementptr inbounds nuw i8, ptr %0, i64 60
  %34 = load float, ptr %33, align 4, !tbaa !8
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %36 = load float, ptr %35, align 4, !tbaa !8
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 68
  %38 = load float, ptr %37, align 4, !tbaa !8
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %40 = load float, ptr %39, align 4, !tbaa !8
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 76
  %42 = load float, ptr %41, align 4, !tbaa !8
  %43 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %44 = load float, ptr %43, align 4, !tbaa !8
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 84
  %46 = load float, ptr %45, align 4, !tbaa !8
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %48 = load float, ptr %47, align 4, !tbaa !8
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 92
  %50 = load float, ptr %49, align 4, !tbaa !8
  %51 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %52 = load float, ptr %51, align 4, !tbaa !8
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 100
  %54 = load float, ptr %53, align 4, !tbaa !8
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %56 = load float, ptr %55, align 4, !tbaa !8
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 108
  %58 = load float, ptr %57, align 4, !tbaa !8
  %59 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %60 = load float, ptr %59, align 4, !tbaa !8
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 116
  %62 = load float, ptr %61, align 4, !tbaa !8
  %63 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %64 = load float, ptr %63, align 4, !tbaa !8
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 124
  %66 = load float, ptr %65, align 4, !tbaa !8
  %67 = addrspacecast ptr %1 to ptr addrspace(3)
  %68 = ptrtoint ptr addrspace(3) %67 to i64
  %69 = lshr i64 %68, 4
  %70 = and i64 %69, 16383
  %71 = or disjoint i64 %70, 34363932672
  %72 = addrspacecast ptr %2 to ptr addrspace(3)
  %73 = ptrtoint ptr addrspace(3) %72 to i64
  %74 = lshr i64 %73, 4
  %75 = and i64 %74, 16383
  %76 = or disjoint i64 %75, 34363932672
  %77 = tail call contract { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %71, i64 %76, float %4, float %6, float %8, float %10, float %12, float %14, float %16, float %18, float %20, float %22, float %24, float %26, float %28, float %30, float %32, float %34, float %36, float %38, float %40, float %42, float %44, float %46, float %48, float %50, float %52, float %54, float %56, float %58, float %60, float %62, float %64, float %66) #6
  %78 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 0
  %79 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 1
  %80 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 2
  %81 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 3
  %82 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 4
  %83 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 5
  %84 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 6
  %85 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 7
  %86 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 8
  %87 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 9
  %88 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 10
  %89 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 11
  %90 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 12
  %91 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 13
  %92 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 14
  %93 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 15
  %94 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 16
  %95 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 17
  %96 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 18
  %97 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 19
  %98 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 20
  %99 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 21
  %100 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 22
  %101 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 23
  %102 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 24
  %103 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 25
  %104 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 26
  %105 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 27
  %106 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 28
  %107 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 29
  %108 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 30
  %109 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %77, 31
  store float %78, ptr %0, align 4, !tbaa !8
  store float %79, ptr %5, align 4, !tbaa !8
  store float %80, ptr %7, align 4, !tbaa !8
  store float %81, ptr %9, align 4, !tbaa !8
  store float %82, ptr %11, align 4, !tbaa !8
  store float %83, ptr %13, align 4, !tbaa !8
  store float %84, ptr %15, align 4, !tbaa !8
  store float %85, ptr %17, align 4, !tbaa !8
  store float %86, ptr %19, align 4, !tbaa !8
  store float %87, ptr %21, align 4, !tbaa !8
  store float %88, ptr %23, align 4, !tbaa !8
  store float %89, ptr %25, align 4, !tbaa !8
  store float %90, ptr %27, align 4, !tbaa !8
  store float %91, ptr %29, align 4, !tbaa !8
  store float %92, ptr %31, align 4, !tbaa !8
  store float %93, ptr %33, align 4, !tbaa !8
  store float %94, ptr %35, align 4, !tbaa !8
  store float %95, ptr %37, align 4, !tbaa !8
  store float %96, ptr %39, align 4, !tbaa !8
  store float %97, ptr %41, align 4, !tbaa !8
  store float %98, ptr %43, align 4, !tbaa !8
  store float %99, ptr %45, align 4, !tbaa !8
  store float %100, ptr %47, align 4, !tbaa !8
  store float %101, ptr %49, align 4, !tbaa !8
  store float %102, ptr %51, align 4, !tbaa !8
  store float %103, ptr %53, align 4, !tbaa !8
  store float %104, ptr %55, align 4, !tbaa !8
  store float %105, ptr %57, align 4, !tbaa !8
  store float %106, ptr %59, align 4, !tbaa !8
  store float %107, ptr %61, align 4, !tbaa !8
  store float %108, ptr %63, align 4, !tbaa !8
  store float %109, ptr %65, align 4, !tbaa !8
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @_Z9copy_tileP6__halfPKS_i(ptr noundef writeonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %7

6:                                                ; preds = %7
  ret void

7:                                                ; preds = %3, %7
  %8 = phi i32 [ %4, %3 ], [ %32, %7 ]
  %9 = lshr i32 %8, 5
  %10 = shl nuw nsw i32 %8, 1
  %11 = and i32 %10, 62
  %12 = shl nuw nsw i32 %8, 7
  %13 = and i32 %12, 3584
  %14 = lshr i32 %8, 2
  %15 = and i32 %14, 448
  %16 = or disjoint i32 %13, %15
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw %struct.__half, ptr %0, i64 %17
  %19 = shl nuw nsw i32 %9, 3
  %20 = and i32 %19, 56
  %21 = zext nneg i32 %20 to i64
  %22 = getelementptr inbounds nuw %struct.__half, ptr %18, i64 %21
  %23 = and i32 %10, 6
  %24 = zext nneg i32 %23 to i64
  %25 = getelementptr inbounds nuw %struct.__half, ptr %22, i64 %24
  %26 = mul nsw i32 %9, %2
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds %struct.__half, ptr %1, i64 %27
  %29 = zext nneg i32 %11 to i64
  %30 = getelementptr inbounds nuw %struct.__half, ptr %28, i64 %29
  %31 = load i32, ptr %30, align 4, !tbaa !4
  store i32 %31, ptr %25, align 4, !tbaa !4
  %32 = add nuw nsw i32 %8, %5
  %33 = icmp samesign ult i32 %32, 2048
  br i1 %33, label %7, label %6, !llvm.loop !11
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z6matmuliiPK6__halfS1_Pf(i32 noundef %0, i32 noundef %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4) local_unnamed_addr #3 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %7 = shl nuw nsw i32 %6, 6
  %8 = zext nneg i32 %7 to i64
  %9 = sext i32 %1 to i64
  %10 = mul nsw i64 %9, %8
  %11 = getelementptr inbounds %struct.__half, ptr %2, i64 %10
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %13 = zext nneg i32 %12 to i64
  %14 = shl nuw nsw i64 %13, 6
  %15 = mul nsw i64 %14, %9
  %16 = getelementptr inbounds %struct.__half, ptr %3, i64 %15
  %17 = icmp sgt i32 %1, 0
  %18 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br i1 %17, label %19, label %45

19:                                               ; preds = %5
  %20 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %21 = lshr exact i64 ptrtoint (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to i64), 4
  %22 = and i64 %21, 16376
  %23 = or disjoint i64 %22, 34363932672
  %24 = lshr exact i64 ptrtoint (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to i64), 4
  %25 = and i64 %24, 16376
  %26 = or disjoint i64 %25, 34363932672
  %27 = lshr i64 ptrtoint (ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to ptr), i64 2048) to ptr addrspace(3)) to i64), 4
  %28 = and i64 %27, 16383
  %29 = or disjoint i64 %28, 34363932672
  %30 = lshr i64 ptrtoint (ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to ptr), i64 2048) to ptr addrspace(3)) to i64), 4
  %31 = and i64 %30, 16383
  %32 = or disjoint i64 %31, 34363932672
  %33 = lshr i64 ptrtoint (ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to ptr), i64 4096) to ptr addrspace(3)) to i64), 4
  %34 = and i64 %33, 16383
  %35 = or disjoint i64 %34, 34363932672
  %36 = lshr i64 ptrtoint (ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to ptr), i64 4096) to ptr addrspace(3)) to i64), 4
  %37 = and i64 %36, 16383
  %38 = or disjoint i64 %37, 34363932672
  %39 = lshr i64 ptrtoint (ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to ptr), i64 6144) to ptr addrspace(3)) to i64), 4
  %40 = and i64 %39, 16383
  %41 = or disjoint i64 %40, 34363932672
  %42 = lshr i64 ptrtoint (ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to ptr), i64 6144) to ptr addrspace(3)) to i64), 4
  %43 = and i64 %42, 16383
  %44 = or disjoint i64 %43, 34363932672
  br label %148

45:                                               ; preds = %240, %5
  %46 = phi float [ 0.000000e+00, %5 ], [ %341, %240 ]
  %47 = phi float [ 0.000000e+00, %5 ], [ %342, %240 ]
  %48 = phi float [ 0.000000e+00, %5 ], [ %343, %240 ]
  %49 = phi float [ 0.000000e+00, %5 ], [ %344, %240 ]
  %50 = phi float [ 0.000000e+00, %5 ], [ %345, %240 ]
  %51 = phi float [ 0.000000e+00, %5 ], [ %346, %240 ]
  %52 = phi float [ 0.000000e+00, %5 ], [ %347, %240 ]
  %53 = phi float [ 0.000000e+00, %5 ], [ %348, %240 ]
  %54 = phi float [ 0.000000e+00, %5 ], [ %349, %240 ]
  %55 = phi float [ 0.000000e+00, %5 ], [ %350, %240 ]
  %56 = phi float [ 0.000000e+00, %5 ], [ %351, %240 ]
  %57 = phi float [ 0.000000e+00, %5 ], [ %352, %240 ]
  %58 = phi float [ 0.000000e+00, %5 ], [ %353, %240 ]
  %59 = phi float [ 0.000000e+00, %5 ], [ %354, %240 ]
  %60 = phi float [ 0.000000e+00, %5 ], [ %355, %240 ]
  %61 = phi float [ 0.000000e+00, %5 ], [ %356, %240 ]
  %62 = phi float [ 0.000000e+00, %5 ], [ %357, %240 ]
  %63 = phi float [ 0.000000e+00, %5 ], [ %358, %240 ]
  %64 = phi float [ 0.000000e+00, %5 ], [ %359, %240 ]
  %65 = phi float [ 0.000000e+00, %5 ], [ %360, %240 ]
  %66 = phi float [ 0.000000e+00, %5 ], [ %361, %240 ]
  %67 = phi float [ 0.000000e+00, %5 ], [ %362, %240 ]
  %68 = phi float [ 0.000000e+00, %5 ], [ %363, %240 ]
  %69 = phi float [ 0.000000e+00, %5 ], [ %364, %240 ]
  %70 = phi float [ 0.000000e+00, %5 ], [ %365, %240 ]
  %71 = phi float [ 0.000000e+00, %5 ], [ %366, %240 ]
  %72 = phi float [ 0.000000e+00, %5 ], [ %367, %240 ]
  %73 = phi float [ 0.000000e+00, %5 ], [ %368, %240 ]
  %74 = phi float [ 0.000000e+00, %5 ], [ %369, %240 ]
  %75 = phi float [ 0.000000e+00, %5 ], [ %370, %240 ]
  %76 = phi float [ 0.000000e+00, %5 ], [ %371, %240 ]
  %77 = phi float [ 0.000000e+00, %5 ], [ %372, %240 ]
  %78 = lshr i32 %18, 1
  %79 = and i32 %78, 496
  %80 = add nuw nsw i32 %79, %7
  %81 = lshr i32 %18, 2
  %82 = and i32 %81, 7
  %83 = or disjoint i32 %80, %82
  %84 = mul nsw i32 %83, %0
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds float, ptr %4, i64 %85
  %87 = shl i32 %12, 6
  %88 = zext i32 %87 to i64
  %89 = getelementptr inbounds nuw float, ptr %86, i64 %88
  %90 = shl nuw nsw i32 %18, 1
  %91 = and i32 %90, 6
  %92 = zext nneg i32 %91 to i64
  %93 = getelementptr inbounds nuw float, ptr %89, i64 %92
  store float %46, ptr %93, align 4, !tbaa !8
  %94 = getelementptr inbounds nuw i8, ptr %93, i64 4
  store float %47, ptr %94, align 4, !tbaa !8
  %95 = shl i32 %0, 3
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds float, ptr %93, i64 %96
  store float %48, ptr %97, align 4, !tbaa !8
  %98 = getelementptr i8, ptr %97, i64 4
  store float %49, ptr %98, align 4, !tbaa !8
  %99 = getelementptr inbounds nuw i8, ptr %93, i64 32
  store float %50, ptr %99, align 4, !tbaa !8
  %100 = getelementptr inbounds nuw i8, ptr %93, i64 36
  store float %51, ptr %100, align 4, !tbaa !8
  %101 = shl i32 %0, 3
  %102 = add i32 %101, 8
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds float, ptr %93, i64 %103
  store float %52, ptr %104, align 4, !tbaa !8
  %105 = getelementptr i8, ptr %104, i64 4
  store float %53, ptr %105, align 4, !tbaa !8
  %106 = getelementptr inbounds nuw i8, ptr %93, i64 64
  store float %54, ptr %106, align 4, !tbaa !8
  %107 = getelementptr inbounds nuw i8, ptr %93, i64 68
  store float %55, ptr %107, align 4, !tbaa !8
  %108 = shl i32 %0, 3
  %109 = add i32 %108, 16
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds float, ptr %93, i64 %110
  store float %56, ptr %111, align 4, !tbaa !8
  %112 = getelementptr i8, ptr %111, i64 4
  store float %57, ptr %112, align 4, !tbaa !8
  %113 = getelementptr inbounds nuw i8, ptr %93, i64 96
  store float %58, ptr %113, align 4, !tbaa !8
  %114 = getelementptr inbounds nuw i8, ptr %93, i64 100
  store float %59, ptr %114, align 4, !tbaa !8
  %115 = shl i32 %0, 3
  %116 = add i32 %115, 24
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds float, ptr %93, i64 %117
  store float %60, ptr %118, align 4, !tbaa !8
  %119 = getelementptr i8, ptr %118, i64 4
  store float %61, ptr %119, align 4, !tbaa !8
  %120 = getelementptr inbounds nuw i8, ptr %93, i64 128
  store float %62, ptr %120, align 4, !tbaa !8
  %121 = getelementptr inbounds nuw i8, ptr %93, i64 132
  store float %63, ptr %121, align 4, !tbaa !8
  %122 = shl i32 %0, 3
  %123 = add i32 %122, 32
  %124 = sext i32 %123 to i64
  %125 = getelementptr inbounds float, ptr %93, i64 %124
  store float %64, ptr %125, align 4, !tbaa !8
  %126 = getelementptr i8, ptr %125, i64 4
  store float %65, ptr %126, align 4, !tbaa !8
  %127 = getelementptr inbounds nuw i8, ptr %93, i64 160
  store float %66, ptr %127, align 4, !tbaa !8
  %128 = getelementptr inbounds nuw i8, ptr %93, i64 164
  store float %67, ptr %128, align 4, !tbaa !8
  %129 = shl i32 %0, 3
  %130 = add i32 %129, 40
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds float, ptr %93, i64 %131
  store float %68, ptr %132, align 4, !tbaa !8
  %133 = getelementptr i8, ptr %132, i64 4
  store float %69, ptr %133, align 4, !tbaa !8
  %134 = getelementptr inbounds nuw i8, ptr %93, i64 192
  store float %70, ptr %134, align 4, !tbaa !8
  %135 = getelementptr inbounds nuw i8, ptr %93, i64 196
  store float %71, ptr %135, align 4, !tbaa !8
  %136 = shl i32 %0, 3
  %137 = add i32 %136, 48
  %138 = sext i32 %137 to i64
  %139 = getelementptr inbounds float, ptr %93, i64 %138
  store float %72, ptr %139, align 4, !tbaa !8
  %140 = getelementptr i8, ptr %139, i64 4
  store float %73, ptr %140, align 4, !tbaa !8
  %141 = getelementptr inbounds nuw i8, ptr %93, i64 224
  store float %74, ptr %141, align 4, !tbaa !8
  %142 = getelementptr inbounds nuw i8, ptr %93, i64 228
  store float %75, ptr %142, align 4, !tbaa !8
  %143 = shl i32 %0, 3
  %144 = add i32 %143, 56
  %145 = sext i32 %144 to i64
  %146 = getelementptr inbounds float, ptr %93, i64 %145
  store float %76, ptr %146, align 4, !tbaa !8
  %147 = getelementptr i8, ptr %146, i64 4
  store float %77, ptr %147, align 4, !tbaa !8
  ret void

148:                                              ; preds = %19, %240
  %149 = phi float [ 0.000000e+00, %19 ], [ %372, %240 ]
  %150 = phi float [ 0.000000e+00, %19 ], [ %371, %240 ]
  %151 = phi float [ 0.000000e+00, %19 ], [ %370, %240 ]
  %152 = phi float [ 0.000000e+00, %19 ], [ %369, %240 ]
  %153 = phi float [ 0.000000e+00, %19 ], [ %368, %240 ]
  %154 = phi float [ 0.000000e+00, %19 ], [ %367, %240 ]
  %155 = phi float [ 0.000000e+00, %19 ], [ %366, %240 ]
  %156 = phi float [ 0.000000e+00, %19 ], [ %365, %240 ]
  %157 = phi float [ 0.000000e+00, %19 ], [ %364, %240 ]
  %158 = phi float [ 0.000000e+00, %19 ], [ %363, %240 ]
  %159 = phi float [ 0.000000e+00, %19 ], [ %362, %240 ]
  %160 = phi float [ 0.000000e+00, %19 ], [ %361, %240 ]
  %161 = phi float [ 0.000000e+00, %19 ], [ %360, %240 ]
  %162 = phi float [ 0.000000e+00, %19 ], [ %359, %240 ]
  %163 = phi float [ 0.000000e+00, %19 ], [ %358, %240 ]
  %164 = phi float [ 0.000000e+00, %19 ], [ %357, %240 ]
  %165 = phi float [ 0.000000e+00, %19 ], [ %356, %240 ]
  %166 = phi float [ 0.000000e+00, %19 ], [ %355, %240 ]
  %167 = phi float [ 0.000000e+00, %19 ], [ %354, %240 ]
  %168 = phi float [ 0.000000e+00, %19 ], [ %353, %240 ]
  %169 = phi float [ 0.000000e+00, %19 ], [ %352, %240 ]
  %170 = phi float [ 0.000000e+00, %19 ], [ %351, %240 ]
  %171 = phi float [ 0.000000e+00, %19 ], [ %350, %240 ]
  %172 = phi float [ 0.000000e+00, %19 ], [ %349, %240 ]
  %173 = phi float [ 0.000000e+00, %19 ], [ %348, %240 ]
  %174 = phi float [ 0.000000e+00, %19 ], [ %347, %240 ]
  %175 = phi float [ 0.000000e+00, %19 ], [ %346, %240 ]
  %176 = phi float [ 0.000000e+00, %19 ], [ %345, %240 ]
  %177 = phi float [ 0.000000e+00, %19 ], [ %344, %240 ]
  %178 = phi float [ 0.000000e+00, %19 ], [ %343, %240 ]
  %179 = phi float [ 0.000000e+00, %19 ], [ %342, %240 ]
  %180 = phi i32 [ 0, %19 ], [ %373, %240 ]
  %181 = phi float [ 0.000000e+00, %19 ], [ %341, %240 ]
  %182 = zext nneg i32 %180 to i64
  %183 = getelementptr inbounds nuw %struct.__half, ptr %11, i64 %182
  br label %184

184:                                              ; preds = %184, %148
  %185 = phi i32 [ %18, %148 ], [ %209, %184 ]
  %186 = lshr i32 %185, 5
  %187 = shl nuw nsw i32 %185, 1
  %188 = and i32 %187, 62
  %189 = shl nuw nsw i32 %185, 7
  %190 = and i32 %189, 3584
  %191 = lshr i32 %185, 2
  %192 = and i32 %191, 448
  %193 = or disjoint i32 %190, %192
  %194 = zext nneg i32 %193 to i64
  %195 = getelementptr inbounds nuw %struct.__half, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to ptr), i64 %194
  %196 = shl nuw nsw i32 %186, 3
  %197 = and i32 %196, 56
  %198 = zext nneg i32 %197 to i64
  %199 = getelementptr inbounds nuw %struct.__half, ptr %195, i64 %198
  %200 = and i32 %187, 6
  %201 = zext nneg i32 %200 to i64
  %202 = getelementptr inbounds nuw %struct.__half, ptr %199, i64 %201
  %203 = mul nuw nsw i32 %186, %1
  %204 = zext nneg i32 %203 to i64
  %205 = getelementptr inbounds nuw %struct.__half, ptr %183, i64 %204
  %206 = zext nneg i32 %188 to i64
  %207 = getelementptr inbounds nuw %struct.__half, ptr %205, i64 %206
  %208 = load i32, ptr %207, align 4, !tbaa !4
  store i32 %208, ptr %202, align 4, !tbaa !4
  %209 = add nuw nsw i32 %185, %20
  %210 = icmp samesign ult i32 %209, 2048
  br i1 %210, label %184, label %211, !llvm.loop !11

211:                                              ; preds = %184
  %212 = getelementptr inbounds nuw %struct.__half, ptr %16, i64 %182
  br label %213

213:                                              ; preds = %213, %211
  %214 = phi i32 [ %18, %211 ], [ %238, %213 ]
  %215 = lshr i32 %214, 5
  %216 = shl nuw nsw i32 %214, 1
  %217 = and i32 %216, 62
  %218 = shl nuw nsw i32 %214, 7
  %219 = and i32 %218, 3584
  %220 = lshr i32 %214, 2
  %221 = and i32 %220, 448
  %222 = or disjoint i32 %219, %221
  %223 = zext nneg i32 %222 to i64
  %224 = getelementptr inbounds nuw %struct.__half, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to ptr), i64 %223
  %225 = shl nuw nsw i32 %215, 3
  %226 = and i32 %225, 56
  %227 = zext nneg i32 %226 to i64
  %228 = getelementptr inbounds nuw %struct.__half, ptr %224, i64 %227
  %229 = and i32 %216, 6
  %230 = zext nneg i32 %229 to i64
  %231 = getelementptr inbounds nuw %struct.__half, ptr %228, i64 %230
  %232 = mul nuw nsw i32 %215, %1
  %233 = zext nneg i32 %232 to i64
  %234 = getelementptr inbounds nuw %struct.__half, ptr %212, i64 %233
  %235 = zext nneg i32 %217 to i64
  %236 = getelementptr inbounds nuw %struct.__half, ptr %234, i64 %235
  %237 = load i32, ptr %236, align 4, !tbaa !4
  store i32 %237, ptr %231, align 4, !tbaa !4
  %238 = add nuw nsw i32 %214, %20
  %239 = icmp samesign ult i32 %238, 2048
  br i1 %239, label %213, label %240, !llvm.loop !11

240:                                              ; preds = %213
  tail call void asm sideeffect "fence.proxy.async.shared::cta;", "~{memory}"() #6
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"() #6
  %241 = tail call contract { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %23, i64 %26, float %181, float %179, float %178, float %177, float %176, float %175, float %174, float %173, float %172, float %171, float %170, float %169, float %168, float %167, float %166, float %165, float %164, float %163, float %162, float %161, float %160, float %159, float %158, float %157, float %156, float %155, float %154, float %153, float %152, float %151, float %150, float %149) #6
  %242 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 0
  %243 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 1
  %244 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 2
  %245 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 3
  %246 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 4
  %247 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 5
  %248 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 6
  %249 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 7
  %250 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 8
  %251 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 9
  %252 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 10
  %253 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 11
  %254 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 12
  %255 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 13
  %256 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 14
  %257 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 15
  %258 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 16
  %259 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 17
  %260 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 18
  %261 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 19
  %262 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 20
  %263 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 21
  %264 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 22
  %265 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 23
  %266 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 24
  %267 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 25
  %268 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 26
  %269 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 27
  %270 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 28
  %271 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 29
  %272 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 30
  %273 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %241, 31
  %274 = tail call contract { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %29, i64 %32, float %242, float %243, float %244, float %245, float %246, float %247, float %248, float %249, float %250, float %251, float %252, float %253, float %254, float %255, float %256, float %257, float %258, float %259, float %260, float %261, float %262, float %263, float %264, float %265, float %266, float %267, float %268, float %269, float %270, float %271, float %272, float %273) #6
  %275 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 0
  %276 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 1
  %277 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 2
  %278 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 3
  %279 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 4
  %280 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 5
  %281 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 6
  %282 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 7
  %283 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 8
  %284 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 9
  %285 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 10
  %286 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 11
  %287 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 12
  %288 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 13
  %289 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 14
  %290 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 15
  %291 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 16
  %292 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 17
  %293 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 18
  %294 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 19
  %295 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 20
  %296 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 21
  %297 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 22
  %298 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 23
  %299 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 24
  %300 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 25
  %301 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 26
  %302 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 27
  %303 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 28
  %304 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 29
  %305 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 30
  %306 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %274, 31
  %307 = tail call contract { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %35, i64 %38, float %275, float %276, float %277, float %278, float %279, float %280, float %281, float %282, float %283, float %284, float %285, float %286, float %287, float %288, float %289, float %290, float %291, float %292, float %293, float %294, float %295, float %296, float %297, float %298, float %299, float %300, float %301, float %302, float %303, float %304, float %305, float %306) #6
  %308 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 0
  %309 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 1
  %310 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 2
  %311 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 3
  %312 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 4
  %313 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 5
  %314 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 6
  %315 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 7
  %316 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 8
  %317 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 9
  %318 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 10
  %319 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 11
  %320 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 12
  %321 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 13
  %322 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 14
  %323 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 15
  %324 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 16
  %325 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 17
  %326 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 18
  %327 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 19
  %328 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 20
  %329 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 21
  %330 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 22
  %331 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 23
  %332 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 24
  %333 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 25
  %334 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 26
  %335 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 27
  %336 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 28
  %337 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 29
  %338 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 30
  %339 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %307, 31
  %340 = tail call contract { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $32, $33, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i64 %41, i64 %44, float %308, float %309, float %310, float %311, float %312, float %313, float %314, float %315, float %316, float %317, float %318, float %319, float %320, float %321, float %322, float %323, float %324, float %325, float %326, float %327, float %328, float %329, float %330, float %331, float %332, float %333, float %334, float %335, float %336, float %337, float %338, float %339) #6
  %341 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 0
  %342 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 1
  %343 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 2
  %344 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 3
  %345 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 4
  %346 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 5
  %347 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 6
  %348 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 7
  %349 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 8
  %350 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 9
  %351 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 10
  %352 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 11
  %353 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 12
  %354 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 13
  %355 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 14
  %356 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 15
  %357 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 16
  %358 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 17
  %359 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 18
  %360 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 19
  %361 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 20
  %362 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 21
  %363 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 22
  %364 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 23
  %365 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 24
  %366 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 25
  %367 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 26
  %368 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 27
  %369 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 28
  %370 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 29
  %371 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 30
  %372 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %340, 31
  tail call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"() #6
  tail call void asm sideeffect "wgmma.wait_group.sync.aligned 0;", "~{memory}"() #6
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %373 = add nuw nsw i32 %180, 64
  %374 = icmp slt i32 %373, %1
  br i1 %374, label %148, label %45, !llvm.loop !17
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #5

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx88,+sm_90a" }
attributes #1 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx88,+sm_90a" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx88,+sm_90a" }
attributes #3 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="128" "stack-protector-buffer-size"="8" "target-cpu"="sm_90a" "target-features"="+ptx88,+sm_90a" "uniform-work-group-size"="true" }
attributes #4 = { convergent nocallback nounwind }
attributes #5 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"clang version 22.1.8"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !6, i64 0}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!17 = distinct !{!17, !12}
