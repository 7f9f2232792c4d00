#include "grader/process/find_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/temporary_directory.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class FindProgram : public testing::Test {
 protected:
  FindProgram() : path_(std::getenv("PATH")) {}
  ~FindProgram() override { setenv("PATH", path_.c_str(), 1); }

  fs::path add(const fs::path& file, fs::perms permissions) {
    const fs::path path = folder_.path() / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    fs::permissions(path, permissions);
    return path;
  }

  const TemporaryDirectory folder_;

 private:
  std::string path_;
};

TEST_F(FindProgram, TakesTheFirstFolderThatHasIt) {
  const fs::path first = add("a/tool", fs::perms::owner_all);
  add("b/tool", fs::perms::owner_all);
  const std::string root = folder_.path();
  setenv("PATH", (root + "/none:" + root + "/a:" + root + "/b").c_str(), 1);
  EXPECT_EQ(find_program("tool"), first);
  EXPECT_EQ(find_program("another"), "");
}

TEST_F(FindProgram, SkipsFilesThatCannotRunFoldersAndRelativePlaces) {
  add("a/tool", fs::perms::owner_read);
  fs::create_directories(folder_.path() / "b" / "tool");
  const std::string root = folder_.path();
  setenv("PATH", (":.:bin:" + root + "/a:" + root + "/b").c_str(), 1);
  EXPECT_EQ(find_program("tool"), "");
}

TEST_F(FindProgram, ASlashMakesItAPath) {
  const fs::path tool = add("tool", fs::perms::owner_all);
  EXPECT_EQ(find_program(tool), tool);
  EXPECT_EQ(find_program(tool.string() + "x"), "");
}

}  // namespace
}  // namespace tessera
