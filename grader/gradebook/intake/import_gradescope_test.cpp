#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

constexpr const char* kMetadata = R"(---
submission_1001:
  :submitters:
  - :name: Jane Doe
    :sid: '0123'
    :email: jane@x.edu
  :created_at: 2026-10-01 21:59:03.123456000 -07:00
  :score: 4.0
  :results:
    output: |
      submission_666:
        :submitters: unknown

      text
submission_20:
  :submitters:
  - :name: Jim Roe
    :sid:
  - :name: "Zoë \"Z\" Poe"
    :sid: 77
    :email: zoe@x.edu
  :created_at: 2026-10-02 06:00:00 Z
)";

TEST(GradescopeImport, MetadataSayWhoAndWhen) {
  const TestFolder folder;
  folder.write("submission_metadata.yml", kMetadata);
  folder.write("submission_1001/kernel.cu", "x");
  folder.write("submission_20/src/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::gradescope);
  EXPECT_THAT(origins_of(submissions), ElementsAre("submission_20", "submission_1001"));
  const Submission& jane = submissions[1];
  ASSERT_EQ(jane.people.size(), 1u);
  EXPECT_EQ(jane.people[0].name, "Jane Doe");
  EXPECT_EQ(jane.people[0].sis_id, "0123");
  EXPECT_EQ(jane.people[0].email, "jane@x.edu");
  EXPECT_EQ(jane.submitted_at, "2026-10-02T04:59:03Z");
  EXPECT_EQ(jane.problem, "");
  EXPECT_THAT(files_of(jane), ElementsAre("kernel.cu"));
}

TEST(GradescopeImport, SeveralSubmittersAreAGroupAndEmailMayBeAbsent) {
  const TestFolder folder;
  folder.write("submission_metadata.yml", kMetadata);
  folder.write("submission_1001/kernel.cu", "x");
  folder.write("submission_20/kernel.cu", "x");
  const Submission group = submissions_in(folder.path(), SourceFormat::gradescope).front();
  ASSERT_EQ(group.people.size(), 2u);
  EXPECT_EQ(group.people[0].name, "Jim Roe");
  EXPECT_EQ(group.people[0].email, "");
  EXPECT_EQ(group.people[0].sis_id, "");
  EXPECT_EQ(group.people[1].name, "Zoë \"Z\" Poe");
  EXPECT_EQ(group.people[1].sis_id, "77");
  EXPECT_EQ(group.submitted_at, "2026-10-02T06:00:00Z");
}

TEST(GradescopeImport, FoldersWithoutMetadataAndMetadataWithoutFolders) {
  const TestFolder folder;
  folder.write("submission_metadata.yml", kMetadata);
  folder.write("submission_20/kernel.cu", "x");
  folder.write("submission_5/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::gradescope);
  EXPECT_THAT(origins_of(submissions),
              ElementsAre("submission_5", "submission_20", "submission_1001"));
  EXPECT_THAT(submissions[0].problem, HasSubstr("says nothing of it"));
  EXPECT_EQ(submissions[0].people[0].name, "submission_5");
  EXPECT_THAT(submissions[2].problem, HasSubstr("no folder of this name"));
  EXPECT_EQ(submissions[2].people[0].email, "jane@x.edu");
}

TEST(GradescopeImport, BrokenMetadataCostOneSubmission) {
  const TestFolder folder;
  folder.write("submission_metadata.yml",
               "---\nsubmission_1:\n  :submitters: [{:name: 'A'\nsubmission_2:\n  :submitters:\n"
               "  - :name: B\nsubmission_3:\n  :submitters: []\nsubmission_4: text\n");
  for (const char* name : {"1", "2", "3", "4"}) {
    folder.write(std::string("submission_") + name + "/kernel.cu", "x");
  }
  const auto submissions = submissions_in(folder.path(), SourceFormat::gradescope);
  ASSERT_EQ(submissions.size(), 4u);
  EXPECT_THAT(submissions[0].problem, HasSubstr("cannot be understood in submission_metadata.yml"));
  EXPECT_EQ(submissions[1].people[0].name, "B");
  EXPECT_EQ(submissions[1].problem, "");
  EXPECT_THAT(submissions[2].problem, HasSubstr("does not say who"));
  EXPECT_THAT(submissions[3].problem, HasSubstr("does not say who"));
}

TEST(GradescopeImport, AStudentsFileOfThatNameDoesNotMakeItAGradescopeExport) {
  const TestFolder folder;
  folder.write("submission_metadata.yml", "ann.cu:\n  :submitters:\n  - :name: Mallory\n");
  for (const char* name : {"ann", "bob", "mallory"}) folder.write(std::string(name) + ".cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  EXPECT_THAT(origins_of(submissions), IsSupersetOf({"ann.cu", "bob.cu", "mallory.cu"}));
}

TEST(GradescopeImport, ReadsAZipWithItsFolder) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "export.zip");
    archive.file("assignment_9_export/submission_metadata.yml", kMetadata);
    archive.file("assignment_9_export/submission_1001/kernel.cu", "x");
    archive.file("assignment_9_export/submission_20/kernel.cu", "x");
  }
  const auto submissions = submissions_in(folder.path() / "export.zip", SourceFormat::gradescope);
  EXPECT_THAT(origins_of(submissions), ElementsAre("submission_20", "submission_1001"));
}

}  // namespace
}  // namespace tessera
