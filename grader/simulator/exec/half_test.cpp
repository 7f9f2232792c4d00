// 16-bit floats: f16, bf16 and their pairs (PTX ISA, 9.7.4, 9.7.5 and 9.7.9).
#include <gtest/gtest.h>

#include <limits>

#include "grader/simulator/testing/odd_values.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

const Types kTo16{"b16", {"b32"}};
const Types kFrom16{"b32", {"b16"}};

// f16 patterns.
constexpr int k1 = 0x3c00, k1Up = 0x3c01, k2 = 0x4000, k3 = 0x4200, kMinus1 = 0xbc00,
              kHalf = 0x3800, kQuarter = 0x3400, kMaxH = 0x7bff, kInfH = 0x7c00,
              kMinusInfH = 0xfc00, kNanH = 0x7e01, kMinusZero = 0x8000, kDenormH = 0x0001;
// bf16 patterns.
constexpr int kB1 = 0x3f80, kB1Up = 0x3f81, kB2 = 0x4000, kB3 = 0x4040, kBMinus1 = 0xbf80,
              kBMax = 0x7f7f, kBInf = 0x7f80, kBNan = 0x7fc1;

TEST(ConvertHalf, WideningIsExact) {
  check(kFrom16, "cvt.f32.f16 %x, %a;",
        {{{k1}, 1.0f},
         {{kDenormH}, 0x1p-24f},
         {{0x03ff}, 0x1.ff8p-15f},
         {{kMaxH}, 65504.0f},
         {{kMinusInfH}, -kInf},
         {{kMinusZero}, -0.0f},
         {{kNanH}, Bits::nan()},
         {{0x3555}, 0x1.554p-2f}});
  check(kFrom16, "cvt.f32.bf16 %x, %a;",
        {{{kB1}, 1.0f}, {{0x0001}, 0x1p-133f}, {{kBMax}, 0x1.fep127f}, {{0xff80}, -kInf}});
  check({"b64", {"b16"}}, "cvt.f64.f16 %x, %a;", {{{k1Up}, 0x1.004p0}, {{kDenormH}, 0x1p-24}});
}

TEST(ConvertHalf, NarrowingRoundsToEven) {
  check(kTo16, "cvt.rn.f16.f32 %x, %a;",
        {{{1.0f}, k1},
         {{0x1.002p0f}, k1},
         {{0x1.003p0f}, k1Up},
         {{0x1.006p0f}, 0x3c02},
         {{65504.0f}, kMaxH},
         {{65519.0f}, kMaxH},
         {{65520.0f}, kInfH},
         {{-1e9f}, kMinusInfH},
         {{0x1p-24f}, kDenormH},
         {{0x1p-25f}, 0},
         {{0x1.8p-25f}, kDenormH},
         {{-0x1p-26f}, kMinusZero},
         {{0x1.ffbp-15f}, 0x03ff},
         {{0x1.ffcp-15f}, 0x0400},
         {{kInf}, kInfH},
         {{kOtherNan}, kNan16}});
  check(kTo16, "cvt.rz.f16.f32 %x, %a;",
        {{{0x1.003p0f}, k1},
         {{-0x1.003p0f}, kMinus1},
         {{65520.0f}, kMaxH},
         {{1e9f}, kMaxH},
         {{0x1.8p-25f}, 0}});
  check(kTo16, "cvt.rn.bf16.f32 %x, %a;",
        {{{1.0f}, kB1},
         {{0x1.01p0f}, kB1},
         {{0x1.018p0f}, kB1Up},
         {{0x1.03p0f}, 0x3f82},
         {{std::numeric_limits<float>::max()}, kBInf},
         {{0x1.fep127f}, kBMax},
         {{0x1p-133f}, 1},
         {{kOtherNan}, kNan16},
         {{-kInf}, 0xff80}});
  check(kTo16, "cvt.rz.bf16.f32 %x, %a;",
        {{{0x1.01fp0f}, kB1}, {{std::numeric_limits<float>::max()}, kBMax}});
  check({"b16", {"b64"}}, "cvt.rn.f16.f64 %x, %a;",
        {{{0x1.0020000001p0}, k1Up}, {{0x1.002p0}, k1}, {{1e300}, kInfH}});
}

TEST(ConvertHalf, DirectedFormsExistForF16) {
  check(kTo16, "cvt.rm.f16.f32 %x, %a;",
        {{{0x1.003p0f}, k1}, {{-0x1.001p0f}, 0xbc01}, {{1e9f}, kMaxH}, {{-1e9f}, kMinusInfH}});
  check(kTo16, "cvt.rp.f16.f32 %x, %a;",
        {{{0x1.001p0f}, k1Up}, {{-0x1.003p0f}, kMinus1}, {{1e9f}, kInfH}, {{0x1p-30f}, kDenormH}});
}

