// Logic, shifts and bit fields (PTX ISA, 9.7.1 and 9.7.7).
#include <gtest/gtest.h>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

const Types kCount64{"b32", {"b64"}};         // u32 result of a 64-bit operand
const Types kShift16{"b16", {"b16", "b32"}};  // a shift count is 32 bits wide
const Types kShift64{"b64", {"b64", "b32"}};
const Types kField64{"b64", {"b64", "b32", "b32"}};

TEST(Logic, WorksBitByBitAtEveryWidth) {
  check16("and.b16 %x, %a, %b;", {{{0xff0f, 0x3cf0}, 0x3c00}});
  check32("and.b32 %x, %a, %b;", {{{0xff00ff00, 0x0ff00ff0}, 0x0f000f00}});
  check64("and.b64 %x, %a, %b;", {{{-1, 1LL << 63}, 1LL << 63}});
  check16("or.b16 %x, %a, %b;", {{{0xf00f, 0x0f00}, 0xff0f}});
  check32("or.b32 %x, %a, %b;", {{{0xff00ff00, 0x0ff00ff0}, 0xfff0fff0}});
  check64("or.b64 %x, %a, %b;", {{{1, 1LL << 63}, (1LL << 63) | 1}});
  check16("xor.b16 %x, %a, %b;", {{{0xff0f, 0xf0f0}, 0x0fff}});
  check32("xor.b32 %x, %a, %b;", {{{0xff00ff00, 0x0ff00ff0}, 0xf0f0f0f0}});
  check64("xor.b64 %x, %a, %b;", {{{-1, 1}, -2}});
  check16("not.b16 %x, %a;", {{{0xff00}, 0x00ff}});
  check32("not.b32 %x, %a;", {{{0}, -1}, {{0x12345678}, 0xedcba987}});
  check64("not.b64 %x, %a;", {{{0}, -1}});
  check16("cnot.b16 %x, %a;", {{{0}, 1}, {{7}, 0}});
  check32("cnot.b32 %x, %a;", {{{0}, 1}, {{1}, 0}, {{0x80000000}, 0}});
  check64("cnot.b64 %x, %a;", {{{0}, 1}, {{1LL << 40}, 0}});
}

TEST(Logic, WorksOnPredicates) {
  const std::string setup = "setp.ne.u32 %p0, %a, 0; setp.ne.u32 %p1, %b, 0; ";
  const std::string finish = " selp.u32 %x, 1, 0, %p2;";
  check32(setup + "and.pred %p2, %p0, %p1;" + finish,
          {{{0, 0}, 0}, {{0, 1}, 0}, {{1, 0}, 0}, {{1, 1}, 1}});
  check32(setup + "or.pred %p2, %p0, %p1;" + finish,
          {{{0, 0}, 0}, {{0, 1}, 1}, {{1, 0}, 1}, {{1, 1}, 1}});
  check32(setup + "xor.pred %p2, %p0, %p1;" + finish,
          {{{0, 0}, 0}, {{0, 1}, 1}, {{1, 0}, 1}, {{1, 1}, 0}});
  check32(setup + "not.pred %p2, %p0;" + finish, {{{0, 0}, 1}, {{1, 0}, 0}});
  check32(setup + "mov.pred %p2, %p1;" + finish, {{{0, 0}, 0}, {{0, 1}, 1}});
  check32(setup + "mov.pred %p2, -1;" + finish, {{{0, 0}, 1}});
  check32(setup + "mov.pred %p2, 0;" + finish, {{{1, 1}, 0}});
}

TEST(Lop3, LooksEachBitUpInItsTable) {
  constexpr std::uint32_t a = 0xF0F0F0F0, b = 0xCCCCCCCC, c = 0xAAAAAAAA;
  // With these operands each byte of the result is the table itself.
  for (const std::uint32_t table :
       {0x00u, 0x80u, 0xFEu, 0x96u, 0xCAu, 0xE8u, 0x1Bu, 0xFFu, 0x40u}) {
    check32("lop3.b32 %x, %a, %b, %c, " + std::to_string(table) + ";",
            {{{a, b, c}, table * 0x01010101u}});
  }
  check32("lop3.b32 %x, %a, %b, %c, 0xCA;", {{{0xffff0000, 0x12345678, 0x9abcdef0}, 0x1234def0}});
}

