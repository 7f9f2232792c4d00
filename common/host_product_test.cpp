#include "common/host_product.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "common/matmul.h"
#include "common/recipe.h"

namespace tessera {
namespace {

HostMatrix filled(Element element, int height, int width, std::uint64_t seed) {
  HostMatrix matrix(element, height, width, width + 3);
  EXPECT_EQ(fill(matrix, Recipe{.generator = "uniform"}, seed), std::nullopt);
  return matrix;
}

void expect_equal_to_serial(const HostProduct& product, Element element, int m, int n, int k) {
  const HostMatrix a = filled(element, m, k, 1);
  const HostMatrix b = filled(element, k, n, 2);
  HostMatrix serial(element, m, n, n + 3);
  HostMatrix c(element, m, n, n + 3);
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) c.set(row, column, 77);
  }
  matmul_serial(a, b, serial);
  product.multiply(a, b, c);
  EXPECT_EQ(std::memcmp(serial.bytes().data(), c.bytes().data(), c.bytes().size()), 0)
      << product.name << " " << m << " x " << n << " x " << k;
}

TEST(HostProducts, AllAreBitwiseEqualToSerial) {
  for (const HostProduct& product : host_products()) {
    for (const Element element : {Element::float32, Element::int32}) {
      expect_equal_to_serial(product, element, 1, 1, 1);
      expect_equal_to_serial(product, element, 70, 45, 33);
      // Beyond the edges of the tiles of `blocked`: 64 rows, 128 deep, 512 columns.
      expect_equal_to_serial(product, element, 65, 513, 129);
    }
  }
}

TEST(HostProducts, AreFoundByName) {
  ASSERT_NE(find_host_product("blocked"), nullptr);
  EXPECT_TRUE(find_host_product("blocked")->threaded);
  EXPECT_FALSE(find_host_product("textbook")->threaded);
  EXPECT_EQ(find_host_product("fast"), nullptr);
}

TEST(HostProducts, RefuseAResultOfAnotherShape) {
  const HostMatrix a = filled(Element::float32, 4, 5, 1);
  const HostMatrix b = filled(Element::float32, 5, 6, 2);
  HostMatrix c(Element::float32, 4, 5);
  for (const HostProduct& product : host_products()) {
    EXPECT_THROW(product.multiply(a, b, c), std::invalid_argument) << product.name;
  }
}

}  // namespace
}  // namespace tessera
