// Formats that are folders: gradescope, feedback, html, jplag, dolos, compare50.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/export/output_folder.h"
#include "grader/gradebook/export/test_class.h"
#include "grader/gradebook/intake/csv.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::StartsWith;

namespace fs = std::filesystem;

class FolderExport : public ExportTest {
 protected:
  static ExportRequest request(ExportFormat format, const fs::path& into) {
    ExportRequest request;
    request.format = format;
    request.into = into;
    return request;
  }

  std::map<std::string, std::string> exported_files(ExportFormat format) const {
    ExportRequest wanted = request(format, out());
    wanted.labs = folder_.path() / "labs";
    fs::create_directories(wanted.labs / "03-tiled");
    folder_.write("labs/03-tiled/kernel.cu", "// YOUR CODE HERE\n");
    written(wanted);
    return files();
  }
};

using GradescopeExport = FolderExport;
using FeedbackExport = FolderExport;
using HtmlExport = FolderExport;
using SimilarityExport = FolderExport;

TEST_F(GradescopeExport, IsOneFileAStudentAndLab) {
  add_class();
  const auto found = exported_files(ExportFormat::gradescope);
  EXPECT_THAT(found,
              ElementsAre(Key("alee/03-tiled/results.json"), Key("ezoe/03-tiled/results.json"),
                          Key("jdoe/03-tiled/results.json"), Key("mroe/03-tiled/results.json")));
  const auto late = nlohmann::json::parse(found.at("mroe/03-tiled/results.json"));
  EXPECT_EQ(late["score"], 21);
  EXPECT_THAT(
      std::string(late["output"]),
      HasSubstr(
          "-9 points: late (handed in 2026-10-02 10:00 +00:00, due 2026-10-01 22:00 +00:00)"));
  EXPECT_EQ(nlohmann::json::parse(found.at("ezoe/03-tiled/results.json"))["score"], 0);
}

TEST_F(GradescopeExport, AFailureOfTheGraderWinsNothing) {
  add_class();
  const auto found = exported_files(ExportFormat::gradescope);
  const auto json = nlohmann::json::parse(found.at("alee/03-tiled/results.json"));
  EXPECT_EQ(json["score"], 45);
  EXPECT_THAT(std::string(json["output"]), StartsWith("Not a final mark: the grader failed in"));
}

TEST_F(FeedbackExport, LiesWhereTheSourceSystemLooksForIt) {
  add_class();
  EXPECT_THAT(
      exported_files(ExportFormat::feedback),
      ElementsAre(Key("Max Roe_17_assignsubmission_file/03-tiled.txt"), Key("alee/03-tiled.txt"),
                  Key("doejane_1234_98_kernel.cu"), Key("ezoe/03-tiled.txt")));
}

TEST_F(FeedbackExport, StartsWithTheMarkAndQuotesTheSource) {
  add_class();
  const std::string source = std::string(22, '\n') + "\tAs[ty][tx] = 1;\n";
  hand_in({bob_}, source);
  grade(source, failed_record());
  give_points_by_hand(bob_);
  const std::string text = exported_files(ExportFormat::feedback).at("bpoe/03-tiled.txt");
  EXPECT_THAT(text, StartsWith("Mark: 35 of 90 points\n"
                               "30 points won\n"
                               "+5 points by hand\n"
                               "Note: +5 by ta: explained it well\n"
                               "\n"
                               "03-tiled  Tiled multiplication\n"
                               "labs/03-tiled/kernel.cu, simulated NVIDIA H200"));
  EXPECT_THAT(text, HasSubstr("       23 |     As[ty][tx] = 1;\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\x1b")));
}

TEST_F(FeedbackExport, SaysWhatLateWorkCost) {
  const RowId kim = add_late_by_an_unknown_time();
  const auto text = [&] { return mark_text(all_marks().front(), course_); };
  EXPECT_THAT(text(), HasSubstr("\nLate, by an unknown time: no points were taken\n"));
  course_.late.unknown_days = 1;
  EXPECT_THAT(text(), HasSubstr("\n-9 points: late (by an unknown time, counted as 1 day late)\n"));
  set_late_days(kim, 2);
  EXPECT_THAT(text(), HasSubstr("\n-18 points: late (counted as 2 days late)\n"));
}

TEST_F(FeedbackExport, SaysThatTheGraderFailed) {
  add_class();
  EXPECT_THAT(exported_files(ExportFormat::feedback).at("alee/03-tiled.txt"),
              StartsWith("The grader failed; that is not your fault. It will be graded again."));
}

