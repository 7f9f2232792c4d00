// Integer arithmetic (PTX ISA, 9.7.1 and 9.7.2).
#include <gtest/gtest.h>

#include <limits>

#include "grader/simulator/testing/odd_values.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

constexpr std::int32_t kMax32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

const Types kWide16{"b32", {"b16", "b16"}};
const Types kWide32{"b64", {"b32", "b32"}};

TEST(IntegerAdd, WrapsAtEveryWidth) {
  for (const char* body : {"add.s16 %x, %a, %b;", "add.u16 %x, %a, %b;"}) {
    check16(body, {{{1, 2}, 3}, {{0x7fff, 1}, 0x8000}, {{0xffff, 1}, 0}, {{-5, 3}, -2}});
  }
  for (const char* body : {"add.s32 %x, %a, %b;", "add.u32 %x, %a, %b;"}) {
    check32(body, {{{1, 2}, 3}, {{kMax32, 1}, kMin32}, {{-1, 1}, 0}, {{kMin32, kMin32}, 0}});
  }
  for (const char* body : {"add.s64 %x, %a, %b;", "add.u64 %x, %a, %b;"}) {
    check64(body, {{{1, 2}, 3}, {{kMax64, 1}, kMin64}, {{-1, 1}, 0}, {{0xffffffff, 1}, 1LL << 32}});
  }
}

TEST(IntegerAdd, TakesImmediates) {
  check32("add.s32 %x, %a, -7;", {{{10}, 3}, {{0}, -7}});
  check32("add.u32 %x, %a, 4294967295;", {{{10}, 9}});
  check32("add.s32 %x, %a, 0xFFFFFFF0;", {{{0x10}, 0}});
  check64("add.s64 %x, %a, -9223372036854775808;", {{{-1}, kMax64}});
  check64("add.s64 %x, %a, -1;", {{{0}, -1}});
  check16("add.s16 %x, %a, -1;", {{{0}, 0xffff}});
}

TEST(IntegerAdd, SaturatesWhenAsked) {
  check32("add.sat.s32 %x, %a, %b;", {{{kMax32, 1}, kMax32},
                                      {{kMin32, -1}, kMin32},
                                      {{kMin32, kMin32}, kMin32},
                                      {{kMax32, kMin32}, -1},
                                      {{5, -7}, -2}});
  check32("sub.sat.s32 %x, %a, %b;", {{{kMin32, 1}, kMin32},
                                      {{kMax32, -1}, kMax32},
                                      {{0, kMin32}, kMax32},
                                      {{-1, kMin32}, kMax32},
                                      {{5, 7}, -2}});
}

TEST(IntegerSubtract, WrapsAtEveryWidth) {
  check16("sub.s16 %x, %a, %b;", {{{1, 2}, -1}, {{0x8000, 1}, 0x7fff}});
  check16("sub.u16 %x, %a, %b;", {{{1, 2}, 0xffff}});
  check32("sub.s32 %x, %a, %b;", {{{1, 2}, -1}, {{kMin32, 1}, kMax32}, {{0, kMin32}, kMin32}});
  check32("sub.u32 %x, %a, %b;", {{{1, 2}, 0xffffffff}});
  check64("sub.s64 %x, %a, %b;", {{{1, 2}, -1}, {{kMin64, 1}, kMax64}});
  check64("sub.u64 %x, %a, %b;", {{{1LL << 32, 1}, 0xffffffff}});
}

TEST(IntegerMultiply, LowHalfIsTheProductModuloTheWidth) {
  check16("mul.lo.s16 %x, %a, %b;", {{{-3, 7}, -21}, {{0x100, 0x100}, 0}, {{-1, -1}, 1}});
  check16("mul.lo.u16 %x, %a, %b;", {{{0xffff, 0xffff}, 1}});
  check32("mul.lo.s32 %x, %a, %b;",
          {{{-3, 7}, -21}, {{0x10000, 0x10000}, 0}, {{kMin32, -1}, kMin32}});
  check32("mul.lo.u32 %x, %a, %b;",
          {{{0xffffffff, 0xffffffff}, 1}, {{0x12345678, 16}, 0x23456780}});
  check64("mul.lo.s64 %x, %a, %b;", {{{-3, 7}, -21}, {{1LL << 40, 1LL << 40}, 0}});
  check64("mul.lo.u64 %x, %a, %b;", {{{-1, -1}, 1}, {{0x100000001, 0x100000001}, 0x200000001}});
}

