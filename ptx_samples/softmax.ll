; softmax: of each row of a matrix, one block for a row, with the largest element taken off first.
;
; Shows: a row that is read three times by the same block (for the maximum, for the sum, for the
; result) and then never again; ex2.approx; two block-wide reductions through one shared array.
;
; Generated from softmax.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}softmax
; CHECK: ld.global.nc.b32
; CHECK: max.f32
; CHECK: shfl.sync.bfly.b32
; CHECK: ld.global.nc.b32
; CHECK: ex2.approx
; CHECK: ld.global.nc.b32
; CHECK: st.global.b32

; ModuleID = 'softmax.cu'
source_filename = "softmax.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$_ZZ10over_blockI6LargerEffT_E7of_warp = comdat any

$_ZZ10over_blockI4PlusEffT_E7of_warp = comdat any

@_ZZ10over_blockI6LargerEffT_E7of_warp = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [32 x float] undef, comdat, align 4
@_ZZ10over_blockI4PlusEffT_E7of_warp = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [32 x float] undef, comdat, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z7softmaxiPKfPf(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2) local_unnamed_addr #0 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = zext nneg i32 %4 to i64
  %6 = sext i32 %0 to i64
  %7 = mul nsw i64 %6, %5
  %8 = getelementptr inbounds float, ptr %1, i64 %7
  %9 = getelementptr inbounds float, ptr %2, i64 %7
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = icmp slt i32 %10, %0
  br i1 %11, label %12, label %14

12:                                               ; preds = %3
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %89

14:                                               ; preds = %89, %3
  %15 = phi float [ 0xFFF0000000000000, %3 ], [ %95, %89 ]
  %16 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %15, i32 16, i32 31)
  %17 = tail call contract noundef float @llvm.maxnum.f32(float %15, float %16)
  %18 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %17, i32 8, i32 31)
  %19 = tail call contract noundef float @llvm.maxnum.f32(float %17, float %18)
  %20 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %19, i32 4, i32 31)
  %21 = tail call contract noundef float @llvm.maxnum.f32(float %19, float %20)
  %22 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %21, i32 2, i32 31)
  %23 = tail call contract noundef float @llvm.maxnum.f32(float %21, float %22)
  %24 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %23, i32 1, i32 31)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %25 = and i32 %10, 31
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %27, label %32

27:                                               ; preds = %14
  %28 = lshr exact i32 %10, 5
  %29 = zext nneg i32 %28 to i64
  %30 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI6LargerEffT_E7of_warp to ptr), i64 %29
  %31 = tail call contract noundef float @llvm.maxnum.f32(float %23, float %24)
  store float %31, ptr %30, align 4, !tbaa !8
  br label %32

32:                                               ; preds = %27, %14
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %33 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI6LargerEffT_E7of_warp to ptr), align 4, !tbaa !8
  %34 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %35 = lshr i32 %34, 5
  %36 = icmp samesign ugt i32 %34, 63
  br i1 %36, label %37, label %87

37:                                               ; preds = %32
  %38 = add nsw i32 %35, -1
  %39 = add nsw i32 %35, -2
  %40 = and i32 %38, 3
  %41 = icmp ult i32 %39, 3
  br i1 %41, label %72, label %42

42:                                               ; preds = %37
  %43 = and i32 %38, -4
  br label %44

44:                                               ; preds = %44, %42
  %45 = phi i32 [ 1, %42 ], [ %67, %44 ]
  %46 = phi float [ %33, %42 ], [ %66, %44 ]
  %47 = phi i32 [ 0, %42 ], [ %68, %44 ]
  %48 = zext nneg i32 %45 to i64
  %49 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI6LargerEffT_E7of_warp to ptr), i64 %48
  %50 = load float, ptr %49, align 4, !tbaa !8
  %51 = tail call contract noundef float @llvm.maxnum.f32(float %46, float %50)
  %52 = zext nneg i32 %45 to i64
  %53 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI6LargerEffT_E7of_warp to ptr), i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 4
  %55 = load float, ptr %54, align 4, !tbaa !8
  %56 = tail call contract noundef float @llvm.maxnum.f32(float %51, float %55)
  %57 = zext nneg i32 %45 to i64
  %58 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI6LargerEffT_E7of_warp to ptr), i64 %57
  %59 = getelementptr inbounds nuw i8, ptr %58, i64 8
  %60 = load float, ptr %59, align 4, !tbaa !8
  %61 = tail call contract noundef float @llvm.maxnum.f32(float %56, float %60)
  %62 = zext nneg i32 %45 to i64
  %63 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI6LargerEffT_E7of_warp to ptr), i64 %62
  %64 = getelementptr inbounds nuw i8, ptr %63, i64 12
  %65 = load float, ptr %64, align 4, !tbaa !8
  %66 = tail call contract noundef float @llvm.maxnum.f32(float %61, float %65)
  %67 = add nuw nsw i32 %45, 4
  %68 = add nuw i32 %47, 4
  %69 = icmp eq i32 %68, %43
  br i1 %69, label %70, label %44, !llvm.loop !10

