#include "grader/gpu/variation.h"

namespace tessera {
namespace {

/// The finaliser of MurmurHash3; helper_kernels.cpp has the same for the device.
std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdu;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53u;
  return value ^ (value >> 33);
}

std::uint32_t negated(std::uint32_t bits, Variation variation) {
  switch (variation) {
    case Variation::none:
      return bits;
    case Variation::signs_float32:
      return bits ^ 0x80000000u;
    case Variation::signs_int32:
      return 0u - bits;
  }
  return bits;
}

}  // namespace

std::uint64_t buffer_salt(std::uint64_t salt, std::size_t buffer) {
  return mixed(salt + 0x9e3779b97f4a7c15u * (buffer + 1));
}

void vary(std::span<std::uint32_t> elements, Variation variation, std::uint64_t salt) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (mixed(salt + i) >> 63) elements[i] = negated(elements[i], variation);
  }
}

}  // namespace tessera
