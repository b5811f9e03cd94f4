; hash_table: many threads put keys into one table in global memory, each slot taken by
; compare-and-swap.
;
; Shows: atom.cas in a loop whose end depends on what other threads did; a plain load of a slot
; would race. Only the keys, which nobody writes, may be cached differently.
;
; Generated from hash_table.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}insert
; CHECK: atom{{.*}}.cas.b32
; CHECK: @{{.*}} bra

; ModuleID = 'hash_table.cu'
source_filename = "hash_table.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z6insertiPKiiPiS1_(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, i32 noundef %2, ptr noalias noundef captures(none) %3, ptr noalias noundef captures(none) %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %0
  br i1 %11, label %12, label %37

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds i32, ptr %1, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !4
  %16 = mul i32 %15, -1640531527
  %17 = add nsw i32 %2, -1
  %18 = and i32 %16, %17
  %19 = zext i32 %18 to i64
  %20 = getelementptr inbounds nuw i32, ptr %3, i64 %19
  %21 = cmpxchg ptr %20, i32 -1, i32 %15 monotonic monotonic, align 4
  %22 = extractvalue { i32, i1 } %21, 1
  br i1 %22, label %30, label %32

23:                                               ; preds = %32
  %24 = add i32 %34, 1
  %25 = and i32 %24, %17
  %26 = zext i32 %25 to i64
  %27 = getelementptr inbounds nuw i32, ptr %3, i64 %26
  %28 = cmpxchg ptr %27, i32 -1, i32 %15 monotonic monotonic, align 4
  %29 = extractvalue { i32, i1 } %28, 1
  br i1 %29, label %30, label %32, !llvm.loop !8

30:                                               ; preds = %23, %12
  %31 = atomicrmw add ptr %4, i32 1 monotonic, align 4
  br label %37

32:                                               ; preds = %12, %23
  %33 = phi { i32, i1 } [ %28, %23 ], [ %21, %12 ]
  %34 = phi i32 [ %25, %23 ], [ %18, %12 ]
  %35 = extractvalue { i32, i1 } %33, 0
  %36 = icmp eq i32 %35, %15
  br i1 %36, label %37, label %23

37:                                               ; preds = %32, %30, %5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
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
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}
