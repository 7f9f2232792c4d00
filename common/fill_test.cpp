#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "common/npy.h"
#include "common/recipe.h"
#include "common/sha256.h"
#include "common/temporary_directory.h"

namespace tessera {
namespace {

using testing::HasSubstr;

HostMatrix filled(const Recipe& recipe, Element element, int height, int width,
                  std::uint64_t seed = 1, int padding = 0) {
  HostMatrix matrix(element, height, width, width + padding);
  const auto error = fill(matrix, recipe, seed);
  EXPECT_FALSE(error) << error->str();
  return matrix;
}

Recipe generator(const std::string& name) {
  return Recipe{.generator = name};
}

std::vector<double> values_of(const HostMatrix& matrix) {
  std::vector<double> values;
  for (int row = 0; row < matrix.height(); ++row) {
    for (int column = 0; column < matrix.width(); ++column) {
      values.push_back(matrix.value(row, column));
    }
  }
  return values;
}

std::string mistake(const Recipe& recipe, Element element, int height = 2, int width = 2) {
  HostMatrix matrix(element, height, width);
  const auto error = fill(matrix, recipe, 1);
  return error ? error->message : "";
}

std::uint32_t bits_at(const HostMatrix& matrix, std::size_t index) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &matrix.bytes()[4 * index], 4);
  return bits;
}

TEST(Fill, TheSameSeedGivesTheSameBits) {
  for (const std::string& name : recipe_generators()) {
    for (const Element element : {Element::float32, Element::int32}) {
      const HostMatrix a = filled(generator(name), element, 9, 11, 42);
      const HostMatrix b = filled(generator(name), element, 9, 11, 42);
      EXPECT_TRUE(std::ranges::equal(a.bytes(), b.bytes())) << name;
    }
  }
}

TEST(Fill, AnotherSeedGivesOtherRandomValues) {
  for (const std::string name : {"integers", "uniform", "permutation"}) {
    EXPECT_NE(values_of(filled(generator(name), Element::float32, 9, 11, 1)),
              values_of(filled(generator(name), Element::float32, 9, 11, 2)))
        << name;
  }
}

TEST(Fill, ValuesAreTheSameOnEveryMachine) {
  EXPECT_THAT(values_of(filled(generator("integers"), Element::int32, 1, 6, 5)),
              testing::ElementsAre(15, -81, 71, 20, 3, 38));
  const HostMatrix matrix = filled(generator("uniform"), Element::float32, 8, 8, 5);
  const std::string_view bytes(reinterpret_cast<const char*>(matrix.bytes().data()), 8 * 8 * 4);
  EXPECT_EQ(sha256(bytes), "6a1cf952db2716fa752415ebe55b4a38f94dbc9ec43e9ace8730d2674b48973f");
}

TEST(Fill, ThePitchDoesNotChangeTheElements) {
  for (const std::string& name : recipe_generators()) {
    EXPECT_EQ(values_of(filled(generator(name), Element::int32, 6, 5, 3)),
              values_of(filled(generator(name), Element::int32, 6, 5, 3, 7)))
        << name;
  }
}

TEST(Fill, ThePaddingIsPoisoned) {
  for (const Element element : {Element::float32, Element::int32}) {
    const HostMatrix matrix = filled(generator("zeros"), element, 2, 3, 1, 2);
    for (const std::size_t index : {3u, 4u, 8u, 9u}) {
      EXPECT_EQ(bits_at(matrix, index), poison_bits(element));
    }
    EXPECT_EQ(bits_at(matrix, 2), 0u);
  }
}

TEST(Fill, IntegersReachBothEndsOfTheirRange) {
  for (const auto& [element, end] :
       {std::pair(Element::float32, 9.0), std::pair(Element::int32, 99.0)}) {
    const std::vector<double> values = values_of(filled(generator("integers"), element, 100, 100));
    const std::set<double> distinct(values.begin(), values.end());
    EXPECT_EQ(*distinct.begin(), -end);
    EXPECT_EQ(*distinct.rbegin(), end);
    EXPECT_EQ(distinct.size(), static_cast<std::size_t>(2 * end + 1));
  }
}

TEST(Fill, UniformStaysInItsRangeAndSpreads) {
  const std::vector<double> values =
      values_of(filled(Recipe{.low = 2.0, .high = 3.0}, Element::float32, 100, 100));
  const auto [least, most] = std::ranges::minmax(values);
  EXPECT_GE(least, 2.0);
  EXPECT_LE(most, 3.0);
  EXPECT_LT(least, 2.01);
  EXPECT_GT(most, 2.99);
}

TEST(Fill, UniformInInt32IsWholeNumbersOfTheRange) {
  const std::vector<double> values =
      values_of(filled(Recipe{.low = -1.0, .high = 1.0}, Element::int32, 20, 20));
  EXPECT_EQ(std::set<double>(values.begin(), values.end()), (std::set<double>{-1, 0, 1}));
}

