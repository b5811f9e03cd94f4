; cp_async: a tensor-core matrix product whose next tiles are on their way while this one is used.
;
; Shows: cp.async past the registers into shared memory, groups of copies and waiting for all but
; the newest, ldmatrix; every tile is wanted by a whole row or column of blocks.
;
; Generated from cp_async.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}matmul
; CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
; CHECK: cp.async.commit_group;
; CHECK: cp.async.wait_group 1;
; CHECK: bar{{(rier)?}}.sync
; CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
; CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
; CHECK: st.global.v2.b32

; ModuleID = 'cp_async.cu'
source_filename = "cp_async.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.__half = type { i16 }

@_ZZ6matmuliiPK6__halfS1_PfE6tile_a = internal addrspace(3) global [2 x [64 x [40 x %struct.__half]]] undef, align 16
@_ZZ6matmuliiPK6__halfS1_PfE6tile_b = internal addrspace(3) global [2 x [64 x [40 x %struct.__half]]] undef, align 16

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z13copy_16_bytesP6__halfPKS_(ptr noundef %0, ptr noundef %1) local_unnamed_addr #0 {
  %3 = addrspacecast ptr %0 to ptr addrspace(3)
  %4 = ptrtoint ptr addrspace(3) %3 to i64
  %5 = trunc i64 %4 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 %5, ptr %1) #5
  ret void
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z13load_matricesRA4_jPK6__half(ptr noundef nonnull writeonly align 4 captures(none) dereferenceable(16) initializes((0, 16)) %0, ptr noundef %1) local_unnamed_addr #0 {
  %3 = addrspacecast ptr %1 to ptr addrspace(3)
  %4 = ptrtoint ptr addrspace(3) %3 to i64
  %5 = trunc i64 %4 to i32
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %9 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %5) #5
  %10 = extractvalue { i32, i32, i32, i32 } %9, 0
  %11 = extractvalue { i32, i32, i32, i32 } %9, 1
  %12 = extractvalue { i32, i32, i32, i32 } %9, 2
  %13 = extractvalue { i32, i32, i32, i32 } %9, 3
  store i32 %10, ptr %0, align 4, !tbaa !4
  store i32 %11, ptr %6, align 4, !tbaa !4
  store i32 %12, ptr %7, align 4, !tbaa !4
  store i32 %13, ptr %8, align 4, !tbaa !4
  ret void
}

; Function Attrs: convergent mustprogress nounwind memory(argmem: readwrite)
define dso_local void @_Z12multiply_addRA4_fRA4_Kjjj(ptr noundef nonnull align 4 captures(none) dereferenceable(16) %0, ptr noundef nonnull readonly align 4 captures(none) dereferenceable(16) %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #1 {
  %5 = load float, ptr %0, align 4, !tbaa !10
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %7 = load float, ptr %6, align 4, !tbaa !10
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load float, ptr %8, align 4, !tbaa !10
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %11 = load float, ptr %10, align 4, !tbaa !10
  %12 = load i32, ptr %1, align 4, !tbaa !4
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %14 = load i32, ptr %13, align 4, !tbaa !4
  %15 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %16 = load i32, ptr %15, align 4, !tbaa !4
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %18 = load i32, ptr %17, align 4, !tbaa !4
  %19 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %12, i32 %14, i32 %16, i32 %18, i32 %2, i32 %3, float %5, float %7, float %9, float %11) #6
  %20 = extractvalue { float, float, float, float } %19, 0
  %21 = extractvalue { float, float, float, float } %19, 1
  %22 = extractvalue { float, float, float, float } %19, 2
  %23 = extractvalue { float, float, float, float } %19, 3
  store float %20, ptr %0, align 4, !tbaa !10
  store float %21, ptr %6, align 4, !tbaa !10
  store float %22, ptr %8, align 4, !tbaa !10
  store float %23, ptr %10, align 4, !tbaa !10
  ret void
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z9copy_tilePA40_6__halfPKS_i(ptr noundef %0, ptr noundef %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = icmp samesign ult i32 %4, 256
  br i1 %5, label %6, label %12

6:                                                ; preds = %3
  %7 = shl nuw nsw i32 %4, 3
  %8 = and i32 %7, 24
  %9 = zext nneg i32 %8 to i64
  %10 = getelementptr inbounds nuw %struct.__half, ptr %0, i64 %9
  %11 = getelementptr %struct.__half, ptr %1, i64 %9
  br label %13

12:                                               ; preds = %13, %3
  ret void

13:                                               ; preds = %6, %13
  %14 = phi i32 [ %24, %13 ], [ %4, %6 ]
  %15 = lshr i32 %14, 2
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds nuw [40 x %struct.__half], ptr %10, i64 %16
  %18 = mul nsw i32 %15, %2
  %19 = sext i32 %18 to i64
  %20 = getelementptr %struct.__half, ptr %11, i64 %19
  %21 = addrspacecast ptr %17 to ptr addrspace(3)
  %22 = ptrtoint ptr addrspace(3) %21 to i64
  %23 = trunc i64 %22 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 %23, ptr %20) #5
  %24 = add nuw nsw i32 %14, 128
  %25 = icmp samesign ult i32 %14, 128
  br i1 %25, label %13, label %12, !llvm.loop !13
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z6matmuliiPK6__halfS1_Pf(i32 noundef %0, i32 noundef %1, ptr noundef %2, ptr noundef %3, ptr noundef writeonly captures(none) %4) local_unnamed_addr #2 {
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
  %17 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %18 = lshr i32 %17, 1
  %19 = and i32 %18, 480
  %20 = and i32 %17, 32
  %21 = icmp samesign ult i32 %17, 256
  br i1 %21, label %22, label %57

