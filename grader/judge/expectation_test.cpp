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
      "// expect: race, technique/1=fail -- no thread waits\n__global__ void f();\n",
      "no-barrier.cu");
  ASSERT_TRUE(read);
  EXPECT_THAT(read->words, ElementsAre("race", "technique/1=fail"));
  EXPECT_EQ(read->why, "no thread waits");
}

std::string error_of(const std::string& source) {
  const auto read = read_expectation(source, "no-barrier.cu");
  return read ? "no error" : read.error().str();
}

TEST(Expectation, WhatIsMissingIsNamed) {
  EXPECT_THAT(error_of(""), HasSubstr("no-barrier.cu:1: the first line must say"));
  EXPECT_THAT(error_of("#include <tessera/lab.cuh>\n"), HasSubstr("1: the first line must say"));
  for (const char* header :
       {"// expect: race\n", "// expect: race --\n", "// expect: race -- \n"}) {
    EXPECT_EQ(error_of(header),
              "no-barrier.cu:1: gives no reason: write '// expect: race -- ' and then the reason");
  }
}

TEST(Expectation, AnItemThatTheLabDoesNotHaveIsNamed) {
  Lab lab;
  lab.cases.resize(3);
  lab.technique.resize(1);
  EXPECT_EQ(unknown_item({{"race", "diagnosis=zero", "technique/1=fail"}, "why"}, lab), "");
  EXPECT_EQ(unknown_item({{"correctness/3=fail"}, "why"}, lab), "");
  EXPECT_EQ(unknown_item({{"technique/2=fail"}, "why"}, lab),
            "no item 'technique/2': this lab has correctness/1 to 3, technique/1");
  EXPECT_THAT(unknown_item({{"correctness/0=fail"}, "why"}, lab), HasSubstr("'correctness/0'"));
  EXPECT_THAT(unknown_item({{"checks=fail"}, "why"}, lab), HasSubstr("no item 'checks'"));
  lab.forbid = {FindingKind::race};
  EXPECT_EQ(unknown_item({{"checks=fail"}, "why"}, lab), "");
}

TEST(Expectation, LostTechniqueAndPerformanceLeaveTheKernelRight) {
  EXPECT_TRUE(loses_no_correctness({{"technique/1=fail", "performance/2=partial"}, "why"}));
  EXPECT_FALSE(loses_no_correctness({{"technique/1=fail", "race"}, "why"}));
  EXPECT_FALSE(loses_no_correctness({{"correctness/1=fail"}, "why"}));
}

TEST(Expectation, WhatARecordLosesIsSaidInTheSameWords) {
  const auto item = [](const std::string& id, Status status) {
    Item made;
    made.id = id;
    made.status = status;
    return made;
  };
  Finding race;
  race.kind = FindingKind::race;
  Record record;
  record.items = {item("correctness/1", Status::fail), item("technique/1", Status::fail),
                  item("technique/2", Status::pass)};
  record.items[0].findings = {race, race};
  EXPECT_THAT(lost_words(record), ElementsAre("race", "technique/1=fail"));
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

TEST(Expectation, ANamedDiagnosisMustBeTheOnlyOne) {
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
