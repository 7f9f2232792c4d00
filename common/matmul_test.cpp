#include "common/matmul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "common/operation.h"
#include "common/recipe.h"

namespace tessera {
namespace {

using testing::Each;
using testing::ElementsAre;

HostMatrix generated(Element element, int height, int width, const std::string& generator,
                     std::uint64_t seed, int padding = 0) {
  HostMatrix matrix(element, height, width, width + padding);
  EXPECT_EQ(fill(matrix, Recipe{.generator = generator}, seed), std::nullopt);
  return matrix;
}

HostMatrix matrix_of(Element element, int height, int width, const std::vector<double>& values) {
  HostMatrix matrix(element, height, width);
  for (int i = 0; i < height * width; ++i) {
    matrix.set(i / width, i % width, values.at(static_cast<std::size_t>(i)));
  }
  return matrix;
}

Reference reference(const HostMatrix& a, const HostMatrix& b) {
  const std::array inputs = {a, b};
  return find_operation("matmul")->reference(inputs);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Matmul, HasThreeExtentsAndThreeOperands) {
  const Operation& operation = *find_operation("matmul");
  EXPECT_THAT(operation.extents(), ElementsAre("m", "n", "k"));
  const std::vector<Operand> operands = operation.operands({{"m", 2}, {"n", 3}, {"k", 4}});
  ASSERT_EQ(operands.size(), 3u);
  EXPECT_EQ(operands[0].name, "A");
  EXPECT_EQ(operands[0].height, 2);
  EXPECT_EQ(operands[0].width, 4);
  EXPECT_EQ(operands[1].name, "B");
  EXPECT_EQ(operands[1].height, 4);
  EXPECT_EQ(operands[1].width, 3);
  EXPECT_EQ(operands[2].name, "C");
  EXPECT_EQ(operands[2].height, 2);
  EXPECT_EQ(operands[2].width, 3);
  EXPECT_EQ(operation.work({{"m", 2000}, {"n", 3000}, {"k", 4000}}), 24e9);
}

TEST(Matmul, ReferenceFloat64AndSerialAgreeOnAWorkedExample) {
  for (const Element element : {Element::float32, Element::int32}) {
    const HostMatrix a = matrix_of(element, 2, 3, {1, 2, 3, 4, 5, 6});
    const HostMatrix b = matrix_of(element, 3, 2, {7, 8, 9, 10, 11, 12});
    const std::vector<double> expected = {58, 64, 139, 154};
    EXPECT_EQ(matmul_float64(a, b), expected);
    EXPECT_EQ(reference(a, b).value, expected);
    HostMatrix c(element, 2, 2);
    matmul_serial(a, b, c);
    EXPECT_EQ(c.value(0, 0), 58);
    EXPECT_EQ(c.value(1, 1), 154);
  }
}

TEST(Matmul, OpenMpIsBitwiseEqualToSerial) {
  for (const Element element : {Element::float32, Element::int32}) {
    const HostMatrix a = generated(element, 37, 53, "uniform", 1, 3);
    const HostMatrix b = generated(element, 53, 41, "uniform", 2, 5);
    HostMatrix serial(element, 37, 41, 48);
    HostMatrix parallel = serial;
    matmul_serial(a, b, serial);
    matmul_openmp(a, b, parallel);
    EXPECT_TRUE(std::ranges::equal(serial.bytes(), parallel.bytes()));
  }
}

TEST(Matmul, ProductsLeaveThePaddingAlone) {
  HostMatrix c(Element::float32, 2, 2, 4);
  poison(c);
  matmul_openmp(generated(Element::float32, 2, 3, "ones", 0, 1),
                generated(Element::float32, 3, 2, "ones", 0, 2), c);
  EXPECT_EQ(c.value(1, 1), 3.0);
  EXPECT_TRUE(std::isnan(c.as<float>()[2]));
  EXPECT_TRUE(std::isnan(c.as<float>()[7]));
}

TEST(Matmul, TheReferenceIgnoresThePadding) {
  const HostMatrix padded = generated(Element::float32, 5, 7, "uniform", 4, 3);
  const HostMatrix tight = generated(Element::float32, 5, 7, "uniform", 4);
  const HostMatrix b = generated(Element::float32, 7, 6, "uniform", 5);
  EXPECT_TRUE(same_bits(reference(padded, b).value, reference(tight, b).value));
  EXPECT_TRUE(same_bits(reference(padded, b).bound, reference(tight, b).bound));
}

TEST(Matmul, TheReferenceOfSomeElementsIsTheReferenceThere) {
  HostMatrix inputs[] = {generated(Element::float32, 9, 7, "uniform", 4, 3),
                         generated(Element::float32, 7, 11, "uniform", 5)};
  for (int k = 0; k < 7; ++k) inputs[0].set(3, k, k);
  for (int k = 0; k < 7; ++k) inputs[1].set(k, 2, 2 * k);
  const Operation& matmul = *find_operation("matmul");
  const Reference all = matmul.reference(inputs);
  const std::vector<std::int32_t> elements = {98, 0, 35, 36, 35, 12};
  const Reference some = matmul.reference_at(inputs, elements);
  ASSERT_EQ(some.value.size(), elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto element = static_cast<std::size_t>(elements[i]);
    EXPECT_EQ(some.value[i], all.value[element]) << element;
    EXPECT_EQ(some.bound[i], all.bound[element]) << element;
  }
  EXPECT_EQ(some.bound[2], 0) << "its factors are whole numbers";
  EXPECT_TRUE(matmul.reference_at(inputs, {}).value.empty());
}

TEST(Matmul, TheReferenceDoesNotDependOnTheNumberOfThreads) {
  const HostMatrix a = generated(Element::float32, 230, 210, "uniform", 6);
  const HostMatrix b = generated(Element::float32, 210, 220, "uniform", 7);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Reference single = reference(a, b);
  omp_set_num_threads(5);
  const Reference five = reference(a, b);
  omp_set_num_threads(threads);
  EXPECT_TRUE(same_bits(single.value, five.value));
  EXPECT_TRUE(same_bits(single.bound, five.bound));
}

TEST(Matmul, Int32WrapsAndIsExact) {
  const HostMatrix a = matrix_of(Element::int32, 1, 2, {2147483647, 65536});
  const HostMatrix b = matrix_of(Element::int32, 2, 1, {2, 65536});
  const Reference result = reference(a, b);
  EXPECT_THAT(result.value, ElementsAre(-2));
  EXPECT_THAT(result.bound, ElementsAre(0));
}

TEST(MatmulBound, IsZeroForWholeNumbersThatFloat32AddsExactly) {
  EXPECT_THAT(reference(generated(Element::float32, 20, 30, "integers", 1),
                        generated(Element::float32, 30, 10, "integers", 2))
                  .bound,
              Each(0.0));
}

TEST(MatmulBound, IsZeroUpToMagnitudesOfTwoToThe24) {
  const HostMatrix b = matrix_of(Element::float32, 2, 1, {1, 1});
  EXPECT_THAT(reference(matrix_of(Element::float32, 1, 2, {0x1p23, -0x1p23}), b).bound,
              ElementsAre(0.0));
  EXPECT_THAT(reference(matrix_of(Element::float32, 1, 2, {0x1p23 + 1, -0x1p23}), b).bound,
              ElementsAre(testing::Gt(0.0)));
}

TEST(MatmulBound, OneFractionConcernsItsOwnRowOrColumnOnly) {
  HostMatrix a = generated(Element::float32, 3, 4, "integers", 3);
  HostMatrix b = generated(Element::float32, 4, 3, "ones", 0);
  a.set(1, 2, 0.5);
  b.set(0, 2, 1.5);
  const std::vector<double> bound = reference(a, b).bound;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const bool exact = row != 1 && column != 2;
      EXPECT_EQ(bound[static_cast<std::size_t>(3 * row + column)] == 0.0, exact)
          << row << ", " << column;
    }
  }
}

