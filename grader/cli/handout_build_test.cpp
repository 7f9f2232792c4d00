// A handout, followed as its README says, from the first `make grade` on. ccache finds most of what
// it compiles; without it this takes some minutes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/testing/source_root.h"
#include "grader/cli/test_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Handout : public testing::Test {
 protected:
  void release(const std::vector<std::string>& labs) {
    std::vector<std::string> arguments = {"lab",    "release",
                                          "--labs", (kRoot / "labs").string(),
                                          "--out",  (folder_.path() / "out").string()};
    arguments.insert(arguments.end(), labs.begin(), labs.end());
    const ProgramResult result = run_program(folder_, arguments);
    ASSERT_EQ(result.status, 0) << result.err;
  }

  /// `make` in the handout, as from a shell that no other make has started.
  ProgramResult make(const std::string& arguments) const {
    const fs::path log = folder_.path() / "make.txt";
    const std::string command = "cd '" + handout().string() +
                                "' && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u LAB -u FROM " +
                                "-u ARGS TESSERA_CACHE='" + (folder_.path() / "cache").string() +
                                "' make " + arguments + " >'" + log.string() + "' 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *read_file(log), ""};
  }

  fs::path handout() const { return folder_.path() / "out/handout"; }

  TestFolder folder_;
};

TEST_F(Handout, BuildsFromWhatItHoldsAndGradesWhatAStudentWrites) {
  release({"00", "03"});
  const ProgramResult skeletons = make("grade");
  EXPECT_EQ(skeletons.status, 1) << skeletons.out;
  EXPECT_THAT(skeletons.out, HasSubstr("03-tiled"));

  const char* const kernel = "03-tiled/kernel.cu";
  fs::copy_file(kRoot / "solutions" / kernel, handout() / "labs" / kernel,
                fs::copy_options::overwrite_existing);
  const ProgramResult solved = make("grade LAB=03");
  EXPECT_EQ(solved.status, 0) << solved.out;
  EXPECT_THAT(solved.out, Not(HasSubstr("error")));
}

}  // namespace
}  // namespace tessera
