#include "grader/gradebook/marks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

constexpr const char* kDue = "2026-10-01T22:00:00Z";

/// A book with one lab, 03-tiled, one student, and a course in which every day late costs 12.5 %.
class Marks : public BookTest {
 protected:
  Marks() {
    book_.set_assignment(assignment("03-tiled", "h1"));
    course_.labs = {{.id = "03-tiled", .due = parse_zoned_time(kDue)}};
    course_.late.per_day = 0.125;
  }

  void hand_in(const std::string& sha256, const std::string& submitted_at = "") {
    book_.add_attempt(attempt("03-tiled", {jane_}, sha256, submitted_at), sha256);
  }

  void grade(const std::string& sha256, double score) {
    book_.add_results({result("03-tiled", sha256, "h1", score)});
  }

  /// As in a download of Canvas: late, without a time.
  void hand_in_flagged(const std::string& sha256) {
    BookAttempt flagged = attempt("03-tiled", {jane_}, sha256);
    flagged.late = true;
    book_.add_attempt(flagged, sha256);
  }

  void set_late_days(double days, const std::string& reason) {
    book_.add_adjustment({.student = jane_,
                          .lab = "03-tiled",
                          .points = 0,
                          .reason = reason,
                          .author = "ta",
                          .at = kDue,
                          .late_days = days});
  }

  void adjust(double points, const std::string& reason) {
    book_.add_adjustment({.student = jane_,
                          .lab = "03-tiled",
                          .points = points,
                          .reason = reason,
                          .author = "ta",
                          .at = kDue});
  }

  Mark mark() const { return marks(book_, course_).at(0); }

  /// The source of the attempt that counts.
  std::string counted(AttemptPolicy policy) {
    course_.attempts = policy;
    return mark().attempt->sha256;
  }

  RowId jane_ = book_.add_student(Person{.name = "Jane", .login = "jane"});
  Course course_;
};

TEST_F(Marks, NothingHandedInIsMissing) {
  EXPECT_EQ(mark().state, MarkState::missing);
  EXPECT_EQ(mark().attempts, 0);
  EXPECT_EQ(mark().attempt, std::nullopt);
  EXPECT_FALSE(mark().has_score());
  EXPECT_EQ(mark().max_points, 100);
}

TEST_F(Marks, WhatIsNotGradedWaits) {
  hand_in("a");
  EXPECT_EQ(mark().state, MarkState::waiting);
  EXPECT_EQ(mark().attempt->sha256, "a");
  EXPECT_FALSE(mark().has_score());
  EXPECT_EQ(mark().note, "not graded yet");
}

TEST_F(Marks, AResultIsAMark) {
  hand_in("a");
  BookResult graded = result("03-tiled", "a", "h1", 70);
  graded.deferred = 30;
  book_.add_results({graded});
  EXPECT_EQ(mark().state, MarkState::graded);
  EXPECT_EQ(mark().raw, 70);
  EXPECT_EQ(mark().score, 70);
  EXPECT_EQ(mark().deferred, 30);
  EXPECT_TRUE(mark().has_score());
  EXPECT_EQ(mark().note, "");
}

TEST_F(Marks, AFailureOfTheGraderIsNeverAMark) {
  hand_in("a");
  book_.add_results({infra("03-tiled", "a", "h1")});
  EXPECT_EQ(mark().state, MarkState::infra);
  EXPECT_FALSE(mark().has_score());
  EXPECT_EQ(mark().note, "the grader failed; grade again");
}

TEST_F(Marks, WhatCannotBeGradedCountsZeroAndSaysWhy) {
  book_.add_attempt(problem("03-tiled", {jane_}, "kernel.txt: rename it"), "");
  EXPECT_EQ(mark().state, MarkState::ungradable);
  EXPECT_EQ(mark().score, 0);
  EXPECT_TRUE(mark().has_score());
  EXPECT_EQ(mark().note, "kernel.txt: rename it");
}

