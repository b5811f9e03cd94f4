; layernorm: each row less its mean, over its deviation, scaled and shifted; one warp for a row.
;
; Shows: a row in registers between two passes, so it is read once; gain and shift are the same
; for all rows and are read by every block.
;
; Generated from layernorm.cu for sm_80 by regenerate.py, with clang 22.1.8;
; edit only the lines below this one.
;
; RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
; CHECK-LABEL: .entry {{.*}}layernorm
; CHECK: ld.global.nc.v4.b32
; CHECK: shfl.sync.bfly.b32
; CHECK: rsqrt.approx
; CHECK: st.global.v4.b32

; ModuleID = 'layernorm.cu'
source_filename = "layernorm.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }

; Function Attrs: convergent mustprogress norecurse nounwind memory(inaccessiblemem: readwrite)
define dso_local noundef float @_Z9over_warpf(float noundef %0) local_unnamed_addr #0 {
  %2 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %0, i32 16, i32 31)
  %3 = fadd contract float %0, %2
  %4 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %3, i32 8, i32 31)
  %5 = fadd contract float %3, %4
  %6 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %5, i32 4, i32 31)
  %7 = fadd contract float %5, %6
  %8 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %7, i32 2, i32 31)
  %9 = fadd contract float %7, %8
  %10 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %9, i32 1, i32 31)
  %11 = fadd contract float %9, %10
  ret float %11
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z9layernormiPK6float4S1_S1_PS_(i32 noundef %0, ptr noalias noundef readonly captures(none) %1, ptr noalias noundef readonly captures(none) %2, ptr noalias noundef readonly captures(none) %3, ptr noalias noundef writeonly captures(none) %4) local_unnamed_addr #1 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %0
  br i1 %11, label %12, label %277