TEST(IntegerMultiply, HighHalfKnowsTheSign) {
  check16("mul.hi.s16 %x, %a, %b;", {{{-1, -1}, 0}, {{-1, 1}, -1}, {{0x8000, 0x8000}, 0x4000}});
  check16("mul.hi.u16 %x, %a, %b;", {{{0xffff, 0xffff}, 0xfffe}, {{0x8000, 2}, 1}});
  check32("mul.hi.s32 %x, %a, %b;", {{{-1, -1}, 0},
                                     {{-1, 1}, -1},
                                     {{kMin32, kMin32}, 0x40000000},
                                     {{kMin32, kMax32}, 0xC0000000}});
  check32("mul.hi.u32 %x, %a, %b;", {{{-1, -1}, 0xfffffffe}, {{kMin32, 2}, 1}, {{3, 5}, 0}});
  check64("mul.hi.s64 %x, %a, %b;", {{{-1, -1}, 0},
                                     {{-1, 1}, -1},
                                     {{kMin64, kMin64}, 1LL << 62},
                                     {{kMax64, kMax64}, (1LL << 62) - 1}});
  check64("mul.hi.u64 %x, %a, %b;",
          {{{-1, -1}, -2}, {{kMin64, 2}, 1}, {{1LL << 40, 1LL << 40}, 1 << 16}});
}

TEST(IntegerMultiply, WideGivesTheWholeProduct) {
  check(kWide16, "mul.wide.s16 %x, %a, %b;",
        {{{-1, 0x7fff}, -32767}, {{0x8000, 0x8000}, 0x40000000}});
  check(kWide16, "mul.wide.u16 %x, %a, %b;", {{{0xffff, 0xffff}, 0xfffe0001}});
  check(kWide32, "mul.wide.s32 %x, %a, %b;",
        {{{-1, kMax32}, -2147483647LL}, {{kMin32, kMin32}, 1LL << 62}});
  check(kWide32, "mul.wide.u32 %x, %a, %b;",
        {{{-1, -1}, 0xfffffffe00000001}, {{-1, 4}, 0x3fffffffc}});
  check({"b64", {"b32"}}, "mul.wide.s32 %x, %a, -4;", {{{-3}, 12}, {{kMin32}, 1LL << 33}});
}

TEST(IntegerMad, AddsToEachHalf) {
  check16("mad.lo.u16 %x, %a, %b, %c;", {{{3, 5, 0xffff}, 14}});
  check16("mad.hi.s16 %x, %a, %b, %c;", {{{0x8000, 0x8000, -1}, 0x3fff}});
  check32("mad.lo.s32 %x, %a, %b, %c;", {{{3, -5, 7}, -8}, {{kMax32, 2, 2}, 0}});
  check32("mad.lo.u32 %x, %a, %b, %c;", {{{-1, -1, -1}, 0}});
  check32("mad.hi.s32 %x, %a, %b, %c;", {{{kMin32, kMin32, 1}, 0x40000001}, {{-1, 1, 1}, 0}});
  check32("mad.hi.u32 %x, %a, %b, %c;", {{{-1, -1, 3}, 1}});
  check64("mad.lo.s64 %x, %a, %b, %c;", {{{3, -5, 7}, -8}});
  check64("mad.lo.u64 %x, %a, %b, %c;", {{{1LL << 33, 1LL << 33, 9}, 9}});
  check64("mad.hi.u64 %x, %a, %b, %c;", {{{-1, -1, 3}, 1}});
  check64("mad.hi.s64 %x, %a, %b, %c;", {{{-1, 1, 1}, 0}});
}

