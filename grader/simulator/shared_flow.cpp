#include "grader/simulator/shared_flow.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/exec.h"

namespace tessera::sim {
namespace {

constexpr std::size_t kWord = 4;

/// Tables of a few weights may come from anywhere: what is followed are the inputs that are at
/// least a quarter of the largest one.
class FollowedInputs {
 public:
  explicit FollowedInputs(const DeviceMemory& memory) {
    std::uint64_t largest = 0;
    for (const auto& allocation : memory.allocations()) {
      if (is_input(*allocation)) largest = std::max(largest, allocation->size);
    }
    for (const auto& allocation : memory.allocations()) {
      if (is_input(*allocation) && 4 * allocation->size >= largest)
        all_.push_back(allocation.get());
    }
  }

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  static bool is_input(const Allocation& allocation) {
    return allocation.info.input && allocation.info.element_bytes == kWord;
  }

  std::vector<Allocation*> all_;
};

/// In device memory that a launch was given: variables of the module and the heap are not.
bool is_result(const Allocation& allocation) {
  return !allocation.info.input && !allocation.info.initialized && !allocation.info.read_only;
}

std::uint32_t word_at(const std::byte* bytes, std::size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes + index * kWord, kWord);
  return word;
}

/// Half of all indices, without a pattern that a kernel's own could meet.
bool is_chosen(std::size_t index) {
  return (std::uint64_t{index} * 0x9e3779b97f4a7c15u >> 40 & 1) != 0;
}

/// Of a float the highest bit of the exponent, so that zero changes too. An int32 becomes large.
constexpr std::uint32_t kAltered = 0x40000000;

}  // namespace

InputElements::InputElements(const DeviceMemory& memory) {
  std::uint64_t count = 1;
  const FollowedInputs inputs(memory);
  for (const Allocation* input : inputs) count += input->size / kWord;
  // Of most inputs one place in 256 is taken at most.
  constexpr int kMostBits = 28;
  const auto width =
      static_cast<unsigned>(std::min(static_cast<int>(std::bit_width(256 * count)), kMostBits));
  shift_ = 64 - width;
  bits_.resize((std::size_t{1} << width) / 64 + 1);
  for (const Allocation* input : inputs) {
    for (std::size_t i = 0; i < input->size / kWord; ++i) {
      const std::uint64_t place = place_of(word_at(input->data, i));
      bits_[place / 64] |= std::uint64_t{1} << place % 64;
    }
  }
}

void SharedTape::record(const InputElements& elements) {
  mode_ = Mode::record;
  elements_ = &elements;
}

void SharedTape::replay() {
  mode_ = Mode::replay;
  for (OfWarp& warp : warps_) warp.next = 0;
}

void SharedTape::pass(const Access& access, std::uint32_t* words) {
  if (access.warp >= warps_.size()) warps_.resize(access.warp + 1);
  OfWarp& mine = warps_[access.warp];
  if (mode_ == Mode::replay) {
    if (mine.next == mine.turns.size()) return;
    const Turn& turn = mine.turns[mine.next++];
    if (!shared_.contains(access.site)) return;
    for_lanes(turn.known & access.mask, [&](unsigned lane) { words[lane] = turn.words[lane]; });
    return;
  }
  if (access.of_another) shared_.insert(access.site);
  if (turns_ == kMostTurns) return;
  ++turns_;
  Turn& turn = mine.turns.emplace_back();
  for_lanes(access.mask, [&](unsigned lane) {
    turn.words[lane] = words[lane];
    turn.known |= Mask{elements_->contains(words[lane])} << lane;
  });
}

void alter_inputs(DeviceMemory& memory) {
  for (const Allocation* input : FollowedInputs(memory)) {
    for (std::size_t i = 0; i < input->size / kWord; ++i) {
      if (!is_chosen(i)) continue;
      const std::uint32_t word = word_at(input->data, i) ^ kAltered;
      std::memcpy(input->data + i * kWord, &word, kWord);
    }
  }
}

double percent_kept(const DeviceMemory& memory, const DeviceMemory::Snapshot& before,
                    const DeviceMemory::Snapshot& first, const DeviceMemory::Snapshot& replayed,
                    const DeviceMemory::Snapshot& altered) {
  std::uint64_t changed = 0, kept = 0;
  for (std::size_t buffer = 0; buffer < before.size(); ++buffer) {
    if (!is_result(*memory.allocations()[buffer])) continue;
    for (std::size_t i = 0; i < before[buffer].size() / kWord; ++i) {
      const std::uint32_t right = word_at(first[buffer].data(), i);
      if (right == word_at(before[buffer].data(), i) || right == word_at(altered[buffer].data(), i))
        continue;
      ++changed;
      kept += right == word_at(replayed[buffer].data(), i) ? 1 : 0;
    }
  }
  return changed == 0 ? 0 : 100.0 * static_cast<double>(kept) / static_cast<double>(changed);
}

}  // namespace tessera::sim
