#include "grader/gradebook/intake/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Roster roster(std::string_view text) {
  return Roster::from_csv(text, "class.csv").value();
}

std::string error(std::string_view text) {
  const auto roster = Roster::from_csv(text, "class.csv");
  return roster ? "" : roster.error().str();
}

TEST(RosterColumns, AreKnownByManyNames) {
  const Roster names = roster(
      "First Name,surname,E-mail address,SIS_Login_ID,ID number,Canvas ID,GitHub,Section,Group\n"
      "Jane,Doe,jane@x.edu,jdoe,s001,1234,janehub,A,red\n");
  ASSERT_EQ(names.people().size(), 1u);
  const Identity& jane = names.people().front();
  EXPECT_EQ(jane.name, "Jane Doe");
  EXPECT_EQ(jane.email, "jane@x.edu");
  EXPECT_EQ(jane.login, "jdoe");
  EXPECT_EQ(jane.sis_id, "s001");
  EXPECT_EQ(jane.canvas_id, "1234");
  EXPECT_EQ(jane.github, "janehub");
  EXPECT_EQ(jane.section, "A");
  EXPECT_EQ(jane.group, "red");
}

TEST(RosterColumns, TakeCanvasGradebookAsItIs) {
  const Roster canvas = roster(
      "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,Lab 3 (45678)\r\n"
      "    Points Possible,,,,,100\r\n"
      "\"Doe, Jane\",1234,s001,jdoe,CS101-A,87.5\r\n");
  ASSERT_EQ(canvas.people().size(), 1u);
  EXPECT_EQ(canvas.people()[0].name, "Doe, Jane");
  EXPECT_EQ(canvas.people()[0].canvas_id, "1234");
}

TEST(RosterColumns, TakeMoodlesWorksheetAsItIs) {
  const Roster worksheet = roster(
      "Identifier,Full name,Email address,Status,Grade\n"
      "Participant 17,Jane Doe,jane1@x.edu,Submitted,\n"
      "Teilnehmer/in18,Jane Doe,jane2@x.edu,Submitted,\n");
  EXPECT_TRUE(worksheet.has_moodle_ids());
  EXPECT_EQ(worksheet.find({.name = "Jane Doe", .moodle_id = "17"})->email, "jane1@x.edu");
  EXPECT_EQ(worksheet.find({.name = "Jane Doe", .moodle_id = "18"})->email, "jane2@x.edu");
  EXPECT_EQ(worksheet.find({.name = "Jane Doe", .moodle_id = "19"}), std::nullopt);
  EXPECT_EQ(roster("name,Moodle ID\nJane,17\n").find({.moodle_id = "17"})->name, "Jane");
  EXPECT_FALSE(roster("name\nJane\n").has_moodle_ids());
}

TEST(RosterFind, OneNameWithAnotherNumberIsAnotherPerson) {
  const Roster names = roster("name,canvas id,moodle id\nJane Doe,12,17\n");
  EXPECT_EQ(names.find({.name = "Jane Doe", .moodle_id = "18"}), std::nullopt);
  EXPECT_EQ(names.find({.name = "Jane Doe", .canvas_id = "13"}), std::nullopt);
  EXPECT_TRUE(names.find({.name = "Jane Doe", .canvas_id = "anon_x"}));
  EXPECT_TRUE(names.find({.name = "Jane Doe", .login = "jdoe"}));
}

TEST(RosterFind, AnotherNumberIsAnotherPersonWhateverTheyShare) {
  const Roster names = roster("name,canvas id,sis id,email\nJane Doe,12,s1,jane@x.edu\n");
  EXPECT_EQ(names.find({.email = "jane@x.edu", .canvas_id = "13"}), std::nullopt);
  EXPECT_EQ(names.find({.email = "jane@x.edu", .sis_id = "s2"}), std::nullopt);
  EXPECT_TRUE(names.find({.email = "jane@x.edu", .sis_id = "S1"}));
}

/// The contradictions, in short: "email: Max Roe".
std::vector<std::string> contradicting(const Roster& roster, const Identity& person) {
  std::vector<std::string> hits;
  for (const RosterHit& hit : roster.contradictions(person))
    hits.push_back(hit.what + ": " + hit.owner.name);
  return hits;
}

class RosterContradictions : public testing::Test {
 protected:
  Roster roster_ =
      roster("name,email,sis id\nJane Doe,jane@x.edu,111\nMax Roe,max@x.edu,222\n,ann@x.edu,333\n");
};

TEST_F(RosterContradictions, AnothersNumberBesideOnesOwnAddress) {
  EXPECT_THAT(contradicting(roster_, {.email = "MAX@x.edu", .sis_id = "111"}),
              ElementsAre("school's number: Jane Doe", "email: Max Roe"));
}

