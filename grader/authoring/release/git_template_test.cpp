#include "grader/authoring/release/git_template.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "common/text.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A template from an earlier release, and a new handout.
class Template : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "Git is not installed";
    folder_.write("repo/labs/01-a/kernel.cu", "old");
    folder_.write("repo/gone.txt", "old");
    ASSERT_EQ(make_repository(repo()), std::nullopt);
    folder_.write("handout/labs/01-a/kernel.cu", "new");
    folder_.write("handout/labs/02-b/kernel.cu", "new");
  }

  std::optional<std::string> update() const {
    return update_repository(folder_.path() / "handout", repo());
  }

  int git(const std::string& arguments) const {
    return std::system(("git -C '" + repo().string() + "' " + arguments + " >/dev/null").c_str());
  }

  fs::path repo() const { return folder_.path() / "repo"; }

  TestFolder folder_;
};

TEST_F(Template, GetsACommitThatStudentsCanPull) {
  ASSERT_EQ(git("clone --quiet . ../student"), 0);
  ASSERT_EQ(update(), std::nullopt);
  ASSERT_EQ(
      std::system(("git -C '" + (folder_.path() / "student").string() + "' pull --quiet --ff-only")
                      .c_str()),
      0);
  EXPECT_EQ(*read_file(folder_.path() / "student/labs/01-a/kernel.cu"), "new");
  EXPECT_EQ(*read_file(folder_.path() / "student/labs/02-b/kernel.cu"), "new");
  EXPECT_FALSE(fs::exists(folder_.path() / "student/gone.txt"));
}

TEST_F(Template, KeepsWhatOthersAdded) {
  folder_.write("repo/notes.md", "the teacher's");
  ASSERT_EQ(git("add --all"), 0);
  ASSERT_EQ(git("-c user.name=T -c user.email=t@example.org commit --quiet -m notes"), 0);
  ASSERT_EQ(update(), std::nullopt);
  EXPECT_TRUE(fs::exists(repo() / "notes.md"));
  EXPECT_FALSE(fs::exists(repo() / "gone.txt"));
  folder_.write("handout/later.txt", "x");
  ASSERT_EQ(update(), std::nullopt);
  EXPECT_TRUE(fs::exists(repo() / "notes.md"));
}

TEST_F(Template, GetsNoCommitWhereNothingChanged) {
  ASSERT_EQ(update(), std::nullopt);
  ASSERT_EQ(git("tag first"), 0);
  ASSERT_EQ(update(), std::nullopt);
  EXPECT_EQ(git("diff --quiet first HEAD"), 0);
  EXPECT_EQ(
      std::system(("test $(git -C '" + repo().string() + "' rev-list --count HEAD) = 2").c_str()),
      0);
}

TEST_F(Template, IsLeftAloneWhileItHasChanges) {
  folder_.write("repo/labs/01-a/kernel.cu", "being edited");
  EXPECT_EQ(update(), "has changes that are not committed; commit them first");
  EXPECT_EQ(*read_file(repo() / "labs/01-a/kernel.cu"), "being edited");
}

TEST_F(Template, IsARepository) {
  EXPECT_EQ(update_repository(folder_.path() / "handout", folder_.path() / "handout"),
            "is not a Git repository with a working tree");
}

TEST(TemplateWithoutGit, NamesWhatIsMissing) {
  const TestFolder folder;
  folder.write("handout/README.md", "labs");
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.path().c_str(), 1);
  EXPECT_EQ(make_repository(folder.path() / "handout"), "Git is not installed");
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace tessera
