#include "grader/compile/source_facts.h"

#include <gmock/gmock.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(ParameterNames, AreTheLastWordsOfTheDeclarations) {
  EXPECT_THAT(
      parameter_names("__global__ void f(const float* __restrict__ A, float *B, int n) {}", "f", 3),
      ElementsAre("A", "B", "n"));
}

TEST(ParameterNames, MayBelongToTemplatesArraysAndDefaults) {
  EXPECT_THAT(parameter_names("template <int T, class U> __global__ __launch_bounds__(T * T) void "
                              "f(Pair<Matrix<const float>, 3> A, float B[4][4], int n = g(1, 2));",
                              "f", 3),
              ElementsAre("A", "B", "n"));
}

TEST(ParameterNames, AreEmptyWhereAParameterHasNone) {
  EXPECT_THAT(parameter_names("__global__ void f(int, float* x);", "f", 2), ElementsAre("", "x"));
}

TEST(ParameterNames, AreThoseOfTheOverloadWithThatManyParameters) {
  constexpr const char* kSource =
      "__device__ int f(int a, int b);\n__global__ void f(int c);\n__global__ void f(int d, int "
      "e);";
  EXPECT_THAT(parameter_names(kSource, "f", 2), ElementsAre("d", "e"));
  EXPECT_THAT(parameter_names(kSource, "f", 3), IsEmpty());
}

TEST(ParameterNames, OfNothingAreNone) {
  EXPECT_THAT(parameter_names("", "f", 1), IsEmpty());
  EXPECT_THAT(parameter_names("__global__ void f(", "f", 1), IsEmpty());
}

TEST(ReturnLines, AreThoseOfTheCode) {
  EXPECT_THAT(
      return_lines("int f() {\n  return 1; }  // return\n/* return */ char* s = \"return\";\n"
                   "void g() { if (x) return;\n return; }"),
      ElementsAre(Pair(4, 4), Pair(5, 5)));
}

TEST(ReturnLines, HaveTheLineOfTheirCondition) {
  const auto condition = [](const std::string& body) {
    const auto lines = return_lines(Source("void f() {\n" + body + "\n}"));
    return lines.size() == 1 ? lines.begin()->second : 0;
  };
  EXPECT_EQ(condition("if (i >= n ||\n    j >= n)\n  return;"), 2);
  EXPECT_EQ(condition("if (i >= n) {\n  x = 1;\n  if (y) { z(); }\n  return;\n}"), 2);
  EXPECT_EQ(condition("if (a) {\n  b();\n} else\n  return;"), 2);
  EXPECT_EQ(condition("if (a)\n  b();\nelse if (c) {\n  return;\n}"), 4);
  EXPECT_EQ(condition("if constexpr (a)\n  return;"), 2);
  EXPECT_EQ(condition("for (;;) {\n  f();\n  switch (a) {\n    case 1:\n      return;\n  }\n}"), 4);
  EXPECT_EQ(condition("if (i >= n || j >= n) return;"), 2);
  EXPECT_EQ(condition("x();\n{\n  return;\n}"), 4);
  EXPECT_EQ(condition("return;"), 2);
  EXPECT_EQ(condition("if (a)\n  [[unlikely]] return;"), 2);
  EXPECT_EQ(condition("if (a)\n  [[likely]] [[maybe(b)]]\n  return;"), 2);
}

TEST(ReturnLines, IsTheOuterOneIfItContainsOnlyACondition) {
  const auto condition = [](const std::string& body) {
    return return_lines(Source("void f() {\n" + body + "\n}")).begin()->second;
  };
  EXPECT_EQ(condition("if (a)\n  if (b)\n    return;"), 2);
  EXPECT_EQ(condition("if (a) {\n  if (b) {\n    return;\n  }\n}"), 2);
  EXPECT_EQ(condition("if (a) {\n  if (never) return;\n  __syncthreads();\n}"), 3);
  EXPECT_EQ(condition("if (a) {\n  x();\n  if (never) return;\n}"), 4);
}

TEST(ReturnLines, OfAConditionWithAnElseInAnotherDoNotCount) {
  for (const char* body : {"if (a)\n  if (never) return;\n  else __syncthreads();",
                           "if (a)\n  if (never) {\n    return;\n  } else f();",
                           "if (a) {\n  if (never)\n    return;\n  else\n    f();\n}"})
    EXPECT_THAT(return_lines(Source("void f() {\n" + std::string(body) + "\n}")), IsEmpty())
        << body;
}

