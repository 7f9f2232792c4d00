#include <gmock/gmock.h>

#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr GradeAgain kStaleToo = {.stale = true};
constexpr GradeAgain kDeferredToo = {.deferred = true};

class Results : public BookTest {
 protected:
  Results() {
    book_.set_assignment(assignment("03-tiled", "h1"));
    const RowId jane = book_.add_student(Person{.name = "Jane"});
    book_.add_attempt(attempt("03-tiled", {jane}, "b"), "code b");
    book_.add_attempt(attempt("03-tiled", {jane}, "a"), "code a");
  }

  /// A result under the present lab, as a batch adds it.
  void grade(const std::string& sha256, double score) {
    book_.add_results({result("03-tiled", sha256, book_.assignments().at(0).lab_hash, score)});
  }

  /// As grade(), on a machine that could not measure all points.
  void grade_in_part(const std::string& sha256, double score, double deferred) {
    BookResult part = result("03-tiled", sha256, book_.assignments().at(0).lab_hash, score);
    part.deferred = deferred;
    book_.add_results({part});
  }

  void change_lab(const std::string& lab_hash) {
    book_.set_assignment(assignment("03-tiled", lab_hash));
  }

  double score(const std::string& sha256) const { return book_.result("03-tiled", sha256)->score; }

  std::vector<std::string> ungraded(const GradeAgain& again) const {
    std::vector<std::string> sources;
    for (const Ungraded& ungraded : book_.ungraded("03-tiled", again)) {
      sources.push_back(ungraded.sha256);
    }
    return sources;
  }
};

TEST_F(Results, AreKeptWhole) {
  const RowId run = book_.start_run({.version = "0.1.0"});
  BookResult added = result("03-tiled", "a", "h1", 70);
  added.run = run;
  added.deferred = 30;
  added.shared_from = "b";
  added.ended_at = "2026-10-01T10:00:00Z";
  book_.add_results({added});
  const std::optional<BookResult> kept = book_.result("03-tiled", "a");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->lab, "03-tiled");
  EXPECT_EQ(kept->sha256, "a");
  EXPECT_EQ(kept->lab_hash, "h1");
  EXPECT_EQ(kept->run, run);
  EXPECT_EQ(kept->record, added.record);
  EXPECT_EQ(kept->score, 70);
  EXPECT_EQ(kept->max_score, 100);
  EXPECT_EQ(kept->deferred, 30);
  EXPECT_FALSE(kept->infra);
  EXPECT_EQ(kept->shared_from, "b");
  EXPECT_EQ(kept->ended_at, "2026-10-01T10:00:00Z");
  EXPECT_EQ(book_.result("03-tiled", "b"), std::nullopt);
  EXPECT_EQ(book_.result("04-banks", "a"), std::nullopt);
}

TEST_F(Results, TheAcceptedOnesAreListedWithoutRecords) {
  grade("b", 50);
  grade("a", 70);
  change_lab("h2");
  grade("a", 90);
  const std::vector<BookResult> accepted = book_.accepted_results();
  ASSERT_EQ(accepted.size(), 2u);
  EXPECT_EQ(accepted[0].sha256, "a");
  EXPECT_EQ(accepted[0].score, 70);
  EXPECT_EQ(accepted[0].record, "");
  EXPECT_EQ(accepted[1].sha256, "b");
}

TEST_F(Results, SourcesWithoutOneAreUngradedInTheOrderTheyCame) {
  EXPECT_THAT(ungraded({}), ElementsAre("b", "a"));
  grade("b", 50);
  EXPECT_THAT(ungraded({}), ElementsAre("a"));
  grade("a", 50);
  EXPECT_THAT(ungraded({}), IsEmpty());
}

TEST_F(Results, OneSourceOfManyAttemptsIsUngradedOnce) {
  const RowId tom = book_.add_student(Person{.name = "Tom"});
  BookAttempt copy = attempt("03-tiled", {tom}, "a");
  copy.origin = "tom/kernel.cu";
  book_.add_attempt(copy, "code a");
  EXPECT_THAT(ungraded({}), ElementsAre("b", "a"));
}

