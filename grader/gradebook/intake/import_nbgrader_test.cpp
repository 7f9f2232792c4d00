#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NbgraderImport, AStudentsAssignmentIsASubmission) {
  const TestFolder folder;
  folder.write("submitted/jdoe/lab3/kernel.cu", "x");
  folder.write("submitted/jdoe/lab3/timestamp.txt", "2026-10-01 21:59:03.948203 UTC\n");
  folder.write("submitted/jdoe/lab10/kernel.cu", "x");
  folder.write("submitted/jdoe/lab10/timestamp.txt", "yesterday");
  folder.write("source/lab3/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::nbgrader);
  EXPECT_THAT(origins_of(submissions), ElementsAre("jdoe/lab3", "jdoe/lab10"));
  EXPECT_EQ(submissions[0].people[0].login, "jdoe");
  EXPECT_EQ(submissions[0].assignment, "lab3");
  EXPECT_EQ(submissions[0].submitted_at, "2026-10-01T21:59:03Z");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel.cu"));
  EXPECT_EQ(submissions[1].submitted_at, "");
}

TEST(NbgraderImport, IsRecognisedFromInside) {
  const TestFolder folder;
  folder.write("submitted/jdoe/lab3/kernel.cu", "x");
  folder.write("renamed/jdoe/lab3/timestamp.txt", "");
  folder.write("renamed/jdoe/lab3/kernel.cu", "x");
  EXPECT_THAT(origins_of(submissions_in(folder.path() / "submitted", SourceFormat::nbgrader)),
              ElementsAre("jdoe/lab3"));
  EXPECT_THAT(origins_of(submissions_in(folder.path() / "renamed", SourceFormat::nbgrader)),
              ElementsAre("jdoe/lab3"));
}

TEST(NbgraderImport, AFileOutsideAnAssignmentIsShown) {
  const TestFolder folder;
  folder.write("submitted/jdoe/lab3/kernel.cu", "x");
  folder.write("submitted/jroe/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::nbgrader);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_EQ(submissions[1].people[0].login, "jroe");
  EXPECT_THAT(submissions[1].problem, HasSubstr("not in an assignment's folder"));
}

TEST(NbgraderImport, AnEmptyAssignmentIsASubmissionWithAProblem) {
  const TestFolder folder;
  folder.write("submitted/jdoe/lab3/timestamp.txt", "2026-10-01 21:59:03 UTC");
  const auto submissions = submissions_in(folder.path(), SourceFormat::nbgrader);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_EQ(submissions[0].problem, "no files");
}

TEST(NbgraderImport, AStudentWhoseFolderHasTheCoursesNameIsAStudent) {
  for (const char* name : {"submitted", "handin"}) {
    const TestFolder folder;
    folder.write("alice/03-tiled.cu", "alice's");
    folder.write("bob/03-tiled.cu", "bob's");
    folder.write(std::string(name) + "/alice/03-tiled/kernel.cu", "not alice's");
    folder.write(std::string(name) + "/alice/03-tiled/timestamp.txt", "2026-10-01 21:59:03 UTC");
    folder.write(std::string(name) + "/bob@x.edu_9_03-tiled.cu", "not bob's");
    EXPECT_EQ(submissions_in(folder.path(), SourceFormat::plain).size(), 3u) << name;
  }
}

}  // namespace
}  // namespace tessera
