#include "grader/report/github.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text.h"
#include "grader/lab/test_folder.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> commands(const std::vector<Record>& records) {
  return split_lines(github_commands(records, ""));
}

TEST(GithubCommands, StandAtTheLineWithWhatToDo) {
  const auto lines = commands({failed_record()});
  ASSERT_EQ(lines.size(), 4u) << testing::PrintToString(lines);
  EXPECT_EQ(lines[0],
            "::error file=labs/03-tiled/kernel.cu,line=23,col=2,title=03-tiled%3A race::"
            "As[3][5] is written by thread (5, 3, 0) and read by thread (0, 3, 0)%0A"
            "in case 2, also in case 3, 3,840 times%0Ahint: put __syncthreads() between the two");
  EXPECT_THAT(lines[1], StartsWith("::error file=labs/03-tiled/kernel.cu,title=03-tiled%3A "
                                   "wrong-result::C: 192 of 3,072 elements are wrong"));
  EXPECT_EQ(lines[2], "::notice title=Autograding complete::Points 30/70");
  EXPECT_EQ(lines[3], "::notice title=Autograding report::{\"totalPoints\":30,\"maxPoints\":70}");
}

TEST(GithubCommands, OfALabThatIsWonThereAreThePointsAlone) {
  const auto lines = commands({won_record()});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1], "::notice title=Autograding report::{\"totalPoints\":70,\"maxPoints\":70}");
}

Item item_with_message(Status status, const std::string& title) {
  Item item = sample_item("performance/1", title, status, 0, 10);
  item.message = "because of " + std::string(to_string(status));
  return item;
}

TEST(GithubCommands, ATimeoutIsAnErrorOurFaultAndAPartOfThePointsAreWarnings) {
  Record record = sample_record();
  record.items = {
      item_with_message(Status::partial, "speedup"), item_with_message(Status::infra, "time"),
      item_with_message(Status::timeout, "case"), item_with_message(Status::deferred, "gflops"),
      item_with_message(Status::skipped, "barriers")};
  const auto lines = commands({record});
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_THAT(lines[0], HasSubstr("::error file=labs/03-tiled/kernel.cu,title=03-tiled%3A case "
                                  "(timeout)::because of timeout"));
  EXPECT_THAT(lines[1], StartsWith("::warning "));
  EXPECT_THAT(lines[1], HasSubstr("speed-up (speedup) (partial)"));
  EXPECT_THAT(lines[2], StartsWith("::warning "));
  EXPECT_THAT(lines[2], HasSubstr("time (infra)"));
  EXPECT_THAT(lines[4], HasSubstr("\"maxPoints\":40}")) << "infra is not won, deferred is left out";
}

Record with_findings(const std::string& lab, int number, Severity severity) {
  Record record = sample_record();
  record.lab = lab;
  Item item = sample_item("correctness/1", "m=16", Status::fail, 0, 10);
  for (int i = 1; i <= number; ++i) {
    Finding finding;
    finding.kind = FindingKind::race;
    finding.severity = severity;
    finding.file = "kernel.cu";
    finding.line = i;
    finding.message = "a race in line " + std::to_string(i);
    item.findings.push_back(finding);
  }
  if (severity != Severity::error) item.status = Status::pass;
  record.items = {item};
  return record;
}

