#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(AutolabImport, EveryVersionIsAnAttemptTheNewestLast) {
  const TestFolder folder;
  folder.write("jane_doe@cs.x.edu_10_kernel.cu", "ten");
  folder.write("jane_doe@cs.x.edu_2_kernel.cu", "two");
  const auto submissions = submissions_in(folder.path(), SourceFormat::autolab);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_EQ(submissions[0].attempt, 2);
  EXPECT_EQ(submissions[1].attempt, 10);
  EXPECT_EQ(submissions[1].people[0].email, "jane_doe@cs.x.edu");
  EXPECT_EQ(submissions[1].files[0].content, "ten");
  EXPECT_THAT(files_of(submissions[1]), ElementsAre("kernel.cu"));
}

TEST(AutolabImport, KnowsFoldersInHandin) {
  const TestFolder folder;
  folder.write("handin/jane@x.edu/1_kernel.cu", "x");
  folder.write("handin/jane@x.edu/1_notes.txt", "x");
  folder.write("handin/jane@x.edu/2_my_kernel.cu", "x");
  folder.write("handin/jane@x.edu/kernel.cu", "x");
  folder.write("autograde.tar", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::autolab);
  EXPECT_THAT(
      origins_of(submissions),
      ElementsAre("jane@x.edu/1_kernel.cu", "jane@x.edu/2_my_kernel.cu", "jane@x.edu/kernel.cu"));
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel.cu", "notes.txt"));
  EXPECT_THAT(files_of(submissions[1]), ElementsAre("my_kernel.cu"));
  EXPECT_THAT(submissions[2].problem, HasSubstr("does not say the version"));
}

TEST(AutolabImport, AHugeVersionIsNoVersion) {
  const TestFolder folder;
  folder.write("jane@x.edu_1_kernel.cu", "x");
  folder.write("jim@x.edu_99999999999999999999_kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::autolab);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_THAT(submissions[1].problem, HasSubstr("does not say whose it is"));
}

TEST(AutolabImport, AVersionMayBeAFolder) {
  const TestFolder folder;
  folder.write("jane@x.edu_3_handin/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::autolab);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_EQ(submissions[0].people[0].email, "jane@x.edu");
  EXPECT_EQ(submissions[0].attempt, 3);
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("handin/kernel.cu"));
}

TEST(AutolabImport, ReadsAnArchive) {
  const TestFolder folder;
  { TestArchive(folder.path() / "handin.tgz").file("handin/jane@x.edu_1_kernel.cu", "x"); }
  const auto submissions = submissions_in(folder.path() / "handin.tgz", SourceFormat::autolab);
  EXPECT_THAT(origins_of(submissions), ElementsAre("jane@x.edu_1_kernel.cu"));
}

}  // namespace
}  // namespace tessera
