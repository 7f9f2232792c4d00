#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/experiment/experiment_keys.h"
#include "grader/experiment/testing/experiment_folder.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Pair;

TEST(ExperimentParser, ReadsWhatTheFileSays) {
  const ExperimentFolder folder(experiment_yaml(R"(reported:
  - source: S9
    device: Some GPU
    metric: time_ms
    figures:
      - {row: slow, settings: {BLOCK: 64}, values: {1000: 4.5, 3000: 9}}
)"));
  const Expected<Experiment> experiment = folder.load();
  ASSERT_TRUE(experiment) << experiment.error().str();
  EXPECT_EQ(experiment->id, "differences");
  EXPECT_EQ(experiment->title, "Differences");
  EXPECT_EQ(experiment->element, Element::int32);
  EXPECT_THAT(experiment->shapes, ElementsAre(1000, 2000));
  EXPECT_THAT(experiment->simulated_shapes, ElementsAre(256));
  ASSERT_EQ(experiment->rows.size(), 2u);
  EXPECT_EQ(experiment->rows[1].what, "naive");
  EXPECT_EQ(experiment->rows[1].file.filename(), "kernel.cu");
  EXPECT_THAT(experiment->rows[1].lists, ElementsAre(Pair("BLOCK", ElementsAre("64", "128"))));
  EXPECT_EQ(experiment->ratio.to, "slow");
  EXPECT_FALSE(experiment->ratio.interleaved);
  EXPECT_TRUE(experiment->plots.at(0).log_y);
  const Reported& reported = experiment->reported.at(0);
  EXPECT_EQ(reported.source, "S9");
  EXPECT_THAT(reported.figures.at(0).values, ElementsAre(Pair(1000, 4.5), Pair(3000, 9.0)));
}

/// A mistake, made by replacing `from` with `to`, its line, and what the error says.
struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  int line;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

class ExperimentMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ExperimentMistakes, AreReportedWithPlaceValueAndWhatWasExpected) {
  const Mistake& mistake = GetParam();
  std::string yaml = experiment_yaml();
  const std::size_t at = yaml.find(mistake.from);
  ASSERT_NE(at, std::string::npos);
  yaml.replace(at, std::string(mistake.from).size(), mistake.to);
  const ExperimentFolder folder(yaml);
  const Expected<Experiment> experiment = folder.load();
  ASSERT_FALSE(experiment);
  EXPECT_THAT(experiment.error().file, EndsWith("differences/experiment.yaml"));
  EXPECT_EQ(experiment.error().line, mistake.line) << experiment.error().str();
  EXPECT_THAT(experiment.error().message, HasSubstr(mistake.message));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ExperimentMistakes,
    testing::Values(
        Mistake{"UnknownKey", "title:", "titel:", 1, "did you mean 'title'"},
        Mistake{"NoTitle", "title: Differences\n", "", 1, "title"},
        Mistake{"UnknownOperation", "adjacent_difference", "adjacent_diference", 3,
                "did you mean 'adjacent_difference'"},
        Mistake{"UnknownElement", "int32", "int23", 4, "did you mean 'int32'"},
        Mistake{"NoShape", "[1000, 2000]", "[]", 5, "shapes"},
        Mistake{"ShapeOfZero", "[1000, 2000]", "[0]", 5, "whole numbers from 1"},
        Mistake{"ShapeThatIsNoNumber", "[1000, 2000]", "[many]", 5, "whole numbers from 1"},
        Mistake{"ShapeThatDoesNotFit", "shapes: [1000, 2000]", "multiple_of: 32\nshapes: [64, 100]",
                6, "100 is no multiple of 32"},
        Mistake{"UnknownArgument", "result.data, n]", "results.data, n]", 7,
                "did you mean 'result.data'"},
        Mistake{"NoRunner", "kernel: naive, parameters", "parameters", 9, "one of 'kernel'"},
        Mistake{"TwoRunners", "kernel: naive,", "kernel: naive, library: cublas,", 9,
                "one of 'kernel'"},
        Mistake{"NoFile", "kernel: naive,", "kernel: naive, file: other.cu,", 9, "other.cu"},
        Mistake{"SameNameTwice", "name: fast", "name: slow", 10, "there is a row 'slow' already"},
        Mistake{"LibraryForAnotherOperation",
                "name: fast, kernel: naive, parameters: {BLOCK: [64, 128]}",
                "name: fast, library: cublas", 10, "matrix products"},
        Mistake{"ParameterThatIsNoToken", "[64, 128]}}\n  - {name: fast",
                "[64, 'a b']}}\n  - {name: fast", 9, "'a b'"},
        Mistake{"CarveoutOver100", "name: slow, ", "name: slow, carveout: [101], ", 9,
                "percentages from 0 to 100"},
        Mistake{"UnknownMemory", "name: slow, ", "name: slow, memory: [pined], ", 9, "pinned"},
        Mistake{"ThreadsOfAKernel", "name: slow, ", "name: slow, threads: [2], ", 9,
                "belongs to a row with 'host'"},
        Mistake{"UnknownMetric", "global_load_requests", "global_load_request", 11,
                "did you mean 'global_load_requests'"},
        Mistake{"CounterWithoutAShape", "simulated: [256]\n", "", 10, "add 'simulated: [160]'"},
        Mistake{"RatioToNoRow", "{to: slow}", "{to: slaw}", 12, "did you mean 'slow'"},
        Mistake{"RatioOfWhatIsNotMeasured", "{to: slow}", "{to: slow, of: end_to_end_ms}", 12,
                "among 'measure'"},
        Mistake{"RatioWithoutOneBaseline", "fast, kernel: naive, parameters: {BLOCK: [64, 128]}",
                "fast, kernel: naive, parameters: {BLOCK: [32]}", 12, "no one variant of 'slow'"},
        Mistake{"PlotOverNothing", "x: shape", "x: block", 14, "axis"},
        Mistake{"PlotOfAnUnknownMetric", "y: time_ms", "y: time", 14, "metric"},
        Mistake{"PlotOfAnUnknownShape", "x: shape", "shape: 3000, x: BLOCK", 14, "one of 'shapes'"},
        Mistake{"PlotWithoutAName", "{name: time, ", "{", 14, "name"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(ExperimentParser, AFigureOfADocumentHasAKnownRow) {
  const ExperimentFolder folder(experiment_yaml(
      "reported:\n  - {source: S9, device: D, metric: time_ms, figures: [{row: fats, values: {1: "
      "2}}]}\n"));
  const Expected<Experiment> experiment = folder.load();
  ASSERT_FALSE(experiment);
  EXPECT_EQ(experiment.error().line, 16);
  EXPECT_THAT(experiment.error().message, HasSubstr("did you mean 'fast'"));
}

TEST(ExperimentParser, AMissingFileIsNamed) {
  const TestFolder folder;
  const auto experiment = load_experiment(folder.path() / "nothing", folder.path());
  ASSERT_FALSE(experiment);
  EXPECT_THAT(experiment.error().str(), HasSubstr("nothing/experiment.yaml"));
}

TEST(Experiments, AreFoundByNameOrTheNearestIsSuggested) {
  const ExperimentFolder folder;
  EXPECT_EQ(find_experiment(folder.labs(), "differences")->filename(), "differences");
  EXPECT_THAT(find_experiment(folder.labs(), "difference").error().message,
              AllOf(HasSubstr("did you mean 'differences'"), HasSubstr("there are differences")));
  EXPECT_EQ(chosen_experiments({}, folder.labs())->size(), 1u);
  EXPECT_EQ(chosen_experiments({"differences", "differences"}, folder.labs())->size(), 1u);
  EXPECT_THAT(chosen_experiments({}, folder.folder().path()).error().message,
              HasSubstr("no experiments here"));
}

TEST(Experiments, EveryCombinationOfSettingsIsAVariant) {
  const ExperimentFolder folder;
  const Expected<Experiment> experiment = folder.load();
  ASSERT_TRUE(experiment);
  const std::vector<Variant> variants = variants_of(*experiment);
  std::vector<std::string> labels;
  for (const Variant& variant : variants) labels.push_back(variant.label());
  EXPECT_THAT(labels,
              ElementsAre("slow BLOCK=64", "slow BLOCK=128", "fast BLOCK=64", "fast BLOCK=128"));
  EXPECT_EQ(matching_variant(variants, "slow", variants[3].settings), &variants[1]);
  EXPECT_EQ(matching_variant(variants, "slow", {}), nullptr) << "there are two";
  EXPECT_EQ(matching_variant(variants, "missing", {}), nullptr);
}

}  // namespace
}  // namespace tessera
