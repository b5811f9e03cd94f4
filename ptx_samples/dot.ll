; dot: the dot product of two arrays, in double precision.
;
; Shows: two streams in one loop, sums over a warp and over a block, one 64-bit reduction for each
; block.
;
; Generated from dot.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}dot
; CHECK: ld.global.nc.b32
; CHECK: ld.global.nc.b32
; CHECK: fma.rn.f64
; CHECK: shfl.sync.bfly.b32
; CHECK: bar{{(rier)?}}.sync
; CHECK: {{atom|red}}{{.*}}.add.f64

; ModuleID = 'dot.cu'
source_filename = "dot.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ3dotiPKfS0_PdE7of_warp = internal unnamed_addr addrspace(3) global [32 x double] undef, align 8

; Function Attrs: convergent mustprogress norecurse nounwind memory(inaccessiblemem: readwrite)
define dso_local noundef double @_Z11sum_of_warpd(double noundef %0) local_unnamed_addr #0 {
  %2 = bitcast double %0 to i64
  %3 = trunc i64 %2 to i32
  %4 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %3, i32 16, i32 31)
  %5 = zext i32 %4 to i64
  %6 = lshr i64 %2, 32
  %7 = trunc nuw i64 %6 to i32
  %8 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %7, i32 16, i32 31)
  %9 = zext i32 %8 to i64
  %10 = shl nuw i64 %9, 32
  %11 = or disjoint i64 %10, %5
  %12 = bitcast i64 %11 to double
  %13 = fadd contract double %0, %12
  %14 = bitcast double %13 to i64
  %15 = trunc i64 %14 to i32
  %16 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %15, i32 8, i32 31)
  %17 = zext i32 %16 to i64
  %18 = lshr i64 %14, 32
  %19 = trunc nuw i64 %18 to i32
  %20 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %19, i32 8, i32 31)
  %21 = zext i32 %20 to i64
  %22 = shl nuw i64 %21, 32
  %23 = or disjoint i64 %22, %17
  %24 = bitcast i64 %23 to double
  %25 = fadd contract double %13, %24
  %26 = bitcast double %25 to i64
  %27 = trunc i64 %26 to i32
  %28 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %27, i32 4, i32 31)
  %29 = zext i32 %28 to i64
  %30 = lshr i64 %26, 32
  %31 = trunc nuw i64 %30 to i32
  %32 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %31, i32 4, i32 31)
  %33 = zext i32 %32 to i64
  %34 = shl nuw i64 %33, 32
  %35 = or disjoint i64 %34, %29
  %36 = bitcast i64 %35 to double
  %37 = fadd contract double %25, %36
  %38 = bitcast double %37 to i64
  %39 = trunc i64 %38 to i32
  %40 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %39, i32 2, i32 31)
  %41 = zext i32 %40 to i64
  %42 = lshr i64 %38, 32
  %43 = trunc nuw i64 %42 to i32
  %44 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %43, i32 2, i32 31)
  %45 = zext i32 %44 to i64
  %46 = shl nuw i64 %45, 32
  %47 = or disjoint i64 %46, %41
  %48 = bitcast i64 %47 to double
  %49 = fadd contract double %37, %48
  %50 = bitcast double %49 to i64
  %51 = trunc i64 %50 to i32
  %52 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %51, i32 1, i32 31)
  %53 = zext i32 %52 to i64
  %54 = lshr i64 %50, 32
  %55 = trunc nuw i64 %54 to i32
  %56 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %55, i32 1, i32 31)
  %57 = zext i32 %56 to i64
  %58 = shl nuw i64 %57, 32
  %59 = or disjoint i64 %58, %53
  %60 = bitcast i64 %59 to double
  %61 = fadd contract double %49, %60
  ret double %61
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z3dotiPKfS0_Pd(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef captures(none) %3) local_unnamed_addr #1 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %0
  br i1 %10, label %11, label %14

11:                                               ; preds = %4
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul i32 %12, %6
  br label %78