TEST(Shift, LeftFillsWithZerosAndClampsTheCount) {
  check(kShift16, "shl.b16 %x, %a, %b;",
        {{{0x8001, 1}, 2}, {{1, 15}, 0x8000}, {{1, 16}, 0}, {{1, 65536}, 0}});
  check32("shl.b32 %x, %a, %b;",
          {{{1, 0}, 1}, {{1, 31}, 1u << 31}, {{1, 32}, 0}, {{1, 33}, 0}, {{-1, -1}, 0}});
  check(kShift64, "shl.b64 %x, %a, %b;",
        {{{1, 0}, 1},
         {{1, 32}, 1LL << 32},
         {{1, 63}, 1LL << 63},
         {{1, 64}, 0},
         {{-1, -1}, 0},
         {{1, 256}, 0}});
}

TEST(Shift, RightFillsWithTheSignAndClampsTheCount) {
  check(kShift16, "shr.u16 %x, %a, %b;",
        {{{0x8000, 15}, 1}, {{0x8000, 16}, 0}, {{0x8000, 65536}, 0}});
  check(kShift16, "shr.s16 %x, %a, %b;",
        {{{0x8000, 15}, -1}, {{0x8000, 99}, -1}, {{0x4000, 99}, 0}});
  check32("shr.u32 %x, %a, %b;",
          {{{-1, 4}, 0x0fffffff}, {{-1, 32}, 0}, {{-1, 33}, 0}, {{-1, -1}, 0}});
  check32("shr.s32 %x, %a, %b;",
          {{{-16, 2}, -4}, {{-16, 32}, -1}, {{16, 32}, 0}, {{-16, -1}, -1}, {{-1, 0}, -1}});
  check32("shr.b32 %x, %a, %b;", {{{-1, 4}, 0x0fffffff}});
  check(kShift64, "shr.u64 %x, %a, %b;",
        {{{-1, 63}, 1}, {{-1, 64}, 0}, {{-1, -1}, 0}, {{1LL << 40, 40}, 1}});
  check(kShift64, "shr.s64 %x, %a, %b;",
        {{{-16, 2}, -4}, {{-16, 64}, -1}, {{16, 64}, 0}, {{-16, -1}, -1}});
}

TEST(FunnelShift, TakesBitsFromTwoWords) {
  constexpr std::uint32_t lo = 0x89abcdef, hi = 0x01234567;
  check32("shf.l.clamp.b32 %x, %a, %b, %c;", {{{lo, hi, 0}, hi},
                                              {{lo, hi, 8}, 0x23456789},
                                              {{lo, hi, 32}, lo},
                                              {{lo, hi, 33}, lo},
                                              {{lo, hi, -1}, lo}});
  check32("shf.l.wrap.b32 %x, %a, %b, %c;", {{{lo, hi, 0}, hi},
                                             {{lo, hi, 8}, 0x23456789},
                                             {{lo, hi, 32}, hi},
                                             {{lo, hi, 40}, 0x23456789}});
  check32("shf.r.clamp.b32 %x, %a, %b, %c;",
          {{{lo, hi, 0}, lo}, {{lo, hi, 8}, 0x6789abcd}, {{lo, hi, 32}, hi}, {{lo, hi, 99}, hi}});
  check32("shf.r.wrap.b32 %x, %a, %b, %c;", {{{lo, hi, 0}, lo},
                                             {{lo, hi, 8}, 0x6789abcd},
                                             {{lo, hi, 32}, lo},
                                             {{lo, hi, 40}, 0x6789abcd}});
}

TEST(Count, OnesAndLeadingZeros) {
  check32("popc.b32 %x, %a;", {{{0}, 0}, {{-1}, 32}, {{0x80000001}, 2}});
  check(kCount64, "popc.b64 %x, %a;", {{{0}, 0}, {{-1}, 64}, {{(1LL << 63) | 1}, 2}});
  check32("clz.b32 %x, %a;", {{{0}, 32}, {{-1}, 0}, {{1}, 31}, {{0x00010000}, 15}});
  check(kCount64, "clz.b64 %x, %a;", {{{0}, 64}, {{-1}, 0}, {{1}, 63}, {{1LL << 32}, 31}});
}

TEST(Bfind, FindsTheHighestBitThatIsNotTheSign) {
  check32("bfind.u32 %x, %a;", {{{0}, -1}, {{1}, 0}, {{-1}, 31}, {{0x00010000}, 16}});
  check32("bfind.s32 %x, %a;",
          {{{0}, -1}, {{-1}, -1}, {{1}, 0}, {{-2}, 0}, {{0x80000000}, 30}, {{0x7fffffff}, 30}});
  check(kCount64, "bfind.u64 %x, %a;", {{{0}, -1}, {{-1}, 63}, {{1LL << 40}, 40}});
  check(kCount64, "bfind.s64 %x, %a;", {{{0}, -1}, {{-1}, -1}, {{1LL << 63}, 62}, {{-2}, 0}});
  check32("bfind.shiftamt.u32 %x, %a;", {{{0}, -1}, {{1}, 31}, {{-1}, 0}, {{0x00010000}, 15}});
  check32("bfind.shiftamt.s32 %x, %a;", {{{-1}, -1}, {{-2}, 31}, {{0x80000000}, 1}});
  check(kCount64, "bfind.shiftamt.u64 %x, %a;", {{{0}, -1}, {{1}, 63}, {{-1}, 0}});
}

