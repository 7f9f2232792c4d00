#include <gmock/gmock.h>

#include <set>

#include "grader/gradebook/test_book.h"

namespace tessera {
namespace {

class Students : public BookTest {};

TEST_F(Students, AreFoundByEachKey) {
  const RowId jane = book_.add_student(Person{.name = "Doe, Jane",
                                              .email = "jane@uni.edu",
                                              .login = "jdoe",
                                              .sis_id = "s001",
                                              .canvas_id = "1234",
                                              .github = "jane-codes"});
  const RowId tom =
      book_.add_student(Person{.name = "Tom", .email = "tom@uni.edu", .sis_id = "s002"});
  EXPECT_NE(jane, tom);
  EXPECT_EQ(book_.add_student(Person{.canvas_id = "1234"}), jane);
  EXPECT_EQ(book_.add_student(Person{.sis_id = "s001"}), jane);
  EXPECT_EQ(book_.add_student(Person{.email = "jane@uni.edu"}), jane);
  EXPECT_EQ(book_.add_student(Person{.login = "jdoe"}), jane);
  EXPECT_EQ(book_.add_student(Person{.github = "jane-codes"}), jane);
  EXPECT_EQ(book_.add_student(Person{.sis_id = "s002"}), tom);
  EXPECT_EQ(book_.students().size(), 2u);
}

TEST_F(Students, EmailAndGitHubNameMatchInEitherCase) {
  const RowId jane = book_.add_student(Person{.email = "Jane@Uni.edu", .github = "Jane"});
  EXPECT_EQ(book_.add_student(Person{.email = "jane@uni.EDU"}), jane);
  EXPECT_EQ(book_.add_student(Person{.github = "jane"}), jane);
  EXPECT_EQ(book_.students()[0].identity.email, "Jane@Uni.edu");
}

TEST_F(Students, KeysDecideBeforeTheName) {
  const RowId one = book_.add_student(Person{.name = "Wei Zhang", .email = "wei1@uni.edu"});
  const RowId two = book_.add_student(Person{.name = "Wei Zhang", .email = "wei2@uni.edu"});
  EXPECT_NE(one, two);
  EXPECT_EQ(book_.add_student(Person{.name = "Wei Zhang", .email = "wei2@uni.edu"}), two);
}

TEST_F(Students, ANameAloneIsAKeyIfThereIsNoOther) {
  const RowId jane = book_.add_student(Person{.name = "Jane", .moodle_id = "17"});
  EXPECT_EQ(book_.add_student(Person{.name = "Jane"}), jane);
  EXPECT_EQ(book_.add_student(Person{.name = "Jane", .email = "jane@uni.edu"}), jane);
  EXPECT_EQ(book_.add_student(Person{.email = "jane@uni.edu"}), jane);
  EXPECT_EQ(book_.add_student(Person{.name = "Jane"}), jane);
}

TEST_F(Students, OneNameWithTwoMoodleNumbersIsTwoPeople) {
  const RowId one = book_.add_student(Person{.name = "Jane", .moodle_id = "17"});
  const RowId two = book_.add_student(Person{.name = "Jane", .moodle_id = "18"});
  EXPECT_NE(one, two);
  EXPECT_EQ(book_.add_student(Person{.name = "Jane", .moodle_id = "17"}), one);
  EXPECT_EQ(book_.add_student(Person{.name = "Jane", .moodle_id = "18"}), two);
  EXPECT_EQ(book_.add_student(Person{.name = "Jane", .email = "jane@uni.edu", .moodle_id = "18"}),
            two);
}

TEST_F(Students, ANameOfTwoPeopleIsNotGuessed) {
  const RowId one = book_.add_student(Person{.name = "Jane", .email = "one@uni.edu"});
  const RowId two = book_.add_student(Person{.name = "Jane", .email = "two@uni.edu"});
  const RowId third = book_.add_student(Person{.name = "Jane"});
  EXPECT_EQ(std::set({one, two, third}).size(), 3u);
  EXPECT_EQ(book_.add_student(Person{.name = "Jane"}), third);
  const RowId by_number = book_.add_student(Person{.name = "Kim", .sis_id = "1", .moodle_id = "5"});
  EXPECT_NE(book_.add_student(Person{.name = "Kim", .moodle_id = "6"}), by_number);
}

TEST_F(Students, ANameCanBeKeptFromDeciding) {
  const RowId known = book_.add_student(Person{.name = "Jane", .email = "jane@uni.edu"});
  const Person jane = {.name = "Jane", .moodle_id = "17"};
  const RowId other = book_.add_student(jane, NameMatch::never);
  EXPECT_NE(other, known);
  EXPECT_EQ(book_.add_student(jane, NameMatch::never), other);
}

TEST_F(Students, APlaceholderAndANameAreNoKey) {
  const RowId one = book_.add_student(Person{.name = "Jane", .email = "n/a", .sis_id = "1"});
  EXPECT_NE(book_.add_student(Person{.name = "Jane", .email = "n/a", .sis_id = "2"}), one);
  const RowId local = book_.add_student(Person{.email = "jdoe"});
  EXPECT_NE(book_.add_student(Person{.email = "jroe"}), local);
  EXPECT_EQ(book_.add_student(Person{.email = "jdoe"}), local);
}

TEST_F(Students, PeopleOfWhomNothingIsKnownAreOneStudent) {
  const RowId unknown = book_.add_student(Person{});
  EXPECT_EQ(book_.add_student(Person{}), unknown);
  EXPECT_NE(book_.add_student(Person{.login = "jdoe"}), unknown);
  EXPECT_EQ(book_.add_student(Person{}), unknown);
}

TEST_F(Students, WhatIsEmptyIsFilledAndNothingElseChanged) {
  const RowId jane = book_.add_student(Person{.name = "Jane", .login = "jdoe"});
  book_.add_student(Person{.name = "Doe, J.", .login = "jdoe", .sis_id = "s001", .section = "A"});
  const Identity identity = book_.students().at(0).identity;
  EXPECT_EQ(identity.name, "Jane");
  EXPECT_EQ(identity.sis_id, "s001");
  EXPECT_EQ(identity.section, "A");
  EXPECT_EQ(book_.add_student(Person{.sis_id = "s001"}), jane);
}

TEST_F(Students, APlaceholderForAnEmailIsNoKey) {
  const RowId jane = book_.add_student(Person{.name = "Jane", .email = "n/a", .sis_id = "1"});
  const RowId tom = book_.add_student(Person{.name = "Tom", .email = "n/a", .sis_id = "2"});
  EXPECT_NE(jane, tom);
  EXPECT_EQ(book_.add_student(Person{.name = "Tom", .email = "n/a"}), tom);
  const RowId ann = book_.add_student(Person{.name = "Ann", .email = "n/a"});
  EXPECT_EQ(book_.students().size(), 3u);
  EXPECT_EQ(book_.add_student(Person{.name = "Ann", .email = "n/a"}), ann);
}

TEST_F(Students, TwoNumbersAreTwoPeopleWhateverElseTheyShare) {
  const Person one = {
      .name = "Jane", .email = "jane@uni.edu", .login = "jdoe", .sis_id = "001", .canvas_id = "7"};
  const RowId jane = book_.add_student(one);
  Person other_school_number = one;
  other_school_number.sis_id = "s001";
  EXPECT_NE(book_.add_student(other_school_number), jane);
  Person other_canvas_id = one;
  other_canvas_id.canvas_id = "8";
  EXPECT_NE(book_.add_student(other_canvas_id), jane);
  EXPECT_EQ(book_.add_student(one), jane);
}

TEST_F(Students, AnonymousNumbersOfCanvasContradictNothing) {
  const RowId jane =
      book_.add_student(Person{.name = "J", .email = "j@uni.edu", .canvas_id = "anon_a"});
  EXPECT_EQ(book_.add_student(Person{.name = "Jane", .email = "j@uni.edu", .canvas_id = "7"}),
            jane);
}

TEST_F(Students, AreListedByName) {
  for (const char* name : {"mia", "Zoe", "Ann"}) book_.add_student(Person{.name = name});
  const std::vector<BookStudent> students = book_.students();
  ASSERT_EQ(students.size(), 3u);
  EXPECT_EQ(students[0].identity.name, "Ann");
  EXPECT_EQ(students[1].identity.name, "mia");
  EXPECT_EQ(students[2].identity.name, "Zoe");
}

}  // namespace
}  // namespace tessera
