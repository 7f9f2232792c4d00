// fp32 and fp64 arithmetic: special values, saturation, flushing, min and max, signs (PTX
// ISA, 9.7.3).
#include <gtest/gtest.h>

#include <limits>

#include "grader/simulator/testing/odd_values.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

constexpr float kQuietNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr double kMaxD = std::numeric_limits<double>::max();
constexpr double kDenormD = std::numeric_limits<double>::denorm_min();
constexpr std::uint32_t kSignallingNan = 0x7f800001;

TEST(FloatAdd, FollowsIeee) {
  for (const char* body : {"add.f32 %x, %a, %b;", "add.rn.f32 %x, %a, %b;"}) {
    check32(body, {{{1.5f, 2.25f}, 3.75f},
                   {{1.0f, 0x1p-24f}, 1.0f},  // a tie goes to even
                   {{1.0f, 0x1.8p-24f}, 0x1.000002p0f},
                   {{0x1.000002p0f, 0x1p-24f}, 0x1.000004p0f},
                   {{kMax, kMax}, kInf},
                   {{kMax, 0x1p102f}, kMax},
                   {{kMax, 0x1p103f}, kInf},
                   {{kInf, -kInf}, kNan32},
                   {{kInf, 1.0f}, kInf},
                   {{1.0f, -1.0f}, 0.0f},
                   {{-0.0f, -0.0f}, -0.0f},
                   {{-0.0f, 0.0f}, 0.0f},
                   {{kDenorm, kDenorm}, 2 * kDenorm},
                   {{kTiny, -kDenorm}, kTiny - kDenorm}});
  }
  check32("sub.f32 %x, %a, %b;", {{{1.5f, 2.25f}, -0.75f},
                                  {{kInf, kInf}, kNan32},
                                  {{-kInf, kInf}, -kInf},
                                  {{0.0f, 0.0f}, 0.0f},
                                  {{-0.0f, 0.0f}, -0.0f}});
  check64("add.f64 %x, %a, %b;", {{{1.5, 2.25}, 3.75},
                                  {{1.0, 0x1p-53}, 1.0},
                                  {{1.0, 0x1.8p-53}, 0x1.0000000000001p0},
                                  {{kMaxD, kMaxD}, kInfD},
                                  {{kInfD, -kInfD}, Bits::nan()},
                                  {{kDenormD, kDenormD}, 2 * kDenormD}});
  check64("sub.f64 %x, %a, %b;", {{{1.5, 2.25}, -0.75}, {{1.0, 1.0}, 0.0}, {{-0.0, 0.0}, -0.0}});
}

TEST(FloatMultiply, FollowsIeee) {
  for (const char* body : {"mul.f32 %x, %a, %b;", "mul.rn.f32 %x, %a, %b;"}) {
    check32(body, {{{1.5f, -2.0f}, -3.0f},
                   {{0x1.000002p0f, 0x1.000002p0f}, 0x1.000004p0f},
                   {{kMax, 2.0f}, kInf},
                   {{kInf, 0.0f}, kNan32},
                   {{-kInf, 2.0f}, -kInf},
                   {{-0.0f, 3.0f}, -0.0f},
                   {{kTiny, 0.5f}, kTiny / 2},
                   {{kDenorm, 0.5f}, 0.0f},  // a tie between 0 and the smallest number
                   {{kDenorm, 0.75f}, kDenorm},
                   {{-kDenorm, 0.25f}, -0.0f}});
  }
  check64("mul.f64 %x, %a, %b;",
          {{{1.5, -2.0}, -3.0}, {{kMaxD, 2.0}, kInfD}, {{kInfD, 0.0}, Bits::nan()}});
}

