#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PlainImport, AFolderAnArchiveOrAKernelIsAStudents) {
  const TestFolder folder;
  folder.write("adoe/03-tiled/kernel.cu", "x");
  { TestArchive(folder.path() / "broe.tar.gz").file("lab 3/kernel.cu", "x"); }
  folder.write("cpoe.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  EXPECT_THAT(origins_of(submissions), ElementsAre("adoe", "broe.tar.gz", "cpoe.cu"));
  EXPECT_EQ(submissions[0].people[0].login, "adoe");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("03-tiled/kernel.cu"));
  EXPECT_EQ(submissions[1].people[0].login, "broe");
  EXPECT_THAT(files_of(submissions[1]), ElementsAre("lab 3/kernel.cu"));
  EXPECT_EQ(submissions[2].people[0].login, "cpoe");
  EXPECT_THAT(files_of(submissions[2]), ElementsAre("cpoe.cu"));
}

TEST(PlainImport, StaffFilesAreNotStudents) {
  const TestFolder folder;
  folder.write("adoe/kernel.cu", "x");
  folder.write("roster.csv", "x");
  folder.write(".gitignore", "x");
  folder.write("broe.txt", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  EXPECT_THAT(origins_of(submissions), ElementsAre("adoe", "broe.txt"));
  EXPECT_THAT(submissions[1].problem, HasSubstr("expected a folder, an archive or a .cu file"));
}

TEST(PlainImport, AnArchiveMayHoldAFolderAroundAll) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "class.zip");
    archive.file("class/adoe/kernel.cu", "x");
    archive.file("class/broe/kernel.cu", "x");
  }
  { TestArchive(folder.path() / "one.zip").file("adoe/kernel.cu", "x"); }
  EXPECT_THAT(origins_of(submissions_in(folder.path() / "class.zip", SourceFormat::plain)),
              ElementsAre("adoe", "broe"));
  EXPECT_THAT(origins_of(submissions_in(folder.path() / "one.zip", SourceFormat::plain)),
              ElementsAre("adoe"));
}

const std::vector<std::string> kLabs = {"01-naive", "03-tiled", "10-tiled-again"};

/// "jdoe: 01-naive/kernel.cu 03.cu" for each submission in a folder jdoe of these files; an archive
/// jdoe.zip of them must read the same.
std::vector<std::string> people_and_files(const std::vector<std::string>& paths) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "jdoe.zip");
    for (const std::string& path : paths) {
      folder.write("jdoe/" + path, "x");
      archive.file(path, "x");
    }
  }
  const auto listing = [&](const std::string& name) {
    std::vector<std::string> texts;
    for (const Submission& submission :
         submissions_in(folder.path() / name, SourceFormat::plain, kLabs)) {
      std::string text = submission.people.front().login + submission.people.front().name + ":";
      for (const std::string& file : files_of(submission)) text += " " + file;
      texts.push_back(submission.is_whole_download ? "whole " + text : text);
    }
    return texts;
  };
  EXPECT_EQ(listing("jdoe"), listing("jdoe.zip"));
  return listing("jdoe");
}

TEST(PlainImport, WhatIsNamedAfterLabsIsOneStudents) {
  EXPECT_THAT(people_and_files({"kernel.cu"}), ElementsAre("whole jdoe: kernel.cu"));
  EXPECT_THAT(people_and_files({"kernel.cu", "notes.txt"}),
              ElementsAre("whole jdoe: kernel.cu notes.txt"));
  EXPECT_THAT(people_and_files({".vscode/x", "01-naive/kernel.cu", "Lab 3/kernel.cu", "README.md"}),
              ElementsAre("whole jdoe: .vscode/x 01-naive/kernel.cu Lab 3/kernel.cu README.md"));
  EXPECT_THAT(people_and_files({"naive.cu", "03.cu"}), ElementsAre("whole jdoe: 03.cu naive.cu"));
}

TEST(PlainImport, AHandoutWithItsLabsIsOneStudents) {
  EXPECT_THAT(people_and_files({"labs/03-tiled/kernel.cu", "grader/cli/main.cpp", "Makefile"}),
              ElementsAre("whole jdoe: Makefile grader/cli/main.cpp labs/03-tiled/kernel.cu"));
}