TEST(ReturnLines, OfALineMayBeSeveral) {
  const auto lines = return_lines(Source(
      "void f() {\nif (a) return; if (b || c) return;\nif (d) { x(); return; } if (e) return;\n"
      "if (t) { if (never) return; if (g) return; h(); }\n}"));
  EXPECT_THAT(lines, ElementsAre(Pair(2, 2), Pair(3, 3)));
}

TEST(ReturnLines, OfALineWithTwoConditionsDoNotCount) {
  for (const char* line :
       {"if (n < 0) return; if (i < n) {", "if (a) return; else if (b) {",
        "if (n < 0) return; WHEN(i < n) {", "LEAVE_IF(n < 0); ALSO_WHEN(i < n) {",
        "if (n < 0) return; for (; i < n; i += n) {", "if (n < 0) return; i < n && f();",
        "if (n < 0) return; (void)(i >= n or f());", "if (n < 0\n) return; if (i < n) {",
        "if (n < 0) {\n  return; } if (i < n) {", "LEAVE_IF(\nn < 0); if (i < n) {"}) {
    const Source source(
        "#define WHEN if\n#define ALSO_WHEN WHEN\n"
        "#define LEAVE_IF(c) if (c) return\nvoid f() {\n" +
        std::string(line) + "\n__syncthreads(); }\n}\n");
    EXPECT_THAT(return_lines(source), IsEmpty()) << line;
  }
}

TEST(ReturnLines, AMacroMayReturn) {
  EXPECT_THAT(
      return_lines("#define LEAVE return\n#define GUARD(c) if (!(c)) LEAVE\n"
                   "#define ONE return 1\n#define UNLESS(c) do { if (c) return; } while (0)\n"
                   "void f() {\n  GUARD(i < n);\n  UNLESS(i >= n);\n  if (x)\n    LEAVE;\n"
                   "}\nint g() {\n  ONE;\n}\n"),
      ElementsAre(Pair(6, 6), Pair(7, 7), Pair(9, 8)));
}

TEST(ReturnLines, OfBrokenCodeAreFoundInFiniteTime) {
  for (const char* source : {"}return;", ") return;", "else return;", "if ) return;", "{ return;",
                             "if (a) return", "} } { ( } return; )", "( return;"})
    EXPECT_LE(return_lines(source).size(), 1u) << source;
}

TEST(IsBegun, ASkeletonIsNot) {
  EXPECT_FALSE(
      is_begun("__global__ void f(int* x) {\n  // x[0] = 1;\n}\n"
               "__global__ void given(int* x) { x[0] = 1; }",
               "f"));
  EXPECT_FALSE(is_begun(
      "__global__ void f(int* x) { const int i = blockIdx.x * BLOCK + threadIdx.x; }", "f"));
  EXPECT_FALSE(is_begun("__global__ void f(int* x);", "f"));
  EXPECT_FALSE(is_begun("__global__ void f(int* x) {", "f"));
  EXPECT_FALSE(is_begun("", "f"));
}

TEST(IsBegun, AKernelWithAnIndexALoopOrAConditionIsBegun) {
  for (const char* body : {"x[0] = 1;", "int y = x[0];", "for (;;) {}", "while (y) --y;",
                           "do { ++y; } while (y < 3);", "if (y) return;", "C(row, col) == sum;"})
    EXPECT_TRUE(is_begun(Source(std::string("__global__ void f(int* x) { ") + body + " }"), "f"))
        << body;
}

