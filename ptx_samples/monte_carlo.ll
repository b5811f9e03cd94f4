; monte_carlo: pi by throwing points, with a random number generator of its own for each thread.
;
; Shows: 64-bit multiplication, shifts and rotates, a long loop without memory; one reduction for
; each warp at the end.
;
; Generated from monte_carlo.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}throw_points
; CHECK: m{{ul|ad}}.lo.{{[us]}}64
; CHECK: shf.{{[lr]}}.wrap.b32
; CHECK: shfl.sync.bfly.b32
; CHECK: {{atom|red}}.global.add.u64

; ModuleID = 'monte_carlo.cu'
source_filename = "monte_carlo.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z7hits_ofyi(i64 noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = icmp sgt i32 %1, 0
  br i1 %3, label %4, label %7

4:                                                ; preds = %2
  %5 = mul i64 %0, -7046029254386353131
  %6 = add i64 %5, 1
  br label %9

7:                                                ; preds = %9, %2
  %8 = phi i32 [ 0, %2 ], [ %40, %9 ]
  ret i32 %8

9:                                                ; preds = %4, %9
  %10 = phi i32 [ %40, %9 ], [ 0, %4 ]
  %11 = phi i32 [ %41, %9 ], [ 0, %4 ]
  %12 = phi i64 [ %25, %9 ], [ %6, %4 ]
  %13 = mul i64 %12, 6364136223846793005
  %14 = add i64 %13, 1442695040888963407
  %15 = lshr i64 %12, 45
  %16 = lshr i64 %12, 27
  %17 = xor i64 %15, %16
  %18 = trunc i64 %17 to i32
  %19 = lshr i64 %12, 59
  %20 = trunc nuw nsw i64 %19 to i32
  %21 = tail call noundef i32 @llvm.fshr.i32(i32 %18, i32 %18, i32 %20)
  %22 = lshr i32 %21, 8
  %23 = zext nneg i32 %22 to i64
  %24 = mul i64 %14, 6364136223846793005
  %25 = add i64 %24, 1442695040888963407
  %26 = lshr i64 %14, 45
  %27 = lshr i64 %14, 27
  %28 = xor i64 %26, %27
  %29 = trunc i64 %28 to i32
  %30 = lshr i64 %14, 59
  %31 = trunc nuw nsw i64 %30 to i32
  %32 = tail call noundef i32 @llvm.fshr.i32(i32 %29, i32 %29, i32 %31)
  %33 = lshr i32 %32, 8
  %34 = zext nneg i32 %33 to i64
  %35 = mul nuw nsw i64 %23, %23
  %36 = mul nuw nsw i64 %34, %34
  %37 = add nuw nsw i64 %36, %35
  %38 = icmp samesign ult i64 %37, 281474976710656
  %39 = zext i1 %38 to i32
  %40 = add i32 %10, %39
  %41 = add nuw nsw i32 %11, 1
  %42 = icmp eq i32 %41, %1
  br i1 %42, label %7, label %9, !llvm.loop !8
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @_Z12throw_pointsiPy(i32 noundef %0, ptr noundef captures(none) %1) local_unnamed_addr #1 {
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = icmp sgt i32 %0, 0
  br i1 %4, label %5, label %47

5:                                                ; preds = %2
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = add i32 %8, %3
  %10 = zext i32 %9 to i64
  %11 = mul i64 %10, -7046029254386353131
  %12 = add i64 %11, 1
  br label %13

13:                                               ; preds = %13, %5
  %14 = phi i32 [ %44, %13 ], [ 0, %5 ]
  %15 = phi i32 [ %45, %13 ], [ 0, %5 ]
  %16 = phi i64 [ %29, %13 ], [ %12, %5 ]
  %17 = mul i64 %16, 6364136223846793005
  %18 = add i64 %17, 1442695040888963407
  %19 = lshr i64 %16, 45
  %20 = lshr i64 %16, 27
  %21 = xor i64 %19, %20
  %22 = trunc i64 %21 to i32
  %23 = lshr i64 %16, 59
  %24 = trunc nuw nsw i64 %23 to i32
  %25 = tail call noundef i32 @llvm.fshr.i32(i32 %22, i32 %22, i32 %24)
  %26 = lshr i32 %25, 8
  %27 = zext nneg i32 %26 to i64
  %28 = mul i64 %18, 6364136223846793005
  %29 = add i64 %28, 1442695040888963407
  %30 = lshr i64 %18, 45
  %31 = lshr i64 %18, 27
  %32 = xor i64 %30, %31
  %33 = trunc i64 %32 to i32
  %34 = lshr i64 %18, 59
  %35 = trunc nuw nsw i64 %34 to i32
  %36 = tail call noundef i32 @llvm.fshr.i32(i32 %33, i32 %33, i32 %35)
  %37 = lshr i32 %36, 8
  %38 = zext nneg i32 %37 to i64
  %39 = mul nuw nsw i64 %27, %27
  %40 = mul nuw nsw i64 %38, %38
  %41 = add nuw nsw i64 %40, %39
  %42 = icmp samesign ult i64 %41, 281474976710656
  %43 = zext i1 %42 to i32
  %44 = add i32 %14, %43
  %45 = add nuw nsw i32 %15, 1
  %46 = icmp eq i32 %45, %0
  br i1 %46, label %47, label %13, !llvm.loop !8

47:                                               ; preds = %13, %2
  %48 = phi i32 [ 0, %2 ], [ %44, %13 ]
  %49 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %48, i32 16, i32 31)
  %50 = add i32 %49, %48
  %51 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %50, i32 8, i32 31)
  %52 = add i32 %51, %50
  %53 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %52, i32 4, i32 31)
  %54 = add i32 %53, %52
  %55 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %54, i32 2, i32 31)
  %56 = add i32 %55, %54
  %57 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %56, i32 1, i32 31)
  %58 = and i32 %3, 31
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %60, label %64

60:                                               ; preds = %47
  %61 = add i32 %57, %56
  %62 = zext i32 %61 to i64
  %63 = atomicrmw add ptr %1, i64 %62 monotonic, align 8
  br label %64

64:                                               ; preds = %60, %47
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshr.i32(i32, i32, i32) #4

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}