22:                                               ; preds = %5
  %23 = shl nuw nsw i32 %17, 3
  %24 = and i32 %23, 24
  %25 = zext nneg i32 %24 to i64
  %26 = getelementptr inbounds nuw %struct.__half, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to ptr), i64 %25
  %27 = getelementptr %struct.__half, ptr %11, i64 %25
  br label %28

28:                                               ; preds = %28, %22
  %29 = phi i32 [ %39, %28 ], [ %17, %22 ]
  %30 = lshr i32 %29, 2
  %31 = zext nneg i32 %30 to i64
  %32 = getelementptr inbounds nuw [40 x %struct.__half], ptr %26, i64 %31
  %33 = mul nsw i32 %30, %1
  %34 = sext i32 %33 to i64
  %35 = getelementptr %struct.__half, ptr %27, i64 %34
  %36 = addrspacecast ptr %32 to ptr addrspace(3)
  %37 = ptrtoint ptr addrspace(3) %36 to i64
  %38 = trunc i64 %37 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 %38, ptr %35) #5
  %39 = add nuw nsw i32 %29, 128
  %40 = icmp samesign ult i32 %29, 128
  br i1 %40, label %28, label %41, !llvm.loop !13

41:                                               ; preds = %28
  %42 = getelementptr inbounds nuw %struct.__half, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to ptr), i64 %25
  %43 = getelementptr %struct.__half, ptr %16, i64 %25
  br label %44

44:                                               ; preds = %44, %41
  %45 = phi i32 [ %55, %44 ], [ %17, %41 ]
  %46 = lshr i32 %45, 2
  %47 = zext nneg i32 %46 to i64
  %48 = getelementptr inbounds nuw [40 x %struct.__half], ptr %42, i64 %47
  %49 = mul nsw i32 %46, %1
  %50 = sext i32 %49 to i64
  %51 = getelementptr %struct.__half, ptr %43, i64 %50
  %52 = addrspacecast ptr %48 to ptr addrspace(3)
  %53 = ptrtoint ptr addrspace(3) %52 to i64
  %54 = trunc i64 %53 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 %54, ptr %51) #5
  %55 = add nuw nsw i32 %45, 128
  %56 = icmp samesign ult i32 %45, 128
  br i1 %56, label %44, label %57, !llvm.loop !13

57:                                               ; preds = %44, %5
  tail call void asm sideeffect "cp.async.commit_group;", ""() #5
  %58 = sdiv i32 %1, 32
  %59 = icmp sgt i32 %1, 31
  br i1 %59, label %60, label %83

60:                                               ; preds = %57
  %61 = shl nuw nsw i32 %17, 3
  %62 = and i32 %61, 24
  %63 = zext nneg i32 %62 to i64
  %64 = getelementptr inbounds nuw %struct.__half, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to ptr), i64 %63
  %65 = getelementptr %struct.__half, ptr %11, i64 %63
  %66 = getelementptr inbounds nuw %struct.__half, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to ptr), i64 %63
  %67 = getelementptr %struct.__half, ptr %16, i64 %63
  %68 = and i32 %17, 15
  %69 = or disjoint i32 %19, %68
  %70 = and i32 %18, 8
  %71 = and i32 %17, 7
  %72 = or disjoint i32 %70, %71
  %73 = or disjoint i32 %72, %20
  %74 = and i32 %17, 8
  %75 = zext nneg i32 %69 to i64
  %76 = zext nneg i32 %73 to i64
  %77 = zext nneg i32 %69 to i64
  %78 = zext nneg i32 %73 to i64
  %79 = zext nneg i32 %70 to i64
  %80 = zext nneg i32 %74 to i64
  %81 = zext nneg i32 %70 to i64
  %82 = zext nneg i32 %74 to i64
  br label %173