TEST_F(Marks, WhatCannotBeGradedCountsOnlyAlone) {
  hand_in("a", "2026-10-01T20:00:00Z");
  BookAttempt later = problem("03-tiled", {jane_}, "no .cu file");
  later.submitted_at = "2026-10-01T21:00:00Z";
  book_.add_attempt(later, "");
  for (const AttemptPolicy policy :
       {AttemptPolicy::best, AttemptPolicy::last, AttemptPolicy::active}) {
    EXPECT_EQ(counted(policy), "a");
  }
  EXPECT_EQ(mark().attempts, 2);
}

TEST_F(Marks, OfAnOlderLabAreStale) {
  hand_in("a");
  grade("a", 70);
  EXPECT_FALSE(mark().stale);
  book_.set_assignment(assignment("03-tiled", "h2"));
  EXPECT_TRUE(mark().stale);
  EXPECT_EQ(mark().score, 70);
}

TEST_F(Marks, ThePolicyChoosesTheAttempt) {
  hand_in("first", "2026-10-01T20:00:00Z");
  hand_in("second", "2026-10-01T21:00:00Z");
  grade("first", 80);
  grade("second", 50);
  EXPECT_EQ(counted(AttemptPolicy::best), "first");
  EXPECT_EQ(counted(AttemptPolicy::last), "second");
  EXPECT_EQ(counted(AttemptPolicy::active), "second");
}

TEST_F(Marks, TheActiveAttemptIsOfTheNewestDownload) {
  hand_in("first", "2026-10-01T20:00:00Z");
  hand_in("second", "2026-10-01T21:00:00Z");
  Book newer = opened(file());
  newer.add_attempt(attempt("03-tiled", {jane_}, "first", "2026-10-01T20:00:00Z"), "");
  EXPECT_EQ(counted(AttemptPolicy::active), "first");
  EXPECT_EQ(counted(AttemptPolicy::last), "second");
}

TEST_F(Marks, TheBestIsBestAfterThePenalty) {
  hand_in("in time", "2026-10-01T20:00:00Z");
  hand_in("late", "2026-10-02T20:00:00Z");
  grade("in time", 70);
  grade("late", 80);
  EXPECT_EQ(counted(AttemptPolicy::best), "in time");
  grade("later", 90);
  hand_in("later", "2026-10-02T20:00:00Z");
  EXPECT_EQ(counted(AttemptPolicy::best), "later");
  EXPECT_EQ(mark().score, 77.5);
}

TEST_F(Marks, TheLaterOfEqualsCounts) {
  hand_in("second", "2026-10-01T21:00:00Z");
  hand_in("first", "2026-10-01T20:00:00Z");
  grade("first", 70);
  grade("second", 70);
  EXPECT_EQ(counted(AttemptPolicy::best), "second");
}

TEST_F(Marks, NumbersOrderAttemptsWithoutTimes) {
  for (const int number : {10, 9}) {
    BookAttempt numbered = attempt("03-tiled", {jane_}, std::to_string(number));
    numbered.number = number;
    book_.add_attempt(numbered, "");
  }
  EXPECT_EQ(counted(AttemptPolicy::last), "10");
  hand_in("unnumbered", "2026-10-01T21:00:00Z");
  EXPECT_EQ(counted(AttemptPolicy::last), "unnumbered");
}

TEST_F(Marks, TheBestIsAmongThoseThatAreGraded) {
  hand_in("graded", "2026-10-01T20:00:00Z");
  hand_in("waiting", "2026-10-01T21:00:00Z");
  hand_in("infra", "2026-10-01T21:30:00Z");
  grade("graded", 0);
  book_.add_results({infra("03-tiled", "infra", "h1")});
  EXPECT_EQ(counted(AttemptPolicy::best), "graded");
  EXPECT_EQ(mark().note, "2 more attempts are not graded yet");
  EXPECT_EQ(counted(AttemptPolicy::last), "infra");
  EXPECT_EQ(mark().state, MarkState::infra);
}

TEST_F(Marks, LatenessCostsAShareOfTheLab) {
  hand_in("a", "2026-10-02T22:00:01Z");
  grade("a", 70);
  EXPECT_TRUE(mark().late);
  EXPECT_EQ(mark().penalty, 25);
  EXPECT_EQ(mark().score, 45);
}