TEST_F(FeedbackExport, AGroupGetsOneTextIfItHasOnePlace) {
  const RowId kim = add({.name = "Moe, Kim", .login = "kim"});
  const RowId lou = add({.name = "Noe, Lou", .login = "lou"});
  hand_in({kim, lou}, "won\n", "moekim_1_2_kernel.cu");
  grade("won\n", won_record());
  const auto found = exported_files(ExportFormat::feedback);
  ASSERT_THAT(found, ElementsAre(Key("moekim_1_2_kernel.cu")));
  const std::string& text = found.begin()->second;
  EXPECT_EQ(text.find("Mark: 70"), text.rfind("Mark: 70"));
}

TEST_F(FeedbackExport, NamesCannotLeadOutOfTheFolder) {
  hand_in({add({.name = "Moe, Kim", .login = "../../kim"})}, "won\n",
          "../../etc/x_1_assignsubmission_file");
  hand_in({add({.name = "Noe, Lou", .login = ".."})}, "won\n");
  grade("won\n", won_record());
  EXPECT_THAT(exported_files(ExportFormat::feedback),
              ElementsAre(Key("_.._etc_x_1_assignsubmission_file/03-tiled.txt"),
                          Key("student-2/03-tiled.txt")));
}

TEST_F(FeedbackExport, AFolderThatIsNotEmptyOrALinkIsRefused) {
  add_class();
  fs::create_directories(out());
  fs::create_directory(folder_.path() / "elsewhere");
  fs::create_directory_symlink(folder_.path() / "elsewhere", out() / "x");
  for (const char* link : {"x", "x/"})
    EXPECT_FALSE(exported(request(ExportFormat::feedback, out() / link)));
  EXPECT_THAT(exported(request(ExportFormat::feedback, out())).error().message,
              HasSubstr("is not empty"));
  EXPECT_THAT(exported(request(ExportFormat::feedback, "")).error().message, HasSubstr("--into"));
}

TEST_F(HtmlExport, IsOnePageAStudentWithAllLabs) {
  add_class();
  add_second_lab();
  const auto found = exported_files(ExportFormat::html);
  EXPECT_THAT(found,
              ElementsAre(Key("alee.html"), Key("ezoe.html"), Key("jdoe.html"), Key("mroe.html")));
  EXPECT_THAT(found.at("mroe.html"), HasSubstr("<h1>Feedback on 2 labs for Roe, Max</h1>"));
  EXPECT_THAT(
      found.at("mroe.html"),
      HasSubstr(
          "-9 points: late (handed in 2026-10-02 10:00 +00:00, due 2026-10-01 22:00 +00:00)"));
  EXPECT_THAT(found.at("mroe.html"), HasSubstr("<td class=\"points\">21 of 90</td>"));
  EXPECT_THAT(found.at("mroe.html"), HasSubstr("<p class=\"mark\">Nothing was handed in.</p>"));
}

TEST_F(HtmlExport, OfOneLabLiesWhereTheSourceSystemLooksForIt) {
  add_class();
  ExportRequest wanted = request(ExportFormat::html, out());
  wanted.lab = "03-tiled";
  written(wanted);
  EXPECT_THAT(files(), ElementsAre(Key("Max Roe_17_assignsubmission_file/03-tiled.html"),
                                   Key("alee/03-tiled.html"), Key("doejane_1234_98_kernel.html"),
                                   Key("ezoe/03-tiled.html")));
}

