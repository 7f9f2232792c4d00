// `tessera batch` and `tessera gradebook`, run as a TA runs them.
#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "common/sha256.h"
#include "common/text.h"
#include "grader/cli/test_program.h"
#include "grader/gradebook/book.h"
#include "grader/gradebook/intake/test_download.h"
#include "grader/gradebook/intake/test_file_size_limit.h"
#include "grader/gradebook/testing/made_up_class.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr const char* kLab = R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 20
  cases:
    - {m: 16, n: 16, k: 16, data: integers}
    - {m: 19, n: 13, k: 7, data: uniform}
)";

/// A kernel for kLab that begins with `head`.
std::string kernel(const std::string& head, const std::string& sum = "A(row, i) * B(i, column)") {
  return head + R"(
#include <tessera/lab.cuh>
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= C.height || column >= C.width) return;
  float sum = 0;
  for (int i = 0; i < A.width; ++i) sum += )" +
         sum + R"(;
  C(row, column) = sum;
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
}
)";
}

/// A line that makes a kernel unlike all others.
std::string own_line(int number) {
  return "constexpr int v = " + std::to_string(number) + ";";
}

class BatchCommand : public testing::Test {
 protected:
  BatchCommand() {
    folder_.write("labs/01-naive/lab.yaml", kLab);
    folder_.write("labs/03-tiled/lab.yaml", kLab);
    folder_.write("datasets/README.md", "");
  }

  ProgramResult run(std::vector<std::string> arguments) {
    return run_program(folder_, std::move(arguments));
  }
  ProgramResult batch(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"batch", "subs", "--gradebook", "book.sqlite", "--labs", "labs"});
    return run(std::move(more));
  }
  ProgramResult book(const std::string& what, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"gradebook", what, "--gradebook", "book.sqlite", "--labs", "labs"});
    return run(std::move(more));
  }

  void hand_in(const std::string& student, const std::string& lab, const std::string& source) {
    folder_.write("subs/" + student + "/" + lab + "/kernel.cu", source);
  }

  /// Ann and Cy right, with the same code; Bob wrong in one lab; Dee hands in what does not
  /// compile.
  void small_class() {
    for (const std::string lab : {"01-naive", "03-tiled"}) {
      hand_in("ann", lab, kernel("// ann"));
      hand_in(
          "bob", lab,
          lab == "01-naive" ? kernel("// bob", "B(i, column)") : kernel("constexpr int x = 1;"));
      hand_in("cy", lab, kernel("// cy\n// and more"));
    }
    hand_in("dee", "01-naive", "int x = ;");
  }

  /// "ann 01-naive" -> score, as exported.
  std::map<std::string, std::string> scores() {
    std::map<std::string, std::string> result;
    const ProgramResult exported = book("export", {"--format", "json"});
    EXPECT_EQ(exported.status, 0) << exported.err;
    const Json json = Json::parse(exported.out);
    for (const Json& mark : json["marks"]) {
      result[mark["student"]["login"].get<std::string>() + " " + mark["lab"].get<std::string>()] =
          mark["score"].dump();
    }
    return result;
  }

  /// Everything in the gradebook except times.
  std::string book_file() const { return (folder_.path() / "book.sqlite").string(); }

  /// An empty gradebook, in which each kernel gets the same seed every time.
  void begin_book() const {
    fs::remove(book_file());
    Book::open(book_file(), Book::Mode::create)->seed_key("the tests'");
  }

  std::uint64_t seed_of(const std::string& lab, const std::string& source) const {
    const Expected<Book> book = Book::open(book_file(), Book::Mode::read);
    const auto result = book->result(lab, sha256(source));
    return result ? Json::parse(result->record)["seed"].get<std::uint64_t>() : 0;
  }

  std::string contents() {
    Json json = Json::parse(book("export", {"--format", "json"}).out);
    return without_times(json).dump(1);
  }

  static Json without_times(const Json& json) {
    if (json.is_array()) {
      Json list = Json::array();
      for (const Json& element : json) list.push_back(without_times(element));
      return list;
    }
    if (!json.is_object()) return json;
    Json object = Json::object();
    for (const auto& [key, value] : json.items()) {
      // Which kernel was graded first decides whose run is shared; the time is no part of a mark.
      if (key != "graded_at" && key != "shared_from" && key != "run")
        object[key] = without_times(value);
    }
    return object;
  }

  TestFolder folder_;
};

