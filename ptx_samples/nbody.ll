; nbody: the acceleration of each body by all others, through tiles of bodies in shared memory.
;
; Shows: an array of float4 that every block reads whole, one tile at a time, and much arithmetic
; between; rsqrt.approx.
;
; Generated from nbody.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}accelerate
; CHECK: ld.global.nc.v4.b32
; CHECK: st.shared.v4.b32
; CHECK: ld.shared.v4.b32
; CHECK: rsqrt.approx
; CHECK: st.global.v4.b32

; ModuleID = 'nbody.cu'
source_filename = "nbody.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }

@_ZZ10accelerateiPK6float4PS_E4tile = internal unnamed_addr addrspace(3) global [128 x %struct.float4] undef, align 16

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z10accelerateiPK6float4PS_(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2) local_unnamed_addr #0 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = shl i32 %4, 7
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add i32 %5, %6
  %8 = icmp slt i32 %7, %0
  br i1 %8, label %9, label %17

9:                                                ; preds = %3
  %10 = sext i32 %7 to i64
  %11 = getelementptr inbounds %struct.float4, ptr %1, i64 %10
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %13 = getelementptr inbounds nuw i8, ptr %11, i64 4
  %14 = load float, ptr %11, align 16, !tbaa !8
  %15 = load float, ptr %13, align 4, !tbaa !8
  %16 = load float, ptr %12, align 8, !tbaa !8
  br label %17

17:                                               ; preds = %3, %9
  %18 = phi float [ %14, %9 ], [ 0.000000e+00, %3 ]
  %19 = phi float [ %15, %9 ], [ 0.000000e+00, %3 ]
  %20 = phi float [ %16, %9 ], [ 0.000000e+00, %3 ]
  %21 = icmp sgt i32 %0, 0
  br i1 %21, label %22, label %28

22:                                               ; preds = %17
  %23 = zext nneg i32 %6 to i64
  %24 = getelementptr inbounds nuw %struct.float4, ptr addrspacecast (ptr addrspace(3) @_ZZ10accelerateiPK6float4PS_E4tile to ptr), i64 %23
  %25 = getelementptr inbounds nuw i8, ptr %24, i64 4
  %26 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %27 = getelementptr inbounds nuw i8, ptr %24, i64 12
  br label %32

28:                                               ; preds = %54, %17
  %29 = phi float [ 0.000000e+00, %17 ], [ %89, %54 ]
  %30 = phi float [ 0.000000e+00, %17 ], [ %87, %54 ]
  %31 = phi float [ 0.000000e+00, %17 ], [ %85, %54 ]
  br i1 %8, label %92, label %98

32:                                               ; preds = %22, %54
  %33 = phi float [ 0.000000e+00, %22 ], [ %85, %54 ]
  %34 = phi float [ 0.000000e+00, %22 ], [ %87, %54 ]
  %35 = phi float [ 0.000000e+00, %22 ], [ %89, %54 ]
  %36 = phi i32 [ 0, %22 ], [ %55, %54 ]
  %37 = add nuw i32 %36, %6
  %38 = icmp slt i32 %37, %0
  br i1 %38, label %39, label %49

39:                                               ; preds = %32
  %40 = sext i32 %37 to i64
  %41 = getelementptr inbounds %struct.float4, ptr %1, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 12
  %43 = getelementptr inbounds nuw i8, ptr %41, i64 8
  %44 = getelementptr inbounds nuw i8, ptr %41, i64 4
  %45 = load float, ptr %41, align 16, !tbaa !8
  %46 = load float, ptr %44, align 4, !tbaa !8
  %47 = load float, ptr %43, align 8, !tbaa !8
  %48 = load float, ptr %42, align 4, !tbaa !8
  br label %49

