#include "grader/simulator/timing/timing.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "grader/simulator/exec/ops_memory.h"
#include "grader/simulator/exec/ops_tensor.h"

namespace tessera::sim {
namespace {

using ptx::Space;
using Addresses = std::array<std::uint64_t, kLanes>;

/// A small set of values, in order of insertion.
template <std::size_t kMost>
class Distinct {
 public:
  /// Returns true if the value is new.
  bool insert(std::uint64_t value) {
    for (std::size_t i = count_; i-- > 0;) {
      if (values_[i] == value) return false;
    }
    values_[count_++] = value;
    return true;
  }
  const std::uint64_t* begin() const { return values_.data(); }
  const std::uint64_t* end() const { return values_.data() + count_; }
  std::size_t size() const { return count_; }

 private:
  std::array<std::uint64_t, kMost> values_;
  std::size_t count_ = 0;
};

constexpr std::size_t kBanks = 32;

/// Whether all accesses are aligned to their width of 4, 8 or 16 bytes.
bool are_whole(const Addresses& address, Mask mask, unsigned width) {
  if (width != 4 && width != 8 && width != 16) return false;
  std::uint64_t bits = 0;
  for_lanes(mask, [&](unsigned lane) { bits |= address[lane]; });
  return (bits & (width - 1)) == 0;
}

/// For accesses that are whole. Whether lanes [first, last) access at most one word of each bank.
bool each_bank_once(const Addresses& address, Mask mask, unsigned width, unsigned first,
                    unsigned last) {
  const int shift = std::countr_zero(width);
  // How many accesses of this width fit side by side into the banks.
  const std::uint64_t places = kBanks * 4 >> shift;
  std::array<std::uint64_t, kBanks> at_place;
  std::uint32_t used = 0;
  for (unsigned lane = first; lane < last; ++lane) {
    if (!((mask >> lane) & 1)) continue;
    const std::uint64_t at = address[lane] >> shift;
    const std::uint64_t place = at & (places - 1);
    if (((used >> place) & 1) != 0 && at_place[place] != at) return false;
    at_place[place] = at;
    used |= std::uint32_t{1} << place;
  }
  return true;
}

/// Returns the largest number of distinct words that lanes [first, last) access in one bank.
/// `whole`: are_whole().
unsigned passes_of(const Addresses& address, Mask mask, unsigned width, bool whole, unsigned first,
                   unsigned last) {
  const Mask lanes = mask & (kAllLanes >> (kLanes - (last - first))) << first;
  if (lanes == 0) return 0;
  if (whole && each_bank_once(address, lanes, width, first, last)) return 1;
  // Accesses that are whole meet in all of their words or in none.
  const unsigned unit = whole ? width : 4;
  const std::uint64_t places = kBanks * 4 / unit;
  // The words of a lane lie in different banks, so a bank has at most one for each lane.
  std::array<Distinct<kLanes>, kBanks> banks;
  std::size_t most = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint64_t end = (address[lane] + width - 1) / unit;
    for (std::uint64_t at = address[lane] / unit; at <= end; ++at) {
      auto& words = banks[at % places];
      words.insert(at);
      most = std::max(most, words.size());
    }
  });
  return static_cast<unsigned>(most);
}

/// Returns the passes of a load or store of shared memory.
unsigned passes_of_access(Warp& warp, const Inst* inst, Mask mask, const InstTiming& timing) {
  const auto offset = static_cast<std::uint64_t>(inst->offset + timing.merged_shift);
  Pattern& pattern = pattern_of(warp, inst, mask, inst->size * inst->count);
  const bool known = timing.width == 4 || timing.width == 8 || timing.width == 16;
  // Aligned accesses from the same base have the same passes, as all move by whole accesses.
  const bool whole = known && ((pattern.all_bits | offset) & (timing.width - 1)) == 0;
  std::uint8_t& passes = pattern.passes[whole ? std::countr_zero(timing.width) - 2 : 0];
  if (whole && passes != 0) return passes;
  Addresses address = pattern.address;
  for (std::uint64_t& one : address) one += offset;
  const unsigned count = shared_passes(address, mask, timing.width);
  if (whole) passes = static_cast<std::uint8_t>(count);
  return count;
}

