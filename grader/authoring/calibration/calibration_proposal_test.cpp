#include "grader/authoring/calibration/calibration_proposal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/sha256.h"
#include "common/text.h"
#include "grader/authoring/release/line_diff.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kSpeedup =
    "    - {metric: speedup, over: 01-naive, zero: 1.0, full: 1.2, points: 15} # tiles\n";
constexpr const char* kTime =
    "    - {metric: time_ms, devices: {NVIDIA H200: {full: 3.0, zero: 6.0}}, points: 5}\n";

class CalibrationProposal : public testing::Test {
 protected:
  CalibrationProposal() { request_.not_measured = "no GPU here"; }

  Lab lab_with(const std::string& thresholds, const std::string& id = "03-tiled") {
    const std::string text =
        "title: Tiled\n"
        "operation: matmul\n"
        "kernel: matmul\n"
        "arguments: [A, B, C]\n"
        "correctness:\n"
        "  points: 50\n"
        "  cases: [{m: 16, n: 16, k: 16}]\n"
        "performance:\n"
        "  shape: {m: 2048, n: 1024, k: 512}\n"
        "  thresholds:\n" +
        thresholds;
    folder_.write("labs/01-naive/lab.yaml", "operation: matmul\n");
    folder_.write("labs/" + id + "/lab.yaml", text);
    const auto lab = load_lab(folder_.path() / "labs" / id, "", folder_.path());
    if (!lab) throw std::runtime_error(lab.error().str());
    text_ = text;
    return *lab;
  }

  CalibrationMeasurement& measured(Metric metric, const std::string& device,
                                   const std::vector<double>& medians) {
    CalibrationMeasurement measurement;
    measurement.lab = "03-tiled";
    measurement.metric = metric;
    measurement.over = metric == Metric::speedup ? "01-naive" : "";
    measurement.device = device;
    measurement.shape = "m=2048 n=1024 k=512 float32";
    for (const double median : medians) {
      CalibrationRun run;
      run.value.median = median;
      run.value.low = 0.99 * median;
      run.value.high = 1.01 * median;
      run.value.baseline_ms = measurement.over.empty() ? 0 : 3.14;
      measurement.runs.push_back(run);
    }
    request_.measurements.push_back(measurement);
    return request_.measurements.back();
  }

  std::string text_of(const Lab& lab) const { return proposals_text(lab, propose(lab, request_)); }

  /// The changed lines of lab.yaml.
  std::string difference(const Lab& lab) const {
    const auto edited = apply(lab, text_, propose(lab, request_), folder_.path());
    return edited ? line_diff(text_, *edited) : edited.error().str();
  }

  TestFolder folder_;
  ProposalRequest request_;
  std::string text_;
};

TEST_F(CalibrationProposal, ListsWhatWasMeasuredAndWhatFollows) {
  const Lab lab = lab_with(std::string(kSpeedup) + kTime);
  measured(Metric::speedup, "NVIDIA H200", {1.49, 1.48, 1.5});
  measured(Metric::time_ms, "NVIDIA H200", {2.11, 2.12, 2.1});
  EXPECT_EQ(text_of(lab), R"(03-tiled (m=2048 n=1024 k=512 float32)
  performance/1  speedup over 01-naive
    measured  1.49 (1.465 to 1.515, 3 runs on NVIDIA H200)
    proposed  full 1.2, zero 1.0: kept
    because   full is 1.2, which every card reaches if one card reaches 1.465; zero is the
              baseline's own speed
  performance/2  time_ms on NVIDIA H200
    measured  2.11 (2.079 to 2.141, 3 runs)
    proposed  full 3.0, zero 6.0: kept: within 10 % of the rule's full 2.9, zero 6.5
    because   zero is 3 times the slowest; full is below the 3.14 ms of 01-naive
)");
  EXPECT_EQ(difference(lab), "");
}

