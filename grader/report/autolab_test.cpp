#include "grader/report/autolab.h"

#include <gtest/gtest.h>

#include "grader/report/sample_record.h"

namespace tessera {
namespace {

TEST(AutolabReport, IsOneLineWithAProblemAGroup) {
  EXPECT_EQ(autolab_report({failed_record()}),
            "{\"scores\":{\"Correctness\":30.0,\"Checks\":0.0,\"Technique\":0.0},"
            "\"scoreboard\":[30.0,0.0]}\n");
}

TEST(AutolabReport, WhatIsDeferredIsNamedAndHasNoScore) {
  EXPECT_EQ(autolab_report({won_record()}),
            "{\"scores\":{\"Correctness\":50.0,\"Checks\":10.0,\"Technique\":10.0,"
            "\"Performance\":null},\"scoreboard\":[70.0,0.0]}\n");
}

TEST(AutolabReport, ALabThatIsFailedHasTheSameProblems) {
  Record record = won_record();
  for (Item& item : record.items) {
    item.status = item.id.starts_with("correctness/") ? Status::timeout : Status::skipped;
    item.points = 0;
  }
  EXPECT_EQ(autolab_report({record}),
            "{\"scores\":{\"Correctness\":0.0,\"Checks\":0.0,\"Technique\":0.0,"
            "\"Performance\":0.0},\"scoreboard\":[0.0,0.0]}\n");
}

TEST(AutolabReport, AFailureOfTheGraderWinsNothing) {
  Record record = won_record();
  record.items[1].status = Status::infra;
  record.items[1].points = 0;
  record.items[0].points = 12.5;
  record.items[2].status = Status::infra;
  record.items[2].points = 0;
  EXPECT_EQ(autolab_report({record}),
            "{\"scores\":{\"Correctness\":12.5,\"Checks\":null,\"Technique\":10.0,"
            "\"Performance\":null},\"scoreboard\":[22.5,0.0]}\n");
}

TEST(AutolabReport, AGroupWithoutPointsIsNoProblem) {
  Record record = won_record();
  record.items.resize(3);
  record.items[2].points = record.items[2].max_points = 0;
  EXPECT_EQ(autolab_report({record}),
            "{\"scores\":{\"Correctness\":50.0},\"scoreboard\":[50.0,0.0]}\n");
}

TEST(AutolabReport, AMeasuredTimeIsOnTheScoreboard) {
  Record record = won_record();
  record.items[4].status = Status::partial;
  record.items[4].points = 5;
  record.items[4].metrics = {{Metric::time_ms, 15.1}, {Metric::gflops, 812.4}};
  EXPECT_EQ(autolab_report({record}),
            "{\"scores\":{\"Correctness\":50.0,\"Checks\":10.0,\"Technique\":10.0,"
            "\"Performance\":5.0},\"scoreboard\":[75.0,812.0]}\n");
}

TEST(AutolabReport, SeveralLabsAreAProblemEach) {
  Record other = failed_record();
  other.lab = "04-boundary-checked";
  EXPECT_EQ(autolab_report({won_record(), other}),
            "{\"scores\":{\"03-tiled\":70.0,\"04-boundary-checked\":30.0},"
            "\"scoreboard\":[100.0,70.0,30.0]}\n");
}

}  // namespace
}  // namespace tessera
