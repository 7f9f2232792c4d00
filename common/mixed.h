// A number mixed from another, without a visible pattern: the finalizer of SplitMix64 (Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", 2014).
#pragma once

#include <cstdint>

namespace tessera {

constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// A pseudorandom number: the `index`-th of the sequence that `key` selects.
constexpr std::uint64_t drawn(std::uint64_t key, std::uint64_t index) {
  return mixed(key + index * 0x9e3779b97f4a7c15u);
}

}  // namespace tessera
