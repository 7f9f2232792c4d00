#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/samples.h"
#include "grader/report/pictures/testing.h"
#include "grader/report/pictures/warp_access.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Memory = LineAccess::Memory;
using Offset = std::optional<std::uint64_t>;

/// Lanes in columns of eight: the warp reads a column of a tile 32 floats wide.
Offset column(unsigned lane) {
  return lane % 8 * 128 + lane / 8 * 4;
}

/// Floats one after the other.
Offset row(unsigned lane) {
  return 4 * lane;
}

/// A matrix of 1,024 columns, walked down.
Offset down(unsigned lane) {
  return 4096 * lane + 8;
}

std::string utf8(const LineAccess& access) {
  return access_text(access, {});
}

TEST(Banks, LanesOfOneWordAreServedTogether) {
  const BankUse use = banks_of(sample_access(Memory::shared, 4, [](unsigned lane) -> Offset {
                                 return lane % 2 * 128 + 4;
                               }).worst);
  EXPECT_EQ(use.wavefronts, 2u);
  EXPECT_EQ(use.banks_used(), 1u);
  ASSERT_EQ(use.words[1].size(), 2u);
  EXPECT_EQ(use.words[1][1].index, 33u);
  EXPECT_EQ(ranges_of(use.words[1][1].lanes),
            "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31");
}

TEST(Banks, WideAccessesAreServedInGroups) {
  // Half of the lanes are served at a time: those of the second half meet, those of the first
  // don't.
  const BankUse use = banks_of(sample_access(Memory::shared, 8, [](unsigned lane) -> Offset {
                                 return lane < 16 ? 8 * lane : 256 * lane;
                               }).worst);
  EXPECT_EQ(use.first_lane, 16u);
  EXPECT_EQ(use.lanes, 16u);
  EXPECT_EQ(use.wavefronts, 16u);
  EXPECT_EQ(use.banks_used(), 2u);
}

TEST(Sectors, AreThoseThatLanesTouch) {
  const std::vector<Sector> sectors =
      sectors_of(sample_access(Memory::global, 4, [](unsigned lane) -> Offset {
                   if (lane >= 3) return std::nullopt;
                   return lane == 2 ? 6400 : 28 + 4 * lane;
                 }).worst);
  ASSERT_EQ(sectors.size(), 3u);
  EXPECT_EQ(sectors[0].index, 0u);
  EXPECT_EQ(sectors[0].words, 0x80);
  EXPECT_THAT(sectors[0].lanes, ElementsAre(0));
  EXPECT_EQ(sectors[1].words, 0x01);
  EXPECT_EQ(sectors[2].index, 200u);
}

TEST(Sectors, OfAWideAccessMayBeSeveral) {
  const std::vector<Sector> sectors =
      sectors_of(sample_access(Memory::global, 16, [](unsigned lane) -> Offset {
                   return lane == 5 ? Offset(24) : std::nullopt;
                 }).worst);
  ASSERT_EQ(sectors.size(), 2u);
  EXPECT_EQ(sectors[0].words, 0xc0);
  EXPECT_EQ(sectors[1].words, 0x03);
}

TEST(Lanes, AreListedAsRanges) {
  EXPECT_EQ(ranges_of({0, 1, 2, 3}), "0-3");
  EXPECT_EQ(ranges_of({0, 1, 8, 31}), "0, 1, 8, 31");
  EXPECT_EQ(ranges_of({}), "");
  EXPECT_EQ(short_ranges_of({0, 1, 2, 3}, 8), "0-3");
  EXPECT_EQ(short_ranges_of({10, 11, 12, 20, 21, 22}, 8), "10-12 +3");
}

TEST(AccessText, BanksThatManyLanesMeetIn) {
  EXPECT_EQ(utf8(sample_access(Memory::shared, 4, column)),
            R"(    line 23, shared load of As: 8 wavefronts a request where 1 would do
          █ █ █ █
          █ █ █ █
          █ █ █ █
          █ █ █ █ · · · · · · · · · · · · · · · · · · · · · · · · · · · ·
    bank  0       4       8       12      16      20      24      28
    ▄ is 1 word, █ twice as many. A bank delivers one word after the other.
    bank 0: 8 words for lanes 0-7
    bank 1: 8 words for lanes 8-15
    bank 2: 8 words for lanes 16-23
    bank 3: 8 words for lanes 24-31
)");
}

TEST(AccessText, BanksInAscii) {
  EXPECT_EQ(access_text(
                sample_access(Memory::shared, 4, [](unsigned lane) -> Offset { return 8 * lane; }),
                ascii_options()),
            R"(    line 23, shared load of As: 2 wavefronts a request where 1 would do
          # . # . # . # . # . # . # . # . # . # . # . # . # . # . # . # .
    bank  0       4       8       12      16      20      24      28
    + is 1 word, # twice as many. A bank delivers one word after the other.
    bank 0: 2 words for lanes 0, 16
    bank 2: 2 words for lanes 1, 17
    bank 4: 2 words for lanes 2, 18
    bank 6: 2 words for lanes 3, 19
    and 12 banks more like these
)");
}