TEST(IntegerMad, WideAddsATermOfTwiceTheWidth) {
  check({"b32", {"b16", "b16", "b32"}}, "mad.wide.s16 %x, %a, %b, %c;", {{{-2, 3, 5}, -1}});
  check({"b32", {"b16", "b16", "b32"}}, "mad.wide.u16 %x, %a, %b, %c;",
        {{{0xffff, 2, 1}, 0x1ffff}});
  check({"b64", {"b32", "b32", "b64"}}, "mad.wide.s32 %x, %a, %b, %c;",
        {{{-2, 3, 5}, -1}, {{kMin32, 4, 1LL << 40}, (1LL << 40) - (1LL << 33)}});
  check({"b64", {"b32", "b32", "b64"}}, "mad.wide.u32 %x, %a, %b, %c;",
        {{{-1, -1, -1}, 0xfffffffe00000000}, {{-2, 4, 8}, 0x400000000}});
}

TEST(IntegerMad, HighHalfSaturatesWhenAsked) {
  check32("mad.hi.sat.s32 %x, %a, %b, %c;", {{{kMin32, kMin32, kMax32}, kMax32},
                                             {{kMin32, kMax32, kMin32}, kMin32},
                                             {{1 << 16, 1 << 17, 5}, 7}});
}

TEST(Multiply24, UsesTheLow24BitsOfItsOperands) {
  check32("mul24.lo.u32 %x, %a, %b;", {{{0x1000003, 5}, 15}, {{0xffffff, 0xffffff}, 0xfe000001}});
  check32("mul24.lo.s32 %x, %a, %b;", {{{0xffffff, 5}, -5}, {{0x800000, 2}, -16777216}});
  // The high form gives bits 47..16 of the product.
  check32("mul24.hi.u32 %x, %a, %b;",
          {{{0xffffff, 0xffffff}, 0xfffffe00}, {{0x10000, 0x10000}, 0x10000}});
  check32("mul24.hi.s32 %x, %a, %b;", {{{0xffffff, 1}, -1}, {{0x800000, 0x800000}, 0x40000000}});
  check32("mad24.lo.u32 %x, %a, %b, %c;", {{{0x1000003, 5, 7}, 22}});
  check32("mad24.lo.s32 %x, %a, %b, %c;", {{{0xffffff, 5, 7}, 2}});
  check32("mad24.hi.u32 %x, %a, %b, %c;", {{{0x10000, 0x10000, 1}, 0x10001}});
  check32("mad24.hi.sat.s32 %x, %a, %b, %c;",
          {{{0x800000, 0x800000, kMax32}, kMax32}, {{1, 1, 4}, 4}});
}

TEST(IntegerSad, AddsTheAbsoluteDifference) {
  check32("sad.u32 %x, %a, %b, %c;", {{{3, 5, 10}, 12}, {{-1, 0, 1}, 0}, {{0, -1, 1}, 0}});
  check32("sad.s32 %x, %a, %b, %c;",
          {{{-3, 5, 10}, 18}, {{5, -3, 0}, 8}, {{kMin32, kMax32, 0}, -1}});
  check16("sad.s16 %x, %a, %b, %c;", {{{-3, 5, 10}, 18}});
  check16("sad.u16 %x, %a, %b, %c;", {{{0xffff, 0, 0}, 0xffff}});
  check64("sad.s64 %x, %a, %b, %c;", {{{-3, 5, 10}, 18}});
  check64("sad.u64 %x, %a, %b, %c;", {{{3, 5, -1}, 1}});
}

TEST(IntegerDivide, TruncatesTowardsZero) {
  check16("div.s16 %x, %a, %b;", {{{-7, 2}, -3}, {{7, -2}, -3}, {{0x8000, 2}, -16384}});
  check16("div.u16 %x, %a, %b;", {{{0xffff, 2}, 0x7fff}});
  check32("div.s32 %x, %a, %b;",
          {{{-7, 2}, -3}, {{7, -2}, -3}, {{-7, -2}, 3}, {{kMin32, 2}, -(1 << 30)}});
  check32("div.u32 %x, %a, %b;", {{{-1, 2}, kMax32}, {{7, 8}, 0}, {{kMin32, -1}, 0}});
  check64("div.s64 %x, %a, %b;", {{{-7, 2}, -3}, {{kMin64, 2}, -(1LL << 62)}});
  check64("div.u64 %x, %a, %b;", {{{-1, 2}, kMax64}, {{1LL << 40, 1 << 20}, 1 << 20}});
}

