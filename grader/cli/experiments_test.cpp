// Checks that each experiment of the course runs, and that its page fits its figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/cli/bench_session.h"
#include "grader/cli/test_program.h"
#include "grader/experiment/page.h"
#include "grader/experiment/table.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path kLabs = fs::path(TESSERA_SOURCE_DIR) / "labs";

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const fs::path& folder : find_experiments(kLabs))
    names.push_back(folder.filename().string());
  return names;
}

std::string file_of(const std::string& experiment, const char* file) {
  const auto text = read_file(kLabs / "experiments" / experiment / file);
  return text ? *text : text.error().str();
}

class EachExperiment : public testing::TestWithParam<std::string> {
 protected:
  Experiment load() const {
    Expected<Experiment> experiment = load_experiment(kLabs / "experiments" / GetParam(), kLabs);
    if (!experiment) throw std::runtime_error(experiment.error().str());
    return std::move(*experiment);
  }
};

/// Whether the row's kernel copies by the tensor memory accelerator.
bool copies_in_bulk(const Row& row) {
  const auto source = read_file(row.file);
  return source && source->find("cp.async.bulk") != std::string::npos;
}

TEST_P(EachExperiment, RunsInTheSimulatorAndNoKernelIsWrong) {
  // The least shape that its kernels accept and a test has time for.
  const int shape = std::max(64, load().multiple_of);
  const TestFolder folder;
  const ProgramResult result =
      run_program(folder, {"bench", GetParam(), "--labs", kLabs.string(), "--backend", "simulator",
                           "--shapes", std::to_string(shape), "--out", "out", "--seed", "3"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  const auto text = read_file(folder.path() / "out" / GetParam() / "results.csv");
  ASSERT_TRUE(text);
  const Expected<Results> results = read_results(*text, "results.csv");
  ASSERT_TRUE(results) << results.error().str();
  for (const Row& row : load().rows) {
    const bool copies =
        std::ranges::any_of(row.lists, [](const auto& list) { return list.first == "memory"; });
    // Only a GPU runs these; the simulator does not know the last.
    if (row.runner == Runner::cublas || copies || copies_in_bulk(row)) continue;
    const bool measured = std::ranges::any_of(results->values, [&](const Value& value) {
      return value.row == row.name && value.number && *value.number > 0 && value.shape == shape;
    });
    EXPECT_TRUE(measured) << row.name;
  }
}

TEST_P(EachExperiment, HasAPageWithQuestionPredictionAndCommand) {
  const std::string page = file_of(GetParam(), "README.md");
  EXPECT_THAT(page, HasSubstr("\n## The question\n"));
  EXPECT_THAT(page, HasSubstr("\n## Predict first\n"));
  EXPECT_THAT(page, HasSubstr("build/tessera bench " + GetParam()));
  EXPECT_THAT(page, HasSubstr("\n## What it means\n"));
  EXPECT_THAT(page, HasSubstr("\n## The source\n"));
}

TEST_P(EachExperiment, HasTablesOnItsPageThatFitItsFigures) {
  const std::string page = file_of(GetParam(), "README.md");
  const Expected<Results> results = read_results(file_of(GetParam(), "results.csv"), "results.csv");
  ASSERT_TRUE(results) << results.error().str();
  EXPECT_EQ(results->info.experiment, GetParam());
  const auto expected = with_tables(page, markdown_tables(load(), *results), "README.md");
  ASSERT_TRUE(expected) << expected.error().str();
  EXPECT_EQ(page, *expected) << "build/tessera bench " << GetParam() << " --from labs/experiments/"
                             << GetParam() << "/results.csv --page";
}

TEST_P(EachExperiment, ShowsPlotsThatAreThere) {
  const std::string page = file_of(GetParam(), "README.md");
  for (const Plot& plot : load().plots) {
    const std::string file = plot.name + ".svg";
    EXPECT_THAT(page, HasSubstr("](" + file + ")"));
    EXPECT_THAT(file_of(GetParam(), file.c_str()), HasSubstr("</svg>"));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, EachExperiment, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(KitExperiments, AreAllInTheTableOfContents) {
  const auto page = read_file(kLabs / "experiments" / "README.md");
  ASSERT_TRUE(page);
  ASSERT_GE(names().size(), 11u);
  for (const std::string& name : names()) {
    EXPECT_THAT(*page, HasSubstr("[" + name + "](" + name + "/README.md)"));
  }
}

}  // namespace
}  // namespace tessera