83:                                               ; preds = %247, %57
  %84 = phi float [ 0.000000e+00, %57 ], [ %394, %247 ]
  %85 = phi float [ 0.000000e+00, %57 ], [ %395, %247 ]
  %86 = phi float [ 0.000000e+00, %57 ], [ %396, %247 ]
  %87 = phi float [ 0.000000e+00, %57 ], [ %397, %247 ]
  %88 = phi float [ 0.000000e+00, %57 ], [ %399, %247 ]
  %89 = phi float [ 0.000000e+00, %57 ], [ %400, %247 ]
  %90 = phi float [ 0.000000e+00, %57 ], [ %401, %247 ]
  %91 = phi float [ 0.000000e+00, %57 ], [ %402, %247 ]
  %92 = phi float [ 0.000000e+00, %57 ], [ %404, %247 ]
  %93 = phi float [ 0.000000e+00, %57 ], [ %405, %247 ]
  %94 = phi float [ 0.000000e+00, %57 ], [ %406, %247 ]
  %95 = phi float [ 0.000000e+00, %57 ], [ %407, %247 ]
  %96 = phi float [ 0.000000e+00, %57 ], [ %409, %247 ]
  %97 = phi float [ 0.000000e+00, %57 ], [ %410, %247 ]
  %98 = phi float [ 0.000000e+00, %57 ], [ %411, %247 ]
  %99 = phi float [ 0.000000e+00, %57 ], [ %412, %247 ]
  %100 = phi float [ 0.000000e+00, %57 ], [ %392, %247 ]
  %101 = phi float [ 0.000000e+00, %57 ], [ %391, %247 ]
  %102 = phi float [ 0.000000e+00, %57 ], [ %390, %247 ]
  %103 = phi float [ 0.000000e+00, %57 ], [ %389, %247 ]
  %104 = phi float [ 0.000000e+00, %57 ], [ %387, %247 ]
  %105 = phi float [ 0.000000e+00, %57 ], [ %386, %247 ]
  %106 = phi float [ 0.000000e+00, %57 ], [ %385, %247 ]
  %107 = phi float [ 0.000000e+00, %57 ], [ %384, %247 ]
  %108 = phi float [ 0.000000e+00, %57 ], [ %382, %247 ]
  %109 = phi float [ 0.000000e+00, %57 ], [ %381, %247 ]
  %110 = phi float [ 0.000000e+00, %57 ], [ %380, %247 ]
  %111 = phi float [ 0.000000e+00, %57 ], [ %379, %247 ]
  %112 = phi float [ 0.000000e+00, %57 ], [ %377, %247 ]
  %113 = phi float [ 0.000000e+00, %57 ], [ %376, %247 ]
  %114 = phi float [ 0.000000e+00, %57 ], [ %375, %247 ]
  %115 = phi float [ 0.000000e+00, %57 ], [ %374, %247 ]
  %116 = add nuw nsw i32 %19, %7
  %117 = lshr i32 %17, 2
  %118 = and i32 %117, 7
  %119 = or disjoint i32 %116, %118
  %120 = shl i32 %12, 6
  %121 = shl nuw nsw i32 %17, 1
  %122 = and i32 %121, 6
  %123 = or disjoint i32 %120, %122
  %124 = or disjoint i32 %123, %20
  %125 = shl nsw i32 %0, 3
  %126 = sext i32 %125 to i64
  %127 = sext i32 %124 to i64
  %128 = mul nsw i32 %119, %0
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds float, ptr %4, i64 %129
  %131 = getelementptr inbounds float, ptr %130, i64 %127
  store float %115, ptr %131, align 8, !tbaa !10
  %132 = getelementptr inbounds nuw i8, ptr %131, i64 4
  store float %114, ptr %132, align 4, !tbaa !10
  %133 = getelementptr inbounds float, ptr %131, i64 %126
  store float %113, ptr %133, align 8, !tbaa !10
  %134 = getelementptr inbounds nuw i8, ptr %133, i64 4
  store float %112, ptr %134, align 4, !tbaa !10
  %135 = or disjoint i32 %124, 8
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds float, ptr %130, i64 %136
  store float %111, ptr %137, align 8, !tbaa !10
  %138 = getelementptr inbounds nuw i8, ptr %137, i64 4
  store float %110, ptr %138, align 4, !tbaa !10
  %139 = getelementptr inbounds float, ptr %137, i64 %126
  store float %109, ptr %139, align 8, !tbaa !10
  %140 = getelementptr inbounds nuw i8, ptr %139, i64 4
  store float %108, ptr %140, align 4, !tbaa !10
  %141 = or disjoint i32 %124, 16
  %142 = sext i32 %141 to i64
  %143 = getelementptr inbounds float, ptr %130, i64 %142
  store float %107, ptr %143, align 8, !tbaa !10
  %144 = getelementptr inbounds nuw i8, ptr %143, i64 4
  store float %106, ptr %144, align 4, !tbaa !10
  %145 = getelementptr inbounds float, ptr %143, i64 %126
  store float %105, ptr %145, align 8, !tbaa !10
  %146 = getelementptr inbounds nuw i8, ptr %145, i64 4
  store float %104, ptr %146, align 4, !tbaa !10
  %147 = or disjoint i32 %124, 24
  %148 = sext i32 %147 to i64
  %149 = getelementptr inbounds float, ptr %130, i64 %148
  store float %103, ptr %149, align 8, !tbaa !10
  %150 = getelementptr inbounds nuw i8, ptr %149, i64 4
  store float %102, ptr %150, align 4, !tbaa !10
  %151 = getelementptr inbounds float, ptr %149, i64 %126
  store float %101, ptr %151, align 8, !tbaa !10
  %152 = getelementptr inbounds nuw i8, ptr %151, i64 4
  store float %100, ptr %152, align 4, !tbaa !10
  %153 = or disjoint i32 %119, 16
  %154 = mul nsw i32 %153, %0
  %155 = sext i32 %154 to i64
  %156 = getelementptr inbounds float, ptr %4, i64 %155
  %157 = getelementptr inbounds float, ptr %156, i64 %127
  store float %84, ptr %157, align 8, !tbaa !10
  %158 = getelementptr inbounds nuw i8, ptr %157, i64 4
  store float %85, ptr %158, align 4, !tbaa !10
  %159 = getelementptr inbounds float, ptr %157, i64 %126
  store float %86, ptr %159, align 8, !tbaa !10
  %160 = getelementptr inbounds nuw i8, ptr %159, i64 4
  store float %87, ptr %160, align 4, !tbaa !10
  %161 = getelementptr inbounds float, ptr %156, i64 %136
  store float %88, ptr %161, align 8, !tbaa !10
  %162 = getelementptr inbounds nuw i8, ptr %161, i64 4
  store float %89, ptr %162, align 4, !tbaa !10
  %163 = getelementptr inbounds float, ptr %161, i64 %126
  store float %90, ptr %163, align 8, !tbaa !10
  %164 = getelementptr inbounds nuw i8, ptr %163, i64 4
  store float %91, ptr %164, align 4, !tbaa !10
  %165 = getelementptr inbounds float, ptr %156, i64 %142
  store float %92, ptr %165, align 8, !tbaa !10
  %166 = getelementptr inbounds nuw i8, ptr %165, i64 4
  store float %93, ptr %166, align 4, !tbaa !10
  %167 = getelementptr inbounds float, ptr %165, i64 %126
  store float %94, ptr %167, align 8, !tbaa !10
  %168 = getelementptr inbounds nuw i8, ptr %167, i64 4
  store float %95, ptr %168, align 4, !tbaa !10
  %169 = getelementptr inbounds float, ptr %156, i64 %148
  store float %96, ptr %169, align 8, !tbaa !10
  %170 = getelementptr inbounds nuw i8, ptr %169, i64 4
  store float %97, ptr %170, align 4, !tbaa !10
  %171 = getelementptr inbounds float, ptr %169, i64 %126
  store float %98, ptr %171, align 8, !tbaa !10
  %172 = getelementptr inbounds nuw i8, ptr %171, i64 4
  store float %99, ptr %172, align 4, !tbaa !10
  ret void

