#include "grader/authoring/mutation/accepted_mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class AcceptedMutants : public testing::Test {
 protected:
  Expected<Accepted> read(const std::string& content) const {
    folder_.write("mutants.yaml", content);
    return read_accepted(folder_.path() / "mutants.yaml");
  }

  TestFolder folder_;
};

TEST_F(AcceptedMutants, AreNoneWithoutAFile) {
  const auto accepted = read_accepted(folder_.path() / "mutants.yaml");
  ASSERT_TRUE(accepted);
  EXPECT_TRUE(accepted->mutants.empty());
  EXPECT_TRUE(accepted->references.empty());
}

TEST_F(AcceptedMutants, HaveAnIdAndAReason) {
  const auto accepted = read("accepted_mutants:\n  - {id: guard-1, reason: never reached}\n");
  ASSERT_TRUE(accepted);
  EXPECT_THAT(accepted->mutants, ElementsAre(Pair("guard-1", "never reached")));
}

TEST_F(AcceptedMutants, StandBesideAcceptedReferences) {
  const auto accepted = read("accepted_references:\n  - {lab: 01-naive, reason: it is the same}\n");
  ASSERT_TRUE(accepted);
  EXPECT_THAT(accepted->references, ElementsAre(Pair("01-naive", "it is the same")));
}

TEST_F(AcceptedMutants, WithoutAReasonAreAnErrorWithItsLine) {
  const auto accepted = read("accepted_mutants:\n  - {id: guard-1}\n");
  ASSERT_FALSE(accepted);
  EXPECT_THAT(accepted.error().str(), HasSubstr("mutants.yaml:2:"));
  EXPECT_THAT(accepted.error().str(), HasSubstr("reason"));
}

TEST_F(AcceptedMutants, TwiceAreAnError) {
  const auto accepted = read("accepted_mutants:\n  - {id: a, reason: b}\n  - {id: a, reason: c}\n");
  ASSERT_FALSE(accepted);
  EXPECT_THAT(accepted.error().str(), HasSubstr("mutants.yaml:3:"));
}

}  // namespace
}  // namespace tessera
