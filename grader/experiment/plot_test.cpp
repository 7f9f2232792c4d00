#include "grader/experiment/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/experiment/testing/experiment_folder.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

Value value(const std::string& row, int shape, double number, Origin origin = Origin::measured) {
  Value one;
  one.row = row;
  one.settings = {{"BLOCK", "64"}};
  one.shape = shape;
  one.metric = origin == Origin::modelled ? "modelled_time_ms" : "time_ms";
  one.number = number;
  one.origin = origin;
  one.device = "NVIDIA H200";
  return one;
}

class PlotProgram : public testing::Test {
 protected:
  PlotProgram() {
    Expected<Experiment> experiment = folder_.load();
    if (!experiment) throw std::runtime_error(experiment.error().str());
    experiment_ = std::move(*experiment);
    results_.info = {"differences", "2026-11-21", 7, "580.1", "nvrtc 13.0"};
  }

  std::string program() const {
    return gnuplot_program(experiment_, experiment_.plots.at(0), results_);
  }

  ExperimentFolder folder_;
  Experiment experiment_;
  Results results_;
};

TEST_F(PlotProgram, SaysWhereWhenAndWithWhichSeed) {
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4)};
  EXPECT_THAT(program(), HasSubstr("'Differences' . \"\\n\" . 'measured on NVIDIA H200' . "
                                   "\"\\n\" . 'driver 580.1, 2026-11-21, seed 7'"));
  EXPECT_THAT(program(), HasSubstr("1000 2 2 2\n2000 4 4 4\n"));
  EXPECT_THAT(program(), HasSubstr("title 'slow, BLOCK=64'"));
}

TEST_F(PlotProgram, AnIntervalIsDrawn) {
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4)};
  results_.values[0].low = 1.5;
  results_.values[0].high = 2.25;
  EXPECT_THAT(program(), HasSubstr("1000 2 1.5 2.25\n"));
}

TEST_F(PlotProgram, OfModelledTimesSaysSoAndMixesNothing) {
  results_.values = {value("slow", 1000, 3, Origin::modelled),
                     value("slow", 2000, 5, Origin::modelled)};
  EXPECT_THAT(program(), HasSubstr("modelled for NVIDIA H200, NOT measured"));
  results_.values.push_back(value("fast", 1000, 2));
  results_.values.push_back(value("fast", 2000, 4));
  EXPECT_THAT(program(), Not(HasSubstr("modelled")));
  EXPECT_THAT(program(), Not(HasSubstr("2000 5 5 5")));
}

TEST_F(PlotProgram, OfOnePointIsNone) {
  results_.values = {value("slow", 1000, 2)};
  EXPECT_EQ(program(), "");
}

TEST_F(PlotProgram, TextOfAFileIsNoCommand) {
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4)};
  for (Value& one : results_.values) one.device = "a'b`id`\nsystem 'id'";
  EXPECT_THAT(program(), HasSubstr("measured on a''b`id` system ''id'''"));
}

TEST_F(PlotProgram, IsDrawnAsSvg) {
  if (!can_plot()) GTEST_SKIP() << "gnuplot is not here";
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4)};
  const Expected<std::string> svg = draw(program());
  ASSERT_TRUE(svg) << svg.error().str();
  EXPECT_THAT(*svg, HasSubstr("<svg"));
  EXPECT_THAT(*svg, HasSubstr("measured on NVIDIA H200"));
  EXPECT_THAT(draw("plot nothing").error().message, HasSubstr("gnuplot did not draw the plot"));
}

}  // namespace
}  // namespace tessera
