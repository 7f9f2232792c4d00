// Findings of the same mistake, which the simulator reports in several cases, are merged.
#include "grader/judge/points/merge.h"

#include <gtest/gtest.h>

#include <utility>

#include "grader/simulator/check/bounds_text.h"
#include "grader/simulator/check/race_text.h"

namespace tessera {
namespace {

std::string cause(std::string message) {
  Finding finding;
  finding.message = std::move(message);
  return cause_of(finding);
}

/// The cause of a read outside matrix A, whose elements have 4 bytes.
std::string cause_outside(std::vector<std::uint64_t> extents, std::uint64_t pitch,
                          const std::string& index, std::int64_t offset) {
  const std::uint64_t rows = extents.size() == 2 ? extents[0] : 1;
  sim::ArrayExtents array;
  array.name = "A";
  array.bytes = 4 * ((rows - 1) * pitch + extents.back());
  array.element_bytes = 4;
  array.extents = std::move(extents);
  array.pitch = pitch;
  return cause(sim::outside_message(array, {.verb = Phrase::reads,
                                            .element = {"A", index},
                                            .thread = {},
                                            .offset = offset,
                                            .bytes = 4})
                   .str());
}

TEST(CauseOf, AnAccessOutsideIsOneCauseInAllShapes) {
  const std::string dense = cause_outside({50, 30}, 30, "[50][0]", 6000);
  EXPECT_EQ(dense, cause_outside({64, 32}, 40, "[64][1]", 10244)) << "padded rows";
  EXPECT_EQ(dense, cause_outside({1, 1}, 1, "[5][0]", 20)) << "another row";
  EXPECT_EQ(dense, cause_outside({1}, 0, "[1]", 4)) << "a single row";
  EXPECT_NE(dense, cause_outside({50, 30}, 30, "[-1][29]", -4)) << "the other end";
}

sim::Race race_of(sim::RaceScope scope, int line, int later_line) {
  sim::Race race;
  race.variable = "As";
  race.element = {"As", "[3][5]"};
  race.first = {Phrase::stores, "(3, 5, 0)", "(0, 0, 0)", line};
  race.second = {Phrase::reads, "(1, 1, 0)", "(0, 0, 0)", later_line};
  race.scope = scope;
  return race;
}

TEST(CauseOf, ARaceInsideAWarpAndARaceBetweenWarpsAreOneCause) {
  Finding warp;
  warp.message = sim::race_message(race_of(sim::RaceScope::warp, 12, 15));
  warp.kind = FindingKind::race;
  Finding block = warp;
  block.message = sim::race_message(race_of(sim::RaceScope::block, 12, 15));
  EXPECT_EQ(cause_of(warp), cause_of(block));
}

}  // namespace
}  // namespace tessera