TEST(AccessText, ThirtyTwoLanesInOneBank) {
  EXPECT_EQ(utf8(sample_access(Memory::shared, 4,
                               [](unsigned lane) -> Offset { return 128 * lane + 12; })),
            R"(    line 23, shared load of As: 32 wavefronts a request where 1 would do
                █
                █
                █
          · · · █ · · · · · · · · · · · · · · · · · · · · · · · · · · · ·
    bank  0       4       8       12      16      20      24      28
    ▄ is 4 words, █ twice as many. A bank delivers one word after the other.
    bank 3: 32 words for lanes 0-31
)");
}

TEST(AccessText, SectorsOfWhichEachGivesOneWord) {
  EXPECT_EQ(utf8(sample_access(Memory::global, 4, down)),
            R"(    line 23, global load of As: 32 sectors a request where 4 would do
          +0  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··
       lanes  0     1     2     3     4     5     6     7
     +32,768  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··
       lanes  8     9     10    11    12    13    14    15
     +65,536  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··
       lanes  16    17    18    19    20    21    22    23
     +98,304  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··  ·▌··
       lanes  24    25    26    27    28    29    30    31
    █: two words that lanes touch, ▌ or ▐: one, ·: none; a group is a sector of
    32 bytes with its lanes below; left: offset of the first sector
)");
}

TEST(AccessText, SectorsInAscii) {
  EXPECT_EQ(access_text(sample_access(
                            Memory::global, 4,
                            [](unsigned lane) -> Offset { return lane % 16 * 64 + lane / 16 * 4; }),
                        ascii_options()),
            R"(    line 23, global load of As: 16 sectors a request where 4 would do
       +0  #...    #...    #...    #...    #...    #...    #...    #...
    lanes  0, 16   1, 17   2, 18   3, 19   4, 20   5, 21   6, 22   7, 23
     +512  #...    #...    #...    #...    #...    #...    #...    #...
    lanes  8, 24   9, 25   10, 26  11, 27  12, 28  13, 29  14, 30  15, 31
    #: two words that lanes touch, < or >: one, .: none; a group is a sector of
    32 bytes with its lanes below; left: offset of the first sector
)");
}

TEST(AccessText, ColoursAddNothing) {
  TextOptions options;
  options.color = true;
  for (const LineAccess& access :
       {sample_access(Memory::shared, 4, column), sample_access(Memory::global, 4, down)}) {
    const std::string colored = access_text(access, options);
    EXPECT_THAT(colored, HasSubstr("\x1b["));
    EXPECT_EQ(without_colors(colored), utf8(access));
  }
}

TEST(AccessPicture, NeedsLanes) {
  LineAccess access = sample_access(Memory::global, 4, down);
  access.worst.offsets.clear();
  EXPECT_EQ(utf8(access), "");
  EXPECT_EQ(access_svg(access), "");
  access.worst.offsets.resize(kWarpLanes);
  EXPECT_EQ(utf8(access), "") << "no lane took part";
  access.memory = Memory::shared;
  EXPECT_EQ(access_svg(access), "");
}

TEST(AccessPicture, AnyRequestFitsAScreenAndIsAnSvg) {
  std::vector<std::string> svgs;
  for (const Memory memory : {Memory::global, Memory::shared}) {
    for (const std::uint32_t width : {0u, 1u, 2u, 4u, 8u, 12u, 16u, 28u, 4'000'000'000u}) {
      for (const std::uint64_t stride : {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{132},
                                         std::uint64_t{4096}, std::uint64_t{1} << 58}) {
        LineAccess access =
            sample_access(memory, width, [&](unsigned lane) -> Offset { return stride * lane; });
        access.worst.variable = "<As>\x1b&";
        expect_fits_a_screen(utf8(access));
        expect_fits_a_screen(access_text(access, ascii_options()));
        svgs.push_back(access_svg(access));
        expect_no_odd_numbers(svgs.back());
      }
    }
  }
  LineAccess far = sample_access(Memory::global, 4, [](unsigned) -> Offset {
    return std::numeric_limits<std::uint64_t>::max();
  });
  svgs.push_back(access_svg(far));
  expect_svgs(svgs);
}

TEST(AccessSvg, DescribesWhichLanesMeet) {
  const std::string svg = access_svg(sample_access(Memory::shared, 4, column));
  EXPECT_THAT(svg,
              HasSubstr("<title>Banks: line 23, shared load of As: 8 wavefronts a request where "
                        "1 would do</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc>4 of 32 banks are used. Bank 0: 8 words, lanes 0-7. Bank 1: 8 "
                             "words, lanes 8-15."));
  EXPECT_THAT(svg, HasSubstr(">31</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("0+")));
}

TEST(AccessSvg, DescribesWhichSectorsAreTouched) {
  const std::string svg = access_svg(sample_access(Memory::global, 4, row));
  EXPECT_THAT(svg, HasSubstr("<desc>The lanes touch 4 sectors. At byte 0: lanes 0-7. At byte 32: "
                             "lanes 8-15."));
  EXPECT_THAT(svg, HasSubstr("class=\"used\""));
}

}  // namespace
}  // namespace tessera
