; dropout: some elements become zero, by random bits made from the element's number; the rest grow.
;
; Shows: a counter-based random number generator (integer multiplications with their upper halves),
; a select, and one stream in and one out.
;
; Generated from dropout.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}dropout
; CHECK: mul{{.*}}.u{{32|64}}
; CHECK: xor.b32
; CHECK: ld.global.nc.b32
; CHECK: st.global.b32

; ModuleID = 'dropout.cu'
source_filename = "dropout.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z11random_bitsjj(i32 noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = zext i32 %0 to i64
  %4 = mul nuw i64 %3, 3528905107
  %5 = lshr i64 %4, 32
  %6 = trunc nuw i64 %5 to i32
  %7 = xor i32 %1, %6
  %8 = add i32 %1, -1640531527
  %9 = zext i32 %7 to i64
  %10 = mul nuw i64 %9, 3528905107
  %11 = lshr i64 %10, 32
  %12 = xor i64 %4, %11
  %13 = trunc i64 %12 to i32
  %14 = xor i32 %8, %13
  %15 = add i32 %1, 1013904242
  %16 = zext i32 %14 to i64
  %17 = mul nuw i64 %16, 3528905107
  %18 = lshr i64 %17, 32
  %19 = xor i64 %10, %18
  %20 = trunc i64 %19 to i32
  %21 = xor i32 %15, %20
  %22 = add i32 %1, -626627285
  %23 = zext i32 %21 to i64
  %24 = mul nuw i64 %23, 3528905107
  %25 = lshr i64 %24, 32
  %26 = xor i64 %17, %25
  %27 = trunc i64 %26 to i32
  %28 = xor i32 %22, %27
  %29 = add i32 %1, 2027808484
  %30 = zext i32 %28 to i64
  %31 = mul nuw i64 %30, 3528905107
  %32 = lshr i64 %31, 32
  %33 = xor i64 %24, %32
  %34 = trunc i64 %33 to i32
  %35 = xor i32 %29, %34
  %36 = add i32 %1, 387276957
  %37 = zext i32 %35 to i64
  %38 = mul nuw i64 %37, 3528905107
  %39 = lshr i64 %38, 32
  %40 = xor i64 %31, %39
  %41 = trunc i64 %40 to i32
  %42 = xor i32 %36, %41
  %43 = add i32 %1, -1253254570
  %44 = zext i32 %42 to i64
  %45 = mul nuw i64 %44, 3528905107
  %46 = lshr i64 %45, 32
  %47 = xor i64 %38, %46
  %48 = trunc i64 %47 to i32
  %49 = xor i32 %43, %48
  %50 = add i32 %1, 1401181199
  %51 = zext i32 %49 to i64
  %52 = mul nuw i64 %51, 3528905107
  %53 = lshr i64 %52, 32
  %54 = xor i64 %45, %53
  %55 = trunc i64 %54 to i32
  %56 = xor i32 %50, %55
  %57 = add i32 %1, -239350328
  %58 = zext i32 %56 to i64
  %59 = mul nuw i64 %58, 3528905107
  %60 = lshr i64 %59, 32
  %61 = xor i64 %52, %60
  %62 = trunc i64 %61 to i32
  %63 = xor i32 %57, %62
  %64 = add i32 %1, -1879881855
  %65 = zext i32 %63 to i64
  %66 = mul nuw i64 %65, 3528905107
  %67 = lshr i64 %66, 32
  %68 = xor i64 %59, %67
  %69 = trunc i64 %68 to i32
  %70 = xor i32 %64, %69
  ret i32 %70
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z7dropoutijjfPKfPf(i32 noundef %0, i32 noundef %1, i32 noundef %2, float noundef %3, ptr noalias noundef readonly captures(none) %4, ptr noalias noundef writeonly captures(none) %5) local_unnamed_addr #1 {
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %0
  br i1 %12, label %13, label %91

13:                                               ; preds = %6
  %14 = zext i32 %11 to i64
  %15 = mul nuw i64 %14, 3528905107
  %16 = lshr i64 %15, 32
  %17 = trunc nuw i64 %16 to i32
  %18 = xor i32 %1, %17
  %19 = add i32 %1, -1640531527
  %20 = zext i32 %18 to i64
  %21 = mul nuw i64 %20, 3528905107
  %22 = lshr i64 %21, 32
  %23 = xor i64 %22, %15
  %24 = trunc i64 %23 to i32
  %25 = xor i32 %19, %24
  %26 = add i32 %1, 1013904242
  %27 = zext i32 %25 to i64
  %28 = mul nuw i64 %27, 3528905107
  %29 = lshr i64 %28, 32
  %30 = xor i64 %29, %21
  %31 = trunc i64 %30 to i32
  %32 = xor i32 %26, %31
  %33 = add i32 %1, -626627285
  %34 = zext i32 %32 to i64
  %35 = mul nuw i64 %34, 3528905107
  %36 = lshr i64 %35, 32
  %37 = xor i64 %36, %28
  %38 = trunc i64 %37 to i32
  %39 = xor i32 %33, %38
  %40 = add i32 %1, 2027808484
  %41 = zext i32 %39 to i64
  %42 = mul nuw i64 %41, 3528905107
  %43 = lshr i64 %42, 32
  %44 = xor i64 %43, %35
  %45 = trunc i64 %44 to i32
  %46 = xor i32 %40, %45
  %47 = add i32 %1, 387276957
  %48 = zext i32 %46 to i64
  %49 = mul nuw i64 %48, 3528905107
  %50 = lshr i64 %49, 32
  %51 = xor i64 %50, %42
  %52 = trunc i64 %51 to i32
  %53 = xor i32 %47, %52
  %54 = add i32 %1, -1253254570
  %55 = zext i32 %53 to i64
  %56 = mul nuw i64 %55, 3528905107
  %57 = lshr i64 %56, 32
  %58 = xor i64 %57, %49
  %59 = trunc i64 %58 to i32
  %60 = xor i32 %54, %59
  %61 = add i32 %1, 1401181199
  %62 = zext i32 %60 to i64
  %63 = mul nuw i64 %62, 3528905107
  %64 = lshr i64 %63, 32
  %65 = xor i64 %64, %56
  %66 = trunc i64 %65 to i32
  %67 = xor i32 %61, %66
  %68 = add i32 %1, -239350328
  %69 = zext i32 %67 to i64
  %70 = mul nuw i64 %69, 3528905107
  %71 = lshr i64 %70, 32
  %72 = xor i64 %71, %63
  %73 = trunc i64 %72 to i32
  %74 = xor i32 %68, %73
  %75 = add i32 %1, -1879881855
  %76 = zext i32 %74 to i64
  %77 = mul nuw i64 %76, 3528905107
  %78 = lshr i64 %77, 32
  %79 = xor i64 %78, %70
  %80 = trunc i64 %79 to i32
  %81 = xor i32 %75, %80
  %82 = icmp ult i32 %81, %2
  %83 = sext i32 %11 to i64
  br i1 %82, label %88, label %84

84:                                               ; preds = %13
  %85 = getelementptr inbounds float, ptr %4, i64 %83
  %86 = load float, ptr %85, align 4, !tbaa !8
  %87 = fmul contract float %3, %86
  br label %88

88:                                               ; preds = %13, %84
  %89 = phi contract float [ %87, %84 ], [ 0.000000e+00, %13 ]
  %90 = getelementptr inbounds float, ptr %5, i64 %83
  store float %89, ptr %90, align 4, !tbaa !8
  br label %91

91:                                               ; preds = %88, %6
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
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