TEST_F(Marks, LateWithinTheGraceIsShownAndCostsNothing) {
  course_.late.grace_minutes = 10;
  hand_in("a", "2026-10-01T22:10:00Z");
  grade("a", 70);
  EXPECT_TRUE(mark().late);
  EXPECT_EQ(mark().score, 70);
}

TEST_F(Marks, ThePenaltyIsNoMoreThanThePoints) {
  hand_in("a", "2026-10-05T20:00:00Z");
  grade("a", 30);
  EXPECT_EQ(mark().penalty, 30);
  EXPECT_EQ(mark().score, 0);
}

TEST_F(Marks, AClosedLabEarnsNothing) {
  course_.late.closed_after_days = 3;
  hand_in("a", "2026-10-05T20:00:00Z");
  grade("a", 100);
  EXPECT_EQ(mark().state, MarkState::graded);
  EXPECT_EQ(mark().score, 0);
}

TEST_F(Marks, WhatIsLateByAnUnknownTimeLacksItsPenaltyAndIsMarked) {
  hand_in_flagged("a");
  grade("a", 70);
  EXPECT_TRUE(mark().late);
  EXPECT_TRUE(mark().penalty_unknown);
  EXPECT_EQ(mark().score, 70);
}

TEST_F(Marks, IfBeingLateIsFreeNothingIsUnknown) {
  course_.late = {};
  hand_in_flagged("a");
  grade("a", 70);
  EXPECT_TRUE(mark().late);
  EXPECT_FALSE(mark().penalty_unknown);
}

TEST_F(Marks, WhatHasNoPointsHasNoneToLose) {
  hand_in_flagged("a");
  grade("a", 0);
  EXPECT_FALSE(mark().penalty_unknown);
}

TEST_F(Marks, TheCourseMaySayWhatAnUnknownTimeCountsAs) {
  course_.late.unknown_days = 2;
  hand_in_flagged("a");
  grade("a", 70);
  EXPECT_FALSE(mark().penalty_unknown);
  EXPECT_EQ(mark().penalty, 25);
  course_.late.unknown_days = 0;
  EXPECT_FALSE(mark().penalty_unknown);
  EXPECT_EQ(mark().penalty, 0);
}

TEST_F(Marks, WhatAnUnknownTimeCountsAsDoesNotConcernKnownTimes) {
  course_.late.unknown_days = 2;
  hand_in("a", "2026-10-02T20:00:00Z");
  grade("a", 70);
  EXPECT_EQ(mark().penalty, 12.5);
}

TEST_F(Marks, DaysSetByHandReplaceWhatIsKnown) {
  hand_in_flagged("a");
  grade("a", 70);
  set_late_days(2, "handed in on Saturday");
  EXPECT_FALSE(mark().penalty_unknown);
  EXPECT_EQ(mark().late_days, 2);
  EXPECT_TRUE(mark().changed_by_hand());
  EXPECT_EQ(mark().penalty, 25);
  EXPECT_EQ(mark().score, 45);
  EXPECT_EQ(mark().note, "counted as 2 days late by ta: handed in on Saturday");
  set_late_days(0, "was ill");
  EXPECT_FALSE(mark().late);
  EXPECT_EQ(mark().score, 70);
  EXPECT_EQ(mark().note,
            "counted as 2 days late by ta: handed in on Saturday; counted as not late by ta: was "
            "ill");
}

TEST_F(Marks, DaysSetByHandForgiveAKnownTimeToo) {
  hand_in("a", "2026-10-05T20:00:00Z");
  grade("a", 70);
  set_late_days(1, "ill until Saturday");
  EXPECT_EQ(mark().penalty, 12.5);
}

TEST_F(Marks, DaysSetByHandLeaveAnAttemptInTimeAsItIs) {
  hand_in("in time", "2026-10-01T20:00:00Z");
  hand_in_flagged("late");
  grade("in time", 70);
  grade("late", 80);
  EXPECT_EQ(counted(AttemptPolicy::best), "late");
  set_late_days(2, "on Saturday");
  EXPECT_EQ(counted(AttemptPolicy::best), "in time");
  EXPECT_EQ(mark().score, 70);
}