14:                                               ; preds = %78, %4
  %15 = phi double [ 0.000000e+00, %4 ], [ %89, %78 ]
  %16 = bitcast double %15 to i64
  %17 = trunc i64 %16 to i32
  %18 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %17, i32 16, i32 31)
  %19 = zext i32 %18 to i64
  %20 = lshr i64 %16, 32
  %21 = trunc nuw i64 %20 to i32
  %22 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %21, i32 16, i32 31)
  %23 = zext i32 %22 to i64
  %24 = shl nuw i64 %23, 32
  %25 = or disjoint i64 %24, %19
  %26 = bitcast i64 %25 to double
  %27 = fadd contract double %15, %26
  %28 = bitcast double %27 to i64
  %29 = trunc i64 %28 to i32
  %30 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %29, i32 8, i32 31)
  %31 = zext i32 %30 to i64
  %32 = lshr i64 %28, 32
  %33 = trunc nuw i64 %32 to i32
  %34 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %33, i32 8, i32 31)
  %35 = zext i32 %34 to i64
  %36 = shl nuw i64 %35, 32
  %37 = or disjoint i64 %36, %31
  %38 = bitcast i64 %37 to double
  %39 = fadd contract double %27, %38
  %40 = bitcast double %39 to i64
  %41 = trunc i64 %40 to i32
  %42 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %41, i32 4, i32 31)
  %43 = zext i32 %42 to i64
  %44 = lshr i64 %40, 32
  %45 = trunc nuw i64 %44 to i32
  %46 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %45, i32 4, i32 31)
  %47 = zext i32 %46 to i64
  %48 = shl nuw i64 %47, 32
  %49 = or disjoint i64 %48, %43
  %50 = bitcast i64 %49 to double
  %51 = fadd contract double %39, %50
  %52 = bitcast double %51 to i64
  %53 = trunc i64 %52 to i32
  %54 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %53, i32 2, i32 31)
  %55 = zext i32 %54 to i64
  %56 = lshr i64 %52, 32
  %57 = trunc nuw i64 %56 to i32
  %58 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %57, i32 2, i32 31)
  %59 = zext i32 %58 to i64
  %60 = shl nuw i64 %59, 32
  %61 = or disjoint i64 %60, %55
  %62 = bitcast i64 %61 to double
  %63 = fadd contract double %51, %62
  %64 = bitcast double %63 to i64
  %65 = trunc i64 %64 to i32
  %66 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %65, i32 1, i32 31)
  %67 = zext i32 %66 to i64
  %68 = lshr i64 %64, 32
  %69 = trunc nuw i64 %68 to i32
  %70 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %69, i32 1, i32 31)
  %71 = zext i32 %70 to i64
  %72 = shl nuw i64 %71, 32
  %73 = or disjoint i64 %72, %67
  %74 = bitcast i64 %73 to double
  %75 = fadd contract double %63, %74
  %76 = and i32 %8, 31
  %77 = icmp eq i32 %76, 0
  br i1 %77, label %92, label %96

78:                                               ; preds = %11, %78
  %79 = phi i32 [ %9, %11 ], [ %90, %78 ]
  %80 = phi double [ 0.000000e+00, %11 ], [ %89, %78 ]
  %81 = sext i32 %79 to i64
  %82 = getelementptr inbounds float, ptr %1, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !8
  %84 = fpext contract float %83 to double
  %85 = getelementptr inbounds float, ptr %2, i64 %81
  %86 = load float, ptr %85, align 4, !tbaa !8
  %87 = fpext contract float %86 to double
  %88 = fmul contract double %84, %87
  %89 = fadd contract double %80, %88
  %90 = add i32 %79, %13
  %91 = icmp slt i32 %90, %0
  br i1 %91, label %78, label %14, !llvm.loop !10

92:                                               ; preds = %14
  %93 = lshr exact i32 %8, 5
  %94 = zext nneg i32 %93 to i64
  %95 = getelementptr inbounds nuw double, ptr addrspacecast (ptr addrspace(3) @_ZZ3dotiPKfS0_PdE7of_warp to ptr), i64 %94
  store double %75, ptr %95, align 8, !tbaa !12
  br label %96

96:                                               ; preds = %92, %14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %97 = icmp eq i32 %8, 0
  br i1 %97, label %98, label %154

98:                                               ; preds = %96
  %99 = icmp samesign ugt i32 %6, 63
  br i1 %99, label %100, label %125

