#include "common/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "common/temporary_directory.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> kWords = {"integers", "identity", "uniform", "m"};

TEST(LowerCase, ChangesOnlyAsciiLetters) {
  EXPECT_EQ(lower_case("NVIDIA H200, K\xc3\xb6ln"), "nvidia h200, k\xc3\xb6ln");
  EXPECT_EQ(lower_case(""), "");
}

TEST(NearestWord, FindsATypo) {
  EXPECT_EQ(nearest_word("intgers", kWords), "integers");
  EXPECT_EQ(nearest_word("unifrom", kWords), "uniform");
  EXPECT_EQ(nearest_word("Identity", kWords), "identity");
}

TEST(NearestWord, IsEmptyIfNothingIsNear) {
  EXPECT_EQ(nearest_word("permutation", kWords), "");
  EXPECT_EQ(nearest_word("x", kWords), "");
  EXPECT_EQ(nearest_word("", kWords), "");
  EXPECT_EQ(nearest_word("uniform", {}), "");
}

TEST(NearestWord, PrefersTheCloserCandidate) {
  EXPECT_EQ(nearest_word("store", {"stare", "stored", "store"}), "store");
  EXPECT_EQ(nearest_word("rtx-3800", {"rtx-3060", "rtx-3080"}), "rtx-3080");
}

TEST(DidYouMean, IsAQuestionOrNothing) {
  EXPECT_EQ(did_you_mean("unform", kWords), " (did you mean 'uniform'?)");
  EXPECT_EQ(did_you_mean("hilbert", kWords), "");
}

TEST(ReadFile, ReadsAFileWithoutASize) {
  const auto status = read_file("/proc/self/status");
  ASSERT_TRUE(status);
  EXPECT_NE(status->find("Pid:"), std::string::npos);
}

TEST(ReadFile, ReturnsEveryByte) {
  const TemporaryDirectory directory;
  const std::string bytes("a\0b\r\n\xff", 6);
  EXPECT_EQ(*read_file(directory.write("file", bytes)), bytes);
  EXPECT_EQ(*read_file(directory.write("empty", "")), "");
}

TEST(ReadFile, SaysThatThereIsNoFile) {
  const Expected<std::string> content = read_file("/nowhere/kernel.cu");
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().str(), "/nowhere/kernel.cu: no such file");
}

TEST(ReadFile, SaysThatADirectoryIsNoFile) {
  const TemporaryDirectory directory;
  const Expected<std::string> content = read_file(directory.path());
  ASSERT_FALSE(content);
  EXPECT_THAT(content.error().message, HasSubstr("is a directory"));
}

TEST(ReadFile, DoesNotWaitForAPipe) {
  const TemporaryDirectory directory;
  const fs::path pipe = directory.path() / "kernel.cu";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Expected<std::string> content = read_file(pipe);
  ASSERT_FALSE(content);
  EXPECT_THAT(content.error().message, HasSubstr("not a regular file"));
}

TEST(ReadFile, NamesTheSizeOfAFileThatIsTooLarge) {
  const TemporaryDirectory directory;
  const fs::path file = directory.write("large", "0123456789");
  EXPECT_TRUE(read_file(file, 10));
  const Expected<std::string> content = read_file(file, 9);
  ASSERT_FALSE(content);
  EXPECT_THAT(content.error().message, HasSubstr("is 10 bytes long; at most 9"));
}

TEST(ReadFile, SaysThatAFileCannotBeOpened) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryDirectory directory;
  const fs::path file = directory.write("secret", "x");
  fs::permissions(file, fs::perms::none);
  const Expected<std::string> content = read_file(file);
  ASSERT_FALSE(content);
  EXPECT_THAT(content.error().message, HasSubstr("check its permissions"));
}

TEST(WriteFile, ReplacesTheFileAndLeavesNothingBeside) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "result.json";
  EXPECT_EQ(write_file(file, "a long first version"), std::nullopt);
  EXPECT_EQ(write_file(file, "second"), std::nullopt);
  EXPECT_EQ(*read_file(file), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), {}), 1);
}

TEST(WriteFile, KeepsALinkAndReplacesWhatItPointsTo) {
  const TemporaryDirectory directory;
  const fs::path file = directory.write("target", "old");
  const fs::path link = directory.path() / "link";
  fs::create_symlink("target", link);
  EXPECT_EQ(write_file(link, "new"), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(*read_file(file), "new");
}

TEST(WriteFile, WritesToADeviceWithoutReplacingIt) {
  EXPECT_EQ(write_file("/dev/null", "text"), std::nullopt);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFile, SharedMemoryIsAFolderLikeAnyOther) {
  if (access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no /dev/shm here";
  std::string folder = "/dev/shm/tessera-test-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const fs::path file = fs::path(folder) / "a.txt";
  EXPECT_EQ(write_file(file, "first"), std::nullopt);
  EXPECT_EQ(write_file(file, "then"), std::nullopt);
  EXPECT_EQ(*read_file(file), "then");
  fs::remove_all(folder);
}

TEST(WriteFile, NamesTheDirectoryThatIsMissing) {
  const TemporaryDirectory directory;
  const auto error = write_file(directory.path() / "missing" / "file", "text");
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("create the directory"));
  EXPECT_THAT(error->message, HasSubstr("missing"));
}

TEST(WriteFile, RefusesADirectory) {
  const TemporaryDirectory directory;
  const auto error = write_file(directory.path(), "text");
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("is a directory"));
}

TEST(WriteFile, SaysThatADirectoryIsReadOnly) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryDirectory directory;
  fs::permissions(directory.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const auto error = write_file(directory.path() / "file", "text");
  fs::permissions(directory.path(), fs::perms::owner_all);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("check the permissions"));
}

TEST(SplitLines, DropsLineEndsOfBothKinds) {
  EXPECT_THAT(split_lines("a\nb\r\nc"), ElementsAre("a", "b", "c"));
}

TEST(SplitLines, ALineEndAtTheEndStartsNoLine) {
  EXPECT_THAT(split_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(split_lines("a\n\n"), ElementsAre("a", ""));
  EXPECT_THAT(split_lines(""), IsEmpty());
  EXPECT_THAT(split_lines("\n"), ElementsAre(""));
}

TEST(SplitLines, ACarriageReturnAloneIsText) {
  EXPECT_THAT(split_lines("a\rb\nc\r"), ElementsAre("a\rb", "c\r"));
}

}  // namespace
}  // namespace tessera
