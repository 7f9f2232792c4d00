#include "common/device_storage.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "common/sixteen_bits.h"

namespace tessera {
namespace {

std::uint16_t bits_of(float value, Storage storage) {
  return storage == Storage::float16
             ? narrow<HalfFormat>(value)
             : static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

float value_of(std::uint16_t bits, Storage storage) {
  return storage == Storage::float16 ? widen<HalfFormat>(bits)
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
