// Comparison and selection (PTX ISA, 9.7.6).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "grader/simulator/testing/odd_values.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// What a comparison says of (less, equal, greater, unordered).
struct Comparison {
  const char* name;
  int less, equal, greater, unordered;
};

const std::vector<Comparison> kOrdered = {{"eq", 0, 1, 0, 0}, {"ne", 1, 0, 1, 0},
                                          {"lt", 1, 0, 0, 0}, {"le", 1, 1, 0, 0},
                                          {"gt", 0, 0, 1, 0}, {"ge", 0, 1, 1, 0}};
const std::vector<Comparison> kUnsignedNames = {
    {"lo", 1, 0, 0, 0}, {"ls", 1, 1, 0, 0}, {"hi", 0, 0, 1, 0}, {"hs", 0, 1, 1, 0}};
const std::vector<Comparison> kUnordered = {
    {"equ", 0, 1, 0, 1}, {"neu", 1, 0, 1, 1}, {"ltu", 1, 0, 0, 1}, {"leu", 1, 1, 0, 1},
    {"gtu", 0, 0, 1, 1}, {"geu", 0, 1, 1, 1}, {"num", 1, 1, 1, 0}, {"nan", 0, 0, 0, 1}};

const char* const kAsNumber = " selp.u32 %x, 1, 0, %p0;";

std::string setp(const Comparison& comparison, const std::string& type) {
  return fmt::format("setp.{}.{} %p0, %a, %b;{}", comparison.name, type, kAsNumber);
}

TEST(Setp, ComparesSignedIntegers) {
  for (const Comparison& op : kOrdered) {
    const std::vector<Row> rows = {{{-1, 1}, op.less}, {{1, -1}, op.greater}, {{7, 7}, op.equal}};
    check({"b32", {"b16", "b16"}}, setp(op, "s16"), rows);
    check({"b32", {"b32", "b32"}}, setp(op, "s32"), rows);
    check({"b32", {"b64", "b64"}}, setp(op, "s64"), rows);
  }
}

TEST(Setp, ComparesUnsignedIntegersUnderBothNames) {
  std::vector<Comparison> all = kOrdered;
  all.insert(all.end(), kUnsignedNames.begin(), kUnsignedNames.end());
  for (const Comparison& op : all) {
    const std::vector<Row> rows = {{{-1, 1}, op.greater}, {{1, -1}, op.less}, {{7, 7}, op.equal}};
    check({"b32", {"b16", "b16"}}, setp(op, "u16"), rows);
    check({"b32", {"b32", "b32"}}, setp(op, "u32"), rows);
    check({"b32", {"b64", "b64"}}, setp(op, "u64"), rows);
  }
}

TEST(Setp, ComparesBits) {
  for (const char* type : {"b16", "b32", "b64"}) {
    check({"b32", {type, type}}, setp(kOrdered[0], type),
          {{{5, 5}, 1}, {{5, 6}, 0}, {{-1, -1}, 1}});
    check({"b32", {type, type}}, setp(kOrdered[1], type), {{{5, 5}, 0}, {{5, 6}, 1}});
  }
}

TEST(Setp, ComparesFloatsOrderedAndUnordered) {
  std::vector<Comparison> all = kOrdered;
  all.insert(all.end(), kUnordered.begin(), kUnordered.end());
  for (const Comparison& op : all) {
    check({"b32", {"b32", "b32"}}, setp(op, "f32"),
          {{{1.0f, 2.0f}, op.less},
           {{2.0f, 1.0f}, op.greater},
           {{-0.0f, 0.0f}, op.equal},
           {{-1.0f, -2.0f}, op.greater},
           {{kNan, 1.0f}, op.unordered},
           {{1.0f, kNan}, op.unordered},
           {{kNan, kNan}, op.unordered},
           {{-kInf, kInf}, op.less},
           {{0.0f, kDenorm}, op.less}});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    check({"b32", {"b64", "b64"}}, setp(op, "f64"),
          {{{1.0, 2.0}, op.less},
           {{2.0, 1.0}, op.greater},
           {{-0.0, 0.0}, op.equal},
           {{nan, 1.0}, op.unordered},
           {{1.0, nan}, op.unordered}});
  }
  check32(std::string("setp.lt.ftz.f32 %p0, %a, %b;") + kAsNumber,
          {{{0.0f, kDenorm}, 0}, {{-kDenorm, kDenorm}, 0}, {{0.0f, 1.0f}, 1}});
  check32(std::string("setp.eq.ftz.f32 %p0, %a, %b;") + kAsNumber, {{{0.0f, kDenorm}, 1}});
}

TEST(Setp, CombinesWithAPredicate) {
  struct Combination {
    const char* name;
    int (*of)(int, int);
  };
  const std::vector<Combination> combinations = {{"and", [](int a, int b) { return a & b; }},
                                                 {"or", [](int a, int b) { return a | b; }},
                                                 {"xor", [](int a, int b) { return a ^ b; }}};
  for (const Combination& combination : combinations) {
    for (const bool negated : {false, true}) {
      std::vector<Row> first;
      std::vector<Row> second;
      for (const int less : {0, 1}) {
        for (const int c : {0, 1}) {
          const int other = negated ? 1 - c : c;
          first.push_back({{1 - less, 1, c}, combination.of(less, other)});
          second.push_back({{1 - less, 1, c}, combination.of(1 - less, other)});
        }
      }
      const std::string body =
          fmt::format("setp.ne.u32 %p2, %c, 0; setp.lt.{}.s32 %p0|%p1, %a, %b, {}%p2;",
                      combination.name, negated ? "!" : "");
      check32(body + " selp.u32 %x, 1, 0, %p0;", first);
      check32(body + " selp.u32 %x, 1, 0, %p1;", second);
    }
  }
}

