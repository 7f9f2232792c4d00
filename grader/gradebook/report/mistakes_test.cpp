#include "grader/gradebook/report/mistakes.h"

#include <gmock/gmock.h>

#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

std::string pattern(const std::string& line) {
  return pattern_of(Source(line), 1, {"A", "B", "C", "m"});
}

TEST(Pattern, NamesThatAStudentChoseAreLetters) {
  EXPECT_EQ(pattern("  As[ty][tx] = A(row, k);"), "a[b][c] = A(d, e);");
  EXPECT_EQ(pattern("tileA[y_in][x_in]=A( r,phase ) ;"), "a[b][c] = A(d, e);");
}

TEST(Pattern, OneNameIsOneLetter) {
  EXPECT_EQ(pattern("sum += sum * other;"), "a += a * b;");
}

TEST(Pattern, WordsOfCudaAndNumbersStay) {
  EXPECT_EQ(pattern("const int i = blockIdx.x * 16 + threadIdx.x;"),
            "const int a = blockIdx.x * 16 + threadIdx.x;");
  EXPECT_EQ(pattern("__syncthreads();"), "__syncthreads();");
  EXPECT_EQ(pattern("for (int i = 0; i < n; ++i) s += A.data[i];"),
            "for(int a = 0; a < b; ++a) c += A.data[a];");
}

TEST(Pattern, ALetterThatTheLabUsesIsNotGivenToAName) {
  EXPECT_EQ(pattern_of("q = a;", 1, {"a"}), "b = a;");
}

TEST(Pattern, CommentsAndStringsAreNotShown) {
  EXPECT_EQ(pattern("printf(\"Jane was here\"); // by Jane"), "a(\"\");");
  EXPECT_EQ(pattern("// by Jane"), "");
}

TEST(Pattern, OnlyTheGivenLineCounts) {
  EXPECT_EQ(pattern_of("a1 = 1;\r\nb2 = c3;\r\n", 2, {}), "a = b;");
  EXPECT_EQ(pattern_of("a = 1;\n", 7, {}), "");
}

TEST(Pattern, MoreThan22NamesHaveNumbers) {
  std::string line;
  for (int i = 0; i < 23; ++i) line += "name" + std::to_string(i) + ";";
  // x, y, z and w are components of vectors, m is the lab's.
  EXPECT_THAT(pattern(line), testing::StartsWith("a; b; c;"));
  EXPECT_THAT(pattern(line), testing::EndsWith("u; v; a1; b1;"));
}

TEST(MessagePattern, QuotedTextIsLeftOut) {
  EXPECT_EQ(pattern_of_message("use of undeclared identifier 'tile'"),
            "use of undeclared identifier '...'");
  EXPECT_EQ(pattern_of_message("identifier \"x\" is undefined in `y`"),
            "identifier \"...\" is undefined in `...`");
  EXPECT_EQ(pattern_of_message("the compiler doesn't know"), "the compiler doesn't know");
}

TEST(Mistakes, OneCauseInSeveralCasesIsOneMistake) {
  Record record = failed_record();
  record.items[1].findings[1].example = {{"diagnosis", "missing-last-phase"}};
  const std::vector<MadeMistake> made = mistakes_of(record, {"A"});
  ASSERT_THAT(made, SizeIs(2));
  EXPECT_EQ(made[1].mistake.kind, FindingKind::race);
  EXPECT_EQ(made[1].mistake.diagnosis, "");
  EXPECT_EQ(made[1].mistake.pattern, "a[b][c] = A(d, e);");
  EXPECT_EQ(made[1].line, 23);
  EXPECT_EQ(made[1].quoted, "As[ty][tx] = A(row, col);  // 행렬");
  EXPECT_EQ(made[0].mistake.kind, FindingKind::wrong_result);
  EXPECT_EQ(made[0].mistake.diagnosis, "missing-last-phase");
  EXPECT_EQ(made[0].mistake.pattern, "");
}

TEST(Mistakes, AWonItemMakesNoMistake) {
  EXPECT_THAT(mistakes_of(won_record(), {}), IsEmpty());
}

TEST(Mistakes, AnItemThatFailsWithoutAFindingIsNoMistake) {
  Record record = won_record();
  record.items[0].status = Status::timeout;
  record.items[0].message = "out of time";
  EXPECT_THAT(mistakes_of(record, {}), IsEmpty());
}

TEST(Mistakes, TheCompilersWordsStandForTheLine) {
  Record record = sample_record();
  record.source = {"int tile = x;"};
  Item item = sample_item("correctness/1", "m=1", Status::error, 0, 10);
  Finding finding;
  finding.kind = FindingKind::does_not_compile;
  finding.line = 1;
  finding.message = "use of undeclared identifier 'x'";
  item.findings = {finding};
  record.items = {item};
  const std::vector<MadeMistake> made = mistakes_of(record, {});
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_EQ(made[0].mistake.pattern, "use of undeclared identifier '...'");
  EXPECT_EQ(made[0].quoted, "int tile = x;");
}

}  // namespace
}  // namespace tessera