TEST_F(Results, ProblemsAreNotGraded) {
  const RowId tom = book_.add_student(Person{.name = "Tom"});
  BookAttempt large = attempt("03-tiled", {tom}, "large");
  large.problem = "too large";
  book_.add_attempt(large, "code");
  book_.add_attempt(problem("03-tiled", {tom}, "no .cu file"), "");
  EXPECT_THAT(ungraded(kStaleToo), ElementsAre("b", "a"));
}

TEST_F(Results, ALabThatTheBookDoesNotHaveIsNotGraded) {
  book_.add_attempt(attempt("04-banks", {}, "c"), "code");
  EXPECT_THAT(book_.ungraded("04-banks", kStaleToo), IsEmpty());
}

TEST_F(Results, ASecondOneOfTheSameLabIsLeftAlone) {
  grade("a", 50);
  grade("a", 90);
  EXPECT_EQ(score("a"), 50);
}

TEST_F(Results, InfraIsGradedAgainAndReplaced) {
  book_.add_results({infra("03-tiled", "a", "h1")});
  EXPECT_TRUE(book_.result("03-tiled", "a")->infra);
  EXPECT_THAT(ungraded({}), ElementsAre("b", "a"));
  book_.add_results({infra("03-tiled", "a", "h1")});
  grade("a", 70);
  EXPECT_FALSE(book_.result("03-tiled", "a")->infra);
  EXPECT_EQ(score("a"), 70);
  EXPECT_THAT(ungraded({}), ElementsAre("b"));
}

TEST_F(Results, OneOfANewerLabReplacesInfraAtOnce) {
  book_.add_results({infra("03-tiled", "a", "h1")});
  change_lab("h2");
  EXPECT_THAT(ungraded({}), ElementsAre("b", "a"));
  grade("a", 70);
  EXPECT_EQ(score("a"), 70);
  EXPECT_THAT(book_.replacements("03-tiled"), IsEmpty());
}

TEST_F(Results, InfraReplacesNothing) {
  grade("a", 70);
  change_lab("h2");
  book_.add_results({infra("03-tiled", "a", "h2")});
  EXPECT_EQ(score("a"), 70);
  EXPECT_THAT(book_.replacements("03-tiled"), IsEmpty());
  EXPECT_THAT(ungraded(kStaleToo), ElementsAre("b", "a"));
  grade("a", 80);
  ASSERT_EQ(book_.replacements("03-tiled").size(), 1u);
  EXPECT_EQ(book_.replacements("03-tiled")[0].second.score, 80);
}

TEST_F(Results, DeferredPointsAreMeasuredIfAskedFor) {
  grade_in_part("a", 70, 30);
  grade("b", 60);
  EXPECT_THAT(ungraded({}), IsEmpty());
  EXPECT_THAT(ungraded(kDeferredToo), ElementsAre("a"));
  grade_in_part("a", 70, 30);
  EXPECT_THAT(ungraded(kDeferredToo), ElementsAre("a"));
  grade_in_part("a", 85, 10);
  EXPECT_EQ(score("a"), 85);
  grade_in_part("a", 70, 30);
  EXPECT_EQ(score("a"), 85) << "a machine without a GPU takes nothing away";
  grade("a", 91);
  EXPECT_EQ(score("a"), 91);
  EXPECT_EQ(book_.result("03-tiled", "a")->deferred, 0);
  EXPECT_THAT(ungraded(kDeferredToo), IsEmpty());
}