TEST(Assembly, IsFoundAsAWordOrAsWhatCanMakeTheWord) {
  for (const char* source :
       {"asm(\"exit;\");", "__asm__ volatile (\"\");", "as\\\nm(\"\");",
        "#define RUN __asm\nRUN(\"\");", "#define JOIN(a, b) a##b\n", "#define JOIN(a, b) a%:%:b\n",
        "__NV_PASTE(as, m)(\"\");", "#include <nv/target>\n_NV_CONCAT_EVAL(as, m)(\"exit;\");",
        "#include <cuda/std/array>\n#define JOIN _CCCL_PP_CAT\n",
        "#include <tessera/mma.cuh>\n_NV_CONCAT_EVAL(as, m)(\"exit;\");",
        "#define __TESSERA_SIXTEEN_BITS\n#include <tessera/wgmma.cuh>\n"
        "__TESSERA_SIXTEEN_BITS(A, B, c, \"exit;\", \"\")\n",
        "#include <nv/target> /* tessera/lab.cuh */ x\n_NV_CONCAT_EVAL(as, m)(\"exit;\");",
        "#include \"nv/target\" \"tessera/lab.cuh\"\n_NV_CONCAT_EVAL(as, m)(\"exit;\");",
        "#define volatile volatile(\"bar.sync 0;\"); EAT\n", "#define __volatile__ (\"\"); EAT\n",
        "#undef inline\n", "#define __TILE(a, b) a b\n", "#define __TILE asm\n", "#undef __TILE\n",
        "#if 0\n#define __NV_PASTE 1\n#endif\n__NV_PASTE(as, m)(\"\");",
        "__NV_PASTE(as, m)(\"\");\n#define __NV_PASTE 1\n",
        "#define JOIN __NV_PASTE\nJOIN(as, m)(\"\");\n#define __NV_PASTE 1\n",
        "#define __NV_PASTE 1\n#include <nv/target>\n__NV_PASTE(as, m)(\"\");",
        "#define __NV_PASTE 1\n#undef __NV_PASTE\n", "#define __volatile__\n",
        // Parts that a compiler may read after all.
        "#if 1\nasm(\"\");\n#endif\n", "#if 0\n#if 1\n#endif\n#else\nasm(\"\");\n#endif\n",
        "#if 0\n?\?=if 1\n#endif\nasm(\"\");\n", "#if 1\n#elephant\nasm(\"\");\n#endif\n",
        "#define __INTELLISENSE__\n#ifdef __INTELLISENSE__\nasm(\"\");\n#endif\n",
        "#undef __CUDACC__\n#ifndef __CUDACC__\nasm(\"\");\n#endif\n",
        "#if defined(__INTELLISENSE__) || X\nasm(\"\");\n#endif\n", "#if !0\nasm(\"\");\n#endif\n",
        "#if 0 + 1\nasm(\"\");\n#endif\n"})
    EXPECT_TRUE(may_have_assembly(source)) << source;
  for (const char* source :
       {"// asm", "const char* text = \"asm(\";", "int assembly, _asm;", "#define TEXT(a) #a\n",
        "#ifndef __KERNEL_CU__\n#define __KERNEL_CU__\n#include <mma.h>\nint i;\n#endif\n",
        "#define __TILE 16\n__shared__ float a[__TILE];\n#define HALF (__TILE / 2)\n",
        "#if __CUDA_ARCH__ >= 800\n#endif\n", "#include <tessera/lab.cuh>\n#define _TILE 16\n",
        "volatile int x = __popc(1); const int _n = 1; if (_ == _x) __syncthreads();",
        "#include <cooperative_groups.h>\n_Pragma(\"unroll\") for (;;) {}",
        "#if 0\nasm(\"\");\n#define __TILE asm\n#endif\n",
        "#ifdef __INTELLISENSE__\n#define __CUDACC__\nasm(\"\");\n#endif\n",
        "#if defined(__INTELLISENSE__) || !defined(__CUDACC__)\nasm(\"\");\n#endif\n",
        "#ifndef __INTELLISENSE__\nint i;\n#else\nasm(\"\");\n#endif\n",
        "#ifdef __CUDACC__\nint i;\n#elif defined(X)\nasm(\"\");\n#else\nasm(\"\");\n#endif\n"})
    EXPECT_FALSE(may_have_assembly(source)) << source;
}

TEST(NameLines, AreThoseOfUsesAndNotOfDeclarations) {
  const auto lines = name_lines(
      "void f(const float* A, Matrix<float> C) {\n"
      "  __shared__ int tile[4];\n"
      "  tile[0] = A[1];  // tile[1]\n"
      "  C(1, 2) = *A + A[0] * C.pitch;\n"
      "  const float* B = A + 1;\n"
      "  return tile[1];\n}\n");
  EXPECT_THAT(lines.at("tile"), ElementsAre(3, 6));
  EXPECT_THAT(lines.at("A"), ElementsAre(3, 4));
  EXPECT_THAT(lines.at("C"), ElementsAre(4));
  EXPECT_FALSE(lines.contains("B"));
}

}  // namespace
}  // namespace tessera
