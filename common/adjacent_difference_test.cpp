#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "common/operation.h"
#include "common/recipe.h"

namespace tessera {
namespace {

using testing::ElementsAre;

HostMatrix vector_of(Element element, const std::vector<double>& values, int padding = 0) {
  const int width = static_cast<int>(values.size());
  HostMatrix matrix(element, 1, width, width + padding);
  for (int i = 0; i < width; ++i) matrix.set(0, i, values[static_cast<std::size_t>(i)]);
  return matrix;
}

Reference difference_reference(const HostMatrix& input) {
  return find_operation("adjacent_difference")->reference({&input, 1});
}

TEST(AdjacentDifference, HasOneExtentAndTwoVectors) {
  const Operation& operation = *find_operation("adjacent_difference");
  EXPECT_THAT(operation.extents(), ElementsAre("n"));
  const std::vector<Operand> operands = operation.operands({{"n", 7}});
  ASSERT_EQ(operands.size(), 2u);
  EXPECT_EQ(operands[0].name, "input");
  EXPECT_EQ(operands[1].name, "result");
  for (const Operand& operand : operands) {
    EXPECT_EQ(operand.height, 1);
    EXPECT_EQ(operand.width, 7);
  }
  EXPECT_EQ(operation.work({{"n", 7}}), 7.0);
}

TEST(AdjacentDifference, TheFirstElementIsCopied) {
  const Reference result = difference_reference(vector_of(Element::int32, {5, 7, 4}));
  EXPECT_THAT(result.value, ElementsAre(5, 2, -3));
  EXPECT_THAT(result.bound, ElementsAre(0, 0, 0));
}

TEST(AdjacentDifference, OneElementHasNoDifference) {
  EXPECT_THAT(difference_reference(vector_of(Element::float32, {0.5})).value, ElementsAre(0.5));
}

TEST(AdjacentDifference, DoesNotReadThePadding) {
  HostMatrix input(Element::int32, 1, 3, 8);
  poison(input);
  for (int i = 0; i < 3; ++i) input.set(0, i, i);
  EXPECT_THAT(difference_reference(input).value, ElementsAre(0, 1, 1));
}

TEST(AdjacentDifference, Int32Wraps) {
  const double most = std::numeric_limits<std::int32_t>::max();
  const double least = std::numeric_limits<std::int32_t>::min();
  EXPECT_THAT(difference_reference(vector_of(Element::int32, {most, least, most})).value,
              ElementsAre(most, 1, -1));
}

TEST(AdjacentDifference, WholeNumbersMustBeExactInFloat32) {
  EXPECT_THAT(difference_reference(vector_of(Element::float32, {1, 3, -9, 0x1p24})).bound,
              ElementsAre(0, 0, 0, testing::Gt(0.0)));
}

TEST(AdjacentDifference, Float32IsWithinTheBound) {
  HostMatrix input(Element::float32, 1, 1000);
  ASSERT_EQ(fill(input, Recipe{}, 3), std::nullopt);
  const Reference result = difference_reference(input);
  const auto values = input.as<float>();
  for (std::size_t i = 1; i < values.size(); ++i) {
    EXPECT_LE(std::abs(values[i] - values[i - 1] - result.value[i]), result.bound[i]) << i;
    EXPECT_LE(result.bound[i], 0x1p-23);
  }
}

TEST(AdjacentDifference, RefusesAMatrix) {
  const HostMatrix matrix(Element::int32, 2, 3);
  EXPECT_THROW(difference_reference(matrix), std::invalid_argument);
}

}  // namespace
}  // namespace tessera