100:                                              ; preds = %98
  %101 = lshr i32 %6, 5
  %102 = add nsw i32 %101, -1
  %103 = add nsw i32 %101, -2
  %104 = and i32 %102, 3
  %105 = icmp ult i32 %103, 3
  br i1 %105, label %110, label %106

106:                                              ; preds = %100
  %107 = and i32 %102, -4
  br label %128

108:                                              ; preds = %128
  %109 = icmp eq i32 %104, 0
  br i1 %109, label %125, label %110

110:                                              ; preds = %108, %100
  %111 = phi i32 [ 1, %100 ], [ %151, %108 ]
  %112 = phi double [ %75, %100 ], [ %150, %108 ]
  %113 = icmp ne i32 %104, 0
  tail call void @llvm.assume(i1 %113)
  br label %114

114:                                              ; preds = %114, %110
  %115 = phi i32 [ %122, %114 ], [ %111, %110 ]
  %116 = phi double [ %121, %114 ], [ %112, %110 ]
  %117 = phi i32 [ %123, %114 ], [ 0, %110 ]
  %118 = zext nneg i32 %115 to i64
  %119 = getelementptr inbounds nuw double, ptr addrspacecast (ptr addrspace(3) @_ZZ3dotiPKfS0_PdE7of_warp to ptr), i64 %118
  %120 = load double, ptr %119, align 8, !tbaa !12
  %121 = fadd contract double %116, %120
  %122 = add nuw nsw i32 %115, 1
  %123 = add i32 %117, 1
  %124 = icmp eq i32 %123, %104
  br i1 %124, label %125, label %114, !llvm.loop !14

125:                                              ; preds = %108, %114, %98
  %126 = phi double [ %75, %98 ], [ %150, %108 ], [ %121, %114 ]
  %127 = atomicrmw fadd ptr %3, double %126 monotonic, align 8
  br label %154

128:                                              ; preds = %128, %106
  %129 = phi i32 [ 1, %106 ], [ %151, %128 ]
  %130 = phi double [ %75, %106 ], [ %150, %128 ]
  %131 = phi i32 [ 0, %106 ], [ %152, %128 ]
  %132 = zext nneg i32 %129 to i64
  %133 = getelementptr inbounds nuw double, ptr addrspacecast (ptr addrspace(3) @_ZZ3dotiPKfS0_PdE7of_warp to ptr), i64 %132
  %134 = load double, ptr %133, align 8, !tbaa !12
  %135 = fadd contract double %130, %134
  %136 = zext nneg i32 %129 to i64
  %137 = getelementptr inbounds nuw double, ptr addrspacecast (ptr addrspace(3) @_ZZ3dotiPKfS0_PdE7of_warp to ptr), i64 %136
  %138 = getelementptr inbounds nuw i8, ptr %137, i64 8
  %139 = load double, ptr %138, align 8, !tbaa !12
  %140 = fadd contract double %135, %139
  %141 = zext nneg i32 %129 to i64
  %142 = getelementptr inbounds nuw double, ptr addrspacecast (ptr addrspace(3) @_ZZ3dotiPKfS0_PdE7of_warp to ptr), i64 %141
  %143 = getelementptr inbounds nuw i8, ptr %142, i64 16
  %144 = load double, ptr %143, align 8, !tbaa !12
  %145 = fadd contract double %140, %144
  %146 = zext nneg i32 %129 to i64
  %147 = getelementptr inbounds nuw double, ptr addrspacecast (ptr addrspace(3) @_ZZ3dotiPKfS0_PdE7of_warp to ptr), i64 %146
  %148 = getelementptr inbounds nuw i8, ptr %147, i64 24
  %149 = load double, ptr %148, align 8, !tbaa !12
  %150 = fadd contract double %145, %149
  %151 = add nuw nsw i32 %129, 4
  %152 = add nuw i32 %131, 4
  %153 = icmp eq i32 %152, %107
  br i1 %153, label %108, label %128, !llvm.loop !16

154:                                              ; preds = %125, %96
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #5

attributes #0 = { convergent mustprogress norecurse nounwind memory(inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

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
!12 = !{!13, !13, i64 0}
!13 = !{!"double", !6, i64 0}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.unroll.disable"}
!16 = distinct !{!16, !11}
