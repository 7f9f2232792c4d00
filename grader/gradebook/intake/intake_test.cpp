#include "grader/gradebook/intake/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "common/text.h"
#include "grader/gradebook/intake/download.h"
#include "grader/gradebook/intake/test_download.h"
#include "grader/gradebook/intake/test_file_size_limit.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error_of(const fs::path& path) {
  const Expected<Download> download = Download::open(path);
  return download ? "" : download.error().message;
}

/// The only submission of a folder in which only jdoe handed something in.
Submission only_submission(const TestFolder& folder) {
  auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  EXPECT_EQ(submissions.size(), 1u);
  return std::move(submissions.front());
}

TEST(SourceFormats, HaveWords) {
  EXPECT_EQ(all_source_formats().size(), 7u);
  for (const SourceFormat format : all_source_formats()) {
    EXPECT_EQ(source_format(to_string(format)), format);
  }
  EXPECT_EQ(to_string(SourceFormat::github_classroom), "github-classroom");
  EXPECT_EQ(source_format("blackboard"), std::nullopt);
}

TEST(Intake, SaysWhatIsWrongWithThePath) {
  const TestFolder folder;
  folder.write("kernel.cu", "x");
  folder.write("text.zip", "text");
  fs::create_directory(folder.path() / "empty");
  { TestArchive empty(folder.path() / "empty.zip"); }
  EXPECT_THAT(error_of(folder.path() / "missing"), HasSubstr("no such file"));
  EXPECT_THAT(error_of(folder.path() / "kernel.cu"), HasSubstr("neither a folder nor an archive"));
  EXPECT_THAT(error_of(folder.path() / "text.zip"), HasSubstr("is not an archive"));
  EXPECT_THAT(error_of(folder.path() / "empty"), HasSubstr("is empty"));
  EXPECT_THAT(error_of(folder.path() / "empty.zip"), HasSubstr("is empty"));
}

TEST(Intake, OneStudentsNamesDoNotChangeTheLayoutOfAll) {
  const TestFolder canvas, plain;
  canvas.write("doejane_1_11_kernel.cu", "x");
  canvas.write("roejim_2_12_kernel.cu", "x");
  canvas.write("evemall_3_13_Eve_17_assignsubmission_file_kernel.cu", "x");
  EXPECT_EQ(submissions_in(canvas.path(), SourceFormat::canvas).size(), 3u);
  for (const std::string student : {"jdoe", "jroe", "mallory"})
    plain.write(student + "/03-tiled/kernel.cu", "x");
  plain.write("mallory/03-tiled/timestamp.txt", "2026-11-01 10:00:00 UTC");
  EXPECT_EQ(submissions_in(plain.path(), SourceFormat::plain).size(), 3u);
}

TEST(Intake, AnotherLayoutThanAskedForIsShownNotGuessed) {
  const TestFolder folder;
  folder.write("jdoe/kernel.cu", "x");
  std::vector<std::string> problems;
  EXPECT_FALSE(read_submissions(
      *Download::open(folder.path()), SourceFormat::canvas, {},
      [&](const Submission& submission) { problems.push_back(submission.problem); }));
  EXPECT_THAT(problems, ElementsAre(HasSubstr("expected <name>_<user>_<attachment>_<file>")));
}

TEST(HostileSubmission, AFolderOfRefusedEntriesIsNotLookedForOnDisk) {
  TestFolder folder;
  folder.write("secret/kernel.cu", "a solution");
  folder.write("into/own.cu", "own");
  fs::create_directory_symlink(folder.path() / "secret", folder.path() / "into" / "x");
  TreeEntry into{.kind = TreeEntry::Kind::folder, .path = folder.path() / "into"};
  into.refused = {{"x/nothing", "a link", 0}};
  std::vector<std::string> found;
  for (const TreeEntry& entry : list_folder(into).entries) {
    if (!entry.is_folder()) continue;
    for (const TreeEntry& below : list_folder(entry).entries) found.push_back(below.name);
  }
  EXPECT_THAT(found, ElementsAre("nothing"));
}

TEST(HostileSubmission, IsNotFollowedAnywhere) {
  const TestFolder folder;
  folder.write("jdoe/kernel.cu", "x");
  fs::create_symlink("/etc/passwd", folder.path() / "jdoe" / "passwd.cu");
  fs::create_directory_symlink("..", folder.path() / "jdoe" / "loop");
  ASSERT_EQ(mkfifo((folder.path() / "jdoe" / "pipe.cu").c_str(), 0600), 0);
  EXPECT_THAT(files_of(only_submission(folder)),
              ElementsAre("kernel.cu", "loop: a link", "passwd.cu: a link",
                          "pipe.cu: a device, pipe or socket"));
}

