#include "common/device_storage.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace tessera {
namespace {

constexpr int kHalfBias = 15;
constexpr int kHalfFraction = 10;
constexpr std::uint16_t kHalfInfinity = 0x7c00;
constexpr std::uint16_t kHalfNan = 0x7e00;

/// `value` must be a number that a half can hold, infinite, or a NaN.
std::uint16_t half_of(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const float magnitude = std::abs(value);
  if (std::isnan(value)) return sign | kHalfNan;
  if (std::isinf(value)) return sign | kHalfInfinity;
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - kHalfBias);
  const auto fraction = static_cast<std::uint32_t>(std::ldexp(magnitude, kHalfFraction - exponent));
  // A normal number's leading one adds 1 to its exponent.
  const auto field = static_cast<std::uint32_t>(exponent + kHalfBias - 1) << kHalfFraction;
  return static_cast<std::uint16_t>(sign | (field + fraction));
}

float from_half(std::uint16_t bits) {
  const int exponent = bits >> kHalfFraction & 0x1f;
  const int fraction = bits & ((1 << kHalfFraction) - 1);
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 0x1f)
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : sign * std::numeric_limits<float>::infinity();
  const int normal = exponent == 0 ? 0 : 1 << kHalfFraction;
  return sign * std::ldexp(static_cast<float>(fraction + normal),
                           std::max(exponent, 1) - kHalfBias - kHalfFraction);
}

std::uint16_t bits_of(float value, Storage storage) {
  return storage == Storage::float16
             ? half_of(value)
             : static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

float value_of(std::uint16_t bits, Storage storage) {
  return storage == Storage::float16 ? from_half(bits)
                                     : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

}  // namespace

std::size_t stored_size(Storage storage) {
  return storage == Storage::same ? 4 : 2;
}

const FloatFormat& format_of(Storage storage) {
  return storage == Storage::float16 ? kHalf : storage == Storage::bfloat16 ? kBfloat16 : kFloat;
}

std::string_view type_name(Element element, Storage storage) {
  if (storage == Storage::bfloat16) return "__nv_bfloat16";
  if (storage == Storage::float16) return "__half";
  return element == Element::float32 ? "float" : "int";
}

std::size_t stored_elements(const HostMatrix& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.height());
  const auto pitch = static_cast<std::size_t>(matrix.pitch());
  return (rows - 1) * pitch + static_cast<std::size_t>(matrix.width());
}

std::size_t device_bytes(const HostMatrix& matrix) {
  return stored_elements(matrix) * stored_size(matrix.storage());
}

void round_to_storage(HostMatrix& matrix) {
  if (matrix.storage() == Storage::same) return;
  const FloatFormat& format = format_of(matrix.storage());
  const bool half = matrix.storage() == Storage::float16;
  constexpr double kMostHalf = 65504;
  for (int row = 0; row < matrix.height(); ++row) {
    for (int column = 0; column < matrix.width(); ++column) {
      const double rounded = round_to(matrix.value(row, column), format);
      const bool overflows = half && std::abs(rounded) > kMostHalf;
      matrix.set(
          row, column,
          overflows ? std::copysign(std::numeric_limits<double>::infinity(), rounded) : rounded);
    }
  }
}

std::vector<std::byte> to_device(const HostMatrix& matrix) {
  std::vector<std::byte> bytes(device_bytes(matrix));
  if (matrix.storage() == Storage::same) {
    std::memcpy(bytes.data(), matrix.bytes().data(), bytes.size());
    return bytes;
  }
  const std::span<const float> values = matrix.as<float>();
  for (std::size_t i = 0; i < stored_elements(matrix); ++i) {
    const std::uint16_t bits = bits_of(values[i], matrix.storage());
    std::memcpy(&bytes[2 * i], &bits, sizeof bits);
  }
  return bytes;
}

void from_device(std::span<const std::byte> bytes, HostMatrix& matrix) {
  if (bytes.size() != device_bytes(matrix))
    throw std::invalid_argument(std::to_string(bytes.size()) + " bytes do not fill a matrix of " +
                                matrix.shape_text());
  if (matrix.storage() == Storage::same) {
    std::memcpy(matrix.bytes().data(), bytes.data(), bytes.size());
    return;
  }
  const std::span<float> values = matrix.as<float>();
  for (std::size_t i = 0; i < stored_elements(matrix); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &bytes[2 * i], sizeof bits);
    values[i] = value_of(bits, matrix.storage());
  }
}

}  // namespace tessera
