// Archives of WinRAR. No free program writes them, so these are made here, without compression.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "common/text.h"
#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

std::string four_bytes(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
std::string number(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
  return bytes + static_cast<char>(value);
}

std::string text(const std::string& value) {
  return number(value.size()) + value;
}

/// A header with its size and checksum in front.
std::string header(const std::string& content) {
  const std::string sized = text(content);
  return four_bytes(crc32(sized)) + sized;
}

/// An archive of format 5, as "RAR 5.0 archive format" of rarlab.com lays it out.
class RarFive {
 public:
  void file(const std::string& name, const std::string& content) {
    entry(name, content, content.size(), "");
  }

  /// A file whose header promises `bytes`.
  void liar(const std::string& name, const std::string& content, std::uint64_t bytes) {
    entry(name, content, bytes, "");
  }

  void link(const std::string& name, const std::string& target) {
    constexpr std::uint64_t kRedirection = 5, kUnixLink = 1;
    entry(name, "", 0, text(number(kRedirection) + number(kUnixLink) + number(0) + text(target)));
  }

  std::string bytes() const {
    constexpr std::uint64_t kMain = 1, kEnd = 5;
    return std::string("Rar!\x1a\x07\x01\0", 8) + header(number(kMain) + number(0) + number(0)) +
           entries_ + header(number(kEnd) + number(0) + number(0));
  }

 private:
  void entry(const std::string& name, const std::string& content, std::uint64_t bytes,
             const std::string& extra) {
    constexpr std::uint64_t kFile = 2, kHasExtra = 1, kHasData = 2, kHasChecksum = 4, kUnix = 1;
    constexpr std::uint64_t kMode = 0100644, kStored = 0;
    entries_ +=
        header(number(kFile) + number(kHasData + (extra.empty() ? 0 : kHasExtra)) +
               (extra.empty() ? "" : number(extra.size())) + number(content.size()) +
               number(kHasChecksum) + number(bytes) + number(kMode) + four_bytes(crc32(content)) +
               number(kStored) + number(kUnix) + text(name) + extra) +
        content;
  }

  std::string entries_;
};

class UnpackRar : public testing::Test {
 protected:
  UnpackRar() { fs::create_directory(into()); }

  fs::path into() const { return folder_.path() / "into"; }

  /// "path: reason" of what was refused; the error if there is one.
  std::vector<std::string> refused(const std::string& bytes, const ArchiveLimits& limits = {}) {
    folder_.write("a.rar", bytes);
    const Unpacked unpacked = unpack(folder_.path() / "a.rar", into(), limits);
    if (unpacked.error) return {"error: " + unpacked.error->message};
    std::vector<std::string> texts;
    for (const RefusedEntry& entry : unpacked.refused)
      texts.push_back(entry.path + ": " + entry.reason);
    return texts;
  }

  std::string content(const std::string& name) const { return *read_file(into() / name); }

  TestFolder folder_;
};

TEST_F(UnpackRar, GivesFilesInFolders) {
  RarFive rar;
  rar.file("03-tiled/kernel.cu", "kernel");
  rar.file("notes.txt", std::string("a\0b", 3));
  EXPECT_THAT(refused(rar.bytes()), IsEmpty());
  EXPECT_EQ(content("03-tiled/kernel.cu"), "kernel");
  EXPECT_EQ(content("notes.txt"), std::string("a\0b", 3));
}

TEST_F(UnpackRar, WritesNothingOutsideTheFolder) {
  RarFive rar;
  rar.file("../escaped.cu", "x");
  rar.file("/absolute.cu", "x");
  rar.link("passwd.cu", "/etc/passwd");
  rar.file("kernel.cu", "x");
  EXPECT_THAT(refused(rar.bytes()),
              ElementsAre("../escaped.cu: leads out of the archive",
                          "/absolute.cu: an absolute path", "passwd.cu: a link"));
  EXPECT_EQ(content("kernel.cu"), "x");
  EXPECT_FALSE(fs::exists(folder_.path() / "escaped.cu"));
}

TEST_F(UnpackRar, StopsAtTheLimits) {
  RarFive rar;
  for (const char* name : {"a", "b", "c"}) rar.file(name, std::string(1000, 'x'));
  EXPECT_THAT(refused(rar.bytes(), {.entries = 2}),
              ElementsAre("error: is a bomb: it holds more than 2 entries"));
  fs::remove_all(into());
  fs::create_directory(into());
  EXPECT_THAT(refused(rar.bytes(), {.bytes = 1500}),
              ElementsAre("error: is a bomb: it unpacks to more than 1500 bytes"));
  fs::remove_all(into());
  fs::create_directory(into());
  EXPECT_THAT(refused(rar.bytes(), {.file_bytes = 100}),
              ElementsAre(HasSubstr("a: "), HasSubstr("b: "), HasSubstr("c: ")));
}

TEST_F(UnpackRar, AFileThatPromisesTooMuchTakesNoRoom) {
  RarFive rar;
  rar.liar("kernel.cu", "x", std::uint64_t{1} << 40);
  EXPECT_THAT(refused(rar.bytes()), IsEmpty());
  EXPECT_EQ(content("kernel.cu"), "x");
  EXPECT_THAT(refused(rar.bytes(), {.file_bytes = 100}),
              ElementsAre(HasSubstr("kernel.cu: 1099512 MB, not read")));
}

TEST_F(UnpackRar, SaysWhatIsBroken) {
  RarFive rar;
  rar.file("kernel.cu", std::string(1000, 'x'));
  const std::string whole = rar.bytes();
  EXPECT_THAT(refused(whole.substr(0, 600)), ElementsAre(HasSubstr("error: is broken: ")));
}

TEST_F(UnpackRar, SaysWhatToDoAboutAnOldOne) {
  EXPECT_THAT(
      refused(std::string("Rar!\x1a\x07\0", 7) + std::string(100, 'x')),
      ElementsAre("error: is a RAR archive of a format older than 5, which is not read; ask "
                  "for a .zip, or unpack it and put the folder in its place"));
}

TEST(RarSubmission, IsReadAsAZipIs) {
  const TestFolder folder;
  RarFive rar;
  rar.file("03-tiled/kernel.cu", "kernel");
  folder.write("class/adoe.rar", rar.bytes());
  folder.write("class/broe.rar", std::string("Rar!\x1a\x07\0", 7) + std::string(100, 'x'));
  const auto submissions = submissions_in(folder.path() / "class", SourceFormat::plain);
  ASSERT_EQ(submissions.size(), 2u);
  EXPECT_EQ(submissions[0].people.front().login, "adoe");
  EXPECT_THAT(files_of(submissions[0]), ElementsAre("03-tiled/kernel.cu"));
  EXPECT_EQ(submissions[0].files.front().content, "kernel");
  EXPECT_THAT(submissions[1].problem,
              HasSubstr("broe.rar: is a RAR archive of a format older than 5"));
}

TEST(RarSubmission, MayBeTheWholeDownload) {
  const TestFolder folder;
  RarFive rar;
  rar.file("adoe/kernel.cu", "x");
  rar.file("broe/kernel.cu", "y");
  folder.write("class.rar", rar.bytes());
  EXPECT_THAT(origins_of(submissions_in(folder.path() / "class.rar", SourceFormat::plain)),
              ElementsAre("adoe", "broe"));
}

}  // namespace
}  // namespace tessera