TEST(Setp, PairIsAPredicateAndItsOpposite) {
  const std::string both = " selp.u32 %x, 1, 0, %p0; @%p1 add.u32 %x, %x, 2;";
  check32("setp.lt.s32 %p0|%p1, %a, %b;" + both, {{{1, 2}, 1}, {{2, 1}, 2}});
  check32("setp.lt.f32 %p0|%p1, %a, %b;" + both, {{{1.0f, 2.0f}, 1}, {{kNan, 1.0f}, 2}});
  check32("mov.u32 %x, 9; setp.lt.s32 _|%p1, %a, %b; @%p1 mov.u32 %x, 4;",
          {{{1, 2}, 9}, {{2, 1}, 4}});
}

TEST(Setp, TakesImmediates) {
  check32(std::string("setp.gt.s32 %p0, %a, -1;") + kAsNumber, {{{0}, 1}, {{-1}, 0}});
  check32(std::string("setp.gt.u32 %p0, %a, 4294967294;") + kAsNumber, {{{-1}, 1}, {{-2}, 0}});
  check32(std::string("setp.gt.f32 %p0, %a, 0f3F800000;") + kAsNumber, {{{1.5f}, 1}, {{1.0f}, 0}});
}

TEST(Guards, RunOrSkipAnInstruction) {
  check32("setp.ne.u32 %p0, %a, 0; mov.u32 %x, 5; @%p0 mov.u32 %x, 7;", {{{0}, 5}, {{1}, 7}});
  check32("setp.ne.u32 %p0, %a, 0; mov.u32 %x, 5; @!%p0 mov.u32 %x, 7;", {{{0}, 7}, {{1}, 5}});
}

TEST(Set, GivesAMaskOrOne) {
  check32("set.lt.u32.s32 %x, %a, %b;", {{{-1, 1}, -1}, {{1, -1}, 0}});
  check32("set.lt.s32.u32 %x, %a, %b;", {{{-1, 1}, 0}, {{1, -1}, -1}});
  check32("set.gt.f32.s32 %x, %a, %b;", {{{2, 1}, 1.0f}, {{1, 2}, 0.0f}});
  check32("set.eq.u32.f32 %x, %a, %b;", {{{0.0f, -0.0f}, -1}, {{kNan, kNan}, 0}});
  check32("set.neu.f32.f32 %x, %a, %b;", {{{kNan, kNan}, 1.0f}, {{1.0f, 1.0f}, 0.0f}});
  check({"b32", {"b64", "b64"}}, "set.hi.u32.u64 %x, %a, %b;", {{{-1, 1}, -1}, {{1, -1}, 0}});
  check({"b32", {"b64", "b64"}}, "set.ge.f32.f64 %x, %a, %b;",
        {{{2.0, 2.0}, 1.0f}, {{1.0, 2.0}, 0.0f}});
  check({"b32", {"b16", "b16"}}, "set.ne.u32.u16 %x, %a, %b;", {{{2, 2}, 0}, {{1, 2}, -1}});
  check32("setp.ne.u32 %p1, %c, 0; set.lt.and.u32.s32 %x, %a, %b, %p1;",
          {{{1, 2, 0}, 0}, {{1, 2, 1}, -1}, {{2, 1, 1}, 0}});
  check32("setp.ne.u32 %p1, %c, 0; set.lt.xor.u32.s32 %x, %a, %b, !%p1;",
          {{{1, 2, 0}, 0}, {{1, 2, 1}, -1}, {{2, 1, 0}, -1}});
}

TEST(Selp, PicksByPredicate) {
  check32("setp.ne.u32 %p0, %c, 0; selp.b32 %x, %a, %b, %p0;", {{{3, 4, 1}, 3}, {{3, 4, 0}, 4}});
  check32("setp.ne.u32 %p0, %c, 0; selp.f32 %x, %a, 0f40000000, %p0;",
          {{{3.0f, 0, 1}, 3.0f}, {{3.0f, 0, 0}, 2.0f}});
  check({"b64", {"b64", "b64", "b32"}}, "setp.ne.u32 %p0, %c, 0; selp.b64 %x, %a, %b, %p0;",
        {{{1LL << 40, -1, 1}, 1LL << 40}, {{3, -1, 0}, -1}});
  check({"b16", {"b16", "b16", "b32"}}, "setp.ne.u32 %p0, %c, 0; selp.u16 %x, %a, %b, %p0;",
        {{{1, 2, 1}, 1}, {{1, 2, 0}, 2}});
}

TEST(Slct, PicksBySign) {
  check32("slct.b32.s32 %x, %a, %b, %c;", {{{3, 4, 0}, 3}, {{3, 4, 7}, 3}, {{3, 4, -1}, 4}});
  check32("slct.f32.f32 %x, %a, %b, %c;", {{{3.0f, 4.0f, 0.0f}, 3.0f},
                                           {{3.0f, 4.0f, -0.0f}, 3.0f},
                                           {{3.0f, 4.0f, -1.0f}, 4.0f},
                                           {{3.0f, 4.0f, kNan}, 4.0f},
                                           {{3.0f, 4.0f, -kDenorm}, 4.0f}});
  check32("slct.ftz.u32.f32 %x, %a, %b, %c;", {{{3, 4, -kDenorm}, 3}, {{3, 4, -1.0f}, 4}});
  check({"b64", {"b64", "b64", "b32"}}, "slct.u64.s32 %x, %a, %b, %c;",
        {{{3, 4, 0}, 3}, {{3, 4, -1}, 4}});
}

}  // namespace
}  // namespace tessera::test
