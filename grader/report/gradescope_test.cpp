#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "grader/report/report.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

Json results(const std::vector<Record>& records, const GradescopeOptions& options = {}) {
  return Json::parse(gradescope_report(records, options));
}

/// Expects only `allowed` keys, and for each key whose words the specification lists one of those.
void expect_words(const Json& object, const std::vector<std::string>& allowed) {
  const std::map<std::string, Json> words = {
      {"format", {"text", "html", "simple_format", "md", "ansi"}},
      {"visibility", {"hidden", "after_due_date", "after_published", "visible"}},
      {"status", {"passed", "failed"}},
      {"order", {"asc", "desc"}}};
  for (const auto& [key, value] : object.items()) {
    EXPECT_THAT(allowed, testing::Contains(key));
    for (const auto& [ending, list] : words) {
      if (!key.ends_with(ending)) continue;
      EXPECT_THAT(list, testing::Contains(value)) << key;
    }
  }
}

/// Expects what the specification says of keys, types and words.
void expect_valid(const Json& json) {
  expect_words(json, {"score", "execution_time", "output", "output_format", "test_output_format",
                      "test_name_format", "visibility", "stdout_visibility", "extra_data", "tests",
                      "leaderboard"});
  EXPECT_EQ(json["visibility"], "visible");
  EXPECT_TRUE(json["output"].is_string());
  EXPECT_GE(json.value("score", 0.0), 0);
  EXPECT_TRUE(json.value("execution_time", Json(0)).is_number());
  for (const Json& column : json.value("leaderboard", Json::array())) {
    expect_words(column, {"name", "value", "order"});
    EXPECT_TRUE(column["name"].is_string());
    EXPECT_TRUE(column["value"].is_number());
  }
  for (const Json& test : json["tests"]) {
    expect_words(test, {"score", "max_score", "status", "name", "name_format", "number", "output",
                        "output_format", "tags", "visibility", "extra_data"});
    EXPECT_TRUE(test["name"].is_string());
    EXPECT_TRUE(test["number"].is_string());
    EXPECT_TRUE(test["output"].is_string());
    if (test.contains("status")) {
      EXPECT_LE(test["score"].get<double>(), test["max_score"].get<double>());
    }
  }
}

TEST(GradescopeReport, IsOneTestAnItem) {
  const Json json = results({failed_record()});
  expect_valid(json);
  ASSERT_EQ(json["tests"].size(), 5u);
  EXPECT_EQ(json["score"], 30);
  EXPECT_EQ(json["tests"][0]["status"], "passed");
  EXPECT_EQ(json["tests"][0]["name"], "case 1: m=16 n=16 k=16 identity");
  EXPECT_EQ(json["tests"][1]["status"], "failed");
  EXPECT_EQ(json["tests"][1]["score"], 0);
  EXPECT_EQ(json["tests"][1]["max_score"], 20);
  EXPECT_EQ(json["tests"][1]["number"], "1.2");
  EXPECT_EQ(json["tests"][4]["status"], "failed");
  EXPECT_EQ(json["tests"][4]["name"], "barriers at least 1 (skipped)");
}

TEST(GradescopeReport, SaysWhatWentWrongWhereAndWhatToDo) {
  const std::string output = results({failed_record()})["tests"][1]["output"];
  EXPECT_EQ(output, R"(  race  kernel.cu:23:2  1,920 times
    As[3][5] is written by thread (5, 3, 0) and read by thread (0, 3, 0)
       23 |     As[ty][tx] = A(row, col);  // 행렬
          |     ^
    hint: put __syncthreads() between the two

  wrong-result
    C: 192 of 3,072 elements are wrong: the last 3 columns. C[0][45] is 1.5,
    expected 2.25; this data leaves no room for rounding
    hint: follow C[0][45] by hand

)");
}

TEST(GradescopeReport, ShowsAMessageThatNoFindingHas) {
  EXPECT_THAT(std::string(results({failed_record()})["tests"][4]["output"]),
              HasSubstr("counters and times wait until every case passes"));
}