TEST_F(Marks, DaysSetByHandHoldForUnflaggedWork) {
  hand_in("a");
  grade("a", 70);
  set_late_days(1, "came by mail");
  EXPECT_TRUE(mark().late);
  EXPECT_EQ(mark().score, 57.5);
}

TEST_F(Marks, DaysSetByHandAreNotThoseOfLaterWork) {
  hand_in("ill", "2026-10-03T20:00:00Z");
  grade("ill", 70);
  set_late_days(0, "was ill");
  EXPECT_EQ(mark().score, 70);
  hand_in("late", "2026-10-04T20:00:00Z");
  grade("late", 100);
  EXPECT_EQ(counted(AttemptPolicy::last), "late");
  EXPECT_TRUE(mark().late);
  EXPECT_EQ(mark().penalty, 37.5);
  EXPECT_EQ(mark().late_days, std::nullopt);
  EXPECT_EQ(mark().note, "counted as not late by ta for earlier work: was ill");
}

TEST_F(Marks, ZeroLateDaysByHandSpendNoBudget) {
  course_.late.budget_days = 2;
  hand_in("ill", "2026-10-03T20:00:00Z");
  grade("ill", 70);
  set_late_days(0, "was ill");
  EXPECT_EQ(mark().note, "counted as not late by ta: was ill") << "it spends no day of the budget";
  hand_in("late", "2026-10-04T20:00:00Z");  // the third day
  grade("late", 100);
  course_.attempts = AttemptPolicy::last;
  EXPECT_EQ(mark().penalty, 12.5);
  course_.late.budget_days = 0;
  EXPECT_EQ(mark().penalty, 37.5);
}

TEST_F(Marks, TheDueDateDecidesBeforeTheSourcesFlag) {
  BookAttempt flagged = attempt("03-tiled", {jane_}, "a", kDue);
  flagged.late = true;
  book_.add_attempt(flagged, "");
  EXPECT_FALSE(mark().late);
  course_.labs[0].due = std::nullopt;
  EXPECT_TRUE(mark().late);
}

TEST_F(Marks, AdjustmentsAddUpAndSayWhy) {
  hand_in("a");
  grade("a", 95);
  adjust(10, "found a mistake in the task");
  adjust(-2.5, "no comments");
  EXPECT_EQ(mark().adjustment, 7.5);
  EXPECT_EQ(mark().score, 100) << "no more than the lab has";
  EXPECT_EQ(mark().note, "+10 by ta: found a mistake in the task; -2.5 by ta: no comments");
  adjust(-500, "copied");
  EXPECT_EQ(mark().score, 0);
}

TEST_F(Marks, PointsByHandDoNotCountBesideALaterGrade) {
  book_.add_attempt(problem("03-tiled", {jane_}, "no .cu file"), "");
  adjust(65, "came by mail: works but for one case");
  EXPECT_EQ(mark().score, 65);
  hand_in("a");
  grade("a", 100);
  for (const AttemptPolicy policy : {AttemptPolicy::best, AttemptPolicy::last}) {
    course_.attempts = policy;
    EXPECT_EQ(mark().score, 100);
    EXPECT_EQ(mark().adjustment, 0);
    EXPECT_FALSE(mark().points_by_hand);
    EXPECT_EQ(mark().outdated.size(), 1u);
    EXPECT_EQ(mark().note, "+65 by ta for an earlier grade: came by mail: works but for one case");
  }
}

TEST_F(Marks, PointsByHandBelongToTheGradeThatTheyWereGivenOn) {
  hand_in("a");
  grade("a", 40);
  adjust(30, "the task was wrong");
  EXPECT_EQ(mark().score, 70);
  hand_in("b");
  grade("b", 60);
  EXPECT_EQ(counted(AttemptPolicy::best), "a");
  EXPECT_EQ(mark().score, 70);
  EXPECT_EQ(counted(AttemptPolicy::last), "b");
  EXPECT_EQ(mark().score, 60) << "not 90";
  adjust(5, "explained it well");
  EXPECT_EQ(mark().score, 65);
  EXPECT_EQ(mark().outdated.size(), 1u);
}