TEST(MatmulBound, IsGammaTimesTheProductOfMagnitudes) {
  const HostMatrix a = matrix_of(Element::float32, 1, 3, {0.5, -1.5, 2});
  const HostMatrix b = matrix_of(Element::float32, 3, 1, {4, 0.25, -1});
  const double ku = 3 * 0x1p-24;
  const double underflow = 3.0 * static_cast<double>(std::numeric_limits<float>::denorm_min());
  const double expected = ku / (1 - ku) * (2 + 0.375 + 2) + underflow;
  EXPECT_DOUBLE_EQ(reference(a, b).bound.at(0), expected);
}

TEST(MatmulBound, HoldsForFloat32InEitherOrderOfSummation) {
  const int k = 200;
  const HostMatrix a = generated(Element::float32, 40, k, "uniform", 8);
  const HostMatrix b = generated(Element::float32, k, 30, "uniform", 9);
  const Reference result = reference(a, b);
  HostMatrix a_back(Element::float32, 40, k);
  HostMatrix b_back(Element::float32, k, 30);
  for (int step = 0; step < k; ++step) {
    for (int row = 0; row < 40; ++row) a_back.set(row, k - 1 - step, a.value(row, step));
    for (int column = 0; column < 30; ++column) {
      b_back.set(k - 1 - step, column, b.value(step, column));
    }
  }
  HostMatrix forward(Element::float32, 40, 30);
  HostMatrix backward(Element::float32, 40, 30);
  matmul_serial(a, b, forward);
  matmul_serial(a_back, b_back, backward);
  for (int i = 0; i < 40 * 30; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_LE(std::abs(forward.value(i / 30, i % 30) - result.value[at]), result.bound[at]);
    EXPECT_LE(std::abs(backward.value(i / 30, i % 30) - result.value[at]), result.bound[at]);
  }
}

