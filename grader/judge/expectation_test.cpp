#include "grader/judge/expectation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Expectation, IsReadFromTheFirstLine) {
  const auto read = read_expectation(
      "// expect: race, technique/1=fail -- nobody waits\n__global__ void f();\n", "no-barrier.cu");
  ASSERT_TRUE(read);
  EXPECT_THAT(read->words, ElementsAre("race", "technique/1=fail"));
  EXPECT_EQ(read->why, "nobody waits");
}

TEST(Expectation, ALineWithoutAReasonIsAnError) {
  const auto read = read_expectation("// expect: race\n", "no-barrier.cu");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().str(), HasSubstr("no-barrier.cu:1: the first line tells"));
}

TEST(Expectation, AnUnknownWordIsAnErrorWithTheNearestOne) {
  const auto kind = read_expectation("// expect: wrong-results -- why\n", "a.cu");
  ASSERT_FALSE(kind);
  EXPECT_THAT(kind.error().message, HasSubstr("did you mean 'wrong-result'?"));
  const auto status = read_expectation("// expect: technique/1=lost -- why\n", "a.cu");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("like technique/1=fail"));
}

TEST(Expectation, AnUnknownDiagnosisIsAnErrorWithTheNearestOne) {
  EXPECT_TRUE(read_expectation("// expect: wrong-result, diagnosis=zero -- why\n", "a.cu"));
  EXPECT_TRUE(read_expectation("// expect: wrong-result, diagnosis=none -- why\n", "a.cu"));
  const auto read = read_expectation("// expect: diagnosis=missing-last-fase -- why\n", "a.cu");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message,
              HasSubstr("is no diagnosis (did you mean 'missing-last-phase'?)"));
}

TEST(Expectation, ADiagnosisIsTheOnlyOne) {
  Finding wrong;
  wrong.example = {{"diagnosis", "zero"}};
  Record record;
  record.items.emplace_back();
  record.items[0].findings = {wrong, Finding()};
  EXPECT_THAT(missing_words({{"diagnosis=zero"}, "why"}, record), IsEmpty());
  EXPECT_THAT(missing_words({{"diagnosis=none"}, "why"}, record), ElementsAre("diagnosis=none"));
  wrong.example = {{"diagnosis", "sign-changed"}};
  record.items[0].findings.push_back(wrong);
  EXPECT_THAT(missing_words({{"diagnosis=zero"}, "why"}, record), ElementsAre("diagnosis=zero"));
}

TEST(Expectation, WhatTheRecordDoesNotShowIsMissing) {
  Record record;
  Item item;
  item.id = "technique/1";
  item.status = Status::fail;
  Finding race;
  race.kind = FindingKind::race;
  item.findings = {race};
  record.items = {item};
  EXPECT_THAT(missing_words({{"race", "technique/1=fail"}, "why"}, record), IsEmpty());
  EXPECT_THAT(missing_words({{"race", "misaligned", "technique/1=pass"}, "why"}, record),
              ElementsAre("misaligned", "technique/1=pass"));
}

}  // namespace
}  // namespace tessera
