#include "grader/gradebook/intake/lab_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kCourseLabs = {"01-naive", "03-tiled", "10-tiled", "12-two-level"};

Submission submission(const std::vector<std::string>& paths) {
  Submission submission;
  for (const std::string& path : paths) {
    submission.files.push_back({.path = path, .content = "content of " + path});
  }
  return submission;
}

/// "03-tiled <- a/kernel.cu" for each lab; the problem in place of a path.
std::vector<std::string> files(const Submission& submission,
                               const std::optional<std::string>& only = std::nullopt) {
  std::vector<std::string> texts;
  for (const LabFile& file : lab_files(submission, kCourseLabs, only)) {
    texts.push_back(file.lab + " <- " + (file.problem.empty() ? file.path : file.problem));
  }
  return texts;
}

TEST(LabFiles, AFolderNamesTheLab) {
  const auto found = lab_files(submission({"03-tiled/kernel.cu"}), kCourseLabs, std::nullopt);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].lab, "03-tiled");
  EXPECT_EQ(found[0].path, "03-tiled/kernel.cu");
  EXPECT_EQ(found[0].content, "content of 03-tiled/kernel.cu");
  EXPECT_EQ(found[0].problem, "");
}

TEST(LabFiles, WordsAreUnderstoodAsTheCommandLineUnderstandsThem) {
  for (const char* path :
       {"3/x.cu", "lab 3/Kernel.CU", "Lab03/x.cu", "lab_3-tiled/x.cu", "03.cu", "lab3.cu",
        "home/03-tiled.zip/src/x.cu", "03-1.cu", "03-tiled-2.zip/x.cu", "LAB 03/1-my.cu"}) {
    EXPECT_THAT(files(submission({path})), ElementsAre("03-tiled <- " + std::string(path)));
  }
  EXPECT_THAT(files(submission({"naive.cu"})), ElementsAre("01-naive <- naive.cu"));
  EXPECT_THAT(files(submission({"two level/x.cu"})), ElementsAre("12-two-level <- two level/x.cu"));
}

TEST(LabFiles, SeveralLabsComeInTheirOrder) {
  EXPECT_THAT(files(submission({"12/kernel.cu", "labs/01-naive/kernel.cu", "readme.cu"})),
              ElementsAre("01-naive <- labs/01-naive/kernel.cu", "12-two-level <- 12/kernel.cu"));
}

TEST(LabFiles, TheInnermostFolderCountsBeforeTheFilesName) {
  EXPECT_THAT(files(submission({"01-naive/03-tiled/kernel.cu"})),
              ElementsAre("03-tiled <- 01-naive/03-tiled/kernel.cu"));
  EXPECT_THAT(files(submission({"03-tiled/naive.cu"})),
              ElementsAre("03-tiled <- 03-tiled/naive.cu"));
}

TEST(LabFiles, OfTwoTheKernelNearestToTheRootCounts) {
  EXPECT_THAT(files(submission({"03/helper.cu", "03/kernel.cu", "03/old/kernel.cu"})),
              ElementsAre("03-tiled <- 03/kernel.cu"));
  EXPECT_THAT(files(submission({"03/a.cu", "03/b.cu", "03/c.cu"})),
              ElementsAre("03-tiled <- '03/a.cu' and '03/b.cu' (and 1 more) could both be meant; "
                          "leave one, called kernel.cu"));
  EXPECT_THAT(files(submission({"03/kernel-1.cu", "03/kernel.cu"})),
              ElementsAre(HasSubstr("could both be meant")));
}

TEST(LabFiles, WithOneLabALoneFileOrTheKernelBelongsToIt) {
  EXPECT_THAT(files(submission({"my solution.cu"}), "03-tiled"),
              ElementsAre("03-tiled <- my solution.cu"));
  EXPECT_THAT(files(submission({"kernel-1.cu"}), "03-tiled"),
              ElementsAre("03-tiled <- kernel-1.cu"));
  EXPECT_THAT(files(submission({"src/helper.cu", "src/kernel.cu"}), "03-tiled"),
              ElementsAre("03-tiled <- src/kernel.cu"));
  EXPECT_THAT(files(submission({"01/kernel.cu", "3/kernel.cu", "kernel.cu"}), "03-tiled"),
              ElementsAre("03-tiled <- 3/kernel.cu"));
}

TEST(LabFiles, WithOneLabNothingElseIsTaken) {
  EXPECT_THAT(
      files(submission({"01-naive/kernel.cu"}), "03-tiled"),
      ElementsAre("03-tiled <- nothing for this lab among 01-naive/kernel.cu; name its file "
                  "kernel.cu, or its folder 03-tiled"));
  EXPECT_THAT(files(submission({"a.cu", "b.cu"}), "03-tiled"),
              ElementsAre(HasSubstr("nothing for this lab among a.cu, b.cu")));
}

TEST(LabFiles, SayWhyThereIsNone) {
  EXPECT_THAT(files(submission({})), ElementsAre(" <- no files"));
  EXPECT_THAT(files(submission({"readme.txt"}), "03-tiled"),
              ElementsAre("03-tiled <- no .cu file among 1 file, the first is readme.txt"));
  EXPECT_THAT(files(submission({"03/Kernel.txt"})),
              ElementsAre("03-tiled <- 03/Kernel.txt: rename it kernel.cu if it is the one"));
  EXPECT_THAT(files(submission({"Kernel.txt"})),
              ElementsAre(" <- no .cu file; Kernel.txt: rename it kernel.cu if it is the one"));
  EXPECT_THAT(files(submission({"kernel.cu"})), ElementsAre(HasSubstr("use --lab")));
  EXPECT_THAT(files(submission({"tiled.cu"})), ElementsAre(HasSubstr("no lab is named by")));
}

TEST(LabFiles, AFileThatWasMeantForALabIsItsProblem) {
  EXPECT_THAT(files(submission({"01-naive/kernel.cu", "03-tiled/kernel.txt"})),
              ElementsAre("01-naive <- 01-naive/kernel.cu",
                          "03-tiled <- 03-tiled/kernel.txt: rename it kernel.cu if it is the one"));
  EXPECT_THAT(files(submission({"03-tiled.cpp"})),
              ElementsAre("03-tiled <- 03-tiled.cpp: rename it kernel.cu if it is the one"));
  EXPECT_THAT(files(submission({"01-naive/kernel.cu", "03-tiled/notes.txt"})),
              ElementsAre("01-naive <- 01-naive/kernel.cu"));
  Submission broken;
  broken.problem = "03-tiled.zip: is empty";
  broken.files = {{.path = "03-tiled.zip", .problem = "is empty"}};
  EXPECT_THAT(files(broken), ElementsAre("03-tiled <- 03-tiled.zip: is empty"));
}

TEST(LabFiles, ProblemsOfFilesAndSubmissionsStay) {
  Submission made = submission({"readme.txt", "work.zip"});
  made.files[1].problem = "the archive is broken";
  EXPECT_THAT(files(made), ElementsAre(" <- no .cu file; work.zip: the archive is broken"));
  made = submission({"03/kernel.cu", "a\nb.txt"});
  made.files[0].problem = "a link";
  EXPECT_THAT(files(made), ElementsAre("03-tiled <- 03/kernel.cu: a link"));
  made.problem = "its name does not say whose it is";
  EXPECT_THAT(files(made), ElementsAre("03-tiled <- its name does not say whose it is"));
}

}  // namespace
}  // namespace tessera