TEST_F(Marks, PointsByHandStayWithTheSameGradeOfANewerLab) {
  hand_in("a");
  grade("a", 40);
  adjust(30, "the task was wrong");
  const auto regrade = [&](const std::string& lab_hash, double score) {
    book_.set_assignment(assignment("03-tiled", lab_hash));
    book_.add_results({result("03-tiled", "a", lab_hash, score)});
    for (const auto& [old, fresh] : book_.replacements("03-tiled")) book_.accept({fresh});
  };
  regrade("h2", 40);
  EXPECT_EQ(mark().score, 70);
  regrade("h3", 65);
  EXPECT_EQ(mark().score, 65) << "not 95";
}

TEST_F(Marks, WithPolicyBestPointsForUngradedWorkCompeteWithTheAttempts) {
  book_.add_attempt(problem("03-tiled", {jane_}, "no .cu file"), "");
  adjust(65, "came by mail");
  hand_in("a");
  grade("a", 50);
  course_.attempts = AttemptPolicy::best;
  EXPECT_EQ(mark().score, 65);
  course_.attempts = AttemptPolicy::last;
  EXPECT_EQ(mark().score, 50);
}

TEST_F(Marks, ABonusCountsWhateverIsGradedAndBeyondTheMaximum) {
  hand_in("a");
  grade("a", 95);
  book_.add_adjustment({.student = jane_,
                        .lab = "03-tiled",
                        .points = 10,
                        .reason = "found a mistake in the task",
                        .author = "ta",
                        .at = kDue,
                        .bonus = true});
  EXPECT_EQ(mark().score, 105);
  EXPECT_EQ(mark().adjustment, 0);
  EXPECT_EQ(mark().note, "+10 bonus by ta: found a mistake in the task");
  hand_in("b");
  BookResult open = result("03-tiled", "b", "h1", 20);
  open.review = 80;
  book_.add_results({open});
  course_.attempts = AttemptPolicy::last;
  EXPECT_EQ(mark().score, 30);
  EXPECT_EQ(mark().review, 80) << "a bonus judges nothing";
}

TEST_F(Marks, ALaterSubmissionThatAwaitsReviewIsListedBesidePointsByHand) {
  hand_in("a");
  BookResult open = result("03-tiled", "a", "h1", 30);
  open.review = 60;
  book_.add_results({open});
  adjust(40, "looked at");
  EXPECT_EQ(mark().score, 70);
  EXPECT_FALSE(mark().needs_review());
  hand_in("b");
  open.sha256 = "b";
  book_.add_results({open});
  EXPECT_EQ(counted(AttemptPolicy::last), "b");
  EXPECT_EQ(mark().review, 60);
  EXPECT_EQ(mark().score, 30);
  EXPECT_EQ(counted(AttemptPolicy::best), "a");
  EXPECT_EQ(mark().score, 70);
  EXPECT_EQ(mark().review, 0);
  EXPECT_TRUE(mark().needs_review()) << "b may have up to 90";
  EXPECT_THAT(mark().note, testing::HasSubstr("1 more attempt has points that a GPU"));
}

TEST_F(Marks, WhatAGpuJudgesTakesThePlaceOfWhatAPersonJudged) {
  hand_in("a");
  BookResult open = result("03-tiled", "a", "h1", 30);
  open.review = 60;
  open.awaits_gpu = true;
  book_.add_results({open});
  adjust(60, "looked at");
  EXPECT_EQ(mark().score, 90);
  grade("a", 90);
  EXPECT_EQ(mark().score, 90);
  EXPECT_EQ(mark().adjustment, 0);
}

TEST_F(Marks, OfTheSameKernelHandedInAgainTheLastCounts) {
  for (const char* sha256 : {"a", "b", "a"}) hand_in(sha256);
  grade("a", 40);
  grade("b", 80);
  EXPECT_EQ(counted(AttemptPolicy::last), "a");
  EXPECT_EQ(counted(AttemptPolicy::active), "a");
  EXPECT_EQ(counted(AttemptPolicy::best), "b");
}

