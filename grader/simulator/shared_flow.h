// Whether results come from what threads share: a launch's blocks run again on other inputs, while
// loads from shared memory return the elements of the inputs that they returned before. What then
// comes out as before, and otherwise would not, has its elements from shared memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "grader/simulator/memory.h"
#include "grader/simulator/program.h"

namespace tessera::sim {

/// Which words are elements of the large inputs (BufferInfo::input). A few others are taken for
/// some too.
class InputElements {
 public:
  explicit InputElements(const DeviceMemory& memory);

  bool contains(std::uint32_t word) const {
    const std::uint64_t place = place_of(word);
    return (bits_[place / 64] >> place % 64 & 1) != 0;
  }

 private:
  std::uint64_t place_of(std::uint32_t word) const {
    return (word * 0x9e3779b97f4a7c15u) >> shift_;
  }

  std::vector<std::uint64_t> bits_;
  unsigned shift_ = 0;
};

/// What loads from shared memory returned to the warps of one block, in their order.
class SharedTape {
 public:
  enum class Mode { record, replay };

  struct Access {
    std::size_t warp = 0;  // of the block
    std::uint32_t site = 0;
    Mask mask = 0;
    bool of_another = false;  // a lane loads what another thread stored
  };
  /// Words that the lanes have loaded. Recording: keeps those that are elements of the inputs.
  /// Replaying: puts those in their place that were kept at the same turn of this warp, but for
  /// instructions by which each thread only ever loads what it stored itself.
  void pass(const Access& access, std::uint32_t* words);

  void record(const InputElements& elements);
  void replay();

 private:
  struct Turn {
    Mask known = 0;
    std::array<std::uint32_t, kLanes> words{};
  };
  struct OfWarp {
    std::vector<Turn> turns;
    std::size_t next = 0;
  };
  static constexpr std::size_t kMostTurns = 200'000;  // of a block: 27 MB

  Mode mode_ = Mode::record;
  const InputElements* elements_ = nullptr;
  std::vector<OfWarp> warps_;
  std::set<std::uint32_t> shared_;  // sites where a thread loaded what another stored
  std::size_t turns_ = 0;
};

/// Gives half of the elements of the large inputs other values.
void alter_inputs(DeviceMemory& memory);

/// Of the words that a launch wrote on the inputs (`before` it and `first` after it) and that come
/// out otherwise on altered inputs (`altered`), how many percent come out as they were where shared
/// memory returns what it returned (`replayed`). 0 where there are none. Buffers that are inputs or
/// the kernel's own do not count.
double percent_kept(const DeviceMemory& memory, const DeviceMemory::Snapshot& before,
                    const DeviceMemory::Snapshot& first, const DeviceMemory::Snapshot& replayed,
                    const DeviceMemory::Snapshot& altered);

}  // namespace tessera::sim
