#include "grader/lab/course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/temporary_directory.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kCourse = R"(title: GPU programming
labs:
  - {lab: 01-naive, due: 2026-10-01 23:59 +02:00}
  - {lab: 03-tiled, weight: 2}
attempts: last
late: {grace_minutes: 10, per_day: 0.1, cap: 50 %, closed_after_days: 7, unknown_days: 1}
devices: [NVIDIA H200]
)";

const std::vector<std::string> kLabs = {"01-naive", "02-coalesced", "03-tiled"};

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class LoadCourse : public testing::Test {
 protected:
  Expected<Course> load(const std::string& yaml) const {
    return load_course(folder_.write("course.yaml", yaml), kLabs);
  }

  /// The error of kCourse after a replacement, without the folder.
  std::string error_of(const std::string& from, const std::string& to) const {
    const Expected<Course> course = load(with_replaced(kCourse, from, to));
    if (course) return "no error";
    return with_replaced(course.error().str(), folder_.path().string() + "/", "");
  }

  TemporaryDirectory folder_;
};

TEST_F(LoadCourse, SaysWhenGradescopeShowsHiddenItems) {
  EXPECT_EQ(load(kCourse)->gradescope.hidden_items, Visibility::visible);
  for (const auto& [word, visibility] :
       {std::pair("visible", Visibility::visible), std::pair("hidden", Visibility::hidden),
        std::pair("after_due_date", Visibility::after_due_date),
        std::pair("after_published", Visibility::after_published)}) {
    const auto course = load(std::string(kCourse) + "gradescope: {hidden_items: " + word + "}\n");
    ASSERT_TRUE(course) << course.error().str();
    EXPECT_EQ(course->gradescope.hidden_items, visibility);
    EXPECT_EQ(to_string(visibility), word);
  }
  EXPECT_THAT(error_of("devices: [NVIDIA H200]", "gradescope: {hidden_items: after_due}"),
              HasSubstr("after_due_date"));
  EXPECT_THAT(error_of("devices: [NVIDIA H200]", "gradescope: {hidden: visible}"),
              HasSubstr("hidden_items"));
  EXPECT_THAT(error_of("devices: [NVIDIA H200]", "gradescope: {}"), HasSubstr("hidden_items"));
}

TEST_F(LoadCourse, ReadsEveryKey) {
  const Expected<Course> course = load(kCourse);
  ASSERT_TRUE(course) << course.error().str();
  EXPECT_EQ(course->title, "GPU programming");
  ASSERT_EQ(course->labs.size(), 2u);
  EXPECT_EQ(course->labs[0].id, "01-naive");
  EXPECT_EQ(course->labs[0].weight, 1);
  EXPECT_EQ(course->labs[0].due, parse_zoned_time("2026-10-01 23:59 +02:00"));
  EXPECT_EQ(course->labs[1].id, "03-tiled");
  EXPECT_EQ(course->labs[1].weight, 2);
  EXPECT_EQ(course->labs[1].due, std::nullopt);
  EXPECT_EQ(course->attempts, AttemptPolicy::last);
  EXPECT_EQ(course->late.grace_minutes, 10);
  EXPECT_EQ(course->late.per_day, 0.1);
  EXPECT_EQ(course->late.cap, 0.5);
  EXPECT_EQ(course->late.closed_after_days, 7);
  EXPECT_EQ(course->late.unknown_days, 1);
  EXPECT_THAT(course->devices, ElementsAre("NVIDIA H200"));
}

TEST_F(LoadCourse, OnlyTitleAndLabsAreRequired) {
  const Expected<Course> course = load("title: GPU\nlabs: [{lab: 03-tiled}]\n");
  ASSERT_TRUE(course) << course.error().str();
  EXPECT_EQ(course->attempts, AttemptPolicy::best);
  EXPECT_EQ(course->late.penalty(1e9, 100), 0);
  EXPECT_EQ(error_of("title: GPU programming\n", ""),
            "course.yaml:1:1: the course has no 'title'; add it");
  EXPECT_THAT(error_of("lab: 01-naive, ", ""),
              HasSubstr("course.yaml:3:5: the course's lab has no 'lab'"));
}