49:                                               ; preds = %32, %39
  %50 = phi float [ %48, %39 ], [ 0.000000e+00, %32 ]
  %51 = phi float [ %47, %39 ], [ 0.000000e+00, %32 ]
  %52 = phi float [ %46, %39 ], [ 0.000000e+00, %32 ]
  %53 = phi float [ %45, %39 ], [ 0.000000e+00, %32 ]
  store float %53, ptr %24, align 16, !tbaa !8
  store float %52, ptr %25, align 4, !tbaa !8
  store float %51, ptr %26, align 8, !tbaa !8
  store float %50, ptr %27, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %57

54:                                               ; preds = %57
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %55 = add nuw nsw i32 %36, 128
  %56 = icmp slt i32 %55, %0
  br i1 %56, label %32, label %28, !llvm.loop !10

57:                                               ; preds = %49, %57
  %58 = phi float [ %33, %49 ], [ %85, %57 ]
  %59 = phi float [ %34, %49 ], [ %87, %57 ]
  %60 = phi float [ %35, %49 ], [ %89, %57 ]
  %61 = phi i32 [ 0, %49 ], [ %90, %57 ]
  %62 = zext nneg i32 %61 to i64
  %63 = getelementptr inbounds nuw %struct.float4, ptr addrspacecast (ptr addrspace(3) @_ZZ10accelerateiPK6float4PS_E4tile to ptr), i64 %62
  %64 = load float, ptr %63, align 16, !tbaa !12
  %65 = fsub contract float %64, %18
  %66 = getelementptr inbounds nuw i8, ptr %63, i64 4
  %67 = load float, ptr %66, align 4, !tbaa !14
  %68 = fsub contract float %67, %19
  %69 = getelementptr inbounds nuw i8, ptr %63, i64 8
  %70 = load float, ptr %69, align 8, !tbaa !15
  %71 = fsub contract float %70, %20
  %72 = fmul contract float %65, %65
  %73 = fmul contract float %68, %68
  %74 = fadd contract float %72, %73
  %75 = fmul contract float %71, %71
  %76 = fadd contract float %74, %75
  %77 = fadd contract float %76, 0x3F847AE140000000
  %78 = tail call contract noundef float @__nv_rsqrtf(float noundef %77) #4
  %79 = getelementptr inbounds nuw i8, ptr %63, i64 12
  %80 = load float, ptr %79, align 4, !tbaa !16
  %81 = fmul contract float %78, %80
  %82 = fmul contract float %78, %81
  %83 = fmul contract float %78, %82
  %84 = fmul contract float %65, %83
  %85 = fadd contract float %58, %84
  %86 = fmul contract float %68, %83
  %87 = fadd contract float %59, %86
  %88 = fmul contract float %71, %83
  %89 = fadd contract float %60, %88
  %90 = add nuw nsw i32 %61, 1
  %91 = icmp eq i32 %90, 128
  br i1 %91, label %54, label %57, !llvm.loop !17

92:                                               ; preds = %28
  %93 = sext i32 %7 to i64
  %94 = getelementptr inbounds %struct.float4, ptr %2, i64 %93
  %95 = getelementptr inbounds nuw i8, ptr %94, i64 12
  %96 = getelementptr inbounds nuw i8, ptr %94, i64 8
  %97 = getelementptr inbounds nuw i8, ptr %94, i64 4
  store float %31, ptr %94, align 16, !tbaa !8
  store float %30, ptr %97, align 4, !tbaa !8
  store float %29, ptr %96, align 8, !tbaa !8
  store float 0.000000e+00, ptr %95, align 4, !tbaa !8
  br label %98

98:                                               ; preds = %92, %28
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: convergent nounwind
declare dso_local float @__nv_rsqrtf(float noundef) local_unnamed_addr #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #4 = { convergent nounwind }

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
!12 = !{!13, !9, i64 0}
!13 = !{!"_ZTS6float4", !9, i64 0, !9, i64 4, !9, i64 8, !9, i64 12}
!14 = !{!13, !9, i64 4}
!15 = !{!13, !9, i64 8}
!16 = !{!13, !9, i64 12}
!17 = distinct !{!17, !11}
