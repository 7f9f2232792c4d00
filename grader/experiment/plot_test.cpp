#include "grader/experiment/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "grader/experiment/testing/experiment_folder.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

Value value(const std::string& row, int shape, double number, Origin origin = Origin::measured) {
  Value figure;
  figure.row = row;
  figure.settings = {{"BLOCK", "64"}};
  figure.shape = shape;
  figure.metric = origin == Origin::modelled ? Metric::modelled_time_ms : Metric::time_ms;
  figure.number = number;
  figure.origin = origin;
  figure.device = "NVIDIA H200";
  return figure;
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
  EXPECT_THAT(program(), HasSubstr("' . \"\\n\" . 'measured on NVIDIA H200' . "
                                   "\"\\n\" . 'driver 580.1, 2026-11-21, seed 7'"));
  EXPECT_THAT(program(), HasSubstr("1000 2 2 2\n2000 4 4 4\n"));
}

TEST_F(PlotProgram, WhatAllCurvesHaveInCommonIsInTheTitle) {
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4), value("fast", 1000, 1)};
  EXPECT_THAT(program(), HasSubstr("set title 'Differences (BLOCK=64)'"));
  EXPECT_THAT(program(), HasSubstr("title 'slow'"));
  EXPECT_THAT(program(), HasSubstr("title 'fast'"));
  results_.values.back().settings = {{"BLOCK", "128"}};
  EXPECT_THAT(program(), HasSubstr("set title 'Differences'"));
  EXPECT_THAT(program(), HasSubstr("title 'slow, BLOCK=64'"));
  EXPECT_THAT(program(), HasSubstr("title 'fast, BLOCK=128'"));
}

TEST_F(PlotProgram, OneCurveNeedsNoKey) {
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4)};
  EXPECT_THAT(program(), HasSubstr("set title 'Differences (slow, BLOCK=64)'"));
  EXPECT_THAT(program(), HasSubstr("set key off"));
}

TEST_F(PlotProgram, OfTheHostAloneNamesNoDriver) {
  for (Row& row : experiment_.rows) row.runner = Runner::host;
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4)};
  EXPECT_THAT(program(), Not(HasSubstr("driver")));
  EXPECT_THAT(program(), HasSubstr("'2026-11-21, seed 7'"));
}

TEST_F(PlotProgram, OfAFigureThatStandsThereTwiceDrawsTheLast) {
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4), value("slow", 1000, 3)};
  EXPECT_THAT(program(), HasSubstr("<< END\n1000 3 3 3\n2000 4 4 4\nEND"));
}

TEST_F(PlotProgram, CountsOfALinearAxisAreInItsUnit) {
  experiment_.plots.at(0).log_y = false;
  results_.values = {value("slow", 1000, 500'000), value("slow", 2000, 3'968'000)};
  EXPECT_THAT(program(), HasSubstr("set ylabel 'time_ms, millions'"));
  EXPECT_THAT(program(), HasSubstr("1000 0.5 0.5 0.5\n2000 3.968 3.968 3.968\n"));
}

TEST_F(PlotProgram, WordsThatDoNotFitSideBySideAreTurned) {
  experiment_.plots.at(0).x = "row";
  results_.values = {value("slow", 1000, 2), value("fast", 1000, 4)};
  EXPECT_THAT(program(), HasSubstr("set xtics ('slow' 0, 'fast' 1)\n"));
  const std::string longer = "slow, as a student of the very first week writes it";
  experiment_.rows.at(0).name = results_.values.at(0).row = longer;
  EXPECT_THAT(program(), HasSubstr("'fast' 1) rotate by 20 right\n"));
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

TEST_F(PlotProgram, IsEmptyForASinglePoint) {
  results_.values = {value("slow", 1000, 2)};
  EXPECT_EQ(program(), "");
}

TEST_F(PlotProgram, TextOfAFileIsNoCommand) {
  results_.values = {value("slow", 1000, 2), value("slow", 2000, 4)};
  for (Value& figure : results_.values) figure.device = "a'b`id`\nsystem 'id'";
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

/// All texts of an SVG.
std::vector<std::string> texts_in(const std::string& svg) {
  static const std::regex text("<text>(?:<tspan[^>]*>)* *([^<]*)<");
  std::vector<std::string> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), text), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

TEST_F(PlotProgram, NoTickIsLabelledLikeAnother) {
  if (!can_plot()) GTEST_SKIP() << "gnuplot is not here";
  for (const bool logarithmic : {false, true}) {
    experiment_.plots.at(0).log_y = logarithmic;
    for (const double most : {0.0031, 1.3, 35'000.0, 1.2e6, 3.968e6, 7.1e9}) {
      results_.values = {value("slow", 1000, most / 3), value("slow", 2000, most)};
      const Expected<std::string> svg = draw(program());
      ASSERT_TRUE(svg) << svg.error().str();
      const std::vector<std::string> texts = texts_in(*svg);
      EXPECT_GE(texts.size(), 3u + 2 + 2 + 2) << "title, names and ticks of two axes";
      EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size())
          << "most " << most << ": " << testing::PrintToString(texts);
    }
  }
}

}  // namespace
}  // namespace tessera