TEST(FloatNan, IsCanonicalWhateverComesIn) {
  for (const char* body :
       {"add.f32 %x, %a, %b;", "sub.f32 %x, %a, %b;", "mul.f32 %x, %a, %b;",
        "add.rz.f32 %x, %a, %b;", "mul.rp.f32 %x, %a, %b;", "div.rn.f32 %x, %a, %b;",
        "fma.rn.f32 %x, %a, %b, %a;", "fma.rm.f32 %x, %b, %b, %a;", "add.ftz.f32 %x, %a, %b;"}) {
    check32(body, {{{kQuietNan, 1.0f}, kNan32},
                   {{kSignallingNan, 1.0f}, kNan32},
                   {{kOtherNan, kOtherNan}, kNan32},
                   {{kOtherNan, kInf}, kNan32}});
  }
  for (const char* body : {"sqrt.rn.f32 %x, %a;", "rcp.rn.f32 %x, %a;", "sqrt.rm.f32 %x, %a;"}) {
    check32(body, {{{kOtherNan}, kNan32}, {{kSignallingNan}, kNan32}});
  }
  for (const char* body : {"add.f64 %x, %a, %b;", "mul.f64 %x, %a, %b;", "div.rn.f64 %x, %a, %b;",
                           "fma.rn.f64 %x, %a, %b, %a;"}) {
    check64(body, {{{std::numeric_limits<double>::quiet_NaN(), 1.0}, Bits::nan()}});
  }
}

TEST(FloatFma, RoundsOnce) {
  constexpr float kUp = 0x1.000002p0f;  // 1 + 2^-23; its square is 1 + 2^-22 + 2^-46
  for (const char* body : {"fma.rn.f32 %x, %a, %b, %c;", "mad.rn.f32 %x, %a, %b, %c;"}) {
    check32(body, {{{kUp, kUp, -0x1.000004p0f}, 0x1p-46f},
                   {{2.0f, 3.0f, 4.0f}, 10.0f},
                   {{kMax, 2.0f, -kMax}, kMax},  // no overflow on the way
                   {{kInf, 0.0f, 1.0f}, kNan32},
                   {{kInf, 1.0f, -kInf}, kNan32},
                   {{1.0f, 1.0f, -1.0f}, 0.0f},
                   {{-0.0f, 1.0f, -0.0f}, -0.0f},
                   {{0.0f, 1.0f, -0.0f}, 0.0f},
                   {{0x1p-100f, 0x1p-100f, 0.0f}, 0.0f},
                   {{0x1p-100f, -0x1p-100f, -kDenorm}, -kDenorm},
                   {{0x1p-75f, 0x1p-74f, 0.0f}, kDenorm}});
  }
  constexpr double kUpD = 0x1.0000000000001p0;
  check64("fma.rn.f64 %x, %a, %b, %c;", {{{kUpD, kUpD, -0x1.0000000000002p0}, 0x1p-104},
                                         {{2.0, 3.0, 4.0}, 10.0},
                                         {{kMaxD, 2.0, -kMaxD}, kMaxD},
                                         {{kInfD, 0.0, 1.0}, Bits::nan()}});
  check64("mad.rn.f64 %x, %a, %b, %c;", {{{kUpD, kUpD, -0x1.0000000000002p0}, 0x1p-104}});
}