TEST(ConvertHalf, PacksTheFirstOperandIntoTheUpperHalf) {
  check32("cvt.rn.f16x2.f32 %x, %a, %b;",
          {{{1.0f, 2.0f}, 0x3c004000}, {{-0.0f, kInf}, 0x80007c00}});
  check32("cvt.rz.f16x2.f32 %x, %a, %b;", {{{0x1.003p0f, 2.0f}, 0x3c004000}});
  check32("cvt.rn.bf16x2.f32 %x, %a, %b;", {{{1.0f, 2.0f}, 0x3f804000}});
  check(kTo16, "cvt.rn.relu.f16.f32 %x, %a;", {{{-2.0f}, 0}, {{2.0f}, k2}, {{kOtherNan}, kNan16}});
}

TEST(ConvertHalf, KnowsIntegers) {
  check(kTo16, "cvt.rn.f16.s32 %x, %a;", {{{-3}, 0xc200}, {{2049}, 0x6800}, {{70000}, kInfH}});
  check({"b16", {"b16"}}, "cvt.rn.f16.u16 %x, %a;", {{{3}, k3}, {{65535}, kInfH}});
  check(kFrom16, "cvt.rzi.s32.f16 %x, %a;", {{{0xc380}, -3}, {{kInfH}, 0x7fffffff}, {{kNanH}, 0}});
  check(kFrom16, "cvt.rni.u32.f16 %x, %a;", {{{0x3e00}, 2}, {{kMinus1}, 0}});
  check16("cvt.rni.f16.f16 %x, %a;", {{{0x3e00}, k2}, {{kHalf}, 0}});
  check16("cvt.rpi.f16.f16 %x, %a;", {{{kDenormH}, k1}});
}

TEST(HalfArithmetic, RoundsToEven) {
  check16("add.f16 %x, %a, %b;", {{{k1, k2}, k3},
                                  {{kMaxH, kMaxH}, kInfH},
                                  {{kInfH, kMinusInfH}, kNan16},
                                  {{kDenormH, kDenormH}, 2},
                                  {{k1, 0x1000}, k1},
                                  {{k1Up, 0x1000}, 0x3c02}});
  check16("add.rn.f16 %x, %a, %b;", {{{k1, k2}, k3}});
  check16("sub.f16 %x, %a, %b;", {{{k1, k2}, kMinus1}, {{k1, k1}, 0}});
  check16("mul.f16 %x, %a, %b;", {{{k3, kHalf}, 0x3e00},
                                  {{k1Up, k1Up}, 0x3c02},
                                  {{kInfH, 0}, kNan16},
                                  {{kDenormH, kHalf}, 0}});
  check16("fma.rn.f16 %x, %a, %b, %c;", {{{k1Up, k1Up, 0xbc02}, 0x0010}, {{k2, k3, k1}, 0x4700}});
  check16("neg.f16 %x, %a;", {{{k1}, kMinus1}, {{0}, kMinusZero}, {{kNanH}, 0x7fff}});
  check16("abs.f16 %x, %a;", {{{kMinus1}, k1}, {{kMinusZero}, 0}, {{kNanH}, 0x7fff}});
  check16("neg.bf16 %x, %a;", {{{kB1}, kBMinus1}, {{kBNan}, 0x7fff}});
}

TEST(HalfArithmetic, SaturatesAndFlushes) {
  check16("add.sat.f16 %x, %a, %b;", {{{k1, k1}, k1}, {{kMinus1, kHalf}, 0}, {{kNanH, k1}, 0}});
  check16("mul.sat.f16 %x, %a, %b;", {{{kHalf, kHalf}, kQuarter}});
  check16("add.ftz.f16 %x, %a, %b;", {{{kDenormH, kDenormH}, 0}, {{k1, kDenormH}, k1}});
  check16("mul.ftz.f16 %x, %a, %b;", {{{0x0400, kHalf}, 0}, {{0x8400, kHalf}, kMinusZero}});
  check16("fma.rn.sat.f16 %x, %a, %b, %c;", {{{k2, k3, k1}, k1}});
  check16("fma.rn.relu.f16 %x, %a, %b, %c;", {{{k2, kMinus1, k1}, 0}, {{k2, k1, k1}, k3}});
}

TEST(HalfArithmetic, MinAndMaxPreferNumbers) {
  check16("min.f16 %x, %a, %b;", {{{k1, k2}, k1},
                                  {{kNanH, k2}, k2},
                                  {{kMinusZero, 0}, kMinusZero},
                                  {{kNanH, 0xfe02}, kNan16}});
  check16("max.f16 %x, %a, %b;", {{{k1, k2}, k2}, {{k1, kNanH}, k1}, {{kMinusZero, 0}, 0}});
  check16("min.NaN.f16 %x, %a, %b;", {{{kNanH, k2}, kNan16}, {{k1, k2}, k1}});
  check16("max.NaN.f16 %x, %a, %b;", {{{k1, kNanH}, kNan16}});
}

