#include "common/device_storage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace tessera {
namespace {

/// The bits of `value` as an element with that storage.
std::uint16_t stored(double value, Storage storage) {
  HostMatrix matrix(Element::float32, 1, 1, 1, storage);
  matrix.set(0, 0, value);
  round_to_storage(matrix);
  std::uint16_t bits = 0;
  std::memcpy(&bits, to_device(matrix).data(), sizeof bits);
  return bits;
}

/// What the host reads back of these bits.
double value_of(std::uint16_t bits, Storage storage) {
  HostMatrix matrix(Element::float32, 1, 1, 1, storage);
  from_device(std::as_bytes(std::span(&bits, 1)), matrix);
  return matrix.value(0, 0);
}

TEST(DeviceStorage, HasTheBitsOfABfloat16) {
  EXPECT_EQ(stored(1, Storage::bfloat16), 0x3f80);
  EXPECT_EQ(stored(-2.5, Storage::bfloat16), 0xc020);
  EXPECT_EQ(stored(257, Storage::bfloat16), 0x4380);  // a tie goes to the even neighbour
  EXPECT_EQ(stored(259, Storage::bfloat16), 0x4382);
}

TEST(DeviceStorage, HasTheBitsOfAHalf) {
  EXPECT_EQ(stored(1, Storage::float16), 0x3c00);
  EXPECT_EQ(stored(-2.5, Storage::float16), 0xc100);
  EXPECT_EQ(stored(65504, Storage::float16), 0x7bff);
  EXPECT_EQ(stored(70000, Storage::float16), 0x7c00);
  EXPECT_EQ(stored(0x1p-14, Storage::float16), 0x0400);  // the smallest normal number
  EXPECT_EQ(stored(0x1p-24, Storage::float16), 0x0001);  // the smallest of all
  EXPECT_EQ(stored(0x3p-24, Storage::float16), 0x0003);
  EXPECT_EQ(stored(0x1p-26, Storage::float16), 0x0000);
}

TEST(DeviceStorage, EveryNumberComesBackFromItsBits) {
  for (const Storage storage : {Storage::bfloat16, Storage::float16}) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const double value = value_of(static_cast<std::uint16_t>(bits), storage);
      if (std::isnan(value)) continue;
      ASSERT_EQ(stored(value, storage), bits) << value;
    }
    EXPECT_TRUE(std::isnan(value_of(0x7fed, storage)));
  }
}

TEST(DeviceStorage, TheLastRowEndsWithItsLastElement) {
  HostMatrix matrix(Element::float32, 2, 3, 5, Storage::bfloat16);
  matrix.set(1, 2, 7);
  EXPECT_EQ(stored_elements(matrix), 8u);
  const std::vector<std::byte> bytes = to_device(matrix);
  ASSERT_EQ(bytes.size(), 16u);
  HostMatrix back(Element::float32, 2, 3, 5, Storage::bfloat16);
  from_device(bytes, back);
  EXPECT_EQ(back.value(1, 2), 7);
  EXPECT_THROW(from_device(std::span(bytes).first(14), back), std::invalid_argument);
}

TEST(DeviceStorage, FourBytesStayAsTheyAre) {
  HostMatrix matrix(Element::int32, 1, 2);
  matrix.set(0, 1, -5);
  round_to_storage(matrix);
  const std::vector<std::byte> bytes = to_device(matrix);
  ASSERT_EQ(bytes.size(), 8u);
  std::int32_t second = 0;
  std::memcpy(&second, &bytes[4], sizeof second);
  EXPECT_EQ(second, -5);
}

}  // namespace
}  // namespace tessera