TEST_F(RosterContradictions, AnothersNumberBesideOnesOwnName) {
  EXPECT_THAT(contradicting(roster_, {.name = "Roe, Max", .email = "m@y.com", .sis_id = "111"}),
              ElementsAre("school's number: Jane Doe", "name: Max Roe"));
}

TEST_F(RosterContradictions, ANameThatNoOtherPersonHasContradictsNothing) {
  EXPECT_THAT(contradicting(roster_, {.name = "Janey", .email = "jane@x.edu", .sis_id = "111"}),
              IsEmpty());
  EXPECT_THAT(contradicting(roster_, {.name = "Max Roe", .email = "ann@x.edu"}), IsEmpty())
      << "the roster does not say how she is called";
}

TEST_F(RosterContradictions, AKeyThatTheRosterLacksContradictsNothing) {
  EXPECT_THAT(contradicting(roster_, {.name = "Max Roe", .email = "m@y.com", .sis_id = "222"}),
              IsEmpty());
  EXPECT_THAT(contradicting(roster_, {.name = "Max Roe", .sis_id = "999"}), IsEmpty());
  EXPECT_THAT(contradicting(roster_, {}), IsEmpty());
}

TEST_F(RosterContradictions, ANumberThatAStudentTypedTakesNoOthersWork) {
  Roster names = roster("name,email\nJane Doe,jane@x.edu\nMax Roe,max@x.edu\n");
  names.remember({.email = "jane@x.edu", .sis_id = "111"});
  EXPECT_EQ(names.find({.sis_id = "111"})->name, "Jane Doe");
  const Identity max{.email = "max@x.edu", .sis_id = "111"};
  EXPECT_THAT(contradicting(names, max), IsEmpty());
  EXPECT_EQ(names.find(max)->name, "Max Roe");
  EXPECT_EQ(names.find(max)->sis_id, "") << "it is Jane's so far";
  EXPECT_THAT(contradicting(names, {.name = "Max Roe", .sis_id = "111"}),
              ElementsAre("school's number: Jane Doe", "name: Max Roe"));
}

TEST(RosterFind, AnAddressOfOtherLettersIsAnothers) {
  const Roster names = roster("name,email,login\nKim Doe,kim@x.edu,kim\n");
  EXPECT_TRUE(names.find({.email = "KIM@X.edu"}));
  EXPECT_FALSE(names.find({.email = "\u212aim@x.edu"})) << "the Kelvin sign";
  EXPECT_FALSE(names.find({.login = "k\u0130m"}));
}

TEST(RosterFind, NamesakesAreThoseWhoMayBeMeant) {
  const Roster names =
      roster("name,login,canvas id\nJane Doe,jdoe1,\n\"Doe, Jane\",jdoe2,12\nMax Roe,mroe,\n");
  EXPECT_EQ(names.namesakes({.name = "doejane"}).size(), 2u);
  EXPECT_EQ(names.namesakes({.name = "Jane Doe", .canvas_id = "13"}).size(), 2u);
  EXPECT_TRUE(names.namesakes({.name = "Jane Doe", .login = "x"}).empty());
  EXPECT_TRUE(names.namesakes({.name = "Max Roe"}).empty());
}

TEST(RosterFind, WhatItLearnsDistinguishesPeople) {
  Roster names = roster("name,login\nJane Doe,jdoe\n");
  names.learn(0, {.name = "Jane Doe", .canvas_id = "12", .moodle_id = "17"});
  EXPECT_EQ(names.find({.canvas_id = "12"})->login, "jdoe");
  EXPECT_EQ(names.find({.name = "doejane", .canvas_id = "13"}), std::nullopt);
  EXPECT_TRUE(names.find({.name = "doejane", .moodle_id = "99"}));
  EXPECT_FALSE(names.has_moodle_ids());
}

TEST(RosterErrors, SayThatNoColumnIdentifiesPeople) {
  EXPECT_THAT(error("section,mark\nA,3\n"), HasSubstr("class.csv:1: no column says who is who"));
  EXPECT_THAT(error("name;email\nA;a@x\n"), HasSubstr("commas between columns"));
}

TEST(RosterErrors, NameBothLinesOfOneKey) {
  EXPECT_THAT(error("name,email\nJane,j@x.edu\n\nJim,J@X.edu\n"),
              HasSubstr("class.csv:4: the email 'J@X.edu' is also in line 2"));
  EXPECT_EQ(error("name,email\nJane,\nJane,\n"), "");
}

