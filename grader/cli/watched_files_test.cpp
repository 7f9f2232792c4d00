#include "grader/cli/watched_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two labs and a folder of headers; time passes only where a test says so.
class Watching : public testing::Test {
 protected:
  Watching() {
    for (const std::string name : {"one/kernel.cu", "two/kernel.cu", "include/lab.cuh"})
      folder_.write(name, "first");
    files_ = WatchedFiles({{{path("one/kernel.cu")}, {path("one/lab.yaml")}},
                           {{path("two/kernel.cu"), path("kernel.cu")}, {path("two/lab.yaml")}}},
                          {path("include")});
  }

  fs::path path(const fs::path& name) const { return folder_.path() / name; }

  std::vector<std::size_t> after(milliseconds passed) {
    now_ += passed;
    return files_.changed(now_);
  }

  /// What is returned after all files have been at rest for long.
  std::vector<std::size_t> at_rest() {
    if (const auto early = after(milliseconds(0)); !early.empty()) return early;
    return after(milliseconds(600));
  }

  TestFolder folder_;
  WatchedFiles files_{{}, {}};
  WatchedFiles::Clock::time_point now_{};
};

TEST_F(Watching, NothingIsReturnedIfNothingIsSaved) {
  EXPECT_THAT(at_rest(), IsEmpty());
}

TEST_F(Watching, ASaveInPlaceIsGivenOnce) {
  folder_.write("one/kernel.cu", "second");
  EXPECT_THAT(at_rest(), ElementsAre(0));
  EXPECT_THAT(at_rest(), IsEmpty());
}

TEST_F(Watching, ASaveByRenameWithTheOldTimeAndSizeIsSeen) {
  const auto time = fs::last_write_time(path("one/kernel.cu"));
  folder_.write("one/.kernel.cu.swp", "other");
  fs::last_write_time(path("one/.kernel.cu.swp"), time);
  EXPECT_THAT(at_rest(), IsEmpty());
  fs::rename(path("one/.kernel.cu.swp"), path("one/kernel.cu"));
  EXPECT_THAT(at_rest(), ElementsAre(0));
}

TEST_F(Watching, AFileThatIsStillWrittenWaits) {
  folder_.write("one/kernel.cu", "half");
  EXPECT_THAT(after(milliseconds(0)), IsEmpty());
  folder_.write("one/kernel.cu", "half and more");
  EXPECT_THAT(after(milliseconds(29)), IsEmpty());
  EXPECT_THAT(after(milliseconds(29)), IsEmpty());
  EXPECT_THAT(after(milliseconds(1)), ElementsAre(0));
}

TEST_F(Watching, AKernelThatIsGoneIsWaitedForLonger) {
  fs::remove(path("one/kernel.cu"));
  EXPECT_THAT(after(milliseconds(0)), IsEmpty());
  EXPECT_THAT(after(milliseconds(499)), IsEmpty());
  EXPECT_THAT(after(milliseconds(1)), ElementsAre(0));
  folder_.write("one/kernel.cu", "first");
  EXPECT_THAT(at_rest(), ElementsAre(0));
}

TEST_F(Watching, ATruncatedKernelIsWaitedForLonger) {
  folder_.write("one/kernel.cu", "");
  EXPECT_THAT(after(milliseconds(0)), IsEmpty());
  EXPECT_THAT(after(milliseconds(100)), IsEmpty());
  folder_.write("one/kernel.cu", "second");
  EXPECT_THAT(after(milliseconds(1)), IsEmpty());
  EXPECT_THAT(after(milliseconds(30)), ElementsAre(0));
}

TEST_F(Watching, AFolderThatIsReplacedIsSeen) {
  folder_.write("new/kernel.cu", "first");
  fs::rename(path("one"), path("old"));
  fs::rename(path("new"), path("one"));
  EXPECT_THAT(at_rest(), ElementsAre(0));
  folder_.write("one/kernel.cu", "third");
  EXPECT_THAT(at_rest(), ElementsAre(0));
}

TEST_F(Watching, AFileThatAppearsIsSeen) {
  folder_.write("one/lab.yaml", "title: x");
  EXPECT_THAT(at_rest(), ElementsAre(0));
  folder_.write("kernel.cu", "the other place");
  EXPECT_THAT(at_rest(), ElementsAre(1));
}

TEST_F(Watching, SharedFilesBelongToEverySet) {
  folder_.write("include/more/new.cuh", "a header");
  EXPECT_THAT(at_rest(), ElementsAre(0, 1));
}

}  // namespace
}  // namespace tessera
