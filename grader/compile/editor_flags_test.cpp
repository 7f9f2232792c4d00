// .clangd and compile_flags.txt: an editor without a CUDA Toolkit reports the same mistakes in a
// kernel as the grader's Clang.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "common/temporary_directory.h"
#include "common/testing/source_root.h"
#include "common/text.h"
#include "grader/compile/backend.h"
#include "grader/process/child_process.h"
#include "grader/process/find_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kFlags = kRoot / "common/include/compile_flags.txt";
const fs::path kMistake = kRoot / "solutions/01-naive/wrong/typing-mistake.cu";

/// The labs' skeletons and references and the solutions.
std::vector<fs::path> kernels() {
  std::vector<fs::path> found;
  for (const char* part : {"labs", "solutions"}) {
    for (const auto& lab : fs::directory_iterator(kRoot / part)) {
      if (!lab.is_directory()) continue;
      for (const auto& file : fs::directory_iterator(lab)) {
        if (file.path().extension() == ".cu") found.push_back(file.path());
      }
    }
  }
  return found;
}

/// The flags with paths as clangd reads them, relative to the file that contains them.
std::vector<std::string> editor_flags() {
  const auto text = read_file(kFlags);
  std::vector<std::string> flags = split_lines(text ? *text : "");
  for (std::string& flag : flags) {
    if (flag.starts_with("-I")) flag = "-I" + (kFlags.parent_path() / flag.substr(2)).string();
  }
  return flags;
}

ChildResult check(const std::string& clang, const fs::path& kernel) {
  std::vector<std::string> command = {clang, "-fsyntax-only"};
  for (const std::string& flag : editor_flags()) command.push_back(flag);
  command.push_back(kernel.string());
  const auto run = run_program(command, "", {});
  return run ? *run : ChildResult{.status = -1, .output = {}, .log = run.error().str()};
}

ChildResult check_in_editor(const std::string& clangd, const fs::path& kernel) {
  const auto run = run_program({clangd, "--check=" + kernel.string()}, "", {.cpu_seconds = 60});
  return run ? *run : ChildResult{.status = -1, .output = {}, .log = run.error().str()};
}

TEST(EditorFlags, EveryKernelOfTheKitIsFine) {
  const auto clang = find_clang();
  if (!clang) GTEST_SKIP() << clang.error().str();
  ASSERT_GE(kernels().size(), 18u);
  for (const fs::path& kernel : kernels()) {
    const ChildResult result = check(*clang, kernel);
    EXPECT_EQ(result.status, 0) << kernel;
    EXPECT_EQ(result.log, "") << kernel;
  }
}

TEST(EditorFlags, AMistakeIsReportedAtItsPlace) {
  const auto clang = find_clang();
  if (!clang) GTEST_SKIP() << clang.error().str();
  const ChildResult result = check(*clang, kMistake);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.log, HasSubstr("typing-mistake.cu:13:"));
}

TEST(EditorFlags, ClangdFindsThem) {
  const std::string clangd = find_program("clangd");
  if (clangd.empty()) GTEST_SKIP() << "no clangd here";
  const ChildResult fine = check_in_editor(clangd, kRoot / "labs/03-tiled/kernel.cu");
  EXPECT_EQ(fine.status, 0) << fine.log;
  EXPECT_THAT(fine.log, HasSubstr("tessera/clang/builtins.cuh"));
  EXPECT_THAT(check_in_editor(clangd, kMistake).log, HasSubstr("[undeclared_var_use"));
}

TEST(EditorFlags, ClangdFindsThemInAnyFolder) {
  const std::string clangd = find_program("clangd");
  if (clangd.empty()) GTEST_SKIP() << "no clangd here";
  const TemporaryDirectory folder;
  const fs::path kit = folder.path() / "a course, cloned";
  fs::create_directories(kit / "common");
  fs::copy_file(kRoot / ".clangd", kit / ".clangd");
  fs::copy(kRoot / "common/include", kit / "common/include", fs::copy_options::recursive);
  fs::create_directories(kit / "mine/03-tiled");
  fs::copy_file(kRoot / "solutions/03-tiled/kernel.cu", kit / "mine/03-tiled/kernel.cu");
  // CMake's own database knows nothing about kernels, and must not be used for them.
  fs::create_directories(kit / "build");
  ASSERT_FALSE(write_file(kit / "build/compile_commands.json",
                          R"([{"directory": "/", "command": "g++ -c /x.cpp", "file": "/x.cpp"}])"));
  const ChildResult result = check_in_editor(clangd, kit / "mine/03-tiled/kernel.cu");
  EXPECT_EQ(result.status, 0) << result.log;
}

}  // namespace
}  // namespace tessera
