; matmul_tiled: c = a*b through tiles in shared memory, for any sizes.
;
; Shows: two static shared arrays, two barriers in a loop, loads that are predicated at the edges;
; every tile of a and b is read by many blocks, c is written once.
;
; Generated from matmul_tiled.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}matmul
; CHECK-DAG: .shared .align 4 .b8 {{.*}}tile_a[1024];
; CHECK-DAG: .shared .align 4 .b8 {{.*}}tile_b[1024];
; CHECK: st.shared.b32
; CHECK: bar{{(rier)?}}.sync
; CHECK: ld.shared{{.*}}.b32
; CHECK: bar{{(rier)?}}.sync
; CHECK: ld.global.nc.b32
; CHECK: st.global.b32

; ModuleID = 'matmul_tiled.cu'
source_filename = "matmul_tiled.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ6matmuliiiPKfS0_PfE6tile_a = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ6matmuliiiPKfS0_PfE6tile_b = internal unnamed_addr addrspace(3) global [16 x [16 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z6matmuliiiPKfS0_Pf(i32 noundef %0, i32 noundef %1, i32 noundef %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef readonly captures(none) %4, ptr noalias noundef writeonly captures(none) %5) local_unnamed_addr #0 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %8 = shl nuw nsw i32 %7, 4
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %10 = add nuw nsw i32 %8, %9
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = shl i32 %11, 4
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = add i32 %12, %13
  %15 = icmp sgt i32 %2, 0
  br i1 %15, label %16, label %57

16:                                               ; preds = %6
  %17 = icmp slt i32 %10, %0
  %18 = icmp slt i32 %14, %1
  %19 = mul nuw nsw i32 %2, %10
  %20 = zext nneg i32 %9 to i64
  %21 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiiPKfS0_PfE6tile_a to ptr), i64 %20
  %22 = zext nneg i32 %13 to i64
  %23 = getelementptr inbounds nuw float, ptr %21, i64 %22
  %24 = getelementptr inbounds nuw [16 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiiPKfS0_PfE6tile_b to ptr), i64 %20
  %25 = getelementptr inbounds nuw float, ptr %24, i64 %22
  %26 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ6matmuliiiPKfS0_PfE6tile_b to ptr), i64 %22
  %27 = getelementptr inbounds nuw i8, ptr %21, i64 4
  %28 = getelementptr inbounds nuw i8, ptr %26, i64 64
  %29 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %30 = getelementptr inbounds nuw i8, ptr %26, i64 128
  %31 = getelementptr inbounds nuw i8, ptr %21, i64 12
  %32 = getelementptr inbounds nuw i8, ptr %26, i64 192
  %33 = getelementptr inbounds nuw i8, ptr %21, i64 16
  %34 = getelementptr inbounds nuw i8, ptr %26, i64 256
  %35 = getelementptr inbounds nuw i8, ptr %21, i64 20
  %36 = getelementptr inbounds nuw i8, ptr %26, i64 320
  %37 = getelementptr inbounds nuw i8, ptr %21, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %26, i64 384
  %39 = getelementptr inbounds nuw i8, ptr %21, i64 28
  %40 = getelementptr inbounds nuw i8, ptr %26, i64 448
  %41 = getelementptr inbounds nuw i8, ptr %21, i64 32
  %42 = getelementptr inbounds nuw i8, ptr %26, i64 512
  %43 = getelementptr inbounds nuw i8, ptr %21, i64 36
  %44 = getelementptr inbounds nuw i8, ptr %26, i64 576
  %45 = getelementptr inbounds nuw i8, ptr %21, i64 40
  %46 = getelementptr inbounds nuw i8, ptr %26, i64 640
  %47 = getelementptr inbounds nuw i8, ptr %21, i64 44
  %48 = getelementptr inbounds nuw i8, ptr %26, i64 704
  %49 = getelementptr inbounds nuw i8, ptr %21, i64 48
  %50 = getelementptr inbounds nuw i8, ptr %26, i64 768
  %51 = getelementptr inbounds nuw i8, ptr %21, i64 52
  %52 = getelementptr inbounds nuw i8, ptr %26, i64 832
  %53 = getelementptr inbounds nuw i8, ptr %21, i64 56
  %54 = getelementptr inbounds nuw i8, ptr %26, i64 896
  %55 = getelementptr inbounds nuw i8, ptr %21, i64 60
  %56 = getelementptr inbounds nuw i8, ptr %26, i64 960
  br label %62

57:                                               ; preds = %84, %6
  %58 = phi float [ 0.000000e+00, %6 ], [ %149, %84 ]
  %59 = icmp slt i32 %10, %0
  %60 = icmp slt i32 %14, %1
  %61 = and i1 %59, %60
  br i1 %61, label %152, label %157

62:                                               ; preds = %16, %84
  %63 = phi float [ 0.000000e+00, %16 ], [ %149, %84 ]
  %64 = phi i32 [ 0, %16 ], [ %150, %84 ]
  %65 = add nuw i32 %64, %13
  %66 = add nuw i32 %64, %9
  %67 = icmp slt i32 %65, %2
  %68 = and i1 %17, %67
  %69 = icmp slt i32 %66, %2
  %70 = and i1 %18, %69
  br i1 %68, label %71, label %76