TEST_F(Results, WhatAwaitsAGpuIsGradedAgainThereAlone) {
  BookResult open = result("03-tiled", "a", "h1", 0);
  open.review = 90;
  open.awaits_gpu = true;
  book_.add_results({open});
  grade("b", 60);
  EXPECT_THAT(ungraded({}), IsEmpty()) << "the simulator would say the same again";
  EXPECT_THAT(ungraded({.awaits_gpu = true}), ElementsAre("a"));
  EXPECT_EQ(book_.result("03-tiled", "a")->review, 90);
  BookResult judged = result("03-tiled", "a", "h1", 40);
  judged.review = 30;
  judged.deferred = 10;
  book_.add_results({judged});
  EXPECT_EQ(score("a"), 40);
  EXPECT_EQ(book_.result("03-tiled", "a")->review, 30);
  EXPECT_THAT(ungraded({.awaits_gpu = true}), IsEmpty()) << "what is left is for a person";
}

TEST_F(Results, AGraderThatFailsTakesNoMeasuredPointsAway) {
  grade_in_part("a", 70, 30);
  book_.add_results({infra("03-tiled", "a", "h1")});
  EXPECT_EQ(score("a"), 70);
}

TEST_F(Results, DeferredPointsOfAnOlderLabStayUntilItIsGradedAgain) {
  grade_in_part("a", 70, 30);
  change_lab("h2");
  EXPECT_THAT(ungraded(kDeferredToo), ElementsAre("b"));
  EXPECT_THAT(ungraded({.stale = true, .deferred = true}), ElementsAre("b", "a"));
}

TEST_F(Results, StaleOnesAreUngradedIfAskedFor) {
  grade("a", 70);
  change_lab("h2");
  EXPECT_THAT(ungraded({}), ElementsAre("b"));
  EXPECT_THAT(ungraded(kStaleToo), ElementsAre("b", "a"));
}

TEST_F(Results, AMarkChangesOnlyWhenTheNewOneIsAccepted) {
  grade("a", 70);
  change_lab("h2");
  grade("a", 90);
  EXPECT_EQ(score("a"), 70);
  EXPECT_THAT(ungraded(kStaleToo), ElementsAre("b"));
  const auto replacements = book_.replacements("03-tiled");
  ASSERT_EQ(replacements.size(), 1u);
  EXPECT_EQ(replacements[0].first.score, 70);
  EXPECT_EQ(replacements[0].second.score, 90);
  EXPECT_EQ(replacements[0].second.record, result("", "", "", 90).record);
  book_.accept({replacements[0].second});
  EXPECT_EQ(score("a"), 90);
  EXPECT_THAT(book_.replacements("03-tiled"), IsEmpty());
}

TEST_F(Results, OldOnesAreKeptForALabThatIsChangedBack) {
  grade("a", 70);
  change_lab("h2");
  grade("a", 90);
  book_.accept({book_.replacements("03-tiled").at(0).second});
  change_lab("h1");
  EXPECT_THAT(ungraded(kStaleToo), ElementsAre("b"));
  const auto replacements = book_.replacements("03-tiled");
  ASSERT_EQ(replacements.size(), 1u);
  EXPECT_EQ(replacements[0].first.score, 90);
  EXPECT_EQ(replacements[0].second.score, 70);
}

TEST_F(Results, OfALabVersionInBetweenAreNotOffered) {
  grade("a", 70);
  change_lab("h2");
  grade("a", 90);
  change_lab("h3");
  EXPECT_THAT(book_.replacements("03-tiled"), IsEmpty());
  EXPECT_THAT(ungraded(kStaleToo), ElementsAre("b", "a"));
}

TEST_F(Results, AllAreAcceptedOrNone) {
  grade("a", 70);
  change_lab("h2");
  grade("a", 90);
  const BookResult fresh = book_.replacements("03-tiled").at(0).second;
  EXPECT_THROW(book_.accept({fresh, BookResult{.id = 4711}}), std::invalid_argument);
  EXPECT_EQ(score("a"), 70);
}

TEST_F(Results, InfraIsNeverAccepted) {
  book_.add_results({infra("03-tiled", "a", "h1")});
  EXPECT_THROW(book_.accept({*book_.result("03-tiled", "a")}), std::invalid_argument);
}

}  // namespace
}  // namespace tessera