TEST(PlainImport, NumbersAndOtherNamesAreStudents) {
  EXPECT_THAT(people_and_files({"01/kernel.cu", "03/kernel.cu"}),
              ElementsAre("01: kernel.cu", "03: kernel.cu"));
  EXPECT_THAT(people_and_files({"adoe.cu", "broe/kernel.cu"}),
              ElementsAre("adoe: adoe.cu", "broe: kernel.cu"));
  EXPECT_THAT(people_and_files({"2.cu", "3.cu"}), ElementsAre("2: 2.cu", "3: 3.cu"));
}

TEST(PlainImport, ALabAmongStudentsHasNoOwner) {
  const TestFolder folder;
  folder.write("adoe/kernel.cu", "x");
  folder.write("03-tiled/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain, kLabs);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_THAT(submissions[0].problem, HasSubstr("put it into a folder with the student's name"));
  EXPECT_EQ(submissions[1].problem, "");
}

TEST(PlainImport, AnArchiveOfOneStudentsFolderWithLabsIsThatStudents) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "download.zip");
    archive.file("adoe/01-naive/kernel.cu", "x");
    archive.file("adoe/03-tiled/kernel.cu", "x");
  }
  const auto submissions =
      submissions_in(folder.path() / "download.zip", SourceFormat::plain, kLabs);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_EQ(submissions[0].people[0].login, "adoe");
  EXPECT_FALSE(submissions[0].is_whole_download);
}

TEST(PlainImport, AFolderOfOneStudentWithLabsIsOneStudent) {
  const TestFolder folder;
  folder.write("adoe/01-naive/kernel.cu", "x");
  folder.write("adoe/03-tiled/kernel.cu", "x");
  EXPECT_THAT(origins_of(submissions_in(folder.path(), SourceFormat::plain)), ElementsAre("adoe"));
}

TEST(PlainImport, ALinkInPlaceOfAKernelIsItsStudents) {
  const TestFolder folder;
  fs::create_symlink("/etc/passwd", folder.path() / "jdoe.cu");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  ASSERT_EQ(submissions.size(), 1u);
  EXPECT_EQ(submissions[0].people[0].login, "jdoe");
  EXPECT_EQ(submissions[0].problem, "jdoe.cu: a link");
}

TEST(PlainImport, NamesSurviveAsTheyAre) {
  const TestFolder folder;
  const std::string odd = "=cmd|' \"\xf0\x9f\x98\x80\n";
  folder.write(odd + "/kernel.cu", "x");
  folder.write("f\xfcr/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  EXPECT_THAT(origins_of(submissions), ElementsAre(odd, "f%FCr"));
  EXPECT_EQ(submissions[0].people[0].login, odd);
  EXPECT_EQ(submissions[1].files[0].content, "x");
}

TEST(GithubClassroomImport, ARepositoryIsALogins) {
  const TestFolder folder;
  folder.write("lab-3-submissions/lab-3-jane-doe/kernel.cu", "x");
  folder.write("lab-3-submissions/lab-3-jane-doe/.git/config", "x");
  folder.write("lab-3-submissions/lab-3-jroe/03/kernel.cu", "x");
  for (const fs::path& path : {folder.path(), folder.path() / "lab-3-submissions"}) {
    const auto submissions = submissions_in(path, SourceFormat::github_classroom);
    EXPECT_THAT(origins_of(submissions), ElementsAre("lab-3-jane-doe", "lab-3-jroe"));
    EXPECT_EQ(submissions[0].people[0].github, "jane-doe");
    EXPECT_THAT(files_of(submissions[0]), ElementsAre("kernel.cu"));
    EXPECT_EQ(submissions[1].people[0].github, "jroe");
  }
}

TEST(GithubClassroomImport, ARenamedFolderHasTheCommonStart) {
  const TestFolder folder;
  folder.write("lab-3-jdoe/kernel.cu", "x");
  folder.write("lab-3-jroe/kernel.cu", "x");
  std::vector<std::string> logins;
  EXPECT_FALSE(read_submissions(
      *Download::open(folder.path()), SourceFormat::github_classroom, {},
      [&](Submission submission) { logins.push_back(submission.people.front().github); }));
  EXPECT_THAT(logins, ElementsAre("jdoe", "jroe"));
}

}  // namespace
}  // namespace tessera
