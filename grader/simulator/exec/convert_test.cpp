// cvt between all types (PTX ISA, 9.7.9: cvt).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "grader/simulator/testing/odd_values.h"
#include "grader/simulator/testing/ptx_program.h"
#include "grader/simulator/testing/rounding.h"

namespace tessera::test {
namespace {

constexpr std::uint64_t kNanD = 0x7ff8000000000000;

struct IntegerType {
  bool is_signed;
  unsigned bits;
  std::string name() const { return fmt::format("{}{}", is_signed ? 's' : 'u', bits); }
  /// Registers have at least 16 bits.
  std::string holder() const { return fmt::format("b{}", bits == 8 ? 16 : bits); }
};

const std::vector<IntegerType> kIntegerTypes = {{false, 8},  {true, 8},  {false, 16}, {true, 16},
                                                {false, 32}, {true, 32}, {false, 64}, {true, 64}};

__extension__ typedef __int128 Wide;

Wide value_in(std::uint64_t bits, const IntegerType& type) {
  if (type.bits < 64) bits &= (std::uint64_t{1} << type.bits) - 1;
  const Wide value = static_cast<Wide>(bits);
  const Wide half = static_cast<Wide>(1) << (type.bits - 1);
  return type.is_signed && value >= half ? value - 2 * half : value;
}

Wide clamp_to(Wide value, const IntegerType& type) {
  const Wide size = static_cast<Wide>(1) << type.bits;
  const Wide low = type.is_signed ? -size / 2 : 0;
  const Wide high = type.is_signed ? size / 2 - 1 : size - 1;
  return value < low ? low : value > high ? high : value;
}

bool holds_all_of(const IntegerType& to, const IntegerType& from) {
  if (to.is_signed == from.is_signed) return to.bits >= from.bits;
  return to.is_signed && to.bits > from.bits;
}

/// The destination register holds the value extended to its width, by the sign of its type.
Bits in_register(Wide value, const IntegerType& type) {
  return Bits(static_cast<std::int64_t>(value_in(static_cast<std::uint64_t>(value), type)));
}

const std::vector<std::uint64_t> kPatterns = {0,
                                              1,
                                              0x7f,
                                              0x80,
                                              0xff,
                                              0x100,
                                              0x17f,
                                              0x7fff,
                                              0x8000,
                                              0xffff,
                                              0x12345,
                                              0x7fffffff,
                                              0x80000000,
                                              0xffffffff,
                                              0x100000000,
                                              0x7fffffffffffffff,
                                              0x8000000000000000,
                                              0xffffffffffffff80,
                                              0xffffffffffff8000,
                                              0xffffffff80000000,
                                              0xffffffffffffffff};

TEST(ConvertInteger, EveryPairTruncatesOrExtends) {
  for (const IntegerType& from : kIntegerTypes) {
    for (const IntegerType& to : kIntegerTypes) {
      std::vector<Row> rows;
      for (const std::uint64_t pattern : kPatterns) {
        rows.push_back({{Bits(pattern)}, in_register(value_in(pattern, from), to)});
      }
      check({to.holder(), {from.holder()}},
            fmt::format("cvt.{}.{} %x, %a;", to.name(), from.name()), rows);
    }
  }
}

TEST(ConvertInteger, EveryPairSaturatesWhenAsked) {
  for (const IntegerType& from : kIntegerTypes) {
    for (const IntegerType& to : kIntegerTypes) {
      if (holds_all_of(to, from)) continue;  // .sat is illegal there
      std::vector<Row> rows;
      for (const std::uint64_t pattern : kPatterns) {
        rows.push_back({{Bits(pattern)}, in_register(clamp_to(value_in(pattern, from), to), to)});
      }
      check({to.holder(), {from.holder()}},
            fmt::format("cvt.sat.{}.{} %x, %a;", to.name(), from.name()), rows);
    }
  }
}

TEST(ConvertInteger, NarrowTypesExtendInWideRegisters) {
  check32("cvt.s8.s32 %x, %a;", {{{0x80}, 0xffffff80}, {{0x17f}, 0x7f}});
  check32("cvt.u8.u32 %x, %a;", {{{0x180}, 0x80}});
  check32("cvt.s32.s8 %x, %a;", {{{0x180}, -128}, {{0xff7f}, 127}});
  check32("cvt.u32.u8 %x, %a;", {{{0x180}, 0x80}});
  check32("cvt.s16.s32 %x, %a;", {{{0x18000}, 0xffff8000}});
  check64("cvt.s16.s64 %x, %a;", {{{0x18000}, -32768}});
  check64("cvt.u16.u64 %x, %a;", {{{0x18000}, 0x8000}});
  check({"b64", {"b32"}}, "cvt.s64.s8 %x, %a;", {{{0x180}, -128}});
  check({"b64", {"b32"}}, "cvt.s64.s16 %x, %a;", {{{0x1ffff}, -1}});
}

TEST(ConvertToInteger, RoundsAsTheModifierSays) {
  const std::vector<float> values = {0.5f,  1.5f,  2.5f,   -0.5f,  -1.5f, -2.5f,
                                     2.25f, 2.75f, -2.25f, -2.75f, 3.0f};
  const auto rows = [&](const std::vector<int>& results) {
    std::vector<Row> table;
    for (std::size_t i = 0; i < values.size(); ++i) table.push_back({{values[i]}, results[i]});
    return table;
  };
  const auto rows_d = [&](const std::vector<int>& results) {
    std::vector<Row> table;
    for (std::size_t i = 0; i < values.size(); ++i)
      table.push_back({{static_cast<double>(values[i])}, results[i]});
    return table;
  };
  const std::vector<int> near = {0, 2, 2, 0, -2, -2, 2, 3, -2, -3, 3};
  const std::vector<int> zero = {0, 1, 2, 0, -1, -2, 2, 2, -2, -2, 3};
  const std::vector<int> down = {0, 1, 2, -1, -2, -3, 2, 2, -3, -3, 3};
  const std::vector<int> up = {1, 2, 3, 0, -1, -2, 3, 3, -2, -2, 3};
  check32("cvt.rni.s32.f32 %x, %a;", rows(near));
  check32("cvt.rzi.s32.f32 %x, %a;", rows(zero));
  check32("cvt.rmi.s32.f32 %x, %a;", rows(down));
  check32("cvt.rpi.s32.f32 %x, %a;", rows(up));
  check({"b32", {"b64"}}, "cvt.rni.s32.f64 %x, %a;", rows_d(near));
  check({"b32", {"b64"}}, "cvt.rzi.s32.f64 %x, %a;", rows_d(zero));
  check({"b64", {"b64"}}, "cvt.rmi.s64.f64 %x, %a;", rows_d(down));
  check({"b64", {"b32"}}, "cvt.rpi.s64.f32 %x, %a;", rows(up));
}

TEST(ConvertToInteger, ClampsWhatIsOutOfRange) {
  check32("cvt.rzi.s32.f32 %x, %a;", {{{3e9f}, 0x7fffffff},
                                      {{-3e9f}, Bits(0x80000000)},
                                      {{kInf}, 0x7fffffff},
                                      {{-kInf}, Bits(0x80000000)},
                                      {{0x1p31f}, 0x7fffffff},
                                      {{-0x1p31f}, Bits(0x80000000)},
                                      {{0x1.fffffep30f}, 0x7fffff80}});
  check32("cvt.rzi.u32.f32 %x, %a;", {{{-1.0f}, 0},
                                      {{-0.5f}, 0},
                                      {{5e9f}, -1},
                                      {{kInf}, -1},
                                      {{-kInf}, 0},
                                      {{3e9f}, 3000000000u},
                                      {{0x1p32f}, -1}});
  check({"b64", {"b32"}}, "cvt.rzi.s64.f32 %x, %a;",
        {{{1e30f}, 0x7fffffffffffffff},
         {{-1e30f}, Bits(1ULL << 63)},
         {{kInf}, 0x7fffffffffffffff},
         {{-kInf}, Bits(1ULL << 63)}});
  check({"b64", {"b32"}}, "cvt.rzi.u64.f32 %x, %a;",
        {{{1e30f}, -1}, {{-1.0f}, 0}, {{0x1p63f}, Bits(1ULL << 63)}, {{kInf}, -1}});
  check({"b32", {"b64"}}, "cvt.rzi.s32.f64 %x, %a;",
        {{{2147483647.9}, 0x7fffffff},
         {{-2147483648.9}, Bits(0x80000000)},
         {{1e300}, 0x7fffffff},
         {{-kInfD}, Bits(0x80000000)}});
  check({"b32", {"b64"}}, "cvt.rni.u32.f64 %x, %a;",
        {{{4294967294.5}, Bits(4294967294u)}, {{4294967295.5}, -1}, {{-0.5}, 0}, {{kInfD}, -1}});
  check64("cvt.rzi.s64.f64 %x, %a;", {{{1e300}, 0x7fffffffffffffff},
                                      {{-1e300}, Bits(1ULL << 63)},
                                      {{0x1.fffffffffffffp62}, 0x7ffffffffffffc00}});
  check64("cvt.rzi.u64.f64 %x, %a;",
          {{{1e300}, -1}, {{-1e300}, 0}, {{0x1.fffffffffffffp63}, Bits(0xfffffffffffff800)}});
  check({"b16", {"b32"}}, "cvt.rzi.s16.f32 %x, %a;",
        {{{1e6f}, 0x7fff}, {{-1e6f}, 0x8000}, {{-1.5f}, -1}});
  check({"b16", {"b32"}}, "cvt.rzi.u16.f32 %x, %a;",
        {{{1e6f}, 0xffff}, {{-1e6f}, 0}, {{300.7f}, 300}});
  check({"b16", {"b64"}}, "cvt.rzi.u8.f64 %x, %a;", {{{300.0}, 255}, {{-1.0}, 0}, {{42.9}, 42}});
  check({"b32", {"b32"}}, "cvt.rzi.s8.f32 %x, %a;",
        {{{300.0f}, 127}, {{-300.0f}, -128}, {{-1.5f}, -1}});
}

// "Zero if source is not .f64 and destination is not .s64, .u64. Otherwise 1 << (BitWidth(dst) -
// 1)".
TEST(ConvertToInteger, NanGivesZeroOrTheTopBit) {
  check32("cvt.rzi.s32.f32 %x, %a;", {{{kOtherNan}, 0}, {{kNan32}, 0}});
  check32("cvt.rni.u32.f32 %x, %a;", {{{kOtherNan}, 0}});
  check({"b16", {"b32"}}, "cvt.rzi.s16.f32 %x, %a;", {{{kOtherNan}, 0}});
  check({"b64", {"b32"}}, "cvt.rzi.s64.f32 %x, %a;", {{{kOtherNan}, Bits(1ULL << 63)}});
  check({"b64", {"b32"}}, "cvt.rzi.u64.f32 %x, %a;", {{{kOtherNan}, Bits(1ULL << 63)}});
  check({"b32", {"b64"}}, "cvt.rzi.s32.f64 %x, %a;", {{{Bits(kNanD)}, Bits(0x80000000)}});
  check({"b32", {"b64"}}, "cvt.rzi.u32.f64 %x, %a;", {{{Bits(kNanD)}, Bits(0x80000000)}});
  check64("cvt.rzi.s64.f64 %x, %a;", {{{Bits(kNanD)}, Bits(1ULL << 63)}});
  check64("cvt.rzi.u64.f64 %x, %a;", {{{Bits(kNanD)}, Bits(1ULL << 63)}});
}

TEST(ConvertToInteger, FtzFlushesTheSource) {
  check32("cvt.rpi.s32.f32 %x, %a;", {{{kDenorm}, 1}, {{-kDenorm}, 0}});
  check32("cvt.rpi.ftz.s32.f32 %x, %a;", {{{kDenorm}, 0}});
  check32("cvt.rmi.s32.f32 %x, %a;", {{{-kDenorm}, -1}});
  check32("cvt.rmi.ftz.s32.f32 %x, %a;", {{{-kDenorm}, 0}});
}

template <class T>
void check_from_integer(const IntegerType& from) {
  const std::string type = sizeof(T) == 4 ? "f32" : "f64";
  for (const Rounding rounding : kRoundings) {
    std::vector<Row> rows;
    std::mt19937_64 random(from.bits * 2 + from.is_signed);
    std::vector<std::uint64_t> patterns = kPatterns;
    patterns.insert(patterns.end(), {0x1000001, 0x1000003, 0x01000003ULL << 30, (1ULL << 53) + 1,
                                     (1ULL << 62) + (1ULL << 38)});
    for (int i = 0; i < 64; ++i) patterns.push_back(random() >> (random() % 64));
    for (const std::uint64_t pattern : patterns) {
      const Quad exact = static_cast<Quad>(value_in(pattern, from));
      rows.push_back({{Bits(pattern)}, rounded<T>(exact, rounding)});
    }
    check({sizeof(T) == 4 ? "b32" : "b64", {from.holder()}},
          fmt::format("cvt.{}.{}.{} %x, %a;", suffix(rounding), type, from.name()), rows);
  }
}

TEST(ConvertFromInteger, RoundsAsTheModifierSays) {
  for (const IntegerType& from : kIntegerTypes) {
    check_from_integer<float>(from);
    check_from_integer<double>(from);
  }
}

TEST(ConvertFloat, WideningIsExact) {
  check({"b64", {"b32"}}, "cvt.f64.f32 %x, %a;",
        {{{1.5f}, 1.5},
         {{kInf}, kInfD},
         {{-0.0f}, -0.0},
         {{kDenorm}, 0x1p-149},
         {{kOtherNan}, Bits::nan()}});
  check({"b64", {"b32"}}, "cvt.ftz.f64.f32 %x, %a;", {{{kDenorm}, 0.0}, {{-kDenorm}, -0.0}});
}

TEST(ConvertFloat, NarrowingRoundsAsTheModifierSays) {
  std::vector<double> values = {1.0,
                                0.1,
                                -0.1,
                                1e300,
                                -1e300,
                                1e-300,
                                -1e-300,
                                0x1.fffffefp127,
                                0x1.ffffffp127,
                                0x1.fffffefffffffp127,
                                -0x1.ffffffp127,
                                0x1p-149,
                                0x1p-150,
                                0x1.8p-150,
                                -0x1p-150,
                                0x1.234567p-140,
                                0x1.000001p0,
                                0x1.000003p0,
                                0x1.0000010000001p0,
                                kInfD,
                                -kInfD,
                                0.0,
                                -0.0};
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    values.push_back(std::ldexp(std::generate_canonical<double, 53>(random) - 0.5,
                                static_cast<int>(random() % 290) - 155));
  }
  for (const Rounding rounding : kRoundings) {
    std::vector<Row> rows;
    for (const double value : values) {
      const Quad exact = static_cast<Quad>(value);
      rows.push_back(
          {{value},
           std::isinf(value) ? static_cast<float>(value) : rounded<float>(exact, rounding)});
    }
    rows.push_back({{Bits(kNanD)}, kNan32});
    check({"b32", {"b64"}}, fmt::format("cvt.{}.f32.f64 %x, %a;", suffix(rounding)), rows);
  }
  check({"b32", {"b64"}}, "cvt.rn.ftz.f32.f64 %x, %a;",
        {{{0x1p-130}, 0.0f}, {{-0x1p-130}, -0.0f}, {{1.5}, 1.5f}});
  check({"b32", {"b64"}}, "cvt.rn.sat.f32.f64 %x, %a;",
        {{{1.5}, 1.0f}, {{-1.5}, 0.0f}, {{0.25}, 0.25f}, {{Bits(kNanD)}, 0.0f}});
}

TEST(ConvertFloat, RoundsToIntegralValues) {
  check32("cvt.rni.f32.f32 %x, %a;", {{{0.5f}, 0.0f},
                                      {{1.5f}, 2.0f},
                                      {{-0.4f}, -0.0f},
                                      {{2.5f}, 2.0f},
                                      {{1e30f}, 1e30f},
                                      {{kInf}, kInf},
                                      {{kOtherNan}, Bits::nan()}});
  check32("cvt.rzi.f32.f32 %x, %a;", {{{1.9f}, 1.0f}, {{-1.9f}, -1.0f}, {{-0.9f}, -0.0f}});
  check32("cvt.rmi.f32.f32 %x, %a;", {{{1.9f}, 1.0f}, {{-1.1f}, -2.0f}, {{-kDenorm}, -1.0f}});
  check32("cvt.rpi.f32.f32 %x, %a;",
          {{{1.1f}, 2.0f}, {{-1.9f}, -1.0f}, {{-0.9f}, -0.0f}, {{kDenorm}, 1.0f}});
  check32("cvt.rpi.ftz.f32.f32 %x, %a;", {{{kDenorm}, 0.0f}});
  check64("cvt.rni.f64.f64 %x, %a;",
          {{{0.5}, 0.0}, {{1.5}, 2.0}, {{-2.5}, -2.0}, {{0x1.8p52}, 0x1.8p52}});
  check64("cvt.rmi.f64.f64 %x, %a;", {{{-0.5}, -1.0}, {{1.5}, 1.0}});
  check64("cvt.rpi.f64.f64 %x, %a;", {{{-0.5}, -0.0}, {{1.5}, 2.0}});
  check64("cvt.rzi.f64.f64 %x, %a;", {{{-0.5}, -0.0}, {{-1.5}, -1.0}});
}

TEST(ConvertFloat, SaturatesOrFlushesWithinAType) {
  check32("cvt.sat.f32.f32 %x, %a;", {{{1.5f}, 1.0f},
                                      {{-1.5f}, 0.0f},
                                      {{0.25f}, 0.25f},
                                      {{kOtherNan}, 0.0f},
                                      {{kInf}, 1.0f},
                                      {{-0.0f}, 0.0f}});
  check32("cvt.ftz.f32.f32 %x, %a;", {{{kDenorm}, 0.0f}, {{-kDenorm}, -0.0f}, {{1.5f}, 1.5f}});
  check32("cvt.rni.sat.f32.f32 %x, %a;", {{{0.7f}, 1.0f}, {{3.2f}, 1.0f}, {{-3.2f}, 0.0f}});
}

}  // namespace
}  // namespace tessera::test