TEST_F(BatchCommand, AClassEndsInAGradebook) {
  small_class();
  const ProgramResult result = batch();
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("plain: 4 submissions of 4 people with 7 kernels, 7 of them new"));
  EXPECT_THAT(result.out, HasSubstr("grading 7 kernels, 5 different ones"));
  EXPECT_THAT(result.out, HasSubstr("2 of them copied from an identical kernel"));
  const std::map<std::string, std::string> found = scores();
  EXPECT_EQ(found.at("ann 01-naive"), "20.0");
  EXPECT_EQ(found.at("bob 01-naive"), "0.0");
  EXPECT_EQ(found.at("bob 03-tiled"), "20.0");
  EXPECT_EQ(found.at("cy 03-tiled"), "20.0");
  EXPECT_EQ(found.at("dee 01-naive"), "0.0");
  EXPECT_EQ(found.at("dee 03-tiled"), "null");
}

TEST_F(BatchCommand, OneStudentsWorkAloneHasTheNameOfTheDownload) {
  folder_.write("jdoe/01-naive/kernel.cu", kernel("// jdoe"));
  const ProgramResult result =
      run({"batch", "jdoe", "--gradebook", "book.sqlite", "--labs", "labs"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("plain: 1 submission of 1 person with 1 kernel, 1 of them new"));
  EXPECT_THAT(result.out, HasSubstr("the whole download is taken for the work of 'jdoe'"));
  EXPECT_EQ(scores().at("jdoe 01-naive"), "20.0");
}

TEST_F(BatchCommand, ASecondRunGradesOnlyWhatIsNew) {
  small_class();
  batch();
  const std::string before = contents();
  EXPECT_THAT(batch().out, HasSubstr("nothing to grade"));
  EXPECT_EQ(contents(), before);
  hand_in("dee", "03-tiled", kernel("constexpr int y = 1;"));
  EXPECT_THAT(batch().out, HasSubstr("grading 1 kernels, 1 different ones"));
  EXPECT_EQ(scores().at("dee 03-tiled"), "20.0");
}

TEST_F(BatchCommand, ACopyOfWhatWasGradedIsNotRunAgain) {
  small_class();
  batch();
  hand_in("eve", "01-naive", kernel("// eve\n\n\n"));
  EXPECT_THAT(batch().out, HasSubstr("grading 1 kernels, 0 different ones"));
  EXPECT_EQ(scores().at("eve 01-naive"), "20.0");
}

TEST_F(BatchCommand, WhatDoesNotCompileStandsForNoOtherFile) {
  const auto is_copy = [&](const std::string& source) {
    const auto result =
        Book::open(book_file(), Book::Mode::read)->result("01-naive", sha256(source));
    EXPECT_TRUE(result) << source;
    return result && !result->shared_from.empty();
  };
  hand_in("ann", "01-naive", kernel("// ann"));
  hand_in("bob", "01-naive", kernel("// bob"));
  hand_in("cy", "01-naive", "int x = ;");
  hand_in("dee", "01-naive", "int x = ; // dee");
  batch();
  EXPECT_NE(is_copy(kernel("// ann")), is_copy(kernel("// bob")));
  hand_in("eve", "01-naive", "\n\nint x = ;");
  hand_in("fay", "01-naive", kernel("// fay"));
  EXPECT_THAT(batch().out, HasSubstr("grading 2 kernels"));
  EXPECT_TRUE(is_copy(kernel("// fay")));
  for (const char* source : {"int x = ;", "int x = ; // dee", "\n\nint x = ;"})
    EXPECT_FALSE(is_copy(source)) << source;
  EXPECT_EQ(scores().at("eve 01-naive"), "0.0");
}

TEST_F(BatchCommand, AChangedFileIsAnotherAttempt) {
  small_class();
  batch();
  hand_in("bob", "01-naive", kernel("// bob again"));
  batch();
  EXPECT_EQ(scores().at("bob 01-naive"), "20.0");
  EXPECT_THAT(book("show", {"--student", "bob"}).out, HasSubstr("attempt 2 of 2"));
}

TEST_F(BatchCommand, AnEditedLabIsRegradedOnlyOnRequest) {
  small_class();
  batch();
  std::string yaml = kLab;
  yaml.replace(yaml.find("points: 20"), 10, "points: 40");
  folder_.write("labs/03-tiled/lab.yaml", yaml);
  const ProgramResult again = batch();
  EXPECT_THAT(again.out, HasSubstr("3 results are of an earlier version of the lab"));
  EXPECT_EQ(scores().at("ann 03-tiled"), "20.0");
  const ProgramResult shown = book("regrade");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("20.0 /  20.0    40.0 /  40.0   +20.0"));
  EXPECT_THAT(shown.out, HasSubstr("3 results change, 0 stay"));
  EXPECT_EQ(scores().at("ann 03-tiled"), "20.0");
  const ProgramResult written = book("regrade", {"--yes"});
  EXPECT_THAT(written.out, Not(HasSubstr("grading")));  // it was done by the first one
  EXPECT_EQ(scores().at("ann 03-tiled"), "40.0");
  EXPECT_THAT(book("regrade").out, HasSubstr("all results are of the labs as they are now"));
}

