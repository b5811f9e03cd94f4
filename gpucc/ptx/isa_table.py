"""The instruction table, first part: everything but matrices.

The language is described in :mod:`gpucc.ptx.isa_forms`.  This file is long because the instruction
set is: it is one table, read from top to bottom like PTX ISA 9.4, section 9.7, whose order it has.
Facts are from there and, where the two differ, from ptxas 13.5, whose word counts: the needs of
features that ptxas does not enforce are left out.
"""

TEXT = """
int      := .u16/.u32/.u64/.s16/.s32/.s64
int32    := .u32/.s32
wide     := .u32/.s32/.u64[4.3,sm_20]/.s64[4.3,sm_20]
bits     := .b16/.b32/.b64
plain    := .b16/.b32/.b64/.u16/.u32/.u64/.s16/.s32/.s64/.f32/.f64
rnd      := .rn/.rz/.rm/.rp
half     := .f16/.f16x2
bhalf    := .bf16/.bf16x2
scope    := .cta/.cluster[7.8,sm_90]/.gpu/.sys
scmp     := .eq/.ne/.lt/.le/.gt/.ge
cmp      := <scmp>/.lo/.ls/.hi/.hs
fcmp     := .eq/.ne/.lt/.le/.gt/.ge/.equ/.neu/.ltu/.leu/.gtu/.geu/.num/.nan
bool     := .and/.or/.xor
cta      := .shared/.shared::cta[7.8,sm_30]
cluster  := .shared/.shared::cta[7.8,sm_30]/.shared::cluster[7.8,sm_90]
complete := .mbarrier::complete_tx::bytes
evict1   := .L1::evict_normal/.L1::evict_unchanged/.L1::evict_first/.L1::evict_last/.L1::no_allocate
evict2   := .L2::evict_normal/.L2::evict_first/.L2::evict_last
prefetch := .L2::64B/.L2::128B/.L2::256B
memtype  := .b8/.b16/.b32/.b64/.b128/.u8/.u16/.u32/.u64/.s8/.s16/.s32/.s64/.f32/.f64
dim      := .1d/.2d/.3d/.4d/.5d
cvtint   := .u8/.s8/<int>
irnd     := .rni/.rzi/.rmi/.rpi
f8x2     := .e4m3x2/.e5m2x2
f6x2     := .e2m3x2/.e3m2x2
cvtaspace := .const[3.1,sm_20]/.global/.local/<cluster>/.param[7.7,sm_70]/.param::entry[8.3,sm_70]
loadspace := .const/.global/.local/<cluster>/.param/.param::entry[8.3]/.param::func[8.3]
storespace := .global/.local/<cluster>/.param/.param::func[8.3]
atomspace := .global/<cluster>
cop      := .ca[2.0,sm_20]/.cg[2.0,sm_20]/.cs[2.0,sm_20]/.lu[2.0,sm_20]/.cv[2.0,sm_20]
wop      := .wb[2.0,sm_20]/.cg[2.0,sm_20]/.cs[2.0,sm_20]/.wt[2.0,sm_20]
vec      := .v2/.v4/.v8
mm2      := <half>/<bhalf>/.e5m2x2[fp8]/.e5m2x4[fp8]/.e4m3x2[fp8]/.e4m3x4[fp8]
mm4      := <half>/<bhalf>/.e5m2[fp8]/.e5m2x2[fp8]/.e5m2x4[fp8]/.e4m3[fp8]/.e4m3x2[fp8]/.e4m3x4[fp8]
mm8      := .f16/.bf16/.e5m2[fp8]/.e5m2x2[fp8]/.e4m3[fp8]/.e4m3x2[fp8]
redop    := .and/.or/.xor/.add/.inc/.dec/.min/.max
storable := .b8/.b16/.b32/.b64/.u8/.u16/.u32/.u64/.s8/.s16/.s32/.s64/.f32/.f64
primary  := .L2::evict_last/.L2::evict_normal/.L2::evict_first/.L2::evict_unchanged
secondary := .L2::evict_first/.L2::evict_unchanged
atomsem  := .relaxed[6.0,sm_70]/.acquire[6.0,sm_70]/.release[6.0,sm_70]/.acq_rel[6.0,sm_70]
redsem   := .relaxed[6.0,sm_70]/.release[6.0,sm_70]
arrivesem := .release[8.0,sm_80]/.relaxed[8.6,sm_90]
waitsem  := .acquire[8.0,sm_80]/.relaxed[8.6,sm_90]
barlayout := .layout::v0[9.3,sm_90]/.layout::v1[9.3,sm_90]
multicast := .multicast::cluster/.multicast::cluster::16b[9.4,sm_90]/.multicast::cluster::32b[rubin]
ctagroup := .cta_group::1[blackwell]/.cta_group::2[blackwell]
dim3     := .3d/.4d/.5d
report   := .mbarrier::report::disabled[rubin]/.mbarrier::report::validity::per_16bytes::80000000[rubin]/.mbarrier::report::validity::per_16bytes::8000[rubin]/.mbarrier::report::validity::per_16bytes::80[rubin]/.mbarrier::report::validity::per_16bytes::8[rubin]/.mbarrier::report::validity::per_element::ff[rubin]
override := .override::global_address[rubin]

$noflush := .eq/.ne A=<bits>|<scmp> A=.s16/.s32/.s64|<cmp> A=.u16/.u32/.u64|<fcmp> A=.f32/.f64
$compare := $noflush|<fcmp> .ftz A=.f32
$bytes   := u32:0..1048560:16
$policy  := u64?.L2::cache_hint
$mask    := b16?.multicast::cluster, b16?.multicast::cluster::16b, b32?.multicast::cluster::32b
$weak    := |.weak[9.3]|.b128
$relaxed := O=.relaxed[9.3] <scope> .b128
$tiled   := DIM=<dim> .tile? <override>?|DIM=.1d .tile? <override> .override::global_dim|DIM=.2d/.3d/.4d/.5d .tile? <override> .override::global_dim_stride
$bulkred := {<bool> T=.b32/.b64|.add T=.u32/.s32/.u64/.f32/.f64|.inc/.dec T=.u32|.min/.max T=.u32/.s32/.u64/.s64/.f16/.bf16|.add .noftz T=.f16/.bf16/.f32[9.4]}
flat     := .1d/.2d/.3d/.a1d/.a2d
geometry := <flat>/.cube/.acube
multi    := .2dms/.a2dms
op2      := .add/.min/.max

%blackwell := 8.6 sm_100a sm_110a | 8.8 sm_100f sm_110f
%consumer  := 8.6 sm_100a sm_110a sm_120a | 8.8 sm_100f sm_110f sm_120f
%stochastic := 8.7 sm_100a | 8.8 sm_103a | 9.4 sm_107a
%narrow    := 9.1 sm_100f sm_110f sm_120f
%s2f6      := 9.1 sm_100a sm_103a sm_110a sm_120a sm_121a | 9.4 sm_107a
%fp8       := 8.6 sm_100a sm_110a sm_120a sm_121a | 8.8 sm_100f sm_110f
%maxnreg   := 8.0 sm_90a | 8.6 sm_100a sm_110a sm_120a | 8.8 sm_100f sm_110f sm_120f
%packed    := 9.2 sm_120f | 9.4 sm_107f
%rubin     := 9.4 sm_107f
%rubin_a   := 9.4 sm_107a
%tensormap := 8.3 sm_90a | 8.6 sm_100a sm_110a sm_120a | 8.8 sm_100f sm_110f sm_120f
%fabric    := 9.3 sm_100
%strong    := 9.3 sm_90a sm_100f sm_110f

# --- integers --------------------------------------------------------------------------------

add       T=<int>                        : =T, T, T
add       T=.u16x2/.s16x2                : =T, T, T                        @ 8.0 sm_90
add       T=.u8x4/.s8x4                  : =T, T, T                        @ packed
add       .sat .s32                      : =s32, s32, s32
add       .sat T=.u16x2/.s16x2/.u32      : =T, T, T                        @ packed
add       .cc T=<wide>                   : =T, T, T                        @ 1.2 ; carry
addc      .cc? T=<wide>                  : =T, T, T                        @ 1.2 ; carry
sub       T=<int>                        : =T, T, T
sub       T=.u8x4/.s8x4                  : =T, T, T                        @ packed
sub       .sat .s32                      : =s32, s32, s32
sub       .cc T=<wide>                   : =T, T, T                        @ 1.2 ; carry
subc      .cc? T=<wide>                  : =T, T, T                        @ 1.2 ; carry
mul.lo    T=<int>                        : =T, T, T
mul.hi    T=<int>                        : =T, T, T
mul.wide  T=.u16/.u32/.s16/.s32          : =2T, T, T
mad.lo    T=<int>                        : =T, T, T, T
mad.hi    T=<int>                        : =T, T, T, T
mad.hi    .sat .s32                      : =s32, s32, s32, s32
mad.wide  T=.u16/.u32/.s16/.s32          : =2T, T, T, 2T
mad.lo    .cc T=<wide>                   : =T, T, T, T                     @ 3.0 sm_20 ; carry
mad.hi    .cc T=<wide>                   : =T, T, T, T                     @ 3.0 sm_20 ; carry
madc.lo   .cc? T=<wide>                  : =T, T, T, T                     @ 3.0 sm_20 ; carry
madc.hi   .cc? T=<wide>                  : =T, T, T, T                     @ 3.0 sm_20 ; carry
clmad.lo  .u64                           : =u64, u64, u64, u64             @ 9.3 sm_80
clmad.hi  .u64                           : =u64, u64, u64, u64             @ 9.3 sm_80
mul24.lo  T=<int32>                      : =T, T, T
mul24.hi  T=<int32>                      : =T, T, T
mad24.lo  T=<int32>                      : =T, T, T, T
mad24.hi  T=<int32>                      : =T, T, T, T
mad24.hi  .sat .s32                      : =s32, s32, s32, s32
sad       T=<int>                        : =T, T, T, T
div       T=<int>                        : =T, T, T
rem       T=<int>                        : =T, T, T
abs       T=.s16/.s32/.s64               : =T, T
neg       T=.s16/.s32/.s64               : =T, T
neg       .s8x4                          : =s8x4, s8x4                     @ packed
min       T=<int>                        : =T, T, T
min       T=.u16x2/.s16x2                : =T, T, T                        @ 8.0 sm_90
min       T=.u8x4/.s8x4                  : =T, T, T                        @ packed
min       .relu T=.s16x2/.s32            : =T, T, T                        @ 8.0 sm_90
max       T=<int>                        : =T, T, T
max       T=.u16x2/.s16x2                : =T, T, T                        @ 8.0 sm_90
max       T=.u8x4/.s8x4                  : =T, T, T                        @ packed
max       .relu T=.s16x2/.s32            : =T, T, T                        @ 8.0 sm_90
popc      T=.b32/.b64                    : =u32, T                         @ 2.0 sm_20
clz       T=.b32/.b64                    : =u32, T                         @ 2.0 sm_20
bfind     .shiftamt? T=.u32/.u64/.s32/.s64 : =u32, T                       @ 2.0 sm_20
fns       .b32                           : =b32, b32, b32, s32             @ 6.0 sm_30
brev      T=.b32/.b64                    : =T, T                           @ 2.0 sm_20
bfe       T=.u32/.u64/.s32/.s64          : =T, T, u32:0..255, u32:0..255                 @ 2.0 sm_20
bfi       T=.b32/.b64                    : =T, T, T, u32:0..255, u32:0..255              @ 2.0 sm_20
szext     .clamp/.wrap T=<int32>         : =T, T, u32                      @ 7.6 sm_70
bmsk      .clamp/.wrap .b32              : =u32, u32, u32                  @ 7.6 sm_70
dp4a      A=<int32> B=<int32>            : =u32, u32, u32, u32             @ 5.0 sm_61
dp2a.lo   A=<int32> B=<int32>            : =u32, u32, u32, u32             @ 5.0 sm_61
dp2a.hi   A=<int32> B=<int32>            : =u32, u32, u32, u32             @ 5.0 sm_61

# --- floating point --------------------------------------------------------------------------

testp     .finite/.infinite/.number/.notanumber/.normal/.subnormal T=.f32/.f64 : =pred, T @ 2.0 sm_20
copysign  T=.f32/.f64                    : =T, T, T                        @ 2.0 sm_20
add       <rnd>? .ftz? .sat? .f32        : =f32, f32, f32
add       <rnd>? .ftz? .f32x2            : =f32x2, f32x2, f32x2            @ 8.6 sm_100
add       <rnd>? .f64                    : =f64, f64, f64
add       .rn? .ftz? .sat? T=<half>      : =T, T, T                        @ 4.2 sm_53
add       .rn? T=<bhalf>                 : =T, T, T                        @ 7.8 sm_90
add       <rnd>? .sat? .f32 A=.f16/.bf16 : =f32, A, f32                    @ 8.6 sm_100
add       <rnd>? .f32x2 A=.f16x2/.bf16x2 .f32x2 : =f32x2, A, f32x2         @ rubin
add       .rz .ftz .f16x2 .f32x2 .f32x2  : =f16x2, f32x2, f32x2            @ rubin
add       .rz .bf16x2 .f32x2 .f32x2      : =bf16x2, f32x2, f32x2           @ rubin
sub       <rnd>? .ftz? .sat? .f32        : =f32, f32, f32
sub       <rnd>? .ftz? .f32x2            : =f32x2, f32x2, f32x2            @ 8.6 sm_100
sub       <rnd>? .f64                    : =f64, f64, f64
sub       .rn? .ftz? .sat? T=<half>      : =T, T, T                        @ 4.2 sm_53
sub       .rn? T=<bhalf>                 : =T, T, T                        @ 7.8 sm_90
sub       <rnd>? .sat? .f32 A=.f16/.bf16 : =f32, A, f32                    @ 8.6 sm_100
sub       <rnd>? .f32x2 A=.f16x2/.bf16x2 .f32x2 : =f32x2, A, f32x2         @ rubin
sub       .rz .ftz .f16x2 .f32x2 .f32x2  : =f16x2, f32x2, f32x2            @ rubin
sub       .rz .bf16x2 .f32x2 .f32x2      : =bf16x2, f32x2, f32x2           @ rubin
mul       <rnd>? .ftz? .sat? .f32        : =f32, f32, f32
mul       <rnd>? .ftz? .f32x2            : =f32x2, f32x2, f32x2            @ 8.6 sm_100
mul       <rnd>? .f64                    : =f64, f64, f64
mul       .rn? .ftz? .sat? T=<half>      : =T, T, T                        @ 4.2 sm_53
mul       .rn? T=<bhalf>                 : =T, T, T                        @ 7.8 sm_90
fma       <rnd> .ftz? .sat? .f32         : =f32, f32, f32, f32             @ 2.0 sm_20
fma       <rnd> .ftz? .f32x2             : =f32x2, f32x2, f32x2, f32x2     @ 8.6 sm_100
fma       <rnd> .f64                     : =f64, f64, f64, f64             @ 1.4 sm_13
fma       .rn .ftz? .sat? T=<half>       : =T, T, T, T                     @ 4.2 sm_53
fma       .rn .ftz? .relu T=<half>       : =T, T, T, T                     @ 7.0 sm_80
fma       .rn .relu? T=<bhalf>           : =T, T, T, T                     @ 7.0 sm_80
fma       .rn .oob .relu? T=<half>/<bhalf> : =T, T, T, T                   @ 8.1 sm_90
fma       <rnd> .sat? .f32 A=.f16/.bf16  : =f32, A, A, f32                 @ 8.6 sm_100
mad       <rnd> .ftz? .sat? .f32         : =f32, f32, f32, f32
mad       <rnd> .f64                     : =f64, f64, f64, f64
div       .approx/<rnd> .ftz? .f32       : =f32, f32, f32
div.full  .ftz? .f32                     : =f32, f32, f32
div       <rnd> .f64                     : =f64, f64, f64
abs       .ftz? .f32                     : =f32, f32
abs       .f64                           : =f64, f64
abs       .ftz? T=<half>                 : =T, T                           @ 6.5 sm_53
abs       T=<bhalf>                      : =T, T                           @ 7.0 sm_80
neg       .ftz? .f32                     : =f32, f32
neg       .f64                           : =f64, f64
neg       .ftz? T=<half>                 : =T, T                           @ 6.0 sm_53
neg       T=<bhalf>                      : =T, T                           @ 7.0 sm_80
min       .ftz? .NaN[7.0,sm_80]? .f32    : =f32, f32, f32
min       .ftz? .NaN[7.0,sm_80]? .xorsign .abs .f32 : =f32, f32, f32       @ 7.2 sm_86
min       .ftz? .NaN? .abs? .f32         : =f32, f32, f32, f32             @ 8.8 sm_100
min       .f64                           : =f64, f64, f64
min       .ftz? .NaN? T=<half>           : =T, T, T                        @ 7.0 sm_80
min       .NaN? T=<bhalf>                : =T, T, T                        @ 7.0 sm_80
min       .ftz? .NaN? .xorsign .abs T=<half> : =T, T, T                    @ 7.2 sm_86
min       .NaN? .xorsign .abs T=<bhalf>  : =T, T, T                        @ 7.2 sm_86
max       .ftz? .NaN[7.0,sm_80]? .f32    : =f32, f32, f32
max       .ftz? .NaN[7.0,sm_80]? .xorsign .abs .f32 : =f32, f32, f32       @ 7.2 sm_86
max       .ftz? .NaN? .abs? .f32         : =f32, f32, f32, f32             @ 8.8 sm_100
max       .f64                           : =f64, f64, f64
max       .ftz? .NaN? T=<half>           : =T, T, T                        @ 7.0 sm_80
max       .NaN? T=<bhalf>                : =T, T, T                        @ 7.0 sm_80
max       .ftz? .NaN? .xorsign .abs T=<half> : =T, T, T                    @ 7.2 sm_86
max       .NaN? .xorsign .abs T=<bhalf>  : =T, T, T                        @ 7.2 sm_86
rcp       .approx/<rnd> .ftz? .f32       : =f32, f32
rcp       <rnd> .f64                     : =f64, f64
rcp       .approx .ftz .f64              : =f64, f64                       @ 2.1 sm_20
sqrt      .approx/<rnd> .ftz? .f32       : =f32, f32
sqrt      <rnd> .f64                     : =f64, f64
rsqrt     .approx .ftz? .f32             : =f32, f32
rsqrt     .approx .f64                   : =f64, f64
rsqrt     .approx .ftz .f64              : =f64, f64                       @ 4.0 sm_20
sin       .approx .ftz? .f32             : =f32, f32
sin       .approx .ftz .2pi .f32         : =f32, f32                       @ 9.5
cos       .approx .ftz? .f32             : =f32, f32
cos       .approx .ftz .2pi .f32         : =f32, f32                       @ 9.5
lg2       .approx .ftz? .f32             : =f32, f32
ex2       .approx .ftz? .f32             : =f32, f32
ex2       .approx T=<half>               : =T, T                           @ 7.0 sm_75
ex2       .approx .ftz T=<bhalf>         : =T, T                           @ 7.8 sm_90
tanh      .approx .f32                   : =f32, f32                       @ 7.0 sm_75
tanh      .approx T=<half>               : =T, T                           @ 7.0 sm_75
tanh      .approx T=<bhalf>              : =T, T                           @ 7.8 sm_90

# --- comparison and selection ----------------------------------------------------------------

set       D=.u32/.s32/.f32 {$compare}                            : =D, A, A
set       D=.u32/.s32/.f32 <bool> {$compare}                     : =D, A, A, pred
set       D=.f16 {$compare|<fcmp> .ftz? A=.f16}                  : =D, A, A          @ 4.2 sm_53
set       D=.f16 <bool> {$compare|<fcmp> .ftz? A=.f16}           : =D, A, A, pred    @ 4.2 sm_53
set       D=.bf16 {$noflush|<fcmp> A=.f16/.bf16}                 : =D, A, A          @ 7.8 sm_90
set       D=.bf16 <bool> {$noflush|<fcmp> A=.f16/.bf16}          : =D, A, A, pred    @ 7.8 sm_90
set       <fcmp> .ftz? D=.u16/.s16/.u32/.s32 .f16                : =D, f16, f16      @ 6.5 sm_53
set       <fcmp> <bool> .ftz? D=.u16/.s16/.u32/.s32 .f16         : =D, f16, f16, pred @ 6.5 sm_53
set       <fcmp> D=.u16/.s16/.u32/.s32 .bf16                     : =D, bf16, bf16    @ 7.8 sm_90
set       <fcmp> <bool> D=.u16/.s16/.u32/.s32 .bf16              : =D, bf16, bf16, pred @ 7.8 sm_90
set       <fcmp> .ftz? D=.f16x2/.u32[6.5]/.s32[6.5] .f16x2       : =D, f16x2, f16x2  @ 4.2 sm_53
set       <fcmp> <bool> .ftz? D=.f16x2/.u32[6.5]/.s32[6.5] .f16x2 : =D, f16x2, f16x2, pred @ 4.2 sm_53
set       <fcmp> D=.bf16x2/.u32/.s32 .bf16x2                     : =D, bf16x2, bf16x2 @ 7.8 sm_90
set       <fcmp> <bool> D=.bf16x2/.u32/.s32 .bf16x2              : =D, bf16x2, bf16x2, pred @ 7.8 sm_90
set       <cmp> D=.u8x4/.u16x2                                   : =D, D, D          @ rubin
set       <scmp> D=.s8x4/.s16x2                                  : =D, D, D          @ rubin
setp      {$compare}                     : =pred_|pred?, A, A
setp      <bool> {$compare}              : =pred_|pred?, A, A, pred
setp      <fcmp> .ftz? .f16              : =pred_, f16, f16                @ 4.2 sm_53
setp      <fcmp> <bool> .ftz? .f16       : =pred_, f16, f16, pred          @ 4.2 sm_53
setp      <fcmp> .ftz? .f16x2            : =pred_|pred?, f16x2, f16x2      @ 4.2 sm_53
setp      <fcmp> <bool> .ftz? .f16x2     : =pred_|pred?, f16x2, f16x2, pred @ 4.2 sm_53
setp      <fcmp> .bf16                   : =pred_, bf16, bf16              @ 7.8 sm_90
setp      <fcmp> <bool> .bf16            : =pred_, bf16, bf16, pred        @ 7.8 sm_90
setp      <fcmp> .bf16x2                 : =pred_|pred?, bf16x2, bf16x2    @ 7.8 sm_90
setp      <fcmp> <bool> .bf16x2          : =pred_|pred?, bf16x2, bf16x2, pred @ 7.8 sm_90
selp      T=<plain>                      : =T, T, T, pred
slct      T=<plain> .s32                 : =T, T, T, s32
slct      .ftz? T=<plain> .f32           : =T, T, T, f32

# --- logic and shifts ------------------------------------------------------------------------

and       T=.pred/<bits>                 : =T, T, T
or        T=.pred/<bits>                 : =T, T, T
xor       T=.pred/<bits>                 : =T, T, T
not       T=.pred/<bits>                 : =T, T
cnot      T=<bits>                       : =T, T
lop3      .b32                           : =b32, b32, b32, b32, #0..255    @ 4.3 sm_50
lop3      .or/.and .b32                  : =b32_|pred, b32, b32, b32, #0..255, pred @ 8.2 sm_70
shf.l     .clamp/.wrap .b32              : =b32, b32, b32, u32             @ 3.1 sm_32
shf.r     .clamp/.wrap .b32              : =b32, b32, b32, u32             @ 3.1 sm_32
shl       T=<bits>                       : =T, T, u32
shr       T=<bits>/<int>                 : =T, T, u32

# --- moving data -----------------------------------------------------------------------------

mov       T=.pred/<plain>                : =T, T~&
mov       {V=.v2 T=<plain>|V=.v4 T=.b16/.b32/.u16/.u32/.s16/.s32/.f32}            : =T*V, T~*V
mov       .b128                          : =b128, b128                     @ 8.3 sm_70
mov       T=<bits>                       : any, any ; rule=pack
mov       .b128                          : any, any                        @ 8.3 sm_70 ; rule=pack
shfl      .up/.down/.bfly/.idx .b32      : =b32|pred?, b32, u32, u32       @ 3.0 sm_30 ; convergent rule=before_volta
shfl      .sync .up/.down/.bfly/.idx .b32 : =b32|pred?, b32, u32, u32, u32 @ 6.0 sm_30 ; convergent
prmt      .b32 .f4e/.b4e/.rc8/.ecl/.ecr/.rc16? : =b32, b32, b32, b32       @ 2.0 sm_20

cvt       D=<cvtint> A=<cvtint>                      : =D>, A>~
cvt       .sat D=<cvtint> A=<cvtint>                 : =D>, A>~            ; rule=saturates
cvt       <irnd> .sat? D=<cvtint> A=.f16/.f64        : =D>, A>
cvt       <irnd> .ftz? .sat? D=<cvtint> .f32         : =D>, f32>
cvt       <irnd> D=<int> .bf16                       : =D, bf16            @ 7.8 sm_90
cvt       <rnd> .sat? D=.f16/.f64 A=<cvtint>         : =D>, A>
cvt       <rnd> .ftz? .sat? .f32 A=<cvtint>          : =f32>, A>
cvt       <rnd> .bf16 A=<int>/.f64                   : =bf16, A            @ 7.8 sm_90
cvt       <irnd>? .sat? .f16 .f16                    : =f16>, f16>
cvt       <irnd>? .sat? .f64 .f64                    : =f64>, f64>
cvt       <irnd>? .ftz? .sat? .f32 .f32              : =f32>, f32>
cvt       <irnd>? .bf16 .bf16                        : =bf16, bf16         @ 7.8 sm_90
cvt       .sat? .f64 .f16                            : =f64>, f16>
cvt       <rnd> .sat? .f16 .f64                      : =f16>, f64>
cvt       .ftz? .sat? .f32 .f16                      : =f32>, f16>
cvt       .ftz? .sat? .f64 .f32                      : =f64>, f32>
cvt       <rnd> .ftz? .sat? .f32 .f64                : =f32>, f64>
cvt       <rnd> .ftz? .sat? .f16 .f32                : =f16>, f32>
cvt       .rn/.rz .relu .satfinite[8.1,sm_80]? .f16 .f32 : =f16>, f32>     @ 7.0 sm_80
cvt       .rn/.rz .satfinite .f16 .f32               : =f16>, f32>         @ 8.1
cvt       <rnd>? .f16 .bf16                          : =f16, bf16          @ 7.8 sm_90
cvt       <rnd>? .bf16 .f16                          : =bf16, f16          @ 7.8 sm_90
cvt       <rnd>? .f64 .bf16                          : =f64, bf16          @ 7.8 sm_90
cvt       <rnd>? .ftz[7.8,sm_90]? .f32 .bf16         : =f32, bf16          @ 7.1 sm_80
cvt       <rnd> .ftz? .bf16 .f32                     : =bf16, f32          @ 7.0 sm_80
cvt       .rn/.rz .relu? .satfinite[8.1,sm_80]? .bf16 .f32 : =bf16, f32    @ 7.0 sm_80
cvt       .rn/.rz .relu? .satfinite[8.1,sm_80]? .f16x2 .f32 : =f16x2, f32, f32  @ 7.0 sm_80
cvt       .rn/.rz .relu? .satfinite[8.1,sm_80]? .bf16x2 .f32 : =bf16x2, f32, f32 @ 7.0 sm_80
cvt       .rs .relu? .satfinite? D=.f16x2/.bf16x2 .f32 : =D, f32, f32, b32 @ stochastic
cvt       .rna .satfinite[8.1,sm_80]? .tf32 .f32     : =tf32, f32          @ 7.0 sm_80
cvt       .rn/.rz .relu? .satfinite[8.6,sm_100]? .tf32 .f32 : =tf32, f32   @ 7.8 sm_90
cvt       .rn/.rz[rubin] .satfinite .relu? D=<f8x2> .f32 : =D, f32, f32    @ 8.1 sm_89
cvt       .rn .satfinite .relu? D=<f8x2> .f16x2      : =D, f16x2           @ 8.1 sm_89
cvt       .rn .satfinite .relu? D=<f8x2> .bf16x2     : =D, bf16x2          @ narrow
cvt       .rn .relu? .f16x2 A=<f8x2>                 : =f16x2, A           @ 8.1 sm_89
cvt       .rn .relu? .bf16x2 A=<f8x2>/<f6x2>/.e2m1x2 : =bf16x2, A          @ 9.2 sm_100f sm_110f sm_120f
cvt       .rn/.rz[rubin] .satfinite .relu? D=<f6x2>/.e2m1x2 .f32 : =D, f32, f32 @ consumer
cvt       .rn .satfinite .relu? D=<f6x2>/.e2m1x2 A=.f16x2/.bf16x2 : =D, A  @ narrow
cvt       .rn .relu? .f16x2 A=<f6x2>/.e2m1x2         : =f16x2, A           @ consumer
cvt       .rs .relu? .satfinite D=.e4m3x4/.e5m2x4/.e2m3x4/.e3m2x4/.e2m1x4 .f32 : =D, f32*4, b32 @ stochastic
cvt       .rz/.rp .satfinite? .ue8m0x2 .f32          : =ue8m0x2, f32, f32  @ consumer
cvt       .rz/.rp .satfinite? .ue8m0x2 .bf16x2       : =ue8m0x2, bf16x2    @ consumer
cvt       .rn .bf16x2 .ue8m0x2                       : =bf16x2, ue8m0x2    @ consumer
cvt       .rn .satfinite .relu? .scaled::n2::ue8m0? .s2f6x2 .f32 : =s2f6x2, f32, f32, b16?.scaled::n2::ue8m0 @ s2f6
cvt       .rn .satfinite .relu? .scaled::n2::ue8m0? .s2f6x2 .bf16x2 : =s2f6x2, bf16x2, b16?.scaled::n2::ue8m0 @ s2f6
cvt       .rn .satfinite? .relu? .scaled::n2::ue8m0? .bf16x2 .s2f6x2 : =bf16x2, s2f6x2, b16?.scaled::n2::ue8m0 @ s2f6
cvt.pack  .sat D=.u16/.s16 .s32                      : =b32, s32, s32      @ 6.5 sm_72
cvt.pack  .sat D=.u2[6.5,sm_75]/.s2[6.5,sm_75]/.u4[6.5,sm_75]/.s4[6.5,sm_75]/.u8/.s8 .s32 .b32 : =b32, s32, s32, b32 @ 6.5 sm_72
cvta      S=<cvtaspace> T=.u32/.u64                  : =T, T&              @ 2.0 sm_20 ; rule=place
cvta.to   S=<cvtaspace> T=.u32/.u64                  : =T, T               @ 2.0 sm_20 ; rule=place
isspacep  <cvtaspace>                                : =pred, u64          @ 2.0 sm_20
isspacep  <cvtaspace>                                : =pred, u32          @ 2.0 sm_20
mapa      .shared::cluster? T=.u32/.u64              : =T, T&, u32         @ 7.8 sm_90 ; rule=place
getctarank .shared::cluster? T=.u32/.u64             : =u32, T&            @ 7.8 sm_90 ; rule=place

# --- memory ----------------------------------------------------------------------------------

ld        .weak[6.0,sm_70]? S=<loadspace>? <cop>/<evict1>? <evict2>? .L2::cache_hint? <prefetch>? V=<vec>? T=<memtype> : =T>*V, [r], $policy ; rule=cache
ld        .volatile S=<loadspace>? <prefetch>? V=<vec>? T=<memtype> : =T>*V, [r] ; rule=cache
ld        O=.relaxed/.acquire <scope> S=<loadspace>? <evict1>? <evict2>? .L2::cache_hint? <prefetch>? V=<vec>? T=<memtype> : =T>*V, [r], $policy @ 6.0 sm_70 ; rule=cache
ld        .mmio .relaxed .sys S=.global? T=<memtype> : =T>, [r]            @ 8.2 sm_70 ; effect rule=cache
ld        .nc S=.global <cop>/<evict1>? <evict2>? .L2::cache_hint? <prefetch>? V=<vec>? T=<memtype> : =T>*V, [r], $policy @ 3.1 sm_32 ; rule=cache
ldu       S=.global? V=.v2/.v4? T=<memtype>          : =T>*V, [r]         @ 2.0 ; rule=cache
st        .weak[6.0,sm_70]? S=<storespace>? <wop>/<evict1>? <evict2>? .L2::cache_hint? V=<vec>? T=<memtype> : [w], T>&*V, $policy ; rule=cache
st        .volatile S=<storespace>? V=<vec>? T=<memtype> : [w], T>&*V       ; rule=cache
st        O=.relaxed/.release <scope> S=<storespace>? <evict1>? <evict2>? .L2::cache_hint? V=<vec>? T=<memtype> : [w], T>&*V, $policy @ 6.0 sm_70 ; rule=cache
st        .mmio .relaxed .sys S=.global? T=<memtype> : [w], T>&             @ 8.2 sm_70 ; effect rule=cache
st.async  .weak? S=.shared::cluster? <complete> {V=.v2? T=.b32/.b64/.u32/.u64/.s32/.s64/.f32/.f64|V=.v4 T=.b32/.u32/.s32/.f32|T=.b128[9.2]} : [w:shared], T*V, [rw:shared] @ 8.1 sm_90 ; async
st.async  {.release .gpu/.sys|.mmio .release .sys} S=.global? T=<storable> : [w], T        @ 8.7 sm_100 ; async
st.bulk   .weak? S=.shared::cta?                     : [w:shared], u64, #0 @ 8.6 sm_100
multimem.ld_reduce {|.weak|O=.relaxed/.acquire <scope>} S=.global? {.min/.max T=.u32/.s32/.u64/.s64|.add T=.u32/.s32/.u64/.f32/.f64|<bool> T=.b32/.b64} : =T, [r:global] @ 8.1 sm_90
multimem.ld_reduce {|.weak|O=.relaxed/.acquire <scope>} S=.global? .min/.max {T=.f16x2/.bf16x2/.e5m2x4[fp8]/.e4m3x4[fp8]|V=.v2 T=<mm2>|V=.v4 T=<mm4>|V=.v8 T=<mm8>} : =T*V, [r:global] @ 8.1 sm_90
multimem.ld_reduce {|.weak|O=.relaxed/.acquire <scope>} S=.global? .add {T=.e5m2x4[fp8]/.e4m3x4[fp8]|V=.v2 T=<mm2>|V=.v4 T=<mm4>|V=.v8 T=<mm8>|V=.v2/.v4 T=.f32} : =T*V, [r:global] @ 8.1 sm_90
multimem.ld_reduce {|.weak|O=.relaxed/.acquire <scope>} S=.global? .add .acc::f32[8.2,sm_90]? {T=.f16x2/.bf16x2|V=.v2/.v4 T=<half>/<bhalf>|V=.v8 T=.f16/.bf16} : =T*V, [r:global] @ 8.1 sm_90
multimem.ld_reduce {|.weak|O=.relaxed/.acquire <scope>} S=.global? .add .acc::f16 {T=.e5m2x4/.e4m3x4|V=.v2 T=.e5m2x2/.e4m3x2/.e5m2x4/.e4m3x4|V=.v4 T=.e5m2/.e4m3/.e5m2x2/.e4m3x2/.e5m2x4/.e4m3x4|V=.v8 T=.e5m2/.e4m3/.e5m2x2/.e4m3x2} : =T*V, [r:global] @ fp8
multimem.st {|.weak|O=.relaxed/.release <scope>} S=.global? {T=.b32/.u32/.s32/.b64/.u64/.s64/.f16x2/.bf16x2/.f32/.f64/.e5m2x4[fp8]/.e4m3x4[fp8]|V=.v2 T=<mm2>/.f32|V=.v4 T=<mm4>/.f32|V=.v8 T=<mm8>} : [w:global], T*V @ 8.1 sm_90
multimem.red {|O=.relaxed/.release <scope>} S=.global? {.min/.max T=.u32/.s32/.u64/.s64|.add T=.u32/.s32/.u64/.f16x2/.bf16x2/.f32/.f64|<bool> T=.b32/.b64} : [atom:global], T @ 8.1 sm_90
multimem.red {|O=.relaxed/.release <scope>} S=.global? .add/.min/.max {V=.v2/.v4 T=<half>/<bhalf>|V=.v8 T=.f16/.bf16} : [atom:global], T*V @ 8.1 sm_90
multimem.red {|O=.relaxed/.release <scope>} S=.global? .add V=.v2/.v4 .f32 : [atom:global], f32*V @ 8.1 sm_90
multimem.st.async .release .gpu/.sys S=.global? T=<storable> : [w:global], T @ 9.3 sm_100 ; async
multimem.red.async .release .gpu/.sys S=.global? .add T=.u32/.s32/.u64 : [atom:global], T @ 9.3 sm_100 ; async
prefetch  S=.global/.local? .L1/.L2                  : [-]                 @ 2.0 sm_20
prefetch  S=.global .L2::evict_last/.L2::evict_normal : [-]                @ 7.4 sm_80
prefetch  S=.const/.param? .tensormap  : [-]                 @ 8.0 sm_90
prefetch  S=.global .L1::32B .valid_addr             : [-]                 @ 9.4 sm_90
prefetchu .L1                                        : [-]                 @ 2.0 sm_20
applypriority S=.global? .L2::evict_normal           : [-], #128           @ 7.4 sm_80
applypriority.async.bulk S=.global? .bulk_group .L2::evict_normal : [-], u32 @ rubin ; async
applypriority.async.bulk.tensor {$tiled|DIM=.2d .tile::gather4 <override>?} S=.global? .bulk_group .L2::evict_normal : [-:tensor] @ rubin ; async
applypriority.async.bulk.tensor DIM=<dim3> .im2col <override>? S=.global? .bulk_group .L2::evict_normal : [-:tensor], u16*@offsets @ rubin ; async
applypriority.async.bulk.tensor DIM=<dim3> .im2col::w/.im2col::w::128 <override>? S=.global? .bulk_group .L2::evict_normal : [-:tensor], u16*2 @ rubin ; async
discard   S=.global? .L2                             : [w], #128           @ 7.4 sm_80
createpolicy.fractional <primary> <secondary>? .b64  : =u64, f32?          @ 7.4 sm_80
createpolicy.range S=.global? <primary> <secondary>? .b64 : =u64, [-], u32, u32 @ 7.4 sm_80
createpolicy.range.fabric <primary> <secondary>? .b64 : =u64, [-:handle], u32, u32 @ 9.4 sm_100
createpolicy.cvt .L2 .b64                            : =u64, u64           @ 7.4 sm_80

# --- asynchronous copies ---------------------------------------------------------------------

cp.async  .ca <cta> .global .L2::cache_hint[7.4,sm_80]? <prefetch>[7.4,sm_80]? : [w:shared], [r:global], #4/8/16, u32?, $policy @ 7.0 sm_80 ; async
cp.async  .ca <cta> .global .L2::cache_hint[7.4,sm_80]? <prefetch>[7.4,sm_80]? : [w:shared], [r:global], #4/8/16, pred, $policy @ 7.5 sm_80 ; async
cp.async  .cg <cta> .global .L2::cache_hint[7.4,sm_80]? <prefetch>[7.4,sm_80]? : [w:shared], [r:global], #16, u32?, $policy @ 7.0 sm_80 ; async
cp.async  .cg <cta> .global .L2::cache_hint[7.4,sm_80]? <prefetch>[7.4,sm_80]? : [w:shared], [r:global], #16, pred, $policy @ 7.5 sm_80 ; async
cp.async.commit_group                                : -                   @ 7.0 sm_80 ; sync
cp.async.wait_group                                  : #                   @ 7.0 sm_80 ; sync
cp.async.wait_all                                    : -                   @ 7.0 sm_80 ; sync
cp.async.mbarrier.arrive .noinc? <cta>? .b64         : [atom:shared]       @ 7.0 sm_80 ; sync
cp.async.bulk .shared::cta .global <complete> {$weak|$relaxed} .L2::cache_hint? <report>? : [w:shared], [r:global], $bytes, [rw:shared], $policy @ 8.6 sm_90 ; async
cp.async.bulk .shared::cta .global <complete> .weak[9.3]? .L2::cache_hint? .ignore_oob .mbarrier::report::disabled[rubin]? : [w:shared], [r:global], $bytes, u32, u32, [rw:shared], $policy @ 9.2 sm_90 ; async
cp.async.bulk .shared::cluster .global <complete> {$weak|O=.relaxed[strong] <scope> .b128} <multicast>? .L2::cache_hint? <report>? : [w:shared], [r:global], $bytes, [rw:shared], $mask, $policy @ 8.0 sm_90 ; async
cp.async.bulk .shared::cluster .shared::cta <complete> {$weak|O=.relaxed[9.3] .cta/.cluster .b128} : [w:shared], [r:shared], $bytes, [rw:shared] @ 8.0 sm_90 ; async
cp.async.bulk .global .shared::cta .bulk_group {$weak|$relaxed} .L2::cache_hint? .cp_mask[8.6,sm_100]? : [w:global], [r:shared], $bytes, $policy, b16?.cp_mask @ 8.0 sm_90 ; async
cp.async.bulk.prefetch .L2 S=.global .L2::cache_hint/.L2::evict_last[rubin]? : [-], $bytes, $policy @ 8.0 sm_90
cp.async.bulk.commit_group                           : -                   @ 8.0 sm_90 ; sync
cp.async.bulk.wait_group .read/.sync_restrict::proxy::async[9.5,sm_90]? : # @ 8.0 sm_90 ; sync
cp.async.bulk.tensor {$tiled} .shared::cta .global <complete> <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], $policy @ 8.6 sm_90 ; async
cp.async.bulk.tensor DIM=.2d .tile::gather4[8.6,sm_100] <override>? .shared::cta .global <complete> <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], $policy @ 8.6 sm_90 ; async
cp.async.bulk.tensor DIM=<dim3> .im2col <override>? .shared::cta .global <complete> <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], u16*@offsets, $policy @ 8.6 sm_90 ; async
cp.async.bulk.tensor DIM=<dim3> .im2col::w[8.6,sm_100]/.im2col::w::128[blackwell] <override>? .shared::cta .global <complete> <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], u16*2, $policy @ 8.6 sm_90 ; async
cp.async.bulk.tensor {$tiled} .shared::cluster .global <complete> <multicast>? <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], $mask, $policy @ 8.0 sm_90 ; async
cp.async.bulk.tensor DIM=.2d .tile::gather4[blackwell] <override>? .shared::cluster .global <complete> <multicast>? <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], $mask, $policy @ 8.0 sm_90 ; async
cp.async.bulk.tensor DIM=<dim3> .im2col <override>? .shared::cluster .global <complete> <multicast>? <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], u16*@offsets, $mask, $policy @ 8.0 sm_90 ; async
cp.async.bulk.tensor DIM=<dim3> .im2col::w[blackwell]/.im2col::w::128[blackwell] <override>? .shared::cluster .global <complete> <multicast>? <ctagroup>? .L2::cache_hint? <report>? : [w:shared], [r:tensor], [rw:shared], u16*2, $mask, $policy @ 8.0 sm_90 ; async
cp.async.bulk.tensor {$tiled|DIM=.2d .tile::scatter4[blackwell] <override>?|DIM=<dim3> .im2col_no_offs/.im2col_no_offs::w[rubin] <override>?} .global .shared::cta .bulk_group .L2::cache_hint? : [w:tensor], [r:shared], $policy @ 8.0 sm_90 ; async
cp.async.bulk.prefetch.tensor {$tiled|DIM=.2d .tile::gather4[blackwell] <override>?} .L2 .global .L2::cache_hint/.L2::evict_last[rubin]? : [-:tensor], $policy @ 8.0 sm_90
cp.async.bulk.prefetch.tensor DIM=<dim3> .im2col <override>? .L2 .global .L2::cache_hint/.L2::evict_last[rubin]? : [-:tensor], u16*@offsets, $policy @ 8.0 sm_90
cp.async.bulk.prefetch.tensor DIM=<dim3> .im2col::w/.im2col::w::128 <override>? .L2 .global .L2::cache_hint/.L2::evict_last[rubin]? : [-:tensor], u16*2, $policy @ blackwell
cp.reduce.async.bulk .shared::cluster .shared::cta <complete> {|O=.relaxed[9.3] .cta/.cluster} {<bool> T=.b32|.add T=.u32/.s32/.u64|.inc/.dec T=.u32|.min/.max T=.u32/.s32} : [atom:shared], [r:shared], $bytes, [rw:shared] @ 8.0 sm_90 ; async
cp.reduce.async.bulk .global .shared::cta .bulk_group .L2::cache_hint? {|O=.relaxed[9.3] <scope>} $bulkred : [atom:global], [r:shared], $bytes, $policy @ 8.0 sm_90 ; async
cp.reduce.async.bulk.tensor {$tiled|DIM=<dim3> .im2col_no_offs/.im2col_no_offs::w[rubin] <override>?} .global .shared::cta <redop> .bulk_group .L2::cache_hint? : [atom:tensor], [r:shared], $policy @ 8.0 sm_90 ; async
multimem.cp.async.bulk .global .shared::cta .bulk_group {$weak|$relaxed} .cp_mask[9.1,sm_100]? : [w:global], [r:shared], $bytes, b16?.cp_mask @ 9.1 sm_90 ; async
multimem.cp.reduce.async.bulk .global .shared::cta .bulk_group {|O=.relaxed[9.3] <scope>} $bulkred : [atom:global], [r:shared], $bytes @ 9.1 sm_90 ; async
tensormap.replace .tile {.global_address T=.b64|.rank T=.b32} S=.global/.shared::cta? .b1024 : [w], T @ tensormap
tensormap.replace .tile {.box_dim/.global_dim/.element_stride T=.b32|.global_stride T=.b64} S=.global/.shared::cta? .b1024 : [w], #0..4, T @ tensormap
tensormap.replace .tile .elemtype/.interleave_layout/.swizzle_mode/.swizzle_atomicity[consumer]/.fill_mode S=.global/.shared::cta? .b1024 .b32 : [w], # @ tensormap
tensormap.cp_fenceproxy .global .shared::cta .tensormap::generic .release <scope> .sync .aligned : [w:global], [r:shared], #128 @ 8.3 sm_90 ; sync convergent

# --- fabric ----------------------------------------------------------------------------------

fabric.try_get .*   : ... @ fabric ; async unknown
fabric.try_put .*   : ... @ fabric ; async unknown
fabric.try_red .*   : ... @ fabric ; async unknown
fabric.try_pullred .* : ... @ fabric ; async unknown
fabric.try_atom .*  : ... @ fabric ; async unknown
fabric.submit .op_restrict::fetching/.commit_group[9.5,sm_100]? : - @ fabric ; sync
fabric.wait .sync_restrict::reads : - @ fabric ; sync
fabric.wait .sync_restrict::read : # @ 9.5 sm_100 ; sync

# --- textures and surfaces -------------------------------------------------------------------

tex       .base? .v4 D=.u32/.s32/.f32 {G=<geometry> A=.f32|G=<flat>/<multi> A=.s32} : =D*4|pred?, [r:tex], any?, any? ; rule=texture
tex       .level .v4 D=.u32/.s32/.f32 {G=<geometry> A=.f32|G=<flat> A=.s32} : =D*4|pred?, [r:tex], A, any?, any? ; rule=texture
tex       .grad .v4 D=.u32/.s32/.f32 {G=<geometry> A=.f32|G=<flat> A=.s32} : =D*4|pred?, [r:tex], any, any, any?, any? ; rule=texture
tex       .base? .v4 .f16 {G=<geometry> A=.f32|G=<flat>/<multi> A=.s32} : =f16*4|pred?, [r:tex], any?, any? @ 4.2 sm_53 ; rule=texture
tex       .level .v4 .f16 {G=<geometry> A=.f32|G=<flat> A=.s32} : =f16*4|pred?, [r:tex], A, any?, any? @ 4.2 sm_53 ; rule=texture
tex       .grad .v4 .f16 {G=<geometry> A=.f32|G=<flat> A=.s32} : =f16*4|pred?, [r:tex], any, any, any?, any? @ 4.2 sm_53 ; rule=texture
tex       .base? .v2 .f16x2 {G=<geometry> A=.f32|G=<flat>/<multi> A=.s32} : =f16x2*2|pred?, [r:tex], any?, any? @ 4.2 sm_53 ; rule=texture
tex       .level .v2 .f16x2 {G=<geometry> A=.f32|G=<flat> A=.s32} : =f16x2*2|pred?, [r:tex], A, any?, any? @ 4.2 sm_53 ; rule=texture
tex       .grad .v2 .f16x2 {G=<geometry> A=.f32|G=<flat> A=.s32} : =f16x2*2|pred?, [r:tex], any, any, any?, any? @ 4.2 sm_53 ; rule=texture
tld4      .r/.g/.b/.a G=.2d/.a2d/.cube/.acube .v4 D=.u32/.s32/.f32 .f32 : =D*4|pred?, [r:tex], any?, any? @ 2.2 sm_20 ; rule=texture
txq       .width/.height/.depth/.channel_data_type/.channel_order/.normalized_coords/.array_size/.num_mipmap_levels/.num_samples .b32 : =b32, [-:tex]
txq       .level .width/.height/.depth .b32          : =b32, [-:tex], u32   @ 4.3 sm_30
txq       .force_unnormalized_coords/.filter_mode/.addr_mode_0/.addr_mode_1/.addr_mode_2 .b32 : =b32, [-:tex]
istypep   .texref/.samplerref/.surfref               : =pred, u64           @ 4.0 sm_30
suld.b    G=<flat> .ca/.cg/.cs/.cv? {V=.v2? T=.b8/.b16/.b32/.b64|V=.v4 T=.b8/.b16/.b32} .trap/.clamp/.zero : =T>*V, [r:surf] ; rule=texture
sust.b    G=<flat> .wb/.cg/.cs/.wt? {V=.v2? T=.b8/.b16/.b32/.b64|V=.v4 T=.b8/.b16/.b32} .trap/.clamp/.zero : [w:surf], T>*V ; rule=texture
sust.p    G=<flat> V=.v2/.v4? .b32 .trap/.clamp/.zero : [w:surf], b32*V @ 2.0 sm_20 ; rule=texture
sured.b   {.add T=.u32/.s32/.u64|.min/.max T=.u32/.s32/.u64[8.1,sm_50]/.s64[8.1,sm_50]|.and/.or T=.b32} G=.1d/.2d/.3d .trap/.clamp/.zero : [atom:surf], T @ 2.0 sm_20 ; rule=texture
sured.p   {.add/.and/.or T=.b32|.min/.max T=.b32/.b64[8.1,sm_50]} G=.1d/.2d/.3d .trap/.clamp/.zero : [atom:surf], T @ 2.0 sm_20 ; rule=texture
suq       .width/.height/.depth/.channel_data_type/.channel_order/.array_size/.memory_layout .b32 : =b32, [-:surf]

# --- control flow ----------------------------------------------------------------------------

bra       .uni?                                      : label               ; control
brx.idx   .uni?                                      : u32, table          @ 6.0 sm_30 ; control
call      .uni?                                      : ...                 ; control unknown
ret       .uni?                                      : -                   ; control
exit                                                 : -                   ; control
trap                                                 : -                   ; control effect

# --- synchronisation -------------------------------------------------------------------------

bar.sync                 : u32:0..15, u32:0..4096:32?                       ; sync convergent
bar.arrive               : u32:0..15, u32:32..4096:32                       @ 2.0 sm_20 ; sync convergent
bar.red   .popc .u32     : =u32, u32:0..15, u32:0..4096:32?, pred           @ 2.0 sm_20 ; sync convergent
bar.red   .and/.or .pred : =pred, u32:0..15, u32:0..4096:32?, pred          @ 2.0 sm_20 ; sync convergent
bar.warp.sync            : u32                                              @ 6.0 sm_30 ; sync convergent
barrier.sync   .aligned? : u32:0..15, u32:0..4096:32?                       @ 6.0 sm_30 ; sync convergent
barrier.arrive .aligned? : u32:0..15, u32:32..4096:32                       @ 6.0 sm_30 ; sync convergent
barrier.red    .popc .aligned? .u32 : =u32, u32:0..15, u32:0..4096:32?, pred @ 6.0 sm_30 ; sync convergent
barrier.red    .and/.or .aligned? .pred : =pred, u32:0..15, u32:0..4096:32?, pred @ 6.0 sm_30 ; sync convergent
barrier.cluster.arrive .release[8.0,sm_90]/.relaxed[8.0,sm_90]? .aligned? : - @ 7.8 sm_90 ; sync convergent
barrier.cluster.wait   .acquire[8.0,sm_90]? .aligned? : -                   @ 7.8 sm_90 ; sync convergent
membar    .cta/.gl/.sys                              : -                    @ 1.4 ; sync
membar.proxy .alias                                  : -                    @ 7.5 sm_60 ; sync
fence     .sc/.acq_rel? <scope>                      : -                    @ 6.0 sm_70 ; sync
fence     .acquire/.release <scope>                  : -                    @ 8.6 sm_90 ; sync
fence     .acquire .sync_restrict::shared::cluster .cluster : -             @ 8.6 sm_90 ; sync
fence     .release .sync_restrict::shared::cta .cluster : -                 @ 8.6 sm_90 ; sync
fence     .mbarrier_init .release .cluster           : -                    @ 8.0 sm_90 ; sync
fence     .alias .sync_restrict::read .release .sys  : -                    @ 9.5 sm_90 ; sync
fence.proxy .alias                                   : -                    @ 7.5 sm_70 ; sync
fence.proxy .alias .acquire/.release .sys            : -                    @ 9.4 sm_90 ; sync
fence.proxy .async .global/.shared::cta/.shared::cluster? : -               @ 8.0 sm_90 ; sync
fence.proxy .tensormap::generic .release <scope>     : -                    @ 8.3 sm_90 ; sync
fence.proxy .tensormap::generic .acquire <scope>     : [-], #128            @ 8.3 sm_90 ; sync
fence.proxy .async::generic .acquire .sync_restrict::shared::cluster .cluster : - @ 8.6 sm_90 ; sync
fence.proxy .async::generic .release .sync_restrict::shared::cta .cluster : - @ 8.6 sm_90 ; sync
fence.proxy .async::generic .release .sync_restrict::shared::cluster::read .cta/.cluster : - @ 9.4 sm_90 ; sync
fence.proxy .fabric::fabric/.fabric::generic/.generic::fabric .alias .acquire/.release .sys : - @ 9.3 sm_100 ; sync

atom      O=<atomsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? <bool>/.exch .L2::cache_hint[7.4,sm_80]? T=.b32/.b64 : =T_, [atom], T, $policy @ 1.1 ; rule=atomic
atom      O=<atomsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .add .L2::cache_hint[7.4,sm_80]? T=.u32/.s32/.u64/.f32/.f64[5.0,sm_60] : =T_, [atom], T, $policy @ 1.1 ; rule=atomic
atom      O=<atomsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .inc/.dec .L2::cache_hint[7.4,sm_80]? T=.u32 : =T_, [atom], T, $policy @ 1.1 ; rule=atomic
atom      O=<atomsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .min/.max .L2::cache_hint[7.4,sm_80]? T=.u32/.s32/.u64/.s64 : =T_, [atom], T, $policy @ 1.1 ; rule=atomic
atom      O=<atomsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .cas T=.b16[6.3,sm_70]/.b32/.b64/.b128[8.3,sm_90] : =T_, [atom], T, T @ 1.1 ; rule=atomic
atom      O=<atomsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .exch .L2::cache_hint? .b128 : =b128_, [atom], b128, $policy @ 8.3 sm_90 ; rule=atomic
atom      O=<atomsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .add .noftz .L2::cache_hint[7.4,sm_80]? T=.f16[6.3,sm_70]/.f16x2[6.2,sm_60]/.bf16[7.8,sm_90]/.bf16x2[7.8,sm_90]/.f32[9.4,sm_90] : =T_, [atom], T, $policy ; rule=atomic
atom      O=<atomsem>? SC=<scope>? S=.global? .add .L2::cache_hint? V=.v2/.v4 .f32 : =f32*V, [atom], f32*V, $policy @ 8.1 sm_90 ; rule=atomic
atom      O=<atomsem>? SC=<scope>? S=.global? .add/.min/.max .noftz .L2::cache_hint? V=.v2/.v4/.v8 T=.f16/.bf16 : =T*V, [atom], T*V, $policy @ 8.1 sm_90 ; rule=atomic
atom      O=<atomsem>? SC=<scope>? S=.global? .add/.min/.max .noftz .L2::cache_hint? V=.v2/.v4 T=.f16x2/.bf16x2 : =T*V, [atom], T*V, $policy @ 8.1 sm_90 ; rule=atomic
red       O=<redsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? <bool> .L2::cache_hint[7.4,sm_80]? T=.b32/.b64 : [atom], T, $policy @ 1.2 ; rule=atomic
red       O=<redsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .add .L2::cache_hint[7.4,sm_80]? T=.u32/.s32/.u64/.f32/.f64[5.0,sm_60] : [atom], T, $policy @ 1.2 ; rule=atomic
red       O=<redsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .inc/.dec .L2::cache_hint[7.4,sm_80]? T=.u32 : [atom], T, $policy @ 1.2 ; rule=atomic
red       O=<redsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .min/.max .L2::cache_hint[7.4,sm_80]? T=.u32/.s32/.u64/.s64 : [atom], T, $policy @ 1.2 ; rule=atomic
red       O=<redsem>? SC=<scope>[5.0,sm_60]? S=<atomspace>? .add .noftz .L2::cache_hint[7.4,sm_80]? T=.f16[6.3,sm_70]/.f16x2[6.2,sm_60]/.bf16[7.8,sm_90]/.bf16x2[7.8,sm_90]/.f32[9.4,sm_90] : [atom], T, $policy ; rule=atomic
red       O=<redsem>? SC=<scope>? S=.global? .add .L2::cache_hint? V=.v2/.v4 .f32 : [atom], f32*V, $policy @ 8.1 sm_90 ; rule=atomic
red       O=<redsem>? SC=<scope>? S=.global? .add/.min/.max .noftz .L2::cache_hint? V=.v2/.v4/.v8 T=.f16/.bf16 : [atom], T*V, $policy @ 8.1 sm_90 ; rule=atomic
red       O=<redsem>? SC=<scope>? S=.global? .add/.min/.max .noftz .L2::cache_hint? V=.v2/.v4 T=.f16x2/.bf16x2 : [atom], T*V, $policy @ 8.1 sm_90 ; rule=atomic
red.async .relaxed .cluster S=.shared::cluster? <complete> .inc/.dec .u32 : [atom:shared], u32, [rw:shared] @ 8.1 sm_90 ; async
red.async .relaxed .cluster S=.shared::cluster? <complete> .min/.max T=.u32/.s32 : [atom:shared], T, [rw:shared] @ 8.1 sm_90 ; async
red.async .relaxed .cluster S=.shared::cluster? <complete> <bool> .b32 : [atom:shared], b32, [rw:shared] @ 8.1 sm_90 ; async
red.async .relaxed .cluster S=.shared::cluster? <complete> .add T=.u32/.s32/.u64 : [atom:shared], T, [rw:shared] @ 8.1 sm_90 ; async
red.async {.release .gpu/.sys|.mmio .release .sys} S=.global? .add T=.u32/.s32/.u64/.s64 : [atom:global], T @ 8.7 sm_100 ; async

vote      .all/.any/.uni .pred                       : =pred, pred          @ 1.2 sm_12 ; convergent rule=before_volta
vote      .ballot .b32                               : =b32, pred           @ 1.2 sm_20 ; convergent rule=before_volta
vote      .sync .all/.any/.uni .pred                 : =pred, pred, u32     @ 6.0 sm_30 ; convergent
vote      .sync .ballot .b32                         : =b32, pred, u32      @ 6.0 sm_30 ; convergent
match.any .sync T=.b32/.b64                          : =b32, T, u32         @ 6.0 sm_70 ; convergent
match.all .sync T=.b32/.b64                          : =b32_|pred?, T, u32  @ 6.0 sm_70 ; convergent
activemask .b32                                      : =b32                 @ 6.2 sm_30 ; convergent
redux     .sync .add/.min/.max T=.u32/.s32           : =T, T, u32           @ 7.0 sm_80 ; convergent
redux     .sync <bool> .b32                          : =u32, u32, u32       @ 7.0 sm_80 ; convergent
redux     .sync .min/.max .abs? .NaN? .f32           : =f32, f32, u32       @ 8.6 sm_100a | 8.8 sm_100f ; convergent
elect     .sync                                      : =b32_|pred, u32      @ 8.0 sm_90 ; convergent
griddepcontrol .launch_dependents/.wait              : -                    @ 7.8 sm_90 ; sync effect

mbarrier.init  <barlayout>? <cta>? .b64 : [w:shared], u32 @ 7.0 sm_80 ; sync
mbarrier.inval <cta>? .b64 : [w:shared]     @ 7.0 sm_80 ; sync
mbarrier.check_layout .layout::v0/.layout::v1 <cta>? .b64 : =pred, [r:shared] @ 9.3 sm_90
mbarrier.expect_tx   {|.relaxed .cta/.cluster} <cluster>? .b64 : [atom:shared], u32 @ 8.0 sm_90 ; sync
mbarrier.expect_tx   {|.relaxed .cta/.cluster} .shared::cluster .multicast::cluster::32b .b64 : [atom:shared], u32, u32 @ rubin ; sync
mbarrier.complete_tx {|.relaxed .cta/.cluster} <cluster>? .b64 : [atom:shared], u32 @ 8.0 sm_90 ; sync
mbarrier.complete_tx {|.relaxed .cta/.cluster} .shared::cluster .multicast::cluster::32b .b64 : [atom:shared], u32, u32 @ rubin ; sync
mbarrier.arrive {|<arrivesem> .cta/.cluster[8.0,sm_90]} <cta>? .b64 : =u64_, [atom:shared] @ 7.0 sm_80 ; sync
mbarrier.arrive {|<arrivesem> .cta/.cluster} <cta>? .b64 : =u64_, [atom:shared], u32:1..1048575 @ 7.8 sm_90 ; sync
mbarrier.arrive {|<arrivesem> .cta/.cluster} .shared::cluster .b64 : _, [atom:shared], u32? @ 8.0 sm_90 ; sync
mbarrier.arrive {|<arrivesem> .cta/.cluster} .shared::cluster .multicast::cluster::32b .b64 : _, [atom:shared], u32?, u32 @ rubin ; sync
mbarrier.arrive.expect_tx {|<arrivesem> .cta/.cluster} <cta>? .b64 : =u64_, [atom:shared], u32 @ 8.0 sm_90 ; sync
mbarrier.arrive.expect_tx {|<arrivesem> .cta/.cluster} .shared::cluster .b64 : _, [atom:shared], u32 @ 8.0 sm_90 ; sync
mbarrier.arrive.expect_tx {|<arrivesem> .cta/.cluster} .shared::cluster .multicast::cluster::32b .b64 : _, [atom:shared], u32, u32 @ rubin ; sync
mbarrier.arrive .noComplete {|.release[8.0,sm_80] .cta} <cta>? .b64 : =u64_, [atom:shared], u32:1..1048575 @ 7.0 sm_80 ; sync
mbarrier.arrive_drop {|<arrivesem> .cta/.cluster[8.0,sm_90]} <cta>? .b64 : =u64_, [atom:shared] @ 7.0 sm_80 ; sync
mbarrier.arrive_drop {|<arrivesem> .cta/.cluster} <cta>? .b64 : =u64_, [atom:shared], u32:1..1048575 @ 7.8 sm_90 ; sync
mbarrier.arrive_drop {|<arrivesem> .cta/.cluster} .shared::cluster .b64 : _, [atom:shared], u32? @ 8.0 sm_90 ; sync
mbarrier.arrive_drop {|<arrivesem> .cta/.cluster} .shared::cluster .multicast::cluster::32b .b64 : _, [atom:shared], u32?, u32 @ rubin ; sync
mbarrier.arrive_drop.expect_tx {|<arrivesem> .cta/.cluster} <cta>? .b64 : =u64_, [atom:shared], u32 @ 8.0 sm_90 ; sync
mbarrier.arrive_drop.expect_tx {|<arrivesem> .cta/.cluster} .shared::cluster .b64 : _, [atom:shared], u32 @ 8.0 sm_90 ; sync
mbarrier.arrive_drop.expect_tx {|<arrivesem> .cta/.cluster} .shared::cluster .multicast::cluster::32b .b64 : _, [atom:shared], u32, u32 @ rubin ; sync
mbarrier.arrive_drop .noComplete {|.release[8.0,sm_80] .cta} <cta>? .b64 : =u64_, [atom:shared], u32:1..1048575 @ 7.0 sm_80 ; sync
mbarrier.test_wait {|<waitsem> .cta/.cluster[8.0,sm_90]} <cta>? .b64 : =pred, [r:shared], u64 @ 7.0 sm_80 ; sync
mbarrier.test_wait .phase_type::primary {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred|pred?, =b8?, [r:shared], u64 @ 9.3 sm_90 ; sync
mbarrier.test_wait.parity {|<waitsem> .cta/.cluster[8.0,sm_90]} <cta>? .b64 : =pred, [r:shared], u32 @ 7.1 sm_80 ; sync
mbarrier.test_wait.parity .phase_type::primary {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred|pred?, =b8?, [r:shared], u32 @ 9.3 sm_90 ; sync
mbarrier.test_wait.parity .phase_type::conditional {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred, [r:shared], u32 @ 9.3 sm_90 ; sync
mbarrier.try_wait {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred, [r:shared], u64, u32? @ 7.8 sm_90 ; sync
mbarrier.try_wait .phase_type::primary {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred|pred?, =b8?, [r:shared], u64, u32? @ 9.3 sm_90 ; sync
mbarrier.try_wait.parity {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred, [r:shared], u32, u32? @ 7.8 sm_90 ; sync
mbarrier.try_wait.parity .phase_type::primary {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred|pred?, =b8?, [r:shared], u32, u32? @ 9.3 sm_90 ; sync
mbarrier.try_wait.parity .phase_type::conditional {|<waitsem> .cta/.cluster} <cta>? .b64 : =pred, [r:shared], u32, u32? @ 9.3 sm_90 ; sync
mbarrier.pending_count .b64                          : =u32, u64            @ 7.0 sm_80
clusterlaunchcontrol.try_cancel .async S=.shared::cta? <complete> .multicast::cluster::all[consumer]? .b128 : [w:shared], [rw:shared] @ 8.6 sm_100 ; async effect
clusterlaunchcontrol.query_cancel .is_canceled .pred .b128 : =pred, b128    @ 8.6 sm_100
clusterlaunchcontrol.query_cancel .get_first_ctaid .v4 .b32 .b128 : =b32*4, b128 @ 8.6 sm_100
clusterlaunchcontrol.query_cancel .get_first_ctaid::x/.get_first_ctaid::y/.get_first_ctaid::z .b32 .b128 : =b32, b128 @ 8.6 sm_100

# --- stack, video, others --------------------------------------------------------------------

stacksave    T=.u32/.u64                             : =T                   @ 7.3 sm_52 ; effect
stackrestore T=.u32/.u64                             : T                    @ 7.3 sm_52 ; effect
alloca       T=.u32/.u64                             : =T, T, #1/2/4/8/16/32/64/128/256/512/1024?            @ 7.3 sm_52 ; effect
vadd      D=<int32> A=<int32> B=<int32> .sat? <op2> : =D, A^, B^, u32    @ 2.0 sm_20 ; rule=video
vadd      D=<int32> A=<int32> B=<int32> .sat? : =D^, A^, B^, u32?     @ 2.0 sm_20 ; rule=video
vsub      D=<int32> A=<int32> B=<int32> .sat? <op2> : =D, A^, B^, u32    @ 2.0 sm_20 ; rule=video
vsub      D=<int32> A=<int32> B=<int32> .sat? : =D^, A^, B^, u32?     @ 2.0 sm_20 ; rule=video
vabsdiff  D=<int32> A=<int32> B=<int32> .sat? <op2> : =D, A^, B^, u32    @ 2.0 sm_20 ; rule=video
vabsdiff  D=<int32> A=<int32> B=<int32> .sat? : =D^, A^, B^, u32?     @ 2.0 sm_20 ; rule=video
vmin      D=<int32> A=<int32> B=<int32> .sat? <op2> : =D, A^, B^, u32    @ 2.0 sm_20 ; rule=video
vmin      D=<int32> A=<int32> B=<int32> .sat? : =D^, A^, B^, u32?     @ 2.0 sm_20 ; rule=video
vmax      D=<int32> A=<int32> B=<int32> .sat? <op2> : =D, A^, B^, u32    @ 2.0 sm_20 ; rule=video
vmax      D=<int32> A=<int32> B=<int32> .sat? : =D^, A^, B^, u32?     @ 2.0 sm_20 ; rule=video
vshl      D=<int32> A=<int32> B=.u32 .sat? .clamp/.wrap <op2> : =D, A^, B^, u32    @ 2.0 sm_20 ; rule=video
vshl      D=<int32> A=<int32> B=.u32 .sat? .clamp/.wrap : =D^, A^, B^, u32?     @ 2.0 sm_20 ; rule=video
vshr      D=<int32> A=<int32> B=.u32 .sat? .clamp/.wrap <op2> : =D, A^, B^, u32    @ 2.0 sm_20 ; rule=video
vshr      D=<int32> A=<int32> B=.u32 .sat? .clamp/.wrap : =D^, A^, B^, u32?     @ 2.0 sm_20 ; rule=video
vset      A=<int32> B=<int32> .eq/.ne/.lt/.le/.gt/.ge <op2> : =u32, A^, B^, u32 @ 2.0 sm_20 ; rule=video
vset      A=<int32> B=<int32> .eq/.ne/.lt/.le/.gt/.ge : =u32^, A^, B^, u32?  @ 2.0 sm_20 ; rule=video
vmad      D=<int32> A=<int32> B=<int32> .po? .sat? .shr7/.shr15? : =D, A^-, B^-, u32- @ 2.0 sm_20 ; rule=video
vadd2     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vsub2     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vavrg2    D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vabsdiff2 D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vmin2     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vmax2     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vset2     A=<int32> B=<int32> .eq/.ne/.lt/.le/.gt/.ge .add? : =u32^, A^, B^, u32 @ 3.0 sm_30 ; rule=video
vadd4     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vsub4     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vavrg4    D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vabsdiff4 D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vmin4     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vmax4     D=<int32> A=<int32> B=<int32> .sat/.add? : =D^, A^, B^, u32  @ 3.0 sm_30 ; rule=video
vset4     A=<int32> B=<int32> .eq/.ne/.lt/.le/.gt/.ge .add? : =u32^, A^, B^, u32 @ 3.0 sm_30 ; rule=video
brkpt                                                : -                    @ 1.0 sm_11 ; effect
nanosleep .u32                                       : u32                  @ 6.3 sm_70 ; effect
pmevent                                              : #0..15               @ 1.4 ; effect
pmevent   .mask                                      : #0..65535            @ 3.0 sm_20 ; effect
setmaxnreg.inc .sync .aligned .u32                   : #24..256:8           @ maxnreg ; effect convergent
setmaxnreg.dec .sync .aligned .u32                   : #24..256:8           @ maxnreg ; effect convergent
"""
