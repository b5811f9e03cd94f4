; mma: half-precision matrices on the tensor cores, each warp one 16x8 tile of the result.
;
; Shows: mma.sync.m16n8k16 with its fragments loaded straight from global memory, where pairs of
; halves lie 8 rows apart.
;
; Generated from mma.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}matmul
; CHECK: ld.global.nc.b32
; CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{{.*}}}, {{{.*}}}, {{{.*}}}, {{{.*}}};
; CHECK: st.global{{(.v2)?}}.b32

; ModuleID = 'mma.cu'
source_filename = "mma.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.__half = type { i16 }

; Function Attrs: convergent mustprogress nounwind memory(argmem: readwrite)
define dso_local void @_Z12multiply_addRA4_fRA4_KjRA2_S1_(ptr noundef nonnull align 4 captures(none) dereferenceable(16) %0, ptr noundef nonnull readonly align 4 captures(none) dereferenceable(16) %1, ptr noundef nonnull readonly align 4 captures(none) dereferenceable(8) %2) local_unnamed_addr #0 {
  %4 = load float, ptr %0, align 4, !tbaa !8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %6 = load float, ptr %5, align 4, !tbaa !8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load float, ptr %7, align 4, !tbaa !8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 12
  %10 = load float, ptr %9, align 4, !tbaa !8
  %11 = load i32, ptr %1, align 4, !tbaa !4
  %12 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %13 = load i32, ptr %12, align 4, !tbaa !4
  %14 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %15 = load i32, ptr %14, align 4, !tbaa !4
  %16 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %17 = load i32, ptr %16, align 4, !tbaa !4
  %18 = load i32, ptr %2, align 4, !tbaa !4
  %19 = getelementptr inbounds nuw i8, ptr %2, i64 4
  %20 = load i32, ptr %19, align 4, !tbaa !4
  %21 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %11, i32 %13, i32 %15, i32 %17, i32 %18, i32 %20, float %4, float %6, float %8, float %10) #3
  %22 = extractvalue { float, float, float, float } %21, 0
  %23 = extractvalue { float, float, float, float } %21, 1
  %24 = extractvalue { float, float, float, float } %21, 2
  %25 = extractvalue { float, float, float, float } %21, 3
  store float %22, ptr %0, align 4, !tbaa !8
  store float %23, ptr %5, align 4, !tbaa !8
  store float %24, ptr %7, align 4, !tbaa !8
  store float %25, ptr %9, align 4, !tbaa !8
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z6matmuliiPK6__halfS1_Pf(i32 noundef %0, i32 noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef writeonly captures(none) %4) local_unnamed_addr #1 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %7 = shl nuw nsw i32 %6, 4
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = lshr i32 %8, 2
  %10 = add nuw nsw i32 %7, %9
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = shl i32 %11, 3
  %13 = add i32 %12, %9
  %14 = shl nuw nsw i32 %8, 1
  %15 = and i32 %14, 6
  %16 = mul nsw i32 %1, %10
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds %struct.__half, ptr %2, i64 %17
  %19 = zext nneg i32 %15 to i64
  %20 = getelementptr inbounds nuw %struct.__half, ptr %18, i64 %19
  %21 = shl nsw i32 %1, 3
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds %struct.__half, ptr %20, i64 %22
  %24 = mul nsw i32 %1, %13
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds %struct.__half, ptr %3, i64 %25
  %27 = getelementptr inbounds nuw %struct.__half, ptr %26, i64 %19
  %28 = icmp sgt i32 %1, 0
  br i1 %28, label %45, label %29

29:                                               ; preds = %45, %5
  %30 = phi float [ 0.000000e+00, %5 ], [ %68, %45 ]
  %31 = phi float [ 0.000000e+00, %5 ], [ %67, %45 ]
  %32 = phi float [ 0.000000e+00, %5 ], [ %66, %45 ]
  %33 = phi float [ 0.000000e+00, %5 ], [ %65, %45 ]
  %34 = mul nsw i32 %10, %0
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds float, ptr %4, i64 %35
  %37 = zext i32 %12 to i64
  %38 = getelementptr inbounds nuw float, ptr %36, i64 %37
  %39 = getelementptr inbounds nuw float, ptr %38, i64 %19
  store float %33, ptr %39, align 4, !tbaa !8
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 4
  store float %32, ptr %40, align 4, !tbaa !8
  %41 = shl nsw i32 %0, 3
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds float, ptr %39, i64 %42
  store float %31, ptr %43, align 4, !tbaa !8
  %44 = getelementptr i8, ptr %43, i64 4
  store float %30, ptr %44, align 4, !tbaa !8
  ret void

45:                                               ; preds = %5, %45
  %46 = phi i32 [ %69, %45 ], [ 0, %5 ]
  %47 = phi float [ %65, %45 ], [ 0.000000e+00, %5 ]
  %48 = phi float [ %66, %45 ], [ 0.000000e+00, %5 ]
  %49 = phi float [ %67, %45 ], [ 0.000000e+00, %5 ]
  %50 = phi float [ %68, %45 ], [ 0.000000e+00, %5 ]
  %51 = zext nneg i32 %46 to i64
  %52 = getelementptr inbounds nuw %struct.__half, ptr %20, i64 %51
  %53 = load i32, ptr %52, align 4, !tbaa !4
  %54 = getelementptr inbounds nuw %struct.__half, ptr %23, i64 %51
  %55 = load i32, ptr %54, align 4, !tbaa !4
  %56 = getelementptr inbounds nuw i8, ptr %52, i64 16
  %57 = load i32, ptr %56, align 4, !tbaa !4
  %58 = getelementptr inbounds nuw i8, ptr %54, i64 16
  %59 = load i32, ptr %58, align 4, !tbaa !4
  %60 = getelementptr inbounds nuw %struct.__half, ptr %27, i64 %51
  %61 = load i32, ptr %60, align 4, !tbaa !4
  %62 = getelementptr inbounds nuw i8, ptr %60, i64 16
  %63 = load i32, ptr %62, align 4, !tbaa !4
  %64 = tail call contract { float, float, float, float } asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %53, i32 %55, i32 %57, i32 %59, i32 %61, i32 %63, float %47, float %48, float %49, float %50) #3
  %65 = extractvalue { float, float, float, float } %64, 0
  %66 = extractvalue { float, float, float, float } %64, 1
  %67 = extractvalue { float, float, float, float } %64, 2
  %68 = extractvalue { float, float, float, float } %64, 3
  %69 = add nuw nsw i32 %46, 16
  %70 = icmp slt i32 %69, %1
  br i1 %70, label %45, label %29, !llvm.loop !11
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

attributes #0 = { convergent mustprogress nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind memory(none) }

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