TEST_F(BatchCommand, ARegradeOfOneLabNeedNotLower) {
  small_class();
  batch();
  std::string yaml = kLab;
  yaml.replace(yaml.find("points: 20"), 10, "points: 10");
  folder_.write("labs/01-naive/lab.yaml", yaml);
  folder_.write("labs/03-tiled/lab.yaml", yaml);
  EXPECT_THAT(book("regrade", {"--lab", "05"}).err, HasSubstr("the course has no such lab"));
  const ProgramResult kept = book("regrade", {"--lab", "03", "--never-lower", "--yes"});
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("3 results would be lower and stay as they are"));
  EXPECT_EQ(scores().at("ann 03-tiled"), "20.0");
  EXPECT_EQ(book("regrade", {"--lab", "03", "--yes"}).status, 0);
  EXPECT_EQ(scores().at("ann 03-tiled"), "10.0");
  EXPECT_EQ(scores().at("ann 01-naive"), "20.0");
}

TEST_F(BatchCommand, ADryRunWritesNothing) {
  small_class();
  const ProgramResult result = batch({"--dry-run"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("7 of the kernels would be graded, 5 different ones"));
  EXPECT_FALSE(fs::exists(folder_.path() / "book.sqlite"));
  batch();
  hand_in("eve", "01-naive", kernel("constexpr int e = 1;"));
  const std::string before = contents();
  EXPECT_THAT(batch({"--dry-run"}).out, HasSubstr("1 of the kernels would be graded"));
  EXPECT_EQ(contents(), before);
}

TEST_F(BatchCommand, WhatTheSimulatorCannotJudgeIsZeroAndListedUntilAPersonJudgesIt) {
  hand_in("ann", "01-naive", kernel("// ann"));
  hand_in("eve", "01-naive",
          kernel("",
                 "A(row, i) * B(i, column); asm volatile("
                 "\"cp.async.bulk.commit_group;\")"));
  const ProgramResult first = batch({"--backend", "simulator"});
  EXPECT_EQ(first.status, 0) << first.err << first.out;
  EXPECT_THAT(first.out, HasSubstr("1 kernel cannot be judged by the simulator"));
  EXPECT_THAT(first.out, HasSubstr("01-naive: eve/01-naive/kernel.cu"));
  EXPECT_EQ(scores().at("eve 01-naive"), "0.0");
  EXPECT_THAT(batch({"--backend", "simulator"}).out, HasSubstr("nothing to grade"));
  EXPECT_THAT(book("show").out, HasSubstr("0.0R"));
  EXPECT_THAT(book("export", {"--format", "csv"}).err, HasSubstr("the simulator cannot judge"));
  EXPECT_EQ(book("adjust", {"eve", "01", "0", "--reason", "looked at"}).status, 0);
  EXPECT_THAT(book("show").out, HasSubstr("0.0H"));
  EXPECT_THAT(book("export", {"--format", "csv"}).err, Not(HasSubstr("cannot judge")));
}

TEST_F(BatchCommand, AMarkIsChangedByHandWithAReason) {
  small_class();
  batch();
  const ProgramResult result = book("adjust", {"dee", "01", "7.5", "--reason", "a typing error"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("a typing error"));
  EXPECT_EQ(scores().at("dee 01-naive"), "7.5");
  for (const char* no_name : {"unknown", "de", ""})
    EXPECT_EQ(book("adjust", {no_name, "01", "5", "--reason", "x"}).status, 2) << no_name;
  const ProgramResult no_number = book("adjust", {"dee", "01", "nan", "--reason", "x"});
  EXPECT_EQ(no_number.status, 2);
  EXPECT_THAT(no_number.err, HasSubstr("POINTS is a number"));
  const ProgramResult more = book("adjust", {"dee", "01", "500", "--reason", "x"});
  EXPECT_EQ(more.status, 2);
  EXPECT_THAT(more.err,
              HasSubstr("500 points are more than 01-naive has, 20; nothing was changed"));
  EXPECT_EQ(scores().at("dee 01-naive"), "7.5");
}

TEST_F(BatchCommand, ABonusIsCalledABonus) {
  small_class();
  batch();
  EXPECT_EQ(scores().at("ann 01-naive"), "20.0");
  EXPECT_EQ(book("adjust", {"ann", "01", "5", "--reason", "x"}).status, 0);
  EXPECT_EQ(scores().at("ann 01-naive"), "20.0") << "no more than the lab has";
  const ProgramResult bonus = book("adjust", {"ann", "01", "5", "--bonus", "--reason", "x"});
  EXPECT_EQ(bonus.status, 0) << bonus.err;
  EXPECT_THAT(bonus.out, HasSubstr("+5.0 bonus"));
  EXPECT_EQ(scores().at("ann 01-naive"), "25.0");
  const ProgramResult days =
      book("adjust", {"ann", "01", "--late-days", "1", "--bonus", "--reason", "x"});
  EXPECT_EQ(days.status, 2);
  EXPECT_THAT(days.err, HasSubstr("--bonus goes with POINTS"));
}

TEST_F(BatchCommand, WorkThatIsLateByAnUnknownTimeIsListedUntilTheTimeIsSet) {
  folder_.write("labs/course.yaml", "title: T\nlabs: [{lab: 01-naive}]\nlate: {per_day: 10 %}\n");
  folder_.write("subs/annlee_101_9001_kernel.cu", kernel("// ann"));
  folder_.write("subs/evezoe_LATE_105_9005_kernel.cu", kernel("// ann"));
  const std::string warning = "1 submission is late by an unknown time (evezoe 01)";
  const ProgramResult first = batch({"--lab", "01"});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("\n1 of the kernels is the same, byte for byte, as another"));
  EXPECT_THAT(first.out, HasSubstr("\ngrading 1 kernels"));
  EXPECT_THAT(first.out, HasSubstr(warning));
  EXPECT_THAT(book("export", {"--format", "canvas"}).err, HasSubstr(warning));
  const ProgramResult said =
      book("adjust", {"evezoe", "01", "--late-days", "2", "--reason", "came on Saturday"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("20.0 points, -4.0 late"));
  EXPECT_THAT(said.out, HasSubstr("counted as 2 days late by"));
  EXPECT_THAT(book("export", {"--format", "canvas"}).err, Not(HasSubstr("unknown")));
  EXPECT_THAT(batch({"--lab", "01"}).out, Not(HasSubstr("unknown")));
}

TEST_F(BatchCommand, AnAdjustmentIsEitherPointsOrDays) {
  small_class();
  batch();
  const std::string expected = "give POINTS to add, or --late-days";
  EXPECT_THAT(book("adjust", {"dee", "01", "--reason", "x"}).err, HasSubstr(expected));
  const ProgramResult both =
      book("adjust", {"dee", "01", "5", "--late-days", "1", "--reason", "x"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr(expected));
  EXPECT_EQ(book("adjust", {"dee", "01", "--late-days", "-1", "--reason", "x"}).status, 2);
  const ProgramResult free = book("adjust", {"dee", "01", "--late-days", "1", "--reason", "x"});
  EXPECT_THAT(free.err, HasSubstr("note: the course takes no points for late work"));
}

TEST_F(BatchCommand, PointsThatWereNotMeasuredAreReportedAndScaled) {
  folder_.write("labs/01-naive/lab.yaml",
                std::string(kLab) +
                    "performance:\n  shape: {m: 64, n: 64, k: 64}\n  thresholds:\n"
                    "    - {metric: time_ms, full: 1, zero: 2, points: 5}\n");
  hand_in("ann", "01-naive", kernel("// ann"));
  batch({"--backend", "simulator"});
  const ProgramResult plain = book("export", {"--format", "csv"});
  EXPECT_THAT(plain.out, HasSubstr("20,0,20,25,graded"));
  EXPECT_THAT(plain.err, HasSubstr("1 mark lacks points that could not be measured"));
  const ProgramResult scaled = book("export", {"--format", "csv", "--scale-deferred"});
  EXPECT_THAT(scaled.out, HasSubstr("25,0,25,25,graded"));
  EXPECT_EQ(scaled.err, "");
}

TEST_F(BatchCommand, AChangedKernelMeetsOtherInputs) {
  const std::string first = kernel("// ann");
  const std::string with_table = kernel("__device__ const float table[] = {1};");
  hand_in("ann", "01-naive", first);
  batch();
  hand_in("ann", "01-naive", with_table);
  hand_in("bob", "01-naive", kernel("// bob"));
  batch();
  EXPECT_NE(seed_of("01-naive", with_table), seed_of("01-naive", first));
  EXPECT_EQ(seed_of("01-naive", kernel("// bob")), seed_of("01-naive", first));
}

TEST_F(BatchCommand, AKernelMeetsTheSameInputsWhenItIsGradedAgain) {
  const std::string source = kernel("// ann");
  hand_in("ann", "01-naive", source);
  batch();
  const std::uint64_t seed = seed_of("01-naive", source);
  folder_.write("labs/01-naive/lab.yaml", std::string(kLab) + "# edited\n");
  EXPECT_EQ(book("regrade", {"--yes"}).status, 0);
  EXPECT_EQ(seed_of("01-naive", source), seed);
}

TEST_F(BatchCommand, InputsOfAnotherGradebookCannotBePredicted) {
  const std::string source = kernel("// ann");
  hand_in("ann", "01-naive", source);
  batch();
  const std::uint64_t seed = seed_of("01-naive", source);
  fs::remove(folder_.path() / "book.sqlite");
  batch();
  EXPECT_NE(seed_of("01-naive", source), seed);
  EXPECT_EQ(batch({"--seed", "5"}).status, 2) << "a chosen seed is no secret";
}

TEST_F(BatchCommand, TheSeedOfAnOldGradebookDecidesNoMore) {
  const std::string graded = kernel("// ann");
  hand_in("ann", "01-naive", graded);
  batch();
  SQLite::Database(book_file(), SQLite::OPEN_READWRITE)
      .exec(
          "UPDATE setting SET name = 'seed', value = '77' WHERE name = 'seed_key';"
          "UPDATE result SET record = json_set(record, '$.seed', 77)");
  const std::string fresh = kernel(own_line(1));
  hand_in("bob", "01-naive", kernel("// a copy"));
  hand_in("cy", "01-naive", fresh);
  EXPECT_THAT(batch().out, HasSubstr("grading 2 kernels, 1 different ones"));
  EXPECT_EQ(seed_of("01-naive", graded), 77u) << "what was graded stays";
  EXPECT_EQ(seed_of("01-naive", kernel("// a copy")), 77u);
  EXPECT_NE(seed_of("01-naive", fresh), 77u);
}

TEST_F(BatchCommand, MistakesOnTheCommandLineAreNamed) {
  const ProgramResult nowhere = batch();
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("subs"));
  small_class();
  folder_.write("book.sqlite", "this is no gradebook, and it is not empty");
  const ProgramResult no_book = batch();
  EXPECT_EQ(no_book.status, 2);
  EXPECT_THAT(no_book.err, HasSubstr("book.sqlite"));
  EXPECT_EQ(*read_file(folder_.path() / "book.sqlite"),
            "this is no gradebook, and it is not empty");
  EXPECT_EQ(run({"gradebook", "show", "--gradebook", "none.sqlite"}).status, 2);
  EXPECT_EQ(batch({"--format", "blackboard"}).status, 2);
  EXPECT_EQ(batch({"--lab", "9"}).status, 2);
}

TEST_F(BatchCommand, AReportIsOneFileOnTheClass) {
  small_class();
  batch();
  const ProgramResult named = book("report", {"--out", "class.html"});
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_EQ(named.out, "");
  EXPECT_THAT(named.err, HasSubstr("written to class.html: 4 students, 2 labs"));
  const std::string page = *read_file(folder_.path() / "class.html");
  for (const char* name : {">ann<", ">bob<", ">cy<", ">dee<", "01-naive", "03-tiled"})
    EXPECT_THAT(page, HasSubstr(name));
  EXPECT_EQ(book("report", {"--lab", "03", "--out", "lab.html"}).status, 0);
  EXPECT_THAT(*read_file(folder_.path() / "lab.html"), Not(HasSubstr("01-naive")));
}

TEST_F(BatchCommand, AReportWithoutNamesKeepsItsPseudonyms) {
  small_class();
  batch();
  std::vector<std::string> pages;
  for (const char* file : {"one.html", "two.html"}) {
    EXPECT_EQ(book("report", {"--anonymous", "--out", file}).status, 0);
    std::string page = *read_file(folder_.path() / file);
    for (const char* name : {"ann", "bob", "cy", "dee"})
      EXPECT_THAT(page, Not(HasSubstr(">" + std::string(name) + "<"))) << name;
    pages.push_back(page.substr(page.find("<main")));
  }
  EXPECT_EQ(pages[0], pages[1]);
}

TEST_F(BatchCommand, AReportOverwritesNoGradebook) {
  small_class();
  batch();
  const std::string before = contents();
  const ProgramResult refused = book("report", {"--out", "book.sqlite"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("is the gradebook; name another file"));
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(book("report", {"--lab", "09"}).status, 2);
  EXPECT_EQ(book("report", {"--out", "nowhere/class.html"}).status, 3);
}

TEST_F(BatchCommand, TwoBatchesOnOneGradebookAtOnceAreSafe) {
  small_class();
  for (int i = 0; i < 6; ++i) hand_in("s" + std::to_string(i), "01-naive", kernel(own_line(i)));
  const TestFolder elsewhere;  // for the output of the other one
  begin_book();
  const RunningProgram other(
      elsewhere, {"batch", (folder_.path() / "subs").string(), "--gradebook", book_file(), "--labs",
                  (folder_.path() / "labs").string()});
  const ProgramResult mine = batch();
  const ProgramResult theirs = other.wait();
  EXPECT_EQ(mine.status, 0) << mine.err;
  EXPECT_EQ(theirs.status, 0) << theirs.err;
  const std::string both = contents();
  begin_book();
  batch();
  EXPECT_EQ(contents(), both);
}

TEST_F(BatchCommand, KilledAtAnyMomentItGoesOnWhereItStopped) {
  small_class();
  for (int i = 0; i < 8; ++i) hand_in("s" + std::to_string(i), "03-tiled", kernel(own_line(i)));
  begin_book();
  batch();
  const std::string undisturbed = contents();
  begin_book();
  const std::uint64_t seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int kills = 0; kills < 5; ++kills) {
    const RunningProgram program(folder_,
                                 {"batch", "subs", "--gradebook", "book.sqlite", "--labs", "labs"});
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
    program.kill_now();
    program.wait();
  }
  EXPECT_EQ(batch().status, 0);
  EXPECT_EQ(contents(), undisturbed) << "seed " << seed;
}

TEST_F(BatchCommand, ControlCSaysHowToGoOn) {
  for (int i = 0; i < 40; ++i) hand_in("s" + std::to_string(i), "03-tiled", kernel(own_line(i)));
  const RunningProgram program(
      folder_, {"batch", "subs", "--gradebook", "book.sqlite", "--labs", "labs", "--jobs", "1"});
  EXPECT_TRUE(program.prints("grading 40"));
  program.interrupt();
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.status, 130);
  EXPECT_THAT(result.err, HasSubstr("of 40 results are in the gradebook"));
  EXPECT_EQ(batch().status, 0);
  EXPECT_EQ(scores().at("s39 03-tiled"), "20.0");
}

/// TMPDIR of the programs that a test starts.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& folder) {
    if (const char* value = getenv("TMPDIR")) before_ = value;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryFolder() {
    if (before_.empty()) {
      unsetenv("TMPDIR");
    } else {
      setenv("TMPDIR", before_.c_str(), 1);
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

 private:
  std::string before_;
};

TEST_F(BatchCommand, AnArchiveWithoutRoomIsOurFaultAndTriedAgain) {
  constexpr std::size_t kFileBytes = 900'000;
  hand_in("ann", "01-naive", kernel(""));
  {
    TestArchive archive(folder_.path() / "subs" / "bob.zip");
    archive.file("01-naive/kernel.cu", kernel(own_line(1)));
    archive.file("notes.txt", std::string(kFileBytes, 'x'));
  }
  {
    const FileSizeLimit full_disk(kFileBytes - 1);
    const ProgramResult result = batch();
    EXPECT_EQ(result.status, 3) << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr("this machine could not read 1 submission; the same command "
                                      "tries again"));
    EXPECT_THAT(result.err, HasSubstr("bob.zip"));
    EXPECT_EQ(batch({"--dry-run"}).status, 3);
  }
  EXPECT_EQ(scores().at("ann 01-naive"), "20.0");
  EXPECT_EQ(scores().count("bob 01-naive"), 0u);
  const ProgramResult again = batch();
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(scores().at("bob 01-naive"), "20.0");
}

/// A search path without bwrap, while it lives.
class NoBubblewrap {
 public:
  NoBubblewrap() : path_(getenv("PATH")) { setenv("PATH", "/nonexistent", 1); }
  ~NoBubblewrap() { setenv("PATH", path_.c_str(), 1); }

 private:
  std::string path_;
};

TEST_F(BatchCommand, WithoutASandboxNothingIsGraded) {
  hand_in("ann", "01-naive", kernel("// ann"));
  const NoBubblewrap here;
  const ProgramResult result = batch();
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("--accept-no-isolation"));
  EXPECT_FALSE(fs::exists(folder_.path() / "book.sqlite"));
}

