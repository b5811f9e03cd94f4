; device_printf: a kernel that prints what it finds wrong.
;
; Shows: a call of a function that is not in the file (vprintf), strings in global
; memory, arguments put together in local memory.
;
; Generated from device_printf.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK: .extern .func {{.*}} vprintf
; CHECK: .global .align 1 .b8 {{.*}} = {
; CHECK-LABEL: .entry {{.*}}audit
; CHECK: ld.global.nc.b32
; CHECK: st.local
; CHECK: vprintf,

; ModuleID = 'device_printf.cu'
source_filename = "device_printf.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%printf_args = type { i32, i32, double }

@.str = private unnamed_addr constant [34 x i8] c"values[%d] is %d (%.1f%% of all)\0A\00", align 1

; Function Attrs: mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z5auditiPKiPi(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef captures(none) %2) local_unnamed_addr #0 {
  %4 = alloca %printf_args, align 8
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %0
  br i1 %10, label %11, label %23

11:                                               ; preds = %3
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds i32, ptr %1, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !4
  %15 = icmp slt i32 %14, 0
  br i1 %15, label %16, label %23

16:                                               ; preds = %11
  %17 = atomicrmw add ptr %2, i32 1 monotonic, align 4
  %18 = sitofp i32 %0 to double
  %19 = fdiv contract double 1.000000e+02, %18
  store i32 %9, ptr %4, align 8
  %20 = getelementptr inbounds nuw i8, ptr %4, i64 4
  store i32 %14, ptr %20, align 4
  %21 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store double %19, ptr %21, align 8
  %22 = call i32 @vprintf(ptr nonnull @.str, ptr nonnull %4) #2
  br label %23

23:                                               ; preds = %16, %11, %3
  ret void
}

declare i32 @vprintf(ptr, ptr) local_unnamed_addr

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

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