TEST(GithubCommands, AreErrorsFirstAndTheFirstOfEveryLabBeforeTheSecondOfAny) {
  const auto lines = commands({with_findings("01-warned", 3, Severity::warning),
                               with_findings("02-many", 30, Severity::error),
                               with_findings("03-few", 2, Severity::error)});
  ASSERT_EQ(lines.size(), 15u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_THAT(lines[i], StartsWith("::error "));
  EXPECT_THAT(lines[0], AllOf(HasSubstr("02-many"), HasSubstr("line=1,")));
  EXPECT_THAT(lines[1], AllOf(HasSubstr("03-few"), HasSubstr("line=1,")));
  EXPECT_THAT(lines[2], AllOf(HasSubstr("02-many"), HasSubstr("line=2,")));
  EXPECT_THAT(lines[3], AllOf(HasSubstr("03-few"), HasSubstr("line=2,")));
  EXPECT_THAT(lines[9], HasSubstr("02-many"));
  EXPECT_THAT(lines[10], AllOf(StartsWith("::warning "), HasSubstr("01-warned")));
}

TEST(GithubCommands, AreTenOfAKindAtMost) {
  const auto lines = commands({with_findings("01-warned", 11, Severity::warning),
                               with_findings("02-wrong", 11, Severity::error)});
  ASSERT_EQ(lines.size(), 22u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_THAT(lines[i], StartsWith("::error "));
  for (std::size_t i = 10; i < 20; ++i) EXPECT_THAT(lines[i], StartsWith("::warning "));
}

TEST(GithubCommands, NothingOfASubmissionIsACommandOrEndsOne) {
  Record record = with_findings("03-tiled", 1, Severity::error);
  record.path = "labs/a,b:c%/kernel.cu";
  record.items[0].findings[0].message = "100 %\r\n::warning::x\x1b[2J\xff";
  record.items[0].findings[0].hint = "\n::set-output name=a::b";
  const auto lines = commands({record});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "::error file=labs/a%2Cb%3Ac%25/kernel.cu,line=1,title=03-tiled%3A race::"
            "100 %25?%0A::warning::x?[2J?%0Ain case 1%0Ahint: %0A::set-output name=a::b");
}

TEST(GithubCommands, LongMessagesAreCut) {
  Record record = with_findings("03-tiled", 1, Severity::error);
  record.items[0].findings[0].message = std::string(100'000, 'x');
  EXPECT_LT(commands({record})[0].size(), 3000u);
}

TEST(GithubCommands, FilesAreNamedRelativeToTheRepository) {
  const TestFolder folder;
  folder.write("repository/labs/03-tiled/kernel.cu", "");
  folder.write("elsewhere/kernel.cu", "");
  std::filesystem::create_directory_symlink(folder.path() / "repository", folder.path() / "link");
  Record record = with_findings("03-tiled", 1, Severity::error);
  record.path = folder.path() / "link/labs/03-tiled/kernel.cu";
  const std::string inside = github_commands({record}, folder.path() / "repository");
  EXPECT_THAT(inside, StartsWith("::error file=labs/03-tiled/kernel.cu,line=1"));
  record.path = folder.path() / "elsewhere/kernel.cu";
  const std::string outside = github_commands({record}, folder.path() / "repository");
  EXPECT_THAT(outside, StartsWith("::error file=" + record.path));
}

TEST(GithubCommands, AHeaderOfTheKitIsNoFileOfTheRepository) {
  Record record = with_findings("03-tiled", 1, Severity::error);
  record.items[0].findings[0].file = "tessera/lab.cuh";
  EXPECT_THAT(commands({record})[0],
              StartsWith("::error title=03-tiled%3A race::tessera/lab.cuh:1: a race"));
}

TEST(GithubCommands, ASkeletonHasNoNotes) {
  Record record = failed_record();
  record.untouched = true;
  EXPECT_EQ(commands({record}).size(), 2u);
}

TEST(GithubCommands, WhereNothingWasMeasuredThereAreNoPoints) {
  Record record = sample_record();
  record.items = {item_with_message(Status::infra, "time")};
  EXPECT_EQ(commands({record}).size(), 1u);
  EXPECT_EQ(github_commands({}, ""), "");
}

TEST(GithubCommands, AMistakeInALabStandsAtItsPlace) {
  EXPECT_EQ(github_command({"labs/03-tiled/lab.yaml", 2, 1, "unknown key 'kernal'"}, ""),
            "::error file=labs/03-tiled/lab.yaml,line=2,col=1,title=tessera::unknown key "
            "'kernal'\n");
  EXPECT_EQ(github_command({"nowhere", 0, 0, "no such directory"}, ""),
            "::error title=tessera::nowhere: no such directory\n");
}

TEST(GithubSummary, HasATableWhatFailedAndWhatTheWordsMean) {
  EXPECT_EQ(github_summary({failed_record()}), R"(## 30 of 70 points

### 03-tiled: Tiled multiplication

30 of 70 points

| status | item | points |
|---|---|---:|
| pass | case 1: m=16 n=16 k=16 identity | 10 / 10 |
| **fail** | case 2: m=64 n=48 k=32 integers padding=8 | 0 / 20 |
| pass | case 3: m=128 n=96 k=160 uniform | 20 / 20 |
| **fail** | no out-of-bounds, misaligned, race | 0 / 10 |
| **skipped** | barriers at least 1 | 0 / 10 |

<pre>
  race  kernel.cu:23:2  in case 2, also in case 3  3,840 times
    As[3][5] is written by thread (5, 3, 0) and read by thread (0, 3, 0)
       23 |     As[ty][tx] = A(row, col);  // 행렬
          |     ^
    hint: put __syncthreads() between the two

  wrong-result  in case 2
    C: 192 of 3,072 elements are wrong: the last 3 columns. C[0][45] is 1.5, expected 2.25; this
    data leaves no room for rounding
    hint: This may come from the race in line 23: repair that first.

  the same inputs again: make grade LAB=03 ARGS='--seed 1234'
</pre>

- skipped: what the item depends on failed
)");
}

TEST(GithubSummary, DeferredIsExplainedAndCountedApart) {
  const std::string page = github_summary({won_record()});
  EXPECT_THAT(page, StartsWith("## 70 of 70 points, 20 deferred\n"));
  EXPECT_THAT(
      page,
      HasSubstr(
          "| deferred | speed-up over 01-naive, all points at 1.2 \\(speedup\\) | - / 20 |\n"));
  EXPECT_THAT(page, EndsWith("- deferred: this machine cannot measure it; the points are neither "
                             "won nor lost\n"));
  EXPECT_THAT(page, Not(HasSubstr("<pre>")));
}

TEST(GithubSummary, AnItemThatTheGraderFailedOnIsNotTheStudents) {
  Record record = won_record();
  record.items[1].status = Status::infra;
  record.items[1].points = 0;
  record.items[1].message = "the worker was killed";
  const std::string page = github_summary({record});
  EXPECT_THAT(page, StartsWith("## 45 of 45 points, 20 deferred, 25 not graded (the grader's "
                               "fault)\n"));
  EXPECT_THAT(page,
              AllOf(HasSubstr("| infra | hidden case 1 | - / 25 |"),
                    HasSubstr("the worker was killed"), HasSubstr("open until it is run again")));
}

TEST(GithubSummary, SeveralLabsHaveASectionEach) {
  Record skeleton = failed_record();
  skeleton.lab = "04-boundary-checked";
  skeleton.untouched = true;
  const std::string page = github_summary({won_record(), skeleton});
  EXPECT_THAT(page, StartsWith("## 100 of 140 points, 20 deferred\n"));
  EXPECT_THAT(page,
              HasSubstr("### 03-tiled: Tiled multiplication\n\n70 of 70 points, 20 deferred"));
  EXPECT_THAT(page, HasSubstr("Nothing written yet: open labs/04-boundary-checked/README.md.\n"));
  EXPECT_THAT(page, Not(HasSubstr("race  kernel.cu")));
}

TEST(GithubSummary, TextOfASubmissionStaysText) {
  Record record = failed_record();
  record.source[22] = "</pre><img src=x onerror=alert(1)> @everyone &lt; **bold**";
  record.items[0].title = "a | b **c** <script> [d](e) `f` \x1b[31m\xff\n# g";
  const std::string page = github_summary({record});
  EXPECT_THAT(page, HasSubstr("| pass | case 1: a \\| b \\*\\*c\\*\\* \\<script\\> "
                              "\\[d\\]\\(e\\) \\`f\\` ?\\[31m? \\# g | 10 / 10 |\n"));
  EXPECT_THAT(page, HasSubstr("&lt;/pre&gt;&lt;img src=x onerror=alert(1)&gt; @everyone &amp;lt;"));
}

TEST(GithubSummary, StaysBelowGithubsLimit) {
  Record large = failed_record();
  for (Item& item : large.items) item.title = std::string(30'000, 'x');
  const std::string page = github_summary(std::vector<Record>(40, large));
  EXPECT_LT(page.size(), 1'000'000u);
  EXPECT_THAT(page, HasSubstr("There was no room for more here."));
  EXPECT_THAT(page, EndsWith("- skipped: what the item depends on failed\n"));
}

}  // namespace
}  // namespace tessera