TEST(IntegerRemainder, HasTheSignOfTheDividend) {
  check16("rem.s16 %x, %a, %b;", {{{-7, 2}, -1}, {{7, -2}, 1}});
  check16("rem.u16 %x, %a, %b;", {{{0xffff, 10}, 5}});
  check32("rem.s32 %x, %a, %b;",
          {{{-7, 2}, -1}, {{7, -2}, 1}, {{-8, 2}, 0}, {{kMin32, kMax32}, -1}});
  check32("rem.u32 %x, %a, %b;", {{{-1, 10}, 5}, {{7, 8}, 7}});
  check64("rem.s64 %x, %a, %b;", {{{-7, 2}, -1}, {{kMin64, 10}, -8}});
  check64("rem.u64 %x, %a, %b;", {{{-1, 10}, 5}});
}

// The ISA leaves the value to the machine; the program has to go on.
TEST(IntegerDivide, ByZeroAndOverflowDoNotEndTheProgram) {
  const std::vector<std::vector<Bits>> by_zero = {{1, 0}, {0, 0}, {kMin32, 0}, {kMin32, -1}};
  const std::vector<std::vector<Bits>> by_zero64 = {{1, 0}, {0, 0}, {kMin64, 0}, {kMin64, -1}};
  for (const char* body : {"div.s32 %x, %a, %b;", "div.u32 %x, %a, %b;", "rem.s32 %x, %a, %b;",
                           "rem.u32 %x, %a, %b;"}) {
    EXPECT_EQ(evaluate({"b32", {"b32", "b32"}}, body, by_zero).size(), 4u);
  }
  for (const char* body : {"div.s64 %x, %a, %b;", "div.u64 %x, %a, %b;", "rem.s64 %x, %a, %b;",
                           "rem.u64 %x, %a, %b;"}) {
    EXPECT_EQ(evaluate({"b64", {"b64", "b64"}}, body, by_zero64).size(), 4u);
  }
  for (const char* body : {"div.s16 %x, %a, %b;", "div.u16 %x, %a, %b;", "rem.s16 %x, %a, %b;"}) {
    EXPECT_EQ(evaluate({"b16", {"b16", "b16"}}, body, {{1, 0}, {0x8000, -1}}).size(), 2u);
  }
}

TEST(IntegerDivide, ARemainderByZeroIsAllOnes) {
  // Measured on an H100.
  check32("rem.u32 %x, %a, %b;", {{{7, 0}, -1}});
  check32("rem.s32 %x, %a, %b;", {{{7, 0}, -1}});
  check64("rem.u64 %x, %a, %b;", {{{7, 0}, -1}});
}

TEST(IntegerAbsAndNeg, WrapAtTheSmallestNumber) {
  check16("abs.s16 %x, %a;", {{{-5}, 5}, {{5}, 5}, {{0x8000}, 0x8000}});
  check32("abs.s32 %x, %a;", {{{-5}, 5}, {{5}, 5}, {{0}, 0}, {{kMin32}, kMin32}});
  check64("abs.s64 %x, %a;", {{{-5}, 5}, {{kMin64}, kMin64}});
  check16("neg.s16 %x, %a;", {{{-5}, 5}, {{0x8000}, 0x8000}});
  check32("neg.s32 %x, %a;", {{{-5}, 5}, {{5}, -5}, {{0}, 0}, {{kMin32}, kMin32}});
  check64("neg.s64 %x, %a;", {{{-5}, 5}, {{kMin64}, kMin64}});
}

TEST(IntegerMinMax, CompareSignedOrUnsigned) {
  check16("min.s16 %x, %a, %b;", {{{-1, 1}, -1}});
  check16("min.u16 %x, %a, %b;", {{{0xffff, 1}, 1}});
  check16("max.s16 %x, %a, %b;", {{{-1, 1}, 1}});
  check16("max.u16 %x, %a, %b;", {{{0xffff, 1}, 0xffff}});
  check32("min.s32 %x, %a, %b;", {{{-1, 1}, -1}, {{kMin32, kMax32}, kMin32}, {{4, 4}, 4}});
  check32("min.u32 %x, %a, %b;", {{{-1, 1}, 1}, {{kMin32, kMax32}, kMax32}});
  check32("max.s32 %x, %a, %b;", {{{-1, 1}, 1}, {{kMin32, kMax32}, kMax32}});
  check32("max.u32 %x, %a, %b;", {{{-1, 1}, -1}, {{kMin32, kMax32}, kMin32}});
  check64("min.s64 %x, %a, %b;", {{{-1, 1}, -1}, {{1LL << 32, 1}, 1}});
  check64("min.u64 %x, %a, %b;", {{{-1, 1}, 1}});
  check64("max.s64 %x, %a, %b;", {{{-1, 1}, 1}, {{1LL << 32, 1}, 1LL << 32}});
  check64("max.u64 %x, %a, %b;", {{{-1, 1}, -1}});
  check32("max.relu.s32 %x, %a, %b;", {{{-5, -3}, 0}, {{-5, 3}, 3}});
  check32("min.relu.s32 %x, %a, %b;", {{{-5, 3}, 0}, {{5, 3}, 3}});
}