TEST_F(BatchCommand, GradingWithoutASandboxIsAskedForAndRecorded) {
  hand_in("ann", "01-naive", kernel("// ann"));
  const NoBubblewrap here;
  EXPECT_EQ(batch({"--accept-no-isolation"}).status, 0);
  const ProgramResult shown = run(
      {"gradebook", "export", "--gradebook", "book.sqlite", "--labs", "labs", "--format", "json"});
  EXPECT_THAT(shown.out, HasSubstr("\"limits\""));
}

TEST_F(BatchCommand, TooFewDescriptorsAreNoWayAroundTheSandbox) {
  hand_in("ann", "01-naive", kernel("// ann"));
  const auto status = [&](const std::string& limit) {
    return std::system(("cd '" + folder_.path().string() + "' && ulimit " + limit +
                        " && TESSERA_CACHE=cache '" TESSERA_PROGRAM
                        "' batch subs --gradebook book.sqlite --labs labs "
                        "--backend simulator --jobs 2 > out.txt 2> err.txt")
                           .c_str());
  };
  EXPECT_EQ(WEXITSTATUS(status("-n 24")), 3);
  const std::string said = *read_file(folder_.path() / "err.txt");
  EXPECT_THAT(said, HasSubstr("2 gradings at a time need 44 open files"));
  EXPECT_THAT(said, HasSubstr("this shell allows 24"));
  EXPECT_FALSE(fs::exists(folder_.path() / "book.sqlite"));
  // A soft limit does not count if the hard one allows more.
  EXPECT_EQ(WEXITSTATUS(status("-S -n 24")), 0) << *read_file(folder_.path() / "err.txt");
}

