; compaction: keep the elements that pass a test, in any order, with one atomic for each warp.
;
; Shows: vote.sync.ballot, population counts, a warp-wide broadcast of what one lane's atomic
; returned; where an element is stored depends on data.
;
; Generated from compaction.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}keep_above
; CHECK: ld.global.nc.b32
; CHECK: vote.sync.ballot.b32
; CHECK: popc.b32
; CHECK: atom.global.add.u32
; CHECK: shfl.sync.idx.b32
; CHECK: st.global.b32

; ModuleID = 'compaction.cu'
source_filename = "compaction.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define dso_local ptx_kernel void @_Z10keep_aboveifPKfPfPi(i32 noundef %0, float noundef %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef writeonly captures(none) %3, ptr noalias noundef captures(none) %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = and i32 %9, 31
  %12 = icmp slt i32 %10, %0
  br i1 %12, label %13, label %17

13:                                               ; preds = %5
  %14 = sext i32 %10 to i64
  %15 = getelementptr inbounds float, ptr %2, i64 %14
  %16 = load float, ptr %15, align 4, !tbaa !8
  br label %17

17:                                               ; preds = %5, %13
  %18 = phi contract float [ %16, %13 ], [ %1, %5 ]
  %19 = fcmp contract ogt float %18, %1
  %20 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %19)
  %21 = icmp eq i32 %11, 0
  %22 = icmp ne i32 %20, 0
  %23 = and i1 %21, %22
  br i1 %23, label %24, label %27

24:                                               ; preds = %17
  %25 = tail call noundef range(i32 1, 33) i32 @llvm.ctpop.i32(i32 %20)
  %26 = atomicrmw add ptr %4, i32 %25 monotonic, align 4
  br label %27

27:                                               ; preds = %24, %17
  %28 = phi i32 [ %26, %24 ], [ 0, %17 ]
  %29 = tail call noundef i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %28, i32 0, i32 31)
  br i1 %19, label %30, label %38

30:                                               ; preds = %27
  %31 = shl nsw i32 -1, %11
  %32 = xor i32 %31, -1
  %33 = and i32 %20, %32
  %34 = tail call noundef range(i32 0, 32) i32 @llvm.ctpop.i32(i32 %33)
  %35 = add nsw i32 %29, %34
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %3, i64 %36
  store float %18, ptr %37, align 4, !tbaa !8
  br label %38

38:                                               ; preds = %30, %27
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

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
