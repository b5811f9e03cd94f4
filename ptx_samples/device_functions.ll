; device_functions: work that stays in functions of its own: one takes and returns structures, one
; gets a pointer and follows it.
;
; Shows: .func with parameters in .param space, calls, a load behind a pointer that a function was
; given.
;
; Generated from device_functions.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK: .func{{ +}}(.param .align 4 .b8 func_retval0[8]) {{.*}}multiply
; CHECK: .func{{ +}}(.param .b32 func_retval0) {{.*}}polynomial
; CHECK: ld{{(.global)?}}.b32
; CHECK-LABEL: .entry {{.*}}rotate
; CHECK: call.uni (retval0),
; CHECK: call.uni (retval0),
; CHECK: st.global.b32

; ModuleID = 'device_functions.cu'
source_filename = "device_functions.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Complex = type { float, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read)
define dso_local %struct.Complex @_Z8multiply7ComplexS_(ptr noundef readonly byval(%struct.Complex) align 4 captures(none) %0, ptr noundef readonly byval(%struct.Complex) align 4 captures(none) %1) local_unnamed_addr #0 {
  %3 = load float, ptr %0, align 4, !tbaa !8
  %4 = load float, ptr %1, align 4, !tbaa !8
  %5 = fmul contract float %3, %4
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %7 = load float, ptr %6, align 4, !tbaa !11
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 4
  %9 = load float, ptr %8, align 4, !tbaa !11
  %10 = fmul contract float %7, %9
  %11 = fsub contract float %5, %10
  %12 = fmul contract float %3, %9
  %13 = fmul contract float %4, %7
  %14 = fadd contract float %13, %12
  %15 = insertvalue %struct.Complex poison, float %11, 0
  %16 = insertvalue %struct.Complex %15, float %14, 1
  ret %struct.Complex %16
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read)
define dso_local noundef float @_Z10polynomialPKfif(ptr noundef readonly captures(none) %0, i32 noundef %1, float noundef %2) local_unnamed_addr #0 {
  %4 = icmp sgt i32 %1, 0
  br i1 %4, label %5, label %28

5:                                                ; preds = %3
  %6 = and i32 %1, 3
  %7 = icmp ult i32 %1, 4
  br i1 %7, label %12, label %8

8:                                                ; preds = %5
  %9 = and i32 %1, 2147483644
  br label %30

10:                                               ; preds = %30
  %11 = icmp eq i32 %6, 0
  br i1 %11, label %28, label %12

12:                                               ; preds = %10, %5
  %13 = phi i32 [ 0, %5 ], [ %57, %10 ]
  %14 = phi float [ 0.000000e+00, %5 ], [ %56, %10 ]
  %15 = icmp ne i32 %6, 0
  tail call void @llvm.assume(i1 %15)
  br label %16

16:                                               ; preds = %16, %12
  %17 = phi i32 [ %25, %16 ], [ %13, %12 ]
  %18 = phi float [ %24, %16 ], [ %14, %12 ]
  %19 = phi i32 [ %26, %16 ], [ 0, %12 ]
  %20 = fmul contract float %2, %18
  %21 = zext nneg i32 %17 to i64
  %22 = getelementptr inbounds nuw float, ptr %0, i64 %21
  %23 = load float, ptr %22, align 4, !tbaa !12
  %24 = fadd contract float %20, %23
  %25 = add nuw nsw i32 %17, 1
  %26 = add i32 %19, 1
  %27 = icmp eq i32 %26, %6
  br i1 %27, label %28, label %16, !llvm.loop !13

28:                                               ; preds = %10, %16, %3
  %29 = phi float [ 0.000000e+00, %3 ], [ %56, %10 ], [ %24, %16 ]
  ret float %29

30:                                               ; preds = %30, %8
  %31 = phi i32 [ 0, %8 ], [ %57, %30 ]
  %32 = phi float [ 0.000000e+00, %8 ], [ %56, %30 ]
  %33 = phi i32 [ 0, %8 ], [ %58, %30 ]
  %34 = fmul contract float %2, %32
  %35 = zext nneg i32 %31 to i64
  %36 = getelementptr inbounds nuw float, ptr %0, i64 %35
  %37 = load float, ptr %36, align 4, !tbaa !12
  %38 = fadd contract float %34, %37
  %39 = fmul contract float %2, %38
  %40 = zext nneg i32 %31 to i64
  %41 = getelementptr inbounds nuw float, ptr %0, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %41, i64 4
  %43 = load float, ptr %42, align 4, !tbaa !12
  %44 = fadd contract float %39, %43
  %45 = fmul contract float %2, %44
  %46 = zext nneg i32 %31 to i64
  %47 = getelementptr inbounds nuw float, ptr %0, i64 %46
  %48 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %49 = load float, ptr %48, align 4, !tbaa !12
  %50 = fadd contract float %45, %49
  %51 = fmul contract float %2, %50
  %52 = zext nneg i32 %31 to i64
  %53 = getelementptr inbounds nuw float, ptr %0, i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 12
  %55 = load float, ptr %54, align 4, !tbaa !12
  %56 = fadd contract float %51, %55
  %57 = add nuw nsw i32 %31, 4
  %58 = add i32 %33, 4
  %59 = icmp eq i32 %58, %9
  br i1 %59, label %10, label %30, !llvm.loop !15
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z6rotatei7ComplexiPKfPS_Pf(i32 noundef %0, ptr noundef readonly byval(%struct.Complex) align 4 captures(none) %1, i32 noundef %2, ptr noundef readonly captures(none) %3, ptr noundef captures(none) %4, ptr noundef writeonly captures(none) %5) local_unnamed_addr #1 {
  %7 = alloca %struct.Complex, align 8
  %8 = alloca %struct.Complex, align 8
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %11 = mul i32 %9, %10
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %13 = add i32 %11, %12
  %14 = icmp slt i32 %13, %0
  br i1 %14, label %15, label %26

15:                                               ; preds = %6
  %16 = sext i32 %13 to i64
  %17 = getelementptr inbounds %struct.Complex, ptr %4, i64 %16
  %18 = load i64, ptr %17, align 4
  store i64 %18, ptr %7, align 8
  %19 = load i64, ptr %1, align 4
  store i64 %19, ptr %8, align 8
  %20 = tail call %struct.Complex @_Z8multiply7ComplexS_(ptr noundef nonnull byval(%struct.Complex) align 4 %7, ptr noundef nonnull byval(%struct.Complex) align 4 %8) #4
  %21 = extractvalue %struct.Complex %20, 0
  %22 = extractvalue %struct.Complex %20, 1
  store float %21, ptr %17, align 4, !tbaa !12
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 4
  store float %22, ptr %23, align 4, !tbaa !12
  %24 = tail call contract noundef float @_Z10polynomialPKfif(ptr noundef %3, i32 noundef %2, float noundef %21) #4
  %25 = getelementptr inbounds float, ptr %5, i64 %16
  store float %24, ptr %25, align 4, !tbaa !12
  br label %26

26:                                               ; preds = %6, %15
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #3

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #4 = { nounwind }

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
!8 = !{!9, !10, i64 0}
!9 = !{!"_ZTS7Complex", !10, i64 0, !10, i64 4}
!10 = !{!"float", !6, i64 0}
!11 = !{!9, !10, i64 4}
!12 = !{!10, !10, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.unroll.disable"}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.mustprogress"}
