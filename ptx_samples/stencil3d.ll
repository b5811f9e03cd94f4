; stencil3d: a seven-point stencil that walks along z and keeps three planes' values in registers.
;
; Shows: a loop whose loads move by a plane each step; each value along z is loaded once, while its
; four neighbours in the plane are reused inside the block.
;
; Generated from stencil3d.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}laplace
; CHECK: ld.global.nc.b32
; CHECK: st.global.b32
; CHECK: @{{.*}} bra

; ModuleID = 'stencil3d.cu'
source_filename = "stencil3d.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z7laplaceiiiPKfPf(i32 noundef %0, i32 noundef %1, i32 noundef %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef writeonly captures(none) %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add nuw nsw i32 %9, 1
  %11 = add i32 %10, %8
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %14 = mul nuw nsw i32 %12, %13
  %15 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %16 = add nuw nsw i32 %15, 1
  %17 = add nuw nsw i32 %16, %14
  %18 = add nsw i32 %0, -1
  %19 = icmp slt i32 %11, %18
  %20 = add nsw i32 %1, -1
  %21 = icmp slt i32 %17, %20
  %22 = select i1 %19, i1 %21, i1 false
  br i1 %22, label %23, label %71

23:                                               ; preds = %5
  %24 = mul nsw i32 %1, %0
  %25 = icmp sgt i32 %2, 2
  br i1 %25, label %26, label %71

26:                                               ; preds = %23
  %27 = mul nsw i32 %17, %0
  %28 = add nsw i32 %27, %11
  %29 = add nsw i32 %28, %24
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds float, ptr %3, i64 %30
  %32 = load float, ptr %31, align 4, !tbaa !8
  %33 = sext i32 %28 to i64
  %34 = getelementptr inbounds float, ptr %3, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !8
  %36 = add nsw i32 %2, -2
  br label %37

37:                                               ; preds = %26, %37
  %38 = phi i32 [ %69, %37 ], [ 1, %26 ]
  %39 = phi float [ %46, %37 ], [ %32, %26 ]
  %40 = phi float [ %39, %37 ], [ %35, %26 ]
  %41 = phi i32 [ %42, %37 ], [ %28, %26 ]
  %42 = add nsw i32 %41, %24
  %43 = add nsw i32 %42, %24
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds float, ptr %3, i64 %44
  %46 = load float, ptr %45, align 4, !tbaa !8
  %47 = sext i32 %42 to i64
  %48 = getelementptr float, ptr %3, i64 %47
  %49 = getelementptr i8, ptr %48, i64 -4
  %50 = load float, ptr %49, align 4, !tbaa !8
  %51 = getelementptr i8, ptr %48, i64 4
  %52 = load float, ptr %51, align 4, !tbaa !8
  %53 = fadd contract float %50, %52
  %54 = sub nsw i32 %42, %0
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds float, ptr %3, i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !8
  %58 = fadd contract float %53, %57
  %59 = add nsw i32 %42, %0
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds float, ptr %3, i64 %60
  %62 = load float, ptr %61, align 4, !tbaa !8
  %63 = fadd contract float %58, %62
  %64 = fadd contract float %40, %63
  %65 = fadd contract float %46, %64
  %66 = fmul contract float %39, 6.000000e+00
  %67 = fsub contract float %65, %66
  %68 = getelementptr inbounds float, ptr %4, i64 %47
  store float %67, ptr %68, align 4, !tbaa !8
  %69 = add nuw nsw i32 %38, 1
  %70 = icmp eq i32 %38, %36
  br i1 %70, label %71, label %37, !llvm.loop !10

71:                                               ; preds = %37, %23, %5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

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
