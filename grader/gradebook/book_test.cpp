#include "grader/gradebook/book.h"

#include <gmock/gmock.h>

#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kOddTexts = {
    "O'Hara, \"Jane\"",           "\xF0\x9F\x98\x80 \xE5\xBC\xA0\xE4\xBC\x9F",
    "two\nlines\r\nand a tab\t.", "=cmd|' /C calc'!A0",
    "'); DROP TABLE student; --", std::string("a\0b", 3),
    "\xFF\xFE is no UTF-8",       "% _ ? ?1 :name",
};

TEST_F(BookTest, KeepsWhatIsAdded) {
  const RowId jane = book_.add_student(Person{.name = "Jane"});
  const RowId run = book_.start_run({.started_at = "2026-10-01T10:00:00Z",
                                     .version = "0.1.0",
                                     .machine = "host, Linux, 8 cores",
                                     .isolation = "bubblewrap",
                                     .command = "tessera batch"});
  book_.set_assignment(assignment("03-tiled", "h1"));
  book_.add_adjustment({.student = jane,
                        .lab = "03-tiled",
                        .points = -2.5,
                        .reason = "talked it over",
                        .author = "ta",
                        .at = "2026-10-02T10:00:00Z",
                        .late_days = 1.5});
  const Book again = opened(file(), Book::Mode::read);
  ASSERT_EQ(again.runs().size(), 1u);
  EXPECT_EQ(again.runs()[0].id, run);
  EXPECT_EQ(again.runs()[0].machine, "host, Linux, 8 cores");
  EXPECT_EQ(again.runs()[0].command, "tessera batch");
  ASSERT_EQ(again.assignments().size(), 1u);
  EXPECT_EQ(again.assignments()[0].title, "Title of 03-tiled");
  EXPECT_EQ(again.assignments()[0].max_points, 100);
  ASSERT_EQ(again.adjustments().size(), 1u);
  EXPECT_EQ(again.adjustments()[0].student, jane);
  EXPECT_EQ(again.adjustments()[0].points, -2.5);
  EXPECT_EQ(again.adjustments()[0].reason, "talked it over");
  EXPECT_EQ(again.adjustments()[0].at, "2026-10-02T10:00:00Z");
  EXPECT_EQ(again.adjustments()[0].late_days, 1.5);
}

TEST_F(BookTest, OddTextComesBackAsItWas) {
  for (const std::string& text : kOddTexts) {
    const RowId id = book_.add_student(Person{.name = text, .email = text, .login = text});
    EXPECT_EQ(book_.add_student(Person{.login = text}), id) << text;
    BookAttempt odd = attempt(text, {id}, text);
    odd.feedback_name = text;
    EXPECT_TRUE(book_.add_attempt(odd, text));
    EXPECT_FALSE(book_.add_attempt(odd, text));
    EXPECT_EQ(book_.source(text), text);
    EXPECT_EQ(book_.attempts().back().feedback_name, text);
    BookResult added = result(text, text, text, 1);
    added.record = text;
    book_.add_results({added});
    EXPECT_EQ(book_.result(text, text)->record, text);
  }
  std::vector<std::string> names;
  for (const BookStudent& student : book_.students()) names.push_back(student.identity.name);
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(kOddTexts));
}

TEST_F(BookTest, AnAssignmentIsChangedByItsLab) {
  book_.set_assignment(assignment("03-tiled", "h1"));
  book_.set_assignment(assignment("01-naive", "h1"));
  book_.set_assignment(assignment("03-tiled", "h2"));
  ASSERT_EQ(book_.assignments().size(), 2u);
  EXPECT_EQ(book_.assignments()[0].lab, "01-naive");
  EXPECT_EQ(book_.assignments()[1].lab_hash, "h2");
}

TEST_F(BookTest, EachKeyIsDrawnOnce) {
  EXPECT_EQ(book_.pseudonym_key("first"), "first");
  EXPECT_EQ(book_.seed_key("of seeds"), "of seeds");
  EXPECT_EQ(book_.pseudonym_key("second"), "first");
  EXPECT_EQ(book_.seed_key("second"), "of seeds");
  Book reader = opened(file(), Book::Mode::read);
  EXPECT_EQ(reader.pseudonym_key("third"), "first");
  EXPECT_EQ(reader.seed_key("third"), "of seeds");
}

TEST_F(BookTest, ATransactionThatThrowsIsUndone) {
  book_.add_student(Person{.name = "Jane"});
  EXPECT_THROW(book_.transaction([&] {
    book_.add_student(Person{.name = "Tom"});
    book_.transaction([&] { book_.add_student(Person{.name = "Ann"}); });
    throw std::logic_error("no");
  }),
               std::logic_error);
  ASSERT_EQ(book_.students().size(), 1u);
  book_.add_student(Person{.name = "Tom"});
  EXPECT_EQ(book_.students().size(), 2u);
}

TEST_F(BookTest, AnInnerTransactionIsUndoneAlone) {
  book_.transaction([&] {
    book_.add_student(Person{.name = "Jane"});
    try {
      book_.transaction([&] {
        book_.add_student(Person{.name = "Tom"});
        throw std::logic_error("no");
      });
    } catch (const std::logic_error&) {
      book_.add_student(Person{.name = "Ann"});
    }
  });
  ASSERT_EQ(book_.students().size(), 2u);
  EXPECT_EQ(book_.students()[0].identity.name, "Ann");
}

TEST_F(BookTest, ASnapshotDoesNotSeeWhatOthersWrite) {
  const Book reader = opened(file(), Book::Mode::read);
  reader.snapshot([&] {
    EXPECT_EQ(reader.students().size(), 0u);
    book_.add_student(Person{.name = "Jane"});
    EXPECT_EQ(reader.students().size(), 0u);
  });
  EXPECT_EQ(reader.students().size(), 1u);
}

TEST_F(BookTest, WhatRefersToAnUnknownStudentIsRefused) {
  EXPECT_THROW(book_.add_attempt(attempt("03-tiled", {42}, "a"), "code"), std::runtime_error);
  EXPECT_THROW(book_.add_adjustment({.student = 42, .lab = "03-tiled"}), std::runtime_error);
  EXPECT_TRUE(book_.attempts().empty());
  EXPECT_EQ(book_.source("a"), std::nullopt);
}

TEST_F(BookTest, AReaderCannotWrite) {
  Book reader = opened(file(), Book::Mode::read);
  try {
    reader.add_student(Person{.name = "Jane"});
    FAIL() << "wrote";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(file().string() + ": attempt to write a readonly"));
  }
  EXPECT_TRUE(book_.students().empty());
}

}  // namespace
}  // namespace tessera
