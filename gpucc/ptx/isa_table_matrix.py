"""The instruction table, second part: matrix instructions (PTX ISA 9.4, 9.7.16 to 9.7.18).

The sets and needs of :mod:`gpucc.ptx.isa_table` hold here too.
"""

TEXT = """
layout   := .row/.col
f8       := .e4m3/.e5m2
f8f6f4   := .e4m3/.e5m2/.e3m2/.e2m3/.e2m1
i8       := .s8/.u8
i4       := .s4/.u4
wmma16   := .m16n16k16/.m8n32k16[6.1]/.m32n8k16[6.1]
n16      := .m64n{8..256:8}k16
n8       := .m64n{8..256:8}k8
n32      := .m64n{8..256:8}k32
n64      := .m64n{8..256:8}k64
i32      := .m64n{8..24:8}k32/.m64n{32..256:16}k32
i64      := .m64n{8..24:8}k64/.m64n{32..256:16}k64
i256     := .m64n{8..24:8}k256/.m64n{32..256:16}k256
num32    := .x1/.x2/.x4/.x8/.x16/.x32
num64    := <num32>/.x64
num      := <num64>/.x128
num2     := .x2/.x4/.x8/.x16/.x32/.x64/.x128
collector := .collector::a::fill/.collector::a::use/.collector::a::lastuse/.collector::a::discard
collectorb := .collector::b::fill[rubin]/.collector::b::use[rubin]/.collector::b::lastuse[rubin]/.collector::b::discard[rubin]
collectorw := .collector::b{0..3:1}::fill/.collector::b{0..3:1}::use/.collector::b{0..3:1}::lastuse/.collector::b{0..3:1}::discard
cg       := .cta_group::1/.cta_group::2
spfactor := .sp::1:2/.sp::1:4/.sp::1:8/.sp::1:16/.sp::2:4/.sp::2:8/.sp::2:16/.sp::4:8/.sp::4:16

%i8kind  := 8.6 sm_100a sm_110a
%ws      := 8.7 sm_120a | 8.8 sm_120f
%reduce  := 8.8 sm_103f sm_110f sm_110a
%archonly := 8.6 sm_100a sm_110a | 8.8 sm_103a | 9.4 sm_107a
%rubin   := 9.4 sm_107f
%rubin_a := 9.4 sm_107a

# --- warp-level: wmma ------------------------------------------------------------------------

wmma.load.a .sync .aligned? <layout> SHAPE=<wmma16> S=.global/<cta>? .f16 : =b32*8, [r], u32? @ 6.0 sm_70 ; convergent rule=aligned
wmma.load.a .sync .aligned <layout> SHAPE=<wmma16> S=.global/<cta>? A=<i8> : =b32*@mma_a, [r], u32? @ 6.3 sm_72 ; convergent
wmma.load.a .sync .aligned <layout> SHAPE=<wmma16> S=.global/<cta>? A=.bf16 : =b32*@mma_a, [r], u32? @ 7.0 sm_80 ; convergent
wmma.load.a .sync .aligned <layout> SHAPE=.m16n16k8 S=.global/<cta>? A=.tf32 : =b32*@mma_a, [r], u32? @ 7.0 sm_80 ; convergent
wmma.load.a .sync .aligned <layout> SHAPE=.m8n8k4 S=.global/<cta>? A=.f64 : =f64*@mma_a, [r], u32? @ 7.0 sm_80 ; convergent
wmma.load.a .sync .aligned .row SHAPE=.m8n8k32 S=.global/<cta>? A=<i4> : =b32*@mma_a, [r], u32? @ 6.3 sm_75 ; convergent
wmma.load.a .sync .aligned .row SHAPE=.m8n8k128 S=.global/<cta>? A=.b1 : =b32*@mma_a, [r], u32? @ 6.3 sm_75 ; convergent
wmma.load.b .sync .aligned? <layout> SHAPE=<wmma16> S=.global/<cta>? .f16 : =b32*8, [r], u32? @ 6.0 sm_70 ; convergent rule=aligned
wmma.load.b .sync .aligned <layout> SHAPE=<wmma16> S=.global/<cta>? B=<i8> : =b32*@mma_b, [r], u32? @ 6.3 sm_72 ; convergent
wmma.load.b .sync .aligned <layout> SHAPE=<wmma16> S=.global/<cta>? B=.bf16 : =b32*@mma_b, [r], u32? @ 7.0 sm_80 ; convergent
wmma.load.b .sync .aligned <layout> SHAPE=.m16n16k8 S=.global/<cta>? B=.tf32 : =b32*@mma_b, [r], u32? @ 7.0 sm_80 ; convergent
wmma.load.b .sync .aligned <layout> SHAPE=.m8n8k4 S=.global/<cta>? B=.f64 : =f64*@mma_b, [r], u32? @ 7.0 sm_80 ; convergent
wmma.load.b .sync .aligned .col SHAPE=.m8n8k32 S=.global/<cta>? B=<i4> : =b32*@mma_b, [r], u32? @ 6.3 sm_75 ; convergent
wmma.load.b .sync .aligned .col SHAPE=.m8n8k128 S=.global/<cta>? B=.b1 : =b32*@mma_b, [r], u32? @ 6.3 sm_75 ; convergent
wmma.load.c .sync .aligned? <layout> SHAPE=<wmma16> S=.global/<cta>? C=.f16 : =b32*@mma_c, [r], u32? @ 6.0 sm_70 ; convergent rule=aligned
wmma.load.c .sync .aligned? <layout> SHAPE=<wmma16>/.m16n16k8[7.0,sm_80] S=.global/<cta>? C=.f32 : =f32*@mma_c, [r], u32? @ 6.0 sm_70 ; convergent rule=aligned
wmma.load.c .sync .aligned <layout> SHAPE=<wmma16>/.m8n8k32[6.3,sm_75]/.m8n8k128[6.3,sm_75] S=.global/<cta>? C=.s32 : =s32*@mma_c, [r], u32? @ 6.3 sm_72 ; convergent
wmma.load.c .sync .aligned <layout> SHAPE=.m8n8k4 S=.global/<cta>? C=.f64 : =f64*@mma_c, [r], u32? @ 7.0 sm_80 ; convergent
wmma.store.d .sync .aligned? <layout> SHAPE=<wmma16> S=.global/<cta>? D=.f16 : [w], b32*@mma_d, u32? @ 6.0 sm_70 ; convergent rule=aligned
wmma.store.d .sync .aligned? <layout> SHAPE=<wmma16>/.m16n16k8[7.0,sm_80] S=.global/<cta>? D=.f32 : [w], f32*@mma_d, u32? @ 6.0 sm_70 ; convergent rule=aligned
wmma.store.d .sync .aligned <layout> SHAPE=<wmma16>/.m8n8k32[6.3,sm_75]/.m8n8k128[6.3,sm_75] S=.global/<cta>? D=.s32 : [w], s32*@mma_d, u32? @ 6.3 sm_72 ; convergent
wmma.store.d .sync .aligned <layout> SHAPE=.m8n8k4 S=.global/<cta>? D=.f64 : [w], f64*@mma_d, u32? @ 7.0 sm_80 ; convergent
wmma.mma .sync .aligned? <layout> <layout> SHAPE=<wmma16> D=.f16 C=.f16 .satfinite? : =b32*4, b32*8, b32*8, b32*4 @ 6.0 sm_70 ; convergent rule=aligned rule=satfinite
wmma.mma .sync .aligned? <layout> <layout> SHAPE=<wmma16> D=.f16 C=.f32 .satfinite? : =b32*4, b32*8, b32*8, f32*8 @ 6.0 sm_70 ; convergent rule=aligned rule=satfinite
wmma.mma .sync .aligned? <layout> <layout> SHAPE=<wmma16> D=.f32 C=.f16 .satfinite? : =f32*8, b32*8, b32*8, b32*4 @ 6.0 sm_70 ; convergent rule=aligned rule=satfinite
wmma.mma .sync .aligned? <layout> <layout> SHAPE=<wmma16> D=.f32 C=.f32 .satfinite? : =f32*8, b32*8, b32*8, f32*8 @ 6.0 sm_70 ; convergent rule=aligned rule=satfinite
wmma.mma .sync .aligned <layout> <layout> SHAPE=<wmma16> .s32 {A=.s8 B=.s8|A=.u8 B=.u8} .s32 .satfinite? : =s32*8, b32*@mma_a, b32*@mma_b, s32*8 @ 6.3 sm_72 ; convergent
wmma.mma .sync .aligned <layout> <layout> SHAPE=<wmma16> .f32 A=.bf16 B=.bf16 .f32 : =f32*8, b32*@mma_a, b32*@mma_b, f32*8 @ 7.0 sm_80 ; convergent
wmma.mma .sync .aligned <layout> <layout> SHAPE=.m16n16k8 .f32 A=.tf32 B=.tf32 .f32 : =f32*8, b32*4, b32*4, f32*8 @ 7.0 sm_80 ; convergent
wmma.mma .sync .aligned <layout> <layout> SHAPE=.m8n8k4 <rnd>? .f64 .f64 .f64 .f64 : =f64*2, f64*1, f64*1, f64*2 @ 7.0 sm_80 ; convergent
wmma.mma .sync .aligned .row .col SHAPE=.m8n8k32 .s32 {A=.s4 B=.s4|A=.u4 B=.u4} .s32 .satfinite? : =s32*2, b32*1, b32*1, s32*2 @ 6.3 sm_75 ; convergent
wmma.mma .xor/.and[7.1,sm_80] .popc .sync .aligned .row .col SHAPE=.m8n8k128 .s32 A=.b1 B=.b1 .s32 : =s32*2, b32*1, b32*1, s32*2 @ 6.3 sm_75 ; convergent

# --- warp-level: mma -------------------------------------------------------------------------

mma .sync .aligned .m8n8k4 <layout> <layout> .f16 .f16 .f16 .f16 : =f16x2*4, f16x2*2, f16x2*2, f16x2*4 @ 6.4 sm_70 ; convergent
mma .sync .aligned .m8n8k4 <layout> <layout> .f32 .f16 .f16 .f16 : =f32*8, f16x2*2, f16x2*2, f16x2*4 @ 6.4 sm_70 ; convergent
mma .sync .aligned .m8n8k4 <layout> <layout> .f32 .f16 .f16 .f32 : =f32*8, f16x2*2, f16x2*2, f32*8 @ 6.4 sm_70 ; convergent
mma .sync .aligned SHAPE=.m16n8k8/.m16n8k16[7.0,sm_80] .row .col .f16 A=.f16 B=.f16 .f16 : =f16x2*2, f16x2*@mma_a, f16x2*@mma_b, f16x2*2 @ 6.5 sm_75 ; convergent
mma .sync .aligned SHAPE=.m16n8k8/.m16n8k16[7.0,sm_80] .row .col .f32 A=.f16 B=.f16 .f32 : =f32*4, f16x2*@mma_a, f16x2*@mma_b, f32*4 @ 6.5 sm_75 ; convergent
mma .sync .aligned SHAPE=.m16n8k8/.m16n8k16 .row .col .f32 A=.bf16 B=.bf16 .f32 : =f32*4, b32*@mma_a, b32*@mma_b, f32*4 @ 7.0 sm_80 ; convergent
mma .sync .aligned SHAPE=.m16n8k4/.m16n8k8 .row .col .f32 A=.tf32 B=.tf32 .f32 : =f32*4, b32*@mma_a, b32*@mma_b, f32*4 @ 7.0 sm_80 ; convergent
mma .sync .aligned SHAPE=.m16n8k32/.m16n8k16[8.7,sm_89] .row .col .f32 A=<f8> B=<f8> .f32 : =f32*4, b32*@mma_a, b32*@mma_b, f32*4 @ 8.4 sm_89 ; convergent
mma .sync .aligned SHAPE=.m16n8k32/.m16n8k16 .row .col .f16 A=<f8> B=<f8> .f16 : =f16x2*2, b32*@mma_a, b32*@mma_b, f16x2*2 @ 8.7 sm_89 ; convergent
mma .sync .aligned .m16n8k32 .row .col .kind::f8f6f4 .f32 <f8> <f8> .f32 : =f32*4, b32*4, b32*2, f32*4 @ consumer ; convergent
mma .sync .aligned .m16n8k32 .row .col .kind::f8f6f4 .f32 <f8f6f4> <f8f6f4> .f32 : =f32*4, b32*4, b32*2, f32*4 @ ws ; convergent
mma .sync .aligned .m16n8k32 .row .col .kind::f8f6f4 .f16 <f8> <f8> .f16 : =f16x2*2, b32*4, b32*2, f16x2*2 @ consumer ; convergent
mma .sync .aligned .m16n8k32 .row .col .kind::f8f6f4 .f16 <f8f6f4> <f8f6f4> .f16 : =f16x2*2, b32*4, b32*2, f16x2*2 @ ws ; convergent
mma .sync .aligned .m16n8k64 .row .col .kind::mxf4 .block_scale .scale_vec::2X? .f32 .e2m1 .e2m1 .f32 .ue8m0 : =f32*4, b32*4, b32*2, f32*4, b32, u16*2, b32, u16*2 @ ws ; convergent
mma .sync .aligned .m16n8k64 .row .col .kind::mxf4nvf4 .block_scale {.scale_vec::2X .f32 .e2m1 .e2m1 .f32 .ue8m0|.scale_vec::4X .f32 .e2m1 .e2m1 .f32 .ue8m0[9.1]/.ue4m3} : =f32*4, b32*4, b32*2, f32*4, b32, u16*2, b32, u16*2 @ ws ; convergent
mma .sync .aligned .m16n8k32 .row .col .kind::mxf8f6f4 .block_scale .scale_vec::1X? .f32 <f8f6f4> <f8f6f4> .f32 .ue8m0 : =f32*4, b32*4, b32*2, f32*4, b32, u16*2, b32, u16*2 @ ws ; convergent
mma .sync .aligned SHAPE=.m8n8k4/.m16n8k4[7.8,sm_90]/.m16n8k8[7.8,sm_90]/.m16n8k16[7.8,sm_90] .row .col <rnd>? C=.f64 A=.f64 B=.f64 .f64 : =f64*@mma_c, f64*@mma_a, f64*@mma_b, f64*@mma_c @ 7.0 sm_80 ; convergent
mma .sync .aligned SHAPE=.m8n8k16/.m16n8k16[7.0,sm_80]/.m16n8k32[7.0,sm_80] .row .col .satfinite? C=.s32 A=<i8> B=<i8> .s32 : =s32*@mma_c, b32*@mma_a, b32*@mma_b, s32*@mma_c @ 6.5 sm_75 ; convergent
mma .sync .aligned SHAPE=.m8n8k32/.m16n8k32[7.0,sm_80]/.m16n8k64[7.0,sm_80] .row .col .satfinite? C=.s32 A=<i4> B=<i4> .s32 : =s32*@mma_c, b32*@mma_a, b32*@mma_b, s32*@mma_c @ 6.5 sm_75 ; convergent
mma .sync .aligned SHAPE=.m8n8k128/.m16n8k128[7.0,sm_80]/.m16n8k256[7.0,sm_80] .row .col C=.s32 A=.b1 B=.b1 .s32 .xor/.and[7.1,sm_80] .popc : =s32*@mma_c, b32*@mma_a, b32*@mma_b, s32*@mma_c @ 7.0 sm_75 ; convergent

mma <sp> .sync .aligned SHAPE=.m16n8k16 .row .col .f16 A=.f16 B=.f16 .f16 : =f16x2*2, f16x2*@mma_sp, f16x2*@mma_b, f16x2*2, b32, #0..3 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k32 .row .col .f16 A=.f16 B=.f16 .f16 : =f16x2*2, f16x2*@mma_sp, f16x2*@mma_b, f16x2*2, b32, #0/1 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k16 .row .col .f32 A=.f16 B=.f16 .f32 : =f32*4, f16x2*@mma_sp, f16x2*@mma_b, f32*4, b32, #0..3 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k32 .row .col .f32 A=.f16 B=.f16 .f32 : =f32*4, f16x2*@mma_sp, f16x2*@mma_b, f32*4, b32, #0/1 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k16 .row .col .f32 A=.bf16 B=.bf16 .f32 : =f32*4, b32*@mma_sp, b32*@mma_b, f32*4, b32, #0..3 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k32 .row .col .f32 A=.bf16 B=.bf16 .f32 : =f32*4, b32*@mma_sp, b32*@mma_b, f32*4, b32, #0/1 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k8 .row .col .f32 A=.tf32 B=.tf32 .f32 : =f32*4, b32*@mma_sp, b32*@mma_b, f32*4, b32, #0..3 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k16 .row .col .f32 A=.tf32 B=.tf32 .f32 : =f32*4, b32*@mma_sp, b32*@mma_b, f32*4, b32, #0/1 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k64 .row .col .f32 A=<f8> B=<f8> .f32 : =f32*4, b32*@mma_sp, b32*@mma_b, f32*4, b32, #0 @ 8.4 sm_89 ; convergent
mma .sp::ordered_metadata .sync .aligned SHAPE=.m16n8k64 .row .col .f16 A=<f8> B=<f8> .f16 : =f16x2*2, b32*@mma_sp, b32*@mma_b, f16x2*2, b32, #0 @ 8.7 sm_120 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k32 .row .col .satfinite? .s32 A=<i8> B=<i8> .s32 : =s32*4, b32*@mma_sp, b32*@mma_b, s32*4, b32, #0/1 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k64 .row .col .satfinite? .s32 A=<i8> B=<i8> .s32 : =s32*4, b32*@mma_sp, b32*@mma_b, s32*4, b32, #0 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k64 .row .col .satfinite? .s32 A=<i4> B=<i4> .s32 : =s32*4, b32*@mma_sp, b32*@mma_b, s32*4, b32, #0/1 @ 7.1 sm_80 ; convergent
mma <sp> .sync .aligned SHAPE=.m16n8k128 .row .col .satfinite? .s32 A=<i4> B=<i4> .s32 : =s32*4, b32*@mma_sp, b32*@mma_b, s32*4, b32, #0 @ 7.1 sm_80 ; convergent
mma .sp::ordered_metadata .sync .aligned .m16n8k64 .row .col .kind::f8f6f4 .f32 <f8> <f8> .f32 : =f32*4, b32*4, b32*4, f32*4, b32, #0 @ consumer ; convergent
mma .sp::ordered_metadata .sync .aligned .m16n8k64 .row .col .kind::f8f6f4 .f32 <f8f6f4> <f8f6f4> .f32 : =f32*4, b32*4, b32*4, f32*4, b32, #0 @ ws ; convergent
mma .sp::ordered_metadata .sync .aligned .m16n8k64 .row .col .kind::f8f6f4 .f16 <f8f6f4> <f8f6f4> .f16 : =f16x2*2, b32*4, b32*4, f16x2*2, b32, #0 @ ws ; convergent
mma .sp::ordered_metadata .sync .aligned .m16n8k128 .row .col .kind::mxf4 .block_scale .scale_vec::2X? .f32 .e2m1 .e2m1 .f32 .ue8m0 : =f32*4, b32*4, b32*4, f32*4, b32, #0, b32, u16*2, b32, u16*2 @ 8.7 sm_120a sm_121a ; convergent
mma .sp::ordered_metadata .sync .aligned .m16n8k128 .row .col .kind::mxf4nvf4 .block_scale {.scale_vec::2X .f32 .e2m1 .e2m1 .f32 .ue8m0|.scale_vec::4X .f32 .e2m1 .e2m1 .f32 .ue8m0[9.1]/.ue4m3} : =f32*4, b32*4, b32*4, f32*4, b32, #0, b32, u16*2, b32, u16*2 @ 8.7 sm_120a sm_121a ; convergent
mma .sp::ordered_metadata .sync .aligned .m16n8k64 .row .col .kind::mxf8f6f4 .block_scale .scale_vec::1X? .f32 <f8f6f4> <f8f6f4> .f32 .ue8m0 : =f32*4, b32*4, b32*4, f32*4, b32, #0, b32, u16*2, b32, u16*2 @ ws ; convergent
sp := .sp/.sp::ordered_metadata[8.5,sm_80]

ldmatrix .sync .aligned .m8n8 NUM=.x1/.x2/.x4 .trans? S=<cta>? .b16 : =b32*@num, [r:shared] @ 6.5 sm_75 ; convergent
ldmatrix .sync .aligned .m16n16 NUM=.x1/.x2 .trans S=<cta>? .b8 : =b32*@2num, [r:shared] @ consumer ; convergent
ldmatrix .sync .aligned .m8n16 NUM=.x1/.x2/.x4 S=<cta>? .b8x16 .b6x16_p32/.b4x16_p64 : =b32*@num, [r:shared] @ consumer ; convergent
ldmatrix .sync .aligned .m16n16 NUM=.x1/.x2 .trans S=<cta>? .b8x16 .b6x16_p32/.b4x16_p64 : =b32*@2num, [r:shared] @ consumer ; convergent
ldmatrix .sync .aligned .m8n16 NUM=.x1/.x2/.x4 S=<cta>? .s8 .s4 : =b32*@num, [r:shared] @ 9.4 sm_90a sm_100f sm_110f sm_120f ; convergent
stmatrix .sync .aligned .m8n8 NUM=.x1/.x2/.x4 .trans? S=<cta>? .b16 : [w:shared], b32*@num @ 7.8 sm_90 ; convergent
stmatrix .sync .aligned .m16n8 NUM=.x1/.x2/.x4 .trans S=<cta>? .b8 : [w:shared], b32*@num @ consumer ; convergent
movmatrix .sync .aligned .m8n8 .trans .b16 : =b32, b32 @ 7.8 sm_75 ; convergent

# --- warpgroup-level: wgmma ------------------------------------------------------------------

wgmma.mma_async .sync .aligned? SHAPE=<n16> D=.f16 .f16 .f16 : +f16x2*@wgmma_d, u64, u64, pred, #-1/1, #-1/1, #0/1, #0/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n16> D=.f16 .f16 .f16 : +f16x2*@wgmma_d, f16x2*4, u64, pred, #-1/1, #-1/1, #0/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n16> D=.f32 .f16 .f16 : +f32*@wgmma_d, u64, u64, pred, #-1/1, #-1/1, #0/1, #0/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n16> D=.f32 .f16 .f16 : +f32*@wgmma_d, f16x2*4, u64, pred, #-1/1, #-1/1, #0/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n16> D=.f32 .bf16 .bf16 : +f32*@wgmma_d, u64, u64, pred, #-1/1, #-1/1, #0/1, #0/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n16> D=.f32 .bf16 .bf16 : +f32*@wgmma_d, b32*4, u64, pred, #-1/1, #-1/1, #0/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n8> D=.f32 .tf32 .tf32 : +f32*@wgmma_d, u64, u64, pred, #-1/1, #-1/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n8> D=.f32 .tf32 .tf32 : +f32*@wgmma_d, b32*4, u64, pred, #-1/1, #-1/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n32> D=.f16 <f8> <f8> : +f16x2*@wgmma_d, u64, u64, pred, #-1/1, #-1/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n32> D=.f16 <f8> <f8> : +f16x2*@wgmma_d, b32*4, u64, pred, #-1/1, #-1/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n32> D=.f32 <f8> <f8> : +f32*@wgmma_d, u64, u64, pred, #-1/1, #-1/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<n32> D=.f32 <f8> <f8> : +f32*@wgmma_d, b32*4, u64, pred, #-1/1, #-1/1 @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<i32> .satfinite? D=.s32 <i8> <i8> : +s32*@wgmma_d, u64, u64, pred @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<i32> .satfinite? D=.s32 <i8> <i8> : +s32*@wgmma_d, b32*4, u64, pred @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<i256> D=.s32 .b1 .b1 .and .popc : +s32*@wgmma_d, u64, u64, pred @ 8.0 sm_90a ; convergent async
wgmma.mma_async .sync .aligned? SHAPE=<i256> D=.s32 .b1 .b1 .and .popc : +s32*@wgmma_d, b32*4, u64, pred @ 8.0 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n32> D=.f16 .f16 .f16 : +f16x2*@wgmma_d, u64, u64, b32, #0/1, pred, #-1/1, #-1/1, #0/1, #0/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n32> D=.f16 .f16 .f16 : +f16x2*@wgmma_d, f16x2*4, u64, b32, #0/1, pred, #-1/1, #-1/1, #0/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n32> D=.f32 .f16 .f16 : +f32*@wgmma_d, u64, u64, b32, #0/1, pred, #-1/1, #-1/1, #0/1, #0/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n32> D=.f32 .f16 .f16 : +f32*@wgmma_d, f16x2*4, u64, b32, #0/1, pred, #-1/1, #-1/1, #0/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n32> D=.f32 .bf16 .bf16 : +f32*@wgmma_d, u64, u64, b32, #0/1, pred, #-1/1, #-1/1, #0/1, #0/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n32> D=.f32 .bf16 .bf16 : +f32*@wgmma_d, b32*4, u64, b32, #0/1, pred, #-1/1, #-1/1, #0/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n16> D=.f32 .tf32 .tf32 : +f32*@wgmma_d, u64, u64, b32, #0/1, pred, #-1/1, #-1/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n16> D=.f32 .tf32 .tf32 : +f32*@wgmma_d, b32*4, u64, b32, #0/1, pred, #-1/1, #-1/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n64> D=.f16 <f8> <f8> : +f16x2*@wgmma_d, u64, u64, b32, #0, pred, #-1/1, #-1/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n64> D=.f16 <f8> <f8> : +f16x2*@wgmma_d, b32*4, u64, b32, #0, pred, #-1/1, #-1/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n64> D=.f32 <f8> <f8> : +f32*@wgmma_d, u64, u64, b32, #0, pred, #-1/1, #-1/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<n64> D=.f32 <f8> <f8> : +f32*@wgmma_d, b32*4, u64, b32, #0, pred, #-1/1, #-1/1 @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<i64> .satfinite? D=.s32 <i8> <i8> : +s32*@wgmma_d, u64, u64, b32, #0, pred @ 8.2 sm_90a ; convergent async
wgmma.mma_async.sp .sync .aligned? SHAPE=<i64> .satfinite? D=.s32 <i8> <i8> : +s32*@wgmma_d, b32*4, u64, b32, #0, pred @ 8.2 sm_90a ; convergent async
wgmma.fence .sync .aligned?        : -   @ 8.0 sm_90a ; sync convergent
wgmma.commit_group .sync .aligned? : -   @ 8.0 sm_90a ; sync convergent
wgmma.wait_group .sync .aligned?   : #   @ 8.0 sm_90a ; sync convergent

# --- tensor cores, fifth generation: tcgen05 -------------------------------------------------

tcgen05.alloc .exclusive[9.4]? <cg> .sync .aligned S=.shared::cta? .b32 : [w:shared], u32 @ blackwell ; convergent effect
tcgen05.dealloc .exclusive[9.4]? <cg> .sync .aligned .b32 : b32, u32 @ blackwell ; convergent effect
tcgen05.relinquish_alloc_permit <cg> .sync .aligned : - @ blackwell ; convergent effect
tcgen05.ld .sync .aligned {SHAPE=.16x64b/.32x32b NUM=<num>|SHAPE=.16x128b NUM=<num64>|SHAPE=.16x256b NUM=<num32>} .pack::16b? .b32 : =b32*@tcgen05, [r:tmem] @ blackwell ; convergent async
tcgen05.ld .sync .aligned SHAPE=.16x32bx2 NUM=<num> .pack::16b? .b32 : =b32*@tcgen05, [r:tmem], # @ blackwell ; convergent async
tcgen05.ld.red .sync .aligned SHAPE=.32x32b NUM=<num2> .min/.max .abs? .NaN? .f32 : =f32*@tcgen05, =f32, [r:tmem] @ reduce ; convergent async
tcgen05.ld.red .sync .aligned SHAPE=.16x32bx2 NUM=<num2> .min/.max .abs? .NaN? .f32 : =f32*@tcgen05, =f32, [r:tmem], # @ reduce ; convergent async
tcgen05.ld.red .sync .aligned SHAPE=.32x32b NUM=<num2> .min/.max T=.u32/.s32 : =T*@tcgen05, =T, [r:tmem] @ reduce ; convergent async
tcgen05.ld.red .sync .aligned SHAPE=.16x32bx2 NUM=<num2> .min/.max T=.u32/.s32 : =T*@tcgen05, =T, [r:tmem], # @ reduce ; convergent async
tcgen05.ld.spcompress .* : ... @ rubin_a ; convergent async unknown
tcgen05.ld.red.spcompress .* : ... @ rubin_a ; convergent async unknown
tcgen05.st .sync .aligned {SHAPE=.16x64b/.32x32b NUM=<num>|SHAPE=.16x128b NUM=<num64>|SHAPE=.16x256b NUM=<num32>} .unpack::16b? .b32 : [w:tmem], b32*@tcgen05 @ blackwell ; convergent async
tcgen05.st .sync .aligned SHAPE=.16x32bx2 NUM=<num> .unpack::16b? .b32 : [w:tmem], #, b32*@tcgen05 @ blackwell ; convergent async
tcgen05.wait::ld .sync .aligned : - @ blackwell ; sync convergent
tcgen05.wait::st .sync .aligned : - @ blackwell ; sync convergent
tcgen05.cp <cg> .128x256b/.4x256b/.128x128b {|.b8x16 .b6x16_p32/.b4x16_p64} : [w:tmem], u64 @ blackwell ; async
tcgen05.cp <cg> .64x128b .warpx2::02_13/.warpx2::01_23 {|.b8x16 .b6x16_p32/.b4x16_p64} : [w:tmem], u64 @ blackwell ; async
tcgen05.cp <cg> .32x128b .warpx4 {|.b8x16 .b6x16_p32/.b4x16_p64} : [w:tmem], u64 @ blackwell ; async
tcgen05.shift <cg> .down : [rw:tmem] @ archonly ; async
tcgen05.mma CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] <collector>? <collectorb>? .decompress::lut::b[rubin]? : [rw:tmem], u64, u64, b32, b32*@lanes?, pred @ blackwell ; async
tcgen05.mma CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4 <collector>? <collectorb>? .decompress::lut::b[rubin]? : [rw:tmem], u64, u64, b32, b32*@lanes?, pred, # @ 8.6 sm_100a | 8.8 sm_100f ; async
tcgen05.mma CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] {<collector>?|.ashift .collector::a::lastuse/.collector::a::discard?} <collectorb>? .decompress::lut::b[rubin]? : [rw:tmem], [r:tmem], u64, b32, b32*@lanes?, pred @ blackwell ; async
tcgen05.mma CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4 {<collector>?|.ashift .collector::a::lastuse/.collector::a::discard?} <collectorb>? .decompress::lut::b[rubin]? : [rw:tmem], [r:tmem], u64, b32, b32*@lanes?, pred, # @ 8.6 sm_100a | 8.8 sm_100f ; async
tcgen05.mma <cg> .block_scale {.kind::mxf8f6f4 .scale_vec::1X[archonly]/.block32[8.8]?|.kind::mxf4 .scale_vec::2X[archonly]/.block32[8.8]?|.kind::mxf4nvf4[8.7] .scale_vec::2X[archonly]/.scale_vec::4X[archonly]/.block16[8.8]/.block32[8.8]} <collector>? <collectorb>? : [rw:tmem], u64, u64, b32, [r:tmem], [r:tmem], pred @ blackwell ; async
tcgen05.mma <cg> .block_scale {.kind::mxf8f6f4 .scale_vec::1X[archonly]/.block32[8.8]?|.kind::mxf4 .scale_vec::2X[archonly]/.block32[8.8]?|.kind::mxf4nvf4[8.7] .scale_vec::2X[archonly]/.scale_vec::4X[archonly]/.block16[8.8]/.block32[8.8]} <collector>? <collectorb>? : [rw:tmem], [r:tmem], u64, b32, [r:tmem], [r:tmem], pred @ blackwell ; async
tcgen05.mma.sp CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] <collector>? <collectorb>? : [rw:tmem], u64, u64, [r:tmem], b32, b32*@lanes?, pred @ blackwell ; async
tcgen05.mma.sp CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4 <collector>? <collectorb>? : [rw:tmem], u64, u64, [r:tmem], b32, b32*@lanes?, pred, # @ 8.6 sm_100a | 8.8 sm_100f ; async
tcgen05.mma.sp CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] {<collector>?|.ashift .collector::a::lastuse/.collector::a::discard?} <collectorb>? : [rw:tmem], [r:tmem], u64, [r:tmem], b32, b32*@lanes?, pred @ blackwell ; async
tcgen05.mma.sp CG=<cg> .kind::f16/.kind::tf32/.kind::f8f6f4 {<collector>?|.ashift .collector::a::lastuse/.collector::a::discard?} <collectorb>? : [rw:tmem], [r:tmem], u64, [r:tmem], b32, b32*@lanes?, pred, # @ 8.6 sm_100a | 8.8 sm_100f ; async
tcgen05.mma.sp <cg> .block_scale {.kind::mxf8f6f4 .scale_vec::1X[archonly]/.block32[8.8]?|.kind::mxf4[archonly] .scale_vec::2X[archonly]/.block32[8.8]?|.kind::mxf4nvf4[archonly] .scale_vec::2X[archonly]/.scale_vec::4X[archonly]/.block16[8.8]/.block32[8.8]} <collector>? <collectorb>? : [rw:tmem], u64, u64, [r:tmem], b32, [r:tmem], [r:tmem], pred @ blackwell ; async
tcgen05.mma.sp <cg> .block_scale {.kind::mxf8f6f4 .scale_vec::1X[archonly]/.block32[8.8]?|.kind::mxf4[archonly] .scale_vec::2X[archonly]/.block32[8.8]?|.kind::mxf4nvf4[archonly] .scale_vec::2X[archonly]/.scale_vec::4X[archonly]/.block16[8.8]/.block32[8.8]} <collector>? <collectorb>? : [rw:tmem], [r:tmem], u64, [r:tmem], b32, [r:tmem], [r:tmem], pred @ blackwell ; async
tcgen05.mma.ws .cta_group::1 .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] <collectorw>? : [rw:tmem], u64, u64, b32, pred, u64? @ blackwell ; async
tcgen05.mma.ws .cta_group::1 .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] <collectorw>? : [rw:tmem], [r:tmem], u64, b32, pred, u64? @ blackwell ; async
tcgen05.mma.ws.sp .cta_group::1 .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] <collectorw>? : [rw:tmem], u64, u64, [r:tmem], b32, pred, u64? @ blackwell ; async
tcgen05.mma.ws.sp .cta_group::1 .kind::f16/.kind::tf32/.kind::f8f6f4/.kind::i8[i8kind]/.kind::ti16[rubin] <collectorw>? : [rw:tmem], [r:tmem], u64, [r:tmem], b32, pred, u64? @ blackwell ; async
tcgen05.fence::before_thread_sync : - @ blackwell ; sync
tcgen05.fence::after_thread_sync  : - @ blackwell ; sync
tcgen05.commit <cg> .mbarrier::arrive::one S=.shared::cluster? .multicast::cluster/.multicast::cluster::16b[9.4,sm_100f]/.multicast::cluster::32b[rubin]? .sync_restrict::shared::read::mma::a[rubin]? .b64 : [atom:shared], b16?.multicast::cluster, b16?.multicast::cluster::16b, b32?.multicast::cluster::32b @ blackwell ; async sync
spcompress E=.b8/.b16 I=.b2/.b4 .sp::2:4 NUM=.x1/.x2/.x4/.x8/.x16/.x32/.x64 : =b32*@meta, =b32*@num, b32*@2num, b32 @ rubin_a
spdecompress E=.b8/.b16 I=.b2/.b4 SP=<spfactor> NUM=.x1/.x2/.x4/.x8/.x16/.x32/.x64 : =b32*@sp_data, b32*@sp_meta, b32*@sp_packed @ rubin_a
"""
