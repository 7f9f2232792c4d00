// What stands between <<< and >>>, on the host's side of the grader.
#pragma once

#include <cstdint>

namespace tessera {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct LaunchShape {
  Dim3 grid;                       // blocks
  Dim3 block;                      // threads
  std::uint64_t shared_bytes = 0;  // dynamic shared memory
};

}  // namespace tessera
