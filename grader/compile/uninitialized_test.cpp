#include "grader/compile/uninitialized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int> lines_in(const std::string& body) {
  std::vector<int> lines;
  const Source source("void f(int n, const int* a, int* p) {\n" + body + "\n}");
  for (const Finding& finding : find_uninitialized(source, "kernel.cu"))
    lines.push_back(finding.line);
  return lines;
}

TEST(Uninitialized, IsAVariableThatIsReadFirst) {
  EXPECT_THAT(lines_in("float sum;\nfor (int i = 0; i < n; ++i) sum += a[i];\np[0] = sum;"),
              ElementsAre(3));
  EXPECT_THAT(lines_in("int sum, count;\nsum = sum + 1;\n++count;"), ElementsAre(3, 4));
  EXPECT_THAT(lines_in("unsigned int x;\np[0] = x;"), ElementsAre(3));
  EXPECT_THAT(lines_in("int i;\np[i] = 1;"), ElementsAre(3));
  EXPECT_THAT(lines_in("if (n > 1) {\nint x;\nwhile (n > 0) { x += n; }\n}"), ElementsAre(4));
}

TEST(Uninitialized, IsNotAVariableThatGetsAValueFirst) {
  EXPECT_THAT(lines_in("float sum = 0;\nsum += 1;"), IsEmpty());
  EXPECT_THAT(lines_in("float sum;\nsum = 0;\nsum += 1;"), IsEmpty());
  EXPECT_THAT(lines_in("int x;\nif (n > 1) x = 1; else x = 2;\np[0] = x;"), IsEmpty());
  EXPECT_THAT(lines_in("int last;\nfor (int i = 0; i < n; ++i) {\nif (i > 0) p[i] = last;\n"
                       "last = a[i];\n}"),
              IsEmpty());
}

TEST(Uninitialized, IsNotAVariableThatOtherCodeMaySet) {
  EXPECT_THAT(lines_in("int x;\nset(&x);\np[0] = x;"), IsEmpty());
  EXPECT_THAT(lines_in("int x;\nset(x);\np[0] = x;"), IsEmpty());
  EXPECT_THAT(lines_in("int x;\nasm(\"mov.u32 %0, 1;\" : \"=r\"(x));\np[0] = x;"), IsEmpty());
  EXPECT_THAT(lines_in("int x;\nauto set = [&x] { x = 1; };\nset();\np[0] = x;"), IsEmpty());
  EXPECT_THAT(lines_in("int x;\nint& y = x;\ny = p[1];\np[0] = x;"), IsEmpty());
  EXPECT_THAT(lines_in("int x;\n#define SET x = 1\nSET;\np[0] = x;"), IsEmpty());
  EXPECT_THAT(lines_in("int x;\n#if N > 1\np[0] = x;\n#endif"), IsEmpty());
}

TEST(Uninitialized, IsNeitherAMemberNorAnArray) {
  EXPECT_THAT(lines_in("struct Pair { int a; int b; };\nPair pair{1, 2};\np[0] = pair.b;"),
              IsEmpty());
  EXPECT_THAT(lines_in("__shared__ float sum;\nsum += 1;"), IsEmpty());
  EXPECT_THAT(lines_in("float sums[4];\nsums[0] += 1;"), IsEmpty());
}

}  // namespace
}  // namespace tessera