TEST(Fill, TheWholeRangeOfInt32CanBeDrawn) {
  const Recipe recipe{.generator = "integers",
                      .low = std::numeric_limits<std::int32_t>::min(),
                      .high = std::numeric_limits<std::int32_t>::max()};
  const auto [least, most] = std::ranges::minmax(values_of(filled(recipe, Element::int32, 50, 50)));
  EXPECT_LT(least, -2.1e9);
  EXPECT_GT(most, 2.1e9);
}

TEST(Fill, IdentityHasOnesOnTheDiagonal) {
  EXPECT_THAT(values_of(filled(generator("identity"), Element::float32, 2, 3)),
              testing::ElementsAre(1, 0, 0, 0, 1, 0));
}

TEST(Fill, PermutationHasAsManyDistinctOnesAsFit) {
  for (const auto& [height, width] : {std::pair(6, 6), std::pair(4, 9), std::pair(9, 4)}) {
    const HostMatrix matrix = filled(generator("permutation"), Element::int32, height, width);
    std::set<int> rows;
    std::set<int> columns;
    int ones = 0;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        if (matrix.value(row, column) == 0.0) continue;
        EXPECT_EQ(matrix.value(row, column), 1.0);
        rows.insert(row);
        columns.insert(column);
        ++ones;
      }
    }
    EXPECT_EQ(ones, std::min(height, width));
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(ones));
    EXPECT_EQ(columns.size(), static_cast<std::size_t>(ones));
  }
}

TEST(Fill, HilbertIndexConstantZerosAndOnesHaveTheirValues) {
  EXPECT_EQ(filled(generator("hilbert"), Element::float32, 3, 3).value(1, 2),
            static_cast<double>(0.25f));
  EXPECT_EQ(filled(generator("hilbert"), Element::int32, 3, 3).value(1, 2), 4.0);
  EXPECT_EQ(filled(generator("index"), Element::int32, 3, 5).value(2, 1), 11.0);
  EXPECT_EQ(filled(generator("constant"), Element::float32, 2, 2).value(1, 1), 1.0);
  EXPECT_EQ(
      filled(Recipe{.generator = "constant", .low = -2.5}, Element::float32, 2, 2).value(0, 1),
      -2.5);
  EXPECT_EQ(filled(generator("zeros"), Element::int32, 2, 2).value(0, 1), 0.0);
  EXPECT_EQ(filled(generator("ones"), Element::int32, 2, 2).value(0, 1), 1.0);
}

TEST(Fill, ReadsAFileIntoAPaddedMatrix) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "m.npy";
  ASSERT_EQ(write_npy(file, filled(generator("index"), Element::float32, 2, 3)), std::nullopt);
  const HostMatrix matrix =
      filled(Recipe{.generator = "file", .file = file}, Element::int32, 2, 3, 1, 2);
  EXPECT_THAT(values_of(matrix), testing::ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(bits_at(matrix, 3), poison_bits(Element::int32));
}

TEST(Fill, AFileOfAnotherShapeNamesBothShapes) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "m.npy";
  ASSERT_EQ(write_npy(file, HostMatrix(Element::float32, 4, 5)), std::nullopt);
  const std::string message =
      mistake(Recipe{.generator = "file", .file = file}, Element::float32, 5, 4);
  EXPECT_THAT(message, HasSubstr("holds a matrix of 4 x 5, but the operand is 5 x 4"));
}

TEST(Fill, AFileWithANanNamesItsPlace) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "m.npy";
  HostMatrix matrix(Element::float32, 2, 2);
  matrix.set(1, 0, std::nan(""));
  ASSERT_EQ(write_npy(file, matrix), std::nullopt);
  EXPECT_THAT(mistake(Recipe{.generator = "file", .file = file}, Element::float32),
              HasSubstr("row 1, column 0 is not finite"));
}

TEST(Fill, AFileThatIsMissingIsNamed) {
  HostMatrix matrix(Element::float32, 1, 1);
  const auto error = fill(matrix, Recipe{.generator = "file", .file = "/nowhere/m.npy"}, 1);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->str(), "/nowhere/m.npy: no such file");
}

TEST(Fill, RangesThatTheElementDoesNotHaveAreMistakes) {
  EXPECT_THAT(mistake(Recipe{.low = -0.5, .high = 0.5}, Element::int32),
              HasSubstr("the recipe has -0.5; expected whole numbers"));
  EXPECT_THAT(mistake(Recipe{.generator = "integers", .low = 0, .high = 1e9}, Element::float32),
              HasSubstr("16777216 for float32"));
  EXPECT_THAT(mistake(Recipe{.generator = "constant", .low = 1e10}, Element::int32),
              HasSubstr("2147483647 for int32"));
  EXPECT_THAT(mistake(Recipe{.generator = "integers", .low = 3, .high = 1}, Element::int32),
              HasSubstr("low 3 is above high 1"));
  EXPECT_THAT(mistake(generator("gauss"), Element::int32), HasSubstr("'gauss'"));
}

TEST(Poison, IsANanForFloat32) {
  HostMatrix matrix(Element::float32, 2, 3, 4);
  poison(matrix);
  for (const float value : matrix.as<float>()) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace tessera