TEST_F(Marks, OfTheSameKernelHandedInAtAnotherTimeTheLastCounts) {
  hand_in("a", "2026-10-01T19:00:00Z");
  hand_in("b", "2026-10-01T20:00:00Z");
  hand_in("a", "2026-10-02T21:00:00Z");
  grade("a", 40);
  grade("b", 80);
  EXPECT_EQ(counted(AttemptPolicy::last), "a");
  EXPECT_TRUE(mark().late);
  EXPECT_EQ(mark().attempts, 3);
}

TEST_F(Marks, PointsByHandAreAMarkForWhatTheGraderFailedAt) {
  adjust(60, "on paper");
  EXPECT_EQ(mark().state, MarkState::missing);
  EXPECT_TRUE(mark().has_score());
  EXPECT_EQ(mark().score, 60);
  hand_in("a");
  EXPECT_EQ(mark().state, MarkState::waiting);
  EXPECT_FALSE(mark().has_score());
  book_.add_results({infra("03-tiled", "a", "h1")});
  EXPECT_TRUE(mark().has_score());
  EXPECT_EQ(mark().note, "the grader failed; grade again; +60 by ta: on paper");
}

TEST_F(Marks, ZeroPointsByHandAreAMarkToo) {
  hand_in("a");
  book_.add_results({infra("03-tiled", "a", "h1")});
  adjust(0, "looked at: nothing of it works");
  EXPECT_TRUE(mark().has_score());
  EXPECT_EQ(mark().score, 0);
  EXPECT_TRUE(mark().changed_by_hand());
}

TEST_F(Marks, WhatAPersonHasToJudgeCountsZeroUntilThen) {
  hand_in("a");
  BookResult partly = result("03-tiled", "a", "h1", 30);
  partly.review = 60;
  book_.add_results({partly});
  EXPECT_EQ(mark().score, 30);
  EXPECT_EQ(mark().review, 60);
  EXPECT_EQ(mark().deferred, 0);
  const Mark open = mark();
  EXPECT_DOUBLE_EQ(course_total({&open}, course_).value(), 0.3) << "it is in the total";
  adjust(0, "looked at: it is worth no more");
  EXPECT_EQ(mark().review, 0);
  EXPECT_EQ(mark().score, 30);
}

TEST_F(Marks, AnAttemptOfAGroupCountsForEach) {
  const RowId tom = book_.add_student(Person{.name = "Tom", .login = "tom"});
  book_.add_student(Person{.name = "Zoe", .login = "zoe"});
  book_.add_attempt(attempt("03-tiled", {jane_, tom}, "a"), "");
  grade("a", 70);
  const std::vector<Mark> all = marks(book_, course_);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].score, 70);
  EXPECT_EQ(all[1].student.identity.name, "Tom");
  EXPECT_EQ(all[1].score, 70);
  EXPECT_EQ(all[2].state, MarkState::missing);
}

TEST_F(Marks, AreByNameAndInTheCoursesOrder) {
  book_.set_assignment(assignment("01-naive", "h1"));
  book_.add_student(Person{.name = "Ann", .login = "ann"});
  course_.labs = {{.id = "03-tiled"}, {.id = "02-not-in-the-book"}, {.id = "01-naive"}};
  std::vector<std::string> order;
  for (const Mark& mark : marks(book_, course_)) {
    order.push_back(mark.student.identity.name + " " + mark.lab);
  }
  EXPECT_THAT(order, testing::ElementsAre("Ann 03-tiled", "Ann 01-naive", "Jane 03-tiled",
                                          "Jane 01-naive"));
}

/// Counts the SQL statements of the books that are opened while it lives.
class StatementCount {
 public:
  StatementCount() {
    total = 0;
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(&watch));
  }
  ~StatementCount() { sqlite3_reset_auto_extension(); }
  StatementCount(const StatementCount&) = delete;
  StatementCount& operator=(const StatementCount&) = delete;

  int count() const { return total; }

 private:
  static int watch(sqlite3* database, const char**, const void*) {
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, &add_one, nullptr);
  }
  static int add_one(unsigned, void*, void*, void*) { return ++total, 0; }

  static inline int total = 0;
};

