// Kernel arguments as the bytes of the kernel's parameters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "grader/simulator/simulator.h"

namespace tessera {

/// The bytes of a pointer (std::uint64_t) or a scalar.
template <class T>
Argument argument_of(const T& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  return Argument(bytes, bytes + sizeof value);
}

/// The bytes of a Matrix (tessera/lab.cuh): the data's address, then height, width and pitch in
/// elements.
Argument matrix_argument(std::uint64_t address, std::int32_t height, std::int32_t width,
                         std::int32_t pitch);

}  // namespace tessera
