// Follows a handout's README from the first `make grade` on. A handout without the program compiles
// only what this build has not compiled already (testing/ccache).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "common/testing/source_root.h"
#include "grader/cli/test_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

/// Releases two labs into out/ of the folder.
void release(const TestFolder& folder, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"lab", "release", "00", "03", "--out", "out"};
  arguments.insert(arguments.end(), {"--labs", (kRoot / "labs").string()});
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = run_program(folder, arguments);
  if (result.status != 0) throw std::runtime_error(result.err);
}

class Handout : public testing::Test {
 protected:
  /// Runs a command in the handout, as from a shell that was not started by make.
  ProgramResult shell(const std::string& line) const {
    const fs::path log = folder_.path() / "log.txt";
    const std::string command = "cd '" + handout().string() +
                                "' && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u LAB -u FROM " +
                                "-u ARGS TESSERA_CACHE='" + (folder_.path() / "cache").string() +
                                "' " + line + " >'" + log.string() + "' 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *read_file(log), ""};
  }

  void solve(const char* lab) const {
    const fs::path kernel = fs::path(lab) / "kernel.cu";
    fs::copy_file(kRoot / "solutions" / kernel, handout() / "labs" / kernel,
                  fs::copy_options::overwrite_existing);
  }

  fs::path handout() const { return folder_.path() / "out/handout"; }

  TestFolder folder_;
};

TEST_F(Handout, BuildsFromWhatItHoldsAndGradesWhatAStudentWrites) {
  release(folder_, {"--without-program"});
  const std::string build = fs::path(TESSERA_PROGRAM).parent_path().string();
  const ProgramResult skeletons =
      shell("TESSERA_CLONE='" + kRoot.string() + "' TESSERA_CLONE_BUILD='" + build + "' PATH='" +
            (kRoot / "grader/cli/testing").string() + "':\"$PATH\" make grade");
  EXPECT_EQ(skeletons.status, 1) << skeletons.out;
  EXPECT_THAT(skeletons.out, HasSubstr("03-tiled"));

  solve("03-tiled");
  const ProgramResult solved = shell("make grade LAB=03");
  EXPECT_EQ(solved.status, 0) << solved.out;
  EXPECT_THAT(solved.out, Not(HasSubstr("error")));
}

/// Released once, copied for each test; the sources of the grader, which no test edits, are links.
class HandoutWithProgram : public Handout {
 protected:
  static void SetUpTestSuite() {
    once_ = std::make_unique<TestFolder>();
    release(*once_, {"--program", fs::path(TESSERA_PROGRAM).parent_path().string()});
  }
  static void TearDownTestSuite() { once_.reset(); }

  HandoutWithProgram() {
    fs::create_directories(handout());
    for (const auto& entry : fs::directory_iterator(once_->path() / "out/handout")) {
      const fs::path name = entry.path().filename();
      fs::copy(entry, handout() / name,
               fs::copy_options::recursive | (name == "grader" ? fs::copy_options::create_hard_links
                                                               : fs::copy_options::none));
    }
  }

  fs::path program() const { return shell("sh -c 'printf bin/linux-%s/tessera $(uname -m)'").out; }

 private:
  static std::unique_ptr<TestFolder> once_;
};

std::unique_ptr<TestFolder> HandoutWithProgram::once_;

TEST_F(HandoutWithProgram, CompilesNothing) {
  solve("03-tiled");
  const ProgramResult solved = shell("CXX=/nonexistent make grade LAB=03");
  EXPECT_EQ(solved.status, 0) << solved.out;
  EXPECT_EQ(fs::canonical(handout() / "build/tessera"), fs::canonical(handout() / program()));
  EXPECT_FALSE(fs::exists(handout() / "build/CMakeCache.txt"));
  EXPECT_EQ(shell("./setup.sh --program").out, program().string() + "\n");
}

TEST_F(HandoutWithProgram, GradesWithoutTheFilesPermissionsToRun) {
  solve("03-tiled");
  ASSERT_EQ(shell("chmod a-x setup.sh bin/*/tessera*").status, 0);
  ASSERT_NE(shell("test -x setup.sh -o -x " + program().string()).status, 0);
  const ProgramResult solved = shell("CXX=/nonexistent make grade LAB=03");
  EXPECT_EQ(solved.status, 0) << solved.out;
}