TEST(FloatFtz, FlushesInputsAndResultsKeepingTheSign) {
  check32("add.ftz.f32 %x, %a, %b;", {{{kDenorm, 1.0f}, 1.0f},
                                      {{kDenorm, kDenorm}, 0.0f},
                                      {{-kDenorm, -kDenorm}, -0.0f},
                                      {{1.5f * kTiny, -kTiny}, 0.0f},
                                      {{-1.5f * kTiny, kTiny}, -0.0f},
                                      {{kTiny, 0.0f}, kTiny}});
  check32("sub.ftz.f32 %x, %a, %b;", {{{kTiny, 1.5f * kTiny}, -0.0f}, {{kDenorm, 0.0f}, 0.0f}});
  check32("mul.ftz.f32 %x, %a, %b;", {{{kTiny, 0.5f}, 0.0f},
                                      {{-kTiny, 0.5f}, -0.0f},
                                      {{kTiny / 2, 4.0f}, 0.0f},
                                      {{kTiny / 2, -4.0f}, -0.0f},
                                      {{kTiny / 2, kInf}, kNan32}});  // it is 0 * inf then
  check32("fma.rn.ftz.f32 %x, %a, %b, %c;", {{{kTiny, 0.5f, 0.0f}, 0.0f},
                                             {{kTiny, 0.5f, kTiny / 2}, 0.0f},
                                             {{1.0f, 1.0f, kDenorm}, 1.0f}});
  check32("abs.ftz.f32 %x, %a;", {{{-kDenorm}, 0.0f}, {{-2.0f}, 2.0f}});
  check32("neg.ftz.f32 %x, %a;", {{{kDenorm}, -0.0f}, {{-2.0f}, 2.0f}});
  check32("min.ftz.f32 %x, %a, %b;", {{{kDenorm, 1.0f}, 0.0f}, {{-kDenorm, 0.0f}, -0.0f}});
  check32("max.ftz.f32 %x, %a, %b;", {{{kDenorm, -1.0f}, 0.0f}});
  check32("div.rn.ftz.f32 %x, %a, %b;",
          {{{kTiny, 2.0f}, 0.0f}, {{1.0f, kDenorm}, kInf}, {{1.0f, -kDenorm}, -kInf}});
  check32("sqrt.rn.ftz.f32 %x, %a;", {{{kDenorm}, 0.0f}, {{-kDenorm}, -0.0f}});
  check32("rcp.rn.ftz.f32 %x, %a;", {{{kDenorm}, kInf}, {{-kDenorm}, -kInf}, {{0x1p127f}, 0.0f}});
}

TEST(FloatSat, ClampsToTheUnitInterval) {
  check32("add.sat.f32 %x, %a, %b;", {{{0.25f, 0.5f}, 0.75f},
                                      {{1.0f, 1.0f}, 1.0f},
                                      {{-1.0f, 0.5f}, 0.0f},
                                      {{kInf, -kInf}, 0.0f},
                                      {{kQuietNan, 1.0f}, 0.0f},
                                      {{kInf, 1.0f}, 1.0f},
                                      {{-0.0f, -0.0f}, 0.0f}});
  check32("sub.sat.f32 %x, %a, %b;", {{{0.75f, 0.5f}, 0.25f}, {{0.5f, 0.75f}, 0.0f}});
  check32("mul.sat.f32 %x, %a, %b;",
          {{{2.0f, 3.0f}, 1.0f}, {{0.5f, 0.5f}, 0.25f}, {{-2.0f, 3.0f}, 0.0f}});
  check32("fma.rn.sat.f32 %x, %a, %b, %c;",
          {{{0.5f, 0.5f, 0.25f}, 0.5f}, {{2.0f, 2.0f, 2.0f}, 1.0f}, {{kInf, 0.0f, 0.0f}, 0.0f}});
  check32("add.rz.ftz.sat.f32 %x, %a, %b;", {{{0.25f, 0.5f}, 0.75f}, {{kTiny / 2, 0.0f}, 0.0f}});
}

TEST(FloatDivide, FollowsIeee) {
  check32("div.rn.f32 %x, %a, %b;", {{{1.0f, 3.0f}, 0x1.555556p-2f},
                                     {{-7.0f, 2.0f}, -3.5f},
                                     {{1.0f, 0.0f}, kInf},
                                     {{1.0f, -0.0f}, -kInf},
                                     {{0.0f, 0.0f}, kNan32},
                                     {{kInf, kInf}, kNan32},
                                     {{1.0f, kInf}, 0.0f},
                                     {{kTiny, 2.0f}, kTiny / 2},
                                     {{kDenorm, 2.0f}, 0.0f},
                                     {{kMax, 0.5f}, kInf}});
  check64("div.rn.f64 %x, %a, %b;", {{{1.0, 3.0}, 1.0 / 3.0},
                                     {{1.0, -0.0}, -kInfD},
                                     {{0.0, 0.0}, Bits::nan()},
                                     {{kDenormD, 2.0}, 0.0}});
  check32("rcp.rn.f32 %x, %a;",
          {{{3.0f}, 0x1.555556p-2f}, {{-0.0f}, -kInf}, {{kInf}, 0.0f}, {{0x1p127f}, 0x1p-127f}});
  check64("rcp.rn.f64 %x, %a;", {{{3.0}, 1.0 / 3.0}, {{-0.0}, -kInfD}, {{-kInfD}, -0.0}});
}