/// Splits the lanes of an access to `space` by the memory that each of them reaches.
LanesBySpace lanes_by_space(Space space, const Addresses& address, Mask mask) {
  if (space == Space::generic) return split_by_space(address, 0, mask);
  if (space == Space::shared) return {.shared = mask};
  if (space == Space::local) return {.local = mask};
  return {.global = mask};
}

}  // namespace

KnownTiming known_timing(const Function& function, const Inst* inst) {
  const FunctionTiming& known = function.timing;
  if (known.instructions.empty()) return {};
  const auto index = static_cast<std::size_t>(inst - function.code.data());
  return {&known.instructions[inst->source], known.is_last[index] != 0};
}

unsigned shared_passes(const Addresses& address, Mask mask, unsigned width) {
  const bool whole = are_whole(address, mask, width);
  const auto passes = [&](unsigned first, unsigned last) {
    return passes_of(address, mask, width, whole, first, last);
  };
  if (width <= 4) return passes(0, kLanes);
  const unsigned lanes = kLanes / (width / 4);
  unsigned total = 0;
  for (unsigned first = 0; first < kLanes; first += 2 * lanes) {
    const unsigned last = first + 2 * lanes;
    const unsigned together = passes(first, last);
    total += together <= 1 ? together : passes(first, first + lanes) + passes(first + lanes, last);
  }
  return total;
}

// ---- sectors

std::vector<std::uint64_t>& SectorSet::bits_of(const Allocation& allocation) {
  for (Touched& touched : touched_) {
    if (touched.allocation == allocation.address) return touched.bits;
  }
  touched_.push_back(
      {allocation.address, std::vector<std::uint64_t>(allocation.size / 32 / 64 + 1)});
  return touched_.back().bits;
}

bool SectorSet::insert(const Allocation& allocation, std::uint64_t address) {
  const std::uint64_t sector = (address - allocation.address) / 32;
  std::uint64_t& word = bits_of(allocation)[sector / 64];
  const std::uint64_t bit = std::uint64_t{1} << (sector % 64);
  const bool fresh = (word & bit) == 0;
  word |= bit;
  count_ += fresh;
  return fresh;
}

bool SectorSet::contains(const Allocation& allocation, std::uint64_t address) const {
  const auto touched = std::ranges::find(touched_, allocation.address, &Touched::allocation);
  const std::uint64_t sector = (address - allocation.address) / 32;
  return touched != touched_.end() && (touched->bits[sector / 64] >> (sector % 64) & 1) != 0;
}

