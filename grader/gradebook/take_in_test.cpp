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
                             const std::string& roster = "",
                             std::optional<SourceFormat> format = std::nullopt) {
    TakeInRequest request;
    request.format = format;
    request.submissions = downloads_.path() / download;
    request.labs = {"01-naive", "03-tiled"};
    request.only_lab = lab;
    if (!roster.empty()) {
      downloads_.write("class.csv", roster);
      request.roster = downloads_.path() / "class.csv";
    }
    return take_in(book_, request);
  }

  TakenIn take(const std::string& download, const std::string& lab, const std::string& roster = "",
               std::optional<SourceFormat> format = std::nullopt) {
    const Expected<TakenIn> taken = try_take(download, lab, roster, format);
    if (!taken) throw std::runtime_error(taken.error().str());
    return *taken;
  }

  /// The owners of the work, each by what the book knows of them: "Jane Doe 17 jane@x.edu".
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

TEST_F(TakeInMoodle, AnotherNumberForTheSameLabIsAnotherStudent) {
  hand_in("a", "Jane Doe_17");
  hand_in("later", "Jane Doe_18");
  take("a", "01-naive");
  take("later", "01-naive");
  EXPECT_EQ(book_.students().size(), 2u);
  EXPECT_EQ(owner("Jane Doe_18"), "[Jane Doe 18 ]");
}