TEST(FloatSqrt, FollowsIeee) {
  check32("sqrt.rn.f32 %x, %a;", {{{2.0f}, 0x1.6a09e6p0f},
                                  {{-0.0f}, -0.0f},
                                  {{-1.0f}, kNan32},
                                  {{kInf}, kInf},
                                  {{-kInf}, kNan32},
                                  {{0x1p-148f}, 0x1p-74f}});
  check64("sqrt.rn.f64 %x, %a;",
          {{{2.0}, 0x1.6a09e667f3bcdp0}, {{-0.0}, -0.0}, {{-1.0}, Bits::nan()}});
}

TEST(FloatAbsAndNeg, ChangeTheSignOnly) {
  check32("abs.f32 %x, %a;", {{{-1.5f}, 1.5f},
                              {{-0.0f}, 0.0f},
                              {{-kInf}, kInf},
                              {{-kDenorm}, kDenorm},
                              {{kOtherNan}, Bits::nan()}});
  check32("neg.f32 %x, %a;",
          {{{-1.5f}, 1.5f}, {{0.0f}, -0.0f}, {{kInf}, -kInf}, {{kOtherNan}, Bits::nan()}});
  check64("abs.f64 %x, %a;", {{{-1.5}, 1.5}, {{-0.0}, 0.0}});
  check64("neg.f64 %x, %a;", {{{-1.5}, 1.5}, {{0.0}, -0.0}, {{kInfD}, -kInfD}});
}

TEST(FloatMinMax, PreferTheNumberToTheNan) {
  check32("min.f32 %x, %a, %b;", {{{1.0f, 2.0f}, 1.0f},
                                  {{kQuietNan, 2.0f}, 2.0f},
                                  {{2.0f, kOtherNan}, 2.0f},
                                  {{kOtherNan, kQuietNan}, kNan32},
                                  {{kSignallingNan, kOtherNan}, kNan32},
                                  {{-kInf, 3.0f}, -kInf},
                                  {{kDenorm, 1.0f}, kDenorm}});
  check32("max.f32 %x, %a, %b;", {{{1.0f, 2.0f}, 2.0f},
                                  {{kQuietNan, -2.0f}, -2.0f},
                                  {{-2.0f, kOtherNan}, -2.0f},
                                  {{kOtherNan, kQuietNan}, kNan32},
                                  {{-kDenorm, -1.0f}, -kDenorm}});
  check64("min.f64 %x, %a, %b;", {{{1.0, 2.0}, 1.0}, {{Bits(0x7ff8000000000001), 2.0}, 2.0}});
  check64("max.f64 %x, %a, %b;",
          {{{1.0, 2.0}, 2.0},
           {{-2.0, Bits(0x7ff8000000000001)}, -2.0},
           {{Bits(0x7ff8000000000001), Bits(0x7ff8000000000001)}, Bits::nan()}});
}

TEST(FloatMinMax, OrderMinusZeroBelowPlusZero) {
  check32("min.f32 %x, %a, %b;", {{{-0.0f, 0.0f}, -0.0f}, {{0.0f, -0.0f}, -0.0f}});
  check32("max.f32 %x, %a, %b;", {{{-0.0f, 0.0f}, 0.0f}, {{0.0f, -0.0f}, 0.0f}});
  check64("min.f64 %x, %a, %b;", {{{-0.0, 0.0}, -0.0}, {{0.0, -0.0}, -0.0}});
  check64("max.f64 %x, %a, %b;", {{{-0.0, 0.0}, 0.0}, {{0.0, -0.0}, 0.0}});
}