TEST_F(BatchCommand, AMissingTemporaryFolderIsNamed) {
  small_class();
  const TemporaryFolder missing("/nonexistent");
  const ProgramResult result = batch();
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("tessera: TMPDIR is '/nonexistent', which is no folder"));
}

TEST_F(BatchCommand, RemovesWhatAKilledOneLeftInTheTemporaryFolder) {
  hand_in("ann", "01-naive", kernel("", "1.0f; for (;;) sum += 1.0f"));
  const fs::path scratch = folder_.path() / "scratch";
  fs::create_directory(scratch);
  const TemporaryFolder temporary(scratch);
  const RunningProgram killed(folder_,
                              {"batch", "subs", "--gradebook", "book.sqlite", "--labs", "labs"});
  ASSERT_TRUE(killed.prints("grading 1 kernels"));
  killed.kill_now();
  killed.wait();
  ASSERT_FALSE(fs::is_empty(scratch));
  hand_in("ann", "01-naive", kernel(""));
  const auto nothing_runs = [&] {
    return batch({"--dry-run"}).status == 0 && fs::is_empty(scratch);
  };
  bool empty = nothing_runs();
  // The sandbox of the killed program may take a moment to end.
  for (int i = 0; i < 100 && !empty; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    empty = nothing_runs();
  }
  EXPECT_TRUE(empty);
}