TEST(MatmulBound, RefusesInputsRoundedToHalfPrecision) {
  const int k = 64;
  const HostMatrix a = generated(Element::float32, 16, k, "uniform", 10);
  const HostMatrix b = generated(Element::float32, k, 16, "uniform", 11);
  HostMatrix rounded = a;
  for (float& value : rounded.as<float>()) {
    value = std::round(value * 0x1p11f) * 0x1p-11f;
  }
  const Reference result = reference(a, b);
  const std::vector<double> wrong = matmul_float64(rounded, b);
  int refused = 0;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    if (!(std::abs(wrong[i] - result.value[i]) <= result.bound[i])) ++refused;
  }
  EXPECT_GT(refused, 200) << "of 256";
}

TEST(MatmulBound, CoversProductsThatUnderflow) {
  const HostMatrix a = matrix_of(Element::float32, 1, 1, {0x1p-100});
  const HostMatrix b = matrix_of(Element::float32, 1, 1, {0x1p-100});
  const Reference result = reference(a, b);
  EXPECT_GT(result.value.at(0), 0.0);
  EXPECT_LE(std::abs(0.0 - result.value.at(0)), result.bound.at(0));
}

TEST(Matmul, ExtentsThatDoNotMeetAreRefused) {
  const HostMatrix a(Element::float32, 2, 3);
  HostMatrix c(Element::float32, 2, 4);
  EXPECT_THROW(reference(a, HostMatrix(Element::float32, 4, 4)), std::invalid_argument);
  EXPECT_THROW(reference(a, HostMatrix(Element::int32, 3, 4)), std::invalid_argument);
  EXPECT_THROW(find_operation("matmul")->reference({&a, 1}), std::invalid_argument);
  EXPECT_THROW(matmul_serial(a, HostMatrix(Element::float32, 3, 5), c), std::invalid_argument);
}

}  // namespace
}  // namespace tessera