TEST(Brev, MirrorsTheWord) {
  check32("brev.b32 %x, %a;", {{{1}, 1u << 31}, {{0x12345678}, 0x1e6a2c48}, {{0}, 0}});
  check64("brev.b64 %x, %a;", {{{1}, 1LL << 63}, {{0x12345678}, 0x1e6a2c48LL << 32}});
}

TEST(Bfe, ExtractsAndExtendsAField) {
  check32("bfe.u32 %x, %a, %b, %c;", {{{0xabcd1234, 8, 8}, 0x12},
                                      {{0xabcd1234, 0, 32}, 0xabcd1234},
                                      {{0xabcd1234, 24, 16}, 0xab},
                                      {{0xabcd1234, 32, 8}, 0},
                                      {{0xabcd1234, 4, 0}, 0},
                                      {{0xabcd1234, 0x108, 0x108}, 0x12},  // only 8 bits count
                                      {{0xabcd1234, 0, 255}, 0xabcd1234}});
  check32("bfe.s32 %x, %a, %b, %c;", {{{0xabcd1234, 8, 8}, 0x12},
                                      {{0x0000ff00, 8, 8}, -1},
                                      {{0x00008000, 8, 8}, -128},
                                      {{0x80000000, 24, 16}, -128},
                                      {{0x80000000, 40, 4}, -1},  // the sign is the top bit there
                                      {{0x7fffffff, 40, 4}, 0},
                                      {{-1, 4, 0}, 0}});
  check32("bfe.u32 %x, %a, %b, %c;", {{{-1, 256, 7}, 0x7f}});
  check(kField64, "bfe.u64 %x, %a, %b, %c;", {{{-1, 256, 7}, 0}, {{-1, 4, 256}, -1ULL >> 4}});
  check(kField64, "bfe.u64 %x, %a, %b, %c;",
        {{{0x123456789abcdef0, 32, 16}, 0x5678},
         {{-1, 60, 16}, 15},
         {{-1, 64, 4}, 0},
         {{-1, 0, 64}, -1}});
  check(kField64, "bfe.s64 %x, %a, %b, %c;",
        {{{0x00f0000000000000, 52, 4}, -1},
         {{1LL << 63, 63, 1}, -1},
         {{1LL << 63, 70, 3}, -1},
         {{7, 0, 3}, -1}});
}

TEST(Bfi, InsertsAField) {
  const Types types64{"b64", {"b64", "b64", "b32", "b32"}};
  check32("bfi.b32 %x, %a, %b, %c, %d;", {{{0xff, 0, 8, 4}, 0x0f00},
                                          {{0, -1, 8, 8}, 0xffff00ff},
                                          {{0x12, 0xabcdef00, 0, 32}, 0x12},
                                          {{-1, 0, 28, 16}, 0xf0000000},
                                          {{-1, 5, 32, 4}, 5},
                                          {{-1, 5, 4, 0}, 5},
                                          {{-1, 0, 0x104, 0x104}, 0xf0}});
  check(
      types64, "bfi.b64 %x, %a, %b, %c, %d;",
      {{{0xffff, 0, 40, 8}, 0xffLL << 40}, {{0, -1, 60, 8}, (1LL << 60) - 1}, {{-1, 5, 64, 4}, 5}});
}

TEST(Prmt, PicksBytesByNibble) {
  constexpr std::uint32_t a = 0x33221100, b = 0x77665544;
  check32("prmt.b32 %x, %a, %b, %c;", {{{a, b, 0x3210}, a},
                                       {{a, b, 0x7654}, b},
                                       {{a, b, 0x0123}, 0x00112233},
                                       {{a, b, 0x5410}, 0x55441100},
                                       {{a, b, 0x00003210u | 0xffff0000u}, a}});
  // The top bit of a nibble spreads the sign of the byte.
  check32("prmt.b32 %x, %a, %b, %c;",
          {{{0x80ff7f00, 0, 0xba98}, 0xffff0000}, {{0x80, 0, 0x8880}, 0xffffff80}});
}

