#include "grader/gradebook/intake/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "common/resource_failure.h"
#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/gradebook/intake/test_download.h"
#include "grader/gradebook/intake/test_file_size_limit.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::size_t kMega = 1u << 20;

class Unpack : public testing::Test {
 protected:
  Unpack() { fs::create_directory(into_); }

  fs::path path(const std::string& name) const { return directory_.path() / name; }

  /// "path: reason" of what was refused.
  std::vector<std::string> refused(const std::string& name, const ArchiveLimits& limits = {}) {
    const Unpacked unpacked = unpack(path(name), into_, limits);
    if (unpacked.error) return {"error: " + unpacked.error->message};
    std::vector<std::string> texts;
    for (const RefusedEntry& entry : unpacked.refused)
      texts.push_back(entry.path + ": " + entry.reason);
    return texts;
  }

  std::string error(const std::string& name, const ArchiveLimits& limits = {}) {
    const Unpacked unpacked = unpack(path(name), into_, limits);
    return unpacked.error ? unpacked.error->message : "";
  }

  std::vector<std::string> unpacked() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(into_)) {
      if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), into_).string());
    }
    std::ranges::sort(files);
    return files;
  }

  std::string content(const std::string& name) const { return *read_file(into_ / name); }

  void empty_the_folder() const {
    fs::remove_all(into_);
    fs::create_directory(into_);
  }

  TemporaryDirectory directory_;
  fs::path into_ = directory_.path() / "into";
};

TEST(ArchiveName, IsRecognisedByItsEnding) {
  for (const char* name :
       {"a.zip", "A.ZIP", "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.7z", "a.rar"}) {
    EXPECT_TRUE(is_archive_name(name)) << name;
  }
  for (const char* name : {"zip", ".zip", "a.gz", "kernel.cu", "a.zip.txt", ""}) {
    EXPECT_FALSE(is_archive_name(name)) << name;
  }
  EXPECT_EQ(without_archive_ending("jdoe.tar.gz"), "jdoe");
  EXPECT_EQ(without_archive_ending("j.doe"), "j.doe");
}

TEST_F(Unpack, GivesFilesAndFoldersOfEveryFormat) {
  for (const char* name : {"a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.7z"}) {
    {
      TestArchive archive(path(name));
      archive.folder("03-tiled");
      archive.file("03-tiled/kernel.cu", "kernel");
      archive.file("notes/readme.txt", std::string("a\0b", 3));
    }
    EXPECT_THAT(refused(name), IsEmpty()) << name;
    EXPECT_THAT(unpacked(), ElementsAre("03-tiled/kernel.cu", "notes/readme.txt")) << name;
    EXPECT_EQ(content("notes/readme.txt"), std::string("a\0b", 3)) << name;
    empty_the_folder();
  }
}

TEST_F(Unpack, WritesNothingOutsideTheFolder) {
  {
    TestArchive archive(path("a.zip"));
    archive.file("../escaped.cu", "x");
    archive.file("a/../../escaped.cu", "x");
    archive.file("/absolute.cu", "x");
    archive.file("C:/windows.cu", "x");
    archive.file("./good.cu", "x");
  }
  EXPECT_THAT(refused("a.zip"),
              ElementsAre("../escaped.cu: leads out of the archive",
                          "a/../../escaped.cu: leads out of the archive",
                          "/absolute.cu: an absolute path", "C:/windows.cu: an absolute path"));
  EXPECT_THAT(unpacked(), ElementsAre("good.cu"));
  EXPECT_FALSE(fs::exists(path("escaped.cu")));
}

TEST_F(Unpack, RefusesLinksAndDevices) {
  {
    TestArchive archive(path("a.tar"));
    archive.link("link", "/etc");
    archive.file("link/passwd", "x");
    archive.file("first.cu", "x");
    archive.hard_link("hard", "first.cu");
    archive.pipe("pipe");
  }
  EXPECT_THAT(refused("a.tar"),
              ElementsAre("link: a link", "hard: a link", "pipe: a device, pipe or socket"));
  EXPECT_THAT(unpacked(), ElementsAre("first.cu", "link/passwd"));
  EXPECT_FALSE(fs::is_symlink(into_ / "link"));
}

TEST_F(Unpack, RefusesALinkInAZip) {
  { TestArchive(path("a.zip")).link("kernel.cu", "/etc/passwd"); }
  EXPECT_THAT(refused("a.zip"), ElementsAre("kernel.cu: a link"));
}

