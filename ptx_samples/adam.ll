; adam: one step of the Adam optimiser, in place.
;
; Shows: three arrays that are read and written back by the thread that read them, beside one that
; is only read; sqrt and two divisions for each element.
;
; Generated from adam.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}adam
; CHECK: ld.global.b32
; CHECK: sqrt.rn.f32
; CHECK: div.rn.f32
; CHECK: st.global.b32

; ModuleID = 'adam.cu'
source_filename = "adam.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Settings = type { float, float, float, float, float, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z4adami8SettingsPKfPfS2_S2_(i32 noundef %0, ptr noundef readonly byval(%struct.Settings) align 4 captures(none) %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef captures(none) %3, ptr noalias noundef captures(none) %4, ptr noalias noundef captures(none) %5) local_unnamed_addr #0 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %0
  br i1 %12, label %13, label %50

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds float, ptr %2, i64 %14
  %16 = load float, ptr %15, align 4, !tbaa !8
  %17 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %18 = load float, ptr %17, align 4, !tbaa !10
  %19 = getelementptr inbounds float, ptr %4, i64 %14
  %20 = load float, ptr %19, align 4, !tbaa !8
  %21 = fmul contract float %18, %20
  %22 = fsub contract float 1.000000e+00, %18
  %23 = fmul contract float %16, %22
  %24 = fadd contract float %21, %23
  %25 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %26 = load float, ptr %25, align 4, !tbaa !12
  %27 = getelementptr inbounds float, ptr %5, i64 %14
  %28 = load float, ptr %27, align 4, !tbaa !8
  %29 = fmul contract float %26, %28
  %30 = fsub contract float 1.000000e+00, %26
  %31 = fmul contract float %16, %30
  %32 = fmul contract float %16, %31
  %33 = fadd contract float %29, %32
  store float %24, ptr %19, align 4, !tbaa !8
  store float %33, ptr %27, align 4, !tbaa !8
  %34 = load float, ptr %1, align 4, !tbaa !13
  %35 = fmul contract float %24, %34
  %36 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %37 = load float, ptr %36, align 4, !tbaa !14
  %38 = fmul contract float %35, %37
  %39 = getelementptr inbounds nuw i8, ptr %1, i64 20
  %40 = load float, ptr %39, align 4, !tbaa !15
  %41 = fmul contract float %33, %40
  %42 = tail call contract noundef float @llvm.nvvm.sqrt.rn.f(float %41)
  %43 = getelementptr inbounds nuw i8, ptr %1, i64 12
  %44 = load float, ptr %43, align 4, !tbaa !16
  %45 = fadd contract float %42, %44
  %46 = fdiv contract float %38, %45
  %47 = getelementptr inbounds float, ptr %3, i64 %14
  %48 = load float, ptr %47, align 4, !tbaa !8
  %49 = fsub contract float %48, %46
  store float %49, ptr %47, align 4, !tbaa !8
  br label %50

50:                                               ; preds = %6, %13
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.rn.f(float) #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(none) }

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
!10 = !{!11, !9, i64 4}
!11 = !{!"_ZTS8Settings", !9, i64 0, !9, i64 4, !9, i64 8, !9, i64 12, !9, i64 16, !9, i64 20}
!12 = !{!11, !9, i64 8}
!13 = !{!11, !9, i64 0}
!14 = !{!11, !9, i64 16}
!15 = !{!11, !9, i64 20}
!16 = !{!11, !9, i64 12}
