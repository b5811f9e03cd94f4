; transpose: a matrix turned through a tile in shared memory, so that reads and writes both run
; along rows.
;
; Shows: a padded shared tile (33 columns, no bank conflicts); each element is read once and
; written once.
;
; Generated from transpose.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}transpose
; CHECK: .shared .align 4 .b8 {{.*}}tile[4224];
; CHECK: ld.global.nc.b32
; CHECK: st.shared.b32
; CHECK: bar{{(rier)?}}.sync
; CHECK: ld.shared.b32
; CHECK: st.global.b32

; ModuleID = 'transpose.cu'
source_filename = "transpose.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ9transposeiiPKfPfE4tile = internal unnamed_addr addrspace(3) global [32 x [33 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z9transposeiiPKfPf(i32 noundef %0, i32 noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = shl i32 %5, 5
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %10 = shl nuw nsw i32 %9, 5
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %12 = add nuw nsw i32 %10, %11
  %13 = icmp slt i32 %8, %0
  %14 = zext nneg i32 %7 to i64
  %15 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ9transposeiiPKfPfE4tile to ptr), i64 %14
  %16 = icmp slt i32 %12, %1
  %17 = select i1 %13, i1 %16, i1 false
  br i1 %17, label %18, label %26

18:                                               ; preds = %4
  %19 = mul nsw i32 %12, %0
  %20 = add nsw i32 %19, %8
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds float, ptr %2, i64 %21
  %23 = load float, ptr %22, align 4, !tbaa !8
  %24 = zext nneg i32 %11 to i64
  %25 = getelementptr inbounds nuw [33 x float], ptr %15, i64 %24
  store float %23, ptr %25, align 4, !tbaa !8
  br label %26

26:                                               ; preds = %4, %18
  br i1 %13, label %27, label %63

27:                                               ; preds = %26
  %28 = add nuw nsw i32 %12, 8
  %29 = icmp slt i32 %28, %1
  br i1 %29, label %30, label %39

30:                                               ; preds = %27
  %31 = mul nsw i32 %28, %0
  %32 = add nsw i32 %31, %8
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds float, ptr %2, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !8
  %36 = zext nneg i32 %11 to i64
  %37 = getelementptr inbounds nuw [33 x float], ptr %15, i64 %36
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 1056
  store float %35, ptr %38, align 4, !tbaa !8
  br label %39

39:                                               ; preds = %27, %30
  %40 = add nuw nsw i32 %12, 16
  %41 = icmp slt i32 %40, %1
  br i1 %41, label %42, label %51

42:                                               ; preds = %39
  %43 = mul nsw i32 %40, %0
  %44 = add nsw i32 %43, %8
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds float, ptr %2, i64 %45
  %47 = load float, ptr %46, align 4, !tbaa !8
  %48 = zext nneg i32 %11 to i64
  %49 = getelementptr inbounds nuw [33 x float], ptr %15, i64 %48
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 2112
  store float %47, ptr %50, align 4, !tbaa !8
  br label %51

51:                                               ; preds = %39, %42
  %52 = add nuw nsw i32 %12, 24
  %53 = icmp slt i32 %52, %1
  br i1 %53, label %54, label %63

54:                                               ; preds = %51
  %55 = mul nsw i32 %52, %0
  %56 = add nsw i32 %55, %8
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %2, i64 %57
  %59 = load float, ptr %58, align 4, !tbaa !8
  %60 = zext nneg i32 %11 to i64
  %61 = getelementptr inbounds nuw [33 x float], ptr %15, i64 %60
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 3168
  store float %59, ptr %62, align 4, !tbaa !8
  br label %63

63:                                               ; preds = %26, %54, %51
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %64 = add nuw nsw i32 %10, %7
  %65 = add i32 %6, %11
  %66 = icmp slt i32 %64, %1
  %67 = getelementptr inbounds nuw [33 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ9transposeiiPKfPfE4tile to ptr), i64 %14
  %68 = icmp slt i32 %65, %0
  %69 = and i1 %66, %68
  br i1 %69, label %70, label %78

70:                                               ; preds = %63
  %71 = zext nneg i32 %11 to i64
  %72 = getelementptr inbounds nuw float, ptr %67, i64 %71
  %73 = load float, ptr %72, align 4, !tbaa !8
  %74 = mul nsw i32 %65, %1
  %75 = add nsw i32 %74, %64
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds float, ptr %3, i64 %76
  store float %73, ptr %77, align 4, !tbaa !8
  br label %78

78:                                               ; preds = %63, %70
  br i1 %66, label %79, label %115

79:                                               ; preds = %78
  %80 = add nsw i32 %65, 8
  %81 = icmp slt i32 %80, %0
  br i1 %81, label %82, label %91

82:                                               ; preds = %79
  %83 = zext nneg i32 %11 to i64
  %84 = getelementptr inbounds nuw float, ptr %67, i64 %83
  %85 = getelementptr inbounds nuw i8, ptr %84, i64 32
  %86 = load float, ptr %85, align 4, !tbaa !8
  %87 = mul nsw i32 %80, %1
  %88 = add nsw i32 %87, %64
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds float, ptr %3, i64 %89
  store float %86, ptr %90, align 4, !tbaa !8
  br label %91

91:                                               ; preds = %79, %82
  %92 = add nsw i32 %65, 16
  %93 = icmp slt i32 %92, %0
  br i1 %93, label %94, label %103

94:                                               ; preds = %91
  %95 = zext nneg i32 %11 to i64
  %96 = getelementptr inbounds nuw float, ptr %67, i64 %95
  %97 = getelementptr inbounds nuw i8, ptr %96, i64 64
  %98 = load float, ptr %97, align 4, !tbaa !8
  %99 = mul nsw i32 %92, %1
  %100 = add nsw i32 %99, %64
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds float, ptr %3, i64 %101
  store float %98, ptr %102, align 4, !tbaa !8
  br label %103

103:                                              ; preds = %91, %94
  %104 = add nsw i32 %65, 24
  %105 = icmp slt i32 %104, %0
  br i1 %105, label %106, label %115

106:                                              ; preds = %103
  %107 = zext nneg i32 %11 to i64
  %108 = getelementptr inbounds nuw float, ptr %67, i64 %107
  %109 = getelementptr inbounds nuw i8, ptr %108, i64 96
  %110 = load float, ptr %109, align 4, !tbaa !8
  %111 = mul nsw i32 %104, %1
  %112 = add nsw i32 %111, %64
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds float, ptr %3, i64 %113
  store float %110, ptr %114, align 4, !tbaa !8
  br label %115

115:                                              ; preds = %78, %106, %103
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