TEST(HostileSubmission, AStudentsFolderThatIsALinkIsShown) {
  const TestFolder folder;
  fs::create_directory_symlink("/etc", folder.path() / "jdoe");
  const Submission submission = only_submission(folder);
  EXPECT_EQ(submission.people[0].login, "jdoe");
  EXPECT_EQ(submission.problem, "jdoe: a link");
}

TEST(HostileSubmission, LargeFilesAreNotRead) {
  const TestFolder folder;
  folder.write("jdoe/core", "");
  fs::resize_file(folder.path() / "jdoe" / "core", 200'000'000);
  folder.write("jdoe/kernel.cu", std::string("a\0b", 3));
  folder.write("jdoe/limit.cu", std::string(1u << 20, 'x'));
  const Submission submission = only_submission(folder);
  EXPECT_THAT(files_of(submission),
              ElementsAre("core: 200 MB, not read: the limit is 1 MiB", "kernel.cu", "limit.cu"));
  EXPECT_EQ(submission.files[0].bytes, 200'000'000u);
  EXPECT_EQ(submission.files[1].content.size(), 3u);
}

TEST(HostileSubmission, WhatIsEmptyIsAProblem) {
  const TestFolder folder;
  fs::create_directories(folder.path() / "adoe");
  { TestArchive empty(folder.path() / "broe.zip"); }
  folder.write("cpoe.zip", "");
  folder.write("dzoe.zip", "this is text");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  ASSERT_EQ(submissions.size(), 4u);
  EXPECT_EQ(submissions[0].problem, "no files");
  EXPECT_EQ(submissions[1].problem, "broe.zip: is empty");
  EXPECT_EQ(submissions[2].problem, "cpoe.zip: is empty: 0 bytes");
  EXPECT_THAT(submissions[3].problem, HasSubstr("dzoe.zip: is not an archive"));
}

TEST(HostileSubmission, AnUnreadableFileOrFolderIsAProblem) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TestFolder folder;
  folder.write("jdoe/secret/kernel.cu", "x");
  folder.write("jdoe/kernel.cu", "x");
  fs::permissions(folder.path() / "jdoe" / "secret", fs::perms::none);
  fs::permissions(folder.path() / "jdoe" / "kernel.cu", fs::perms::none);
  const Submission submission = only_submission(folder);
  fs::permissions(folder.path() / "jdoe" / "secret", fs::perms::owner_all);
  EXPECT_THAT(files_of(submission), ElementsAre("kernel.cu: cannot be read: Permission denied",
                                                "secret: cannot be read: Permission denied"));
}

TEST(HostileSubmission, ArchivesAreUnpackedTwoLevelsDeep) {
  const TestFolder folder;
  const auto pack = [&](const std::string& outer, const std::string& inner) {
    const std::string content = *read_file(folder.path() / inner);
    TestArchive archive(folder.path() / outer);
    archive.file(inner, content);
  };
  folder.write("kernel.cu", "x");
  pack("c.zip", "kernel.cu");
  pack("b.zip", "c.zip");
  pack("a.zip", "b.zip");
  folder.write("class/jdoe/deep/a.zip", *read_file(folder.path() / "a.zip"));
  folder.write("class/jdoe/b.zip", *read_file(folder.path() / "b.zip"));
  const auto submissions = submissions_in(folder.path() / "class", SourceFormat::plain);
  EXPECT_THAT(files_of(submissions[0]),
              ElementsAre("b.zip/c.zip/kernel.cu",
                          HasSubstr("deep/a.zip/b.zip/c.zip: an archive too deep")));
}

TEST(HostileSubmission, ABombCostsOneStudent) {
  const TestFolder folder;
  {
    TestArchive bomb(folder.path() / "adoe.zip");
    for (int i = 0; i < 300; ++i) bomb.file(std::to_string(i), std::string(1u << 20, '\0'));
  }
  folder.write("broe/kernel.cu", "x");
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_THAT(submissions[0].problem, HasSubstr("adoe.zip: is a bomb"));
  EXPECT_EQ(submissions[1].problem, "");
}