TEST_F(TakeInMoodle, ANumberThatTheRosterLacksIsAnotherStudent) {
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

TEST_F(TakeInMoodle, OneOfTwoOfANameIsNotGuessedInTheNextAssignment) {
  hand_in("a", "Jane Doe_17");
  hand_in("a", "Jane Doe_18");
  hand_in("b", "Jane Doe_99");
  take("a", "01-naive");
  const TakenIn taken = take("b", "03-tiled");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_EQ(
      taken.problems[0].problem,
      "'Jane Doe' may be Jane Doe (17) and Jane Doe (18), and nothing else in the submission "
      "says which of them; give this assignment's grading worksheet as the roster (here it is "
      "Participant 99)");
  EXPECT_EQ(owner("Jane Doe_99"), "[Jane Doe_99_assignsubmission_file  ]");
}

TEST_F(TakeInMoodle, ANameOfTwoOnTheRosterIsNotGuessed) {
  hand_in("a", "Jane Doe_17");
  const TakenIn taken =
      take("a", "01-naive", "name,login\nJane Doe,jdoe1\n\"Doe, Jane\",jdoe2\nMax Roe,mroe\n");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_THAT(taken.problems[0].problem,
              HasSubstr("'Jane Doe' may be Jane Doe (jdoe1) and Doe, Jane (jdoe2), and nothing"));
  EXPECT_EQ(taken.kernels, 0);
}

TEST_F(TakeInMoodle, ANameWithOtherPunctuationIsNotGuessed) {
  hand_in("a", "Ann Marie ONeil_17");
  const TakenIn taken = take("a", "01-naive", "name\nAnn-Marie O'Neil\n");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_EQ(taken.problems[0].problem,
            "the name 'Ann Marie ONeil' is like that of Ann-Marie O'Neil of the roster, but not "
            "the same, and nothing else says that they are one person; give this assignment's "
            "grading worksheet as the roster (here it is Participant 17), or write the name there "
            "as the course system does");
  EXPECT_EQ(taken.kernels, 0);
}

TEST_F(TakeInMoodle, TwoNamesThatDifferInPunctuationAreTwoPeople) {
  hand_in("a", "Ann Marie ONeil_17");
  hand_in("a", "Ann-Marie O'Neil_18");
  const TakenIn both =
      take("a", "01-naive", "name,email\nAnn-Marie O'Neil,a@x\nAnn Marie ONeil,b@x\n");
  EXPECT_THAT(both.problems, IsEmpty());
  EXPECT_EQ(owner("Ann Marie ONeil_17"), "[Ann Marie ONeil 17 b@x]");
  EXPECT_EQ(owner("Ann-Marie O'Neil_18"), "[Ann-Marie O'Neil 18 a@x]");
}

TEST_F(TakeInMoodle, OneOfTwoNamesThatDifferInPunctuationIsTheRosters) {
  hand_in("a", "Ann Marie ONeil_17");
  hand_in("a", "Ann-Marie O'Neil_18");
  const TakenIn taken = take("a", "01-naive", "name,email\nAnn-Marie O'Neil,a@x\n");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_THAT(taken.problems[0].origin, testing::StartsWith("Ann Marie ONeil_17"));
  EXPECT_EQ(owner("Ann-Marie O'Neil_18"), "[Ann-Marie O'Neil 18 a@x]");
}

TEST_F(TakeInMoodle, AnotherOrderOfANameIsItsOwnersUnlessTwoClaimIt) {
  hand_in("a", "Thomas James_17");
  const std::string roster = "name,email\nJames Thomas,j@x\n";
  EXPECT_THAT(take("a", "01-naive", roster).problems, IsEmpty());
  hand_in("b", "Thomas James_18");
  hand_in("b", "James Thomas_19");
  EXPECT_EQ(take("b", "03-tiled", roster).problems.size(), 1u);
  EXPECT_EQ(owner("James Thomas_19"), "[James Thomas 17 j@x]");
  EXPECT_EQ(owner("Thomas James_18"), "[Thomas James_18_assignsubmission_file  ]");
}

TEST_F(TakeInMoodle, AFileThatMayBeOfTwoChangesNoMark) {
  const std::string bob = "Bob_17_assignsubmission_file_ Roe_18_assignsubmission_file_kernel.cu";
  downloads_.write("a/" + bob, "// of Max Roe");
  downloads_.write("a/Bob_17_assignsubmission_file_kernel.cu", "// of Bob");
  const TakenIn taken = take("a", "01-naive", "name\nBob\nMax Roe\n");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_EQ(taken.problems[0].origin, bob);
  EXPECT_EQ(taken.kernels, 1);
  EXPECT_EQ(owner("Bob"), "[" + bob + "  ][Bob 17 ]");
}

/// Downloads of Canvas and Gradescope, and the students whom the book then has.
class TakeInNames : public TakeInMoodle {
 protected:
  void hand_in_file(const std::string& name) const { downloads_.write(name, "// " + name); }

  void hand_in_gradescope(const std::string& download, const std::string& metadata) const {
    downloads_.write(download + "/submission_metadata.yml", "---\n" + metadata);
    for (const char* folder : {"submission_1", "submission_2"})
      downloads_.write(download + "/" + folder + "/kernel.cu", "// " + std::string(folder));
  }

  /// The students of the book: "doejane 12 jdoe".
  std::vector<std::string> students() const {
    std::vector<std::string> known;
    for (const BookStudent& student : book_.students()) {
      const Identity& person = student.identity;
      known.push_back(person.name + " " + person.canvas_id + person.sis_id + " " + person.login);
    }
    return known;
  }
};

TEST_F(TakeInNames, TwoCanvasIdsOfOneNameAreTwoStudents) {
  hand_in_file("a/doejane_12_98_kernel.cu");
  hand_in_file("a/doejane_13_99_kernel.cu");
  for (int again = 0; again < 2; ++again) {
    take("a", "01-naive");
    EXPECT_THAT(students(), testing::UnorderedElementsAre("doejane 12 ", "doejane 13 "));
  }
}

TEST_F(TakeInNames, TheOneOfTheirNameOnTheRosterIsNotBothOfThem) {
  hand_in_file("a/doejane_12_98_kernel.cu");
  hand_in_file("a/doejane_13_99_kernel.cu");
  const TakenIn taken = take("a", "01-naive", "name,login\nJane Doe,jdoe\n");
  EXPECT_THAT(taken.unknown, testing::ElementsAre("doejane"));
  EXPECT_THAT(students(),
              testing::UnorderedElementsAre("Jane Doe  jdoe", "doejane 12 ", "doejane 13 "));
}

TEST_F(TakeInNames, ALaterCanvasIdOfTheNameIsAnotherStudent) {
  hand_in_file("a/doejane_12_98_kernel.cu");
  hand_in_file("b/doejane_13_99_kernel.cu");
  const std::string roster = "name,login\nJane Doe,jdoe\n";
  EXPECT_THAT(take("a", "01-naive", roster).unknown, IsEmpty());
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(take("b", "03-tiled", roster).unknown, testing::ElementsAre("doejane"));
    EXPECT_THAT(take("a", "01-naive", roster).unknown, IsEmpty());
    EXPECT_THAT(students(), testing::UnorderedElementsAre("Jane Doe 12 jdoe", "doejane 13 "));
  }
}

