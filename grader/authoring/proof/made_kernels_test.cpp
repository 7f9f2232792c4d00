#include "grader/authoring/proof/made_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Lab difference_lab() {
  Lab lab;
  lab.operation = find_operation("adjacent_difference");
  lab.kernel = "difference";
  lab.arguments = {"input.data", "result.data", "n"};
  lab.cases.resize(2);
  lab.cases[0].extents = {{"n", 64}};
  lab.cases[1].extents = {{"n", 1000}};
  return lab;
}

constexpr const char* kPlain = R"(#include <tessera/lab.cuh>
__global__ void difference(const int* from, int* to, int count) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i < count) to[i] = from[i];
}
__host__ __device__ Launch launch(int n) { return {dim3(n / 32), dim3(32), 0}; }
)";

TEST(MadeKernels, OneThreadDoesTheWorkOfAll) {
  const auto made = by_one_thread(difference_lab(), kPlain);
  ASSERT_TRUE(made);
  EXPECT_THAT(*made,
              HasSubstr("__device__ void one_of_many(const Launch& many, dim3 block_of_many, "
                        "dim3 thread_of_many, const int* from"));
  EXPECT_THAT(*made, HasSubstr("const int i = block_of_many.x * 32 + thread_of_many.x;"));
  EXPECT_THAT(*made, HasSubstr("__global__ void difference(const int* from, int* to, int count) {\n"
                               "  const Launch many = launch_of_many(count);"));
  EXPECT_THAT(*made, HasSubstr("Launch launch(int n) {\n  if (1.0 * n > 1000.0) return "
                               "launch_of_many(n);\n  return {dim3(1), dim3(1), 0};\n}"));
}

TEST(MadeKernels, ThreadsThatWorkTogetherCannotBeOne) {
  std::string source = kPlain;
  source.insert(source.find("  if"), "  __syncthreads();\n");
  EXPECT_FALSE(by_one_thread(difference_lab(), source));
  Lab unknown = difference_lab();
  unknown.arguments = {"input.data", "result.data"};
  EXPECT_FALSE(by_one_thread(unknown, kPlain));
}

TEST(MadeKernels, StoresBecomeAtomics) {
  EXPECT_THAT(with_atomic_stores(difference_lab(), kPlain),
              testing::Optional(HasSubstr("if (i < count) atomicExch(&to[i] , from[i]);")));
}

TEST(MadeKernels, TheLessonIsKeptForTheShapesThatAreSeen) {
  Lab lab = difference_lab();
  lab.cases[0].counted = {Metric::barriers};
  lab.cases.push_back(lab.cases[0]);
  lab.cases.back().hidden = true;
  lab.cases.back().extents = {{"n", 77}};
  const auto made = only_where_counted(lab, kPlain, kPlain);
  ASSERT_TRUE(made);
  EXPECT_THAT(*made, HasSubstr("if ((count == 1000) || (count == 64)) {\n    lesson::difference("));
  EXPECT_THAT(*made,
              HasSubstr("return (n == 1000) || (n == 64) ? lesson::launch(n) : plain::launch(n);"));
  EXPECT_EQ(made->find("__global__"), made->rfind("__global__"));
}

TEST(MadeKernels, ExtentsAreThoseOfAMatrix) {
  Lab lab;
  lab.operation = find_operation("matmul");
  lab.kernel = "matmul";
  lab.arguments = {"A", "B", "C"};
  lab.cases.resize(1);
  lab.cases[0].extents = {{"m", 1}, {"n", 2}, {"k", 3}};
  const auto made = only_where_counted(lab, "__global__ void matmul(M X, M Y, M Z) {}\n", "");
  EXPECT_THAT(made,
              testing::Optional(HasSubstr("(X.width == 3 && X.height == 1 && Y.width == 2)")));
}

TEST(MadeKernels, AGivenKernelTakesTheNameOfTheOneToWrite) {
  const std::string source =
      "__global__ void given(int n) { helper(); }\n__device__ void helper() {}\n"
      "__global__ void difference(int n) {}\n";
  EXPECT_THAT(given_kernels(difference_lab(), source), ElementsAre("given"));
  EXPECT_EQ(given_kernel(difference_lab(), source, "given"),
            "__global__ void difference(int n) { helper(); }\n__device__ void helper() {}\n"
            "__global__ void difference_to_write(int n) {}\n");
}

}  // namespace
}  // namespace tessera