TEST(RosterErrors, SayThatANameNeedsQuotes) {
  EXPECT_THAT(error("name,login\nDoe, Jane,jdoe\n"),
              HasSubstr("class.csv:2: has 3 cells under a heading of 2"));
  EXPECT_EQ(error("name,login\nJane,jdoe,,\n"), "");
}

TEST(RosterFind, GoesFromTheStrongestKeyToTheName) {
  const Roster two = roster(
      "name,canvas id,email,login,github\n"
      "Jane Doe,1,jane@x.edu,jdoe,janehub\n"
      "Jim Roe,2,jim@x.edu,jroe,jimhub\n");
  EXPECT_EQ(two.find({.canvas_id = "2"})->name, "Jim Roe");
  EXPECT_EQ(two.find({.email = "JANE@x.edu", .login = "jroe"})->name, "Jane Doe");
  EXPECT_EQ(two.find({.login = "jroe"})->name, "Jim Roe");
  EXPECT_EQ(two.find({.github = "JaneHub"})->name, "Jane Doe");
  EXPECT_EQ(two.find({.name = "unknown", .login = "other"}), std::nullopt);
  EXPECT_EQ(two.find({}), std::nullopt);
}

TEST(RosterFind, KnowsAllWritingsOfAName) {
  const Roster names = roster(
      "name,login\n"
      "Jane Doe,jdoe\n\"Poe, Anne-Marie Zoë\",apoe\nConan O'Brien,cob\n");
  for (const char* name : {"Doe, Jane", "jane doe", "doejane", "Jane  Doe"}) {
    ASSERT_TRUE(names.find({.name = name})) << name;
    EXPECT_EQ(names.find({.name = name})->login, "jdoe");
  }
  EXPECT_EQ(names.find({.name = "Anne-Marie Zoë Poe"})->login, "apoe");
  EXPECT_EQ(names.find({.name = "poeannemariezoë"})->login, "apoe");
  EXPECT_EQ(names.find({.name = "obrienconan"})->login, "cob");
}

TEST(RosterFind, KnowsANameWithWhatCannotBeSeen) {
  const Roster names = roster("name,login\nDoe?[2J? Jane,jdoe\n");
  EXPECT_TRUE(names.find({.name = "Doe\x1b[2J\xe2\x80\xae Jane"}));
}

TEST(RosterFind, ANameWithOtherPunctuationIsAnother) {
  const Roster single = roster("name\nAnn-Marie O'Neil\n");
  EXPECT_TRUE(single.find({.name = "O'Neil, Ann-Marie"}));
  EXPECT_TRUE(single.find({.name = "O'Neil Ann-Marie"}));
  EXPECT_TRUE(single.find({.name = "oneilannmarie"})) << "as Canvas has it";
  for (const char* name : {"Ann Marie ONeil", "Ann-Marie ONeil", "O'neil, Ann Marie"}) {
    EXPECT_FALSE(single.find({.name = name})) << name;
    EXPECT_EQ(single.namesakes({.name = name}).size(), 1u) << name;
  }
  const Roster two = roster("name,login\nAnn-Marie O'Neil,a\nAnn Marie ONeil,b\n");
  EXPECT_EQ(two.find({.name = "ann marie oneil"})->login, "b");
  EXPECT_FALSE(two.find({.name = "oneilannmarie"}));
  EXPECT_EQ(two.namesakes({.name = "oneilannmarie"}).size(), 2u);
}

TEST(RosterFind, AnotherOrderIsNotGuessedIfOthersHaveTheName) {
  const Roster names = roster("name\nJames Thomas\n");
  EXPECT_TRUE(names.find({.name = "Thomas James"}));
  EXPECT_FALSE(names.find({.name = "Thomas James"}, true));
  EXPECT_TRUE(names.find({.name = "James Thomas"}, true));
}

TEST(RosterFind, DoesNotGuessBetweenTwoOfOneName) {
  const Roster names = roster("name,login\nJane Doe,jdoe1\n\"Doe, Jane\",jdoe2\n");
  EXPECT_EQ(names.find({.name = "Jane Doe"}), std::nullopt);
  EXPECT_EQ(names.find({.name = "Jane Doe", .login = "jdoe2"})->login, "jdoe2");
}

TEST(RosterFind, FillsWhatTheRosterLeavesEmpty) {
  const Roster names = roster("name,login,email\nJane Doe,jdoe,\n");
  const auto jane = names.find({.name = "doejane", .email = "jane@x.edu", .moodle_id = "17"});
  ASSERT_TRUE(jane);
  EXPECT_EQ(jane->name, "Jane Doe");
  EXPECT_EQ(jane->email, "jane@x.edu");
  EXPECT_EQ(jane->moodle_id, "17");
}

}  // namespace
}  // namespace tessera
