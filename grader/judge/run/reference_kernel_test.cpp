// Labs that declare their operation, judged against their own reference.cu.
#include "grader/judge/run/reference_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/judge/testing/kit_grading.h"
#include "grader/judge/testing/scale_lab.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::HasSubstr;

constexpr const char* kReference = R"(#include <tessera/lab.cuh>
__device__ double reference(Matrix<const float> x, int n, int row, int column) {
  return x(0, column) / 3.0;
}
__device__ double bound(Matrix<const float> x, int n, int row, int column) {
  const double value = x(0, column) / 3.0;
  return (value < 0 ? -value : value) / (1 << 23);
}
)";

class OwnReference : public testing::Test {
 protected:
  Item graded(const std::string& source, const std::string& reference = kReference) {
    folder_.write("labs/07-own/lab.yaml", kScaleLab);
    folder_.write("labs/07-own/reference.cu", reference);
    folder_.write("kernel.cu", source);
    const auto lab = load_lab(folder_.path() / "labs/07-own", "", folder_.path());
    EXPECT_TRUE(lab) << lab.error().str();
    return grade(*lab, folder_.path() / "kernel.cu", options_).items.at(0);
  }

  TestFolder folder_;
  GradeOptions options_ = kit_options(3);
};

TEST_F(OwnReference, ARightKernelPasses) {
  const Item item = graded(scale_kernel("x[i] / 3"));
  EXPECT_EQ(item.status, Status::pass) << item.message;
}

TEST_F(OwnReference, WithinItsBoundRoundingIsRight) {
  EXPECT_EQ(graded(scale_kernel("x[i] * (1.0f / 3)")).status, Status::pass);
  EXPECT_EQ(graded(scale_kernel("x[i] * 0.33333f")).status, Status::fail);
}

TEST_F(OwnReference, AWrongElementIsNamed) {
  const Item item = graded(scale_kernel("i == 517 ? 0 : x[i] / 3"));
  EXPECT_EQ(item.status, Status::fail);
  EXPECT_THAT(item.message, HasSubstr("y[517]"));
}

TEST_F(OwnReference, AReferenceThatDoesNotCompileIsOurFault) {
  const Item item =
      graded(scale_kernel("x[i] / 3"), "__device__ double reference(int) { return x; }");
  EXPECT_EQ(item.status, Status::infra);
  EXPECT_THAT(item.message, HasSubstr("reference.cu"));
}

TEST_F(OwnReference, AReferenceThatReadsBeyondItsInputIsOurFault) {
  std::string reference = kReference;
  reference.replace(reference.find("x(0, column)"), 12, "x(5000, column)");
  const Item item = graded(scale_kernel("x[i] / 3"), reference);
  EXPECT_EQ(item.status, Status::infra);
  EXPECT_THAT(item.message, HasSubstr("reference.cu: line 3"));
}

TEST_F(OwnReference, AMissingFunctionIsAskedFor) {
  const Item item = graded(scale_kernel("x[i] / 3"), "#include <tessera/lab.cuh>\n");
  EXPECT_EQ(item.status, Status::infra);
  EXPECT_THAT(item.message,
              HasSubstr("__device__ double bound(Matrix<const float> x, int n, int row, "
                        "int column)"));
}

}  // namespace
}  // namespace tessera
