#include "grader/lab/course_labs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/temporary_directory.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Lab lab_with(Threshold threshold) {
  Lab lab;
  lab.directory = "labs/03-tiled";
  lab.thresholds = {std::move(threshold)};
  return lab;
}

Threshold for_every_card() {
  Threshold threshold;
  threshold.metric = Metric::speedup;
  threshold.range = Threshold::Range{.zero = 1, .full = 2};
  return threshold;
}

Threshold for_card(const std::string& name) {
  Threshold threshold;
  threshold.metric = Metric::time_ms;
  threshold.devices[name] = {.zero = 6, .full = 3};
  return threshold;
}

TEST(CourseOf, IsAllLabsOfTheFolderWithoutAFile) {
  const TestFolder folder;
  folder.write("02-b/lab.yaml", "");
  folder.write("01-a/lab.yaml", "");
  folder.write("notes/README.md", "");
  const Expected<Course> course = course_of(folder.path());
  ASSERT_TRUE(course);
  EXPECT_EQ(course->title, "");
  ASSERT_EQ(course->labs.size(), 2u);
  EXPECT_EQ(course->labs[0].id, "01-a");
  EXPECT_EQ(course->labs[1].id, "02-b");
}

TEST(CourseOf, IsWhatTheFileSays) {
  const TestFolder folder;
  folder.write("02-b/lab.yaml", "");
  folder.write("01-a/lab.yaml", "");
  folder.write("course.yaml", "title: T\nlabs: [{lab: 02-b}]\n");
  const Expected<Course> course = course_of(folder.path());
  ASSERT_TRUE(course) << course.error().str();
  EXPECT_EQ(course->title, "T");
  ASSERT_EQ(course->labs.size(), 1u);
  EXPECT_EQ(course->labs[0].id, "02-b");
}

TEST(CourseDevices, ARangeForEveryCardIsOneForEachOfTheCourse) {
  Course course;
  course.devices = {"NVIDIA H200", "NVIDIA A100"};
  Lab lab = lab_with(for_every_card());
  EXPECT_FALSE(keep_course_devices(course, lab));
  EXPECT_FALSE(lab.thresholds[0].range);
  ASSERT_EQ(lab.thresholds[0].devices.size(), 2u);
  EXPECT_EQ(lab.thresholds[0].devices.at("NVIDIA A100").full, 2);
  EXPECT_THAT(lab.devices, ElementsAre("NVIDIA H200", "NVIDIA A100"));
}

TEST(CourseDevices, OtherCardsDoNotCount) {
  Course course;
  course.devices = {"NVIDIA H200"};
  Threshold threshold = for_card("NVIDIA H200");
  threshold.devices["NVIDIA A100"] = {.zero = 12, .full = 6};
  Lab lab = lab_with(threshold);
  EXPECT_FALSE(keep_course_devices(course, lab));
  ASSERT_EQ(lab.thresholds[0].devices.size(), 1u);
  EXPECT_TRUE(lab.thresholds[0].devices.contains("NVIDIA H200"));
}

TEST(CourseDevices, AThresholdForOtherCardsAloneIsAnError) {
  Course course;
  course.devices = {"NVIDIA A100"};
  Lab lab = lab_with(for_card("NVIDIA H200"));
  const auto error = keep_course_devices(course, lab);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->str(), HasSubstr("labs/03-tiled/lab.yaml"));
  EXPECT_THAT(error->str(), HasSubstr("threshold 1 (time_ms) is set for NVIDIA H200, but "
                                      "course.yaml counts NVIDIA A100 alone"));
}

TEST(CourseDevices, ModelledTimeNeedsNoCard) {
  Course course;
  course.devices = {"NVIDIA A100"};
  Threshold threshold = for_card("NVIDIA H200");
  threshold.metric = Metric::modelled_time_ms;
  Lab lab = lab_with(threshold);
  EXPECT_FALSE(keep_course_devices(course, lab));
  EXPECT_TRUE(lab.thresholds[0].devices.contains("NVIDIA H200"));
}

TEST(CourseDevices, WithoutAnyAllCount) {
  Lab lab = lab_with(for_every_card());
  EXPECT_FALSE(keep_course_devices(Course(), lab));
  EXPECT_TRUE(lab.thresholds[0].range);
  EXPECT_THAT(lab.devices, IsEmpty());
}

TEST(CourseText, ReadsBackAsItWas) {
  Course course;
  course.title = "Title: with \"quotes\", a #, and ü";
  course.labs = {{.id = "01-a", .weight = 2.5, .due = parse_zoned_time("2026-10-01 23:59 +02:00")},
                 {.id = "02-b"}};
  course.attempts = AttemptPolicy::active;
  course.late = {
      .grace_minutes = 10, .per_day = 0.1, .cap = 0.5, .closed_after_days = 7, .unknown_days = 2};
  course.devices = {"NVIDIA H200"};
  course.gradescope.hidden_items = Visibility::after_due_date;
  const TemporaryDirectory folder;
  const auto file = folder.write("course.yaml", to_yaml(course));
  const Expected<Course> read = load_course(file, {"01-a", "02-b"});
  ASSERT_TRUE(read) << read.error().str() << "\n" << to_yaml(course);
  EXPECT_EQ(read->title, course.title);
  ASSERT_EQ(read->labs.size(), 2u);
  EXPECT_EQ(read->labs[0].id, "01-a");
  EXPECT_EQ(read->labs[0].weight, 2.5);
  EXPECT_EQ(read->labs[0].due, course.labs[0].due);
  EXPECT_EQ(read->labs[1].due, std::nullopt);
  EXPECT_EQ(read->attempts, AttemptPolicy::active);
  EXPECT_EQ(read->late.grace_minutes, 10);
  EXPECT_EQ(read->late.per_day, 0.1);
  EXPECT_EQ(read->late.cap, 0.5);
  EXPECT_EQ(read->late.closed_after_days, 7);
  EXPECT_EQ(read->late.unknown_days, 2);
  EXPECT_THAT(read->devices, ElementsAre("NVIDIA H200"));
  EXPECT_EQ(read->gradescope.hidden_items, Visibility::after_due_date);
}

TEST(CourseText, IsAsAPersonWouldWriteIt) {
  Course course;
  course.title = "T";
  course.labs = {{.id = "01-a", .weight = 0.3, .due = parse_zoned_time("2026-10-01 23:59 +01:00")}};
  course.late = {.per_day = 0.1};
  EXPECT_THAT(to_yaml(course),
              testing::AllOf(HasSubstr("due: 2026-10-01 23:59 +01:00"), HasSubstr("weight: 0.3}"),
                             HasSubstr("per_day: 0.1,")));
}

TEST(PartOfACourse, KeepsTheOrderOfTheCourse) {
  Course course;
  course.title = "T";
  course.labs = {{.id = "03-c"}, {.id = "01-a"}, {.id = "02-b"}};
  const Course part = part_of(course, {"01-a", "03-c", "09-none"});
  ASSERT_EQ(part.labs.size(), 2u);
  EXPECT_EQ(part.labs[0].id, "03-c");
  EXPECT_EQ(part.labs[1].id, "01-a");
  EXPECT_EQ(part.title, "T");
}

}  // namespace
}  // namespace tessera
