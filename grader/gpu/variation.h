// New inputs for every timed launch, from one set of inputs and a salt: the device computes them in
// no time, and the host computes them again to verify the outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

enum class Variation : std::uint32_t {
  none,
  signs_float32,  // half of the elements, at random, change sign
  signs_int32,    // likewise, modulo 2^32
  signs_float16,  // as signs_float32, for two elements of 16 bits in each word
};

/// The salt of one buffer in the launch with `salt`.
std::uint64_t buffer_salt(std::uint64_t salt, std::size_t buffer);

/// Changes the elements in these words as the device does for this salt.
void vary(std::span<std::uint32_t> words, Variation variation, std::uint64_t salt);

}  // namespace tessera
