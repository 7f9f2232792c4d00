#include "grader/experiment/instruction_count.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

constexpr const char* kPtx = R"(
.version 7.5
.visible .entry other(.param .u64 other_param_0)
{
	mul.f32 	%f1, %f2, %f3;
	ret;
}
.visible .entry kernel(
	.param .u64 kernel_param_0
)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<4>;
	ld.param.u64 	%rd1, [kernel_param_0];
	mov.u32 	%r1, %tid.x;
$L__BB0_1:
	.loc	1 4 7
	ld.global.nc.f32 	%f1, [%rd1];
	ld.shared.v4.f32 	{%f1, %f2, %f3, %f4}, [%r1];
	fma.rn.f32 	%f2, %f1, %f1, %f2;
	mul.rz.f32 	%f2, %f1, %f1;
	mul.rn.ftz.f32 	%f2, %f1, %f1;
	add.f32 	%f3, %f2, %f1;
	mad.lo.s32 	%r1, %r1, %r1, %r1;
	{ // callseq
	add.s32 	%r1, %r1, 1;
	}
	bar.sync 	0;
	setp.lt.s32 	%p1, %r1, 5;
	@%p1 bra 	$L__BB0_1;
	st.global.f32 	[%rd1], %f3;
	ret;
}
)";

TEST(InstructionCount, OfPtxIsByKernelAndKind) {
  const auto counts = count_ptx(kPtx, "kernel");
  EXPECT_EQ(counts.at(Metric::ptx_instructions), 15);
  EXPECT_EQ(counts.at(Metric::ptx_fma), 1);
  EXPECT_EQ(counts.at(Metric::ptx_mul), 2);
  EXPECT_EQ(counts.at(Metric::ptx_add), 1);
  EXPECT_EQ(counts.at(Metric::ptx_integer), 3) << "mad, add, setp";
  EXPECT_EQ(counts.at(Metric::ptx_loads), 2) << "parameters are none";
  EXPECT_EQ(counts.at(Metric::ptx_stores), 1);
  EXPECT_EQ(counts.at(Metric::ptx_barriers), 1);
  EXPECT_EQ(counts.at(Metric::ptx_branches), 1);
  EXPECT_EQ(count_ptx(kPtx, "other").at(Metric::ptx_instructions), 2);
  EXPECT_TRUE(count_ptx(kPtx, "kern").empty());
}

TEST(InstructionCount, OfPtxGoesByTypeWhereTheNameSaysNeither) {
  const auto counts = count_ptx(R"(
.visible .entry kernel()
{
	selp.b32 	%r1, %r2, %r3, %p1;
	setp.lt.f32 	%p1, %f1, %f2;
	min.f32 	%f1, %f1, %f2;
	min.s32 	%r1, %r1, %r2;
	add.rz.ftz.f32 	%f1, %f1, %f2;
	st.f32 	[%rd1], %f1;
	atom.global.add.u32 	%r1, [%rd1], 1;
	ret;
}
)",
                                "kernel");
  EXPECT_EQ(counts.at(Metric::ptx_integer), 2) << "selp, min.s32";
  EXPECT_EQ(counts.at(Metric::ptx_add), 1);
  EXPECT_EQ(counts.at(Metric::ptx_stores), 1) << "an atomic is none";
}

constexpr const char* kListing = R"(	.headerflags	@"EF_CUDA_SM90"
//--------------------- .text.other --------------------------
	.section	.text.other,"ax",@progbits
.text.other:
        /*0000*/                   FMUL R1, R2, R3 ;
//--------------------- .text.kernel --------------------------
	.section	.text.kernel,"ax",@progbits
	.align	128
.text.kernel:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   S2R R0, SR_TID.X ;
        /*0020*/              @!P0 IMAD R0, R0, R3, R4 ;
        /*0030*/                   IMAD.MOV.U32 R2, RZ, RZ, R4 ;
        /*0040*/                   LDG.E R5, desc[UR4][R2.64] ;
        /*0050*/                   LDS.128 R8, [R0] ;
        /*0060*/                   FFMA R5, R8, R9, R5 ;
        /*0070*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0080*/               @P1 BRA `(.L_x_1) ;
        /*0090*/                   STG.E desc[UR4][R2.64], R5 ;
        /*00a0*/                   EXIT ;
.L_x_0:
        /*00b0*/                   BRA `(.L_x_0);
        /*00c0*/                   NOP;
        /*00d0*/                   NOP;
.L_x_1:
	.section	.nv.shared.kernel,"aw",@nobits
)";

TEST(InstructionCount, OfSassIsByKernelAndKindWithoutTheFillingBehind) {
  const auto counts = count_sass(kListing, "kernel");
  EXPECT_EQ(counts.at(Metric::sass_instructions), 12);
  EXPECT_EQ(counts.at(Metric::sass_fma), 1);
  EXPECT_EQ(counts.at(Metric::sass_mul), 0);
  EXPECT_EQ(counts.at(Metric::sass_integer), 1) << "a move is written as IMAD.MOV";
  EXPECT_EQ(counts.at(Metric::sass_loads), 2);
  EXPECT_EQ(counts.at(Metric::sass_stores), 1);
  EXPECT_EQ(counts.at(Metric::sass_barriers), 1);
  EXPECT_EQ(counts.at(Metric::sass_branches), 2);
  EXPECT_TRUE(count_sass(kListing, "kern").empty());
}

TEST(InstructionCount, NothingIsDisassembledOfNothing) {
  EXPECT_FALSE(disassemble(""));
}

}  // namespace
}  // namespace tessera
