#include "grader/authoring/release/handout_readme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPage = "# @TITLE@\n\n@LABS@\nmake grade LAB=@NUMBER@\n";

HandoutReadme two_labs() {
  HandoutReadme readme;
  readme.title = "GPU programming";
  readme.labs = {{.id = "03-tiled", .title = "Tiled multiplication"},
                 {.id = "09-stencil", .title = "A stencil"}};
  return readme;
}

TEST(HandoutReadme, NamesTheLabsAndTakesTheFirstForExamples) {
  EXPECT_EQ(filled_in(kPage, two_labs()), R"(# GPU programming

| lab |  |
| --- | --- |
| [03-tiled](labs/03-tiled/README.md) | Tiled multiplication |
| [09-stencil](labs/09-stencil/README.md) | A stencil |

make grade LAB=03
)");
}

TEST(HandoutReadme, SaysWhenLabsAreDueWhatTheyCountAndWhatLateWorkCosts) {
  HandoutReadme readme = two_labs();
  readme.course.labs = {{.id = "03-tiled", .due = parse_zoned_time("2026-11-10 23:59 +01:00")},
                        {.id = "09-stencil", .weight = 2}};
  readme.course.late = {.grace_minutes = 10, .per_day = 0.1, .cap = 0.5, .closed_after_days = 7};
  EXPECT_THAT(filled_in(kPage, readme), HasSubstr(R"(
| lab |  | due | weight |
| --- | --- | --- | --- |
| [03-tiled](labs/03-tiled/README.md) | Tiled multiplication | 2026-11-10 23:59 +01:00 | 1 |
| [09-stencil](labs/09-stencil/README.md) | A stencil |  | 2 |

Late work costs 10 % of the lab's points for every day begun, 50 % at most, and earns nothing after 7 days. The first 10 minutes are free.
)"));
}

TEST(HandoutReadme, SaysThatLateWorkIsFreeWhereItIs) {
  HandoutReadme readme = two_labs();
  readme.course.labs = {{.id = "03-tiled", .due = parse_zoned_time("2026-11-10 23:59 +01:00")}};
  EXPECT_THAT(filled_in(kPage, readme), HasSubstr("\nLate work costs nothing.\n"));
  readme.course.labs[0].due = {};
  EXPECT_THAT(filled_in(kPage, readme), Not(HasSubstr("Late work")));
}

TEST(HandoutReadme, ListsLabsApartThatAreOnlyComparedWith) {
  HandoutReadme readme = two_labs();
  readme.labs.push_back({.id = "01-naive", .title = "One thread an element", .graded = false});
  const std::string page = filled_in(kPage, readme);
  EXPECT_THAT(page, Not(HasSubstr("| [01-naive]")));
  EXPECT_THAT(page, HasSubstr("\nHere to be compared with, not graded: "
                              "[01-naive](labs/01-naive/README.md) (One thread an element).\n"));
}

}  // namespace
}  // namespace tessera