class RivalProposal : public CalibrationProposal {
 protected:
  /// Adds a right kernel in wrong/ with a measured time.
  void measured_wrong(const std::string& header, double milliseconds) {
    request_.solutions = folder_.path() / "solutions";
    folder_.write("solutions/03-tiled/wrong/naive.cu", header + "\n");
    CalibrationMeasurement& measurement = measured(Metric::time_ms, "NVIDIA H200", {milliseconds});
    measurement.kernel = "wrong/naive.cu";
    measurement.kernel_sha256 = sha256(header + "\n");
  }

  Lab lab_ = lab_with(kTime);
};

TEST_F(RivalProposal, AKernelWhoseHeaderSaysSoWinsNothing) {
  measured(Metric::time_ms, "NVIDIA H200", {2.11});
  measured_wrong("// expect: performance/1=fail -- no tile", 2.9);
  request_.raise = true;
  EXPECT_THAT(text_of(lab_), AllOf(HasSubstr("proposed  full 2.7, zero 2.8"),
                                   HasSubstr("zero is what wrong/naive.cu has, 2.871")));
}

TEST_F(RivalProposal, AKernelThatLosesTechniqueWinsNothingWhereItIsFarAway) {
  measured(Metric::time_ms, "NVIDIA H200", {2.11});
  measured_wrong("// expect: technique/1=fail -- no tile", 4.0);
  request_.raise = true;
  EXPECT_THAT(text_of(lab_), HasSubstr("zero is what wrong/naive.cu has, 3.96"));
  request_.measurements.pop_back();
  measured_wrong("// expect: technique/1=fail -- no tile", 3.0);
  EXPECT_THAT(text_of(lab_), HasSubstr("full is 1.5 times, zero 3 times the slowest"));
}

TEST_F(RivalProposal, SaysWhatAKernelWouldWin) {
  measured(Metric::time_ms, "NVIDIA H200", {2.11});
  measured_wrong("// expect: performance/1=fail -- no tile", 4.5);
  EXPECT_THAT(
      text_of(lab_),
      AllOf(
          HasSubstr(
              "kept: easier than the rule's full 3.2, zero 4.4, which --raise\n              sets"),
          HasSubstr("beware    wrong/naive.cu (4.455) would win 52 % of the points")));
}

TEST_F(RivalProposal, LeavesOutAKernelThatWasEdited) {
  measured(Metric::time_ms, "NVIDIA H200", {2.11});
  measured_wrong("// expect: performance/1=fail -- no tile", 2.9);
  folder_.write("solutions/03-tiled/wrong/naive.cu", "// expect: performance/1=fail -- other\n");
  EXPECT_THAT(text_of(lab_), AllOf(HasSubstr("full is 1.5 times"),
                                   HasSubstr("beware    wrong/naive.cu is left out: has changed")));
}

TEST_F(CalibrationProposal, NamesLinesOfTheTaskThatQuoteAnOldEnd) {
  const Lab lab = lab_with(kTime);
  folder_.write("labs/03-tiled/README.md", "all points\nat 3.0 ms, none at 6.0.\n13.0 3.05\n");
  measured(Metric::time_ms, "NVIDIA H200", {20});
  const std::string page = (folder_.path() / "labs/03-tiled/README.md").string();
  EXPECT_EQ(pages_that_quote(lab, propose(lab, request_)),
            page + ":2: has the number 3.0, which was an end until now\n" + page +
                ":2: has the number 6.0, which was an end until now\n");
  EXPECT_EQ(pages_that_quote(lab, {}), "");
}

TEST_F(CalibrationProposal, AddsACardBesideTheOthers) {
  const Lab lab = lab_with(kTime);
  measured(Metric::time_ms, "Tesla T4", {20});
  EXPECT_THAT(text_of(lab),
              HasSubstr("time_ms on Tesla T4\n"
                        "    measured  20 (19.8 to 20.2, 1 run)\n"
                        "    proposed  full 31, zero 61: new\n"
                        "    because   full is 1.5 times, zero 3 times the slowest\n"));
  EXPECT_EQ(
      difference(lab),
      "-11       - {metric: time_ms, devices: {NVIDIA H200: {full: 3.0, zero: 6.0}}, points: "
      "5}\n"
      "+11       - {metric: time_ms, devices: {NVIDIA H200: {full: 3.0, zero: 6.0},\n"
      "+12                                     Tesla T4: {full: 31, zero: 61}}, points: 5}\n");
}

