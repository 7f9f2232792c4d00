#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

TEST(MoodleImport, AFolderIsASubmissionOfAParticipant) {
  const TestFolder folder;
  folder.write("Jane van Doe_17_assignsubmission_file/kernel.cu", "x");
  folder.write("Übung Jim_9_assignsubmission_file_/03/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_EQ(submissions[0].people[0].name, "Jane van Doe");
  EXPECT_EQ(submissions[0].people[0].moodle_id, "17");
  EXPECT_EQ(submissions[0].feedback_name, "Jane van Doe_17_assignsubmission_file");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel.cu"));
  EXPECT_EQ(submissions[1].people[0].moodle_id, "9");
  EXPECT_THAT(files_of(submissions[1]), ElementsAre("03/kernel.cu"));
}

TEST(MoodleImport, OnlineTextAndFilesAreOneSubmission) {
  const TestFolder folder;
  folder.write("Jane Doe_17_assignsubmission_file/kernel.cu", "x");
  folder.write("Jane Doe_17_assignsubmission_onlinetext/onlinetext.html", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_EQ(submissions[0].feedback_name, "Jane Doe_17_assignsubmission_file");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel.cu", "onlinetext.html"));
}

TEST(MoodleImport, OnlineTextAloneIsASubmission) {
  const TestFolder folder;
  folder.write("Jane Doe_17_assignsubmission_onlinetext/onlinetext.html", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_EQ(submissions[0].people[0].moodle_id, "17");
}

TEST(MoodleImport, TwoOfOneNameAreMarked) {
  const TestFolder folder;
  folder.write("Jane Doe_17_assignsubmission_file/kernel.cu", "x");
  folder.write("Jane Doe_18_assignsubmission_file/kernel.cu", "y");
  folder.write("Max Roe_19_assignsubmission_file/kernel.cu", "z");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 3u);
  EXPECT_TRUE(submissions[0].shared_names.contains("Jane Doe"));
  EXPECT_TRUE(submissions[1].shared_names.contains("Jane Doe"));
  EXPECT_TRUE(submissions[2].shared_names.empty());
}

TEST(MoodleImport, HiddenNamesAreNotOneName) {
  const TestFolder folder;
  folder.write("Participant_17_assignsubmission_file/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  EXPECT_EQ(submissions.at(0).people[0].name, "Participant 17");
}

TEST(MoodleImport, FilesCanLieFlat) {
  const TestFolder folder;
  folder.write("Jane Doe_17_assignsubmission_file_my_5_k.cu", "x");
  folder.write("Jane Doe_17_assignsubmission_onlinetext", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_EQ(submissions[0].people[0].moodle_id, "17");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("my_5_k.cu", "onlinetext"));
}

TEST(MoodleImport, AFileThatMayBeOfTwoPeopleHasNoOwner) {
  const TestFolder folder;
  const std::string unclear = "Jane Doe_17_assignsubmission_file_my_18_assignsubmission_file_k.cu";
  folder.write(unclear, "x");
  folder.write("Jane Doe_17_assignsubmission_file_kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_EQ(submissions[1].people[0].name, unclear);
  EXPECT_EQ(submissions[1].people[0].moodle_id, "");
  EXPECT_THAT(
      submissions[1].problem,
      StartsWith("its name can be read as the work of Jane Doe (participant 17) and of Jane "
                 "Doe_17_assignsubmission_file_my (participant 18), and"));
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel.cu"));
}

TEST(MoodleImport, ANumberUnderTwoNamesHasNoOwner) {
  const TestFolder folder;
  folder.write("Jane Doe_17_assignsubmission_file_kernel.cu", "x");
  folder.write("Bob_17_assignsubmission_file_kernel.cu", "x");
  folder.write("Max Roe_18_assignsubmission_file_kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 3u);
  for (const int i : {0, 1}) {
    EXPECT_EQ(submissions[i].people[0].moodle_id, "");
    EXPECT_THAT(submissions[i].problem,
                StartsWith("one participant's number is in the names of Bob (participant 17) and "
                           "of Jane Doe (participant 17), and"));
  }
  EXPECT_EQ(submissions[2].problem, "");
}

TEST(MoodleImport, AFoldersLastMarkCounts) {
  const TestFolder folder;
  folder.write("Bob_17_assignsubmission_file_ Roe_18_assignsubmission_file/kernel.cu", "x");
  folder.write("Jane Doe_17_assignsubmission_file/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_EQ(submissions[0].people[0].moodle_id, "18");
  EXPECT_EQ(submissions[1].people[0].moodle_id, "17");
}

TEST(MoodleImport, ARefusedFileWithALongPathStaysItsStudents) {
  const TestFolder folder;
  const std::string name = "Jane Doe_17_assignsubmission_file";
  const std::string path = name + "/" + std::string(150, 'a') + "/" + std::string(150, 'b');
  {
    TestArchive archive(folder.path() / "lab.zip");
    archive.link(path, "/etc/passwd");
    archive.file(name + "/kernel.cu", "x");
  }
  const auto submissions = submissions_in(folder.path() / "lab.zip", SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_THAT(files_of(submissions[0]),
              ElementsAre(path.substr(name.size() + 1) + ": a link", "kernel.cu"));
}

TEST(MoodleImport, ReadsAZip) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "CS101-Lab 3-77.zip");
    archive.file("Jane Doe_17_assignsubmission_file/kernel.cu", "x");
    archive.file("Jane Doe_17_assignsubmission_file/../../escaped.cu", "x");
    archive.link("Jane Doe_17_assignsubmission_file/more/link.cu", "kernel.cu");
  }
  const auto submissions =
      submissions_in(folder.path() / "CS101-Lab 3-77.zip", SourceFormat::moodle);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("../../escaped.cu: leads out of the archive",
                                                    "kernel.cu", "more/link.cu: a link"));
  EXPECT_EQ(submissions[0].problem, "");
}

}  // namespace
}  // namespace tessera