TEST(GradescopeReport, NamesTheCompilerWhereThereWasOne) {
  Record record = won_record();
  EXPECT_THAT(std::string(results({record})["output"]),
              HasSubstr("simulated NVIDIA H200, nvrtc 13.0, seed 1234\n"));
  record.compiler.clear();
  EXPECT_THAT(std::string(results({record})["output"]),
              HasSubstr("simulated NVIDIA H200, seed 1234\n"));
}

TEST(GradescopeReport, APartOfThePointsIsNotPassed) {
  Record record = won_record();
  record.items[3].status = Status::partial;
  record.items[3].points = 10.0 / 3;
  const Json json = results({record});
  expect_valid(json);
  EXPECT_EQ(json["tests"][3]["score"], 3.3333);
  EXPECT_EQ(json["tests"][3]["status"], "failed");
  EXPECT_EQ(json["score"], 63.3333);
}

TEST(GradescopeReport, ADeferredItemHasNoPointsAndNoStatus) {
  const Json json = results({won_record()});
  expect_valid(json);
  EXPECT_EQ(json["score"], 70);
  for (const char* key : {"score", "max_score", "status"})
    EXPECT_FALSE(json["tests"][4].contains(key)) << key;
  EXPECT_THAT(std::string(json["tests"][4]["output"]), HasSubstr("needs a GPU"));
  EXPECT_THAT(std::string(json["output"]), HasSubstr("20 points are deferred"));
}

/// The grader failed on a case worth 25 of 70 points; `won` of the other 45 are won.
Record infra_record(double won) {
  Record record = won_record();
  record.items[1].status = Status::infra;
  record.items[1].points = 0;
  record.items[1].message = "the worker was killed";
  record.items[0].points = won - 20;
  return record;
}

TEST(GradescopeReport, AFailureOfTheGraderWinsNothing) {
  const Json won = results({infra_record(45)});
  expect_valid(won);
  EXPECT_EQ(won["score"], 45);
  EXPECT_EQ(results({infra_record(22.5)})["score"], 22.5);
  EXPECT_FALSE(won["tests"][1].contains("score"));
  EXPECT_THAT(std::string(won["tests"][1]["output"]), HasSubstr("25 points are open"));
}

TEST(GradescopeReport, AFailureOfTheGraderIsTheFirstThingSaid) {
  Record record = infra_record(45);
  record.items[2].status = Status::infra;
  record.items[2].points = 0;
  EXPECT_THAT(std::string(results({record}, {.score = {}, .note = "attempt 2 of 2"})["output"]),
              testing::StartsWith(
                  "Not a final mark: the grader failed in 2 items, and 35 points count 0 until it"
                  "\nis run again. That is not your fault; ask the staff for a rerun.\n"
                  "\nattempt 2 of 2\n"));
}

TEST(GradescopeReport, WhereNothingCouldBeGradedThereIsNoScore) {
  Record record = won_record();
  for (Item& item : record.items) item.status = Status::infra;
  const Json json = results({record});
  expect_valid(json);
  EXPECT_FALSE(json.contains("score"));
  EXPECT_THAT(std::string(json["output"]), testing::StartsWith("The grader failed."));
  EXPECT_THAT(std::string(json["output"]), HasSubstr("no score"));
}

TEST(GradescopeReport, AHiddenCaseShowsNeitherShapeNorValues) {
  Record record = won_record();
  Item& hidden = record.items[1];
  hidden.status = Status::fail;
  hidden.points = 0;
  hidden.metrics = {{Metric::instructions, 987654}};
  Finding finding;
  finding.kind = FindingKind::race;
  finding.line = 23;
  finding.file = "kernel.cu";
  finding.message = "a race in a case that is not shown";
  finding.example = {{"element", "As[3][5]"}};
  hidden.findings = {finding};
  const Json test = results({record})["tests"][1];
  EXPECT_EQ(test["name"], "hidden case 1");
  EXPECT_EQ(test["output"], "  race  kernel.cu:23\n    a race in a case that is not shown\n\n");
  EXPECT_THAT(test.dump(), Not(HasSubstr("987654")));
}

GradescopeOptions hidden_until(Visibility visibility) {
  GradescopeOptions options;
  options.hidden_items = visibility;
  return options;
}

