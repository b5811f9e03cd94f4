; scan: running sums of an array, in three launches: blocks, the blocks' totals, and adding those.
;
; Shows: shfl.sync up a warp, shared memory between warps, a kernel used twice; the second kernel
; reads one value for a whole block (a broadcast).
;
; Generated from scan.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}scan_blocks
; CHECK: ld.global.b32
; CHECK: shfl.sync.up.b32
; CHECK: st.global.b32
; CHECK-LABEL: .entry {{.*}}add_offsets
; CHECK: ld.global
; CHECK: st.global.b32

; ModuleID = 'scan.cu'
source_filename = "scan.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ11scan_blocksiPKiPiS1_E7of_warp = internal unnamed_addr addrspace(3) global [8 x i32] undef, align 4

; Function Attrs: convergent mustprogress norecurse nounwind memory(inaccessiblemem: readwrite)
define dso_local noundef i32 @_Z9scan_warpi(i32 noundef %0) local_unnamed_addr #0 {
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = and i32 %2, 31
  %4 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %0, i32 1, i32 0)
  %5 = icmp eq i32 %3, 0
  %6 = select i1 %5, i32 0, i32 %4
  %7 = add nsw i32 %6, %0
  %8 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %7, i32 2, i32 0)
  %9 = icmp samesign ult i32 %3, 2
  %10 = select i1 %9, i32 0, i32 %8
  %11 = add nsw i32 %10, %7
  %12 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %11, i32 4, i32 0)
  %13 = icmp samesign ult i32 %3, 4
  %14 = select i1 %13, i32 0, i32 %12
  %15 = add nsw i32 %14, %11
  %16 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %15, i32 8, i32 0)
  %17 = icmp samesign ult i32 %3, 8
  %18 = select i1 %17, i32 0, i32 %16
  %19 = add nsw i32 %18, %15
  %20 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %19, i32 16, i32 0)
  %21 = icmp samesign ult i32 %3, 16
  %22 = select i1 %21, i32 0, i32 %20
  %23 = add nsw i32 %22, %19
  ret i32 %23
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z11scan_blocksiPKiPiS1_(i32 noundef %0, ptr noundef readonly captures(none) %1, ptr noundef writeonly captures(none) %2, ptr noundef writeonly captures(none) %3) local_unnamed_addr #1 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = shl i32 %5, 8
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = and i32 %7, 31
  %10 = lshr i32 %7, 5
  %11 = icmp slt i32 %8, %0
  br i1 %11, label %12, label %16

12:                                               ; preds = %4
  %13 = sext i32 %8 to i64
  %14 = getelementptr inbounds i32, ptr %1, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !4
  br label %16

16:                                               ; preds = %4, %12
  %17 = phi i32 [ %15, %12 ], [ 0, %4 ]
  %18 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %17, i32 1, i32 0)
  %19 = icmp eq i32 %9, 0
  %20 = select i1 %19, i32 0, i32 %18
  %21 = add nsw i32 %20, %17
  %22 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %21, i32 2, i32 0)
  %23 = icmp samesign ult i32 %9, 2
  %24 = select i1 %23, i32 0, i32 %22
  %25 = add nsw i32 %24, %21
  %26 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %25, i32 4, i32 0)
  %27 = icmp samesign ult i32 %9, 4
  %28 = select i1 %27, i32 0, i32 %26
  %29 = add nsw i32 %28, %25
  %30 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %29, i32 8, i32 0)
  %31 = icmp samesign ult i32 %9, 8
  %32 = select i1 %31, i32 0, i32 %30
  %33 = add nsw i32 %32, %29
  %34 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %33, i32 16, i32 0)
  %35 = icmp samesign ult i32 %9, 16
  %36 = select i1 %35, i32 0, i32 %34
  %37 = add nsw i32 %36, %33
  %38 = icmp eq i32 %9, 31
  br i1 %38, label %39, label %42

39:                                               ; preds = %16
  %40 = zext nneg i32 %10 to i64
  %41 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksiPKiPiS1_E7of_warp to ptr), i64 %40
  store i32 %37, ptr %41, align 4, !tbaa !4
  br label %42

42:                                               ; preds = %39, %16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %43 = icmp eq i32 %10, 0
  br i1 %43, label %66, label %44

44:                                               ; preds = %42
  %45 = and i32 %10, 3
  %46 = icmp samesign ult i32 %7, 128
  br i1 %46, label %51, label %47

47:                                               ; preds = %44
  %48 = and i32 %10, 28
  br label %68

49:                                               ; preds = %68
  %50 = icmp eq i32 %45, 0
  br i1 %50, label %66, label %51

