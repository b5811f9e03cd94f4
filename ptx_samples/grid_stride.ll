; grid_stride: any number of elements with any grid, four of them a step.
;
; Shows: 16-byte vector loads and stores in a loop whose step is the size of the grid; nothing is
; touched twice.
;
; Generated from grid_stride.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}scale_and_shift
; CHECK: ld.global.nc.v4.b32
; CHECK: st.global.v4.b32
; CHECK: bra

; ModuleID = 'grid_stride.cu'
source_filename = "grid_stride.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z15scale_and_shiftiffPK6float4PS_(i32 noundef %0, float noundef %1, float noundef %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef writeonly captures(none) %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = mul i32 %9, %7
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add i32 %10, %11
  %13 = icmp slt i32 %12, %0
  br i1 %13, label %15, label %14

14:                                               ; preds = %15, %5
  ret void

15:                                               ; preds = %5, %15
  %16 = phi i32 [ %38, %15 ], [ %12, %5 ]
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds %struct.float4, ptr %3, i64 %17
  %19 = load float, ptr %18, align 16, !tbaa !8
  %20 = getelementptr inbounds nuw i8, ptr %18, i64 4
  %21 = load float, ptr %20, align 4, !tbaa !8
  %22 = getelementptr inbounds nuw i8, ptr %18, i64 8
  %23 = load float, ptr %22, align 8, !tbaa !8
  %24 = getelementptr inbounds nuw i8, ptr %18, i64 12
  %25 = load float, ptr %24, align 4, !tbaa !8
  %26 = fmul contract float %1, %19
  %27 = fadd contract float %2, %26
  %28 = fmul contract float %1, %21
  %29 = fadd contract float %2, %28
  %30 = fmul contract float %1, %23
  %31 = fadd contract float %2, %30
  %32 = fmul contract float %1, %25
  %33 = fadd contract float %2, %32
  %34 = getelementptr inbounds %struct.float4, ptr %4, i64 %17
  store float %27, ptr %34, align 16, !tbaa !8
  %35 = getelementptr inbounds nuw i8, ptr %34, i64 4
  store float %29, ptr %35, align 4, !tbaa !8
  %36 = getelementptr inbounds nuw i8, ptr %34, i64 8
  store float %31, ptr %36, align 8, !tbaa !8
  %37 = getelementptr inbounds nuw i8, ptr %34, i64 12
  store float %33, ptr %37, align 4, !tbaa !8
  %38 = add nsw i32 %16, %8
  %39 = icmp slt i32 %38, %0
  br i1 %39, label %15, label %14, !llvm.loop !10
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
