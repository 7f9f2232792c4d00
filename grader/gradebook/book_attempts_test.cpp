#include <gmock/gmock.h>

#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

using testing::ElementsAre;

class Attempts : public BookTest {
 protected:
  RowId jane_ = book_.add_student(Person{.name = "Jane"});
  RowId tom_ = book_.add_student(Person{.name = "Tom"});
};

TEST_F(Attempts, KeepAllThatIsKnown) {
  BookAttempt full = attempt("03-tiled", {jane_, tom_}, "a", "2026-10-01T21:59:03Z");
  full.feedback_name = "Jane_17";
  full.late = true;
  full.number = 3;
  EXPECT_TRUE(book_.add_attempt(full, "code"));
  ASSERT_EQ(book_.attempts().size(), 1u);
  const BookAttempt kept = book_.attempts()[0];
  EXPECT_EQ(kept.lab, "03-tiled");
  EXPECT_THAT(kept.students, ElementsAre(jane_, tom_));
  EXPECT_EQ(kept.sha256, "a");
  EXPECT_EQ(kept.problem, "");
  EXPECT_EQ(kept.origin, "a.cu");
  EXPECT_EQ(kept.feedback_name, "Jane_17");
  EXPECT_EQ(kept.submitted_at, "2026-10-01T21:59:03Z");
  EXPECT_TRUE(kept.late);
  EXPECT_EQ(kept.number, 3);
  EXPECT_EQ(book_.source("a"), "code");
  EXPECT_EQ(book_.source("b"), std::nullopt);
}

TEST_F(Attempts, AreAddedOnce) {
  EXPECT_TRUE(book_.add_attempt(attempt("03-tiled", {jane_}, "a"), "code"));
  EXPECT_FALSE(book_.add_attempt(attempt("03-tiled", {jane_}, "a"), "code"));
  EXPECT_TRUE(book_.add_attempt(problem("03-tiled", {jane_}, "no .cu file"), ""));
  EXPECT_FALSE(book_.add_attempt(problem("03-tiled", {jane_}, "no .cu file"), ""));
  EXPECT_EQ(book_.attempts().size(), 2u);
}

TEST_F(Attempts, DifferByLabOriginContentOrProblem) {
  const BookAttempt first = attempt("03-tiled", {jane_}, "a");
  BookAttempt origin = first;
  origin.origin = "resubmission/a.cu";
  BookAttempt content = first;
  content.sha256 = "b";
  BookAttempt reason = first;
  reason.problem = "too large";
  for (const BookAttempt& added :
       {first, attempt("04-banks", {jane_}, "a"), origin, content, reason}) {
    EXPECT_TRUE(book_.add_attempt(added, "code"));
    EXPECT_FALSE(book_.add_attempt(added, "code"));
  }
}

TEST_F(Attempts, GetTheStudentsThatALaterRosterKnows) {
  book_.add_attempt(attempt("03-tiled", {jane_}, "a"), "code");
  EXPECT_FALSE(book_.add_attempt(attempt("03-tiled", {tom_, jane_}, "a"), "code"));
  EXPECT_THAT(book_.attempts().at(0).students, ElementsAre(jane_, tom_));
}

TEST_F(Attempts, KnowTheLastDownloadThatHeldThem) {
  book_.add_attempt(attempt("03-tiled", {jane_}, "a"), "code");
  book_.add_attempt(attempt("03-tiled", {jane_}, "b"), "code");
  Book later = opened(file());
  later.add_attempt(attempt("03-tiled", {jane_}, "a"), "code");
  EXPECT_EQ(later.attempts().at(0).download, 2);
  EXPECT_EQ(later.attempts().at(1).download, 1);
}

TEST_F(Attempts, AreInTheOrderInWhichTheyWereSeenLast) {
  for (const char* sha256 : {"a", "b", "a"})
    book_.add_attempt(attempt("03-tiled", {jane_}, sha256), "code");
  const std::vector<BookAttempt> attempts = book_.attempts();
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_GT(attempts[0].seen, attempts[1].seen);
}

TEST_F(Attempts, OfAnotherTimeAreOthers) {
  EXPECT_TRUE(book_.add_attempt(attempt("03-tiled", {jane_}, "a", "2026-10-01T20:00:00Z"), "code"));
  EXPECT_TRUE(book_.add_attempt(attempt("03-tiled", {jane_}, "a", "2026-10-01T21:00:00Z"), "code"));
  EXPECT_FALSE(
      book_.add_attempt(attempt("03-tiled", {jane_}, "a", "2026-10-01T20:00:00Z"), "code"));
  EXPECT_FALSE(book_.add_attempt(attempt("03-tiled", {jane_}, "a"), "code"));
  EXPECT_EQ(book_.attempts().size(), 2u);
}

TEST_F(Attempts, AnEmptyKernelIsASource) {
  EXPECT_TRUE(book_.add_attempt(attempt("03-tiled", {jane_}, "e3b0"), ""));
  EXPECT_EQ(book_.source("e3b0"), "");
}

}  // namespace
}  // namespace tessera
