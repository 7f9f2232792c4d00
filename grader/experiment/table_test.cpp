#include "grader/experiment/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/experiment/shown.h"
#include "grader/experiment/testing/experiment_folder.h"

namespace tessera {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

Value value(const std::string& row, const std::string& block, int shape, Metric metric,
            double number, Origin origin = Origin::measured) {
  Value figure;
  figure.row = row;
  figure.settings = {{"BLOCK", block}};
  figure.shape = shape;
  figure.metric = metric;
  figure.number = number;
  figure.origin = origin;
  figure.device = "NVIDIA H200";
  return figure;
}

class Tables : public testing::Test {
 protected:
  Tables()
      : folder_(experiment_yaml(R"(reported:
  - source: S9
    device: Some GPU
    metric: time_ms
    figures:
      - {row: slow, settings: {BLOCK: 64}, values: {1000: 8}}
      - {row: fast, settings: {BLOCK: 64}, values: {1000: 2}}
)")) {
    Expected<Experiment> experiment = folder_.load();
    if (!experiment) throw std::runtime_error(experiment.error().str());
    experiment_ = std::move(*experiment);
    results_.info = {"differences", "2026-11-21", 7, "580.1", "nvrtc 13.0"};
  }

  std::string text() const { return text_tables(experiment_, results_); }

  ExperimentFolder folder_;
  Experiment experiment_;
  Results results_;
};

TEST_F(Tables, OneShapeStandsInOneTableWithIntervals) {
  Value ratio = value("fast", "64", 1000, Metric::ratio, 1.25);
  ratio.low = 1.2;
  ratio.high = 1.3;
  Value same = value("fast", "128", 1000, Metric::ratio, 1.001);
  same.low = 0.998;
  same.high = 1.004;
  results_.values = {
      value("slow", "64", 1000, Metric::time_ms, 2.5),
      value("fast", "64", 1000, Metric::time_ms, 2),
      ratio,
      value("fast", "128", 1000, Metric::time_ms, 2.5),
      same,
      value("fast", "64", 256, Metric::global_load_requests, 12345, Origin::simulated)};
  experiment_.reported.clear();
  EXPECT_EQ(text(), R"(differences: Differences
2026-11-21, seed 7, driver 580.1, nvrtc 13.0

Measured on NVIDIA H200, 2026-11-21, n = 1000
                  time_ms                    times as fast as slow
  slow BLOCK=64     2.500
  fast BLOCK=64         2                 1.250 (1.2000 to 1.3000)
  fast BLOCK=128    2.500  1.001 (0.9980 to 1.0040, no difference)

Counted by the simulator, NVIDIA H200, n = 256
                 global_load_requests
  fast BLOCK=64                12,345
)");
}

TEST_F(Tables, SeveralShapesAreColumnsOfATableForEachMetric) {
  results_.values = {value("slow", "64", 1000, Metric::time_ms, 2.5),
                     value("slow", "64", 2000, Metric::time_ms, 5.125)};
  experiment_.reported.clear();
  EXPECT_EQ(text(), R"(differences: Differences
2026-11-21, seed 7, driver 580.1, nvrtc 13.0

Measured on NVIDIA H200, 2026-11-21: time_ms
  n               1000   2000
  slow BLOCK=64  2.500  5.125
)");
}

TEST_F(Tables, ADocumentsFiguresStandApartAndItsRatiosBeside) {
  results_.values = {value("slow", "64", 1000, Metric::time_ms, 2.5),
                     value("fast", "64", 1000, Metric::time_ms, 2),
                     value("fast", "64", 1000, Metric::ratio, 1.25)};
  EXPECT_THAT(text(), HasSubstr(R"(
Reported by S9 for Some GPU: time_ms
  n              1000
  slow BLOCK=64     8
  fast BLOCK=64     2

Here (measured, NVIDIA H200), and in S9 on Some GPU: times as fast as slow
  n              1000 here  1000 S9
  fast BLOCK=64      1.250        4
)"));
}

TEST_F(Tables, WhatIsModelledNeverStandsBesideWhatIsMeasured) {
  results_.values = {value("slow", "64", 1000, Metric::time_ms, 2.5),
                     value("fast", "64", 1000, Metric::modelled_time_ms, 7.5, Origin::modelled)};
  const std::vector<Table> tables = tables_of(experiment_, results_);
  EXPECT_EQ(tables[0].title, "Measured on NVIDIA H200, 2026-11-21, n = 1000");
  EXPECT_EQ(tables[0].rows.size(), 1u);
  EXPECT_EQ(tables[1].title, "Modelled for NVIDIA H200, not measured, n = 1000");
}

TEST_F(Tables, AFigureThatIsMissingSaysWhy) {
  Value wrong = value("fast", "64", 1000, Metric::time_ms, 0);
  wrong.number.reset();
  wrong.text = "wrong";
  wrong.note = "C[3] is 4, expected 5";
  results_.values = {wrong};
  EXPECT_THAT(text(),
              HasSubstr("  fast BLOCK=64    wrong\n  fast BLOCK=64: C[3] is 4, expected 5"));
}

TEST_F(Tables, MarkdownHasTheSameCells) {
  results_.values = {value("slow", "64", 1000, Metric::time_ms, 2.5),
                     value("fast", "128", 1000, Metric::time_ms, 4.75)};
  experiment_.reported.clear();
  EXPECT_EQ(markdown_tables(experiment_, results_),
            "2026-11-21, seed 7, driver 580.1, nvrtc 13.0\n\n"
            "**Measured on NVIDIA H200, 2026-11-21, n = 1000**\n\n"
            "| | time_ms |\n|---|---:|\n| slow BLOCK=64 | 2.500 |\n| fast BLOCK=128 | 4.750 |\n");
}

TEST_F(Tables, LongTablesOfAPageAreFoldedButForTheFirst) {
  const std::size_t many = 9;
  experiment_.rows.resize(1);
  experiment_.rows[0].lists[0].second.clear();
  for (std::size_t i = 0; i < many; ++i) {
    const std::string block = std::to_string(i);
    experiment_.rows[0].lists[0].second.push_back(block);
    results_.values.push_back(value("slow", block, 1000, Metric::time_ms, 2.5));
    results_.values.push_back(
        value("slow", block, 256, Metric::global_load_requests, 3, Origin::simulated));
  }
  experiment_.reported.clear();
  const std::string page = markdown_tables(experiment_, results_);
  EXPECT_THAT(page, HasSubstr("\n**Measured on"));
  EXPECT_THAT(page, HasSubstr("\n<details><summary>Counted by the simulator, NVIDIA H200, n = "
                              "256</summary>\n\n| |"));
  EXPECT_THAT(page, EndsWith("| slow BLOCK=8 | 3 |\n\n</details>\n"));
}

TEST(ShownNumber, HasFourFigures) {
  EXPECT_EQ(shown_number(0.01431), "0.0143");
  EXPECT_EQ(shown_number(0), "0");
  EXPECT_EQ(shown_number(2.11149), "2.111");
  EXPECT_EQ(shown_number(40.813), "40.81");
  EXPECT_EQ(shown_number(289.73), "289.7");
  EXPECT_EQ(shown_number(4506.2), "4,506");
  EXPECT_EQ(shown_number(256000), "256,000");
}

}  // namespace
}  // namespace tessera
