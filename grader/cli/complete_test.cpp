#include "grader/cli/complete.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;
using Values = std::map<std::string, Words>;

class Complete : public testing::Test {
 protected:
  Complete() {
    CLI::App* grade = app_.add_subcommand("grade", "Grade labs");
    grade->add_option("LAB", labs_, "Labs");
    grade->add_option("--compiler", text_, "What compiles")
        ->check(CLI::IsMember({"nvrtc", "clang"}));
    grade->add_option("--from", text_, "A folder");
    grade->add_flag("--watch", flag_, "Again and again");
    CLI::App* lab = app_.add_subcommand("lab", "What an instructor does");
    lab->add_subcommand("new", "A new one");
    lab->add_subcommand("check", "Proves it");
  }

  Words after(const Words& words) const {
    Words found;
    for (const Completion& completion :
         completions(app_, words, {{"LAB", {"00-first", "03-tiled"}}}))
      found.push_back(completion.word);
    return found;
  }

  CLI::App app_;
  Words labs_;
  std::string text_;
  bool flag_ = false;
};

TEST_F(Complete, OffersCommandsThatBeginSo) {
  EXPECT_THAT(after({""}), ElementsAre("grade", "lab"));
  EXPECT_THAT(after({"gr"}), ElementsAre("grade"));
  EXPECT_THAT(after({"lab", ""}), ElementsAre("new", "check"));
  EXPECT_THAT(after({"x"}), IsEmpty());
}

TEST_F(Complete, OffersOptionsOfTheCommandWithTheirHelp) {
  EXPECT_THAT(after({"grade", "--"}), ElementsAre("--help", "--compiler", "--from", "--watch"));
  EXPECT_THAT(after({"lab", "new", "--"}), ElementsAre("--help"));
  EXPECT_EQ(completions(app_, {"grade", "--wa"}, {}).at(0).help, "Again and again");
}

TEST_F(Complete, OffersTheValuesOfAnOption) {
  EXPECT_THAT(after({"grade", "--compiler", ""}), ElementsAre("nvrtc", "clang"));
  EXPECT_THAT(after({"grade", "--compiler", "=", "c"}), ElementsAre("clang"));
  EXPECT_THAT(after({"grade", "--compiler", "="}), ElementsAre("nvrtc", "clang"));
  EXPECT_THAT(after({"grade", "--from", ""}), IsEmpty()) << "files are the shell's";
}

TEST_F(Complete, OffersLabsAgainAfterAnOptionAndItsValue) {
  EXPECT_THAT(after({"grade", "--watch", "0"}), ElementsAre("00-first", "03-tiled"));
  EXPECT_THAT(after({"grade", "00-first", "--compiler", "clang", "03"}), ElementsAre("03-tiled"));
}

TEST_F(Complete, OffersNoWordThatAShellWouldReadAsMore) {
  const Values values{{"LAB", {"03-tiled", "03-a$(touch p)", "03;reboot", "03-a\n", "03 b"}}};
  const auto found = completions(app_, {"grade", "0"}, values);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().word, "03-tiled");
}

}  // namespace
}  // namespace tessera
