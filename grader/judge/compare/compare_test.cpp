#include "grader/judge/compare/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/recipe.h"

namespace tessera {
namespace {

using testing::HasSubstr;

constexpr double kBound = 1e-6;

/// A 4 x 6 matrix with padding that is right everywhere: element (r, c) is 10 r + c + 0.5.
class CompareFloat : public testing::Test {
 protected:
  CompareFloat() {
    poison(got_);
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 6; ++column) {
        const double value = 10 * row + column + 0.5;
        got_.set(row, column, value);
        reference_.value.push_back(value);
        reference_.bound.push_back(kBound);
      }
    }
  }

  Comparison compare() const { return compare_output("C", got_, reference_); }

  std::string message() const {
    const Comparison comparison = compare();
    return comparison.findings.empty() ? "right" : comparison.findings.front().message;
  }

  void leave_unwritten(int row, int column) {
    const std::uint32_t bits = poison_bits(Element::float32);
    std::memcpy(&got_.as<float>()[static_cast<std::size_t>(row * got_.pitch() + column)], &bits,
                sizeof bits);
  }

  HostMatrix got_{Element::float32, 4, 6, 8};
  Reference reference_;
};

TEST_F(CompareFloat, EveryElementRightIsNoFinding) {
  EXPECT_TRUE(compare().findings.empty());
  EXPECT_FALSE(compare().unwritten);
}

TEST_F(CompareFloat, AMapShowsWhatIsNotRight) {
  EXPECT_FALSE(compare().map);
  got_.set(0, 1, 99);
  got_.set(1, 2, std::numeric_limits<double>::infinity());
  leave_unwritten(3, 5);
  const Comparison comparison = compare();
  ASSERT_TRUE(comparison.map);
  EXPECT_EQ(comparison.map->output, "C");
  EXPECT_THAT(comparison.map->cells, testing::ElementsAre(".x....", "..n...", "......", ".....u"));
}

TEST_F(CompareFloat, OneWrongElementAnywhereIsFound) {
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 6; ++column) {
      const double right = got_.value(row, column);
      got_.set(row, column, right + 1);
      const Comparison comparison = compare();
      ASSERT_EQ(comparison.findings.size(), 1u);
      EXPECT_EQ(comparison.findings[0].kind, FindingKind::wrong_result);
      EXPECT_EQ(comparison.findings[0].example[0].second,
                "C[" + std::to_string(row) + "][" + std::to_string(column) + "]");
      got_.set(row, column, right);
    }
  }
}

TEST_F(CompareFloat, TheBoundItselfPassesAndNothingBeyond) {
  reference_.bound[0] = 0.25;
  got_.set(0, 0, 0.75);
  EXPECT_EQ(message(), "right");
  got_.set(0, 0, 0.25);
  EXPECT_EQ(message(), "right");
  got_.set(0, 0, static_cast<double>(std::nextafter(0.75f, 1.0f)));
  EXPECT_THAT(message(), HasSubstr("1 of 24 elements is wrong"));
}

TEST_F(CompareFloat, ABoundOfZeroIsEquality) {
  reference_.bound.assign(24, 0.0);
  EXPECT_EQ(message(), "right");
  got_.set(2, 3, static_cast<double>(std::nextafter(23.5f, 24.0f)));
  EXPECT_EQ(message(),
            "C: 1 of 24 elements is wrong: row 2, column 3. C[2][3] is 23.5000019, expected 23.5; "
            "this data leaves no room for rounding");
}

TEST_F(CompareFloat, NanAndInfinityNeverPass) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    got_.as<float>()[0] = value;
    const Comparison comparison = compare();
    ASSERT_EQ(comparison.findings.size(), 1u);
    EXPECT_EQ(comparison.findings[0].kind, FindingKind::not_finite);
  }
}

TEST_F(CompareFloat, ANanPassesNotEvenAnInfiniteBound) {
  reference_.bound[0] = std::numeric_limits<double>::infinity();
  got_.as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compare().findings.size(), 1u);
}

TEST_F(CompareFloat, PoisonIsNotWritten) {
  for (int row = 0; row < 4; ++row) {
    leave_unwritten(row, 4);
    leave_unwritten(row, 5);
  }
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_EQ(comparison.findings[0].kind, FindingKind::output_not_written);
  EXPECT_EQ(comparison.findings[0].count, 8u);
  EXPECT_EQ(comparison.findings[0].message.str(),
            "C: 8 of 24 elements are not written: the last 2 columns");
  EXPECT_FALSE(comparison.unwritten);
}

