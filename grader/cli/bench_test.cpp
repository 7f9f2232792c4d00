#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "grader/cli/bench_session.h"
#include "grader/cli/test_program.h"
#include "grader/experiment/testing/experiment_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

/// Products that take minutes, so that Ctrl-C comes while they run.
constexpr const char* kLongRun = R"(title: Long
question: When does it end?
operation: matmul
shapes: [24, 4000]
rows:
  - {name: serial, host: textbook}
measure: [time_ms]
)";

class BenchCommand : public testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"bench", "--labs", "labs"});
    return run_program(folder_.folder(), std::move(arguments));
  }

  ProgramResult run_differences(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"differences", "--backend", "simulator", "--seed", "7"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }

  std::string content(const fs::path& name) const {
    const auto text = read_file(folder_.folder().path() / name);
    return text ? *text : "";
  }

  ExperimentFolder folder_;
};

TEST_F(BenchCommand, ListShowsNamesAndTitles) {
  const ProgramResult result = run({"--list"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "differences  Differences\n");
}

TEST_F(BenchCommand, AnUnknownNameIsAnErrorWithTheNearest) {
  const ProgramResult result = run({"diferences"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("no experiment 'diferences' (did you mean 'differences'?)"));
}

TEST_F(BenchCommand, WithoutANameSaysWhatIsExpected) {
  const ProgramResult result = run({});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--list"), HasSubstr("--all")));
}

TEST_F(BenchCommand, OptionsThatExcludeEachOtherAreAnError) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"differences", "--all"},
                                             {"--from", "r.csv", "--all"},
                                             {"differences", "--page", "--shapes", "64"}}) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_THAT(result.err, HasSubstr("leave "));
  }
}

TEST_F(BenchCommand, AMistakeInTheFileIsReportedBeforeAnythingRuns) {
  folder_.set_yaml(experiment_yaml("plot: []\n"));
  const ProgramResult result = run_differences();
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("experiment.yaml:15:1: "));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'plots'"));
}

TEST_F(BenchCommand, PrintsTablesAndKeepsFiguresAndPlots) {
  const ProgramResult result = run_differences({"--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Modelled for NVIDIA H200, not measured: modelled_time_ms"));
  EXPECT_THAT(result.out, HasSubstr("times as fast as slow"));
  EXPECT_THAT(result.out, HasSubstr("Counted by the simulator, NVIDIA H200, n = 256"));
  EXPECT_THAT(result.out, HasSubstr("No GPU here: kernels have counters and a modelled time"));
  EXPECT_THAT(result.out, HasSubstr("Figures: bench-results/differences/results.csv\n"));
  const std::string csv = content("bench-results/differences/results.csv");
  EXPECT_THAT(csv, StartsWith("experiment,row,settings,shape,metric,value,"));
  EXPECT_THAT(csv, HasSubstr("\ndifferences,fast,BLOCK=128,256,global_load_requests,16,,,simulated,"
                             "NVIDIA H200,,"));
  const auto json = nlohmann::json::parse(content("r.json"));
  EXPECT_EQ(json[0]["seed"], 7);
  EXPECT_EQ(json[0]["figures"].size(), split_lines(csv).size() - 1);
}

