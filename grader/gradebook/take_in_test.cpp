#include "grader/gradebook/take_in.h"

#include <gmock/gmock.h>

#include "grader/gradebook/test_book.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Downloads of Moodle, which numbers its participants anew in each assignment.
class TakeInMoodle : public BookTest {
 protected:
  void hand_in(const std::string& download, const std::string& participant) const {
    downloads_.write(download + "/" + participant + "_assignsubmission_file/kernel.cu",
                     "// " + participant);
  }

  Expected<TakenIn> try_take(const std::string& download, const std::string& lab,
                             const std::string& roster = "") {
    TakeInRequest request;
    request.submissions = downloads_.path() / download;
    request.labs = {"01-naive", "03-tiled"};
    request.only_lab = lab;
    if (!roster.empty()) {
      downloads_.write("class.csv", roster);
      request.roster = downloads_.path() / "class.csv";
    }
    return take_in(book_, request);
  }

  TakenIn take(const std::string& download, const std::string& lab,
               const std::string& roster = "") {
    const Expected<TakenIn> taken = try_take(download, lab, roster);
    if (!taken) throw std::runtime_error(taken.error().str());
    return *taken;
  }

  /// Whose work it is, each by what the book knows of them: "Jane Doe 17 jane@x.edu".
  std::string owner(const std::string& participant) const {
    std::string owners;
    for (const BookAttempt& attempt : book_.attempts()) {
      if (!attempt.origin.starts_with(participant + "_")) continue;
      for (const BookStudent& student : book_.students()) {
        if (std::ranges::count(attempt.students, student.id) == 0) continue;
        const Identity& person = student.identity;
        owners += "[" + person.name + " " + person.moodle_id + " " + person.email + "]";
      }
    }
    return owners;
  }

  TestFolder downloads_;
};

TEST_F(TakeInMoodle, TwoOfOneNameAreTwoStudents) {
  hand_in("a", "Jane Doe_17");
  hand_in("a", "Jane Doe_18");
  for (int again = 0; again < 2; ++again) {
    take("a", "01-naive");
    EXPECT_EQ(book_.students().size(), 2u);
    EXPECT_EQ(owner("Jane Doe_17"), "[Jane Doe 17 ]");
    EXPECT_EQ(owner("Jane Doe_18"), "[Jane Doe 18 ]");
  }
}

TEST_F(TakeInMoodle, ARosterOfOneNameDoesNotMakeThemOne) {
  hand_in("a", "Jane Doe_17");
  hand_in("a", "Jane Doe_18");
  const TakenIn taken = take("a", "01-naive", "name,email\nJane Doe,jane@x.edu\n");
  EXPECT_THAT(taken.unknown, testing::ElementsAre("Jane Doe"));
  EXPECT_EQ(book_.students().size(), 3u);
  EXPECT_EQ(owner("Jane Doe_17"), "[Jane Doe 17 ]");
}

TEST_F(TakeInMoodle, TheWorksheetSaysWhoIsWho) {
  hand_in("a", "Jane Doe_17");
  hand_in("a", "Jane Doe_18");
  const TakenIn taken = take("a", "01-naive",
                             "Identifier,Full name,Email address\n"
                             "Participant 18,Jane Doe,second@x.edu\n"
                             "Participant 17,Jane Doe,first@x.edu\n");
  EXPECT_THAT(taken.unknown, IsEmpty());
  EXPECT_EQ(book_.students().size(), 2u);
  EXPECT_EQ(owner("Jane Doe_17"), "[Jane Doe 17 first@x.edu]");
  EXPECT_EQ(owner("Jane Doe_18"), "[Jane Doe 18 second@x.edu]");
}

TEST_F(TakeInMoodle, OneOfANameIsTheSameInTheNextAssignment) {
  hand_in("a", "Jane Doe_17");
  hand_in("b", "Jane Doe_99");
  take("a", "01-naive");
  for (int again = 0; again < 2; ++again) {
    take("b", "03-tiled");
    EXPECT_EQ(book_.students().size(), 1u);
    EXPECT_EQ(owner("Jane Doe_99"), "[Jane Doe 17 ]");
  }
}

TEST_F(TakeInMoodle, AnotherNumberForTheSameLabIsSomebodyElse) {
  hand_in("a", "Jane Doe_17");
  hand_in("later", "Jane Doe_18");
  take("a", "01-naive");
  take("later", "01-naive");
  EXPECT_EQ(book_.students().size(), 2u);
  EXPECT_EQ(owner("Jane Doe_18"), "[Jane Doe 18 ]");
}

TEST_F(TakeInMoodle, ANumberThatTheRosterGivesToNobodyIsSomebodyElse) {
  hand_in("a", "Max Roe_16");
  hand_in("a", "Jane Doe_18");
  const TakenIn taken = take("a", "01-naive", "name,Moodle ID\nJane Doe,17\nMax Roe,16\n");
  EXPECT_THAT(taken.unknown, testing::ElementsAre("Jane Doe"));
  EXPECT_EQ(owner("Jane Doe_18"), "[Jane Doe 18 ]");
  EXPECT_EQ(owner("Max Roe_16"), "[Max Roe 16 ]");
}

TEST_F(TakeInMoodle, TheWorksheetOfAnotherAssignmentIsRefused) {
  hand_in("a", "Jane Doe_17");
  const auto taken = try_take("a", "01-naive", "name,Moodle ID\nJane Doe,99\n");
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().str(), HasSubstr("class.csv: none of the participants' numbers"));
  EXPECT_THAT(book_.students(), IsEmpty());
}

}  // namespace
}  // namespace tessera
