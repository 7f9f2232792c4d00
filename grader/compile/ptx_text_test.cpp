#include "grader/compile/ptx_text.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

std::string plain(const std::string& ptx) {
  return with_plain_file_names(ptx, "kernel.cu", "/kit/include");
}

TEST(PtxText, FileNamesLoseTheirDirectories) {
  EXPECT_EQ(plain("\t.file\t1 \"/kernel.cu\"\n"), "\t.file\t1 \"kernel.cu\"\n");
  EXPECT_EQ(plain("\t.file\t1 \"/\" \"kernel.cu\"\n"), "\t.file\t1 \"kernel.cu\"\n");
  EXPECT_EQ(plain("\t.file\t1 \"/box/kernel.cu\", 12, 34\n"), "\t.file\t1 \"kernel.cu\"\n");
  EXPECT_EQ(plain(".file 2 \"/kit/include/tessera/lab.cuh\"\n"), ".file 2 \"tessera/lab.cuh\"\n");
  EXPECT_EQ(plain(".file 3 \"/tessera-launch\"\n"), ".file 3 \"tessera-launch\"\n");
  EXPECT_EQ(plain(".file 4 \"/usr/cuda/include/mma.h\"\n"), ".file 4 \"mma.h\"\n");
}

TEST(PtxText, TheRestIsNotChanged) {
  const std::string ptx = ".version 8.0\n\tld.global.f32 %f1, [%rd1];\n}\n\n// end";
  EXPECT_EQ(plain(ptx), ptx);
}

TEST(PtxText, ALineBelongsToTheLastPlaceInTheFile) {
  const std::string ptx =
      "\t.loc\t2 7 1\n\t.loc\t1 12 3\n\tnonsense;\n\t.loc\t2 9 1\n\tret;\n"
      "\t.file\t1 \"kernel.cu\"\n\t.file\t2 \"tessera/lab.cuh\"\n";
  const SourceLines lines(ptx, "kernel.cu");
  EXPECT_EQ(lines.of(3), 12);
  EXPECT_EQ(lines.of(5), 12);
  EXPECT_EQ(lines.of(1), 0);
  EXPECT_EQ(lines.of(999), 12);
  EXPECT_EQ(lines.of(-1), 0);
}

TEST(PtxText, ManyLinesArePlacedByReadingOnce) {
  constexpr int kLines = 50'000;
  std::string ptx = "\t.file\t1 \"kernel.cu\"\n";
  for (int i = 2; i <= kLines; ++i) ptx += "\t.loc\t1 " + std::to_string(i) + " 1\n";
  const SourceLines lines(ptx, "kernel.cu");
  for (int i = 2; i <= kLines; ++i) ASSERT_EQ(lines.of(i), i);
}

}  // namespace
}  // namespace tessera
