#include "grader/cli/watch_heading.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

/// A record with an item of 10 points for each status.
Record record_of(std::initializer_list<Status> statuses) {
  Record record;
  record.lab = "03-tiled";
  for (const Status status : statuses) {
    Item item;
    item.id = "correctness/" + std::to_string(record.items.size() + 1);
    item.status = status;
    item.max_points = 10;
    item.points = status == Status::pass ? 10 : 0;
    record.items.push_back(item);
  }
  sum_points(record);
  return record;
}

Record broken() {
  Record record = record_of({Status::error, Status::error});
  record.items[0].findings.push_back({.kind = FindingKind::does_not_compile,
                                      .file = {},
                                      .message = {},
                                      .hint = {},
                                      .example = {}});
  return record;
}

using enum Status;

TEST(WatchHeading, TheFirstResultIsItsScore) {
  EXPECT_EQ(watch_heading(record_of({pass, fail}), {}), "03-tiled  10 of 20");
}

TEST(WatchHeading, WhatCannotBeMeasuredIsLeftOut) {
  EXPECT_EQ(watch_heading(record_of({pass, deferred}), {}), "03-tiled  10 of 10");
}

TEST(WatchHeading, WhatTheChangeWonIsNamed) {
  EXPECT_EQ(watch_heading(record_of({pass, pass}), record_of({pass, fail})),
            "03-tiled  10 -> 20 of 20; case 2 now passes");
}

TEST(WatchHeading, WhatTheChangeLostIsNamed) {
  EXPECT_EQ(watch_heading(record_of({fail, timeout}), record_of({pass, pass})),
            "03-tiled  20 -> 0 of 20; case 1 and case 2 no longer pass");
}

TEST(WatchHeading, AnExchangeOfPointsIsNoStandstill) {
  EXPECT_EQ(watch_heading(record_of({fail, pass}), record_of({pass, fail})),
            "03-tiled  10 of 20; case 2 now passes; case 1 no longer passes");
}

TEST(WatchHeading, ManyItemsAreCounted) {
  EXPECT_EQ(watch_heading(record_of({pass, pass, pass, pass}), record_of({fail, fail, fail, fail})),
            "03-tiled  0 -> 40 of 40; case 1, case 2 and 2 more now pass");
}

TEST(WatchHeading, NothingChanged) {
  EXPECT_EQ(watch_heading(record_of({pass, fail}), record_of({pass, fail})),
            "03-tiled  10 of 20, as before");
}

TEST(WatchHeading, PartsOfAPointAreChangesToo) {
  Record better = record_of({pass, partial});
  better.items[1].points = 10.0 / 3;
  sum_points(better);
  EXPECT_EQ(watch_heading(better, record_of({pass, fail})), "03-tiled  10 -> 13.3 of 20");
}

TEST(WatchHeading, WhatDoesNotCompileIsCalledSo) {
  EXPECT_EQ(watch_heading(broken(), {}), "03-tiled  0 of 20; does not compile");
  EXPECT_EQ(watch_heading(broken(), record_of({pass, pass})),
            "03-tiled  20 -> 0 of 20; no longer compiles");
  EXPECT_EQ(watch_heading(broken(), broken()), "03-tiled  0 of 20, as before");
}

TEST(WatchHeading, ASkeletonIsCalledSo) {
  Record skeleton = record_of({fail, fail});
  skeleton.untouched = true;
  EXPECT_EQ(watch_heading(skeleton, {}), "03-tiled  0 of 20; nothing written yet");
}

}  // namespace
}  // namespace tessera
