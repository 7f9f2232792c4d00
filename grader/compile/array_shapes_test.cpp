#include "grader/compile/array_shapes.h"

#include <gmock/gmock.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ArrayShape shape_of(const Source& source, const std::string& name) {
  const auto shapes = array_shapes(source);
  const auto found = shapes.find(name);
  return found == shapes.end() ? ArrayShape{} : found->second;
}

TEST(ArrayShapes, AreNumbersConstantsAndMacros) {
  constexpr const char* kSource =
      "#define PAD 1\nconstexpr int TILE = 16;\nconstexpr unsigned HALF = 2 * (TILE - 12);\n"
      "__global__ void f() { __shared__ float As[TILE][TILE + PAD];\n"
      "  __shared__ unsigned char Bs[HALF][0x10u]; static __shared__ double Cs[3]; }";
  EXPECT_THAT(shape_of(kSource, "As").extents, ElementsAre(16, 17));
  EXPECT_EQ(shape_of(kSource, "As").element_bytes, 4u);
  EXPECT_THAT(shape_of(kSource, "Bs").extents, ElementsAre(8, 16));
  EXPECT_EQ(shape_of(kSource, "Bs").element_bytes, 1u);
  EXPECT_THAT(shape_of(kSource, "Cs").extents, ElementsAre(3));
  EXPECT_EQ(shape_of(kSource, "Cs").element_bytes, 8u);
}

TEST(ArrayShapes, KnowTypesOfSeveralWords) {
  EXPECT_EQ(shape_of("__shared__ unsigned long long a[4];", "a").element_bytes, 8u);
  EXPECT_EQ(shape_of("__shared__ const float* a[4];", "a").element_bytes, 8u);
  EXPECT_EQ(shape_of("__shared__ volatile short int a[4];", "a").element_bytes, 2u);
  EXPECT_EQ(shape_of("__shared__ Particle a[4];", "a").element_bytes, 0u);
}

TEST(ArrayShapes, LeaveUnknownExtentsOpen) {
  EXPECT_THAT(
      shape_of("template <int N> __global__ void f() { __shared__ int a[N][8]; }", "a").extents,
      ElementsAre(0, 8));
  EXPECT_THAT(shape_of("extern __shared__ float a[];", "a").extents, ElementsAre(0));
  EXPECT_THAT(array_shapes("__shared__ int a; __shared__ int b["), IsEmpty());
}

TEST(ArrayShapes, AreThoseOfTheModuleToo) {
  constexpr const char* kSource =
      "__constant__ float weights[3] = {1, 2, 3};\nstatic __device__ double sums[2][8];\n"
      "__device__ int first(const int* p) { int own[4] = {p[0]}; return own[0]; }\n"
      "__device__ void second(int values[5]);\n";
  EXPECT_EQ(array_shapes(kSource).size(), 2u);
  EXPECT_THAT(shape_of(kSource, "weights").extents, ElementsAre(3));
  EXPECT_THAT(shape_of(kSource, "sums").extents, ElementsAre(2, 8));
  EXPECT_EQ(shape_of(kSource, "sums").element_bytes, 8u);
}

TEST(ArrayShapes, OfTheSameNameMustAgree) {
  EXPECT_THAT(array_shapes("__shared__ int a[4]; __shared__ int a[5];"), IsEmpty());
}

}  // namespace
}  // namespace tessera