std::uint64_t SectorSet::common(const std::vector<const SectorSet*>& sets) {
  std::uint64_t count = 0;
  for (const Touched& first : sets.front()->touched_) {
    std::vector<std::uint64_t> bits = first.bits;
    for (const SectorSet* set : sets) {
      const auto found = std::ranges::find(set->touched_, first.allocation, &Touched::allocation);
      for (std::size_t i = 0; i < bits.size(); ++i)
        bits[i] &= found == set->touched_.end() ? 0 : found->bits[i];
    }
    for (const std::uint64_t word : bits) count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return count;
}

// ---- a block

Stopwatch::Stopwatch(std::uint64_t block, Dim3 threads)
    : clocks_((threads.count() + kLanes - 1) / kLanes) {
  sample_.block = block;
}

BlockSample Stopwatch::take_sample() {
  for (const Clock& clock : clocks_) {
    sample_.wait.from_l2 = std::max(sample_.wait.from_l2, clock.end[0]);
    sample_.wait.from_dram = std::max(sample_.wait.from_dram, clock.end[1]);
  }
  return std::move(sample_);
}

void Stopwatch::pass_barrier(Clock& clock) {
  sample_.barriers = true;
  if (phase_end_.size() <= clock.phase) phase_end_.resize(clock.phase + 1);
  Times& end = phase_end_[clock.phase++];
  end = later(end, clock.end + kBarrierLatency);
  clock.waiting = true;
}

void Stopwatch::lane_arrives(Warp& warp, std::uint64_t phase) {
  Times& last = arrived_[phase];
  last = later(last, clocks_[warp.index].end);
}

void Stopwatch::copies_arrive(Warp& warp, std::uint32_t begun, std::uint64_t phase) {
  Times& last = arrived_[phase];
  clocks_[warp.index].copies.pass_before(
      begun, [&](const Times& arrival) { last = later(last, arrival); });
}

void Stopwatch::wait_ends(Warp& warp, std::uint64_t phase) {
  Clock& clock = clocks_[warp.index];
  sample_.barriers = true;
  clock.start = clock.end = later(clock.end, arrived_[phase] + kBarrierLatency);
}

void Stopwatch::copy(Clock& clock, Warp& warp, const Inst* inst, Mask mask) {
  if (inst->run == begin_copy) {
    const Inst* load = inst - 1;
    InstTiming timing;
    timing.space = Space::global;
    timing.width = load->size;
    const std::uint64_t before = sample_.loaded.count();
    const Times arrival = access(warp, load, mask, timing);
    sample_.copied_sectors += sample_.loaded.count() - before;
    if (mask != 0) sample_.shared_wavefronts += copy_wavefronts(warp, inst, mask);
    return clock.copies.begin(arrival + clock.end);
  }
  clock.copies.pass(*inst, [&](const Times& arrival) {
    clock.start = later(clock.start, arrival);
    clock.end = later(clock.end, arrival);
  });
}

void Stopwatch::add_sequence(const ptx::Sequence& sequence) {
  count(sequence.kind) += sequence.arithmetic;
  count(InstructionClass::special) += sequence.special;
}

void Stopwatch::step(Warp& warp, const Inst* inst, Mask mask) {
  const Function& function = *warp.frame->function;
  const KnownTiming known = known_timing(function, inst);
  if (known.timing == nullptr) return;
  const InstTiming& timing = *known.timing;
  Clock& clock = clocks_[warp.index];
  if (timing.pieces) add_piece(clock, warp, inst, mask, timing);
  if (!known.last) return;
  if (clock.function != &function) {  // a call or a return: all earlier instructions have ended
    clock.function = &function;
    clock.ready.assign(function.timing.registers, clock.end);
  }
  if (clock.waiting) {
    clock.waiting = false;
    clock.start = clock.end = phase_end_[clock.phase - 1];
  }
  if (timing.starts_block) clock.start = clock.end;
  const bool counts = timing.kind != InstructionClass::none && !timing.merged && !timing.pieces;
  if (counts) ++count(timing.kind);
  if (is_copy(inst)) return copy(clock, warp, inst, mask);
  Times latency{};
  if (timing.pieces) {
    latency = std::exchange(clock.pieces, Times{});
  } else if (timing.kind == InstructionClass::memory) {
    latency = access(warp, inst, mask, timing);
  } else {
    latency += timing.latency;
    add_sequence(timing.sequence);
  }
  if (timing.kind == InstructionClass::shuffle) ++sample_.shared_wavefronts;
  Times begin = clock.start;
  for (const std::uint32_t reg : timing.reads) begin = later(begin, clock.ready[reg]);
  for (const std::uint32_t reg : timing.writes) clock.ready[reg] = begin + latency;
  clock.end = later(clock.end, begin);
  if (timing.kind == InstructionClass::barrier) pass_barrier(clock);
  sample_.untimed |= timing.untimed;
}

void Stopwatch::add_piece(Clock& clock, Warp& warp, const Inst* inst, Mask mask,
                          const InstTiming& timing) {
  Times latency{};
  if (inst->run == multiply_matrices) {
    count(InstructionClass::tensor) += inst->count;
    sample_.tensor_work += work_of_product(*inst);
    latency += kTensorLatency;
  } else if (inst->run == begin_product) {
    ++count(InstructionClass::tensor);
    sample_.async_tensor_work += work_of_async_product(*inst);
  } else if (inst->run == transpose_piece) {
    ++count(InstructionClass::shuffle);
  } else if (is_fragment_access(*inst)) {
    ++count(InstructionClass::memory);
    InstTiming piece;
    piece.space = timing.space;
    piece.store = timing.store;
    piece.width = inst->size * inst->count;
    latency = access(warp, inst, mask & addressing_lanes(*inst), piece);
  }
  clock.pieces = later(clock.pieces, latency);
}

Stopwatch::Times Stopwatch::access(Warp& warp, const Inst* inst, Mask mask,
                                   const InstTiming& timing) {
  const Times shared{kSharedLatency, kSharedLatency};
  if (timing.merged || mask == 0) return shared;
  if (timing.space == Space::shared && !timing.atomic && !timing.pieces) {
    sample_.shared_wavefronts += passes_of_access(warp, inst, mask, timing);
    return shared;
  }
  Addresses address = lane_addresses(warp, inst);
  for (std::uint64_t& one : address) one += static_cast<std::uint64_t>(timing.merged_shift);
  if (timing.space == Space::constant) {
    Distinct<kLanes> words;
    for_lanes(mask, [&](unsigned lane) { words.insert(address[lane]); });
    sample_.shared_wavefronts += kConstantPasses * words.size();
    return shared;
  }
  const LanesBySpace lanes = lanes_by_space(timing.space, address, mask);
  Times latency{};
  const auto wait = [&](const Times& times) { latency = later(latency, times); };
  if (lanes.shared != 0) {
    sample_.shared_wavefronts += shared_passes(address, lanes.shared, timing.width);
    wait(shared);
  }
  if (lanes.local != 0) {  // the lanes' words lie side by side
    sample_.global_lines += (timing.width + 3) / 4;
    wait(Times{kL1Latency, kL1Latency});
  }
  if (lanes.global != 0) wait(global_access(warp, inst, address, lanes.global, timing));
  return latency;
}

Stopwatch::Times Stopwatch::global_access(Warp& warp, const Inst* inst, const Addresses& address,
                                          Mask mask, const InstTiming& timing) {
  Distinct<kLanes * 2> lines, sectors;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t last = (address[lane] + timing.width - 1) / 32;
    for (std::uint64_t sector = address[lane] / 32; sector <= last; ++sector) {
      if (sectors.insert(sector)) lines.insert(sector / 4);
    }
  });
  sample_.global_lines += lines.size();
  if (timing.store) sample_.stored_sectors += sectors.size();
  // Atomics, and accesses by which threads see each other, go to L2.
  bool fresh = timing.atomic || (inst->flags & MemoryFlags::kTalks) != 0;
  const Allocation* allocation = nullptr;
  for (const std::uint64_t sector : sectors) {
    const std::uint64_t at = sector * 32;
    if (allocation == nullptr || at - allocation->address >= allocation->size)
      allocation = std::as_const(*warp.worker->launch->memory).find(at);
    if (allocation == nullptr) continue;
    sample_.depends_on_others |= reads_from_others(*allocation, at, timing);
    SectorSet& touched = timing.store ? sample_.stored : sample_.loaded;
    fresh |= touched.insert(*allocation, at);
  }
  if (!fresh) return Times{kL1Latency, kL1Latency};
  return Times{kL2Latency, kDramLatency};
}

bool Stopwatch::reads_from_others(const Allocation& allocation, std::uint64_t sector,
                                  const InstTiming& timing) const {
  if (timing.store && !timing.atomic) return false;
  if (!is_given_address(allocation.address)) return !allocation.info.read_only;
  if (allocation.info.initialized || allocation.info.partly_written) return false;
  return !sample_.stored.contains(allocation, sector);
}

}  // namespace tessera::sim
