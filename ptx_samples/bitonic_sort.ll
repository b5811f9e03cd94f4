; bitonic_sort: each block sorts 1024 keys in shared memory by compare and exchange.
;
; Shows: two nested loops around a barrier, shared addresses made with exclusive or, select
; instructions for min and max; keys are read once and written once.
;
; Generated from bitonic_sort.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}sort_blocks
; CHECK: ld.global.b32
; CHECK: st.shared.b32
; CHECK: bar{{(rier)?}}.sync
; CHECK: xor.b32
; CHECK: st.global.b32

; ModuleID = 'bitonic_sort.cu'
source_filename = "bitonic_sort.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ11sort_blocksPiE3key = internal unnamed_addr addrspace(3) global [1024 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z11sort_blocksPi(ptr noundef captures(none) %0) local_unnamed_addr #0 {
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %3 = shl i32 %2, 10
  %4 = zext i32 %3 to i64
  %5 = getelementptr inbounds nuw i32, ptr %0, i64 %4
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %9

8:                                                ; preds = %9
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %17

9:                                                ; preds = %1, %9
  %10 = phi i32 [ %6, %1 ], [ %15, %9 ]
  %11 = zext nneg i32 %10 to i64
  %12 = getelementptr inbounds nuw i32, ptr %5, i64 %11
  %13 = load i32, ptr %12, align 4, !tbaa !4
  %14 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11sort_blocksPiE3key to ptr), i64 %11
  store i32 %13, ptr %14, align 4, !tbaa !4
  %15 = add nuw nsw i32 %10, %7
  %16 = icmp samesign ult i32 %15, 1024
  br i1 %16, label %9, label %8, !llvm.loop !8

17:                                               ; preds = %8, %22
  %18 = phi i32 [ 2, %8 ], [ %23, %22 ]
  %19 = lshr exact i32 %18, 1
  br label %20

20:                                               ; preds = %17, %25
  %21 = phi i32 [ %19, %17 ], [ %26, %25 ]
  br label %28

22:                                               ; preds = %25
  %23 = shl nuw nsw i32 %18, 1
  %24 = icmp samesign ult i32 %18, 513
  br i1 %24, label %17, label %49, !llvm.loop !10

25:                                               ; preds = %45
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %26 = lshr i32 %21, 1
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %22, label %20, !llvm.loop !11

28:                                               ; preds = %20, %45
  %29 = phi i32 [ %6, %20 ], [ %46, %45 ]
  %30 = xor i32 %29, %21
  %31 = icmp samesign ugt i32 %30, %29
  br i1 %31, label %32, label %45

32:                                               ; preds = %28
  %33 = and i32 %29, %18
  %34 = icmp eq i32 %33, 0
  %35 = zext nneg i32 %29 to i64
  %36 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11sort_blocksPiE3key to ptr), i64 %35
  %37 = load i32, ptr %36, align 4, !tbaa !4
  %38 = zext nneg i32 %30 to i64
  %39 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11sort_blocksPiE3key to ptr), i64 %38
  %40 = load i32, ptr %39, align 4, !tbaa !4
  %41 = tail call noundef i32 @llvm.smin.i32(i32 %37, i32 %40)
  %42 = tail call noundef i32 @llvm.smax.i32(i32 %37, i32 %40)
  %43 = select i1 %34, i32 %41, i32 %42
  store i32 %43, ptr %36, align 4, !tbaa !4
  %44 = select i1 %34, i32 %42, i32 %41
  store i32 %44, ptr %39, align 4, !tbaa !4
  br label %45

45:                                               ; preds = %32, %28
  %46 = add nuw nsw i32 %29, %7
  %47 = icmp samesign ult i32 %46, 1024
  br i1 %47, label %28, label %25, !llvm.loop !12

48:                                               ; preds = %49
  ret void

49:                                               ; preds = %22, %49
  %50 = phi i32 [ %55, %49 ], [ %6, %22 ]
  %51 = zext nneg i32 %50 to i64
  %52 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11sort_blocksPiE3key to ptr), i64 %51
  %53 = load i32, ptr %52, align 4, !tbaa !4
  %54 = getelementptr inbounds nuw i32, ptr %5, i64 %51
  store i32 %53, ptr %54, align 4, !tbaa !4
  %55 = add nuw nsw i32 %50, %7
  %56 = icmp samesign ult i32 %55, 1024
  br i1 %56, label %49, label %48, !llvm.loop !13
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
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
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}
!10 = distinct !{!10, !9}
!11 = distinct !{!11, !9}
!12 = distinct !{!12, !9}
!13 = distinct !{!13, !9}