TEST_F(TakeInNames, ACanvasIdThatTheRosterLacksIsNotGuessedBetweenTwoOfAName) {
  hand_in_file("a/doejane_12_98_kernel.cu");
  const TakenIn taken = take("a", "01-naive", "name,login\nJane Doe,jdoe1\nJane Doe,jdoe2\n");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_EQ(taken.problems[0].problem,
            "'doejane' may be Jane Doe (jdoe1) and Jane Doe (jdoe2), and nothing else in the "
            "submission says which of them; give a roster with everybody's Canvas ID (here it is "
            "12)");
  EXPECT_THAT(students(), testing::UnorderedElementsAre("Jane Doe  jdoe1", "Jane Doe  jdoe2",
                                                        "doejane_12_98_kernel.cu  "));
  const TakenIn known =
      take("a", "01-naive", "name,login,canvas id\nJane Doe,jdoe1,12\nJane Doe,jdoe2,13\n");
  EXPECT_THAT(known.problems, IsEmpty());
  EXPECT_EQ(known.kernels, 1);
}

TEST_F(TakeInNames, TwoNamesWithoutAnyIdAreNotOnePerson) {
  hand_in_gradescope("g",
                     "submission_1:\n  :submitters:\n  - :name: Jane Doe\n"
                     "submission_2:\n  :submitters:\n  - :name: Jane Doe\n  - :name: Max Roe\n");
  const TakenIn taken = take("g", "01-naive");
  ASSERT_EQ(taken.problems.size(), 2u);
  EXPECT_EQ(taken.problems[0].problem,
            "'Jane Doe' handed in submission_1 and submission_2, and nothing says whether they are "
            "one person; it needs an email or a number beside the name");
  EXPECT_EQ(taken.kernels, 1) << "of Max Roe, who is known";
  EXPECT_THAT(students(),
              testing::UnorderedElementsAre("Max Roe  ", "submission_1  ", "submission_2  "));
}

TEST_F(TakeInNames, TwoSchoolNumbersOfOneNameAreTwoStudents) {
  hand_in_gradescope("g",
                     "submission_1:\n  :submitters:\n  - {:name: Jane Doe, :sid: 's1'}\n"
                     "submission_2:\n  :submitters:\n  - {:name: Jane Doe, :sid: 's2'}\n");
  take("g", "01-naive", "name,login\nJane Doe,jdoe\n");
  EXPECT_THAT(students(),
              testing::UnorderedElementsAre("Jane Doe  jdoe", "Jane Doe s1 ", "Jane Doe s2 "));
}

/// Jane hands in as submission_1, Max as submission_2, with the number that he types.
class TypedNumber : public TakeInNames {
 protected:
  TakenIn take_with_number(const std::string& number, const std::string& roster) {
    hand_in_gradescope("g",
                       "submission_1:\n  :submitters:\n"
                       "  - {:name: Jane Doe, :email: jane@x.edu, :sid: '111'}\n"
                       "submission_2:\n  :submitters:\n"
                       "  - {:name: Maxi, :email: max@x.edu, :sid: '" +
                           number + "'}\n");
    return take("g", "01-naive", roster);
  }

  std::vector<std::string> owners_of_kernels() const {
    std::vector<std::string> owners;
    for (const BookAttempt& attempt : book_.attempts()) {
      for (const BookStudent& student : book_.students()) {
        if (attempt.problem.empty() && std::ranges::count(attempt.students, student.id) > 0)
          owners.push_back(attempt.origin + " " + student.identity.name);
      }
    }
    return owners;
  }
};

TEST_F(TypedNumber, OfAnotherIsAProblemAndChangesNoMark) {
  const TakenIn taken = take_with_number(
      "111", "name,email,sis id\nJane Doe,jane@x.edu,111\nMax Roe,max@x.edu,222\n");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_EQ(taken.problems[0].problem,
            "what it says about who handed it in points to different people: the school's number "
            "'111' belongs to Jane Doe (jane@x.edu), the email 'max@x.edu' belongs to Max Roe "
            "(max@x.edu); correct what is wrong in the course system or in the roster, and run "
            "batch on the new download");
  EXPECT_THAT(owners_of_kernels(), testing::ElementsAre("submission_1/kernel.cu Jane Doe"));
}