TEST_F(HandoutWithProgram, GradesIfTheFolderBuildCannotBeCreated) {
  solve("03-tiled");
  folder_.write("out/handout/build", "in the way");
  const ProgramResult solved = shell("make grade LAB=03");
  EXPECT_EQ(solved.status, 0) << solved.out;
  EXPECT_THAT(solved.out, Not(HasSubstr("mkdir")));
  const ProgramResult made = shell("make");
  EXPECT_EQ(made.status, 2);
  EXPECT_THAT(made.out, Not(HasSubstr("is ready")));
}

TEST_F(HandoutWithProgram, SetupNamesALabAndReferencesThatAreThere) {
  if (shell("dpkg-query --status bubblewrap").status != 0)
    GTEST_SKIP() << "setup.sh would install bubblewrap";
  fs::remove_all(handout() / "labs/00-adjacent-difference");
  folder_.write("out/handout/solutions/03-tiled/hidden.yaml", "cases: []\n");
  const ProgramResult kit = shell("bash setup.sh");
  EXPECT_EQ(kit.status, 0) << kit.out;
  EXPECT_THAT(kit.out, HasSubstr("make grade LAB=01 "));
  EXPECT_THAT(kit.out, Not(HasSubstr("FROM=solutions")));
  folder_.write("out/handout/solutions/03-tiled/kernel.cu", "");
  EXPECT_THAT(shell("bash setup.sh").out, HasSubstr("make grade FROM=solutions"));
}

TEST_F(HandoutWithProgram, HelpNamesWhatWorksThere) {
  const std::string help = shell("make help").out;
  EXPECT_THAT(help, HasSubstr("\nmake grade "));
  EXPECT_THAT(help, Not(AnyOf(HasSubstr("make batch"), HasSubstr("make package"))));
  EXPECT_THAT(shell("make -C '" + kRoot.string() + "' help").out, HasSubstr("\nmake package "));
}

TEST_F(HandoutWithProgram, IsBuiltIfTheProgramDoesNotRun) {
  folder_.write("out/handout" / program(),
                "#!/bin/sh\necho 'version GLIBC_2.99 not found' >&2; exit 1\n");
  const ProgramResult answer = shell("./setup.sh --program");
  EXPECT_EQ(
      answer.out,
      "The program in bin/ does not run here (version GLIBC_2.99 not found); it is built from "
      "its sources.\n\n");
  const ProgramResult made = shell("PATH=/usr/bin:/bin CXX=/nonexistent make grade");
  EXPECT_EQ(made.status, 2);
  EXPECT_THAT(made.out, HasSubstr("CMake could not configure the build"));
}

TEST_F(HandoutWithProgram, LabsOfANewerTesseraAreRefused) {
  folder_.write("out/handout/labs/VERSION", "99.0.0\n");
  const ProgramResult refused = shell("make grade LAB=03");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.out, HasSubstr("these labs are of Tessera 99.0.0, and this program is "));
}

TEST(Release, WithoutAProgramForStudentsItSaysWhatMakesOne) {
  if (fs::exists(kRoot / "build-package/tessera")) GTEST_SKIP() << "build-package/ has one";
  const TestFolder folder;
  const ProgramResult refused = run_program(
      folder, {"lab", "release", "00", "--labs", (kRoot / "labs").string(), "--out", "out"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("there is no program for students here: `make package`"));
}

TEST_F(HandoutWithProgram, ReadsNothingElseIntoTheNameOfAFolder) {
  for (const std::string name : {"'$(shell touch taken)'", "\"o'\\`touch taken\\`'\""}) {
    const ProgramResult grade = shell("make grade LAB=03 FROM=" + name);
    EXPECT_NE(grade.status, 0) << name;
    EXPECT_THAT(grade.out, HasSubstr("touch taken")) << "the name, as it is";
    EXPECT_FALSE(fs::exists(handout() / "taken")) << name;
  }
}

}  // namespace
}  // namespace tessera