173:                                              ; preds = %60, %247
  %174 = phi float [ 0.000000e+00, %60 ], [ %394, %247 ]
  %175 = phi float [ 0.000000e+00, %60 ], [ %395, %247 ]
  %176 = phi float [ 0.000000e+00, %60 ], [ %396, %247 ]
  %177 = phi float [ 0.000000e+00, %60 ], [ %397, %247 ]
  %178 = phi float [ 0.000000e+00, %60 ], [ %399, %247 ]
  %179 = phi float [ 0.000000e+00, %60 ], [ %400, %247 ]
  %180 = phi float [ 0.000000e+00, %60 ], [ %401, %247 ]
  %181 = phi float [ 0.000000e+00, %60 ], [ %402, %247 ]
  %182 = phi float [ 0.000000e+00, %60 ], [ %404, %247 ]
  %183 = phi float [ 0.000000e+00, %60 ], [ %405, %247 ]
  %184 = phi float [ 0.000000e+00, %60 ], [ %406, %247 ]
  %185 = phi float [ 0.000000e+00, %60 ], [ %407, %247 ]
  %186 = phi float [ 0.000000e+00, %60 ], [ %409, %247 ]
  %187 = phi float [ 0.000000e+00, %60 ], [ %410, %247 ]
  %188 = phi float [ 0.000000e+00, %60 ], [ %411, %247 ]
  %189 = phi float [ 0.000000e+00, %60 ], [ %412, %247 ]
  %190 = phi float [ 0.000000e+00, %60 ], [ %392, %247 ]
  %191 = phi float [ 0.000000e+00, %60 ], [ %391, %247 ]
  %192 = phi float [ 0.000000e+00, %60 ], [ %390, %247 ]
  %193 = phi float [ 0.000000e+00, %60 ], [ %389, %247 ]
  %194 = phi float [ 0.000000e+00, %60 ], [ %387, %247 ]
  %195 = phi float [ 0.000000e+00, %60 ], [ %386, %247 ]
  %196 = phi float [ 0.000000e+00, %60 ], [ %385, %247 ]
  %197 = phi float [ 0.000000e+00, %60 ], [ %384, %247 ]
  %198 = phi float [ 0.000000e+00, %60 ], [ %382, %247 ]
  %199 = phi float [ 0.000000e+00, %60 ], [ %381, %247 ]
  %200 = phi float [ 0.000000e+00, %60 ], [ %380, %247 ]
  %201 = phi float [ 0.000000e+00, %60 ], [ %379, %247 ]
  %202 = phi float [ 0.000000e+00, %60 ], [ %377, %247 ]
  %203 = phi float [ 0.000000e+00, %60 ], [ %376, %247 ]
  %204 = phi float [ 0.000000e+00, %60 ], [ %375, %247 ]
  %205 = phi float [ 0.000000e+00, %60 ], [ %374, %247 ]
  %206 = phi i32 [ 0, %60 ], [ %208, %247 ]
  %207 = and i32 %206, 1
  %208 = add nuw nsw i32 %206, 1
  %209 = icmp slt i32 %208, %58
  br i1 %209, label %210, label %247