TEST_F(Unpack, RefusesNamesThatAreEqualButForCase) {
  {
    TestArchive archive(path("a.zip"));
    archive.file("kernel.cu", "first");
    archive.file("Kernel.CU", "second");
    archive.file("kernel.cu", "third");
    archive.file("ü", "first");
    archive.file("Ü", "second");
  }
  EXPECT_THAT(refused("a.zip"),
              ElementsAre("Kernel.CU: its name differs from 'kernel.cu' in letter case alone",
                          "kernel.cu: twice in the archive",
                          "Ü: its name differs from 'ü' in letter case alone"));
  EXPECT_EQ(content("kernel.cu"), "first");
}

TEST_F(Unpack, KeepsOddNamesAndRefusesControlCharacters) {
  const std::string odd = "übung \xf0\x9f\x98\x80 =cmd '\".cu";
  {
    TestArchive archive(path("a.zip"));
    archive.file(odd, "x");
    archive.file("f\xfcr.cu", "x");
    archive.file("a\nb.cu", "x");
  }
  EXPECT_THAT(refused("a.zip"), ElementsAre("a?b.cu: a control character in its name"));
  EXPECT_THAT(unpacked(), ElementsAre("f%FCr.cu", odd));
}

TEST_F(Unpack, RefusesAFileWhereAFolderIs) {
  {
    TestArchive archive(path("a.tar"));
    archive.file("a/b", "x");
    archive.file("a", "x");
    archive.file(std::string(300, 'n'), "x");
  }
  EXPECT_THAT(refused("a.tar"), ElementsAre(StartsWith("a: cannot be unpacked: "),
                                            HasSubstr("n: a name of more than 255 bytes")));
}

TEST_F(Unpack, LeavesOutWhatSystemsLeaveBehind) {
  {
    TestArchive archive(path("a.zip"));
    archive.file("__MACOSX/._kernel.cu", "x");
    archive.file("a/.DS_Store", "x");
    archive.file("a/kernel.cu", "x");
  }
  EXPECT_THAT(refused("a.zip"), IsEmpty());
  EXPECT_THAT(unpacked(), ElementsAre("a/kernel.cu"));
}

TEST_F(Unpack, RefusesAFileThatIsTooLargeAndGoesOn) {
  for (const char* name : {"a.zip", "a.tgz"}) {
    {
      TestArchive archive(path(name));
      archive.file("core", std::string(3 * kMega, '\0'));
      archive.file("kernel.cu", "x");
      archive.file("inner.zip", std::string(3 * kMega, '\0'));
    }
    EXPECT_THAT(refused(name, {.file_bytes = kMega}),
                ElementsAre("core: 3.15 MB, not read: the limit is 1 MiB"));
    EXPECT_THAT(unpacked(), ElementsAre("inner.zip", "kernel.cu"));
    empty_the_folder();
  }
}

TEST_F(Unpack, StopsABomb) {
  {
    TestArchive archive(path("a.tgz"));
    for (int i = 0; i < 40; ++i) archive.file(std::to_string(i), std::string(kMega, '\0'));
  }
  EXPECT_THAT(error("a.tgz"), HasSubstr("a bomb: it unpacks to more than 200 times its size"));
}