TEST_F(TypedNumber, OfOnesOwnIsNoProblem) {
  const TakenIn taken = take_with_number(
      "222", "name,email,sis id\nJane Doe,jane@x.edu,111\nMax Roe,max@x.edu,222\n");
  EXPECT_THAT(taken.problems, IsEmpty());
  EXPECT_THAT(owners_of_kernels(), testing::ElementsAre("submission_1/kernel.cu Jane Doe",
                                                        "submission_2/kernel.cu Max Roe"));
}

TEST_F(TypedNumber, ThatTheRosterLacksChangesNoMark) {
  const std::string roster = "name,email\nJane Doe,jane@x.edu\nMax Roe,max@x.edu\n";
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(take_with_number("111", roster).problems, IsEmpty());
    EXPECT_THAT(owners_of_kernels(), testing::ElementsAre("submission_1/kernel.cu Jane Doe",
                                                          "submission_2/kernel.cu Max Roe"));
  }
}

/// Max hands in an archive that names Jane as its owner.
class OneStudentsArchive : public TakeInNames {
 protected:
  OneStudentsArchive() {
    for (const char* place : {"mroe", "subs/mroe", "download"}) {
      downloads_.write(std::string(place) + "/submission_metadata.yml",
                       "---\nsubmission_1:\n  :submitters:\n  - {:email: jane@x.edu}\n");
      downloads_.write(std::string(place) + "/submission_1/kernel.cu", "int broken");
    }
  }

  static constexpr const char* kRoster =
      "name,login,email\nJane Doe,jdoe,jane@x.edu\nMax Roe,mroe,\n";
};

TEST_F(OneStudentsArchive, WritesNoMarksForOthers) {
  for (const char* place : {"mroe", "subs"}) {
    const auto taken = try_take(place, "01-naive", kRoster);
    ASSERT_FALSE(taken) << place;
    EXPECT_THAT(taken.error().message,
                HasSubstr("'mroe' is Max Roe (mroe) of the roster, and what is in it looks like a "
                          "download (gradescope) with the work of others"));
    EXPECT_THAT(book_.attempts(), IsEmpty()) << "nothing is half taken in";
  }
}

TEST_F(OneStudentsArchive, IsTheirsInAFolderOfStudents) {
  const TakenIn taken = take("subs", "01-naive", kRoster, SourceFormat::plain);
  EXPECT_EQ(taken.people, 1);
  EXPECT_THAT(taken.unknown, IsEmpty());
  ASSERT_EQ(book_.attempts().size(), 1u);
  EXPECT_EQ(book_.attempts()[0].origin, "mroe/submission_1/kernel.cu");
}

TEST_F(OneStudentsArchive, IsADownloadIfTheTeacherSaysSoOrItIsNamedAfterNoStudent) {
  EXPECT_EQ(take("mroe", "01-naive", kRoster, SourceFormat::gradescope).people, 1);
  EXPECT_EQ(take("download", "01-naive", kRoster).people, 1);
}

TEST_F(OneStudentsArchive, OfTheirOwnWorkIsTaken) {
  downloads_.write("jdoe/kernel.cu", "int broken");
  const TakenIn taken = take("jdoe", "01-naive", kRoster);
  EXPECT_EQ(taken.only_person, "jdoe");
  EXPECT_EQ(taken.people, 1);
}

TEST_F(TakeInNames, AFolderWithTheNameOfTwoIsNotGuessed) {
  hand_in_file("p/Jane Doe/01-naive/kernel.cu");
  hand_in_file("p/mroe/01-naive/kernel.cu");
  const TakenIn taken =
      take("p", "01-naive", "name,login\nJane Doe,jdoe1\nJane Doe,jdoe2\nMax Roe,mroe\n");
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_THAT(taken.problems[0].problem,
              HasSubstr("'Jane Doe' may be Jane Doe (jdoe1) and Jane Doe (jdoe2)"));
  EXPECT_EQ(taken.kernels, 1);
}

}  // namespace
}  // namespace tessera