TEST_F(LoadCourse, UnknownWordsOfferTheNearest) {
  EXPECT_EQ(error_of("attempts:", "atempts:"),
            "course.yaml:5:1: unknown key 'atempts' in a course (did you mean 'attempts'?); known "
            "are title, timezone, labs, attempts, late, extensions, devices, gradescope");
  EXPECT_THAT(error_of("weight:", "wieght:"), HasSubstr("4:21: unknown key 'wieght'"));
  EXPECT_THAT(error_of("per_day:", "perday:"), HasSubstr("did you mean 'per_day'?"));
  EXPECT_THAT(error_of("01-naive", "01-naiv"),
              HasSubstr("3:11: unknown lab '01-naiv' (did you mean '01-naive'?)"));
  EXPECT_THAT(error_of("attempts: last", "attempts: lst"),
              HasSubstr("unknown policy 'lst' (did you mean 'last'?); known are best, last, "
                        "active"));
}

TEST_F(LoadCourse, ValuesAreChecked) {
  EXPECT_THAT(error_of("2026-10-01 23:59 +02:00", "tomorrow"),
              HasSubstr("course.yaml:3:26: 'due' is 'tomorrow'; expected a time such as"));
  EXPECT_THAT(error_of("weight: 2", "weight: -2"), HasSubstr("'weight' is '-2'"));
  EXPECT_THAT(error_of("weight: 2", "weight: two"), HasSubstr("'weight' is 'two'"));
  EXPECT_THAT(error_of("per_day: 0.1", "per_day: 10"),
              HasSubstr("'per_day' is '10'; expected a number from 0 to 1"));
  EXPECT_THAT(error_of("per_day: 0.1", "per_day: [1]"), HasSubstr("'per_day' is a list"));
  EXPECT_THAT(error_of("50 %", "150 %"), HasSubstr("'cap' is '150 %'; expected 0 % to 100 %"));
  EXPECT_THAT(error_of("50 %", "fifty %"), HasSubstr("'cap' is 'fifty %'"));
  EXPECT_THAT(error_of("grace_minutes: 10", "grace_minutes: -1"), HasSubstr("'grace_minutes'"));
  EXPECT_THAT(error_of("unknown_days: 1", "unknown_days: -1"), HasSubstr("'unknown_days' is '-1'"));
  EXPECT_THAT(error_of("days: 7", "days: .inf"), HasSubstr("'closed_after_days' is '.inf'"));
  EXPECT_THAT(error_of("[NVIDIA H200]", "NVIDIA H200"), HasSubstr("expected a list"));
  EXPECT_THAT(error_of("[NVIDIA H200]", "[[]]"), HasSubstr("expected the name of a device"));
  EXPECT_THAT(error_of("{grace_minutes: 10, per_day: 0.1, cap: 50 %, closed_after_days: 7, "
                       "unknown_days: 1}",
                       "[1]"),
              HasSubstr("course.yaml:6:7: a late section is a mapping"));
}

TEST_F(LoadCourse, ADateHasAnOffsetOrTheCourseAZone) {
  EXPECT_THAT(error_of(" +02:00", ""),
              HasSubstr("3:26: 'due' is '2026-10-01 23:59', without a time zone; add its offset"));
  const Expected<Course> course =
      load("timezone: Europe/Berlin\n" + with_replaced(kCourse, " +02:00", ""));
  ASSERT_TRUE(course) << course.error().str();
  EXPECT_EQ(course->labs[0].due, parse_zoned_time("2026-10-01 23:59 +02:00"));
  EXPECT_THAT(error_of("title: GPU programming", "title: T\ntimezone: Europe/Berln"),
              HasSubstr("course.yaml:2:11: unknown time zone 'Europe/Berln'"));
}

TEST_F(LoadCourse, DatesAreOfThisCenturyAndInOrder) {
  EXPECT_THAT(error_of("2026-10-01", "1926-10-01"),
              HasSubstr("3:26: 'due' is '1926-10-01 23:59 +02:00'; expected a year from 2020"));
  EXPECT_THAT(error_of("weight: 2", "due: 2026-09-01 23:59 +02:00"),
              HasSubstr("4:26: 'due' is '2026-09-01 23:59 +02:00', before 2026-10-01 23:59 +02:00 "
                        "of a lab that comes first"));
}

