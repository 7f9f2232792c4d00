#include "grader/experiment/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/experiment/testing/experiment_folder.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Runs an experiment without a GPU.
class RunExperiment : public testing::Test {
 protected:
  void run(const std::string& yaml) {
    folder_.set_yaml(yaml);
    Expected<Experiment> experiment = folder_.load();
    ASSERT_TRUE(experiment) << experiment.error().str();
    RunOptions options;
    options.grade = kit_options(5);
    options.grade.kit.labs = folder_.labs();
    options.grade.kit.solutions = folder_.folder().path() / "solutions";
    options.on_value = [&](const Value& value) { values_.push_back(value); };
    options.on_step = [&](const RunSteps& steps) { steps_.push_back(steps); };
    error_ = run_experiment(*experiment, options);
  }

  /// The figure of the variant with BLOCK=64, or of a row without settings.
  const Value* find(const std::string& row, Metric metric, int shape,
                    const std::string& device = "NVIDIA H200") const {
    for (const Value& value : values_) {
      const bool setting = value.settings.empty() || value.settings.front().second == "64";
      if (setting && value.row == row && value.metric == metric && value.shape == shape &&
          value.device == device)
        return &value;
    }
    return nullptr;
  }

  ExperimentFolder folder_;
  std::vector<Value> values_;
  std::vector<RunSteps> steps_;
  std::optional<Error> error_;
};

TEST_F(RunExperiment, CountsModelsCalculatesAndCompares) {
  run(experiment_yaml());
  ASSERT_EQ(error_, std::nullopt);
  const Value* requests = find("slow", Metric::global_load_requests, 256);
  ASSERT_NE(requests, nullptr);
  EXPECT_EQ(requests->number, 16) << "8 warps load an element and its left neighbour";
  EXPECT_EQ(requests->origin, Origin::simulated);
  const Value* time = find("slow", Metric::modelled_time_ms, 2000);
  ASSERT_NE(time, nullptr);
  EXPECT_GT(*time->number, 0);
  EXPECT_EQ(time->origin, Origin::modelled);
  EXPECT_EQ(find("slow", Metric::time_ms, 2000), nullptr) << "there is no GPU to measure it";
  EXPECT_EQ(find("fast", Metric::ratio, 2000)->number, 1.0);
  EXPECT_EQ(find("fast", Metric::ratio, 2000)->origin, Origin::modelled);
  EXPECT_EQ(find("slow", Metric::theoretical_occupancy, 0)->number, 100);
  const bool counted = std::ranges::any_of(values_, [](const Value& value) {
    return value.metric == Metric::ptx_instructions && value.origin == Origin::compiled &&
           *value.number > 5;
  });
  EXPECT_TRUE(counted);
  EXPECT_EQ(steps_.size(), 4u + 2 * 4) << "each variant once, and at each shape";
  EXPECT_EQ(steps_.back().done + 1, steps_.back().all);
  EXPECT_EQ(steps_.back().what, "fast BLOCK=128, n = 2000");
}

TEST_F(RunExperiment, OccupancyIsCalculatedForOtherDevicesToo) {
  run(experiment_yaml("devices: [rtx-3080]\n"));
  ASSERT_EQ(error_, std::nullopt);
  const Value* here = find("slow", Metric::theoretical_occupancy, 0);
  const Value* there = find("slow", Metric::theoretical_occupancy, 0, "NVIDIA GeForce RTX 3080");
  ASSERT_NE(here, nullptr);
  ASSERT_NE(there, nullptr);
  EXPECT_EQ(here->number, 100);
  EXPECT_NEAR(*there->number, 66.7, 0.1) << "16 blocks of 2 warps, of 48 warps";
}

TEST_F(RunExperiment, AnUnknownDeviceIsAnError) {
  run(experiment_yaml("devices: [rtx-3081]\n"));
  ASSERT_TRUE(error_);
  EXPECT_THAT(error_->message, HasSubstr("rtx-3080"));
}

TEST_F(RunExperiment, AWrongKernelHasNoTime) {
  std::string yaml = experiment_yaml();
  const std::string fast = "name: fast, kernel: naive";
  yaml.replace(yaml.find(fast), fast.size(), "name: fast, kernel: off_by_one");
  run(yaml);
  ASSERT_EQ(error_, std::nullopt);
  const Value* time = find("fast", Metric::modelled_time_ms, 1000);
  ASSERT_NE(time, nullptr);
  EXPECT_FALSE(time->number);
  EXPECT_EQ(time->text, "wrong");
  EXPECT_THAT(time->note, HasSubstr("result"));
  EXPECT_NE(find("slow", Metric::modelled_time_ms, 1000), nullptr) << "the others go on";
}

TEST_F(RunExperiment, AKernelThatDoesNotCompileSaysWhere) {
  folder_.folder().write("labs/experiments/differences/kernel.cu",
                         "#include <tessera/lab.cuh>\n__global__ void naive() { nothing(); }\n");
  run(experiment_yaml());
  const Value* time = find("slow", Metric::modelled_time_ms, 1000);
  ASSERT_NE(time, nullptr);
  EXPECT_THAT(time->note, HasSubstr("kernel.cu:2:"));
  EXPECT_THAT(time->note, HasSubstr("nothing"));
}

TEST_F(RunExperiment, ProductsOnTheHostAreMeasuredAndCompared) {
  run(R"(title: Host
question: Which?
operation: matmul
shapes: [40]
rows:
  - {name: serial, host: serial}
  - {name: OpenMP, host: openmp, threads: [1, 1000]}
measure: [time_ms, gflops, efficiency]
ratio: {to: serial}
)");
  ASSERT_EQ(error_, std::nullopt);
  std::vector<std::string> figures;
  for (const Value& value : values_) {
    EXPECT_EQ(value.origin, Origin::measured);
    EXPECT_EQ(value.shape, 40);
    figures.push_back(value.row + " " + to_string(value.settings) + " " +
                      std::string(to_string(value.metric)) + " " + value.text);
  }
  EXPECT_THAT(figures, Contains("serial  time_ms "));
  EXPECT_THAT(figures, Contains("serial  gflops "));
  EXPECT_THAT(figures, Contains("OpenMP threads=1 ratio "));
  EXPECT_THAT(figures, Contains("OpenMP threads=1 efficiency "));
  EXPECT_THAT(figures, Contains("OpenMP threads=1000 time_ms -")) << "no machine has as many";
}

}  // namespace
}  // namespace tessera
