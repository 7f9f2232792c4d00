#include "grader/authoring/release/new_lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text.h"
#include "grader/authoring/proof/skeleton.h"
#include "grader/judge/testing/kit_grading.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A folder with two of the kit's labs.
class NewLabTest : public testing::Test {
 protected:
  NewLabTest() {
    for (const fs::path part : {"labs", "solutions"}) {
      fs::create_directories(folder_.path() / part);
      for (const fs::path lab : {"01-naive", "03-tiled"}) {
        fs::copy(kRoot / part / lab, folder_.path() / part / lab, fs::copy_options::recursive);
      }
    }
  }

  Expected<std::vector<fs::path>> create(const std::string& id, const std::string& from = "",
                                         const std::string& title = "") const {
    const fs::path kit = from.empty() ? kRoot / "grader/authoring/template" : folder_.path();
    return create_lab({.id = id,
                       .title = title,
                       .labs = folder_.path() / "labs",
                       .solutions = folder_.path() / "solutions",
                       .from = from.empty() ? kTemplateLab : from,
                       .from_labs = kit / "labs",
                       .from_solutions = kit / "solutions"});
  }

  std::string refusal(const std::string& id, const std::string& from = "") const {
    const auto result = create(id, from);
    return result ? "created" : result.error().str();
  }

  std::string content(const fs::path& name) const {
    const auto text = read_file(folder_.path() / name);
    return text ? *text : "no " + name.string();
  }

  Record graded(const std::string& id, const fs::path& kernel) const {
    const auto lab =
        load_lab(folder_.path() / "labs" / id, folder_.path() / "solutions" / id / "hidden.yaml",
                 kRoot / "datasets");
    if (!lab) throw std::runtime_error(lab.error().str());
    return grade(*lab, folder_.path() / kernel, kit_options(7));
  }

  void expect_sound(const std::string& id) const {
    const fs::path reference = "solutions/" + id + "/kernel.cu";
    const Record won = graded(id, reference);
    EXPECT_DOUBLE_EQ(won.score, won.max_score - won.deferred);
    const Record begun = graded(id, "labs/" + id + "/kernel.cu");
    EXPECT_DOUBLE_EQ(begun.score, 0);
    EXPECT_TRUE(begun.untouched);
    const auto skeleton = skeleton_of(content(reference), reference.string());
    ASSERT_TRUE(skeleton) << skeleton.error().str();
    EXPECT_EQ(content("labs/" + id + "/kernel.cu"), *skeleton);
  }

  TestFolder folder_;
};

TEST_F(NewLabTest, SmallLabIsSound) {
  ASSERT_TRUE(create("07-my-stencil"));
  expect_sound("07-my-stencil");
}

TEST_F(NewLabTest, WrongKernelsOfASmallLabAreCaught) {
  ASSERT_TRUE(create("07-my-stencil"));
  const Record no_guard = graded("07-my-stencil", "solutions/07-my-stencil/wrong/no-guard.cu");
  EXPECT_LT(no_guard.score, 30);
  const Record x_on_rows = graded("07-my-stencil", "solutions/07-my-stencil/ignores/x-on-rows.cu");
  EXPECT_DOUBLE_EQ(x_on_rows.score, 40);
}

TEST_F(NewLabTest, SmallLabSaysItsNumberAndTitle) {
  ASSERT_TRUE(create("07-my-stencil"));
  EXPECT_THAT(content("labs/07-my-stencil/README.md"), HasSubstr("# Lab 07: My stencil\n"));
  EXPECT_THAT(content("labs/07-my-stencil/README.md"), HasSubstr("make grade LAB=07\n"));
  EXPECT_THAT(content("labs/07-my-stencil/lab.yaml"), HasSubstr("title: My stencil\n"));
  EXPECT_THAT(content("labs/07-my-stencil/kernel.cu"), HasSubstr("// Lab 07: "));
}

TEST_F(NewLabTest, CopyIsSound) {
  ASSERT_TRUE(create("08-copy", "03-tiled"));
  expect_sound("08-copy");
}

TEST_F(NewLabTest, CopyHasItsOwnNumberAndTitle) {
  const auto files = create("08-copy", "03-tiled", "Tiles: once more");
  ASSERT_TRUE(files);
  EXPECT_THAT(content("labs/08-copy/lab.yaml"), HasSubstr("title: 'Tiles: once more'\n"));
  EXPECT_THAT(content("labs/08-copy/README.md"), HasSubstr("# Lab 08: Tiles: once more\n"));
  EXPECT_THAT(content("labs/08-copy/README.md"), HasSubstr("LAB=08"));
  EXPECT_THAT(content("solutions/08-copy/kernel.cu"), HasSubstr("// Lab 08: "));
  for (const fs::path& file : *files) {
    EXPECT_THAT(*read_file(file), Not(HasSubstr("03-tiled"))) << file;
  }
  EXPECT_THAT(*files, Contains(folder_.path() / "solutions/08-copy/hidden.yaml"));
  for (const std::string task : {"wrong", "ignores", "right"})
    EXPECT_FALSE(fs::exists(folder_.path() / "solutions/08-copy" / task)) << task;
}

TEST_F(NewLabTest, BadNamesAreRefused) {
  for (const std::string id : {"stencil", "7-stencil", "07", "07-", "07-Stencil", "07-a/b", "",
                               "../07-a", "07--a", "07-a\n"}) {
    EXPECT_THAT(refusal(id), HasSubstr("cannot be a lab's name")) << id;
  }
}

TEST_F(NewLabTest, NothingIsOverwritten) {
  EXPECT_THAT(refusal("03-tiled"), HasSubstr("labs/03-tiled: is there already"));
  folder_.write("solutions/09-kept/kernel.cu", "mine");
  EXPECT_THAT(refusal("09-kept"), HasSubstr("solutions/09-kept: is there already"));
  EXPECT_EQ(content("solutions/09-kept/kernel.cu"), "mine");
  EXPECT_FALSE(fs::exists(folder_.path() / "labs/09-kept"));
}

TEST_F(NewLabTest, NumberBelongsToOneLab) {
  EXPECT_THAT(refusal("03-other"), HasSubstr("labs/03-tiled: has the number 03 already"));
}

TEST_F(NewLabTest, LabWithoutReferenceCannotBeCopied) {
  fs::remove(folder_.path() / "solutions/03-tiled/kernel.cu");
  EXPECT_THAT(refusal("08-copy", "03-tiled"), HasSubstr("cannot be copied"));
  EXPECT_FALSE(fs::exists(folder_.path() / "labs/08-copy"));
}

}  // namespace
}  // namespace tessera