TEST_F(LoadCourse, ExtensionsAndABudgetAreData) {
  const Expected<Course> course = load(
      std::string("extensions: [{student: jane, lab: 03-tiled, until: 2026-10-20T21:59:00Z}]\n") +
      with_replaced(kCourse, "per_day: 0.1", "per_day: 0.1, budget_days: 3"));
  ASSERT_TRUE(course) << course.error().str();
  ASSERT_EQ(course->extensions.size(), 1u);
  EXPECT_EQ(course->extensions[0].student, "jane");
  EXPECT_EQ(course->extensions[0].lab, "03-tiled");
  EXPECT_EQ(course->extensions[0].until, parse_zoned_time("2026-10-20T21:59:00Z"));
  EXPECT_EQ(course->late.budget_days, 3);
  EXPECT_THAT(error_of("attempts: last", "extensions: [{student: jane, lab: 03-tiled}]"),
              HasSubstr("the extension has no 'until'"));
}

TEST_F(LoadCourse, ALabIsGivenOnce) {
  EXPECT_THAT(error_of("03-tiled", "01-naive"),
              HasSubstr("course.yaml:4:11: the lab '01-naive' is given twice"));
}

TEST_F(LoadCourse, SomeLabCounts) {
  EXPECT_THAT(error_of("  - {lab: 01-naive, due: 2026-10-01 23:59 +02:00}\n  - {lab: 03-tiled, "
                       "weight: 2}",
                       "  - {lab: 03-tiled, weight: 0}"),
              HasSubstr("every 'weight' is 0"));
}

TEST_F(LoadCourse, AMissingFileIsNamed) {
  const Expected<Course> course = load_course(folder_.path() / "none.yaml", kLabs);
  ASSERT_FALSE(course);
  EXPECT_THAT(course.error().str(), HasSubstr("none.yaml"));
}

TEST(DefaultCourse, HasAllLabsWithEqualWeights) {
  const Course course = default_course(kLabs);
  ASSERT_EQ(course.labs.size(), 3u);
  EXPECT_EQ(course.labs[2].id, "03-tiled");
  EXPECT_EQ(course.labs[2].weight, 1);
  EXPECT_EQ(course.labs[2].due, std::nullopt);
  EXPECT_EQ(course.attempts, AttemptPolicy::best);
}

constexpr double kMinute = 60;
constexpr double kDay = 24 * 3600;

TEST(LatePolicy, EarlyAndInTimeCostNothing) {
  const LatePolicy late{.per_day = 0.1};
  EXPECT_EQ(late.penalty(-5 * kDay, 100), 0);
  EXPECT_EQ(late.penalty(0, 100), 0);
}

TEST(LatePolicy, EveryDayBegunCosts) {
  const LatePolicy late{.per_day = 0.125};
  EXPECT_EQ(late.penalty(1, 80), 10);
  EXPECT_EQ(late.penalty(kDay, 80), 10);
  EXPECT_EQ(late.penalty(kDay + 1, 80), 20);
}

TEST(LatePolicy, TheClockStartsAfterTheGrace) {
  const LatePolicy late{.grace_minutes = 10, .per_day = 0.125};
  EXPECT_EQ(late.penalty(10 * kMinute, 80), 0);
  EXPECT_EQ(late.penalty(10 * kMinute + 1, 80), 10);
  EXPECT_EQ(late.penalty(kDay + 10 * kMinute, 80), 10);
  EXPECT_EQ(late.penalty(kDay + 10 * kMinute + 1, 80), 20);
}

TEST(LatePolicy, CostsNoMoreThanTheCap) {
  const LatePolicy late{.per_day = 0.25, .cap = 0.5};
  EXPECT_EQ(late.penalty(1.5 * kDay, 80), 40);
  EXPECT_EQ(late.penalty(100 * kDay, 80), 40);
}

TEST(LatePolicy, AClosedLabEarnsNothing) {
  const LatePolicy late{.per_day = 0.125, .cap = 0.25, .closed_after_days = 3};
  EXPECT_EQ(late.penalty(3 * kDay, 80), 20);
  EXPECT_EQ(late.penalty(3 * kDay + 1, 80), 80);
}

TEST(LatePolicy, CostsWhereItCanTakePoints) {
  EXPECT_FALSE(LatePolicy().costs());
  EXPECT_FALSE((LatePolicy{.per_day = 0.1, .cap = 0}).costs());
  EXPECT_TRUE(LatePolicy{.per_day = 0.1}.costs());
  EXPECT_TRUE(LatePolicy{.closed_after_days = 3}.costs());
}

}  // namespace
}  // namespace tessera
