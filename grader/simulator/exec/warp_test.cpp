// Exchange and votes among the lanes of a warp (PTX ISA, 9.7.9 and 9.7.13).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using Values = std::vector<std::uint32_t>;

const Types kThree{"b32", {"b32", "b32", "b32"}};

struct Shuffled {
  std::uint32_t lane = 0;
  bool valid = false;
};

/// The source lane, as the ISA's pseudo-code has it.
Shuffled shuffle(const std::string& mode, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t bval = b & 31, cval = c & 31, segmask = c >> 8 & 31;
  const std::uint32_t max_lane = (lane & segmask) | (cval & ~segmask);
  const std::uint32_t min_lane = lane & segmask;
  int j = 0;
  bool valid = false;
  if (mode == "up") {
    j = static_cast<int>(lane) - static_cast<int>(bval);
    valid = j >= static_cast<int>(max_lane);
  } else {
    if (mode == "down") j = static_cast<int>(lane + bval);
    if (mode == "bfly") j = static_cast<int>(lane ^ bval);
    if (mode == "idx") j = static_cast<int>(min_lane | (bval & ~segmask));
    valid = j <= static_cast<int>(max_lane);
  }
  return {valid ? static_cast<std::uint32_t>(j) : lane, valid};
}

void expect_shuffle(const std::string& mode, std::uint32_t b, std::uint32_t c) {
  std::vector<std::vector<Bits>> rows;
  for (std::uint32_t lane = 0; lane < 32; ++lane) rows.push_back({1000 + lane, b, c});
  const std::vector<std::uint64_t> values =
      evaluate(kThree, fmt::format("shfl.sync.{}.b32 %x, %a, %b, %c, -1;", mode), rows);
  const std::vector<std::uint64_t> predicates = evaluate(
      kThree,
      fmt::format("shfl.sync.{}.b32 %r0|%p0, %a, %b, %c, 0xffffffff; selp.u32 %x, 1, 0, %p0;",
                  mode),
      rows);
  ASSERT_EQ(values.size(), 32u);
  ASSERT_EQ(predicates.size(), 32u);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const Shuffled want = shuffle(mode, lane, b, c);
    EXPECT_EQ(values[lane], 1000 + want.lane)
        << mode << " lane " << lane << " b " << b << " c " << c;
    EXPECT_EQ(predicates[lane], want.valid ? 1u : 0u)
        << mode << " lane " << lane << " b " << b << " c " << c;
  }
}

TEST(Shuffle, MovesWithinTheWarp) {
  for (const std::uint32_t b : {0u, 1u, 5u, 16u, 31u, 33u}) {
    expect_shuffle("up", b, 0);
    expect_shuffle("down", b, 31);
    expect_shuffle("bfly", b, 31);
    expect_shuffle("idx", b, 31);
  }
}

TEST(Shuffle, StaysInsideSegments) {
  for (const std::uint32_t width : {2u, 4u, 8u, 16u}) {
    const std::uint32_t segment = (32 - width) << 8;
    for (const std::uint32_t b : {1u, 3u, 7u}) {
      expect_shuffle("up", b, segment);
      expect_shuffle("down", b, segment | 31);
      expect_shuffle("bfly", b, segment | 31);
      expect_shuffle("idx", b, segment | 31);
    }
  }
}

TEST(Shuffle, ClampsAtAnyLane) {
  std::mt19937 random(5);
  for (int i = 0; i < 12; ++i) {
    const std::uint32_t b = random() & 31, c = random() & 0x1f1f;
    for (const char* mode : {"up", "down", "bfly", "idx"}) expect_shuffle(mode, b, c);
  }
}

TEST(Shuffle, EachLaneMayHaveItsOwnSource) {
  std::vector<std::vector<Bits>> rows;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    rows.push_back({lane * lane, (lane * 7 + 3) % 32, 31});
  const std::vector<std::uint64_t> values =
      evaluate(kThree, "shfl.sync.idx.b32 %x, %a, %b, %c, -1;", rows);
  ASSERT_EQ(values.size(), 32u);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(values[lane], ((lane * 7 + 3) % 32) * ((lane * 7 + 3) % 32));
}

TEST(Shuffle, MembersMayBeAPartOfTheWarp) {
  const Values values = lanes(
      "setp.ge.u32 %p0, %index, 8; mov.u32 %x, 77; @%p0 bra END; shfl.sync.down.b32 %x, %index, 2, "
      "31, 0xff; END:");
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i >= 8 ? 77u : i < 6 ? i + 2 : values[i]);
}