TEST_F(CalibrationProposal, AddsEveryCardThatWasMeasuredOnce) {
  const Lab lab = lab_with(kTime);
  measured(Metric::time_ms, "Tesla T4", {20});
  measured(Metric::time_ms, "NVIDIA A10", {5});
  measured(Metric::time_ms, "Tesla T4", {21});
  const auto proposals = propose(lab, request_);
  ASSERT_EQ(proposals.size(), 2u);
  EXPECT_EQ(proposals[0].device, "NVIDIA A10");
  EXPECT_EQ(proposals[1].device, "Tesla T4");
  EXPECT_EQ(proposals[1].measured->runs, 2u);
  const auto edited = apply(lab, text_, proposals, folder_.path());
  ASSERT_TRUE(edited) << edited.error().str();
  EXPECT_THAT(*edited, HasSubstr("NVIDIA A10: {full: 7.6, zero: 16}"));
  EXPECT_THAT(*edited, HasSubstr("Tesla T4: {full: 32, zero: 64}"));
}

TEST_F(CalibrationProposal, LowersARatioThatACardDoesNotReach) {
  const Lab lab = lab_with(kSpeedup);
  measured(Metric::speedup, "NVIDIA H200", {1.5});
  measured(Metric::speedup, "Tesla T4", {1.2});
  EXPECT_THAT(
      text_of(lab),
      AllOf(HasSubstr("2 runs on NVIDIA H200 and Tesla T4)\n"),
            HasSubstr("proposed  full 1.09, zero 1.0: easier\n"),
            HasSubstr("because   full is half of the gain; zero is the baseline's own"),
            HasSubstr("beware    as lab.yaml stands, the reference itself loses points\n")));
  EXPECT_EQ(difference(lab),
            "-11       - {metric: speedup, over: 01-naive, zero: 1.0, full: 1.2, points: 15} # "
            "tiles\n"
            "+11       - {metric: speedup, over: 01-naive, zero: 1.0, full: 1.09, points: 15} # "
            "tiles\n");
}

TEST_F(CalibrationProposal, RaisesARatioOnlyWhenAsked) {
  const Lab lab =
      lab_with("    - {metric: speedup, over: 01-naive, zero: 1.0, full: 1.05, points: 15}\n");
  measured(Metric::speedup, "NVIDIA H200", {1.8});
  EXPECT_EQ(difference(lab), "");
  EXPECT_THAT(
      text_of(lab),
      HasSubstr(
          "kept: easier than the rule's full 1.2, zero 1.0, which --raise\n              sets"));
  request_.raise = true;
  EXPECT_THAT(difference(lab), HasSubstr("full: 1.2, points"));
}

TEST_F(CalibrationProposal, KeepsTheLinesEndsOfWindows) {
  Lab lab = lab_with("    - {metric: speedup, over: 01-naive, zero: 1.0, full: 2.0, points: 15}\n");
  std::string windows;
  for (const std::string& line : split_lines(text_)) windows += line + "\r\n";
  text_ = windows;
  measured(Metric::speedup, "NVIDIA H200", {1.8});
  const auto edited = apply(lab, text_, propose(lab, request_), folder_.path());
  ASSERT_TRUE(edited) << edited.error().str();
  std::string expected = windows;
  expected.replace(expected.find("full: 2.0"), 9, "full: 1.2");
  EXPECT_EQ(*edited, expected);
}

TEST_F(CalibrationProposal, SaysWhatWasNotMeasured) {
  const Lab lab = lab_with(kTime);
  EXPECT_THAT(text_of(lab), HasSubstr("performance/1  time_ms\n    missing   no GPU here\n"));
}