TEST_F(CompareFloat, NothingWrittenIsSaidSo) {
  poison(got_);
  const Comparison comparison = compare();
  EXPECT_TRUE(comparison.unwritten);
  EXPECT_EQ(message(), "C: nothing was written, all 24 elements are as they were");
}

TEST_F(CompareFloat, KindsOfFailureAreKeptApart) {
  leave_unwritten(0, 0);
  got_.set(1, 1, 99);
  got_.as<float>()[2 * 8] = std::numeric_limits<float>::infinity();
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.findings.size(), 3u);
  EXPECT_EQ(comparison.findings[0].kind, FindingKind::output_not_written);
  EXPECT_EQ(comparison.findings[1].kind, FindingKind::not_finite);
  EXPECT_EQ(comparison.findings[2].kind, FindingKind::wrong_result);
}

TEST_F(CompareFloat, TheLargestErrorIsGivenInBounds) {
  got_.set(0, 1, 1.5 + 1000 * kBound);
  got_.set(3, 5, 35.5 + 64);
  EXPECT_THAT(message(), HasSubstr("2 of 24 elements are wrong"));
  EXPECT_THAT(message(), HasSubstr("C[0][1] is 1.50100005, expected 1.5"));
  EXPECT_THAT(message(), HasSubstr("the largest error is 64,000,000 times what rounding explains"));
}

TEST_F(CompareFloat, PaddingIsNotCompared) {
  got_.as<float>()[6] = 1.0f;
  EXPECT_EQ(message(), "right");
}

TEST_F(CompareFloat, AStoreToPaddingIsFound) {
  EXPECT_FALSE(find_padding_write("C", got_));
  got_.as<float>()[8 + 7] = 1.0f;
  got_.as<float>()[2 * 8 + 6] = 1.0f;
  const auto finding = find_padding_write("C", got_);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, FindingKind::out_of_bounds);
  EXPECT_EQ(finding->count, 2u);
  EXPECT_THAT(finding->message, HasSubstr("C[1][7] was written, but rows of C have 6 elements"));
}

TEST_F(CompareFloat, NothingFollowsTheLastRow) {
  got_.as<float>()[3 * 8 + 6] = 1.0f;
  EXPECT_FALSE(find_padding_write("C", got_));
}

TEST_F(CompareFloat, AChangedInputIsFound) {
  HostMatrix after = got_;
  EXPECT_FALSE(find_modified("A", got_, after));
  after.set(1, 2, -1);
  const auto finding = find_modified("A", got_, after);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, FindingKind::input_modified);
  EXPECT_EQ(finding->message.str(),
            "input A: 1 element changed: row 1, column 2. A[1][2] was 12.5 and is -1");
}

TEST_F(CompareFloat, InputsAreComparedBitByBit) {
  got_.set(0, 0, 0.0);
  HostMatrix after = got_;
  after.as<float>()[0] = -0.0f;
  EXPECT_TRUE(find_modified("A", got_, after));
  got_.as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(find_modified("A", got_, got_));
}

TEST(CompareInt, ExtremesAreExact) {
  HostMatrix got(Element::int32, 1, 3);
  const std::int32_t low = std::numeric_limits<std::int32_t>::min();
  const std::int32_t high = std::numeric_limits<std::int32_t>::max();
  got.as<std::int32_t>()[0] = low;
  got.as<std::int32_t>()[1] = high;
  Reference reference{{static_cast<double>(low), static_cast<double>(high), 0}, {0, 0, 0}};
  EXPECT_TRUE(compare_output("result", got, reference).findings.empty());
  got.as<std::int32_t>()[1] = high - 1;
  const Comparison comparison = compare_output("result", got, reference);
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_THAT(comparison.findings[0].message,
              HasSubstr("result[1] is 2147483646, expected 2147483647"));
}

TEST(CompareInt, AResultThatEqualsThePoisonIsRight) {
  HostMatrix got(Element::int32, 1, 1);
  poison(got);
  const double value = got.value(0, 0);
  EXPECT_TRUE(compare_output("C", got, {{value}, {0}}).findings.empty());
}

TEST(CompareInt, AddingToTheOldContentsIsRecognised) {
  HostMatrix got(Element::int32, 1, 2);
  for (std::int32_t& value : got.as<std::int32_t>()) {
    value = static_cast<std::int32_t>(poison_bits(Element::int32) + 7u);
  }
  const Comparison comparison = compare_output("C", got, {{7, 7}, {0, 0}});
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_THAT(comparison.findings[0].hint, HasSubstr("instead of adding to what is there"));
}

}  // namespace
}  // namespace tessera