TEST(Shuffle, SumsAWarpByButterflies) {
  const Values values = lanes(R"(
    mov.u32 %x, %index;
    shfl.sync.bfly.b32 %r0, %x, 16, 31, -1; add.u32 %x, %x, %r0;
    shfl.sync.bfly.b32 %r0, %x, 8, 31, -1; add.u32 %x, %x, %r0;
    shfl.sync.bfly.b32 %r0, %x, 4, 31, -1; add.u32 %x, %x, %r0;
    shfl.sync.bfly.b32 %r0, %x, 2, 31, -1; add.u32 %x, %x, %r0;
    shfl.sync.bfly.b32 %r0, %x, 1, 31, -1; add.u32 %x, %x, %r0;)");
  EXPECT_EQ(values, Values(32, 496));
}

TEST(Shuffle, HalvesOfADivergentWarpWaitAndExchange) {
  const Values values = lanes(R"(
    setp.lt.u32 %p0, %index, 16; @%p0 bra LOW;
    add.u32 %r0, %index, 1000; shfl.sync.bfly.b32 %x, %r0, 16, 31, -1; bra.uni JOIN;
  LOW:
    add.u32 %r0, %index, 2000; shfl.sync.bfly.b32 %x, %r0, 16, 31, -1;
  JOIN:)");
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i < 16 ? 1000 + i + 16 : 2000 + i - 16);
}

TEST(Shuffle, LanesThatComeLateAreAwaited) {
  // Odd lanes loop before they come to the same instruction.
  const Values values = lanes(R"(
    mov.u32 %r1, 0; and.b32 %r0, %index, 1; setp.eq.u32 %p0, %r0, 0; @%p0 bra MEET;
  LOOP:
    add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %index; @%p1 bra LOOP;
  MEET:
    shfl.sync.bfly.b32 %x, %r1, 1, 31, -1;)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 2 == 1 ? 0u : i + 1);
}

TEST(Shuffle, DoesNotWaitForLanesThatExited) {
  const Values values =
      lanes("setp.ge.u32 %p0, %index, 16; @%p0 exit; shfl.sync.bfly.b32 %x, %index, 1, 31, -1;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 16 ? i ^ 1 : kPoison32);
}

TEST(Vote, CountsPredicates) {
  const auto vote = [](const std::string& condition, const std::string& form) {
    const bool ballot = form == "ballot";
    return lanes(condition +
                 fmt::format(" vote.sync.{} {}, %p0, -1;", ballot ? "ballot.b32" : form + ".pred",
                             ballot ? "%x" : "%p1") +
                 (ballot ? "" : " selp.u32 %x, 1, 0, %p1;"));
  };
  const std::string some = "setp.lt.u32 %p0, %index, 5;", all = "setp.lt.u32 %p0, %index, 99;",
                    none = "setp.gt.u32 %p0, %index, 99;";
  EXPECT_EQ(vote(some, "all"), Values(32, 0));
  EXPECT_EQ(vote(all, "all"), Values(32, 1));
  EXPECT_EQ(vote(some, "any"), Values(32, 1));
  EXPECT_EQ(vote(none, "any"), Values(32, 0));
  EXPECT_EQ(vote(some, "uni"), Values(32, 0));
  EXPECT_EQ(vote(all, "uni"), Values(32, 1));
  EXPECT_EQ(vote(none, "uni"), Values(32, 1));
  EXPECT_EQ(vote(some, "ballot"), Values(32, 0x1f));
  EXPECT_EQ(lanes("setp.lt.u32 %p0, %index, 5; vote.sync.ballot.b32 %x, !%p0, -1;"),
            Values(32, ~0x1fu));
  EXPECT_EQ(
      lanes(
          "setp.lt.u32 %p0, %index, 5; vote.sync.all.pred %p1, !%p0, -1; selp.u32 %x, 1, 0, %p1;"),
      Values(32, 0));
}

TEST(Vote, CountsMembersOnly) {
  const Values values = lanes(R"(
    mov.u32 %x, 0; setp.ge.u32 %p0, %index, 10; @%p0 bra END;
    setp.lt.u32 %p1, %index, 20; vote.sync.all.pred %p2, %p1, 0x3ff; and.b32 %r0, %index, 1;
    setp.eq.u32 %p3, %r0, 1;
    vote.sync.ballot.b32 %x, %p3, 0x3ff; @!%p2 mov.u32 %x, 9999;
  END:)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 10 ? 0x2aau : 0u);
}

