#include "grader/report/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/sample_accesses.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Memory = LineAccess::Memory;

const std::vector<std::string> kNoLines;
const std::vector<LineAccess> kNoAccesses;

std::string global_advice(const AccessShape& worst) {
  return advice({kNoLines, kNoAccesses}, access_at(1, Memory::global, false, 1, worst));
}

std::string shared_advice(const AccessShape& worst) {
  return advice({kNoLines, kNoAccesses}, access_at(1, Memory::shared, false, 1, worst));
}

TEST(Advice, AColumnOfAMatrix) {
  EXPECT_THAT(global_advice(column_of_a()),
              AllOf(HasSubstr("walk down a column of A"), HasSubstr("16 sectors"),
                    HasSubstr("4 would do"), HasSubstr("Let threadIdx.x run along the row")));
  AccessShape upwards = column_of_a();
  upwards.stride = -256;
  EXPECT_EQ(global_advice(upwards), global_advice(column_of_a()));
}

TEST(Advice, ALongStrideOfAFlatArray) {
  EXPECT_THAT(
      global_advice(shape("x", 32, 4, 128)),
      AllOf(HasSubstr("128 bytes apart in x"), HasSubstr("32 sectors"), Not(HasSubstr("column"))));
}

TEST(Advice, SectorsThatAreUsedInPart) {
  EXPECT_THAT(global_advice(shape("x", 8, 4, 8)),
              AllOf(HasSubstr("8 bytes apart in x"), HasSubstr("8 sectors"),
                    HasSubstr("neighbouring elements")));
}

TEST(Advice, ScatteredLanes) {
  EXPECT_THAT(global_advice(shape("x", 32, 4, 0)),
              AllOf(HasSubstr("scattered over x"), HasSubstr("32 sectors"),
                    HasSubstr("neighbouring addresses")));
}

TEST(Advice, SeveralBuffersAreCalledMemory) {
  EXPECT_THAT(global_advice(shape("", 32, 4, 128)), HasSubstr("in memory"));
}

TEST(Advice, ColumnsOfASharedTileArePadded) {
  EXPECT_THAT(
      shared_advice(shape("As", 32, 1, 128)),
      AllOf(HasSubstr("128 bytes apart in As"), HasSubstr("same banks"), HasSubstr("32 wavefronts"),
            HasSubstr("1 would do"), HasSubstr("Pad each row"), Not(HasSubstr("(line"))));
}

TEST(Advice, SaysWhereTheArrayIsDeclared) {
  const LineAccess access = access_at(5, Memory::shared, false, 1, shape("As", 32, 1, 128));
  const std::vector<std::string> lines = {
      "// __shared__ float As[32][32]: one tile",  // 1
      "__shared__ float Asum[32], Bs[32][32];",    // 2
      "__shared__ float  As[32][32];",             // 3
  };
  EXPECT_THAT(advice(counted_source(lines, {access}), access), HasSubstr("is declared (line 3)."));
  const std::vector<std::string> dynamic = {"extern __shared__ float As[];"};
  EXPECT_THAT(advice(counted_source(dynamic, {access}), access), HasSubstr("is declared."));
}

TEST(Advice, ConflictsOfOtherStrides) {
  EXPECT_THAT(shared_advice(shape("As", 16, 1, 64)),
              AllOf(HasSubstr("64 bytes apart in As"), HasSubstr("16 wavefronts"),
                    Not(HasSubstr("Pad each row"))));
  EXPECT_THAT(shared_advice(shape("bins", 7, 1, 0)),
              AllOf(HasSubstr("scattered over bins"), HasSubstr("7 wavefronts"),
                    HasSubstr("different banks")));
}

/// Lanes along the rows of a float tile: lane l has row l % rows, column l / rows.
AccessShape down_columns(unsigned rows, unsigned row_elements, unsigned passes) {
  AccessShape access = shape("As", passes, 1, 4 * static_cast<int>(row_elements));
  access.row_bytes = 4 * row_elements;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    access.offsets.emplace_back(4 * (lane % rows * row_elements + lane / rows));
  return access;
}

TEST(Advice, PaddingIsAdvisedWhereItLeavesNoConflict) {
  EXPECT_THAT(shared_advice(down_columns(32, 32, 32)), HasSubstr("Pad each row by one element"));
  // A warp has two columns of 16 rows: with 17 elements a row two lanes still share a bank.
  EXPECT_THAT(shared_advice(down_columns(16, 16, 16)), HasSubstr("Pad each row by 2 elements"));
}

TEST(Advice, PaddingIsThatOfTheArrayAsItIs) {
  EXPECT_THAT(shared_advice(down_columns(16, 17, 2)),
              HasSubstr("Pad each row by one more element where"));
}

