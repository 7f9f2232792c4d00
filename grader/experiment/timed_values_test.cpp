#include "grader/experiment/timed_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/experiment/testing/experiment_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A result as a GPU measures it, with these times of the candidate and this time of a baseline.
TimingResult measured(const std::vector<double>& times, double baseline = 0) {
  TimingResult result;
  result.status = GpuStatus::completed;
  result.candidate_launches = 4;
  for (const double time : times) {
    result.pairs.push_back({.candidate = {.milliseconds = time, .clock_mhz = 1980},
                            .baseline = {.milliseconds = baseline, .clock_mhz = 1980}});
  }
  result.statistics = evaluate(result.pairs, std::nullopt, true);
  return result;
}

class TimedValues : public testing::Test {
 protected:
  TimedValues() {
    ExperimentFolder folder;
    Expected<Experiment> experiment = folder.load();
    if (!experiment) throw std::runtime_error(experiment.error().str());
    experiment_ = std::move(*experiment);
  }

  std::vector<Value> values_of(const TimingResult& result) const {
    return timed_values(experiment_, result, {2000, "NVIDIA H200"});
  }

  /// The word and the note in place of a time.
  std::string refusal(const TimingResult& result) const {
    const std::vector<Value> values = values_of(result);
    EXPECT_EQ(values.size(), 1u);
    EXPECT_FALSE(values.front().number);
    EXPECT_EQ(values.front().metric, Metric::time_ms);
    return values.front().text + ": " + values.front().note;
  }

  Experiment experiment_;
};

TEST_F(TimedValues, AreTheMedianItsIntervalAndHowItWasMeasured) {
  experiment_.measure.emplace_back(Metric::gb_per_s);
  const std::vector<Value> values = values_of(measured({2.00, 2.02, 2.01, 2.03, 2.00, 2.04, 2.05}));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].metric, Metric::time_ms);
  EXPECT_EQ(values[0].origin, Origin::measured);
  EXPECT_EQ(values[0].device, "NVIDIA H200");
  EXPECT_EQ(values[0].shape, 2000);
  EXPECT_EQ(values[0].number, 2.02);
  EXPECT_EQ(values[0].low, 2.00);
  EXPECT_EQ(values[0].high, 2.05);
  EXPECT_EQ(values[0].note, "7 samples of 4 launches at 1980 MHz");
  EXPECT_EQ(values[1].metric, Metric::gb_per_s);
  EXPECT_DOUBLE_EQ(*values[1].number, 2 * 2000 * 4 / 2.02e6);
}

TEST_F(TimedValues, ThreeTimesHaveAMedianWithoutAnInterval) {
  const std::vector<Value> values = values_of(measured({300, 302, 301}));
  EXPECT_EQ(values.front().number, 301);
  EXPECT_FALSE(values.front().low);
  EXPECT_FALSE(values.front().high);
  EXPECT_EQ(values.front().note, "3 samples of 4 launches");
}

TEST_F(TimedValues, TwoTimesAreTooFew) {
  EXPECT_EQ(refusal(measured({300, 302})), "unstable: too few samples");
  EXPECT_EQ(refusal(measured({})), "unstable: too few samples");
}

TEST_F(TimedValues, TimesThatVaryHaveANote) {
  const std::vector<Value> values = values_of(measured({1.0, 1.0, 1.1, 1.2, 1.2, 1.3, 1.4, 1.5}));
  EXPECT_EQ(values.front().number, 1.2);
  EXPECT_TRUE(values.front().low);
  EXPECT_THAT(values.front().note, HasSubstr("; times vary by 25 %"));
  EXPECT_THAT(values_of(measured({1, 1, 1, 1, 1, 1, 1})).front().note, Not(HasSubstr("vary")));
}

TEST_F(TimedValues, SamplesBesideAnotherProcessAreLeftOut) {
  TimingResult result = measured({1, 1, 1, 1, 1, 1, 1, 1, 1, 9});
  result.pairs.back().shared = true;
  result.statistics = evaluate(result.pairs, std::nullopt, true);
  EXPECT_THAT(values_of(result).front().note, HasSubstr("9 samples"));
  for (TimingPair& pair : result.pairs) pair.shared = true;
  result.statistics = evaluate(result.pairs, std::nullopt, true);
  EXPECT_EQ(refusal(result), "unstable: another process used the GPU");
}

TEST_F(TimedValues, OfAClockThatMovedAreNotShown) {
  TimingResult result = measured({1, 1, 1, 1, 1, 1, 1, 1});
  for (std::size_t i = 0; i < 4; ++i) result.pairs[i].candidate.clock_mhz = 1200;
  result.statistics = evaluate(result.pairs, std::nullopt, true);
  EXPECT_EQ(refusal(result), "unstable: the GPU's clock moved by more than 5 %");
}

TEST_F(TimedValues, HaveARatioWhereABaselineRanInTurn) {
  const std::vector<Value> values = values_of(measured({2, 2, 2, 2, 2, 2, 2}, 3));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[1].metric, Metric::ratio);
  EXPECT_EQ(values[1].number, 1.5);
  EXPECT_EQ(values[1].low, 1.5);
  EXPECT_EQ(values[1].note, "7 interleaved pairs");
  EXPECT_EQ(values_of(measured({2, 2, 2}, 3)).size(), 1u) << "three pairs have no interval";
}

TEST_F(TimedValues, OfAKernelThatDidNotEndWellAreAWord) {
  TimingResult result;
  result.message = "because";
  std::vector<std::string> words;
  for (const GpuStatus status :
       {GpuStatus::trapped, GpuStatus::timeout, GpuStatus::not_launched, GpuStatus::infra}) {
    result.status = status;
    words.push_back(refusal(result));
  }
  EXPECT_THAT(words, ElementsAre("wrong: because", "timeout: because", "no launch: because",
                                 "failed: because"));
}

TEST_F(TimedValues, OfTransfersAreThoseThatTheExperimentWants) {
  experiment_.measure = {Metric::to_device_ms, Metric::end_to_end_ms};
  TransferResult result;
  result.message = "the card is gone";
  const ValuePlace place{2000, "NVIDIA H200"};
  EXPECT_EQ(transfer_values(experiment_, result, place).front().text, "failed");
  result.status = GpuStatus::completed;
  EXPECT_EQ(transfer_values(experiment_, result, place).front().text, "unstable");
  for (int i = 0; i < 7; ++i) {
    result.samples.push_back(
        {.to_device = 1.0 + i, .launch = 2, .to_host = 3, .end_to_end = 10.0 + i});
  }
  const std::vector<Value> values = transfer_values(experiment_, result, place);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].metric, Metric::to_device_ms);
  EXPECT_EQ(values[0].number, 4);
  EXPECT_EQ(values[0].low, 1);
  EXPECT_EQ(values[0].high, 7);
  EXPECT_EQ(values[1].metric, Metric::end_to_end_ms);
  EXPECT_EQ(values[1].number, 13);
  EXPECT_EQ(values[1].note, "7 times");
}

}  // namespace
}  // namespace tessera