TEST(ReadSubmissions, NoRoomForAnArchiveIsNotItsProblem) {
  const TestFolder folder;
  { TestArchive(folder.path() / "adoe.zip").file("kernel.cu", std::string(100'000, 'x')); }
  folder.write("broe/kernel.cu", "x");
  const FileSizeLimit full_disk(10'000);
  const auto submissions = submissions_in(folder.path(), SourceFormat::plain);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_THAT(submissions[0].failure, HasSubstr("adoe.zip: cannot be unpacked into "));
  EXPECT_EQ(submissions[0].problem, "");
  EXPECT_TRUE(submissions[0].files.empty());
  EXPECT_EQ(submissions[1].failure, "");
  EXPECT_EQ(submissions[1].files.size(), 1u);
}

TEST(HostileSubmission, AHugeFileInTheDownloadCostsItself) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "class.zip");
    archive.file("adoe/core", std::string(100u << 20, '\0'));
    archive.file("adoe/kernel.cu", "x");
    archive.file("broe/kernel.cu", "x");
  }
  const auto submissions = submissions_in(folder.path() / "class.zip", SourceFormat::plain);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_THAT(files_of(submissions[0]),
              ElementsAre("core: 105 MB, not read: the limit is 1 MiB", "kernel.cu"));
  EXPECT_EQ(submissions[0].files[0].bytes, 104'857'600u);
}

TEST(HostileSubmission, AFolderIsShownIfNothingOfItWasUnpacked) {
  const TestFolder folder;
  {
    TestArchive archive(folder.path() / "class.zip");
    archive.link("adoe/kernel.cu", "/etc/passwd");
    archive.file("broe/kernel.cu", "x");
    archive.file("../croe/kernel.cu", "x");
  }
  const auto submissions = submissions_in(folder.path() / "class.zip", SourceFormat::plain);
  EXPECT_THAT(origins_of(submissions), ElementsAre("../croe/kernel.cu", "adoe", "broe"));
  EXPECT_EQ(submissions[0].problem, "../croe/kernel.cu: leads out of the archive");
  EXPECT_EQ(submissions[1].problem, "kernel.cu: a link");
}

TEST(HostileSubmission, TooManyBytesLeaveRoomForKernels) {
  const TestFolder folder;
  for (int i = 0; i < 70; ++i) {
    folder.write("jdoe/" + std::to_string(i) + ".bin", std::string(1u << 20, 'x'));
  }
  folder.write("jdoe/zz/kernel.cu", "x");
  const Submission submission = only_submission(folder);
  EXPECT_EQ(submission.files.back().content, "x");
  EXPECT_THAT(submission.files[submission.files.size() - 2].problem,
              HasSubstr("the submission holds more than 64 MiB"));
}

TEST(HostileSubmission, TooManyFilesAreCutOff) {
  const TestFolder folder;
  for (int i = 0; i < 10'010; ++i) folder.write("jdoe/" + std::to_string(i), "");
  const Submission submission = only_submission(folder);
  EXPECT_EQ(submission.files.size(), 10'001u);
  EXPECT_TRUE(std::ranges::any_of(submission.files, [](const SubmittedFile& file) {
    return file.problem == "more than 10000 files; the others are left out";
  }));
}

TEST(HostileSubmission, TheEntriesOfAllArchivesAreOneSum) {
  const TestFolder folder;
  fs::create_directory(folder.path() / "jdoe");
  for (const char* name : {"a.zip", "b.zip"}) {
    TestArchive archive(folder.path() / "jdoe" / name);
    for (int i = 0; i < 5'001; ++i) archive.file("__MACOSX/" + std::to_string(i), "");
  }
  folder.write("jdoe/kernel.cu", "x");
  EXPECT_THAT(files_of(only_submission(folder)),
              ElementsAre("a.zip: the archive holds no files",
                          HasSubstr("b.zip: is a bomb: it holds more than 10000 "
                                    "entries, together with the archives before it"),
                          "kernel.cu"));
}

TEST(HostileSubmission, DeepFoldersAreCutOff) {
  const TestFolder folder;
  std::string deep = "jdoe";
  for (int i = 0; i < 100; ++i) deep += "/d";
  folder.write(deep + "/kernel.cu", "x");
  EXPECT_THAT(only_submission(folder).problem, HasSubstr("folders nested more than 64 deep"));
}

}  // namespace
}  // namespace tessera