TEST(FloatMinMax, PassNansOnWhenAsked) {
  check32("min.NaN.f32 %x, %a, %b;",
          {{{1.0f, 2.0f}, 1.0f}, {{kOtherNan, 2.0f}, kNan32}, {{2.0f, kOtherNan}, kNan32}});
  check32("max.NaN.f32 %x, %a, %b;",
          {{{1.0f, 2.0f}, 2.0f}, {{kOtherNan, 2.0f}, kNan32}, {{2.0f, kQuietNan}, kNan32}});
}

TEST(FloatMinMax, XorsignComparesMagnitudes) {
  check32("min.xorsign.abs.f32 %x, %a, %b;", {{{-1.0f, 2.0f}, -1.0f},
                                              {{-3.0f, -2.0f}, 2.0f},
                                              {{3.0f, 2.0f}, 2.0f},
                                              {{kQuietNan, -2.0f}, Bits(0xc0000000)}});
  check32("max.xorsign.abs.f32 %x, %a, %b;",
          {{{-1.0f, 2.0f}, -2.0f}, {{-3.0f, -2.0f}, 3.0f}, {{3.0f, 2.0f}, 3.0f}});
}

TEST(FloatCopysign, TakesTheSignOfTheFirstOperand) {
  check32("copysign.f32 %x, %a, %b;",
          {{{-1.0f, 2.0f}, -2.0f}, {{1.0f, -2.0f}, 2.0f}, {{-0.0f, 0.0f}, -0.0f}});
  check64("copysign.f64 %x, %a, %b;", {{{-1.0, 2.0}, -2.0}, {{1.0, -2.0}, 2.0}});
}

TEST(FloatTestp, ReturnsTheClassOfANumber) {
  struct Property {
    const char* name;
    std::vector<int> of;  // 1, -0, subnormal, infinity, NaN
  };
  const std::vector<Property> properties = {
      {"finite", {1, 1, 1, 0, 0}}, {"infinite", {0, 0, 0, 1, 0}},
      {"number", {1, 1, 1, 1, 0}}, {"notanumber", {0, 0, 0, 0, 1}},
      {"normal", {1, 1, 0, 0, 0}}, {"subnormal", {0, 0, 1, 0, 0}},
  };
  const std::vector<Bits> floats = {1.0f, -0.0f, -kDenorm, -kInf, kOtherNan};
  const std::vector<Bits> doubles = {1.0, -0.0, -kDenormD, -kInfD, Bits(0xfff8000000000001)};
  for (const Property& property : properties) {
    std::vector<Row> rows32;
    std::vector<Row> rows64;
    for (std::size_t i = 0; i < floats.size(); ++i) {
      rows32.push_back({{floats[i]}, property.of[i]});
      rows64.push_back({{doubles[i]}, property.of[i]});
    }
    const std::string test = std::string("testp.") + property.name;
    check32(test + ".f32 %p0, %a; selp.u32 %x, 1, 0, %p0;", rows32);
    check({"b32", {"b64"}}, test + ".f64 %p0, %a; selp.u32 %x, 1, 0, %p0;", rows64);
  }
}

TEST(FloatConstants, AreReadInEveryNotation) {
  check32("add.f32 %x, %a, 0f3F800000;", {{{1.0f}, 2.0f}});
  check32("add.f32 %x, %a, 0F40490fdb;", {{{0.0f}, 0x1.921fb6p1f}});
  check32("mul.f32 %x, %a, 1.5;", {{{2.0f}, 3.0f}});
  check32("mul.f32 %x, %a, -1.5e2;", {{{2.0f}, -300.0f}});
  check32("mov.f32 %x, 0fFF800000;", {{{0}, -kInf}});
  check32("mov.b32 %x, 0f3F800000;", {{{0}, 1.0f}});
  check64("add.f64 %x, %a, 0d3FF0000000000000;", {{{1.0}, 2.0}});
  check64("add.f64 %x, %a, 0.1;", {{{0.0}, 0.1}});
  check64("mov.f64 %x, 0D8000000000000000;", {{{0}, -0.0}});
  check64("mul.f64 %x, %a, 3.;", {{{2.0}, 6.0}});
}

}  // namespace
}  // namespace tessera::test