TEST_F(HtmlExport, NamesAreText) {
  hand_in({add({.name = "<script>alert(1)</script>", .login = "\"><b>"})}, "won\n");
  grade("won\n", won_record());
  const auto found = exported_files(ExportFormat::html);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found.begin()->second, testing::Not(HasSubstr("<script")));
  EXPECT_THAT(found.begin()->second, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST_F(SimilarityExport, JplagHasADirectoryASubmissionAndTheSkeleton) {
  add_class();
  const auto found = exported_files(ExportFormat::jplag);
  EXPECT_THAT(found, ElementsAre(Key("03-tiled/skeleton/kernel.cpp"),
                                 Key("03-tiled/submissions/alee/kernel.cpp"),
                                 Key("03-tiled/submissions/jdoe/kernel.cpp"),
                                 Key("03-tiled/submissions/mroe/kernel.cpp"), Key("README.txt")));
  EXPECT_EQ(found.at("03-tiled/skeleton/kernel.cpp"), "// YOUR CODE HERE\n");
  EXPECT_EQ(found.at("03-tiled/submissions/jdoe/kernel.cpp"), "won\n");
  EXPECT_THAT(found.at("README.txt"), HasSubstr("-l cpp -p .cu,.cuh,.cpp,.h -bc skeleton\n"));
}

TEST_F(SimilarityExport, DolosHasATableOfFiles) {
  add_class();
  const auto found = exported_files(ExportFormat::dolos);
  const auto table = *read_csv(found.at("03-tiled/info.csv"), "info.csv");
  EXPECT_THAT(table[0], ElementsAre("filename", "label", "created_at", "full_name"));
  EXPECT_THAT(table[1], ElementsAre("students/jdoe/kernel.cpp", "CS101-A", "2026-10-01T21:00:00Z",
                                    "Doe, Jane"));
  for (std::size_t row = 1; row < table.size(); ++row)
    EXPECT_TRUE(found.contains("03-tiled/" + table[row][0]));
}

TEST_F(SimilarityExport, Compare50HasSubsAndSkeleton) {
  add_class();
  const auto found = exported_files(ExportFormat::compare50);
  EXPECT_TRUE(found.contains("03-tiled/subs/mroe/kernel.cpp"));
  EXPECT_THAT(found.at("README.txt"), HasSubstr("compare50 subs/* -d skeleton/*"));
}

TEST_F(SimilarityExport, AGroupIsOneSubmission) {
  const RowId kim = add({.name = "Moe, Kim", .login = "kim"});
  const RowId lou = add({.name = "Noe, Lou", .login = "lou"});
  hand_in({kim, lou}, "x");
  EXPECT_TRUE(
      exported_files(ExportFormat::jplag).contains("03-tiled/submissions/kim+lou/kernel.cpp"));
}

TEST(SafeName, IsAFileOnEverySystem) {
  EXPECT_EQ(safe_name("Jane Doe", "x"), "Jane Doe");
  EXPECT_EQ(safe_name("a/b\\c:d", "x"), "a_b_c_d");
  EXPECT_EQ(safe_name("..", "x"), "x");
  EXPECT_EQ(safe_name(".hidden. ", "x"), "hidden");
  EXPECT_EQ(safe_name("a\nb\x1b", "x"), "a_b_");
  EXPECT_EQ(safe_name("CON", "x"), "_CON");
  EXPECT_EQ(safe_name("com1.txt", "x"), "_com1.txt");
  EXPECT_EQ(safe_name("행렬", "x"), "행렬");
  EXPECT_EQ(safe_name(std::string(300, 'a'), "x").size(), 200u);
  EXPECT_EQ(safe_name("", "x"), "x");
}

TEST(FolderNames, NoStudentCanTakeTheNameThatAnotherGets) {
  BookStudent one{1, {}}, two{2, {}}, three{3, {}};
  one.identity.name = two.identity.name = "Wei Zhang";
  three.identity.name = ".Wei Zhang~2";
  EXPECT_EQ(
      folder_names({one, two, three}),
      (std::map<RowId, std::string>{{1, "Wei Zhang~1"}, {2, "Wei Zhang~2"}, {3, "Wei Zhang_2"}}));
}

TEST(FolderNames, AreDifferentForAllStudents) {
  BookStudent one{1, {}}, two{2, {}}, three{3, {}};
  one.identity.login = "Kim";
  two.identity.login = "kim";
  three.identity.name = "Lou";
  EXPECT_EQ(folder_names({one, two, three}),
            (std::map<RowId, std::string>{{1, "Kim~1"}, {2, "kim~2"}, {3, "Lou"}}));
}

TEST(OutputFolderWrite, NeitherReplacesAFileNorFollowsALink) {
  const TemporaryDirectory folder;
  const auto out = OutputFolder::open(folder.path() / "out");
  ASSERT_TRUE(out) << out.error().str();
  EXPECT_FALSE(out->write("a/b.txt", "1"));
  EXPECT_TRUE(out->write("a/b.txt", "2"));
  fs::create_directory_symlink(folder.path(), folder.path() / "out" / "link");
  fs::create_symlink(folder.path() / "target", folder.path() / "out" / "file");
  EXPECT_TRUE(out->write("link/x", "3"));
  EXPECT_TRUE(out->write("file", "4"));
  EXPECT_FALSE(fs::exists(folder.path() / "x"));
  EXPECT_FALSE(fs::exists(folder.path() / "target"));
}

}  // namespace
}  // namespace tessera
