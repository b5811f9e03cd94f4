; interpreter: each thread runs the same little program of byte codes on its own number.
;
; Shows: a switch, of which clang makes a table of branch targets (brx.idx) and nvcc a tree of
; comparisons; a stack in local memory that is indexed by data; byte loads that a whole warp shares.
;
; Generated from interpreter.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}interpret
; CHECK: .local .align {{[0-9]+}} .b8
; CHECK: ld.local.b32
; CHECK: st.local.b32
; CHECK: .branchtargets
; CHECK: brx.idx

; ModuleID = 'interpreter.cu'
source_filename = "interpreter.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read)
define dso_local noundef i32 @_Z3runPKhi(ptr noundef readonly captures(none) %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = alloca [16 x i32], align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #5
  br label %4

4:                                                ; preds = %60, %2
  %5 = phi ptr [ %0, %2 ], [ %61, %60 ]
  %6 = phi i32 [ 0, %2 ], [ %62, %60 ]
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 1
  %8 = load i8, ptr %5, align 1, !tbaa !8
  switch i8 %8, label %75 [
    i8 0, label %9
    i8 1, label %16
    i8 2, label %20
    i8 3, label %30
    i8 4, label %40
    i8 5, label %50
    i8 6, label %63
    i8 7, label %69
  ]

9:                                                ; preds = %4
  %10 = getelementptr inbounds nuw i8, ptr %5, i64 2
  %11 = load i8, ptr %7, align 1, !tbaa !8
  %12 = zext i8 %11 to i32
  %13 = add nsw i32 %6, 1
  %14 = sext i32 %6 to i64
  %15 = getelementptr inbounds i32, ptr %3, i64 %14
  store i32 %12, ptr %15, align 4, !tbaa !4
  br label %60

16:                                               ; preds = %4
  %17 = add nsw i32 %6, 1
  %18 = sext i32 %6 to i64
  %19 = getelementptr inbounds i32, ptr %3, i64 %18
  store i32 %1, ptr %19, align 4, !tbaa !4
  br label %60

20:                                               ; preds = %4
  %21 = add nsw i32 %6, -1
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i32, ptr %3, i64 %22
  %24 = load i32, ptr %23, align 4, !tbaa !4
  %25 = sext i32 %6 to i64
  %26 = getelementptr i32, ptr %3, i64 %25
  %27 = getelementptr i8, ptr %26, i64 -8
  %28 = load i32, ptr %27, align 4, !tbaa !4
  %29 = add nsw i32 %28, %24
  store i32 %29, ptr %27, align 4, !tbaa !4
  br label %60

30:                                               ; preds = %4
  %31 = add nsw i32 %6, -1
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %3, i64 %32
  %34 = load i32, ptr %33, align 4, !tbaa !4
  %35 = sext i32 %6 to i64
  %36 = getelementptr i32, ptr %3, i64 %35
  %37 = getelementptr i8, ptr %36, i64 -8
  %38 = load i32, ptr %37, align 4, !tbaa !4
  %39 = sub nsw i32 %38, %34
  store i32 %39, ptr %37, align 4, !tbaa !4
  br label %60

40:                                               ; preds = %4
  %41 = add nsw i32 %6, -1
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds i32, ptr %3, i64 %42
  %44 = load i32, ptr %43, align 4, !tbaa !4
  %45 = sext i32 %6 to i64
  %46 = getelementptr i32, ptr %3, i64 %45
  %47 = getelementptr i8, ptr %46, i64 -8
  %48 = load i32, ptr %47, align 4, !tbaa !4
  %49 = mul nsw i32 %48, %44
  store i32 %49, ptr %47, align 4, !tbaa !4
  br label %60

50:                                               ; preds = %4
  %51 = add nsw i32 %6, -1
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i32, ptr %3, i64 %52
  %54 = load i32, ptr %53, align 4, !tbaa !4
  %55 = sext i32 %6 to i64
  %56 = getelementptr i32, ptr %3, i64 %55
  %57 = getelementptr i8, ptr %56, i64 -8
  %58 = load i32, ptr %57, align 4, !tbaa !4
  %59 = tail call i32 @llvm.smin.i32(i32 %54, i32 %58)
  store i32 %59, ptr %57, align 4
  br label %60

60:                                               ; preds = %50, %69, %63, %40, %30, %20, %16, %9
  %61 = phi ptr [ %10, %9 ], [ %7, %16 ], [ %7, %20 ], [ %7, %30 ], [ %7, %40 ], [ %7, %69 ], [ %7, %50 ], [ %7, %63 ]
  %62 = phi i32 [ %13, %9 ], [ %17, %16 ], [ %21, %20 ], [ %31, %30 ], [ %41, %40 ], [ %6, %69 ], [ %51, %50 ], [ %6, %63 ]
  br label %4, !llvm.loop !9

63:                                               ; preds = %4
  %64 = sext i32 %6 to i64
  %65 = getelementptr i32, ptr %3, i64 %64
  %66 = getelementptr i8, ptr %65, i64 -4
  %67 = load i32, ptr %66, align 4, !tbaa !4
  %68 = sub nsw i32 0, %67
  store i32 %68, ptr %66, align 4, !tbaa !4
  br label %60

69:                                               ; preds = %4
  %70 = sext i32 %6 to i64
  %71 = getelementptr i32, ptr %3, i64 %70
  %72 = getelementptr i8, ptr %71, i64 -4
  %73 = load i32, ptr %72, align 4, !tbaa !4
  %74 = shl nsw i32 %73, 1
  store i32 %74, ptr %72, align 4, !tbaa !4
  br label %60

75:                                               ; preds = %4
  %76 = sext i32 %6 to i64
  %77 = getelementptr i32, ptr %3, i64 %76
  %78 = getelementptr i8, ptr %77, i64 -4
  %79 = load i32, ptr %78, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #5
  ret i32 %79
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z9interpretiPKhPi(i32 noundef %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2) local_unnamed_addr #2 {
  %4 = alloca [16 x i32], align 4
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %0
  br i1 %10, label %11, label %91

11:                                               ; preds = %3
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds i32, ptr %2, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr nonnull %4) #5
  br label %15