TEST_F(Marks, TakeAsManyQueriesForALargeClassAsForASmallOne) {
  const auto queries = [&] {
    const StatementCount statements;
    const Book reader = opened(file(), Book::Mode::read);
    (void)marks(reader, course_);
    return statements.count();
  };
  hand_in("a");
  grade("a", 70);
  const int small = queries();
  EXPECT_GT(small, 0);
  for (int i = 0; i < 20; ++i) {
    const std::string name = fmt::format("student {}", i);
    const RowId id = book_.add_student(Person{.name = name, .login = name});
    book_.add_attempt(attempt("03-tiled", {id}, name), name);
    grade(name, 70);
  }
  EXPECT_EQ(queries(), small);
}

TEST(ScaledToMeasured, PointsGrowToTheMaximum) {
  Mark mark;
  mark.max_points = 100;
  mark.deferred = 20;
  mark.raw = 60;
  mark.penalty = 8;
  mark.adjustment = 1;
  const Mark scaled = scaled_to_measured(mark);
  EXPECT_DOUBLE_EQ(scaled.raw, 75);
  EXPECT_DOUBLE_EQ(scaled.penalty, 10);
  EXPECT_DOUBLE_EQ(scaled.score, 66);
  EXPECT_EQ(scaled.deferred, 0);
}

TEST(ScaledToMeasured, AMarkOfWhichNothingWasMeasuredStays) {
  Mark mark;
  mark.max_points = 100;
  mark.deferred = 100;
  EXPECT_EQ(scaled_to_measured(mark).score, 0);
  EXPECT_EQ(scaled_to_measured(mark).deferred, 100);
}

TEST_F(Marks, TheHistoryIsInTheOrderInWhichAttemptsWereHandedIn) {
  hand_in("second", "2026-09-02T00:00:00Z");
  hand_in("first", "2026-09-01T00:00:00Z");
  hand_in("third", "2026-09-03T00:00:00Z");
  grade("first", 40);
  BookResult copied = result("03-tiled", "second", "h1", 30);
  copied.shared_from = "first";
  copied.deferred = 20;
  book_.add_results({copied});
  const std::vector<AttemptOutcome> history = mark().history;
  ASSERT_EQ(history.size(), 3);
  EXPECT_EQ(history[0].submitted_at, "2026-09-01T00:00:00Z");
  EXPECT_EQ(history[0].raw, 40);
  EXPECT_EQ(history[0].program, "first");
  EXPECT_EQ(history[1].raw, 30);
  EXPECT_EQ(history[1].deferred, 20);
  EXPECT_EQ(history[1].program, "first");
  EXPECT_EQ(history[2].state, MarkState::waiting);
  EXPECT_EQ(history[2].program, "third");
  EXPECT_EQ(mark().attempt->id, history[0].attempt);
}

TEST_F(Marks, AnExtensionIsTheStudentsDueDate) {
  hand_in("a", "2026-10-03T00:00:00Z");
  grade("a", 80);
  EXPECT_TRUE(mark().late);
  book_.set_on_roster(jane_);
  course_.extensions = {{"Jane", "03-tiled", *parse_zoned_time("2026-10-04T00:00:00Z")}};
  EXPECT_FALSE(mark().late);
  EXPECT_EQ(mark().penalty, 0);
  course_.extensions[0].student = "unknown@example.org";
  EXPECT_TRUE(mark().late);
  EXPECT_THAT(unknown_extensions(book_, course_), testing::ElementsAre("unknown@example.org"));
}

/// A student who is late by two days, with an extension by name.
class ExtensionByName : public BookTest {
 protected:
  ExtensionByName() {
    book_.set_assignment(assignment("03-tiled", "h1"));
    course_.labs = {{.id = "03-tiled", .due = parse_zoned_time(kDue)}};
  }

