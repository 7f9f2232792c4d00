#include "common/device_storage.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "common/sixteen_bits.h"

namespace tessera {
namespace {

/// Calls `f` with a Bfloat16Format or a HalfFormat.
template <class F>
void with_format(Storage storage, F f) {
  storage == Storage::float16 ? f(HalfFormat()) : f(Bfloat16Format());
}

}  // namespace

std::size_t stored_size(Storage storage) {
  return storage == Storage::same ? 4 : 2;
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
  for (int row = 0; row < matrix.height(); ++row) {
    const auto start = static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch());
    const std::span<float> values =
        matrix.as<float>().subspan(start, static_cast<std::size_t>(matrix.width()));
    with_format(matrix.storage(), [&](auto format) {
      using Format = decltype(format);
      for (float& value : values) value = widen<Format>(narrow<Format>(value));
    });
  }
}

std::vector<std::byte> to_device(const HostMatrix& matrix) {
  std::vector<std::byte> bytes(device_bytes(matrix));
  to_device(matrix, bytes);
  return bytes;
}

void to_device(const HostMatrix& matrix, std::span<std::byte> to) {
  if (matrix.storage() == Storage::same) {
    std::memcpy(to.data(), matrix.bytes().data(), device_bytes(matrix));
    return;
  }
  const std::span<const float> values = matrix.as<float>().first(stored_elements(matrix));
  with_format(matrix.storage(), [&](auto format) {
    std::byte* at = to.data();
    for (const float value : values) {
      const std::uint16_t bits = narrow<decltype(format)>(value);
      std::memcpy(at, &bits, sizeof bits);
      at += sizeof bits;
    }
  });
}

void from_device(std::span<const std::byte> bytes, HostMatrix& matrix) {
  if (bytes.size() != device_bytes(matrix))
    throw std::invalid_argument("expected " + std::to_string(device_bytes(matrix)) +
                                " bytes for a matrix of " + matrix.shape_text() + ", not " +
                                std::to_string(bytes.size()));
  if (matrix.storage() == Storage::same) {
    std::memcpy(matrix.bytes().data(), bytes.data(), bytes.size());
    return;
  }
  const std::span<float> values = matrix.as<float>().first(stored_elements(matrix));
  with_format(matrix.storage(), [&](auto format) {
    const std::byte* at = bytes.data();
    for (float& value : values) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, at, sizeof bits);
      value = widen<decltype(format)>(bits);
      at += sizeof bits;
    }
  });
}

}  // namespace tessera