15:                                               ; preds = %83, %11
  %16 = phi ptr [ %1, %11 ], [ %84, %83 ]
  %17 = phi i32 [ 0, %11 ], [ %85, %83 ]
  %18 = getelementptr inbounds nuw i8, ptr %16, i64 1
  %19 = load i8, ptr %16, align 1, !tbaa !8
  switch i8 %19, label %86 [
    i8 0, label %20
    i8 1, label %27
    i8 2, label %31
    i8 3, label %41
    i8 4, label %51
    i8 5, label %61
    i8 6, label %71
    i8 7, label %77
  ]

20:                                               ; preds = %15
  %21 = getelementptr inbounds nuw i8, ptr %16, i64 2
  %22 = load i8, ptr %18, align 1, !tbaa !8
  %23 = zext i8 %22 to i32
  %24 = add nsw i32 %17, 1
  %25 = sext i32 %17 to i64
  %26 = getelementptr inbounds i32, ptr %4, i64 %25
  store i32 %23, ptr %26, align 4, !tbaa !4
  br label %83

27:                                               ; preds = %15
  %28 = add nsw i32 %17, 1
  %29 = sext i32 %17 to i64
  %30 = getelementptr inbounds i32, ptr %4, i64 %29
  store i32 %14, ptr %30, align 4, !tbaa !4
  br label %83

31:                                               ; preds = %15
  %32 = add nsw i32 %17, -1
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds i32, ptr %4, i64 %33
  %35 = load i32, ptr %34, align 4, !tbaa !4
  %36 = sext i32 %17 to i64
  %37 = getelementptr i32, ptr %4, i64 %36
  %38 = getelementptr i8, ptr %37, i64 -8
  %39 = load i32, ptr %38, align 4, !tbaa !4
  %40 = add nsw i32 %39, %35
  store i32 %40, ptr %38, align 4, !tbaa !4
  br label %83

41:                                               ; preds = %15
  %42 = add nsw i32 %17, -1
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i32, ptr %4, i64 %43
  %45 = load i32, ptr %44, align 4, !tbaa !4
  %46 = sext i32 %17 to i64
  %47 = getelementptr i32, ptr %4, i64 %46
  %48 = getelementptr i8, ptr %47, i64 -8
  %49 = load i32, ptr %48, align 4, !tbaa !4
  %50 = sub nsw i32 %49, %45
  store i32 %50, ptr %48, align 4, !tbaa !4
  br label %83

51:                                               ; preds = %15
  %52 = add nsw i32 %17, -1
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds i32, ptr %4, i64 %53
  %55 = load i32, ptr %54, align 4, !tbaa !4
  %56 = sext i32 %17 to i64
  %57 = getelementptr i32, ptr %4, i64 %56
  %58 = getelementptr i8, ptr %57, i64 -8
  %59 = load i32, ptr %58, align 4, !tbaa !4
  %60 = mul nsw i32 %59, %55
  store i32 %60, ptr %58, align 4, !tbaa !4
  br label %83

61:                                               ; preds = %15
  %62 = add nsw i32 %17, -1
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds i32, ptr %4, i64 %63
  %65 = load i32, ptr %64, align 4, !tbaa !4
  %66 = sext i32 %17 to i64
  %67 = getelementptr i32, ptr %4, i64 %66
  %68 = getelementptr i8, ptr %67, i64 -8
  %69 = load i32, ptr %68, align 4, !tbaa !4
  %70 = tail call i32 @llvm.smin.i32(i32 %65, i32 %69)
  store i32 %70, ptr %68, align 4
  br label %83

71:                                               ; preds = %15
  %72 = sext i32 %17 to i64
  %73 = getelementptr i32, ptr %4, i64 %72
  %74 = getelementptr i8, ptr %73, i64 -4
  %75 = load i32, ptr %74, align 4, !tbaa !4
  %76 = sub nsw i32 0, %75
  store i32 %76, ptr %74, align 4, !tbaa !4
  br label %83

77:                                               ; preds = %15
  %78 = sext i32 %17 to i64
  %79 = getelementptr i32, ptr %4, i64 %78
  %80 = getelementptr i8, ptr %79, i64 -4
  %81 = load i32, ptr %80, align 4, !tbaa !4
  %82 = shl nsw i32 %81, 1
  store i32 %82, ptr %80, align 4, !tbaa !4
  br label %83

83:                                               ; preds = %77, %71, %61, %51, %41, %31, %27, %20
  %84 = phi ptr [ %21, %20 ], [ %18, %27 ], [ %18, %31 ], [ %18, %41 ], [ %18, %51 ], [ %18, %77 ], [ %18, %61 ], [ %18, %71 ]
  %85 = phi i32 [ %24, %20 ], [ %28, %27 ], [ %32, %31 ], [ %42, %41 ], [ %52, %51 ], [ %17, %77 ], [ %62, %61 ], [ %17, %71 ]
  br label %15, !llvm.loop !9

86:                                               ; preds = %15
  %87 = sext i32 %17 to i64
  %88 = getelementptr i32, ptr %4, i64 %87
  %89 = getelementptr i8, ptr %88, i64 -4
  %90 = load i32, ptr %89, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr nonnull %4) #5
  store i32 %90, ptr %13, align 4, !tbaa !4
  br label %91

91:                                               ; preds = %86, %3
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

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }

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
!8 = !{!6, !6, i64 0}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
