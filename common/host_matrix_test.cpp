#include "common/host_matrix.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace tessera {
namespace {

TEST(Element, EveryElementIsFoundByItsWord) {
  for (const Element element : {Element::float32, Element::int32}) {
    EXPECT_EQ(element_from(to_string(element)), element);
  }
  EXPECT_EQ(element_from("float64"), std::nullopt);
}

TEST(HostMatrix, StartsAsZeroBytes) {
  const HostMatrix matrix(Element::float32, 3, 5, 8);
  EXPECT_EQ(matrix.bytes().size(), 3u * 8u * 4u);
  for (const std::byte byte : matrix.bytes()) EXPECT_EQ(byte, std::byte{0});
}

TEST(HostMatrix, RowsArePitchElementsApart) {
  HostMatrix matrix(Element::int32, 2, 3, 4);
  matrix.set(1, 2, 42);
  EXPECT_EQ(matrix.as<std::int32_t>()[1 * 4 + 2], 42);
  EXPECT_EQ(matrix.value(1, 2), 42.0);
}

TEST(HostMatrix, WithoutAPitchRowsTouch) {
  const HostMatrix matrix(Element::float32, 4, 6);
  EXPECT_EQ(matrix.pitch(), 6);
  EXPECT_EQ(matrix.as<float>().size(), 24u);
}

TEST(HostMatrix, KeepsTheWholeRangeOfInt32) {
  HostMatrix matrix(Element::int32, 1, 2);
  matrix.set(0, 0, std::numeric_limits<std::int32_t>::min());
  matrix.set(0, 1, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(matrix.value(0, 0), -2147483648.0);
  EXPECT_EQ(matrix.value(0, 1), 2147483647.0);
}

TEST(HostMatrix, Float32IsRoundedOnce) {
  HostMatrix matrix(Element::float32, 1, 1);
  matrix.set(0, 0, 0.1);
  EXPECT_EQ(matrix.value(0, 0), static_cast<double>(0.1f));
}

TEST(HostMatrix, RefusesImpossibleExtents) {
  EXPECT_THROW(HostMatrix(Element::float32, -1, 2), std::invalid_argument);
  EXPECT_THROW(HostMatrix(Element::float32, 2, -1), std::invalid_argument);
  EXPECT_THROW(HostMatrix(Element::float32, 2, 4, 3), std::invalid_argument);
}

TEST(HostMatrix, MayBeEmpty) {
  EXPECT_TRUE(HostMatrix().bytes().empty());
  EXPECT_TRUE(HostMatrix(Element::int32, 0, 7).bytes().empty());
}

}  // namespace
}  // namespace tessera
