#include "grader/gradebook/item_tally.h"

#include <gmock/gmock.h>

#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::ElementsAre;

const std::string kTitle = "barriers at least 1";

Item barriers(Status status, double points) {
  return sample_item("technique/1", kTitle, status, points, 10);
}

TEST(ItemTally, EveryStatusCountsOnce) {
  ItemTally tally;
  using enum Status;
  for (const Status status :
       {pass, pass, partial, fail, error, timeout, skipped, deferred, review, infra})
    EXPECT_EQ(tally.add(barriers(status, status == pass ? 10 : status == partial ? 4 : 0)), 0);
  ASSERT_EQ(tally.items().size(), 1);
  const ItemCounts& counts = tally.items().front();
  EXPECT_EQ(counts.won, 2);
  EXPECT_EQ(counts.partly, 1);
  EXPECT_EQ(counts.lost, 3);
  EXPECT_EQ(counts.skipped, 1);
  EXPECT_EQ(counts.deferred, 1);
  EXPECT_EQ(counts.review, 1);
  EXPECT_EQ(counts.infra, 1);
  // Neither deferred nor infra.
  EXPECT_THAT(counts.points, ElementsAre(10, 10, 4, 0, 0, 0, 0, 0));
  EXPECT_DOUBLE_EQ(counts.mean_points(), 24.0 / 8);
}

TEST(ItemTally, WithoutMeasurementsThereIsNoMean) {
  ItemTally tally;
  tally.add(barriers(Status::deferred, 0));
  EXPECT_EQ(tally.items().front().mean_points(), 0);
  EXPECT_TRUE(tally.items().front().points.empty());
}

TEST(ItemTally, TheItemOfAnEditedLabIsAnotherOne) {
  ItemTally tally;
  EXPECT_EQ(tally.add(barriers(Status::pass, 10)), 0);
  EXPECT_EQ(tally.add(sample_item("technique/1", "barriers at least 2", Status::fail, 0, 10)), 1);
  EXPECT_EQ(tally.add(barriers(Status::pass, 10)), 0);
  EXPECT_EQ(tally.items()[0].won, 2);
  EXPECT_EQ(tally.items()[1].lost, 1);
}

TEST(ItemTally, ALabelHasNothingOfOneStudent) {
  ItemTally tally;
  Item item = barriers(Status::pass, 10);
  item.metrics = {{Metric::barriers, 20}};
  tally.add(item);
  tally.add(sample_item("correctness/2", "m=2 n=2 k=2 ones", Status::pass, 5, 5));
  tally.add(sample_item("correctness/3", "hidden case 1", Status::pass, 5, 5));
  EXPECT_EQ(tally.items()[0].label, kTitle);
  EXPECT_EQ(tally.items()[0].name, "technique/1");
  EXPECT_EQ(tally.items()[1].name, "case 2");
  EXPECT_EQ(tally.items()[2].name, "hidden case 1");
  EXPECT_EQ(tally.items()[1].label, "case 2: m=2 n=2 k=2 ones");
}

}  // namespace
}  // namespace tessera