TEST(IntegerMinMax, WorkOnPairsOfHalfWords) {
  check32("max.s16x2 %x, %a, %b;", {{{0x0001ffff, 0xffff0001}, 0x00010001}});
  check32("max.u16x2 %x, %a, %b;", {{{0x0001ffff, 0xffff0001}, 0xffffffff}});
  check32("min.s16x2 %x, %a, %b;", {{{0x0001ffff, 0xffff0001}, 0xffffffff}});
  check32("max.relu.s16x2 %x, %a, %b;", {{{0x0001ffff, 0xfffffffe}, 0x00010000}});
}

TEST(IntegerAdd, WorksOnPairsOfHalfWords) {
  for (const char* body : {"add.u16x2 %x, %a, %b;", "add.s16x2 %x, %a, %b;"}) {
    check32(body, {{{0x0001ffff, 0xffff0001}, 0}, {{0x00010002, 0x00030004}, 0x00040006}});
  }
}

TEST(CarryChain, AddsNumbersOfSeveralWords) {
  const char* add128 =
      "{ .reg .b32 %a0, %a1, %b0, %b1, %s0, %s1, %s2;\n"
      "  mov.b64 {%a0, %a1}, %a; mov.b64 {%b0, %b1}, %b;\n"
      "  add.cc.u32 %s0, %a0, %b0;\n  addc.cc.u32 %s1, %a1, %b1;\n  addc.u32 %s2, 0, 0;\n"
      "  WHAT }";
  const auto with = [&](const std::string& last) {
    std::string body = add128;
    return body.replace(body.find("WHAT"), 4, last);
  };
  check64(with("mov.b64 %x, {%s0, %s1};"),
          {{{0xffffffff, 1}, 1LL << 32}, {{-1, 1}, 0}, {{-1, -1}, -2}, {{5, 6}, 11}});
  check64(with("cvt.u64.u32 %x, %s2;"),
          {{{0xffffffff, 1}, 0}, {{-1, 1}, 1}, {{-1, -1}, 1}, {{5, 6}, 0}});
}

TEST(CarryChain, CountsTheCarryInEvenWhenItAloneOverflows) {
  check32("add.cc.u32 %r0, 0xffffffff, 1; addc.cc.u32 %x, %a, %b; addc.u32 %x, 0, 0;",
          {{{-1, 0}, 1}, {{-1, -1}, 1}, {{-2, 0}, 0}, {{0, 0}, 0}});
}

TEST(CarryChain, SubtractsWithBorrow) {
  const char* body =
      "{ .reg .b32 %a0, %a1, %b0, %b1, %s0, %s1;\n"
      "  mov.b64 {%a0, %a1}, %a; mov.b64 {%b0, %b1}, %b;\n"
      "  sub.cc.u32 %s0, %a0, %b0;\n  subc.u32 %s1, %a1, %b1;\n  mov.b64 %x, {%s0, %s1}; }";
  check64(body, {{{1LL << 32, 1}, 0xffffffff}, {{0, 1}, -1}, {{kMin64, 1}, kMax64}, {{7, 5}, 2}});
  check32("sub.cc.u32 %r0, %a, %b; subc.u32 %x, 0, 0;", {{{1, 2}, -1}, {{2, 1}, 0}, {{2, 2}, 0}});
  check32("sub.cc.u32 %r0, 0, 1; subc.cc.u32 %r1, %a, %b; subc.u32 %x, 0, 0;",
          {{{2, 2}, -1}, {{3, 2}, 0}, {{0, -1}, -1}});
  check32("sub.cc.s32 %r0, %a, %b; subc.s32 %x, 10, 3;", {{{1, 2}, 6}, {{2, 1}, 7}});
}

