; stencil2d: each point becomes the mean of its four neighbours; the edge stays as it is.
;
; Shows: five loads at constant distances from each other; neighbours share lines inside a warp,
; rows are shared across a block and across blocks.
;
; Generated from stencil2d.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}smooth
; CHECK: ld.global.nc.b32 {{.*}}+4];
; CHECK: mul.f32 {{.*}}, 0f3E800000;
; CHECK: st.global.b32

; ModuleID = 'stencil2d.cu'
source_filename = "stencil2d.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z6smoothiiPKfPf(i32 noundef %0, i32 noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %12 = mul nuw nsw i32 %10, %11
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %14 = add nuw nsw i32 %12, %13
  %15 = icmp slt i32 %9, %0
  %16 = icmp slt i32 %14, %1
  %17 = and i1 %15, %16
  br i1 %17, label %18, label %57

18:                                               ; preds = %4
  %19 = mul nsw i32 %14, %0
  %20 = add nsw i32 %19, %9
  %21 = icmp sgt i32 %9, 0
  br i1 %21, label %22, label %49

22:                                               ; preds = %18
  %23 = add nsw i32 %0, -1
  %24 = icmp slt i32 %9, %23
  %25 = icmp ne i32 %14, 0
  %26 = and i1 %25, %24
  %27 = add nsw i32 %1, -1
  %28 = icmp samesign ult i32 %14, %27
  %29 = select i1 %26, i1 %28, i1 false
  br i1 %29, label %30, label %49

30:                                               ; preds = %22
  %31 = sext i32 %20 to i64
  %32 = getelementptr float, ptr %2, i64 %31
  %33 = getelementptr i8, ptr %32, i64 -4
  %34 = load float, ptr %33, align 4, !tbaa !8
  %35 = getelementptr i8, ptr %32, i64 4
  %36 = load float, ptr %35, align 4, !tbaa !8
  %37 = fadd contract float %34, %36
  %38 = sub nsw i32 %20, %0
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %2, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !8
  %42 = fadd contract float %37, %41
  %43 = add nsw i32 %20, %0
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds float, ptr %2, i64 %44
  %46 = load float, ptr %45, align 4, !tbaa !8
  %47 = fadd contract float %42, %46
  %48 = fmul contract float %47, 2.500000e-01
  br label %53

49:                                               ; preds = %22, %18
  %50 = sext i32 %20 to i64
  %51 = getelementptr inbounds float, ptr %2, i64 %50
  %52 = load float, ptr %51, align 4, !tbaa !8
  br label %53

53:                                               ; preds = %49, %30
  %54 = phi i64 [ %50, %49 ], [ %31, %30 ]
  %55 = phi contract float [ %52, %49 ], [ %48, %30 ]
  %56 = getelementptr inbounds float, ptr %3, i64 %54
  store float %55, ptr %56, align 4, !tbaa !8
  br label %57

57:                                               ; preds = %4, %53
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

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
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