70:                                               ; preds = %44
  %71 = icmp eq i32 %40, 0
  br i1 %71, label %87, label %72

72:                                               ; preds = %70, %37
  %73 = phi i32 [ 1, %37 ], [ %67, %70 ]
  %74 = phi float [ %33, %37 ], [ %66, %70 ]
  %75 = icmp ne i32 %40, 0
  tail call void @llvm.assume(i1 %75)
  br label %76

76:                                               ; preds = %76, %72
  %77 = phi i32 [ %84, %76 ], [ %73, %72 ]
  %78 = phi float [ %83, %76 ], [ %74, %72 ]
  %79 = phi i32 [ %85, %76 ], [ 0, %72 ]
  %80 = zext nneg i32 %77 to i64
  %81 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI6LargerEffT_E7of_warp to ptr), i64 %80
  %82 = load float, ptr %81, align 4, !tbaa !8
  %83 = tail call contract noundef float @llvm.maxnum.f32(float %78, float %82)
  %84 = add nuw nsw i32 %77, 1
  %85 = add i32 %79, 1
  %86 = icmp eq i32 %85, %40
  br i1 %86, label %87, label %76, !llvm.loop !12

87:                                               ; preds = %70, %76, %32
  %88 = phi float [ %33, %32 ], [ %66, %70 ], [ %83, %76 ]
  br i1 %11, label %168, label %98

89:                                               ; preds = %12, %89
  %90 = phi i32 [ %10, %12 ], [ %96, %89 ]
  %91 = phi float [ 0xFFF0000000000000, %12 ], [ %95, %89 ]
  %92 = sext i32 %90 to i64
  %93 = getelementptr inbounds float, ptr %8, i64 %92
  %94 = load float, ptr %93, align 4, !tbaa !8
  %95 = tail call contract noundef float @llvm.maxnum.f32(float %91, float %94)
  %96 = add i32 %90, %13
  %97 = icmp slt i32 %96, %0
  br i1 %97, label %89, label %14, !llvm.loop !14

98:                                               ; preds = %168, %87
  %99 = phi float [ 0.000000e+00, %87 ], [ %176, %168 ]
  %100 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %99, i32 16, i32 31)
  %101 = fadd contract float %99, %100
  %102 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %101, i32 8, i32 31)
  %103 = fadd contract float %101, %102
  %104 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %103, i32 4, i32 31)
  %105 = fadd contract float %103, %104
  %106 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %105, i32 2, i32 31)
  %107 = fadd contract float %105, %106
  %108 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %107, i32 1, i32 31)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %26, label %109, label %114

109:                                              ; preds = %98
  %110 = lshr exact i32 %10, 5
  %111 = zext nneg i32 %110 to i64
  %112 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI4PlusEffT_E7of_warp to ptr), i64 %111
  %113 = fadd contract float %107, %108
  store float %113, ptr %112, align 4, !tbaa !8
  br label %114

114:                                              ; preds = %109, %98
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %115 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI4PlusEffT_E7of_warp to ptr), align 4, !tbaa !8
  br i1 %36, label %116, label %166

116:                                              ; preds = %114
  %117 = add nsw i32 %35, -1
  %118 = add nsw i32 %35, -2
  %119 = and i32 %117, 3
  %120 = icmp ult i32 %118, 3
  br i1 %120, label %151, label %121

121:                                              ; preds = %116
  %122 = and i32 %117, -4
  br label %123