TEST(CarryChain, ASubtractionThatBorrowsCarriesNothing) {
  check32("sub.cc.u32 %r0, %a, %b; addc.u32 %x, 0, 0;", {{{1, 2}, 0}, {{2, 1}, 1}, {{2, 2}, 1}});
  check32("add.cc.u32 %r0, %a, %b; subc.u32 %x, 0, 0;", {{{1, 2}, -1}, {{-1, 1}, 0}});
}

TEST(CarryChain, Works64BitsAtATime) {
  check64("add.cc.u64 %rd0, %a, %b; addc.u64 %x, 0, 0;", {{{-1, 1}, 1}, {{kMax64, 1}, 0}});
  check64("sub.cc.u64 %rd0, %a, %b; subc.u64 %x, 0, 0;", {{{0, 1}, -1}, {{1, 1}, 0}});
}

TEST(CarryChain, MultipliesNumbersOfSeveralWords) {
  // The high 64 bits of a 64 x 64 product out of 32-bit pieces, as compilers write it.
  const char* body =
      "{ .reg .b32 %a0, %a1, %b0, %b1, %p0_, %p1_, %p2_, %p3_;\n"
      "  mov.b64 {%a0, %a1}, %a; mov.b64 {%b0, %b1}, %b;\n"
      "  mul.lo.u32 %p0_, %a0, %b0;\n  mul.hi.u32 %p1_, %a0, %b0;\n"
      "  mad.lo.cc.u32 %p1_, %a0, %b1, %p1_;\n  madc.hi.u32 %p2_, %a0, %b1, 0;\n"
      "  mad.lo.cc.u32 %p1_, %a1, %b0, %p1_;\n  madc.hi.cc.u32 %p2_, %a1, %b0, %p2_;\n"
      "  addc.u32 %p3_, 0, 0;\n"
      "  mad.lo.cc.u32 %p2_, %a1, %b1, %p2_;\n  madc.hi.u32 %p3_, %a1, %b1, %p3_;\n"
      "  mov.b64 %x, {%p2_, %p3_}; }";
  check64(body, {{{-1, -1}, -2},
                 {{1LL << 40, 1LL << 40}, 1 << 16},
                 {{0xffffffff, 0xffffffff}, 0},
                 {{0x123456789abcdef0, 0xfedcba9876543210}, 0x121fa00ad77d7422}});
}

TEST(DotProduct, AddsFourProductsOfBytes) {
  check32("dp4a.u32.u32 %x, %a, %b, %c;",
          {{{0x01020304, 0x05060708, 100}, 170}, {{-1, -1, 0}, 260100}});
  check32("dp4a.s32.s32 %x, %a, %b, %c;", {{{0xff020304, 0x01010101, 0}, 8}, {{-1, -1, -4}, 0}});
  check32("dp4a.u32.s32 %x, %a, %b, %c;", {{{0xff000000, 0xff000000, 0}, -255}});
  check32("dp4a.s32.u32 %x, %a, %b, %c;", {{{0x80000000, 0xff000000, 0}, -32640}});
}

TEST(DotProduct, AddsTwoProductsOfAHalfWordAndAByte) {
  check32("dp2a.lo.u32.u32 %x, %a, %b, %c;", {{{0x00020003, 0x07060504, 1}, 3 * 4 + 2 * 5 + 1}});
  check32("dp2a.hi.u32.u32 %x, %a, %b, %c;", {{{0x00020003, 0x07060504, 1}, 3 * 6 + 2 * 7 + 1}});
  check32("dp2a.lo.s32.s32 %x, %a, %b, %c;", {{{0xffff8000, 0x00007ffe, 0}, 32768 * 2 - 127}});
  check32("dp2a.hi.s32.u32 %x, %a, %b, %c;", {{{0xffff0001, 0xff020000, 0}, -253}});
  check32("dp2a.lo.u32.s32 %x, %a, %b, %c;", {{{0xffff0001, 0x000000ff, 0}, -1}});
}

}  // namespace
}  // namespace tessera::test
