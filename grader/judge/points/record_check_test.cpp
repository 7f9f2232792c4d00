#include "grader/judge/points/record_check.h"

#include <gmock/gmock.h>

#include "grader/judge/testing/cheat_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

constexpr const char* kCheckedLab = R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 20
  cases:
    - {m: 16, n: 16, k: 16, data: integers}
    - {m: 32, n: 16, k: 16, data: integers}
checks:
  points: 10
  forbid: [race]
technique:
  - {metric: barriers, at_most: 0, points: 10}
performance:
  shape: {m: 256, n: 256, k: 256}
  thresholds:
    - {metric: modelled_time_ms, full: 100, zero: 200, points: 10}
    - {metric: time_ms, full: 1, zero: 2, points: 10}
)";

/// Has an honest record, which the tests tamper with.
class RecordCheck : public CheatTest {
 protected:
  RecordCheck() {
    record = grade_lab(kCheckedLab, product_kernel(kHonest));
    const auto loaded = load_lab(folder.path() / "labs/cheat", "", folder.path());
    lab = *loaded;
    origin = {.sha256 = record.sha256, .seed = 7, .device = options.machine.device.name, .gpu = {}};
  }

  Item& item(const std::string& id) { return *std::ranges::find(record.items, id, &Item::id); }

  void win(const std::string& id) {
    item(id).status = Status::pass;
    item(id).points = item(id).max_points;
    sum_points(record);
  }

  std::optional<std::string> reason() const { return why_impossible(record, lab, origin); }

  Record record;
  Lab lab;
  RecordOrigin origin;
};

TEST_F(RecordCheck, AnHonestRecordIsBelieved) {
  EXPECT_EQ(record.score, 50) << summary(record);
  EXPECT_EQ(reason(), std::nullopt);
}

TEST_F(RecordCheck, ARecordOfAnotherLabSeedOrFileIsRefused) {
  origin.seed = 8;
  EXPECT_THAT(reason(), Optional(HasSubstr("seed")));
  origin.seed = 7;
  origin.sha256 = "other";
  EXPECT_THAT(reason(), Optional(HasSubstr("another file")));
  record.lab = "other";
  EXPECT_THAT(reason(), Optional(HasSubstr("of the lab")));
}

TEST_F(RecordCheck, AVisibleCaseIsNotHidden) {
  item("correctness/2").hidden = true;
  EXPECT_THAT(reason(), Optional(HasSubstr("correctness/2 is called hidden, which it is not")));
}

TEST_F(RecordCheck, TimeIsNotWonWithoutAGpu) {
  win("performance/2");
  EXPECT_THAT(reason(), Optional(HasSubstr("without a GPU")));
}

TEST_F(RecordCheck, TimeIsWonByItsValueAlone) {
  origin.gpu = "NVIDIA H200";
  win("performance/2");
  EXPECT_THAT(reason(), Optional(HasSubstr("does not earn")));
  item("performance/2").goal->value = 0.5;
  EXPECT_EQ(reason(), std::nullopt);
  item("performance/2").goal->value = -1;
  EXPECT_THAT(reason(), Optional(HasSubstr("does not earn")));
}

TEST_F(RecordCheck, AModelledTimeIsWonByItsValueAlone) {
  item("performance/1").goal->value = 150;
  EXPECT_THAT(reason(), Optional(HasSubstr("does not earn")));
}

TEST_F(RecordCheck, TechniqueIsWonByItsCountersAlone) {
  item("technique/1").metrics[Metric::barriers] = 3;
  EXPECT_THAT(reason(), Optional(HasSubstr("counters do not earn")));
}

TEST_F(RecordCheck, NoTechniqueAndNoModelledTimeIsWonWithoutTheLesson) {
  lab.technique.push_back(lab.technique.front());
  lab.technique.back().lesson = true;
  Item missed = item("technique/1");
  missed.id = "technique/2";
  missed.status = Status::fail;
  missed.points = 0;
  record.items.insert(std::ranges::find(record.items, "performance/1", &Item::id), missed);
  sum_points(record);
  EXPECT_THAT(reason(), Optional(HasSubstr("technique/1 has points")));
  item("technique/1").points = 0;
  item("technique/1").status = Status::skipped;
  win("performance/1");
  EXPECT_THAT(reason(), Optional(HasSubstr("performance/1 has points without the lesson")));
}

TEST_F(RecordCheck, NothingIsWonBeforeTheCasesAreRight) {
  item("correctness/1").status = Status::fail;
  item("correctness/1").points = 0;
  sum_points(record);
  EXPECT_THAT(reason(), Optional(HasSubstr("although cases or checks failed")));
}

TEST_F(RecordCheck, TheChecksWinNoMoreThanTheShareOfTheCasesThatPass) {
  record = grade_lab(kCheckedLab,
                     product_kernel("if (A.height != 16) return;\n" + std::string(kHonest)));
  origin.sha256 = record.sha256;
  EXPECT_EQ(item("checks").points, 5) << summary(record);
  EXPECT_EQ(reason(), std::nullopt);
  win("checks");
  EXPECT_THAT(reason(), Optional(HasSubstr("although cases or checks failed")));
}

TEST_F(RecordCheck, PointsBeyondTheMaximumAreRefused) {
  item("checks").points = 1000;
  sum_points(record);
  EXPECT_THAT(reason(), Optional(HasSubstr("1000")));
  item("checks").points = std::nan("");
  EXPECT_THAT(reason(), Optional(HasSubstr("nan")));
}

TEST_F(RecordCheck, ItemsAreTheLabsOwn) {
  record.items.pop_back();
  sum_points(record);
  EXPECT_THAT(reason(), Optional(HasSubstr("items")));
}

TEST_F(RecordCheck, SumsAreThoseOfTheItems) {
  record.score += 5;
  EXPECT_THAT(reason(), Optional(HasSubstr("sums")));
}

TEST_F(RecordCheck, ASkeletonAndARefusalAreBelieved) {
  record = grade_lab(kCheckedLab, product_kernel(""));
  origin.sha256 = record.sha256;
  EXPECT_EQ(reason(), std::nullopt);
  record = grade_lab(kCheckedLab, "no C++ at all");
  origin.sha256 = record.sha256;
  EXPECT_EQ(reason(), std::nullopt);
}

}  // namespace
}  // namespace tessera