TEST_F(BenchCommand, ShapesReplaceTheExperimentsOwn) {
  const ProgramResult result = run_differences({"--shapes", "300", "--out", "elsewhere"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("not measured, n = 300\n"));
  EXPECT_THAT(content("elsewhere/differences/results.csv"), HasSubstr(",300,modelled_time_ms,"));
}

TEST_F(BenchCommand, ShapesThatKernelsDoNotTakeAreAnError) {
  std::string yaml = experiment_yaml();
  yaml.replace(yaml.find("shapes:"), 0, "multiple_of: 8\n");
  folder_.set_yaml(yaml);
  const ProgramResult result = run_differences({"--shapes", "100"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              HasSubstr("--shapes 100: the kernels of 'differences' take multiples of 8"));
}

TEST_F(BenchCommand, ShapesGoFromTheSmallestUpEachOnceAndANameMayFollow) {
  const ProgramResult result =
      run({"--shapes", "400,300,400", "differences", "--backend", "simulator"});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string csv = content("bench-results/differences/results.csv");
  const std::size_t first = csv.find("slow,BLOCK=64,300,modelled_time_ms");
  const std::size_t second = csv.find("slow,BLOCK=64,400,modelled_time_ms");
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second);
  EXPECT_EQ(csv.find("slow,BLOCK=64,400,modelled_time_ms", second + 1), std::string::npos);
}

TEST_F(BenchCommand, AShapeThatIsTooLargeToBeModelledIsListed) {
  const ProgramResult result = run_differences({"--shapes", "300,40000000"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Too large to model: n = 40000000.\n"));
}

TEST_F(BenchCommand, AShapeThatDoesNotFitInMemoryIsAnError) {
  folder_.set_yaml(kLongRun);
  const ProgramResult result = run({"differences", "--shapes", "10000000"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("n = 10000000: 'differences' would take "));
  EXPECT_THAT(result.err, HasSubstr("--shapes"));
}

TEST_F(BenchCommand, FiguresOfAnEarlierRunAreShownAndDrawnAgain) {
  const ProgramResult first = run_differences();
  ASSERT_EQ(first.status, 0) << first.err;
  fs::remove(folder_.folder().path() / "bench-results/differences/time.svg");
  const std::string file = "bench-results/differences/results.csv";
  const ProgramResult again = run({"differences", "--from", file});
  EXPECT_EQ(again.status, 0) << again.err;
  const std::size_t plots = again.out.find("Plot: bench-results/differences/time.svg");
  const std::size_t no_plots = again.out.find("No plots: gnuplot is not here");
  EXPECT_THAT(first.out, StartsWith(again.out.substr(0, std::min(plots, no_plots))));
  const bool drawn = plots != std::string::npos;
  const bool missing = no_plots != std::string::npos;
  EXPECT_NE(drawn, missing) << again.out;
  EXPECT_EQ(content("bench-results/differences/time.svg").empty(), !drawn);
  EXPECT_EQ(run({"--from", file, "--out", "elsewhere"}).status, 0);
  EXPECT_EQ(content("elsewhere/differences/time.svg").empty(), !drawn);
}

TEST_F(BenchCommand, AFileThatIsCutOffIsShownAsFarAsItGoesWithANote) {
  ASSERT_EQ(run_differences().status, 0);
  const std::string csv = content("bench-results/differences/results.csv");
  folder_.folder().write("half.csv", csv.substr(0, csv.size() - 60));
  const ProgramResult result = run({"--from", "half.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "tessera: half.csv: its last line is cut off and left out\n");
}

TEST_F(BenchCommand, WithoutGnuplotThereAreTablesAndAHint) {
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  ASSERT_EQ(run_differences().status, 0);
  setenv("PATH", "/nowhere", 1);
  const ProgramResult result = run({"--from", "bench-results/differences/results.csv"});
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("modelled_time_ms"));
  EXPECT_THAT(
      result.out,
      HasSubstr("No plots: gnuplot is not here. With it (./setup.sh installs it):\n  "
                "tessera bench differences --from bench-results/differences/results.csv\n"));
}

TEST_F(BenchCommand, FiguresOfAnotherExperimentAreRefused) {
  ASSERT_EQ(run_differences().status, 0);
  folder_.folder().write("labs/experiments/other/experiment.yaml", "");
  const ProgramResult result = run({"other", "--from", "bench-results/differences/results.csv"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("holds values of 'differences', not of 'other'"));
  EXPECT_EQ(run({"--from", "nothing.csv"}).status, 2);
}

TEST_F(BenchCommand, APageGetsTablesFiguresAndPlots) {
  const std::string page = "# D\n<!-- tables: begin -->\n<!-- tables: end -->\nWhy?\n";
  folder_.folder().write("labs/experiments/differences/README.md", page);
  const ProgramResult result = run_differences({"--page"});
  EXPECT_EQ(result.status, 0) << result.err;
  const fs::path here = "labs/experiments/differences";
  EXPECT_THAT(content(here / "README.md"),
              AllOf(HasSubstr("| slow BLOCK=64 |"), HasSubstr("Why?\n"), HasSubstr("seed 7")));
  EXPECT_EQ(content(here / "results.csv"), content("bench-results/differences/results.csv"));
}

TEST_F(BenchCommand, AWrongKernelIsReportedAndMakesTheStatusOne) {
  std::string yaml = experiment_yaml();
  const std::string fast = "name: fast, kernel: naive";
  yaml.replace(yaml.find(fast), fast.size(), "name: fast, kernel: off_by_one");
  folder_.set_yaml(yaml);
  const ProgramResult result = run_differences();
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("wrong"));
  EXPECT_THAT(result.out, HasSubstr("fast BLOCK=64: "));
}

TEST_F(BenchCommand, CtrlCKeepsWhatIsMeasured) {
  folder_.set_yaml(kLongRun);
  const RunningProgram program(folder_.folder(), {"bench", "differences", "--labs", "labs",
                                                  "--backend", "simulator", "--json", "r.json"});
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const char* file = "bench-results/differences/results.csv";
  while (content(file).find(",24,time_ms,") == std::string::npos &&
         std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.interrupt();
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.status, 130);
  EXPECT_THAT(result.out, HasSubstr("n = 24\n"));
  EXPECT_THAT(result.err,
              HasSubstr("interrupted; 1 value of differences kept in "
                        "bench-results/differences/results.csv\n"
                        "  tessera bench --from bench-results/differences/results.csv"));
  EXPECT_EQ(split_lines(content(file)).size(), 2u);
  EXPECT_EQ(nlohmann::json::parse(content("r.json"))[0]["figures"].size(), 1u);
  const ProgramResult shown = run({"--from", file});
  EXPECT_EQ(shown.status, 0) << shown.err;
}

TEST(BenchProgress, RewritesALineOnATerminalAndWritesFewElsewhere) {
  using std::chrono::milliseconds;
  const BenchProgress::Clock::time_point start{};
  const RunSteps steps{4, 12, "RR BLOCK=16, n = 4096"};
  std::ostringstream terminal, file;
  BenchProgress on_terminal(terminal, true, start), in_file(file, false, start);
  for (const int after : {50, 2000, 12000}) {
    on_terminal.step("storage", steps, start + milliseconds(after));
    in_file.step("storage", steps, start + milliseconds(after));
  }
  on_terminal.clear();
  in_file.clear();
  EXPECT_EQ(terminal.str(),
            "\rstorage: 5 of 12, RR BLOCK=16, n = 4096 (2 s)\x1b[K"
            "\rstorage: 5 of 12, RR BLOCK=16, n = 4096 (12 s)\x1b[K\r\x1b[K");
  EXPECT_EQ(file.str(), "storage: 5 of 12, RR BLOCK=16, n = 4096 (12 s)\n");
}

}  // namespace
}  // namespace tessera