TEST(Prmt, HasSixSpecialModes) {
  constexpr std::uint32_t a = 0x33221100, b = 0x77665544;
  const auto rows = [&](std::uint32_t r0, std::uint32_t r1, std::uint32_t r2, std::uint32_t r3) {
    return std::vector<Row>{
        {{a, b, 0}, r0}, {{a, b, 1}, r1}, {{a, b, 2}, r2}, {{a, b, 3}, r3}, {{a, b, 7}, r3}};
  };
  check32("prmt.b32.f4e %x, %a, %b, %c;", rows(0x33221100, 0x44332211, 0x55443322, 0x66554433));
  check32("prmt.b32.b4e %x, %a, %b, %c;", rows(0x55667700, 0x66770011, 0x77001122, 0x00112233));
  check32("prmt.b32.rc8 %x, %a, %b, %c;", rows(0x00000000, 0x11111111, 0x22222222, 0x33333333));
  check32("prmt.b32.ecl %x, %a, %b, %c;", rows(0x33221100, 0x33221111, 0x33222222, 0x33333333));
  check32("prmt.b32.ecr %x, %a, %b, %c;", rows(0x00000000, 0x11111100, 0x22221100, 0x33221100));
  check32("prmt.b32.rc16 %x, %a, %b, %c;", rows(0x11001100, 0x33223322, 0x11001100, 0x33223322));
}

TEST(Szext, ExtendsTheLowBits) {
  check32("szext.clamp.s32 %x, %a, %b;", {{{0xff, 8}, -1},
                                          {{0x7f, 8}, 0x7f},
                                          {{0xff, 0}, 0},
                                          {{0x80000000, 32}, 0x80000000},
                                          {{-5, 99}, -5},
                                          {{1, 1}, -1}});
  check32("szext.clamp.u32 %x, %a, %b;",
          {{{0x1ff, 8}, 0xff}, {{0xff, 0}, 0}, {{-1, 32}, -1}, {{-1, 40}, -1}});
  check32("szext.wrap.s32 %x, %a, %b;", {{{0xff, 40}, -1}, {{-1, 32}, 0}, {{0x1f, 4}, -1}});
  check32("szext.wrap.u32 %x, %a, %b;", {{{-1, 0}, 0}, {{-1, 33}, 1}, {{-1, 64}, 0}});
}

TEST(Bmsk, MakesAMaskOfAWidth) {
  check32("bmsk.clamp.b32 %x, %a, %b;", {{{1, 2}, 6},
                                         {{0, 32}, -1},
                                         {{4, 0}, 0},
                                         {{32, 4}, 0},
                                         {{28, 8}, 0xf0000000},
                                         {{4, 99}, 0xfffffff0},
                                         {{0, 0}, 0}});
  check32("bmsk.wrap.b32 %x, %a, %b;",
          {{{1, 2}, 6}, {{33, 34}, 6}, {{0, 32}, 0}, {{28, 8}, 0xf0000000}, {{31, 1}, 1u << 31}});
}

TEST(Fns, FindsTheNthSetBit) {
  check32("fns.b32 %x, %a, %b, %c;", {{{0b10110, 0, 1}, 1},
                                      {{0b10110, 0, 2}, 2},
                                      {{0b10110, 0, 3}, 4},
                                      {{0b10110, 0, 4}, -1},
                                      {{0b10110, 2, 1}, 2},
                                      {{0b10110, 2, 0}, 2},
                                      {{0b10110, 3, 0}, -1},
                                      {{0b10110, 31, -1}, 4},
                                      {{0b10110, 4, -2}, 2},
                                      {{0b10110, 0, -1}, -1},
                                      {{-1, 31, 1}, 31},
                                      {{0, 0, 1}, -1}});
}

TEST(Isspacep, ReturnsTheSpaceOfAGenericAddress) {
  const std::string scope = ".global .align 4 .u32 cell;\n";
  const std::string setup =
      ".shared .align 4 .u32 tile; .local .align 4 .u32 own;\n"
      "cvta.global.u64 %rd0, cell; cvta.shared.u64 %rd1, tile;\n"
      ".reg .b64 %own_at; mov.u64 %own_at, own; cvta.local.u64 %rd2, %own_at;\n";
  for (int pointer = 0; pointer < 3; ++pointer) {
    const std::string address = "%rd" + std::to_string(pointer);
    const std::vector<std::uint32_t> values =
        lanes(setup + "isspacep.global %p0, " + address + "; isspacep.shared %p1, " + address +
                  "; isspacep.local %p2, " + address +
                  ";\n selp.u32 %x, 1, 0, %p0; @%p1 or.b32 %x, %x, 2; @%p2 or.b32 %x, %x, 4;",
              scope);
    EXPECT_EQ(values.at(7), 1u << pointer) << address;
  }
}

}  // namespace
}  // namespace tessera::test