210:                                              ; preds = %173
  %211 = xor i32 %207, 1
  %212 = zext nneg i32 %211 to i64
  %213 = shl nsw i32 %208, 5
  %214 = zext nneg i32 %213 to i64
  br i1 %21, label %215, label %247

215:                                              ; preds = %210
  %216 = getelementptr inbounds nuw [64 x [40 x %struct.__half]], ptr %64, i64 %212
  %217 = getelementptr %struct.__half, ptr %65, i64 %214
  br label %218

218:                                              ; preds = %218, %215
  %219 = phi i32 [ %229, %218 ], [ %17, %215 ]
  %220 = lshr i32 %219, 2
  %221 = zext nneg i32 %220 to i64
  %222 = getelementptr inbounds nuw [40 x %struct.__half], ptr %216, i64 %221
  %223 = mul nuw nsw i32 %220, %1
  %224 = zext nneg i32 %223 to i64
  %225 = getelementptr %struct.__half, ptr %217, i64 %224
  %226 = addrspacecast ptr %222 to ptr addrspace(3)
  %227 = ptrtoint ptr addrspace(3) %226 to i64
  %228 = trunc i64 %227 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 %228, ptr %225) #5
  %229 = add nuw nsw i32 %219, 128
  %230 = icmp samesign ult i32 %219, 128
  br i1 %230, label %218, label %231, !llvm.loop !13

231:                                              ; preds = %218
  %232 = getelementptr inbounds nuw [64 x [40 x %struct.__half]], ptr %66, i64 %212
  %233 = getelementptr %struct.__half, ptr %67, i64 %214
  br label %234

