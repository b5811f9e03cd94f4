; convolution: an image with a 7x7 filter that lies in constant memory.
;
; Shows: ld.const, an unrolled window whose rows overlap between threads and between blocks.
;
; Generated from convolution.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK: .const .align 4 .b8 filter[196];
; CHECK-LABEL: .entry {{.*}}convolve
; CHECK-DAG: ld.const.b32
; CHECK-DAG: ld.global.nc.b32
; CHECK: fma.rn.f32
; CHECK: st.global.b32

; ModuleID = 'convolution.cu'
source_filename = "convolution.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@filter = dso_local addrspace(4) externally_initialized constant [49 x float] zeroinitializer, align 4
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(4) @filter to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z8convolveiiPKfPf(i32 noundef %0, i32 noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3) local_unnamed_addr #0 {
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %11 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %12 = mul nuw nsw i32 %10, %11
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %14 = add nuw nsw i32 %12, %13
  %15 = icmp slt i32 %9, %0
  %16 = icmp slt i32 %14, %1
  %17 = and i1 %15, %16
  br i1 %17, label %18, label %126

18:                                               ; preds = %4
  %19 = add nsw i32 %0, -1
  %20 = add nsw i32 %1, -1
  %21 = tail call i32 @llvm.smax.i32(i32 %9, i32 3)
  %22 = add nsw i32 %21, -3
  %23 = tail call noundef i32 @llvm.smin.i32(i32 %22, i32 %19)
  %24 = tail call i32 @llvm.smax.i32(i32 %9, i32 2)
  %25 = add nsw i32 %24, -2
  %26 = tail call noundef i32 @llvm.smin.i32(i32 %25, i32 %19)
  %27 = tail call i32 @llvm.smax.i32(i32 %9, i32 1)
  %28 = add nsw i32 %27, -1
  %29 = tail call noundef i32 @llvm.smin.i32(i32 %28, i32 %19)
  %30 = tail call noundef i32 @llvm.smax.i32(i32 %9, i32 0)
  %31 = tail call noundef i32 @llvm.smin.i32(i32 %30, i32 %19)
  %32 = tail call i32 @llvm.smax.i32(i32 %9, i32 -1)
  %33 = add nsw i32 %32, 1
  %34 = tail call noundef i32 @llvm.smin.i32(i32 %33, i32 %19)
  %35 = tail call i32 @llvm.smax.i32(i32 %9, i32 -2)
  %36 = add nsw i32 %35, 2
  %37 = tail call noundef i32 @llvm.smin.i32(i32 %36, i32 %19)
  %38 = tail call i32 @llvm.smax.i32(i32 %9, i32 -3)
  %39 = add nsw i32 %38, 3
  %40 = tail call noundef i32 @llvm.smin.i32(i32 %39, i32 %19)
  br label %41

41:                                               ; preds = %18, %41
  %42 = phi float [ 0.000000e+00, %18 ], [ %118, %41 ]
  %43 = phi i32 [ -3, %18 ], [ %119, %41 ]
  %44 = add nsw i32 %43, %14
  %45 = tail call noundef i32 @llvm.smax.i32(i32 %44, i32 0)
  %46 = tail call i32 @llvm.umin.i32(i32 %45, i32 %20)
  %47 = mul nsw i32 %43, 7
  %48 = mul nsw i32 %46, %0
  %49 = sext i32 %47 to i64
  %50 = getelementptr float, ptr addrspacecast (ptr addrspace(4) @filter to ptr), i64 %49
  %51 = getelementptr i8, ptr %50, i64 84
  %52 = load float, ptr %51, align 4, !tbaa !8
  %53 = add nsw i32 %23, %48
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds float, ptr %2, i64 %54
  %56 = load float, ptr %55, align 4, !tbaa !8
  %57 = fmul contract float %52, %56
  %58 = fadd contract float %42, %57
  %59 = sext i32 %47 to i64
  %60 = getelementptr float, ptr addrspacecast (ptr addrspace(4) @filter to ptr), i64 %59
  %61 = getelementptr i8, ptr %60, i64 88
  %62 = load float, ptr %61, align 4, !tbaa !8
  %63 = add nsw i32 %26, %48
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds float, ptr %2, i64 %64
  %66 = load float, ptr %65, align 4, !tbaa !8
  %67 = fmul contract float %62, %66
  %68 = fadd contract float %58, %67
  %69 = sext i32 %47 to i64
  %70 = getelementptr float, ptr addrspacecast (ptr addrspace(4) @filter to ptr), i64 %69
  %71 = getelementptr i8, ptr %70, i64 92
  %72 = load float, ptr %71, align 4, !tbaa !8
  %73 = add nsw i32 %29, %48
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds float, ptr %2, i64 %74
  %76 = load float, ptr %75, align 4, !tbaa !8
  %77 = fmul contract float %72, %76
  %78 = fadd contract float %68, %77
  %79 = sext i32 %47 to i64
  %80 = getelementptr float, ptr addrspacecast (ptr addrspace(4) @filter to ptr), i64 %79
  %81 = getelementptr i8, ptr %80, i64 96
  %82 = load float, ptr %81, align 4, !tbaa !8
  %83 = add nsw i32 %31, %48
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds float, ptr %2, i64 %84
  %86 = load float, ptr %85, align 4, !tbaa !8
  %87 = fmul contract float %82, %86
  %88 = fadd contract float %78, %87
  %89 = sext i32 %47 to i64
  %90 = getelementptr float, ptr addrspacecast (ptr addrspace(4) @filter to ptr), i64 %89
  %91 = getelementptr i8, ptr %90, i64 100
  %92 = load float, ptr %91, align 4, !tbaa !8
  %93 = add nsw i32 %34, %48
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds float, ptr %2, i64 %94
  %96 = load float, ptr %95, align 4, !tbaa !8
  %97 = fmul contract float %92, %96
  %98 = fadd contract float %88, %97
  %99 = sext i32 %47 to i64
  %100 = getelementptr float, ptr addrspacecast (ptr addrspace(4) @filter to ptr), i64 %99
  %101 = getelementptr i8, ptr %100, i64 104
  %102 = load float, ptr %101, align 4, !tbaa !8
  %103 = add nsw i32 %37, %48
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds float, ptr %2, i64 %104
  %106 = load float, ptr %105, align 4, !tbaa !8
  %107 = fmul contract float %102, %106
  %108 = fadd contract float %98, %107
  %109 = sext i32 %47 to i64
  %110 = getelementptr float, ptr addrspacecast (ptr addrspace(4) @filter to ptr), i64 %109
  %111 = getelementptr i8, ptr %110, i64 108
  %112 = load float, ptr %111, align 4, !tbaa !8
  %113 = add nsw i32 %40, %48
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds float, ptr %2, i64 %114
  %116 = load float, ptr %115, align 4, !tbaa !8
  %117 = fmul contract float %112, %116
  %118 = fadd contract float %108, %117
  %119 = add nsw i32 %43, 1
  %120 = icmp eq i32 %119, 4
  br i1 %120, label %121, label %41, !llvm.loop !10

121:                                              ; preds = %41
  %122 = mul nsw i32 %14, %0
  %123 = add nsw i32 %122, %9
  %124 = sext i32 %123 to i64
  %125 = getelementptr inbounds float, ptr %3, i64 %124
  store float %118, ptr %125, align 4, !tbaa !8
  br label %126

126:                                              ; preds = %4, %121
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
