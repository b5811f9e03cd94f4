; dp4a: a matrix of 8-bit numbers times a vector, four products for each instruction.
;
; Shows: dp4a.s32.s32, 16-byte loads of bytes; the matrix is read once, the vector by every warp.
;
; Generated from dp4a.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}multiply
; CHECK: ld.global.nc.v4.b32
; CHECK: dp4a.s32.s32
; CHECK: dp4a.s32.s32
; CHECK: shfl.sync.bfly.b32
; CHECK: st.global.b32

; ModuleID = 'dp4a.cu'
source_filename = "dp4a.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.int4 = type { i32, i32, i32, i32 }

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @_Z8multiplyiiPK4int4S1_Pi(i32 noundef %0, i32 noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef writeonly captures(none) %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %0
  br i1 %11, label %12, label %61

12:                                               ; preds = %5
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = icmp slt i32 %13, %1
  br i1 %14, label %15, label %17

15:                                               ; preds = %12
  %16 = mul nsw i32 %1, %10
  br label %29

17:                                               ; preds = %29, %12
  %18 = phi i32 [ 0, %12 ], [ %54, %29 ]
  %19 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %18, i32 16, i32 31)
  %20 = add nsw i32 %19, %18
  %21 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %20, i32 8, i32 31)
  %22 = add nsw i32 %21, %20
  %23 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %22, i32 4, i32 31)
  %24 = add nsw i32 %23, %22
  %25 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %24, i32 2, i32 31)
  %26 = add nsw i32 %25, %24
  %27 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %26, i32 1, i32 31)
  %28 = icmp eq i32 %13, 0
  br i1 %28, label %57, label %61

29:                                               ; preds = %15, %29
  %30 = phi i32 [ 0, %15 ], [ %54, %29 ]
  %31 = phi i32 [ %13, %15 ], [ %55, %29 ]
  %32 = add nsw i32 %31, %16
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds %struct.int4, ptr %2, i64 %33
  %35 = load i32, ptr %34, align 16, !tbaa !4
  %36 = getelementptr inbounds nuw i8, ptr %34, i64 4
  %37 = load i32, ptr %36, align 4, !tbaa !4
  %38 = getelementptr inbounds nuw i8, ptr %34, i64 8
  %39 = load i32, ptr %38, align 8, !tbaa !4
  %40 = getelementptr inbounds nuw i8, ptr %34, i64 12
  %41 = load i32, ptr %40, align 4, !tbaa !4
  %42 = zext nneg i32 %31 to i64
  %43 = getelementptr inbounds nuw %struct.int4, ptr %3, i64 %42
  %44 = load i32, ptr %43, align 16, !tbaa !4
  %45 = getelementptr inbounds nuw i8, ptr %43, i64 4
  %46 = load i32, ptr %45, align 4, !tbaa !4
  %47 = getelementptr inbounds nuw i8, ptr %43, i64 8
  %48 = load i32, ptr %47, align 8, !tbaa !4
  %49 = getelementptr inbounds nuw i8, ptr %43, i64 12
  %50 = load i32, ptr %49, align 4, !tbaa !4
  %51 = tail call noundef i32 @llvm.nvvm.idp4a.s.s(i32 noundef %35, i32 noundef %44, i32 noundef %30) #3
  %52 = tail call noundef i32 @llvm.nvvm.idp4a.s.s(i32 noundef %37, i32 noundef %46, i32 noundef %51) #3
  %53 = tail call noundef i32 @llvm.nvvm.idp4a.s.s(i32 noundef %39, i32 noundef %48, i32 noundef %52) #3
  %54 = tail call noundef i32 @llvm.nvvm.idp4a.s.s(i32 noundef %41, i32 noundef %50, i32 noundef %53) #3
  %55 = add nuw nsw i32 %31, 32
  %56 = icmp slt i32 %55, %1
  br i1 %56, label %29, label %17, !llvm.loop !8

57:                                               ; preds = %17
  %58 = add nsw i32 %27, %26
  %59 = sext i32 %10 to i64
  %60 = getelementptr inbounds i32, ptr %4, i64 %59
  store i32 %58, ptr %60, align 4, !tbaa !4
  br label %61

61:                                               ; preds = %17, %57, %5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.idp4a.s.s(i32, i32, i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nounwind }

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
