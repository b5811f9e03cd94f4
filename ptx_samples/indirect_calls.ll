; indirect_calls: a recursive function, and functions chosen by data from a table.
;
; Shows: a call through a register with its .callprototype, a table of functions in memory, a
; function that calls itself, and so a stack of unknown depth.
;
; Generated from indirect_calls.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK: .func{{ +}}(.param .b32 func_retval0) {{.*}}fibonacci
; CHECK: {{.*}}fibonacci
; CHECK-LABEL: .entry {{.*}}apply
; CHECK: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _)
; CHECK: st.global.b32

; ModuleID = 'indirect_calls.cu'
source_filename = "indirect_calls.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@operations = dso_local addrspace(1) externally_initialized global [4 x ptr] [ptr @_Z3gcdii, ptr @_Z7smallerii, ptr @_Z7productii, ptr @_Z9fibonacciii], align 8
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @operations to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z3gcdii(i32 noundef %0, i32 noundef %1) #0 {
  %3 = icmp eq i32 %1, 0
  br i1 %3, label %9, label %4

4:                                                ; preds = %2, %4
  %5 = phi i32 [ %6, %4 ], [ %0, %2 ]
  %6 = phi i32 [ %7, %4 ], [ %1, %2 ]
  %7 = srem i32 %5, %6
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %9, label %4, !llvm.loop !8

9:                                                ; preds = %4, %2
  %10 = phi i32 [ %0, %2 ], [ %6, %4 ]
  ret i32 %10
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z7smallerii(i32 noundef %0, i32 noundef %1) #0 {
  %3 = tail call i32 @llvm.smin.i32(i32 %0, i32 %1)
  ret i32 %3
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z7productii(i32 noundef %0, i32 noundef %1) #0 {
  %3 = mul nsw i32 %1, %0
  ret i32 %3
}

; Function Attrs: mustprogress nofree noinline nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z9fibonacciii(i32 noundef %0, i32 noundef %1) #1 {
  %3 = icmp slt i32 %0, 2
  br i1 %3, label %47, label %4

4:                                                ; preds = %2
  %5 = add nsw i32 %0, -2
  %6 = lshr i32 %5, 1
  %7 = add nuw i32 %6, 1
  %8 = and i32 %7, 3
  %9 = icmp ult i32 %5, 6
  br i1 %9, label %33, label %10

10:                                               ; preds = %4
  %11 = and i32 %7, -4
  br label %12

12:                                               ; preds = %12, %10
  %13 = phi i32 [ %0, %10 ], [ %25, %12 ]
  %14 = phi i32 [ 0, %10 ], [ %28, %12 ]
  %15 = phi i32 [ 0, %10 ], [ %29, %12 ]
  %16 = add nsw i32 %13, -1
  %17 = tail call noundef i32 @_Z9fibonacciii(i32 noundef %16, i32 noundef %1) #6
  %18 = add nsw i32 %17, %14
  %19 = add nsw i32 %13, -3
  %20 = tail call noundef i32 @_Z9fibonacciii(i32 noundef %19, i32 noundef %1) #6
  %21 = add nsw i32 %20, %18
  %22 = add nsw i32 %13, -5
  %23 = tail call noundef i32 @_Z9fibonacciii(i32 noundef %22, i32 noundef %1) #6
  %24 = add nsw i32 %23, %21
  %25 = add nsw i32 %13, -8
  %26 = add nsw i32 %13, -7
  %27 = tail call noundef i32 @_Z9fibonacciii(i32 noundef %26, i32 noundef %1) #6
  %28 = add nsw i32 %27, %24
  %29 = add i32 %15, 4
  %30 = icmp eq i32 %29, %11
  br i1 %30, label %31, label %12

31:                                               ; preds = %12
  %32 = icmp eq i32 %8, 0
  br i1 %32, label %47, label %33

33:                                               ; preds = %31, %4
  %34 = phi i32 [ %0, %4 ], [ %25, %31 ]
  %35 = phi i32 [ 0, %4 ], [ %28, %31 ]
  %36 = icmp ne i32 %8, 0
  tail call void @llvm.assume(i1 %36)
  br label %37

37:                                               ; preds = %37, %33
  %38 = phi i32 [ %41, %37 ], [ %34, %33 ]
  %39 = phi i32 [ %44, %37 ], [ %35, %33 ]
  %40 = phi i32 [ %45, %37 ], [ 0, %33 ]
  %41 = add nsw i32 %38, -2
  %42 = add nsw i32 %38, -1
  %43 = tail call noundef i32 @_Z9fibonacciii(i32 noundef %42, i32 noundef %1) #6
  %44 = add nsw i32 %43, %39
  %45 = add i32 %40, 1
  %46 = icmp eq i32 %45, %8
  br i1 %46, label %47, label %37, !llvm.loop !10

47:                                               ; preds = %31, %37, %2
  %48 = phi i32 [ 0, %2 ], [ %28, %31 ], [ %44, %37 ]
  %49 = phi i32 [ %0, %2 ], [ %25, %31 ], [ %41, %37 ]
  %50 = add nsw i32 %49, %48
  ret i32 %50
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z5applyiPKiS0_S0_Pi(i32 noundef %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4) local_unnamed_addr #2 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %0
  br i1 %11, label %12, label %25

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds i32, ptr %1, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds ptr, ptr addrspacecast (ptr addrspace(1) @operations to ptr), i64 %16
  %18 = load ptr, ptr %17, align 8, !tbaa !12
  %19 = getelementptr inbounds i32, ptr %2, i64 %13
  %20 = load i32, ptr %19, align 4, !tbaa !4
  %21 = getelementptr inbounds i32, ptr %3, i64 %13
  %22 = load i32, ptr %21, align 4, !tbaa !4
  %23 = tail call noundef i32 %18(i32 noundef %20, i32 noundef %22) #7
  %24 = getelementptr inbounds i32, ptr %4, i64 %13
  store i32 %23, ptr %24, align 4, !tbaa !4
  br label %25

25:                                               ; preds = %12, %5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #5

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nofree noinline nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #2 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #6 = { nounwind }
attributes #7 = { convergent nounwind }

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
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = !{!13, !13, i64 0}
!13 = !{!"any pointer", !6, i64 0}
