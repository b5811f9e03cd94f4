; dynamic_shared: a moving average whose window is known only at launch.
;
; Shows: extern shared memory, sized by the launch; neighbouring blocks read the same few elements
; at their common edge.
;
; Generated from dynamic_shared.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK: .extern .shared .align 4 .b8 window[];
; CHECK-LABEL: .entry {{.*}}moving_average
; CHECK: st.shared.b32
; CHECK: bar{{(rier)?}}.sync
; CHECK: ld.shared.b32
; CHECK: st.global.b32

; ModuleID = 'dynamic_shared.cu'
source_filename = "dynamic_shared.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@window = external dso_local local_unnamed_addr addrspace(3) global [0 x float], align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z14moving_averageiiPKfPf(i32 noundef %0, i32 noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = sub i32 %7, %1
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = shl nsw i32 %1, 1
  %11 = add i32 %10, %6
  %12 = icmp ult i32 %9, %11
  br i1 %12, label %23, label %13

13:                                               ; preds = %33, %4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %14 = add i32 %7, %9
  %15 = icmp slt i32 %14, %0
  br i1 %15, label %16, label %91

16:                                               ; preds = %13
  %17 = icmp slt i32 %1, 0
  br i1 %17, label %54, label %18

18:                                               ; preds = %16
  %19 = and i32 %10, 2
  %20 = icmp ult i32 %10, 3
  br i1 %20, label %39, label %21

21:                                               ; preds = %18
  %22 = and i32 %10, 2147483644
  br label %61

23:                                               ; preds = %4, %33
  %24 = phi i32 [ %37, %33 ], [ %9, %4 ]
  %25 = add nsw i32 %24, %8
  %26 = icmp sgt i32 %25, -1
  %27 = icmp slt i32 %25, %0
  %28 = and i1 %26, %27
  br i1 %28, label %29, label %33

29:                                               ; preds = %23
  %30 = zext nneg i32 %25 to i64
  %31 = getelementptr inbounds nuw float, ptr %2, i64 %30
  %32 = load float, ptr %31, align 4, !tbaa !8
  br label %33

33:                                               ; preds = %23, %29
  %34 = phi contract float [ %32, %29 ], [ 0.000000e+00, %23 ]
  %35 = sext i32 %24 to i64
  %36 = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @window to ptr), i64 %35
  store float %34, ptr %36, align 4, !tbaa !8
  %37 = add i32 %24, %6
  %38 = icmp ult i32 %37, %11
  br i1 %38, label %23, label %13, !llvm.loop !10

39:                                               ; preds = %61, %18
  %40 = phi i32 [ 0, %18 ], [ %88, %61 ]
  %41 = phi float [ 0.000000e+00, %18 ], [ %87, %61 ]
  br label %42

42:                                               ; preds = %42, %39
  %43 = phi i32 [ %51, %42 ], [ %40, %39 ]
  %44 = phi float [ %50, %42 ], [ %41, %39 ]
  %45 = phi i32 [ %52, %42 ], [ 0, %39 ]
  %46 = add nuw i32 %43, %9
  %47 = zext i32 %46 to i64
  %48 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @window to ptr), i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !8
  %50 = fadd contract float %44, %49
  %51 = add nuw nsw i32 %43, 1
  %52 = add i32 %45, 1
  %53 = icmp eq i32 %45, %19
  br i1 %53, label %54, label %42, !llvm.loop !12

54:                                               ; preds = %42, %16
  %55 = phi float [ 0.000000e+00, %16 ], [ %50, %42 ]
  %56 = or disjoint i32 %10, 1
  %57 = sitofp i32 %56 to float
  %58 = fdiv contract float %55, %57
  %59 = sext i32 %14 to i64
  %60 = getelementptr inbounds float, ptr %3, i64 %59
  store float %58, ptr %60, align 4, !tbaa !8
  br label %91

61:                                               ; preds = %61, %21
  %62 = phi i32 [ 0, %21 ], [ %88, %61 ]
  %63 = phi float [ 0.000000e+00, %21 ], [ %87, %61 ]
  %64 = phi i32 [ 0, %21 ], [ %89, %61 ]
  %65 = add nuw i32 %62, %9
  %66 = zext i32 %65 to i64
  %67 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @window to ptr), i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !8
  %69 = fadd contract float %63, %68
  %70 = or disjoint i32 %62, 1
  %71 = add nuw i32 %70, %9
  %72 = zext i32 %71 to i64
  %73 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @window to ptr), i64 %72
  %74 = load float, ptr %73, align 4, !tbaa !8
  %75 = fadd contract float %69, %74
  %76 = or disjoint i32 %62, 2
  %77 = add nuw i32 %76, %9
  %78 = zext i32 %77 to i64
  %79 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @window to ptr), i64 %78
  %80 = load float, ptr %79, align 4, !tbaa !8
  %81 = fadd contract float %75, %80
  %82 = or disjoint i32 %62, 3
  %83 = add nuw i32 %82, %9
  %84 = zext i32 %83 to i64
  %85 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @window to ptr), i64 %84
  %86 = load float, ptr %85, align 4, !tbaa !8
  %87 = fadd contract float %81, %86
  %88 = add nuw nsw i32 %62, 4
  %89 = add i32 %64, 4
  %90 = icmp eq i32 %89, %22
  br i1 %90, label %39, label %61, !llvm.loop !14

91:                                               ; preds = %13, %54
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

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
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.unroll.disable"}
!14 = distinct !{!14, !11}
