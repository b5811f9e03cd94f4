; grid_sync: subtract the mean from an array in one launch, all blocks waiting for each other between.
;
; Shows: a cooperative launch; a barrier over the grid made of atomics and a loop that polls, which
; must keep reading memory; an array that is read once before it and once after it.
;
; Generated from grid_sync.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}subtract_mean
; CHECK: ld.global.b32
; CHECK: {{atom|red}}{{.*}}.add.f{{32|64}}
; CHECK: %envreg
; CHECK: atom{{.*}}.add.{{.*}}32
; CHECK: ld.{{volatile|acquire}}
; CHECK: st.global.b32

; ModuleID = 'grid_sync.cu'
source_filename = "grid_sync.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z13subtract_meaniPfS_(i32 noundef %0, ptr noundef captures(none) %1, ptr noundef captures(none) %2) local_unnamed_addr #0 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %10 = mul i32 %9, %5
  %11 = icmp slt i32 %8, %0
  br i1 %11, label %25, label %12

12:                                               ; preds = %25, %3
  %13 = phi float [ 0.000000e+00, %3 ], [ %31, %25 ]
  %14 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %13, i32 16, i32 31)
  %15 = fadd contract float %13, %14
  %16 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %15, i32 8, i32 31)
  %17 = fadd contract float %15, %16
  %18 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %17, i32 4, i32 31)
  %19 = fadd contract float %17, %18
  %20 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %19, i32 2, i32 31)
  %21 = fadd contract float %19, %20
  %22 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %21, i32 1, i32 31)
  %23 = and i32 %7, 31
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %34, label %37

25:                                               ; preds = %3, %25
  %26 = phi float [ %31, %25 ], [ 0.000000e+00, %3 ]
  %27 = phi i32 [ %32, %25 ], [ %8, %3 ]
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds float, ptr %1, i64 %28
  %30 = load float, ptr %29, align 4, !tbaa !8
  %31 = fadd contract float %26, %30
  %32 = add nsw i32 %27, %10
  %33 = icmp slt i32 %32, %0
  br i1 %33, label %25, label %12, !llvm.loop !10

34:                                               ; preds = %12
  %35 = fadd contract float %21, %22
  %36 = atomicrmw fadd ptr %2, float %35 monotonic, align 4
  br label %37

37:                                               ; preds = %34, %12
  %38 = tail call i32 asm "mov.u32 $0, %envreg2;", "=r"() #5
  %39 = tail call i32 asm "mov.u32 $0, %envreg1;", "=r"() #5
  %40 = zext i32 %39 to i64
  %41 = shl nuw i64 %40, 32
  %42 = zext i32 %38 to i64
  %43 = or disjoint i64 %41, %42
  %44 = inttoptr i64 %43 to ptr
  %45 = getelementptr inbounds nuw i8, ptr %44, i64 4
  tail call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %46 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %47 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %48 = or i32 %46, %47
  %49 = or i32 %48, %7
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %51, label %69

51:                                               ; preds = %37
  %52 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %53 = mul i32 %9, %52
  %54 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %55 = mul i32 %53, %54
  %56 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %57 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %58 = or i32 %56, %57
  %59 = or i32 %58, %4
  %60 = icmp eq i32 %59, 0
  tail call void @llvm.nvvm.membar.gl()
  %61 = sub i32 -2147483647, %55
  %62 = select i1 %60, i32 %61, i32 1
  %63 = atomicrmw add ptr %45, i32 %62 monotonic, align 4
  br label %64

64:                                               ; preds = %64, %51
  %65 = load volatile i32, ptr %45, align 4, !tbaa !4
  %66 = xor i32 %65, %63
  %67 = icmp sgt i32 %66, -1
  br i1 %67, label %64, label %68, !llvm.loop !14

68:                                               ; preds = %64
  tail call void @llvm.nvvm.membar.gl()
  br label %69

69:                                               ; preds = %37, %68
  tail call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %70 = load float, ptr %2, align 4, !tbaa !8
  %71 = sitofp i32 %0 to float
  %72 = fdiv contract float %70, %71
  br i1 %11, label %74, label %73

73:                                               ; preds = %74, %69
  ret void

74:                                               ; preds = %69, %74
  %75 = phi i32 [ %80, %74 ], [ %8, %69 ]
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds float, ptr %1, i64 %76
  %78 = load float, ptr %77, align 4, !tbaa !8
  %79 = fsub contract float %78, %72
  store float %79, ptr %77, align 4, !tbaa !8
  %80 = add nsw i32 %75, %10
  %81 = icmp slt i32 %80, %0
  br i1 %81, label %74, label %73, !llvm.loop !15
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #1

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nounwind }
attributes #5 = { convergent nounwind memory(none) }

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
!14 = distinct !{!14, !11}
!15 = distinct !{!15, !11}
