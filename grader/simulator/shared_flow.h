// Whether results come from what threads share: a launch's blocks run again on other inputs, while
// loads from shared memory return the elements of the inputs that they returned before. What then
// comes out as before, and otherwise would not, has its elements from shared memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

  /// Words that the lanes of `mask` have loaded in warp number `warp` of the block. Recording:
  /// keeps those that are elements of the inputs. Replaying: puts those in their place that were
  /// kept at the same turn of this warp, but for instructions by which each thread only ever loads
  /// what it stored itself.
  void pass(std::size_t warp, std::uint32_t site, Mask mask, std::uint32_t* words);

  /// Whether it must be told when a lane loads by this instruction what another thread stored.
  bool asks_for_storer(std::uint32_t site) const {
    return mode_ == Mode::record && !is_shared(site);
  }
  void note_shared(std::uint32_t site);

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

  bool is_shared(std::uint32_t site) const { return site < shared_.size() && shared_[site]; }

  Mode mode_ = Mode::record;
  const InputElements* elements_ = nullptr;
  std::vector<OfWarp> warps_;
  std::vector<bool> shared_;  // by site: a thread loaded what another stored
  std::size_t turns_ = 0;
};

/// A number that seems to be random: the `index`-th of those that `key` stands for.
std::uint64_t drawn(std::uint64_t key, std::uint64_t index);

/// Puts other elements of the same input in the place of half of the elements of each large input:
/// no value tells that it is another one. Both are drawn from `key`.
void alter_inputs(DeviceMemory& memory, std::uint64_t key);

/// The words of all buffers that hold results: those that are inputs or the kernel's own do not.
std::vector<std::uint32_t> result_words(const DeviceMemory& memory);

/// Of the results that a launch wrote on the inputs (`before` it and `first` after it) and that
/// come out otherwise on altered inputs (`altered`), how many percent come out as they were where
/// shared memory returns what it returned (`replayed`). 0 where there are none.
double percent_kept(const std::vector<std::uint32_t>& before,
                    const std::vector<std::uint32_t>& first,
                    const std::vector<std::uint32_t>& replayed,
                    const std::vector<std::uint32_t>& altered);

}  // namespace tessera::sim
