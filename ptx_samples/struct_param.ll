; struct_param: a kernel that is given one structure by value: pointers, sizes and an array inside.
;
; Shows: an aggregate .param and loads at offsets into it, one of them indexed by data; pointers
; that are not parameters themselves but parts of one.
;
; Generated from struct_param.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}colour
; CHECK: .param .align 8 .b8 {{.*}}colour{{.*}}_param_0[64]
; CHECK: ld.param.b64
; CHECK: ld.global.b8
; CHECK: st.global.v4.b32

; ModuleID = 'struct_param.cu'
source_filename = "struct_param.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Palette = type { ptr, ptr, i32, i32, [4 x %struct.anon], i32 }
%struct.anon = type { float, float }
%struct.float4 = type { float, float, float, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @_Z6colour7Palette(ptr noundef readonly byval(%struct.Palette) align 8 captures(none) "nvvm.grid_constant" %0) local_unnamed_addr #0 {
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %4 = mul i32 %2, %3
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = add i32 %4, %5
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %9 = mul nuw nsw i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %11 = add nuw nsw i32 %9, %10
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %13 = load i32, ptr %12, align 8, !tbaa !8
  %14 = icmp slt i32 %6, %13
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %16 = load i32, ptr %15, align 8
  %17 = icmp slt i32 %11, %16
  %18 = select i1 %14, i1 %17, i1 false
  br i1 %18, label %19, label %56

19:                                               ; preds = %1
  %20 = load ptr, ptr %0, align 8, !tbaa !13
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 20
  %22 = load i32, ptr %21, align 4, !tbaa !14
  %23 = mul nsw i32 %22, %11
  %24 = add nsw i32 %23, %6
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds i8, ptr %20, i64 %25
  %27 = load i8, ptr %26, align 1, !tbaa !15
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %29 = and i8 %27, 3
  %30 = zext nneg i8 %29 to i64
  %31 = getelementptr inbounds nuw %struct.anon, ptr %28, i64 %30
  %32 = load float, ptr %31, align 8, !tbaa !16
  %33 = uitofp i8 %27 to float
  %34 = fmul contract float %32, %33
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 28
  %36 = load float, ptr %35, align 4, !tbaa !19
  %37 = fadd contract float %34, %36
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 36
  %39 = load float, ptr %38, align 4, !tbaa !19
  %40 = fadd contract float %34, %39
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 44
  %42 = load float, ptr %41, align 4, !tbaa !19
  %43 = fadd contract float %34, %42
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 52
  %45 = load float, ptr %44, align 4, !tbaa !19
  %46 = fadd contract float %34, %45
  %47 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %48 = load ptr, ptr %47, align 8, !tbaa !20
  %49 = mul nsw i32 %13, %11
  %50 = add nsw i32 %49, %6
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds %struct.float4, ptr %48, i64 %51
  store float %37, ptr %52, align 16, !tbaa !21
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 4
  store float %40, ptr %53, align 4, !tbaa !21
  %54 = getelementptr inbounds nuw i8, ptr %52, i64 8
  store float %43, ptr %54, align 8, !tbaa !21
  %55 = getelementptr inbounds nuw i8, ptr %52, i64 12
  store float %46, ptr %55, align 4, !tbaa !21
  br label %56

56:                                               ; preds = %1, %19
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

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
!8 = !{!9, !5, i64 16}
!9 = !{!"_ZTS7Palette", !10, i64 0, !12, i64 8, !5, i64 16, !5, i64 20, !6, i64 24, !5, i64 56}
!10 = !{!"p1 omnipotent char", !11, i64 0}
!11 = !{!"any pointer", !6, i64 0}
!12 = !{!"p1 _ZTS6float4", !11, i64 0}
!13 = !{!9, !10, i64 0}
!14 = !{!9, !5, i64 20}
!15 = !{!6, !6, i64 0}
!16 = !{!17, !18, i64 0}
!17 = !{!"_ZTSN7PaletteUt_E", !18, i64 0, !18, i64 4}
!18 = !{!"float", !6, i64 0}
!19 = !{!17, !18, i64 4}
!20 = !{!9, !12, i64 8}
!21 = !{!18, !18, i64 0}
