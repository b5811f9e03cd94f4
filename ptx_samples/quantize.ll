; quantize: floats to 8-bit integers with one scale for each row, four elements for each thread.
;
; Shows: 16-byte loads and 4-byte stores of the same elements, conversions that round and saturate,
; a scale that a whole block shares.
;
; Generated from quantize.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}quantize
; CHECK: ld.global.nc.v4.b32
; CHECK: cvt.rni
; CHECK: st.global.b32

; ModuleID = 'quantize.cu'
source_filename = "quantize.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }
%struct.char4 = type { i8, i8, i8, i8 }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z8quantizeiPKfPK6float4P5char4(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %0
  br i1 %10, label %11, label %50

11:                                               ; preds = %4
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw float, ptr %1, i64 %13
  %15 = load float, ptr %14, align 4, !tbaa !8
  %16 = mul i32 %0, %12
  %17 = add i32 %16, %9
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds %struct.float4, ptr %2, i64 %18
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 4
  %21 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %22 = getelementptr inbounds nuw i8, ptr %19, i64 12
  %23 = getelementptr inbounds %struct.char4, ptr %3, i64 %18
  %24 = load float, ptr %22, align 4, !tbaa !8
  %25 = load float, ptr %21, align 8, !tbaa !8
  %26 = load float, ptr %20, align 4, !tbaa !8
  %27 = load float, ptr %19, align 16, !tbaa !8
  %28 = fmul contract float %15, %24
  %29 = fmul contract float %15, %25
  %30 = fmul contract float %15, %26
  %31 = fmul contract float %15, %27
  %32 = tail call contract noundef float @llvm.maxnum.f32(float %28, float -1.270000e+02)
  %33 = tail call contract noundef float @llvm.maxnum.f32(float %29, float -1.270000e+02)
  %34 = tail call contract noundef float @llvm.maxnum.f32(float %30, float -1.270000e+02)
  %35 = tail call contract noundef float @llvm.maxnum.f32(float %31, float -1.270000e+02)
  %36 = tail call contract noundef float @llvm.minnum.f32(float %32, float 1.270000e+02)
  %37 = tail call contract noundef float @llvm.minnum.f32(float %33, float 1.270000e+02)
  %38 = tail call contract noundef float @llvm.minnum.f32(float %34, float 1.270000e+02)
  %39 = tail call contract noundef float @llvm.minnum.f32(float %35, float 1.270000e+02)
  %40 = tail call contract noundef float @llvm.rint.f32(float %36)
  %41 = tail call contract noundef float @llvm.rint.f32(float %37)
  %42 = tail call contract noundef float @llvm.rint.f32(float %38)
  %43 = tail call contract noundef float @llvm.rint.f32(float %39)
  %44 = insertelement <4 x float> poison, float %43, i64 0
  %45 = insertelement <4 x float> %44, float %42, i64 1
  %46 = insertelement <4 x float> %45, float %41, i64 2
  %47 = insertelement <4 x float> %46, float %40, i64 3
  %48 = fptosi <4 x float> %47 to <4 x i32>
  %49 = trunc <4 x i32> %48 to <4 x i8>
  store <4 x i8> %49, ptr %23, align 4, !tbaa !10
  br label %50

50:                                               ; preds = %4, %11
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

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.minnum.f32(float, float) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.rint.f32(float) #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
!10 = !{!6, !6, i64 0}
