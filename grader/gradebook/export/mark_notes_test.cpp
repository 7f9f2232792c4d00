#include "grader/gradebook/export/mark_notes.h"

#include <gmock/gmock.h>

#include "grader/gradebook/export/test_class.h"

namespace tessera {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using MarkNotes = ExportTest;

TEST_F(MarkNotes, NameWhoseLatenessIsUnknownUntilItIsSet) {
  const RowId kim = add_late_by_an_unknown_time();
  EXPECT_THAT(late_notes(all_marks()),
              ElementsAre(StartsWith("1 submission is late by an unknown time (Moe, Kim 03): no "
                                     "penalty was taken.")));
  set_late_days(kim, 2);
  EXPECT_THAT(late_notes(all_marks()), IsEmpty());
}

TEST_F(MarkNotes, AreSilentIfBeingLateIsFree) {
  add_late_by_an_unknown_time();
  course_.late = {};
  EXPECT_THAT(late_notes(all_marks()), IsEmpty());
}

TEST_F(MarkNotes, NameWhatCounts0BecauseNothingCouldBeGraded) {
  add_class();
  EXPECT_THAT(mark_notes(all_marks()),
              Contains(HasSubstr("1 mark is 0 because nothing that was handed in can be graded "
                                 "(Zoe, Eve 03)")));
  std::vector<Mark> others = all_marks();
  std::erase_if(others, [](const Mark& mark) { return mark.state == MarkState::ungradable; });
  EXPECT_THAT(mark_notes(others), Not(Contains(HasSubstr("graded"))));
}

TEST_F(MarkNotes, NameWhosePointsByHandALaterGradeHasReplaced) {
  add_class();
  give_points_by_hand(jane_);
  EXPECT_THAT(mark_notes(all_marks()), Not(Contains(HasSubstr("by hand"))));
  course_.attempts = AttemptPolicy::last;
  hand_in({jane_}, "later\n", "later.cu", "2026-10-01T21:30:00Z");
  grade("later\n", won_record());
  EXPECT_THAT(
      mark_notes(all_marks()),
      Contains(StartsWith("1 mark has manual changes that were made for an earlier grade or "
                          "submission and no longer count (Doe, Jane 03)")));
  const std::string page = show_student(book_, all_marks(), jane_, 100);
  EXPECT_THAT(page, HasSubstr("2026-10-05T09:00:00Z, for an earlier grade: does not count: expl"));
}

TEST_F(MarkNotes, NameWhoseOtherAttemptAwaitsReview) {
  add_class();
  give_points_by_hand(jane_);
  hand_in({jane_}, "later\n", "later.cu", "2026-10-01T21:30:00Z");
  BookResult open = result("03-tiled", sha256("later\n"), "h", 10);
  open.review = 80;
  open.record = json_report({won_record()});
  book_.add_results({open});
  EXPECT_THAT(mark_notes(all_marks()),
              Contains(StartsWith("1 mark has points that the simulator cannot judge, counted as 0 "
                                  "(Doe, Jane 03)")));
  EXPECT_THAT(show_class(all_marks(), course_, 100), HasSubstr("75.0DRH"));
}

TEST_F(MarkNotes, ComeWithMarksInEveryFormatThatHoldsAny) {
  add_late_by_an_unknown_time();
  for (const ExportFormat format : {ExportFormat::csv, ExportFormat::canvas, ExportFormat::json}) {
    ExportRequest request;
    request.format = format;
    EXPECT_THAT(written(request).notes, Contains(HasSubstr("late by an unknown time")));
  }
}

}  // namespace
}  // namespace tessera
