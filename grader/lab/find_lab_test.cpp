#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/lab/lab.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::HasSubstr;

class FindLab : public testing::Test {
 protected:
  FindLab() {
    for (const char* name : {"01-naive", "03-tiled", "10-tiled", "03-tiles", "05-transposed"}) {
      folder_.write(std::string(name) + "/lab.yaml", "");
    }
    folder_.write("notes/README.md", "");
  }

  std::string find(const std::string& word) {
    const auto lab = find_lab(folder_.path(), word);
    return lab ? lab->filename().string() : lab.error().message;
  }

  TestFolder folder_;
};

TEST_F(FindLab, ListsFoldersWithALabYamlByName) {
  const auto labs = find_labs(folder_.path());
  ASSERT_EQ(labs.size(), 5u);
  EXPECT_EQ(labs.front().filename(), "01-naive");
  EXPECT_EQ(labs.back().filename(), "10-tiled");
  EXPECT_TRUE(find_labs(folder_.path() / "nowhere").empty());
}

TEST_F(FindLab, TakesNumberNameOrBoth) {
  EXPECT_EQ(find("01"), "01-naive");
  EXPECT_EQ(find("1"), "01-naive");
  EXPECT_EQ(find("labs/01-naive/"), "01-naive") << "as the shell completes it";
  EXPECT_EQ(find("01-naive/"), "01-naive");
  EXPECT_EQ(find("naive"), "01-naive");
  EXPECT_EQ(find("01-naive"), "01-naive");
  EXPECT_EQ(find("1-naive"), "01-naive");
  EXPECT_EQ(find("10"), "10-tiled");
}

TEST_F(FindLab, SaysWhatIsAmbiguousOrUnknown) {
  EXPECT_EQ(find("03"), "'03' means several labs: 03-tiled, 03-tiles; give a whole name");
  EXPECT_EQ(find("tiled"), "'tiled' means several labs: 03-tiled, 10-tiled; give a whole name");
  EXPECT_THAT(find("transpose"), HasSubstr("no lab 'transpose' (did you mean 'transposed'?)"));
  EXPECT_THAT(find("7"), HasSubstr("no lab '7'"));
  EXPECT_THAT(find("7"), HasSubstr("there are 01-naive, 03-tiled"));
}

TEST_F(FindLab, SaysThatAFolderHasNoLabs) {
  const auto lab = find_lab(folder_.path() / "notes", "03");
  ASSERT_FALSE(lab);
  EXPECT_THAT(lab.error().message, HasSubstr("no labs here"));
}

}  // namespace
}  // namespace tessera
