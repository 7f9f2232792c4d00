// The arguments of <<< >>> on the grader's side, and the launches that a kernel's declaration
// allows.
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

/// The launches that a kernel's declaration allows.
struct LaunchBounds {
  std::uint64_t most_threads = 0;  // in a block, by __launch_bounds__; 0: no limit
  Dim3 block = {0, 0, 0};          // the only shape, by __block_size__; all 0: any shape
  Dim3 cluster;                    // in blocks, by __cluster_dims__: the grid must be a multiple
};

}  // namespace tessera
