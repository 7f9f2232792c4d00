#include "grader/authoring/proof/skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/testing/source_root.h"
#include "common/text.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string skeleton(std::string_view source) {
  const Expected<std::string> result = skeleton_of(source, "kernel.cu");
  return result ? *result : "error: " + result.error().str();
}

TEST(Skeleton, TextAfterTheColonBecomesAComment) {
  EXPECT_EQ(skeleton("void f() {\n  // BEGIN SOLUTION: YOUR CODE HERE\n  x = 1;\n"
                     "  // END SOLUTION\n}\n"),
            "void f() {\n  // YOUR CODE HERE\n}\n");
}

TEST(Skeleton, WithoutTextThePartIsLeftOut) {
  EXPECT_EQ(skeleton("a\n// BEGIN SOLUTION\nx\n// END SOLUTION\nb\n"), "a\nb\n");
}

TEST(Skeleton, ReplacementTextStandsAtItsOwnIndentation) {
  EXPECT_EQ(skeleton("// BEGIN SOLUTION\n  //: int bytes = 0;\n  int bytes = 4;\n"
                     "//:\n//:   // so much\n// END SOLUTION\n"),
            "  int bytes = 0;\n\n  // so much\n");
}

TEST(Skeleton, SeveralPartsAreReplacedEachByItself) {
  EXPECT_EQ(skeleton("// BEGIN SOLUTION: 1\nx\n// END SOLUTION\nkept\n// BEGIN SOLUTION: 2\ny\n"
                     "// END SOLUTION\n"),
            "// 1\nkept\n// 2\n");
}

TEST(Skeleton, LineEndsOfWindowsStay) {
  EXPECT_EQ(skeleton("a\r\n// BEGIN SOLUTION: TODO\r\n//: b\r\nx\r\n// END SOLUTION\r\nc\r\n"),
            "a\r\n// TODO\r\nb\r\nc\r\n");
}

TEST(Skeleton, LastLineNeedsNoLineEnd) {
  EXPECT_EQ(skeleton("a\n// BEGIN SOLUTION\nx\n// END SOLUTION"), "a\n");
  EXPECT_EQ(skeleton("// BEGIN SOLUTION\nx\n// END SOLUTION\na"), "a");
}

TEST(CleanSolution, IsAllButMarksAndReplacementText) {
  EXPECT_EQ(
      *clean_solution("// Lab\n// BEGIN SOLUTION\n// How it works.\n// END SOLUTION\nvoid f() {\n"
                      "  // BEGIN SOLUTION: TODO\n  //: int x;\n\n  int x = 1;\n"
                      "  // END SOLUTION\n}\n",
                      "kernel.cu"),
      "// Lab\n// How it works.\nvoid f() {\n\n  int x = 1;\n}\n");
  EXPECT_FALSE(clean_solution("// BEGIN SOLUTION\nx\n", "kernel.cu"));
}

TEST(Skeleton, OrdinaryCommentsAreNoMarks) {
  const std::string source = "// the beginning of a solution\n// END\nint endSolution = 1;\n";
  EXPECT_EQ(skeleton(source + "// BEGIN SOLUTION\nx\n// END SOLUTION\n"), source);
}

struct Mistake {
  std::string name;
  std::string source;
  std::string message;
};

class SkeletonMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(SkeletonMistakes, AreErrorsWithTheirLine) {
  EXPECT_THAT(skeleton(GetParam().source), HasSubstr("error: kernel.cu:" + GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Marks, SkeletonMistakes,
    testing::Values(
        Mistake{"None", "int x;\n", " nothing is marked as the solution"},
        Mistake{"Nested",
                "\n// BEGIN SOLUTION\n// BEGIN SOLUTION\nx\n// END SOLUTION\n// END SOLUTION\n",
                "3: stands inside the part that line 2 begins"},
        Mistake{"Unclosed", "a\n// BEGIN SOLUTION\nx\n", "2: is not closed"},
        Mistake{"Unopened", "a\nb\n// END SOLUTION\n", "3: closes nothing"},
        Mistake{"Empty", "// BEGIN SOLUTION\n// END SOLUTION\n", "1: marks nothing"},
        Mistake{"ReplacementAlone", "a\n// BEGIN SOLUTION\n\n//: x\n// END SOLUTION\n",
                "2: marks nothing"},
        Mistake{"ColonWithoutText", "// BEGIN SOLUTION:\nx\n// END SOLUTION\n", "1: has a colon"},
        Mistake{"ReplacementOutside", "a\n//: b\n", "2: '//:' is replacement text"},
        Mistake{"Backslash", "// BEGIN SOLUTION\n//: #define X \\\nx\n// END SOLUTION\n",
                "2: ends with a backslash"},
        Mistake{"BackslashInAMark", "// BEGIN SOLUTION: X \\\nx\n// END SOLUTION\n",
                "1: ends with a backslash"},
        Mistake{"BehindCode", "x = 1;  // BEGIN SOLUTION\n", "1: looks like a mark"},
        Mistake{"NoSpace", "//BEGIN SOLUTION\nx\n", "1: looks like a mark"},
        Mistake{"LowerCase", "// begin solution\nx\n", "1: looks like a mark"},
        Mistake{"Plural", "// BEGIN SOLUTIONS\nx\n", "1: looks like a mark"},
        Mistake{"Underscore", "/* BEGIN_SOLUTION */\nx\n", "1: looks like a mark"},
        Mistake{"Misspelt", "a\n// BEGIN SOLUTON\n//: x\n// END SOLUTION\n",
                "2: looks like a mark"},
        Mistake{"MisspeltBegin", "// BEGN SOLUTION\nx\n", "1: looks like a mark"},
        Mistake{"MisspeltEnd", "// BEGIN SOLUTION\nx\n// END SOLUTOIN\n", "3: looks like a mark"},
        Mistake{"TextAfterEnd", "// BEGIN SOLUTION\nx\n// END SOLUTION of f\n",
                "3: looks like a mark"}),
    [](const auto& info) { return info.param.name; });

TEST(Skeleton, OtherCommentsAreNoMarks) {
  const std::string comments = "// begin with the last row\n// end section\n// the solution ends\n";
  const auto skeleton =
      skeleton_of(comments + "// BEGIN SOLUTION\nx\n// END SOLUTION\n", "kernel.cu");
  ASSERT_TRUE(skeleton) << skeleton.error().str();
  EXPECT_EQ(*skeleton, comments);
}

TEST(SolutionLines, AreWhatTheSkeletonLacks) {
  const auto lines = solution_lines(
      "a\n// BEGIN SOLUTION: T\n//: b\n  x;\n\n\ty;\r\n  x;\n// END SOLUTION\nc\n", "kernel.cu");
  ASSERT_TRUE(lines);
  EXPECT_THAT(*lines, ElementsAre("x;", "y;", "x;"));
}

void expect_agreement(const fs::path& kit, const std::string& lab) {
  const fs::path reference = kit / "solutions" / lab / "kernel.cu";
  const auto source = read_file(reference);
  ASSERT_TRUE(source) << source.error().str();
  const auto generated = skeleton_of(*source, reference.string());
  ASSERT_TRUE(generated) << generated.error().str();
  const auto handed_out = read_file(kit / "labs" / lab / "kernel.cu");
  ASSERT_TRUE(handed_out) << handed_out.error().str();
  EXPECT_EQ(*handed_out, *generated) << "write it with: tessera lab skeleton " << lab;
}

/// Every lab of the kit has a marked reference.
class KitSkeletons : public testing::TestWithParam<std::string> {};

TEST_P(KitSkeletons, AreWhatTheirReferencesGive) {
  expect_agreement(kRoot, GetParam());
}

TEST(TemplateSkeleton, IsWhatItsReferenceGives) {
  expect_agreement(kRoot / "grader/authoring/template", "00-template");
}

std::vector<std::string> kit_labs() {
  std::vector<std::string> ids;
  for (const fs::path& lab : find_labs(kRoot / "labs")) ids.push_back(lab.filename().string());
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Labs, KitSkeletons, testing::ValuesIn(kit_labs()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace tessera