TEST_F(CalibrationProposal, ProposesNothingFromAnUnstableCard) {
  const Lab lab = lab_with(kTime);
  CalibrationRun& run = measured(Metric::time_ms, "Tesla T4", {20, 20, 20}).runs[1];
  run.failure = "unstable: another process used the GPU in 9 of 21 pairs";
  run.hint = "measure again when nothing else uses the GPU";
  EXPECT_THAT(text_of(lab),
              HasSubstr("time_ms on Tesla T4\n"
                        "    missing   run 2 of 3: unstable: another process used the GPU in 9 of "
                        "21 pairs; measure again\n"
                        "              when nothing else uses the GPU\n"));
  EXPECT_EQ(difference(lab), "");
}

TEST_F(CalibrationProposal, ProposesNothingWhereTheRunsDiffer) {
  const Lab lab = lab_with(kTime);
  measured(Metric::time_ms, "Tesla T4", {20, 20, 23});
  EXPECT_THAT(text_of(lab), HasSubstr("missing   unstable: the runs differ by 15 %"));
}

TEST_F(CalibrationProposal, ProposesNothingForAnotherShape) {
  const Lab lab = lab_with(kTime);
  measured(Metric::time_ms, "Tesla T4", {20}).shape = "m=16 n=16 k=16 float32";
  EXPECT_THAT(text_of(lab),
              HasSubstr("missing   was measured at m=16 n=16 k=16 float32, the lab times "
                        "m=2048 n=1024 k=512 float32;\n"));
}

TEST_F(CalibrationProposal, ProposesNothingForAReferenceThatChanged) {
  const Lab lab = lab_with(std::string(kSpeedup) + kTime);
  folder_.write("solutions/03-tiled/kernel.cu", "the same\n");
  folder_.write("solutions/01-naive/kernel.cu", "another\n");
  request_.solutions = folder_.path() / "solutions";
  measured(Metric::speedup, "Tesla T4", {1.5}).baseline_sha256 = sha256("what was measured\n");
  measured(Metric::time_ms, "Tesla T4", {20}).reference_sha256 = sha256("the same\n");
  EXPECT_THAT(text_of(lab), HasSubstr("missing   the reference of 01-naive has changed"));
  EXPECT_THAT(text_of(lab), HasSubstr("full 31, zero 61: new"));
  folder_.write("solutions/03-tiled/kernel.cu", "not the same\n");
  EXPECT_THAT(text_of(lab), HasSubstr("missing   the reference has changed"));
}

TEST_F(CalibrationProposal, CompilersThatDifferAreNoInstability) {
  const Lab lab = lab_with(
      "    - {metric: modelled_time_ms, devices: {Tesla T4: {zero: 10, full: 9}}, "
      "points: 5}\n");
  measured(Metric::modelled_time_ms, "Tesla T4", {4, 8});
  EXPECT_THAT(difference(lab), HasSubstr("{zero: 25, full: 13}"));
}

TEST_F(CalibrationProposal, RefusesAnEditThatWouldChangeMore) {
  const Lab lab = lab_with(
      "    - {metric: time_ms, devices: {A: &ends {full: 3.0, zero: 6.0}}, points: 5}\n"
      "    - {metric: modelled_time_ms, devices: {A: *ends}, points: 5}\n");
  measured(Metric::time_ms, "A", {20});
  EXPECT_THAT(difference(lab), HasSubstr("lab.yaml:11:"));
  EXPECT_THAT(difference(lab), HasSubstr("cannot be changed without changing something else"));
}

TEST_F(CalibrationProposal, ALabWithoutThresholdsHasNothingToSet) {
  Lab lab = lab_with(kTime);
  lab.thresholds.clear();
  EXPECT_EQ(text_of(lab), "03-tiled: no thresholds on time\n");
}

}  // namespace
}  // namespace tessera