TEST_F(Unpack, StopsAtTheLimits) {
  {
    TestArchive archive(path("a.zip"));
    for (int i = 0; i < 20; ++i) archive.file(std::to_string(i), std::string(1000, 'x'));
  }
  EXPECT_THAT(error("a.zip", {.bytes = 15'000}), HasSubstr("a bomb: it unpacks to more than"));
  empty_the_folder();
  EXPECT_THAT(error("a.zip", {.entries = 10}), HasSubstr("a bomb: it holds more than 10 entries"));
}

TEST_F(Unpack, StopsAtWhatIsKept) {
  {
    TestArchive archive(path("a.zip"));
    for (int i = 0; i < 3; ++i) archive.file(std::to_string(i), std::string(kMega, 'x'));
    archive.file("core", std::string(4 * kMega, 'x'));
  }
  const std::uint64_t mega = kMega;
  EXPECT_EQ(error("a.zip", {.kept_bytes = 2 * mega, .file_bytes = mega}),
            "holds files of more than 2 MiB");
  empty_the_folder();
  EXPECT_EQ(error("a.zip", {.kept_bytes = 3 * mega, .file_bytes = mega}), "");
  empty_the_folder();
  EXPECT_EQ(error("a.zip", {.kept_bytes = 3 * mega, .kept_before = 1, .file_bytes = mega}),
            "holds files of more than 3 MiB, together with the archives before it");
}

TEST_F(Unpack, KeepsTheStartOfALongNameAlone) {
  const std::string folder = "Jane Doe_17_assignsubmission_file/";
  for (const char* name : {"a.tar", "a.zip", "a.7z"}) {
    {
      TestArchive archive(path(name));
      archive.file(folder + std::string(60'000, 'n'), "x");
      archive.file("kernel.cu", "x");
    }
    const std::string start = folder + std::string(1024 - folder.size(), 'n') + "...";
    EXPECT_THAT(refused(name),
                ElementsAre(start + ": a path of 0.06 MB; at most 4096 bytes are read"));
    EXPECT_THAT(unpacked(), ElementsAre("kernel.cu"));
    empty_the_folder();
  }
}

TEST_F(Unpack, StopsAtTheNamesOfAllEntries) {
  {
    TestArchive archive(path("a.tar"));
    for (int i = 0; i < 20; ++i) archive.file(std::to_string(i) + std::string(998, '/') + "n", "x");
  }
  EXPECT_THAT(error("a.tar", {.name_bytes = 15'000}),
              HasSubstr("a bomb: the names of its entries have more than 0.01 MB"));
  empty_the_folder();
  EXPECT_EQ(error("a.tar", {.name_bytes = 21'000}), "");
}

// .7z archives of 66 bytes that claim 90,000,000 and 8,000,000 files without names.
constexpr std::string_view kNinetyMillionFiles(
    "\x37\x7a\xbc\xaf\x27\x1c\x00\x04\xb0\x1b\xb1\xe5\x01\x00\x00\x00"
    "\x00\x00\x00\x00\x21\x00\x00\x00\x00\x00\x00\x00\x12\x5f\x82\x42"
    "\x78\x01\x04\x06\x00\x01\x09\x01\x00\x07\x0b\x01\x00\x01\x01\x00"
    "\x0c\x01\x00\x08\x0d\xe5\x80\x4a\x5d\x00\x00\x05\xe5\x80\x4a\x5d"
    "\x00\x00",
    66);
constexpr std::string_view kEightMillionFiles(
    "\x37\x7a\xbc\xaf\x27\x1c\x00\x04\x0f\xc4\xfe\xa8\x01\x00\x00\x00"
    "\x00\x00\x00\x00\x21\x00\x00\x00\x00\x00\x00\x00\x20\xf1\x06\x82"
    "\x78\x01\x04\x06\x00\x01\x09\x01\x00\x07\x0b\x01\x00\x01\x01\x00"
    "\x0c\x01\x00\x08\x0d\xe0\x00\x12\x7a\x00\x00\x05\xe0\x00\x12\x7a"
    "\x00\x00",
    66);

TEST_F(Unpack, WhatAClaimOfManyFilesCostsIsLimited) {
  std::ofstream(path("memory.7z")) << kNinetyMillionFiles;
  EXPECT_THAT(error("memory.7z"), AnyOf("is broken: Couldn't allocate memory",
                                        "is broken: it broke the process that unpacked it"));
  std::ofstream(path("time.7z")) << kEightMillionFiles;
  EXPECT_EQ(error("time.7z", {.entries = 10'000'000, .seconds = 1}),
            "is a bomb: unpacking it takes more than 1 s");
}

TEST_F(Unpack, StopsBeforeItPassesOverTooMuch) {
  { TestArchive(path("a.tgz")).file("zeros", std::string(30 * kMega, '\0')); }
  EXPECT_THAT(error("a.tgz", {.file_bytes = kMega}), HasSubstr("a bomb"));
}

TEST_F(Unpack, CountsTheFoldersThatItMakes) {
  { TestArchive(path("folder.zip")).folder("a/b/c/d/e"); }
  { TestArchive(path("file.zip")).file("a/b/c/d/e/f", "x"); }
  for (const char* name : {"folder.zip", "file.zip"}) {
    EXPECT_THAT(error(name, {.entries = 5}), HasSubstr("it holds more than 5 entries")) << name;
    empty_the_folder();
    EXPECT_THAT(error(name, {.bytes = 10'000}), HasSubstr("it unpacks to more than")) << name;
    empty_the_folder();
    EXPECT_EQ(error(name, {.entries = 6}), "") << name;
    empty_the_folder();
    EXPECT_THAT(error(name, {.entries = 10, .entries_before = 5}),
                HasSubstr("more than 10 entries, together with the archives before it"))
        << name;
    empty_the_folder();
  }
}

TEST_F(Unpack, CountsWhatItPassesOver) {
  const std::string zeros(200'000, '\0');
  for (const char* name : {"a.tgz", "a.tar.bz2", "a.tar.xz", "a.7z"}) {
    for (const char* entry : {"__MACOSX/zeros", "/zeros", "../zeros", "kernel.cu"}) {
      {
        TestArchive archive(path(name));
        archive.file("kernel.cu", "x");
        archive.file(entry, zeros);
        archive.file("last.cu", "x");
      }
      EXPECT_THAT(error(name, {.bytes = 100'000}), HasSubstr("it unpacks to more than"))
          << name << " " << entry;
      empty_the_folder();
    }
  }
}

TEST_F(Unpack, UndoesOneCompression) {
  struct archive* twice = archive_write_new();
  archive_write_set_format_ustar(twice);
  archive_write_add_filter_gzip(twice);
  archive_write_add_filter_gzip(twice);
  archive_write_open_filename(twice, path("a.tgz").c_str());
  archive_write_free(twice);
  EXPECT_EQ(error("a.tgz"), "is compressed more than once");
}

TEST_F(Unpack, SaysWhyNothingCanBeUnpacked) {
  directory_.write("text.zip", "this is text, whatever its name says");
  directory_.write("nothing.zip", "");
  { TestArchive empty(path("empty.zip")); }
  { TestArchive empty(path("empty.tgz")); }
  EXPECT_THAT(error("text.zip"), HasSubstr("is not an archive"));
  EXPECT_THAT(error("nothing.zip"), HasSubstr("is empty"));
  EXPECT_THAT(error("empty.zip"), HasSubstr("is empty"));
  EXPECT_THAT(error("empty.tgz"), HasSubstr("is empty"));
  EXPECT_THAT(error("missing.zip"), HasSubstr("cannot be read: No such file"));
}

TEST_F(Unpack, SaysThatAnArchiveIsBroken) {
  std::string noise;
  for (unsigned i = 0; i < 100'000; ++i) noise += static_cast<char>(i * 2654435761u >> 13);
  { TestArchive(path("a.zip")).file("kernel.cu", noise); }
  { TestArchive(path("a.tgz")).file("kernel.cu", noise); }
  for (const std::string name : {"a.zip", "a.tgz"}) {
    fs::resize_file(path(name), fs::file_size(path(name)) / 2);
    EXPECT_THAT(error(name), HasSubstr("is broken: ")) << name;
    empty_the_folder();
  }
}

TEST_F(Unpack, SaysThatAnArchiveIsEncrypted) {
  { TestArchive(path("a.zip"), "secret").file("kernel.cu", "x"); }
  EXPECT_THAT(error("a.zip"), HasSubstr("is encrypted"));
}

TEST_F(Unpack, NoRoomToUnpackIsNoFaultOfTheArchive) {
  { TestArchive(path("a.zip")).file("kernel.cu", std::string(100'000, 'x')); }
  try {
    const FileSizeLimit full_disk(10'000);
    FAIL() << refused("a.zip").size();
  } catch (const ResourceFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("a.zip: cannot be unpacked into " + into_.string()));
    EXPECT_THAT(failure.what(), HasSubstr("set TMPDIR to a folder with room"));
  }
  empty_the_folder();
  EXPECT_THAT(refused("a.zip"), IsEmpty());
}

TEST_F(Unpack, ANameThatCannotBeCreatedIsTheArchivesFault) {
  {
    TestArchive archive(path("a.tar"));
    archive.file(std::string(300, 'n') + ".cu", "x");
    archive.file("a", "x");
    archive.file("a/kernel.cu", "x");
  }
  EXPECT_THAT(refused("a.tar"), ElementsAre(HasSubstr("n.cu: a name of more than 255 bytes"),
                                            StartsWith("a/kernel.cu: cannot be unpacked")));
}

TEST_F(Unpack, RefusesDeepFolders) {
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "d/";
  { TestArchive(path("a.tar")).file(deep + "kernel.cu", "x"); }
  EXPECT_THAT(refused("a.tar"), ElementsAre(HasSubstr("nested more than 64 deep")));
}

}  // namespace
}  // namespace tessera
