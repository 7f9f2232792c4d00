#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Submission> canvas(const TestFolder& folder) {
  return submissions_in(folder.path(), SourceFormat::canvas);
}

TEST(CanvasImport, AFileIsASubmissionOfItsUser) {
  const TestFolder folder;
  folder.write("doejane_1234_98_kernel.cu", "kernel");
  const auto submissions = canvas(folder);
  ASSERT_EQ(submissions.size(), 1u);
  const Submission& submission = submissions.front();
  ASSERT_EQ(submission.people.size(), 1u);
  EXPECT_EQ(submission.people.front().name, "doejane");
  EXPECT_EQ(submission.people.front().canvas_id, "1234");
  EXPECT_EQ(submission.origin, "doejane_1234_98_kernel.cu");
  EXPECT_EQ(submission.feedback_name, "doejane_1234_98_kernel.cu");
  EXPECT_FALSE(submission.late);
  EXPECT_THAT(files_of(submission), ElementsAre("kernel.cu"));
  EXPECT_EQ(submission.files.front().content, "kernel");
}

TEST(CanvasImport, ALateResubmissionIsOneSubmission) {
  const TestFolder folder;
  folder.write("doejane_LATE_1234_98_kernel-1.cu", "second");
  const auto submissions = canvas(folder);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_TRUE(submissions[0].late);
  EXPECT_EQ(submissions[0].people[0].canvas_id, "1234");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel-1.cu"));
}

TEST(CanvasImport, SeveralFilesOfAUserAreOneSubmission) {
  const TestFolder folder;
  folder.write("doejane_1234_101_readme.txt", "x");
  folder.write("doejane_1234_98_kernel.cu", "x");
  folder.write("roejim_77_99_kernel.cu", "x");
  const auto submissions = canvas(folder);
  EXPECT_THAT(origins_of(submissions),
              ElementsAre("doejane_1234_98_kernel.cu", "roejim_77_99_kernel.cu"));
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel.cu", "readme.txt"));
}

TEST(CanvasImport, AnonymousUsersKeepTheirId) {
  const TestFolder folder;
  folder.write("anon_x7Kq2_98_12_kernel.cu", "x");
  folder.write("LATE_anon_b2_99_kernel.cu", "x");
  const auto submissions = canvas(folder);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_EQ(submissions[0].people[0].canvas_id, "anon_b2");
  EXPECT_TRUE(submissions[0].late);
  EXPECT_EQ(submissions[1].people[0].canvas_id, "anon_x7Kq2");
  EXPECT_THAT(files_of(submissions[1]), ElementsAre("12_kernel.cu"));
}

TEST(CanvasImport, WhatAStudentCallsAFileDoesNotChangeWhoseItIs) {
  const TestFolder folder;
  folder.write("doejane_1234_98_LATE_777_5_kernel.cu", "x");
  folder.write("007_1235_98_12_kernel.cu", "x");
  const auto submissions = canvas(folder);
  EXPECT_EQ(submissions[0].people[0].canvas_id, "1235");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("12_kernel.cu"));
  EXPECT_EQ(submissions[1].people[0].canvas_id, "1234");
  EXPECT_FALSE(submissions[1].late);
}

TEST(CanvasImport, AnArchiveOfAStudentIsUnpackedUnderItsName) {
  const TestFolder folder;
  { TestArchive(folder.path() / "doejane_1234_98_03-tiled.zip").file("src/kernel.cu", "x"); }
  EXPECT_THAT(files_of(canvas(folder)[0]), ElementsAre("03-tiled.zip/src/kernel.cu"));
}

TEST(CanvasImport, ReadsTheZipAsItWasDownloaded) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "submissions.zip");
    archive.file("roejim_77_99_kernel.cu", "x");
    archive.file("doejane_1234_98_kernel.cu", "x");
    archive.link("evil_666_97_kernel.cu", "/etc/passwd");
  }
  const auto submissions = submissions_in(folder.path() / "submissions.zip", SourceFormat::canvas);
  EXPECT_THAT(
      origins_of(submissions),
      ElementsAre("doejane_1234_98_kernel.cu", "evil_666_97_kernel.cu", "roejim_77_99_kernel.cu"));
  EXPECT_EQ(submissions[1].people[0].canvas_id, "666");
  EXPECT_EQ(submissions[1].problem, "kernel.cu: a link");
}

TEST(CanvasImport, TwoOfOneNameAreMarked) {
  const TestFolder folder;
  folder.write("doejane_1234_98_kernel.cu", "x");
  folder.write("doejane_1235_99_kernel.cu", "x");
  folder.write("roejim_77_97_kernel.cu", "x");
  const auto submissions = canvas(folder);
  ASSERT_EQ(submissions.size(), 3u);
  EXPECT_THAT(submissions[0].shared_names.at("doejane"),
              ElementsAre("doejane_1234_98_kernel.cu", "doejane_1235_99_kernel.cu"));
  EXPECT_TRUE(submissions[1].shared_names.contains("doejane"));
  EXPECT_TRUE(submissions[2].shared_names.empty());
}

TEST(CanvasImport, AnAnswerTypedIntoCanvasIsNotLost) {
  const TestFolder folder;
  folder.write("doejane_1234_text.html", "x");
  EXPECT_EQ(canvas(folder)[0].people[0].canvas_id, "1234");
}

TEST(CanvasImport, AFileWithoutAnOwnerIsShownAndStaffFilesAreNot) {
  const TestFolder folder;
  folder.write("doejane_1234_98_kernel.cu", "x");
  folder.write("kernel of jim.cu", "x");
  folder.write("grades.csv", "x");
  folder.write("roejim_77_99_kernel.cu", "x");
  const auto submissions = canvas(folder);
  ASSERT_EQ(submissions.size(), 3u);
  EXPECT_EQ(submissions[1].origin, "kernel of jim.cu");
  EXPECT_THAT(submissions[1].problem, HasSubstr("does not say whose it is"));
}

}  // namespace
}  // namespace tessera
