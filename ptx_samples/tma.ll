; tma: Hopper's copy engine brings a tile into shared memory and takes the result back.
;
; Shows: cp.async.bulk.tensor in both directions, a barrier in memory that counts bytes, a tensor
; map as a parameter (.param of 128 bytes); the edges need no test, the copy engine cuts them off.
;
; Generated from tma.cu for sm_90 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_90 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}brighten
; CHECK: .param .align {{64|128}} .b8 {{.*}}_param_0[128]
; CHECK: mbarrier.init.shared.b64
; CHECK: mbarrier.arrive.expect_tx.shared
; CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
; CHECK: mbarrier.try_wait.parity.shared
; CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
; CHECK: cp.async.bulk.wait_group.read 0;

; ModuleID = 'tma.cu'
source_filename = "tma.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.CUtensorMap_st = type { [16 x i64] }

@_ZZ8brighten14CUtensorMap_stS_fE4tile = internal addrspace(3) global [16 x [64 x float]] undef, align 128
@_ZZ8brighten14CUtensorMap_stS_fE7arrived = internal addrspace(3) global i64 undef, align 8

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z14shared_addressPKv(ptr noundef %0) local_unnamed_addr #0 {
  %2 = addrspacecast ptr %0 to ptr addrspace(3)
  %3 = ptrtoint ptr addrspace(3) %2 to i64
  %4 = trunc i64 %3 to i32
  ret i32 %4
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z8wait_forjj(i32 noundef %0, i32 noundef %1) local_unnamed_addr #1 {
  tail call void asm sideeffect "{\0A.reg .pred done;\0Aagain:\0Ambarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\0A@!done bra again;\0A}", "r,r,~{memory}"(i32 %0, i32 %1) #5
  ret void
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z8brighten14CUtensorMap_stS_f(ptr noundef byval(%struct.CUtensorMap_st) align 128 "nvvm.grid_constant" %0, ptr noundef byval(%struct.CUtensorMap_st) align 128 "nvvm.grid_constant" %1, float noundef %2) local_unnamed_addr #2 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = shl i32 %4, 6
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %7 = shl nuw nsw i32 %6, 4
  %8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %11

10:                                               ; preds = %3
  tail call void asm sideeffect "mbarrier.init.shared.b64 [$0], 1;", "r,~{memory}"(i32 ptrtoint (ptr addrspace(3) @_ZZ8brighten14CUtensorMap_stS_fE7arrived to i32)) #5
  tail call void asm sideeffect "fence.proxy.async.shared::cta;", "~{memory}"() #5
  tail call void asm sideeffect "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", "r,r,~{memory}"(i32 ptrtoint (ptr addrspace(3) @_ZZ8brighten14CUtensorMap_stS_fE7arrived to i32), i32 4096) #5
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}"(i32 ptrtoint (ptr addrspace(3) @_ZZ8brighten14CUtensorMap_stS_fE4tile to i32), ptr nonnull %0, i32 %5, i32 %7, i32 ptrtoint (ptr addrspace(3) @_ZZ8brighten14CUtensorMap_stS_fE7arrived to i32)) #5
  br label %11

11:                                               ; preds = %10, %3
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void asm sideeffect "{\0A.reg .pred done;\0Aagain:\0Ambarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\0A@!done bra again;\0A}", "r,r,~{memory}"(i32 ptrtoint (ptr addrspace(3) @_ZZ8brighten14CUtensorMap_stS_fE7arrived to i32), i32 0) #5
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %14

13:                                               ; preds = %14
  call void asm sideeffect "fence.proxy.async.shared::cta;", "~{memory}"() #5
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %9, label %26, label %27

14:                                               ; preds = %11, %14
  %15 = phi i32 [ %8, %11 ], [ %24, %14 ]
  %16 = lshr i32 %15, 6
  %17 = zext nneg i32 %16 to i64
  %18 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ8brighten14CUtensorMap_stS_fE4tile to ptr), i64 %17
  %19 = and i32 %15, 63
  %20 = zext nneg i32 %19 to i64
  %21 = getelementptr inbounds nuw float, ptr %18, i64 %20
  %22 = load float, ptr %21, align 4, !tbaa !14
  %23 = fadd contract float %2, %22
  store float %23, ptr %21, align 4, !tbaa !14
  %24 = add nuw nsw i32 %15, %12
  %25 = icmp samesign ult i32 %24, 1024
  br i1 %25, label %14, label %13, !llvm.loop !16

26:                                               ; preds = %13
  call void asm sideeffect "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$0, {$1, $2}], [$3];", "l,r,r,r,~{memory}"(ptr nonnull %1, i32 %5, i32 %7, i32 ptrtoint (ptr addrspace(3) @_ZZ8brighten14CUtensorMap_stS_fE4tile to i32)) #5
  call void asm sideeffect "cp.async.bulk.commit_group;", "~{memory}"() #5
  call void asm sideeffect "cp.async.bulk.wait_group.read 0;", "~{memory}"() #5
  br label %27

27:                                               ; preds = %26, %13
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #1 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #2 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }

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
!14 = !{!15, !15, i64 0}
!15 = !{!"float", !6, i64 0}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.mustprogress"}
