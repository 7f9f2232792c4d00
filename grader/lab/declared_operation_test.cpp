#include "grader/lab/declared_operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/lab/lab.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DeclaredOperations : public testing::Test {
 protected:
  /// A lab whose `operation` is `declaration`, with a reference.cu.
  Expected<Lab> load(const std::string& declaration, bool reference = true) {
    folder_.write("labs/07-own/lab.yaml", "title: Own\noperation: " + declaration +
                                              "\nkernel: f\narguments: [A, B, m, n]\ncorrectness:\n"
                                              "  points: 1\n  cases:\n    - {m: 3, n: 5}\n");
    if (reference) folder_.write("labs/07-own/reference.cu", "");
    return load_lab(folder_.path() / "labs/07-own", "", folder_.path());
  }

  std::string error_of(const std::string& declaration) {
    const Expected<Lab> lab = load(declaration);
    return lab ? "no error" : lab.error().str();
  }

  TestFolder folder_;
};

constexpr const char* kTranspose =
    "{name: transpose, extents: [m, n], inputs: {A: [m, n]}, output: {B: [n, m]}, work: [m, n]}";

TEST_F(DeclaredOperations, HaveShapesFromTheExtents) {
  const Expected<Lab> lab = load(kTranspose);
  ASSERT_TRUE(lab) << lab.error().str();
  const Operation& operation = *lab->operation;
  EXPECT_EQ(operation.name(), "transpose");
  EXPECT_THAT(operation.extents(), ElementsAre("m", "n"));
  const std::vector<Operand> operands = operation.operands({{"m", 3}, {"n", 5}});
  ASSERT_EQ(operands.size(), 2u);
  EXPECT_EQ(operands[0].name, "A");
  EXPECT_FALSE(operands[0].output);
  EXPECT_EQ(operands[1].height, 5);
  EXPECT_EQ(operands[1].width, 3);
  EXPECT_TRUE(operands[1].output);
  EXPECT_EQ(operation.work({{"m", 3}, {"n", 5}}), 15);
  EXPECT_FALSE(operation.has_host_reference());
  EXPECT_THROW(operation.reference({}), std::logic_error);
}

TEST_F(DeclaredOperations, OutliveTheirParser) {
  Lab copy;
  {
    const Expected<Lab> lab = load(kTranspose);
    ASSERT_TRUE(lab);
    copy = *lab;
  }
  EXPECT_EQ(copy.operation->name(), "transpose");
}

TEST_F(DeclaredOperations, MistakesAreNamedWithTheirPlace) {
  EXPECT_THAT(error_of("{name: t, extents: [m, n], inputs: {A: [m, n]}, work: [m]}"),
              HasSubstr("'output'"));
  EXPECT_THAT(error_of("{name: t, extents: [m, n], inputs: {A: [m, o]}, output: {B: [n, m]}, "
                       "work: [m]}"),
              HasSubstr("lab.yaml:2:"));
  EXPECT_THAT(error_of("{name: t, extents: [m, n], inputs: {A: [m, o]}, output: {B: [n, m]}, "
                       "work: [m]}"),
              HasSubstr("'o': expected an extent (m, n) or a whole number"));
  EXPECT_THAT(error_of("{name: t, extents: [m, n], inputs: {A: [m]}, output: {B: [n, m]}, "
                       "work: [m]}"),
              HasSubstr("'A' needs two sides: [height, width]"));
  EXPECT_THAT(error_of("{name: t, extents: [m, m], inputs: {A: [m, 1]}, output: {B: [1, m]}, "
                       "work: [m]}"),
              HasSubstr("'m': the name is taken"));
  EXPECT_THAT(error_of("{name: t, extents: [m, n], inputs: {A: [m, n]}, output: {B: [n, m], "
                       "C: [1, 1]}, work: [m]}"),
              HasSubstr("expected exactly one output"));
  EXPECT_THAT(error_of("{name: t, extends: [m, n]}"), HasSubstr("did you mean 'extents'?"));
  EXPECT_THAT(error_of("{name: t, extents: [m, n], inputs: {A: [0, n]}, output: {B: [n, m]}, "
                       "work: [m]}"),
              HasSubstr("'0': expected an extent"));
}

TEST_F(DeclaredOperations, NeedAReference) {
  const Expected<Lab> lab = load(kTranspose, false);
  ASSERT_FALSE(lab);
  EXPECT_THAT(lab.error().str(), HasSubstr("there is no"));
  EXPECT_THAT(lab.error().str(), HasSubstr("reference.cu that computes it"));
}

}  // namespace
}  // namespace tessera
