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

/// The word at an index whose random number is `drawn`.
std::uint32_t varied(std::uint32_t bits, Variation variation, std::uint64_t drawn) {
  const bool first = drawn >> 63 != 0;
  switch (variation) {
    case Variation::none:
      return bits;
    case Variation::signs_float32:
      return first ? bits ^ 0x80000000u : bits;
    case Variation::signs_int32:
      return first ? 0u - bits : bits;
    case Variation::signs_float16: {
      const bool second = (drawn >> 62 & 1) != 0;
      return bits ^ (first ? 0x80000000u : 0) ^ (second ? 0x8000u : 0);
    }
  }
  return bits;
}

}  // namespace

std::uint64_t buffer_salt(std::uint64_t salt, std::size_t buffer) {
  return mixed(salt + 0x9e3779b97f4a7c15u * (buffer + 1));
}

void vary(std::span<std::uint32_t> words, Variation variation, std::uint64_t salt) {
#pragma omp parallel for schedule(static) if (words.size() >= 1 << 20)
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = varied(words[i], variation, mixed(salt + i));
}

}  // namespace tessera