12:                                               ; preds = %5
  %13 = shl nsw i32 %10, 7
  %14 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %15 = add i32 %13, %14
  %16 = zext i32 %15 to i64
  %17 = getelementptr inbounds nuw %struct.float4, ptr %1, i64 %16
  %18 = load float, ptr %17, align 16, !tbaa !8
  %19 = getelementptr inbounds nuw i8, ptr %17, i64 4
  %20 = load float, ptr %19, align 4, !tbaa !8
  %21 = getelementptr inbounds nuw i8, ptr %17, i64 8
  %22 = load float, ptr %21, align 8, !tbaa !8
  %23 = getelementptr inbounds nuw i8, ptr %17, i64 12
  %24 = load float, ptr %23, align 4, !tbaa !8
  %25 = fadd contract float %18, %20
  %26 = fadd contract float %25, %22
  %27 = fadd contract float %26, %24
  %28 = fadd contract float %27, 0.000000e+00
  %29 = add i32 %15, 32
  %30 = zext i32 %29 to i64
  %31 = getelementptr inbounds nuw %struct.float4, ptr %1, i64 %30
  %32 = load float, ptr %31, align 16, !tbaa !8
  %33 = getelementptr inbounds nuw i8, ptr %31, i64 4
  %34 = load float, ptr %33, align 4, !tbaa !8
  %35 = getelementptr inbounds nuw i8, ptr %31, i64 8
  %36 = load float, ptr %35, align 8, !tbaa !8
  %37 = getelementptr inbounds nuw i8, ptr %31, i64 12
  %38 = load float, ptr %37, align 4, !tbaa !8
  %39 = fadd contract float %32, %34
  %40 = fadd contract float %39, %36
  %41 = fadd contract float %40, %38
  %42 = fadd contract float %28, %41
  %43 = add i32 %15, 64
  %44 = zext i32 %43 to i64
  %45 = getelementptr inbounds nuw %struct.float4, ptr %1, i64 %44
  %46 = load float, ptr %45, align 16, !tbaa !8
  %47 = getelementptr inbounds nuw i8, ptr %45, i64 4
  %48 = load float, ptr %47, align 4, !tbaa !8
  %49 = getelementptr inbounds nuw i8, ptr %45, i64 8
  %50 = load float, ptr %49, align 8, !tbaa !8
  %51 = getelementptr inbounds nuw i8, ptr %45, i64 12
  %52 = load float, ptr %51, align 4, !tbaa !8
  %53 = fadd contract float %46, %48
  %54 = fadd contract float %53, %50
  %55 = fadd contract float %54, %52
  %56 = fadd contract float %42, %55
  %57 = add i32 %15, 96
  %58 = zext i32 %57 to i64
  %59 = getelementptr inbounds nuw %struct.float4, ptr %1, i64 %58
  %60 = load float, ptr %59, align 16, !tbaa !8
  %61 = getelementptr inbounds nuw i8, ptr %59, i64 4
  %62 = load float, ptr %61, align 4, !tbaa !8
  %63 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %64 = load float, ptr %63, align 8, !tbaa !8
  %65 = getelementptr inbounds nuw i8, ptr %59, i64 12
  %66 = load float, ptr %65, align 4, !tbaa !8
  %67 = fadd contract float %60, %62
  %68 = fadd contract float %67, %64
  %69 = fadd contract float %68, %66
  %70 = fadd contract float %56, %69
  %71 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %70, i32 16, i32 31)
  %72 = fadd contract float %70, %71
  %73 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %72, i32 8, i32 31)
  %74 = fadd contract float %72, %73
  %75 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %74, i32 4, i32 31)
  %76 = fadd contract float %74, %75
  %77 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %76, i32 2, i32 31)
  %78 = fadd contract float %76, %77
  %79 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %78, i32 1, i32 31)
  %80 = fadd contract float %78, %79
  %81 = fmul contract float %80, 0x3F60000000000000
  %82 = fsub contract float %18, %81
  %83 = fsub contract float %20, %81
  %84 = fsub contract float %22, %81
  %85 = fsub contract float %24, %81
  %86 = fmul contract float %82, %82
  %87 = fmul contract float %83, %83
  %88 = fadd contract float %86, %87
  %89 = fmul contract float %84, %84
  %90 = fadd contract float %88, %89
  %91 = fmul contract float %85, %85
  %92 = fadd contract float %90, %91
  %93 = fsub contract float %32, %81
  %94 = fsub contract float %34, %81
  %95 = fsub contract float %36, %81
  %96 = fsub contract float %38, %81
  %97 = fmul contract float %93, %93
  %98 = fmul contract float %94, %94
  %99 = fadd contract float %97, %98
  %100 = fmul contract float %95, %95
  %101 = fadd contract float %99, %100
  %102 = fmul contract float %96, %96
  %103 = fadd contract float %101, %102
  %104 = fadd contract float %92, %103
  %105 = fsub contract float %46, %81
  %106 = fsub contract float %48, %81
  %107 = fsub contract float %50, %81
  %108 = fsub contract float %52, %81
  %109 = fmul contract float %105, %105
  %110 = fmul contract float %106, %106
  %111 = fadd contract float %109, %110
  %112 = fmul contract float %107, %107
  %113 = fadd contract float %111, %112
  %114 = fmul contract float %108, %108
  %115 = fadd contract float %113, %114
  %116 = fadd contract float %104, %115
  %117 = fsub contract float %60, %81
  %118 = fsub contract float %62, %81
  %119 = fsub contract float %64, %81
  %120 = fsub contract float %66, %81
  %121 = fmul contract float %117, %117
  %122 = fmul contract float %118, %118
  %123 = fadd contract float %121, %122
  %124 = fmul contract float %119, %119
  %125 = fadd contract float %123, %124
  %126 = fmul contract float %120, %120
  %127 = fadd contract float %125, %126
  %128 = fadd contract float %116, %127
  %129 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %128, i32 16, i32 31)
  %130 = fadd contract float %128, %129
  %131 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %130, i32 8, i32 31)
  %132 = fadd contract float %130, %131
  %133 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %132, i32 4, i32 31)
  %134 = fadd contract float %132, %133
  %135 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %134, i32 2, i32 31)
  %136 = fadd contract float %134, %135
  %137 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %136, i32 1, i32 31)
  %138 = fadd contract float %136, %137
  %139 = fmul contract float %138, 0x3F60000000000000
  %140 = fadd contract float %139, 0x3EE4F8B580000000
  %141 = tail call contract noundef float @__nv_rsqrtf(float noundef %140) #5
  %142 = zext nneg i32 %14 to i64
  %143 = getelementptr inbounds nuw %struct.float4, ptr %2, i64 %142
  %144 = load float, ptr %143, align 16, !tbaa !8
  %145 = getelementptr inbounds nuw i8, ptr %143, i64 4
  %146 = load float, ptr %145, align 4, !tbaa !8
  %147 = getelementptr inbounds nuw i8, ptr %143, i64 8
  %148 = load float, ptr %147, align 8, !tbaa !8
  %149 = getelementptr inbounds nuw i8, ptr %143, i64 12
  %150 = load float, ptr %149, align 4, !tbaa !8
  %151 = getelementptr inbounds nuw %struct.float4, ptr %3, i64 %142
  %152 = load float, ptr %151, align 16, !tbaa !8
  %153 = getelementptr inbounds nuw i8, ptr %151, i64 4
  %154 = load float, ptr %153, align 4, !tbaa !8
  %155 = getelementptr inbounds nuw i8, ptr %151, i64 8
  %156 = load float, ptr %155, align 8, !tbaa !8
  %157 = getelementptr inbounds nuw i8, ptr %151, i64 12
  %158 = load float, ptr %157, align 4, !tbaa !8
  %159 = fmul contract float %141, %82
  %160 = fmul contract float %144, %159
  %161 = fadd contract float %152, %160
  %162 = fmul contract float %141, %83
  %163 = fmul contract float %146, %162
  %164 = fadd contract float %154, %163
  %165 = fmul contract float %141, %84
  %166 = fmul contract float %148, %165
  %167 = fadd contract float %156, %166
  %168 = fmul contract float %141, %85
  %169 = fmul contract float %150, %168
  %170 = fadd contract float %158, %169
  %171 = getelementptr inbounds nuw %struct.float4, ptr %4, i64 %16
  store float %161, ptr %171, align 16, !tbaa !8
  %172 = getelementptr inbounds nuw i8, ptr %171, i64 4
  store float %164, ptr %172, align 4, !tbaa !8
  %173 = getelementptr inbounds nuw i8, ptr %171, i64 8
  store float %167, ptr %173, align 8, !tbaa !8
  %174 = getelementptr inbounds nuw i8, ptr %171, i64 12
  store float %170, ptr %174, align 4, !tbaa !8
  %175 = add nuw nsw i32 %14, 32
  %176 = zext nneg i32 %175 to i64
  %177 = getelementptr inbounds nuw %struct.float4, ptr %2, i64 %176
  %178 = load float, ptr %177, align 16, !tbaa !8
  %179 = getelementptr inbounds nuw i8, ptr %177, i64 4
  %180 = load float, ptr %179, align 4, !tbaa !8
  %181 = getelementptr inbounds nuw i8, ptr %177, i64 8
  %182 = load float, ptr %181, align 8, !tbaa !8
  %183 = getelementptr inbounds nuw i8, ptr %177, i64 12
  %184 = load float, ptr %183, align 4, !tbaa !8
  %185 = getelementptr inbounds nuw %struct.float4, ptr %3, i64 %176
  %186 = load float, ptr %185, align 16, !tbaa !8
  %187 = getelementptr inbounds nuw i8, ptr %185, i64 4
  %188 = load float, ptr %187, align 4, !tbaa !8
  %189 = getelementptr inbounds nuw i8, ptr %185, i64 8
  %190 = load float, ptr %189, align 8, !tbaa !8
  %191 = getelementptr inbounds nuw i8, ptr %185, i64 12
  %192 = load float, ptr %191, align 4, !tbaa !8
  %193 = fmul contract float %141, %93
  %194 = fmul contract float %178, %193
  %195 = fadd contract float %186, %194
  %196 = fmul contract float %141, %94
  %197 = fmul contract float %180, %196
  %198 = fadd contract float %188, %197
  %199 = fmul contract float %141, %95
  %200 = fmul contract float %182, %199
  %201 = fadd contract float %190, %200
  %202 = fmul contract float %141, %96
  %203 = fmul contract float %184, %202
  %204 = fadd contract float %192, %203
  %205 = getelementptr inbounds nuw %struct.float4, ptr %4, i64 %30
  store float %195, ptr %205, align 16, !tbaa !8
  %206 = getelementptr inbounds nuw i8, ptr %205, i64 4
  store float %198, ptr %206, align 4, !tbaa !8
  %207 = getelementptr inbounds nuw i8, ptr %205, i64 8
  store float %201, ptr %207, align 8, !tbaa !8
  %208 = getelementptr inbounds nuw i8, ptr %205, i64 12
  store float %204, ptr %208, align 4, !tbaa !8
  %209 = add nuw nsw i32 %14, 64
  %210 = zext nneg i32 %209 to i64
  %211 = getelementptr inbounds nuw %struct.float4, ptr %2, i64 %210
  %212 = load float, ptr %211, align 16, !tbaa !8
  %213 = getelementptr inbounds nuw i8, ptr %211, i64 4
  %214 = load float, ptr %213, align 4, !tbaa !8
  %215 = getelementptr inbounds nuw i8, ptr %211, i64 8
  %216 = load float, ptr %215, align 8, !tbaa !8
  %217 = getelementptr inbounds nuw i8, ptr %211, i64 12
  %218 = load float, ptr %217, align 4, !tbaa !8
  %219 = getelementptr inbounds nuw %struct.float4, ptr %3, i64 %210
  %220 = load float, ptr %219, align 16, !tbaa !8
  %221 = getelementptr inbounds nuw i8, ptr %219, i64 4
  %222 = load float, ptr %221, align 4, !tbaa !8
  %223 = getelementptr inbounds nuw i8, ptr %219, i64 8
  %224 = load float, ptr %223, align 8, !tbaa !8
  %225 = getelementptr inbounds nuw i8, ptr %219, i64 12
  %226 = load float, ptr %225, align 4, !tbaa !8
  %227 = fmul contract float %141, %105
  %228 = fmul contract float %212, %227
  %229 = fadd contract float %220, %228
  %230 = fmul contract float %141, %106
  %231 = fmul contract float %214, %230
  %232 = fadd contract float %222, %231
  %233 = fmul contract float %141, %107
  %234 = fmul contract float %216, %233
  %235 = fadd contract float %224, %234
  %236 = fmul contract float %141, %108
  %237 = fmul contract float %218, %236
  %238 = fadd contract float %226, %237
  %239 = getelementptr inbounds nuw %struct.float4, ptr %4, i64 %44
  store float %229, ptr %239, align 16, !tbaa !8
  %240 = getelementptr inbounds nuw i8, ptr %239, i64 4
  store float %232, ptr %240, align 4, !tbaa !8
  %241 = getelementptr inbounds nuw i8, ptr %239, i64 8
  store float %235, ptr %241, align 8, !tbaa !8
  %242 = getelementptr inbounds nuw i8, ptr %239, i64 12
  store float %238, ptr %242, align 4, !tbaa !8
  %243 = add nuw nsw i32 %14, 96
  %244 = zext nneg i32 %243 to i64
  %245 = getelementptr inbounds nuw %struct.float4, ptr %2, i64 %244
  %246 = load float, ptr %245, align 16, !tbaa !8
  %247 = getelementptr inbounds nuw i8, ptr %245, i64 4
  %248 = load float, ptr %247, align 4, !tbaa !8
  %249 = getelementptr inbounds nuw i8, ptr %245, i64 8
  %250 = load float, ptr %249, align 8, !tbaa !8
  %251 = getelementptr inbounds nuw i8, ptr %245, i64 12
  %252 = load float, ptr %251, align 4, !tbaa !8
  %253 = getelementptr inbounds nuw %struct.float4, ptr %3, i64 %244
  %254 = load float, ptr %253, align 16, !tbaa !8
  %255 = getelementptr inbounds nuw i8, ptr %253, i64 4
  %256 = load float, ptr %255, align 4, !tbaa !8
  %257 = getelementptr inbounds nuw i8, ptr %253, i64 8
  %258 = load float, ptr %257, align 8, !tbaa !8
  %259 = getelementptr inbounds nuw i8, ptr %253, i64 12
  %260 = load float, ptr %259, align 4, !tbaa !8
  %261 = fmul contract float %141, %117
  %262 = fmul contract float %246, %261
  %263 = fadd contract float %254, %262
  %264 = fmul contract float %141, %118
  %265 = fmul contract float %248, %264
  %266 = fadd contract float %256, %265
  %267 = fmul contract float %141, %119
  %268 = fmul contract float %250, %267
  %269 = fadd contract float %258, %268
  %270 = fmul contract float %141, %120
  %271 = fmul contract float %252, %270
  %272 = fadd contract float %260, %271
  %273 = getelementptr inbounds nuw %struct.float4, ptr %4, i64 %58
  store float %263, ptr %273, align 16, !tbaa !8
  %274 = getelementptr inbounds nuw i8, ptr %273, i64 4
  store float %266, ptr %274, align 4, !tbaa !8
  %275 = getelementptr inbounds nuw i8, ptr %273, i64 8
  store float %269, ptr %275, align 8, !tbaa !8
  %276 = getelementptr inbounds nuw i8, ptr %273, i64 12
  store float %272, ptr %276, align 4, !tbaa !8
  br label %277

277:                                              ; preds = %5, %12
  ret void
}

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: convergent nounwind
declare dso_local float @__nv_rsqrtf(float noundef) local_unnamed_addr #4

attributes #0 = { convergent mustprogress norecurse nounwind memory(inaccessiblemem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
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
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !6, i64 0}