51:                                               ; preds = %49, %44
  %52 = phi i32 [ 0, %44 ], [ %91, %49 ]
  %53 = phi i32 [ %37, %44 ], [ %90, %49 ]
  %54 = icmp ne i32 %45, 0
  tail call void @llvm.assume(i1 %54)
  br label %55

55:                                               ; preds = %55, %51
  %56 = phi i32 [ %63, %55 ], [ %52, %51 ]
  %57 = phi i32 [ %62, %55 ], [ %53, %51 ]
  %58 = phi i32 [ %64, %55 ], [ 0, %51 ]
  %59 = zext nneg i32 %56 to i64
  %60 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksiPKiPiS1_E7of_warp to ptr), i64 %59
  %61 = load i32, ptr %60, align 4, !tbaa !4
  %62 = add nsw i32 %61, %57
  %63 = add nuw nsw i32 %56, 1
  %64 = add i32 %58, 1
  %65 = icmp eq i32 %64, %45
  br i1 %65, label %66, label %55, !llvm.loop !8

66:                                               ; preds = %49, %55, %42
  %67 = phi i32 [ %37, %42 ], [ %90, %49 ], [ %62, %55 ]
  br i1 %11, label %94, label %97

68:                                               ; preds = %68, %47
  %69 = phi i32 [ 0, %47 ], [ %91, %68 ]
  %70 = phi i32 [ %37, %47 ], [ %90, %68 ]
  %71 = phi i32 [ 0, %47 ], [ %92, %68 ]
  %72 = zext nneg i32 %69 to i64
  %73 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksiPKiPiS1_E7of_warp to ptr), i64 %72
  %74 = load i32, ptr %73, align 4, !tbaa !4
  %75 = add nsw i32 %74, %70
  %76 = zext nneg i32 %69 to i64
  %77 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksiPKiPiS1_E7of_warp to ptr), i64 %76
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 4
  %79 = load i32, ptr %78, align 4, !tbaa !4
  %80 = add nsw i32 %79, %75
  %81 = zext nneg i32 %69 to i64
  %82 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksiPKiPiS1_E7of_warp to ptr), i64 %81
  %83 = getelementptr inbounds nuw i8, ptr %82, i64 8
  %84 = load i32, ptr %83, align 4, !tbaa !4
  %85 = add nsw i32 %84, %80
  %86 = zext nneg i32 %69 to i64
  %87 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ11scan_blocksiPKiPiS1_E7of_warp to ptr), i64 %86
  %88 = getelementptr inbounds nuw i8, ptr %87, i64 12
  %89 = load i32, ptr %88, align 4, !tbaa !4
  %90 = add nsw i32 %89, %85
  %91 = add nuw nsw i32 %69, 4
  %92 = add i32 %71, 4
  %93 = icmp eq i32 %92, %48
  br i1 %93, label %49, label %68, !llvm.loop !10

94:                                               ; preds = %66
  %95 = sext i32 %8 to i64
  %96 = getelementptr inbounds i32, ptr %2, i64 %95
  store i32 %67, ptr %96, align 4, !tbaa !4
  br label %97

97:                                               ; preds = %94, %66
  %98 = icmp eq i32 %7, 255
  br i1 %98, label %99, label %102

99:                                               ; preds = %97
  %100 = zext nneg i32 %5 to i64
  %101 = getelementptr inbounds nuw i32, ptr %3, i64 %100
  store i32 %67, ptr %101, align 4, !tbaa !4
  br label %102

102:                                              ; preds = %99, %97
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z11add_offsetsiPKiPi(i32 noundef %0, ptr noundef readonly captures(none) %1, ptr noundef captures(none) %2) local_unnamed_addr #3 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = shl i32 %4, 8
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nuw nsw i32 %6, 256
  %8 = add i32 %7, %5
  %9 = icmp slt i32 %8, %0
  br i1 %9, label %10, label %18

10:                                               ; preds = %3
  %11 = sext i32 %8 to i64
  %12 = getelementptr inbounds i32, ptr %2, i64 %11
  %13 = zext nneg i32 %4 to i64
  %14 = getelementptr inbounds nuw i32, ptr %1, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !4
  %16 = load i32, ptr %12, align 4, !tbaa !4
  %17 = add nsw i32 %16, %15
  store i32 %17, ptr %12, align 4, !tbaa !4
  br label %18

18:                                               ; preds = %10, %3
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #6

attributes #0 = { convergent mustprogress norecurse nounwind memory(inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

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
!9 = !{!"llvm.loop.unroll.disable"}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