123:                                              ; preds = %123, %121
  %124 = phi i32 [ 1, %121 ], [ %146, %123 ]
  %125 = phi float [ %115, %121 ], [ %145, %123 ]
  %126 = phi i32 [ 0, %121 ], [ %147, %123 ]
  %127 = zext nneg i32 %124 to i64
  %128 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI4PlusEffT_E7of_warp to ptr), i64 %127
  %129 = load float, ptr %128, align 4, !tbaa !8
  %130 = fadd contract float %125, %129
  %131 = zext nneg i32 %124 to i64
  %132 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI4PlusEffT_E7of_warp to ptr), i64 %131
  %133 = getelementptr inbounds nuw i8, ptr %132, i64 4
  %134 = load float, ptr %133, align 4, !tbaa !8
  %135 = fadd contract float %130, %134
  %136 = zext nneg i32 %124 to i64
  %137 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI4PlusEffT_E7of_warp to ptr), i64 %136
  %138 = getelementptr inbounds nuw i8, ptr %137, i64 8
  %139 = load float, ptr %138, align 4, !tbaa !8
  %140 = fadd contract float %135, %139
  %141 = zext nneg i32 %124 to i64
  %142 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI4PlusEffT_E7of_warp to ptr), i64 %141
  %143 = getelementptr inbounds nuw i8, ptr %142, i64 12
  %144 = load float, ptr %143, align 4, !tbaa !8
  %145 = fadd contract float %140, %144
  %146 = add nuw nsw i32 %124, 4
  %147 = add nuw i32 %126, 4
  %148 = icmp eq i32 %147, %122
  br i1 %148, label %149, label %123, !llvm.loop !15

149:                                              ; preds = %123
  %150 = icmp eq i32 %119, 0
  br i1 %150, label %166, label %151

151:                                              ; preds = %149, %116
  %152 = phi i32 [ 1, %116 ], [ %146, %149 ]
  %153 = phi float [ %115, %116 ], [ %145, %149 ]
  %154 = icmp ne i32 %119, 0
  tail call void @llvm.assume(i1 %154)
  br label %155

155:                                              ; preds = %155, %151
  %156 = phi i32 [ %163, %155 ], [ %152, %151 ]
  %157 = phi float [ %162, %155 ], [ %153, %151 ]
  %158 = phi i32 [ %164, %155 ], [ 0, %151 ]
  %159 = zext nneg i32 %156 to i64
  %160 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ10over_blockI4PlusEffT_E7of_warp to ptr), i64 %159
  %161 = load float, ptr %160, align 4, !tbaa !8
  %162 = fadd contract float %157, %161
  %163 = add nuw nsw i32 %156, 1
  %164 = add i32 %158, 1
  %165 = icmp eq i32 %164, %119
  br i1 %165, label %166, label %155, !llvm.loop !16

166:                                              ; preds = %149, %155, %114
  %167 = phi float [ %115, %114 ], [ %145, %149 ], [ %162, %155 ]
  br i1 %11, label %180, label %179

168:                                              ; preds = %87, %168
  %169 = phi i32 [ %177, %168 ], [ %10, %87 ]
  %170 = phi float [ %176, %168 ], [ 0.000000e+00, %87 ]
  %171 = sext i32 %169 to i64
  %172 = getelementptr inbounds float, ptr %8, i64 %171
  %173 = load float, ptr %172, align 4, !tbaa !8
  %174 = fsub contract float %173, %88
  %175 = tail call contract noundef float @__nv_fast_expf(float noundef %174) #7
  %176 = fadd contract float %170, %175
  %177 = add i32 %169, %34
  %178 = icmp slt i32 %177, %0
  br i1 %178, label %168, label %98, !llvm.loop !17

179:                                              ; preds = %180, %166
  ret void

180:                                              ; preds = %166, %180
  %181 = phi i32 [ %189, %180 ], [ %10, %166 ]
  %182 = sext i32 %181 to i64
  %183 = getelementptr inbounds float, ptr %8, i64 %182
  %184 = load float, ptr %183, align 4, !tbaa !8
  %185 = fsub contract float %184, %88
  %186 = tail call contract noundef float @__nv_fast_expf(float noundef %185) #7
  %187 = fdiv contract float %186, %167
  %188 = getelementptr inbounds float, ptr %9, i64 %182
  store float %187, ptr %188, align 4, !tbaa !8
  %189 = add i32 %181, %34
  %190 = icmp slt i32 %189, %0
  br i1 %190, label %180, label %179, !llvm.loop !18
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: convergent nounwind
declare dso_local float @__nv_fast_expf(float noundef) local_unnamed_addr #3

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #4

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #6

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #4 = { convergent nocallback nounwind }
attributes #5 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #7 = { convergent nounwind }

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
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.unroll.disable"}
!14 = distinct !{!14, !11}
!15 = distinct !{!15, !11}
!16 = distinct !{!16, !13}
!17 = distinct !{!17, !11}
!18 = distinct !{!18, !11}
