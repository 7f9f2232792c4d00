#include "grader/report/annotated_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text.h"
#include "grader/report/sample_accesses.h"
#include "grader/report/sample_record.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;
using Memory = LineAccess::Memory;

const std::vector<std::string> kSource = {
    "#include <tessera/lab.cuh>",  // 1
    "",                            // 2
    "__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {",
    "  __shared__ float As[16][16];",                                // 4
    "  int row = threadIdx.x;",                                      // 5
    "  As[threadIdx.x][threadIdx.y] = A(row, threadIdx.y);",         // 6
    "  __syncthreads();",                                            // 7
    "  float sum = 0;",                                              // 8
    "  // The row of As goes round the block, one element a step.",  // 9
    "  for (int k = 0; k < 16; ++k)",                                // 10
    "    sum += As[threadIdx.y][k];",                                // 11
    "",                                                              // 12
    "  // Nothing here touches memory.",                             // 13
    "  sum *= 2;",                                                   // 14
    "",                                                              // 15
    "  C(row, threadIdx.y) = sum;",                                  // 16
    "}",                                                             // 17
    "",                                                              // 18
    "// The end of the file is not shown.",                          // 19
};

std::vector<LineAccess> sample_lines() {
  return {access_at(6, Memory::global, false, 256, column_of_a()),
          access_at(6, Memory::shared, true, 256, shape("As", 16, 1, 64)),
          access_at(11, Memory::shared, false, 4096, shape("As", 1, 1, 0)),
          access_at(16, Memory::global, true, 1024, shape("C", 4, 4, 4))};
}

std::string without_trailing_spaces(const std::string& text) {
  std::string result;
  for (std::string line : split_lines(text)) {
    while (line.ends_with(' ')) line.pop_back();
    result += line + "\n";
  }
  return result;
}

TEST(AnnotatedSource, Golden) {
  EXPECT_EQ(
      without_trailing_spaces(annotated_source(counted_source(kSource, sample_lines()), {})),
      R"(  what each line asks of memory                                         requests   each  ideal
    4   __shared__ float As[16][16];
    5   int row = threadIdx.x;
    6   As[threadIdx.x][threadIdx.y] = A(row, thread...  global load         256     16      4 !
                                                         shared store        256     16      1 !
       ! neighbouring lanes walk down a column of A, 256 bytes apart: 16 sectors a request where 4
         would do. Let threadIdx.x run along the row.
       ! neighbouring lanes are 64 bytes apart in As: they meet in the same banks, 16 wavefronts a
         request where 1 would do. Store what neighbouring lanes touch in neighbouring elements, or
         choose a row length that spreads the lanes over the banks.
       ...
    9   // The row of As goes round the block, one e...
   10   for (int k = 0; k < 16; ++k)
   11     sum += As[threadIdx.y][k];                     shared load       4,096      1      1
       ...
   14   sum *= 2;
   15
   16   C(row, threadIdx.y) = sum;                       global store      1,024      4      4
   17 }
   18
       each: sectors of 32 bytes (global) or wavefronts (shared) that a request takes; a request is
       one instruction of one warp; ideal: the fewest that its lanes need
)");
}

/// A page of wide source lines, long names and large numbers.
std::string wide_page(int width) {
  std::vector<std::string> source = kSource;
  source[5] = "\tfloat x = A(row, 0);  // 행렬의 열을 읽는다 " + std::string(200, 'x');
  std::vector<LineAccess> lines = sample_lines();
  lines[0].worst.variable = std::string(70, 'v');
  lines[2].requests = lines[2].passes = lines[2].ideal = 99'999'999;
  TextOptions options;
  options.width = width;
  return annotated_source(counted_source(source, lines), options);
}

TEST(AnnotatedSource, FitsTheTerminal) {
  for (const int width : {100, 120}) {
    for (const std::string& line : split_lines(wide_page(width)))
      EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(AnnotatedSource, FitsANarrowTerminalToo) {
  for (const std::string& line : split_lines(wide_page(88)))
    EXPECT_LE(display_width(line), 88) << line;
}

TEST(AnnotatedSource, CannotWriteEscapeSequences) {
  std::vector<std::string> source = kSource;
  source[5] = "A; // \x1b[2J";
  std::vector<LineAccess> lines = sample_lines();
  lines[0].worst.variable = "\x1b[31mA";
  EXPECT_THAT(annotated_source(counted_source(source, lines), {}), Not(HasSubstr("\x1b")));
}

TEST(AnnotatedSource, NothingIsShownWhereNoLineTouchesMemory) {
  EXPECT_EQ(annotated_source(counted_source(kSource, {}), {}), "");
  EXPECT_EQ(annotated_source(counted_source({}, {}), {}), "");
}

TEST(AnnotatedSource, ALineBeyondTheSourceIsNoFault) {
  const std::vector<std::string> source = {"one line"};
  const std::vector<LineAccess> lines = {
      access_at(7, Memory::global, false, 1, shape("x", 4, 4, 4))};
  const std::string page = annotated_source(counted_source(source, lines), {});
  EXPECT_THAT(page, HasSubstr("    7 "));
}

TEST(TextReport, ExplainsOnDemand) {
  Record record = won_record();
  record.source = kSource;
  record.lines = sample_lines();
  const std::string page = annotated_source(counted_source(kSource, record.lines), {});
  EXPECT_THAT(text_report(record, {}), Not(HasSubstr("what each line asks of memory")));
  TextOptions options;
  options.explain = true;
  const std::string text = text_report(record, options);
  EXPECT_THAT(text, HasSubstr(page));
  EXPECT_THAT(text, HasSubstr("03-tiled  70.0 / 70.0 points"));
}

TEST(TextReport, ExplainsNothingWhereNothingRan) {
  TextOptions options;
  options.explain = true;
  EXPECT_THAT(text_report(won_record(), options), HasSubstr("nothing was counted"));
}

TEST(CheckText, AlwaysExplains) {
  CheckReport report;
  report.path = "k.cu";
  report.kernel = "matmul";
  report.source = kSource;
  report.lines = sample_lines();
  EXPECT_THAT(text_report(report, {}),
              HasSubstr(annotated_source(counted_source(kSource, report.lines), {})));
}

}  // namespace
}  // namespace tessera