234:                                              ; preds = %234, %231
  %235 = phi i32 [ %245, %234 ], [ %17, %231 ]
  %236 = lshr i32 %235, 2
  %237 = zext nneg i32 %236 to i64
  %238 = getelementptr inbounds nuw [40 x %struct.__half], ptr %232, i64 %237
  %239 = mul nuw nsw i32 %236, %1
  %240 = zext nneg i32 %239 to i64
  %241 = getelementptr %struct.__half, ptr %233, i64 %240
  %242 = addrspacecast ptr %238 to ptr addrspace(3)
  %243 = ptrtoint ptr addrspace(3) %242 to i64
  %244 = trunc i64 %243 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 %244, ptr %241) #5
  %245 = add nuw nsw i32 %235, 128
  %246 = icmp samesign ult i32 %235, 128
  br i1 %246, label %234, label %247, !llvm.loop !13

247:                                              ; preds = %234, %210, %173
  tail call void asm sideeffect "cp.async.commit_group;", ""() #5
  tail call void asm sideeffect "cp.async.wait_group 1;", "~{memory}"() #5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %248 = zext nneg i32 %207 to i64
  %249 = getelementptr inbounds nuw [64 x [40 x %struct.__half]], ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_b to ptr), i64 %248
  %250 = getelementptr inbounds nuw [64 x [40 x %struct.__half]], ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiPK6__halfS1_PfE6tile_a to ptr), i64 %248
  %251 = getelementptr inbounds nuw %struct.__half, ptr %250, i64 %79
  %252 = getelementptr inbounds nuw %struct.__half, ptr %249, i64 %80
  %253 = getelementptr inbounds nuw [40 x %struct.__half], ptr %251, i64 %75
  %254 = addrspacecast ptr %253 to ptr addrspace(3)
  %255 = ptrtoint ptr addrspace(3) %254 to i64
  %256 = trunc i64 %255 to i32
  %257 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %256) #5
  %258 = extractvalue { i32, i32, i32, i32 } %257, 0
  %259 = extractvalue { i32, i32, i32, i32 } %257, 1
  %260 = extractvalue { i32, i32, i32, i32 } %257, 2
  %261 = extractvalue { i32, i32, i32, i32 } %257, 3
  %262 = getelementptr inbounds nuw [40 x %struct.__half], ptr %252, i64 %76
  %263 = addrspacecast ptr %262 to ptr addrspace(3)
  %264 = ptrtoint ptr addrspace(3) %263 to i64
  %265 = trunc i64 %264 to i32
  %266 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %265) #5
  %267 = extractvalue { i32, i32, i32, i32 } %266, 0
  %268 = extractvalue { i32, i32, i32, i32 } %266, 1
  %269 = extractvalue { i32, i32, i32, i32 } %266, 2
  %270 = extractvalue { i32, i32, i32, i32 } %266, 3
  %271 = getelementptr inbounds nuw [40 x %struct.__half], ptr %251, i64 %77
  %272 = getelementptr inbounds nuw i8, ptr %271, i64 1280
  %273 = addrspacecast ptr %272 to ptr addrspace(3)
  %274 = ptrtoint ptr addrspace(3) %273 to i64
  %275 = trunc i64 %274 to i32
  %276 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %275) #5
  %277 = extractvalue { i32, i32, i32, i32 } %276, 0
  %278 = extractvalue { i32, i32, i32, i32 } %276, 1
  %279 = extractvalue { i32, i32, i32, i32 } %276, 2
  %280 = extractvalue { i32, i32, i32, i32 } %276, 3
  %281 = getelementptr inbounds nuw [40 x %struct.__half], ptr %252, i64 %78
  %282 = getelementptr inbounds nuw i8, ptr %281, i64 1280
  %283 = addrspacecast ptr %282 to ptr addrspace(3)
  %284 = ptrtoint ptr addrspace(3) %283 to i64
  %285 = trunc i64 %284 to i32
  %286 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %285) #5
  %287 = extractvalue { i32, i32, i32, i32 } %286, 0
  %288 = extractvalue { i32, i32, i32, i32 } %286, 1
  %289 = extractvalue { i32, i32, i32, i32 } %286, 2
  %290 = extractvalue { i32, i32, i32, i32 } %286, 3
  %291 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %258, i32 %259, i32 %260, i32 %261, i32 %267, i32 %268, float %205, float %204, float %203, float %202) #6
  %292 = extractvalue { float, float, float, float } %291, 0
  %293 = extractvalue { float, float, float, float } %291, 1
  %294 = extractvalue { float, float, float, float } %291, 2
  %295 = extractvalue { float, float, float, float } %291, 3
  %296 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %258, i32 %259, i32 %260, i32 %261, i32 %269, i32 %270, float %201, float %200, float %199, float %198) #6
  %297 = extractvalue { float, float, float, float } %296, 0
  %298 = extractvalue { float, float, float, float } %296, 1
  %299 = extractvalue { float, float, float, float } %296, 2
  %300 = extractvalue { float, float, float, float } %296, 3
  %301 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %258, i32 %259, i32 %260, i32 %261, i32 %287, i32 %288, float %197, float %196, float %195, float %194) #6
  %302 = extractvalue { float, float, float, float } %301, 0
  %303 = extractvalue { float, float, float, float } %301, 1
  %304 = extractvalue { float, float, float, float } %301, 2
  %305 = extractvalue { float, float, float, float } %301, 3
  %306 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %258, i32 %259, i32 %260, i32 %261, i32 %289, i32 %290, float %193, float %192, float %191, float %190) #6
  %307 = extractvalue { float, float, float, float } %306, 0
  %308 = extractvalue { float, float, float, float } %306, 1
  %309 = extractvalue { float, float, float, float } %306, 2
  %310 = extractvalue { float, float, float, float } %306, 3
  %311 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %277, i32 %278, i32 %279, i32 %280, i32 %267, i32 %268, float %174, float %175, float %176, float %177) #6
  %312 = extractvalue { float, float, float, float } %311, 0
  %313 = extractvalue { float, float, float, float } %311, 1
  %314 = extractvalue { float, float, float, float } %311, 2
  %315 = extractvalue { float, float, float, float } %311, 3
  %316 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %277, i32 %278, i32 %279, i32 %280, i32 %269, i32 %270, float %178, float %179, float %180, float %181) #6
  %317 = extractvalue { float, float, float, float } %316, 0
  %318 = extractvalue { float, float, float, float } %316, 1
  %319 = extractvalue { float, float, float, float } %316, 2
  %320 = extractvalue { float, float, float, float } %316, 3
  %321 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %277, i32 %278, i32 %279, i32 %280, i32 %287, i32 %288, float %182, float %183, float %184, float %185) #6
  %322 = extractvalue { float, float, float, float } %321, 0
  %323 = extractvalue { float, float, float, float } %321, 1
  %324 = extractvalue { float, float, float, float } %321, 2
  %325 = extractvalue { float, float, float, float } %321, 3
  %326 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %277, i32 %278, i32 %279, i32 %280, i32 %289, i32 %290, float %186, float %187, float %188, float %189) #6
  %327 = extractvalue { float, float, float, float } %326, 0
  %328 = extractvalue { float, float, float, float } %326, 1
  %329 = extractvalue { float, float, float, float } %326, 2
  %330 = extractvalue { float, float, float, float } %326, 3
  %331 = getelementptr inbounds nuw %struct.__half, ptr %250, i64 %81
  %332 = getelementptr inbounds nuw i8, ptr %331, i64 32
  %333 = getelementptr inbounds nuw %struct.__half, ptr %249, i64 %82
  %334 = getelementptr inbounds nuw i8, ptr %333, i64 32
  %335 = getelementptr inbounds nuw [40 x %struct.__half], ptr %332, i64 %75
  %336 = addrspacecast ptr %335 to ptr addrspace(3)
  %337 = ptrtoint ptr addrspace(3) %336 to i64
  %338 = trunc i64 %337 to i32
  %339 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %338) #5
  %340 = extractvalue { i32, i32, i32, i32 } %339, 0
  %341 = extractvalue { i32, i32, i32, i32 } %339, 1
  %342 = extractvalue { i32, i32, i32, i32 } %339, 2
  %343 = extractvalue { i32, i32, i32, i32 } %339, 3
  %344 = getelementptr inbounds nuw [40 x %struct.__half], ptr %334, i64 %76
  %345 = addrspacecast ptr %344 to ptr addrspace(3)
  %346 = ptrtoint ptr addrspace(3) %345 to i64
  %347 = trunc i64 %346 to i32
  %348 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %347) #5
  %349 = extractvalue { i32, i32, i32, i32 } %348, 0
  %350 = extractvalue { i32, i32, i32, i32 } %348, 1
  %351 = extractvalue { i32, i32, i32, i32 } %348, 2
  %352 = extractvalue { i32, i32, i32, i32 } %348, 3
  %353 = getelementptr inbounds nuw [40 x %struct.__half], ptr %332, i64 %77
  %354 = getelementptr inbounds nuw i8, ptr %353, i64 1280
  %355 = addrspacecast ptr %354 to ptr addrspace(3)
  %356 = ptrtoint ptr addrspace(3) %355 to i64
  %357 = trunc i64 %356 to i32
  %358 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %357) #5
  %359 = extractvalue { i32, i32, i32, i32 } %358, 0
  %360 = extractvalue { i32, i32, i32, i32 } %358, 1
  %361 = extractvalue { i32, i32, i32, i32 } %358, 2
  %362 = extractvalue { i32, i32, i32, i32 } %358, 3
  %363 = getelementptr inbounds nuw [40 x %struct.__half], ptr %334, i64 %78
  %364 = getelementptr inbounds nuw i8, ptr %363, i64 1280
  %365 = addrspacecast ptr %364 to ptr addrspace(3)
  %366 = ptrtoint ptr addrspace(3) %365 to i64
  %367 = trunc i64 %366 to i32
  %368 = tail call { i32, i32, i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,r"(i32 %367) #5
  %369 = extractvalue { i32, i32, i32, i32 } %368, 0
  %370 = extractvalue { i32, i32, i32, i32 } %368, 1
  %371 = extractvalue { i32, i32, i32, i32 } %368, 2
  %372 = extractvalue { i32, i32, i32, i32 } %368, 3
  %373 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %340, i32 %341, i32 %342, i32 %343, i32 %349, i32 %350, float %292, float %293, float %294, float %295) #6
  %374 = extractvalue { float, float, float, float } %373, 0
  %375 = extractvalue { float, float, float, float } %373, 1
  %376 = extractvalue { float, float, float, float } %373, 2
  %377 = extractvalue { float, float, float, float } %373, 3
  %378 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %340, i32 %341, i32 %342, i32 %343, i32 %351, i32 %352, float %297, float %298, float %299, float %300) #6
  %379 = extractvalue { float, float, float, float } %378, 0
  %380 = extractvalue { float, float, float, float } %378, 1
  %381 = extractvalue { float, float, float, float } %378, 2
  %382 = extractvalue { float, float, float, float } %378, 3
  %383 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %340, i32 %341, i32 %342, i32 %343, i32 %369, i32 %370, float %302, float %303, float %304, float %305) #6
  %384 = extractvalue { float, float, float, float } %383, 0
  %385 = extractvalue { float, float, float, float } %383, 1
  %386 = extractvalue { float, float, float, float } %383, 2
  %387 = extractvalue { float, float, float, float } %383, 3
  %388 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %340, i32 %341, i32 %342, i32 %343, i32 %371, i32 %372, float %307, float %308, float %309, float %310) #6
  %389 = extractvalue { float, float, float, float } %388, 0
  %390 = extractvalue { float, float, float, float } %388, 1
  %391 = extractvalue { float, float, float, float } %388, 2
  %392 = extractvalue { float, float, float, float } %388, 3
  %393 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %359, i32 %360, i32 %361, i32 %362, i32 %349, i32 %350, float %312, float %313, float %314, float %315) #6
  %394 = extractvalue { float, float, float, float } %393, 0
  %395 = extractvalue { float, float, float, float } %393, 1
  %396 = extractvalue { float, float, float, float } %393, 2
  %397 = extractvalue { float, float, float, float } %393, 3
  %398 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %359, i32 %360, i32 %361, i32 %362, i32 %351, i32 %352, float %317, float %318, float %319, float %320) #6
  %399 = extractvalue { float, float, float, float } %398, 0
  %400 = extractvalue { float, float, float, float } %398, 1
  %401 = extractvalue { float, float, float, float } %398, 2
  %402 = extractvalue { float, float, float, float } %398, 3
  %403 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %359, i32 %360, i32 %361, i32 %362, i32 %369, i32 %370, float %322, float %323, float %324, float %325) #6
  %404 = extractvalue { float, float, float, float } %403, 0
  %405 = extractvalue { float, float, float, float } %403, 1
  %406 = extractvalue { float, float, float, float } %403, 2
  %407 = extractvalue { float, float, float, float } %403, 3
  %408 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %359, i32 %360, i32 %361, i32 %362, i32 %371, i32 %372, float %327, float %328, float %329, float %330) #6
  %409 = extractvalue { float, float, float, float } %408, 0
  %410 = extractvalue { float, float, float, float } %408, 1
  %411 = extractvalue { float, float, float, float } %408, 2
  %412 = extractvalue { float, float, float, float } %408, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %413 = icmp eq i32 %208, %58
  br i1 %413, label %83, label %173, !llvm.loop !18
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

attributes #0 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent mustprogress nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #2 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="128" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }
attributes #6 = { convergent nounwind memory(none) }

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
!10 = !{!11, !11, i64 0}
!11 = !{!"float", !6, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!18 = distinct !{!18, !14}
