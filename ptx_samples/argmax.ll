; argmax: where the largest element is, the first of them if there are several.
;
; Shows: value and place packed into one 64-bit key, so that one atomic maximum settles both; the
; array is read once.
;
; Generated from argmax.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}argmax
; CHECK: ld.global.nc
; CHECK: {{atom|red}}{{.*}}.max.u64

; ModuleID = 'argmax.cu'
source_filename = "argmax.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i64 @_Z6key_offj(float noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = bitcast float %0 to i32
  %4 = xor i32 %3, -1
  %5 = tail call float @llvm.fabs.f32(float %0)
  %6 = fneg float %5
  %7 = bitcast float %6 to i32
  %8 = icmp slt i32 %3, 0
  %9 = select i1 %8, i32 %4, i32 %7
  %10 = zext i32 %9 to i64
  %11 = shl nuw i64 %10, 32
  %12 = xor i32 %1, -1
  %13 = zext i32 %12 to i64
  %14 = or disjoint i64 %11, %13
  ret i64 %14
}

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z6argmaxiPKfPy(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef captures(none) %2) local_unnamed_addr #1 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %0
  br i1 %9, label %10, label %13

10:                                               ; preds = %3
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %12 = mul i32 %11, %5
  br label %16

13:                                               ; preds = %16, %3
  %14 = phi i64 [ 0, %3 ], [ %34, %16 ]
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %39, label %37

16:                                               ; preds = %10, %16
  %17 = phi i64 [ 0, %10 ], [ %34, %16 ]
  %18 = phi i32 [ %8, %10 ], [ %35, %16 ]
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds float, ptr %1, i64 %19
  %21 = load float, ptr %20, align 4, !tbaa !8
  %22 = bitcast float %21 to i32
  %23 = xor i32 %22, -1
  %24 = tail call float @llvm.fabs.f32(float %21)
  %25 = fneg float %24
  %26 = bitcast float %25 to i32
  %27 = icmp slt i32 %22, 0
  %28 = select i1 %27, i32 %23, i32 %26
  %29 = zext i32 %28 to i64
  %30 = shl nuw i64 %29, 32
  %31 = xor i32 %18, -1
  %32 = zext i32 %31 to i64
  %33 = or disjoint i64 %30, %32
  %34 = tail call i64 @llvm.umax.i64(i64 %33, i64 %17)
  %35 = add i32 %18, %12
  %36 = icmp slt i32 %35, %0
  br i1 %36, label %16, label %13, !llvm.loop !10

37:                                               ; preds = %13
  %38 = atomicrmw umax ptr %2, i64 %14 monotonic, align 8
  br label %39

39:                                               ; preds = %37, %13
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
