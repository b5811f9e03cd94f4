; complex_multiply: spectra multiplied element by element and scaled, as in a convolution by FFT.
;
; Shows: 8-byte vector loads of pairs, two streams in and one out.
;
; Generated from complex_multiply.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}multiply
; CHECK: ld.global.nc.v2.b32
; CHECK: ld.global.nc.v2.b32
; CHECK: fma.rn.f32
; CHECK: st.global.v2.b32

; ModuleID = 'complex_multiply.cu'
source_filename = "complex_multiply.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float2 = type { float, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z8multiplyifPK6float2S1_PS_(i32 noundef %0, float noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef writeonly captures(none) %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %0
  br i1 %11, label %12, label %32

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds %struct.float2, ptr %2, i64 %13
  %15 = load float, ptr %14, align 8, !tbaa !8
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 4
  %17 = load float, ptr %16, align 4, !tbaa !8
  %18 = getelementptr inbounds %struct.float2, ptr %3, i64 %13
  %19 = load float, ptr %18, align 8, !tbaa !8
  %20 = getelementptr inbounds nuw i8, ptr %18, i64 4
  %21 = load float, ptr %20, align 4, !tbaa !8
  %22 = fmul contract float %15, %19
  %23 = fmul contract float %17, %21
  %24 = fsub contract float %22, %23
  %25 = fmul contract float %1, %24
  %26 = fmul contract float %15, %21
  %27 = fmul contract float %17, %19
  %28 = fadd contract float %27, %26
  %29 = fmul contract float %1, %28
  %30 = getelementptr inbounds %struct.float2, ptr %4, i64 %13
  store float %25, ptr %30, align 8, !tbaa !8
  %31 = getelementptr inbounds nuw i8, ptr %30, i64 4
  store float %29, ptr %31, align 4, !tbaa !8
  br label %32

32:                                               ; preds = %5, %12
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

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
