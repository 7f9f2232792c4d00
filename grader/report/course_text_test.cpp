#include "grader/report/course_text.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

class CourseReport : public testing::Test {
 protected:
  CourseReport() {
    course_.title = "GPU programming";
    course_.labs = {
        {.id = "01-naive", .weight = 1, .due = parse_zoned_time("2026-10-01 22:00 +02:00")},
        {.id = "03-tiled", .weight = 3, .due = parse_zoned_time("2026-10-15 22:00 +02:00")}};
  }

  static Record record(const std::string& lab, double score, double max, double deferred) {
    Record record;
    record.lab = lab;
    record.score = score;
    record.max_score = max;
    record.deferred = deferred;
    return record;
  }

  static UnixTime at(const std::string& time) { return *parse_time(time); }

  Course course_;
};

TEST_F(CourseReport, WeighsWhatCouldBeMeasuredAndNamesWhatIsDueNext) {
  EXPECT_EQ(course_text(course_, {record("01-naive", 50, 100, 0), record("03-tiled", 70, 100, 30)},
                        at("2026-10-02T20:00:00Z")),
            "GPU programming: 87.5 % of what could be measured, by the weights of the course\n"
            "due next: 03-tiled, 2026-10-15 22:00 +02:00 (in 13 days)\n");
}

TEST_F(CourseReport, CountsHoursAndMinutesAsTheTimeComesNear) {
  const std::vector<Record> none;
  EXPECT_EQ(course_text(course_, none, at("2026-10-01T10:00:00Z")),
            "GPU programming\ndue next: 01-naive, 2026-10-01 22:00 +02:00 (in 10 hours)\n");
  EXPECT_EQ(course_text(course_, none, at("2026-10-01T19:30:00Z")),
            "GPU programming\ndue next: 01-naive, 2026-10-01 22:00 +02:00 (in 30 minutes)\n");
}

TEST_F(CourseReport, SaysNothingOfDatesThatHavePassedNorWithoutACourse) {
  EXPECT_EQ(course_text(course_, {}, at("2027-01-01T00:00:00Z")), "GPU programming\n");
  EXPECT_EQ(course_text(Course(), {record("01-naive", 1, 1, 0)}, 0), "");
}

TEST_F(CourseReport, ALabOfWhichNothingCouldBeMeasuredDoesNotCount) {
  EXPECT_EQ(course_text(course_, {record("01-naive", 80, 100, 0), record("03-tiled", 0, 100, 100)},
                        at("2027-01-01T00:00:00Z")),
            "GPU programming: 80.0 % of what could be measured, by the weights of the course\n");
}

}  // namespace
}  // namespace tessera