TEST(Advice, PaddingSuitsAllAccessesOfTheArray) {
  const LineAccess pairs = access_at(5, Memory::shared, true, 1, down_columns(16, 16, 16));
  const LineAccess column = access_at(9, Memory::shared, false, 1, down_columns(32, 16, 16));
  const std::vector<LineAccess> both = {pairs, column};
  EXPECT_THAT(advice({kNoLines, {column}}, column), HasSubstr("Pad each row by one element"));
  EXPECT_THAT(
      advice({kNoLines, both}, column),
      HasSubstr("Pad each row by one element where the array is declared; line 5 then still "
                "has conflicts."))
      << "a column of 32 wants an odd number, two of 16 an even one";
}

TEST(Advice, NoneWhereNothingIsBad) {
  EXPECT_EQ(global_advice(shape("x", 4, 4, 4)), "");
  EXPECT_EQ(global_advice(shape("x", 1, 1, 0)), "") << "a broadcast";
  EXPECT_EQ(global_advice(shape("x", 5, 4, 4)), "") << "one word off";
  EXPECT_EQ(shared_advice(shape("As", 1, 1, 4)), "");
  EXPECT_EQ(shared_advice(shape("As", 1, 1, 0)), "") << "a broadcast";
  AccessShape wide = shape("x", 16, 16, 16);
  wide.width = 16;
  EXPECT_EQ(global_advice(wide), "") << "16 bytes a lane";
  wide = shape("As", 4, 4, 16);
  wide.width = 16;
  EXPECT_EQ(shared_advice(wide), "") << "16 bytes a lane";
}

TEST(Advice, NoneForABroadcastOfAFewElements) {
  // Two rows of a tile: 2 elements, each for 16 lanes, in 2 sectors where 1 would hold them.
  EXPECT_EQ(global_advice(shape("A", 2, 1, 0)), "");
  EXPECT_EQ(global_advice(shape("A", 4, 1, 0)), "");
}

TEST(Advice, NoneWithoutARequest) {
  EXPECT_EQ(advice({kNoLines, kNoAccesses}, LineAccess{}), "");
}

TEST(Advice, StridesAreNoFaultWhereTheLabWantsThem) {
  Record record = won_record();
  record.items[3].goal.emplace();
  record.items[3].goal->metric = Metric::global_store_sectors_per_request;
  record.items[3].goal->at_most = 4.5;
  const LineAccess global = access_at(1, Memory::global, false, 1, column_of_a());
  const LineAccess shared = access_at(1, Memory::shared, false, 1, shape("As", 32, 1, 128));
  EXPECT_NE(advice(counted_source(record), global), "");
  record.items[3].goal->at_most.reset();
  record.items[3].goal->at_least = 15;
  EXPECT_EQ(advice(counted_source(record), global), "");
  EXPECT_NE(advice(counted_source(record), shared), "") << "conflicts are never wanted";
}

/// A record that lost points for its sectors; lines 19 and 20 waste some, line 20 more.
Record record_of_wasteful_lines() {
  Record record = won_record();
  Item& item = record.items[3];
  item.status = Status::fail;
  item.hint = "neighbouring lanes should touch neighbouring addresses";
  item.goal.emplace();
  item.goal->metric = Metric::global_load_sectors_per_request;
  record.lines = {access_at(19, Memory::global, false, 10, column_of_a()),
                  access_at(20, Memory::global, false, 90, column_of_a()),
                  access_at(21, Memory::global, true, 500, column_of_a()),
                  access_at(22, Memory::shared, false, 500, shape("As", 32, 1, 128))};
  return record;
}

TEST(RemedyOf, IsTheAdviceOnTheLineThatWastesMost) {
  const Record record = record_of_wasteful_lines();
  EXPECT_EQ(costliest_access(record.items[3], record), &record.lines[1]);
  EXPECT_THAT(remedy_of(record.items[3], record), StartsWith("line 20: neighbouring lanes walk"));
}

TEST(RemedyOf, IsTheHintWhereNoLineIsToBlame) {
  Record record = record_of_wasteful_lines();
  record.items[3].goal->metric = Metric::global_load_requests;
  EXPECT_EQ(remedy_of(record.items[3], record), record.items[3].hint)
      << "too many, however they lie";
  record.items[3].goal->metric = Metric::global_load_sectors_per_request;
  record.lines.clear();
  EXPECT_EQ(remedy_of(record.items[3], record), record.items[3].hint);
  EXPECT_EQ(costliest_access(record.items[3], record), nullptr);
}

}  // namespace
}  // namespace tessera
