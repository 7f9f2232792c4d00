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

TEST_F(MarkNotes, NameWhoseLatenessIsUnknownUntilSomebodySaysIt) {
  const RowId kim = add_late_by_an_unknown_time();
  EXPECT_THAT(late_notes(all_marks()),
              ElementsAre(StartsWith("1 submission is late by an unknown time (Moe, Kim 03): no "
                                     "penalty was taken.")));
  set_late_days(kim, 2);
  EXPECT_THAT(late_notes(all_marks()), IsEmpty());
}

TEST_F(MarkNotes, AreSilentWhereBeingLateIsFree) {
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