// The whole of hostile_submissions() with two ordinary students, in Canvas' layout, for the kit's
// own labs.
TEST(Batch, HostileSubmissionsEndAsTheirOwnRows) {
  const TestFolder folder;
  const fs::path subs = folder.path() / "subs";
  fs::create_directories(subs);
  ClassRequest request;
  request.kit = TESSERA_SOURCE_DIR;
  request.students = 2;
  request.hostile = true;
  const int students = write_class(request, subs);
  // 200 MB that take no room on the disk.
  folder.write("subs/giant_9999_59999_03-tiled.cu", "int x;");
  fs::resize_file(subs / "giant_9999_59999_03-tiled.cu", std::uintmax_t{200} << 20);
  const std::string labs = std::string(TESSERA_SOURCE_DIR) + "/labs";
  const ProgramResult result = run_program(
      folder, {"batch", "subs", "--gradebook", "book.sqlite", "--labs", labs, "--timeout", "8"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  const ProgramResult exported =
      run_program(folder, {"gradebook", "export", "--gradebook", "book.sqlite", "--labs", labs,
                           "--format", "json", "--lab", "03"});
  ASSERT_EQ(exported.status, 0) << exported.err;
  std::map<std::string, std::string> became;  // by student
  const Json json = Json::parse(exported.out);
  for (const Json& mark : json["marks"]) {
    const std::string state = mark["state"].get<std::string>();
    became[mark["student"]["name"].get<std::string>()] =
        state == "graded" ? mark["record"]["items"][0]["status"].get<std::string>() : state;
  }
  EXPECT_EQ(became.size(), static_cast<std::size_t>(students) + 1);
  for (const HostileSubmission& hostile : hostile_submissions()) {
    std::string name = hostile.name;
    std::ranges::replace(name, '/', '|');
    EXPECT_THAT(became, testing::Contains(testing::Key(name)));
    // A compiler that a bomb keeps busy may reach its own limit first, or the worker's.
    const bool either =
        hostile.expected == "error" && became[name] == "timeout" && name.find("bomb") != name.npos;
    EXPECT_TRUE(either || became[name] == hostile.expected)
        << name << " became " << became[name] << ", expected " << hostile.expected;
  }
  EXPECT_EQ(became["giant"], "ungradable");
  EXPECT_FALSE(fs::exists("/tmp/kernel.cu"));
}

}  // namespace
}  // namespace tessera