TEST(GradescopeReport, ShowsEveryItemWhereTheCourseSaysNothingElse) {
  const Json json = results({won_record()});
  for (const Json& test : json["tests"])
    EXPECT_EQ(test["visibility"], "visible") << "one hidden test hides the student's total";
}

TEST(GradescopeReport, ShowsHiddenCasesWhenTheCourseSaysSo) {
  Record record = won_record();
  record.items[0].title = "hidden case 7";  // a title says nothing
  const Json json = results({record}, hidden_until(Visibility::after_due_date));
  expect_valid(json);
  EXPECT_EQ(json["visibility"], "visible");
  for (std::size_t i = 0; i < record.items.size(); ++i) {
    EXPECT_EQ(json["tests"][i]["visibility"], i == 1 ? "after_due_date" : "visible") << i;
  }
  for (const auto& [visibility, word] : {std::pair(Visibility::after_published, "after_published"),
                                         std::pair(Visibility::hidden, "hidden")}) {
    EXPECT_EQ(results({record}, hidden_until(visibility))["tests"][1]["visibility"], word);
  }
}

TEST(GradescopeReport, SeveralLabsAreTestsOfOneList) {
  Record other = won_record();
  other.lab = "04-boundary-checked";
  const Json json = results({won_record(), other});
  expect_valid(json);
  ASSERT_EQ(json["tests"].size(), 10u);
  EXPECT_EQ(json["tests"][5]["number"], "2.1");
  EXPECT_THAT(std::string(json["tests"][5]["name"]), HasSubstr("04-boundary-checked: case 1"));
  EXPECT_EQ(json["score"], 140);
}

TEST(GradescopeReport, AMarkStandsInPlaceOfTheSum) {
  const Json json = results({won_record()}, {.score = 56, .note = "2 days late: -14 points"});
  EXPECT_EQ(json["score"], 56);
  EXPECT_THAT(std::string(json["output"]), testing::StartsWith("2 days late: -14 points\n"));
  EXPECT_EQ(results({}, {.score = 5, .note = "by hand"})["score"], 5);
  EXPECT_EQ(results({infra_record(45)}, {.score = 50, .note = "by hand"})["score"], 50);
}

Record timed_record() {
  Record record = won_record();
  record.items[4].status = Status::partial;
  record.items[4].points = 10;
  record.items[4].metrics = {{Metric::time_ms, 15.12345}, {Metric::gflops, 812.4}};
  return record;
}

TEST(GradescopeReport, TheLeaderboardHasMeasuredTimesAlone) {
  expect_valid(results({timed_record()}));
  const Json board = results({timed_record()})["leaderboard"];
  ASSERT_EQ(board.size(), 2u);
  EXPECT_EQ(board[0], (Json{{"name", "GFLOP/s"}, {"value", 812.0}}));
  EXPECT_EQ(board[1], (Json{{"name", "Time (ms)"}, {"value", 15.1235}, {"order", "asc"}}));
  EXPECT_FALSE(results({won_record()}).contains("leaderboard"));
  Record deferred = timed_record();
  deferred.items[4].status = Status::deferred;
  EXPECT_FALSE(results({deferred}).contains("leaderboard"));
}

TEST(GradescopeReport, AWrongKernelIsNotOnTheLeaderboard) {
  Record record = timed_record();
  record.items[1].status = Status::fail;
  EXPECT_FALSE(results({record}).contains("leaderboard"));
}

TEST(GradescopeReport, ExecutionTimeIsInWholeSeconds) {
  Record record = won_record();
  EXPECT_FALSE(results({record}).contains("execution_time"));
  record.seconds = 12.6;
  EXPECT_EQ(results({record, record})["execution_time"], 25);
}

TEST(GradescopeReport, TextOfASubmissionIsDisarmed) {
  Record record = won_record();
  record.items[0].status = Status::fail;
  record.items[0].message = "\x1b[2J\xff";
  expect_valid(results({record}));
  EXPECT_THAT(std::string(results({record})["tests"][0]["output"]), HasSubstr("?[2J?"));
}

}  // namespace
}  // namespace tessera
