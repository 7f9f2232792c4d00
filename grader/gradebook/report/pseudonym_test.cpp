#include "grader/gradebook/report/pseudonym.h"

#include <gmock/gmock.h>

#include <set>

#include "grader/gradebook/export/test_class.h"

namespace tessera {
namespace {

using testing::MatchesRegex;

TEST(Pseudonym, IsTheSameForTheSameStudentAndKey) {
  EXPECT_EQ(pseudonym(7, "key"), pseudonym(7, "key"));
  EXPECT_NE(pseudonym(7, "key"), pseudonym(8, "key"));
  EXPECT_NE(pseudonym(7, "key"), pseudonym(7, "other key"));
  EXPECT_THAT(pseudonym(7, "key"), MatchesRegex("[2-9bcdfghjkmnpqrstvwxyz]{4}-"
                                                "[2-9bcdfghjkmnpqrstvwxyz]{4}"));
}

TEST(Pseudonym, AClassOf2000HasNoTwoAlike) {
  std::set<std::string> all;
  for (RowId id = 1; id <= 2000; ++id) all.insert(pseudonym(id, "key"));
  EXPECT_EQ(all.size(), 2000);
}

TEST(Pseudonym, TheirOrderIsNotThatOfTheStudents) {
  int rising = 0;
  for (RowId id = 1; id < 1000; ++id) rising += pseudonym(id, "k") < pseudonym(id + 1, "k") ? 1 : 0;
  EXPECT_NEAR(rising, 500, 60);
}

class Anonymised : public ExportTest {
 protected:
  Anonymised() { add_class(); }
};

TEST_F(Anonymised, NothingOfAPersonIsLeft) {
  give_points_by_hand(bob_);
  for (const Mark& mark : anonymised(all_marks(), "key")) {
    const Identity& person = mark.student.identity;
    EXPECT_EQ(person.name, pseudonym(mark.student.id, "key"));
    for (const std::string* field :
         {&person.email, &person.login, &person.sis_id, &person.canvas_id, &person.moodle_id,
          &person.github, &person.section, &person.group, &mark.note})
      EXPECT_EQ(*field, "");
    if (!mark.attempt) continue;
    EXPECT_EQ(mark.attempt->origin + mark.attempt->feedback_name + mark.attempt->submitted_at +
                  mark.attempt->problem,
              "");
    EXPECT_EQ(mark.attempt->students, std::vector<RowId>());
    for (const AttemptOutcome& outcome : mark.history) EXPECT_EQ(outcome.submitted_at, "");
  }
}

TEST_F(Anonymised, PointsStayAndPseudonymsDecideTheOrder) {
  const std::vector<Mark> before = all_marks();
  const std::vector<Mark> after = anonymised(before, "key");
  ASSERT_EQ(after.size(), before.size());
  EXPECT_TRUE(std::ranges::is_sorted(after, {},
                                     [](const Mark& mark) { return mark.student.identity.name; }));
  for (const Mark& mark : before) {
    const auto same = std::ranges::find(after, mark.student.id,
                                        [](const Mark& other) { return other.student.id; });
    ASSERT_NE(same, after.end());
    EXPECT_EQ(same->score, mark.score);
    EXPECT_EQ(same->state, mark.state);
  }
}

}  // namespace
}  // namespace tessera
