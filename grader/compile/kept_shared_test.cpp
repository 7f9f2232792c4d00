#include "grader/compile/kept_shared.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

constexpr const char* kPtx =
    "\t// demoted variable\n\t.shared .align 4 .b8 _ZZ1kPiE4tile[1024];\n"
    "\t.shared .align 4 .u32 _ZZZ1kPiENKUlvE_clEvE5inner;\n"
    ".shared .align 8 .b8 plain[8] = {};\n\tst.shared.u32 [lost], %r1;\n";

TEST(KeptShared, AreFoundByTheirNamesInTheSource) {
  for (const char* kept :
       {"__shared__ int tile[256];", "__shared__ int inner;", "__shared__ double plain;",
        "__shared__ int tile[16][16], inner;", "extern __shared__ float dynamic[];", "int lost;"})
    EXPECT_TRUE(keeps_shared_variables(kPtx, Source(kept))) << kept;
  for (const char* lost : {"__shared__ int lost;", "__shared__ int til[256];",
                           "__shared__ int tile[256], lost[2];", "__shared__ int ile;"})
    EXPECT_FALSE(keeps_shared_variables(kPtx, Source(lost))) << lost;
}

TEST(KeptShared, AreNotLookedForInEndlessDeclarations) {
  // From each of these words to the end of the line it would be 100 GB.
  std::string ptx = kPtx;
  for (int i = 0; i < 150'000; ++i) ptx += ".shared ";
  EXPECT_TRUE(keeps_shared_variables(ptx, Source("__shared__ int tile[256];")));
}

TEST(KeptShared, AreLookedForInOnePassOverTheText) {
  // A search for each name would read 400 GB.
  std::string source = "__shared__ int tile[256];";
  for (int i = 0; i < 50'000; ++i) source += "__shared__ int tile;\n";
  EXPECT_TRUE(keeps_shared_variables(kPtx + std::string(8 << 20, ' '), Source(source)));
}

}  // namespace
}  // namespace tessera
