#include "grader/cli/labs_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::HasSubstr;

std::string complaint(const std::string& labs, const std::string& own) {
  TestFolder folder;
  folder.write("VERSION", labs + "\n");
  const auto error = check_labs_version(folder.path(), own);
  return error ? error->message : "";
}

TEST(LabsVersion, LabsOfANewerTesseraAreRefusedInOneSentence) {
  EXPECT_EQ(complaint("0.10.0", "0.9.1"),
            "these labs are of Tessera 0.10.0, and this program is 0.9.1: install that version, or "
            "use `make grade` if the labs came with a program");
  EXPECT_THAT(complaint("2", "1.9.9"), HasSubstr("Tessera 2,"));
}

TEST(LabsVersion, LabsOfThisTesseraOrAnOlderOneAreGraded) {
  EXPECT_EQ(complaint("0.9.1", "0.9.1"), "");
  EXPECT_EQ(complaint("0.9.1", "0.10.0"), "");
  EXPECT_EQ(complaint("", "0.1.0"), "");
  TestFolder no_file;
  EXPECT_FALSE(check_labs_version(no_file.path(), "0.1.0"));
}

}  // namespace
}  // namespace tessera
