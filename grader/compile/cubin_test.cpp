#include "grader/compile/cubin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/testing/source_root.h"
#include "grader/compile/compiler.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr const char* kKernels =
    "extern \"C\" __global__ void copy(const float* from, float* to) {\n"
    "  to[threadIdx.x] = from[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void gather(const float* from, float* to) {\n"
    "  float kept[48];\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 48; ++i) kept[i] = from[threadIdx.x + 1024 * i];\n"
    "  __syncthreads();\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 48; ++i) to[threadIdx.x + 1024 * i] = kept[i];\n"
    "}\n";

class Cubin : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const CompilerInfo& info : available_compilers()) {
      if (info.kind == CompilerKind::nvrtc && !info.available) GTEST_SKIP() << info.reason;
    }
    request_.source = kKernels;
    request_.include_dir = kRoot / "common/include";
    request_.compiler_program = TESSERA_COMPILER;
    request_.compute_capability = 90;
    request_.cubin = true;
  }

  CompileRequest request_;
};

TEST_F(Cubin, IsMadeWithItsPtxAndSaysItsRegisters) {
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->ok);
  EXPECT_THAT(result->ptx, HasSubstr(".target sm_90"));
  ASSERT_TRUE(is_cubin(result->cubin));
  EXPECT_THAT(result->cubin, HasSubstr(".debug_line"));
  const auto copy = cubin_registers(result->cubin, "copy");
  const auto gather = cubin_registers(result->cubin, "gather");
  ASSERT_TRUE(copy);
  ASSERT_TRUE(gather);
  EXPECT_GE(*copy, 4);
  EXPECT_LE(*copy, 16);
  EXPECT_GE(*gather, 48);
  EXPECT_LE(*gather, 255);
  EXPECT_FALSE(cubin_registers(result->cubin, "scatter"));
}

TEST_F(Cubin, ErrorsAreToldAsThoseOfPtx) {
  request_.source = "__global__ void k(int* p) {\n  p[0] = nothing;\n}\n";
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->ok);
  ASSERT_FALSE(result->findings.empty());
  EXPECT_EQ(result->findings[0].line, 2);
  EXPECT_THAT(result->findings[0].message, HasSubstr("nothing"));
}

TEST_F(Cubin, WhatTheAssemblerRefusesIsAFinding) {
  request_.source =
      "__global__ void k(int* p) {\n  __shared__ int a[65536];\n"
      "  a[threadIdx.x] = p[0];\n  __syncthreads();\n  p[1] = a[p[2]];\n}\n";
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->ok);
  ASSERT_FALSE(result->findings.empty());
  EXPECT_THAT(result->findings[0].message, HasSubstr("shared"));
}

TEST_F(Cubin, CutAnywhereItIsReadWithoutHarm) {
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  for (std::size_t size = 0; size < result->cubin.size(); size += 37) {
    const std::string cut = result->cubin.substr(0, size);
    EXPECT_FALSE(is_cubin(cut) && cubin_registers(cut, "copy") == 0);
  }
}

TEST(IsCubin, OtherTextIsNone) {
  EXPECT_FALSE(is_cubin(""));
  EXPECT_FALSE(is_cubin(".version 8.0\n"));
  EXPECT_FALSE(cubin_registers(".version 8.0\n", "copy"));
}

}  // namespace
}  // namespace tessera