TEST(HalfArithmetic, WorksOnPairs) {
  check32("add.f16x2 %x, %a, %b;",
          {{{0x3c004000, 0x3c003c00}, 0x40004200}, {{0x7c003c00, 0xfc003c00}, 0x7fff4000}});
  check32("sub.f16x2 %x, %a, %b;", {{{0x3c004000, 0x3c003c00}, 0x00003c00}});
  check32("mul.f16x2 %x, %a, %b;", {{{0x3c004200, 0xbc003800}, 0xbc003e00}});
  check32("fma.rn.f16x2 %x, %a, %b, %c;", {{{0x40003c01, 0x42003c01, 0x3c00bc02}, 0x47000010}});
  check32("neg.f16x2 %x, %a;", {{{0x3c008000}, 0xbc000000}});
  check32("abs.f16x2 %x, %a;", {{{0xbc008000}, 0x3c000000}});
  check32("min.f16x2 %x, %a, %b;", {{{0x3c004000, 0x40003c00}, 0x3c003c00}});
  check32("max.f16x2 %x, %a, %b;", {{{0x3c007e01, 0x40003c00}, 0x40003c00}});
}

TEST(BrainFloat, IsRoundedOnce) {
  check16("fma.rn.bf16 %x, %a, %b, %c;", {{{kB2, kB3, kB1}, 0x40e0},
                                          {{kB1Up, kB1Up, 0xbf82}, 0x3880},
                                          {{kBMax, kB2, 0}, kBInf},
                                          {{kBInf, 0, 0}, kNan16}});
  check16("add.bf16 %x, %a, %b;", {{{kB1, kB2}, kB3},
                                   {{kB1, 0x3b80}, kB1},
                                   {{kB1Up, 0x3b80}, 0x3f82},
                                   {{kBMax, kBMax}, kBInf}});
  check16("sub.bf16 %x, %a, %b;", {{{kB1, kB2}, kBMinus1}});
  check16("mul.bf16 %x, %a, %b;", {{{kB3, kB2}, 0x40c0}, {{kB1Up, kB1Up}, 0x3f82}});
  check16("neg.bf16 %x, %a;", {{{kB1}, kBMinus1}});
  check16("abs.bf16 %x, %a;", {{{kBMinus1}, kB1}});
  check16("min.bf16 %x, %a, %b;", {{{kB1, kB2}, kB1}, {{kBNan, kB2}, kB2}});
  check16("max.bf16 %x, %a, %b;", {{{kB1, kB2}, kB2}, {{kBNan, kBNan}, kNan16}});
  check32("fma.rn.bf16x2 %x, %a, %b, %c;", {{{0x40003f80, 0x40403f80, 0x3f803f80}, 0x40e04000}});
  check32("add.bf16x2 %x, %a, %b;", {{{0x3f804000, 0x40003f80}, 0x40404040}});
  check32("mul.bf16x2 %x, %a, %b;", {{{0x3f804000, 0x40004000}, 0x40004080}});
  check32("max.bf16x2 %x, %a, %b;", {{{0x3f804000, 0x40003f80}, 0x40004000}});
}

TEST(HalfCompare, SetsPredicates) {
  const Types types{"b32", {"b16", "b16"}};
  check(types, "setp.lt.f16 %p0, %a, %b; selp.u32 %x, 1, 0, %p0;",
        {{{k1, k2}, 1}, {{k2, k1}, 0}, {{kNanH, k1}, 0}, {{kMinusZero, 0}, 0}});
  check(types, "setp.geu.f16 %p0, %a, %b; selp.u32 %x, 1, 0, %p0;",
        {{{k1, k2}, 0}, {{kNanH, k1}, 1}, {{k1, k1}, 1}});
  check(types, "setp.eq.bf16 %p0, %a, %b; selp.u32 %x, 1, 0, %p0;",
        {{{kB1, kB1}, 1}, {{kBNan, kBNan}, 0}, {{0, kMinusZero}, 1}});
  // On pairs the first predicate is for the lower half, the second for the upper.
  check32("setp.gt.f16x2 %p0|%p1, %a, %b; selp.u32 %x, 1, 0, %p0; @%p1 or.b32 %x, %x, 2;",
          {{{0x3c004000, 0x40003c00}, 1},
           {{0x40003c00, 0x3c004000}, 2},
           {{0x40004000, 0x3c003c00}, 3},
           {{0x7e014000, 0x3c003c00}, 1}});
}

TEST(HalfCompare, SetGivesMasksOrOnes) {
  check({"b16", {"b16", "b16"}}, "set.lt.f16.f16 %x, %a, %b;", {{{k1, k2}, k1}, {{k2, k1}, 0}});
  check({"b32", {"b16", "b16"}}, "set.lt.u32.f16 %x, %a, %b;", {{{k1, k2}, -1}, {{kNanH, k1}, 0}});
  check32("set.gt.f16x2.f16x2 %x, %a, %b;", {{{0x3c004000, 0x40003c00}, 0x00003c00}});
}

TEST(HalfMath, ApproximationsAreNear) {
  check16("ex2.approx.f16 %x, %a;", {{{0}, k1}, {{k1}, k2}, {{kMinusInfH}, 0}});
  check16("tanh.approx.f16 %x, %a;", {{{0}, 0}, {{kInfH}, k1}, {{kMinusInfH}, kMinus1}});
}

}  // namespace
}  // namespace tessera::test