71:                                               ; preds = %62
  %72 = add nsw i32 %65, %19
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds float, ptr %3, i64 %73
  %75 = load float, ptr %74, align 4, !tbaa !8
  br label %76

76:                                               ; preds = %62, %71
  %77 = phi contract float [ %75, %71 ], [ 0.000000e+00, %62 ]
  store float %77, ptr %23, align 4, !tbaa !8
  br i1 %70, label %78, label %84

78:                                               ; preds = %76
  %79 = mul nsw i32 %66, %1
  %80 = add nsw i32 %79, %14
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds float, ptr %4, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !8
  br label %84

84:                                               ; preds = %76, %78
  %85 = phi contract float [ %83, %78 ], [ 0.000000e+00, %76 ]
  store float %85, ptr %25, align 4, !tbaa !8
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %86 = load float, ptr %21, align 4, !tbaa !8
  %87 = load float, ptr %26, align 4, !tbaa !8
  %88 = fmul contract float %86, %87
  %89 = fadd contract float %63, %88
  %90 = load float, ptr %27, align 4, !tbaa !8
  %91 = load float, ptr %28, align 4, !tbaa !8
  %92 = fmul contract float %90, %91
  %93 = fadd contract float %89, %92
  %94 = load float, ptr %29, align 4, !tbaa !8
  %95 = load float, ptr %30, align 4, !tbaa !8
  %96 = fmul contract float %94, %95
  %97 = fadd contract float %93, %96
  %98 = load float, ptr %31, align 4, !tbaa !8
  %99 = load float, ptr %32, align 4, !tbaa !8
  %100 = fmul contract float %98, %99
  %101 = fadd contract float %97, %100
  %102 = load float, ptr %33, align 4, !tbaa !8
  %103 = load float, ptr %34, align 4, !tbaa !8
  %104 = fmul contract float %102, %103
  %105 = fadd contract float %101, %104
  %106 = load float, ptr %35, align 4, !tbaa !8
  %107 = load float, ptr %36, align 4, !tbaa !8
  %108 = fmul contract float %106, %107
  %109 = fadd contract float %105, %108
  %110 = load float, ptr %37, align 4, !tbaa !8
  %111 = load float, ptr %38, align 4, !tbaa !8
  %112 = fmul contract float %110, %111
  %113 = fadd contract float %109, %112
  %114 = load float, ptr %39, align 4, !tbaa !8
  %115 = load float, ptr %40, align 4, !tbaa !8
  %116 = fmul contract float %114, %115
  %117 = fadd contract float %113, %116
  %118 = load float, ptr %41, align 4, !tbaa !8
  %119 = load float, ptr %42, align 4, !tbaa !8
  %120 = fmul contract float %118, %119
  %121 = fadd contract float %117, %120
  %122 = load float, ptr %43, align 4, !tbaa !8
  %123 = load float, ptr %44, align 4, !tbaa !8
  %124 = fmul contract float %122, %123
  %125 = fadd contract float %121, %124
  %126 = load float, ptr %45, align 4, !tbaa !8
  %127 = load float, ptr %46, align 4, !tbaa !8
  %128 = fmul contract float %126, %127
  %129 = fadd contract float %125, %128
  %130 = load float, ptr %47, align 4, !tbaa !8
  %131 = load float, ptr %48, align 4, !tbaa !8
  %132 = fmul contract float %130, %131
  %133 = fadd contract float %129, %132
  %134 = load float, ptr %49, align 4, !tbaa !8
  %135 = load float, ptr %50, align 4, !tbaa !8
  %136 = fmul contract float %134, %135
  %137 = fadd contract float %133, %136
  %138 = load float, ptr %51, align 4, !tbaa !8
  %139 = load float, ptr %52, align 4, !tbaa !8
  %140 = fmul contract float %138, %139
  %141 = fadd contract float %137, %140
  %142 = load float, ptr %53, align 4, !tbaa !8
  %143 = load float, ptr %54, align 4, !tbaa !8
  %144 = fmul contract float %142, %143
  %145 = fadd contract float %141, %144
  %146 = load float, ptr %55, align 4, !tbaa !8
  %147 = load float, ptr %56, align 4, !tbaa !8
  %148 = fmul contract float %146, %147
  %149 = fadd contract float %145, %148
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %150 = add nuw nsw i32 %64, 16
  %151 = icmp slt i32 %150, %2
  br i1 %151, label %62, label %57, !llvm.loop !10

152:                                              ; preds = %57
  %153 = mul nsw i32 %1, %10
  %154 = add nsw i32 %153, %14
  %155 = sext i32 %154 to i64
  %156 = getelementptr inbounds float, ptr %5, i64 %155
  store float %58, ptr %156, align 4, !tbaa !8
  br label %157

157:                                              ; preds = %152, %57
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

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