TEST(Match, FindsLanesWithTheSameValue) {
  const Values any = lanes("and.b32 %r0, %index, 3; match.any.sync.b32 %x, %r0, -1;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(any[i], 0x11111111u << (i % 4));
  EXPECT_EQ(lanes("mov.u32 %r0, 7; match.all.sync.b32 %x|%p0, %r0, -1; @!%p0 mov.u32 %x, 1;"),
            Values(32, 0xffffffff));
  EXPECT_EQ(lanes("match.all.sync.b32 %x|%p0, %index, -1; selp.u32 %r1, 100, 200, %p0; add.u32 %x, "
                  "%x, %r1;"),
            Values(32, 200));
  const Values wide = lanes(
      "and.b32 %r0, %index, 1; cvt.u64.u32 %rd0, %r0; shl.b64 %rd0, %rd0, 40; match.any.sync.b64 "
      "%x, %rd0, -1;");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(wide[i], 0x55555555u << (i % 2));
}

TEST(Activemask, ShowsWhoIsHere) {
  const Values values = lanes(
      "and.b32 %r0, %index, 3; setp.eq.u32 %p0, %r0, 2; mov.u32 %x, 0; @%p0 bra IN; bra OUT; IN: "
      "activemask.b32 %x; OUT:");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 4 == 2 ? 0x44444444u : 0u);
}

TEST(Redux, ReducesOverTheMembers) {
  const std::vector<std::pair<std::string, std::uint32_t>> forms = {
      {"add.u32", 496 - 320}, {"add.s32", 496 - 320}, {"min.s32", 0xfffffff6},
      {"max.s32", 21},        {"min.u32", 0},         {"max.u32", 0xffffffff}};
  for (const auto& [form, want] : forms) {  // values -10 ... 21
    EXPECT_EQ(lanes("sub.u32 %r0, %index, 10; redux.sync." + form + " %x, %r0, -1;"),
              Values(32, want))
        << form;
  }
  EXPECT_EQ(lanes("or.b32 %r0, %index, 32; redux.sync.and.b32 %x, %r0, -1;"), Values(32, 32));
  EXPECT_EQ(lanes("redux.sync.or.b32 %x, %index, -1;"), Values(32, 31));
  EXPECT_EQ(lanes("or.b32 %r0, %index, 32; redux.sync.xor.b32 %x, %r0, -1;"), Values(32, 0));
  const Values part = lanes(
      "mov.u32 %x, 0; setp.ge.u32 %p0, %index, 4; @%p0 bra END; redux.sync.add.u32 %x, %index, "
      "0xf; END:");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(part[i], i < 4 ? 6u : 0u);
}

TEST(Elect, ChoosesOneMember) {
  const Values leaders = lanes("elect.sync %x|%p0, -1;");
  const Values elected = lanes("elect.sync %r0|%p0, -1; selp.u32 %x, 1, 0, %p0;");
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(leaders[i], leaders[0]);
    count += elected[i];
  }
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(elected.at(leaders[0]), 1u);
  const Values part = lanes(
      "mov.u32 %x, 99; setp.lt.u32 %p1, %index, 12; @%p1 bra END; elect.sync %x|%p0, 0xfffff000; "
      "END:");
  EXPECT_GE(part[31], 12u);
  EXPECT_LT(part[31], 32u);
}

TEST(WarpBarrier, OrdersStoresOfTheWarp) {
  const Values values = lanes(R"(
    .shared .align 4 .b8 tile[128]; mov.u32 %r0, tile; mad.lo.u32 %r1, %index, 4, %r0;
    st.shared.u32 [%r1], %index; bar.warp.sync -1;
    xor.b32 %r2, %index, 5; mad.lo.u32 %r3, %r2, 4, %r0; ld.shared.u32 %x, [%r3];)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i ^ 5);
}

TEST(WarpBarrier, JoinsBranches) {
  const Values values = lanes(R"(
    .shared .align 4 .b8 tile[128]; mov.u32 %r0, tile; mad.lo.u32 %r1, %index, 4, %r0;
    xor.b32 %r2, %index, 31; mad.lo.u32 %r3, %r2, 4, %r0;
    setp.lt.u32 %p0, %index, 16; @%p0 bra LOW;
    st.shared.u32 [%r1], 1; bar.warp.sync 0xffffffff; ld.shared.u32 %x, [%r3]; bra.uni JOIN;
  LOW:
    st.shared.u32 [%r1], 2; bar.warp.sync 0xffffffff; ld.shared.u32 %x, [%r3];
  JOIN:)");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 16 ? 1u : 2u);
}

}  // namespace
}  // namespace tessera::test
