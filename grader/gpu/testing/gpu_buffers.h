// Buffers of launches made from values, and values read from buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "grader/gpu/kernel.h"

namespace tessera {

inline constexpr std::uint32_t kPoison = 0x7fc0deadu;

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> values_in(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

inline GpuBuffer input_buffer(std::string name, const std::vector<float>& values) {
  return {.name = std::move(name), .contents = bytes_of(values)};
}

inline GpuBuffer output_buffer(std::string name, std::size_t elements) {
  return {.name = std::move(name),
          .contents = bytes_of(std::vector<std::uint32_t>(elements, kPoison)),
          .input = false};
}

}  // namespace tessera
