; black_scholes: prices of options, with exact mathematical functions in double precision.
;
; Shows: what log, exp, sqrt and erfc turn into (libdevice's polynomials, constants in memory,
; calls for the slow cases); five streams that are touched once.
;
; Generated from black_scholes.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}price
; CHECK: ld.global.nc.b64
; CHECK: sqrt.rn.f64
; CHECK: fma.rn.f64
; CHECK: st.global.b64

; ModuleID = 'black_scholes.cu'
source_filename = "black_scholes.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef double @_Z5belowd(double noundef %0) local_unnamed_addr #0 {
  %2 = fmul contract double %0, 0xBFE6A09E667F3BCD
  %3 = tail call contract noundef double @__nv_erfc(double noundef %2) #4
  %4 = fmul contract double %3, 5.000000e-01
  ret double %4
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z9price_onedddPdS_(double noundef %0, double noundef %1, double noundef %2, ptr noundef writeonly captures(none) initializes((0, 8)) %3, ptr noundef writeonly captures(none) initializes((0, 8)) %4) local_unnamed_addr #0 {
  %6 = tail call contract noundef double @__nv_sqrt(double noundef %2) #4
  %7 = fdiv contract double %0, %1
  %8 = tail call contract noundef double @__nv_log(double noundef %7) #4
  %9 = fmul contract double %2, 6.500000e-02
  %10 = fadd contract double %9, %8
  %11 = fmul contract double %6, 3.000000e-01
  %12 = fdiv contract double %10, %11
  %13 = fsub contract double %12, %11
  %14 = fmul contract double %2, -2.000000e-02
  %15 = tail call contract noundef double @__nv_exp(double noundef %14) #4
  %16 = fmul contract double %1, %15
  %17 = fmul contract double %12, 0xBFE6A09E667F3BCD
  %18 = tail call contract noundef double @__nv_erfc(double noundef %17) #4
  %19 = fmul contract double %18, 5.000000e-01
  %20 = fmul contract double %0, %19
  %21 = fmul contract double %13, 0xBFE6A09E667F3BCD
  %22 = tail call contract noundef double @__nv_erfc(double noundef %21) #4
  %23 = fmul contract double %22, 5.000000e-01
  %24 = fmul contract double %16, %23
  %25 = fsub contract double %20, %24
  store double %25, ptr %3, align 8, !tbaa !8
  %26 = fmul contract double %13, 0x3FE6A09E667F3BCD
  %27 = tail call contract noundef double @__nv_erfc(double noundef %26) #4
  %28 = fmul contract double %27, 5.000000e-01
  %29 = fmul contract double %16, %28
  %30 = fmul contract double %12, 0x3FE6A09E667F3BCD
  %31 = tail call contract noundef double @__nv_erfc(double noundef %30) #4
  %32 = fmul contract double %31, 5.000000e-01
  %33 = fmul contract double %0, %32
  %34 = fsub contract double %29, %33
  store double %34, ptr %4, align 8, !tbaa !8
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z5priceiPKdS0_S0_PdS1_(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef writeonly captures(none) %4, ptr noalias noundef writeonly captures(none) %5) local_unnamed_addr #1 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %0
  br i1 %12, label %13, label %52

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds double, ptr %1, i64 %14
  %16 = load double, ptr %15, align 8, !tbaa !8
  %17 = getelementptr inbounds double, ptr %2, i64 %14
  %18 = load double, ptr %17, align 8, !tbaa !8
  %19 = getelementptr inbounds double, ptr %3, i64 %14
  %20 = load double, ptr %19, align 8, !tbaa !8
  %21 = getelementptr inbounds double, ptr %4, i64 %14
  %22 = getelementptr inbounds double, ptr %5, i64 %14
  %23 = tail call contract noundef double @__nv_sqrt(double noundef %20) #4
  %24 = fdiv contract double %16, %18
  %25 = tail call contract noundef double @__nv_log(double noundef %24) #4
  %26 = fmul contract double %20, 6.500000e-02
  %27 = fadd contract double %26, %25
  %28 = fmul contract double %23, 3.000000e-01
  %29 = fdiv contract double %27, %28
  %30 = fsub contract double %29, %28
  %31 = fmul contract double %20, -2.000000e-02
  %32 = tail call contract noundef double @__nv_exp(double noundef %31) #4
  %33 = fmul contract double %18, %32
  %34 = fmul contract double %29, 0xBFE6A09E667F3BCD
  %35 = tail call contract noundef double @__nv_erfc(double noundef %34) #4
  %36 = fmul contract double %35, 5.000000e-01
  %37 = fmul contract double %16, %36
  %38 = fmul contract double %30, 0xBFE6A09E667F3BCD
  %39 = tail call contract noundef double @__nv_erfc(double noundef %38) #4
  %40 = fmul contract double %39, 5.000000e-01
  %41 = fmul contract double %33, %40
  %42 = fsub contract double %37, %41
  store double %42, ptr %21, align 8, !tbaa !8
  %43 = fmul contract double %30, 0x3FE6A09E667F3BCD
  %44 = tail call contract noundef double @__nv_erfc(double noundef %43) #4
  %45 = fmul contract double %44, 5.000000e-01
  %46 = fmul contract double %33, %45
  %47 = fmul contract double %29, 0x3FE6A09E667F3BCD
  %48 = tail call contract noundef double @__nv_erfc(double noundef %47) #4
  %49 = fmul contract double %48, 5.000000e-01
  %50 = fmul contract double %16, %49
  %51 = fsub contract double %46, %50
  store double %51, ptr %22, align 8, !tbaa !8
  br label %52

52:                                               ; preds = %13, %6
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local double @__nv_erfc(double noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local double @__nv_sqrt(double noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local double @__nv_log(double noundef) local_unnamed_addr #2

; Function Attrs: convergent nounwind
declare dso_local double @__nv_exp(double noundef) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

attributes #0 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
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
!9 = !{!"double", !6, i64 0}