  RowId add_late(const Person& person) {
    const RowId student = book_.add_student(person, NameMatch::never);
    book_.add_attempt(
        attempt("03-tiled", {student}, person.name + person.canvas_id, "2026-10-03T00:00:00Z"),
        person.name);
    return student;
  }

  /// The students who are not late given an extension for `student`.
  std::vector<RowId> extended(const std::string& student) {
    course_.extensions = {{student, "03-tiled", *parse_zoned_time("2026-10-04T00:00:00Z")}};
    std::vector<RowId> students;
    for (const Mark& mark : marks(book_, course_)) {
      if (!mark.late) students.push_back(mark.student.id);
    }
    return students;
  }

  Course course_;
};

TEST_F(ExtensionByName, IsRefusedIfTwoHaveTheName) {
  const RowId jane = add_late({.name = "Jane Doe", .canvas_id = "111"});
  add_late({.name = "doejane", .canvas_id = "999"});
  book_.set_on_roster(jane);
  EXPECT_THAT(extended("Jane Doe"), testing::IsEmpty());
  EXPECT_THAT(
      unclear_extensions(book_, course_),
      testing::ElementsAre("the extension for 'Jane Doe' may be of doejane (999) or of Jane "
                           "Doe (111); write an email or a number in its place"));
  EXPECT_THAT(extended("111"), testing::ElementsAre(jane));
  EXPECT_THAT(unclear_extensions(book_, course_), testing::IsEmpty());
}

TEST_F(ExtensionByName, IsRefusedIfNoRosterHasTheName) {
  const RowId jane = add_late({.name = "Jane Doe", .canvas_id = "999"});
  EXPECT_THAT(extended("Jane Doe"), testing::IsEmpty());
  EXPECT_THAT(unclear_extensions(book_, course_),
              testing::ElementsAre(testing::HasSubstr("by a name, which students can choose")));
  book_.set_on_roster(jane);
  EXPECT_THAT(extended("jane doe"), testing::ElementsAre(jane));
}

TEST_F(ExtensionByName, IsGivenToTheOnlyOneIfNothingElseIsKnown) {
  const RowId jane = add_late({.name = "Jane Doe", .moodle_id = "17"});
  add_late({.name = "Max Roe", .moodle_id = "18"});
  EXPECT_THAT(extended("Jane Doe"), testing::ElementsAre(jane));
}

TEST_F(ExtensionByName, AnAddressIsNotComparedWithNames) {
  const RowId jane = add_late({.name = "Jane Doe", .email = "jane@x.edu"});
  add_late({.name = "jane@x.edu", .canvas_id = "999"});
  EXPECT_THAT(extended("jane@x.edu"), testing::ElementsAre(jane));
}

TEST_F(Marks, LateDaysOfTheBudgetCostNothing) {
  hand_in("a", "2026-10-03T23:00:00Z");  // the third day has begun
  grade("a", 80);
  course_.late.budget_days = 2;
  EXPECT_DOUBLE_EQ(mark().penalty, 0.125 * 100);
  EXPECT_EQ(mark().note, "2 days taken from the budget");
  course_.late.budget_days = 5;
  EXPECT_EQ(mark().penalty, 0);
  EXPECT_TRUE(mark().late);
  course_.late.closed_after_days = 1;
  EXPECT_EQ(mark().score, 0);
}

TEST_F(Marks, TheBudgetIsSpentLabByLab) {
  book_.set_assignment(assignment("04-more", "h1"));
  course_.labs.push_back({.id = "04-more", .due = parse_zoned_time(kDue)});
  course_.late.budget_days = 3;
  hand_in("a", "2026-10-03T00:00:00Z");
  grade("a", 80);
  book_.add_attempt(attempt("04-more", {jane_}, "b", "2026-10-03T23:00:00Z"), "b");
  book_.add_results({result("04-more", "b", "h1", 80)});
  const std::vector<Mark> both = marks(book_, course_);
  EXPECT_EQ(both.at(0).penalty, 0);
  EXPECT_DOUBLE_EQ(both.at(1).penalty, 2 * 0.125 * 100);
}

}  // namespace
}  // namespace tessera
