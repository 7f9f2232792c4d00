// Which elements of the inputs a block loads from global memory more than once.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/check/memory.h"

namespace tessera::sim {

struct Pattern;

/// Counts what threads load of elements that their block has loaded already.
class RepeatedLoads {
 public:
  explicit RepeatedLoads(const DeviceMemory& memory);

  void start_block() { ++block_; }
  /// A load or an atomic of `width` bytes in each lane of `pattern`, `offset` bytes on. Each lane
  /// counts in the input that it loads itself.
  void add(const Pattern& pattern, std::uint64_t offset, unsigned width);
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Input {
    const Allocation* allocation = nullptr;
    std::vector<std::uint32_t> blocks;  // the last block that loaded each element
  };

  /// nullptr if the address is in no input that counts.
  Input* input_at(std::uint64_t address);

  std::vector<Input> inputs_;
  std::uint32_t block_ = 0;  // of the host thread, counted from 1
  std::uint64_t bytes_ = 0;
};

}  // namespace tessera::sim
