// Whether results come from what threads share: a block runs again on other inputs, while loads
// from shared memory return the elements of the inputs that the same stores had put there before. A
// result has its elements from other threads if it comes out as before then, but not if only those
// loads return what was there by which threads read back what they stored themselves. An element
// that a thread stores for others is its own as well where it stays in a register: its load from
// global memory returns what it returned. A store puts an element there only if on the other inputs
// it puts what stands in that element's place: one that says "this bit is set" by an element says
// something else there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grader/simulator/check/lanes.h"
#include "grader/simulator/check/memory.h"

namespace tessera::sim {

/// Numbers, to which a few others count that were never added.
class NumberSet {
 public:
  explicit NumberSet(std::uint64_t most);  // numbers that will be added

  void add(std::uint64_t number) {
    const std::uint64_t place = place_of(number);
    bits_[place / 64] |= std::uint64_t{1} << place % 64;
  }
  bool contains(std::uint64_t number) const {
    const std::uint64_t place = place_of(number);
    return (bits_[place / 64] >> place % 64 & 1) != 0;
  }

 private:
  std::uint64_t place_of(std::uint64_t number) const {
    return (number * 0x9e3779b97f4a7c15u) >> shift_;
  }

  unsigned shift_;
  std::vector<std::uint64_t> bits_;
};

/// The inputs of a launch (BufferInfo::input) whose elements a kernel should load once: those that
/// are at least a quarter of the largest one. Tables of a few weights may come from anywhere.
std::vector<Allocation*> large_inputs(const DeviceMemory& memory);

/// Which words are elements of the large inputs (BufferInfo::input), and what stands in the place
/// of each on altered inputs.
class InputElements {
 public:
  /// Alters the inputs in `memory`: puts other elements of the same input in the place of half of
  /// the elements of each large input, so that no value tells that it is another one. Both are
  /// drawn from `key`.
  InputElements(DeviceMemory& memory, std::uint64_t key);

  bool contains(std::uint32_t word) const { return words_.contains(word); }
  /// Whether `altered` stands where `word` stood in some place.
  bool is_altered(std::uint32_t word, std::uint32_t altered) const {
    return pairs_.contains(pair(word, altered));
  }
  /// The element that stood at `address` before; nothing where that is in no large input.
  std::optional<std::uint32_t> before(std::uint64_t address) const;

 private:
  struct Input {
    std::uint64_t address = 0;
    std::vector<std::byte> before;
  };

  static std::uint64_t pair(std::uint32_t word, std::uint32_t altered) {
    return std::uint64_t{word} << 32 | altered;
  }

  std::vector<Input> inputs_;
  NumberSet words_;
  NumberSet pairs_;
};

/// Which store made a word of shared memory.
struct StoredWord {
  std::uint64_t store = 0;   // number_of_store(); all ones: nobody stored it
  std::uint32_t thread = 0;  // of the block
};

/// A number for the stores to a granule of shared memory between two barriers, and between two
/// syncs of the warp that stores: `barriers` and `syncs` are those before it.
std::uint64_t number_of_store(std::size_t granule, std::uint32_t barriers, std::uint32_t syncs);

/// What the words in shared memory of one block were. A word is shared if at least `readers`
/// threads load it, one of them not the one that stored it.
class SharedTape {
 public:
  SharedTape(std::uint32_t readers, const InputElements& elements)
      : readers_(readers), elements_(elements) {}

  enum class Mode {
    record,
    verify,           // on altered inputs: forgets what is no element's other value there
    replay,           // in the place of what is loaded puts what was
    replay_own_alone  // only where the thread had stored it itself
  };

  /// Words that the lanes of `mask` have loaded from shared memory in warp number `warp` of the
  /// block. Recording keeps those that are elements of the inputs; replaying puts what was kept of
  /// the same store in their place. A word that was not shared is left as it is. Where such words
  /// are few, as at the ends of a tile, they count like the others.
  void pass_shared(std::size_t warp, Mask mask, const std::array<StoredWord, kLanes>& from,
                   std::uint32_t* words);

  /// Words loaded from these addresses in global memory. Replaying puts back those that the thread
  /// stored into shared memory, if they were shared there.
  void pass_global(std::size_t warp, Mask mask, const std::array<std::uint64_t, kLanes>& addresses,
                   std::uint32_t* words) const;

  /// The block will run from its start. The first mode is `record`.
  void start(Mode mode);

 private:
  struct Word {
    std::uint32_t before = 0;   // an element of the inputs
    std::uint32_t altered = 0;  // where it was verified
    bool verified = false;
    bool doubtful = false;    // several values, or one that is no element's
    std::uint32_t first = 0;  // thread that loaded it
    bool several = false;     // threads loaded it
    bool others = false;      // than the one that stored it
    std::uint64_t loads = 0;
  };
  static constexpr std::size_t kMostWords = 1 << 20;  // of a block: 80 MB
  static constexpr std::uint64_t kFew = 64;           // one load of so many

  void record(std::uint32_t thread, const StoredWord& from, std::uint32_t word);
  /// The word of this store, if it may be put back; else null.
  const Word* known(std::uint64_t store) const;
  bool is_shared(const Word& word) const { return word.others && (word.several || readers_ < 2); }
  static std::uint64_t put(std::size_t thread, std::uint32_t word) {
    return std::uint64_t{thread} << 32 | word;
  }

  std::uint32_t readers_;
  const InputElements& elements_;
  Mode mode_ = Mode::record;
  std::unordered_map<std::uint64_t, Word> words_;            // by StoredWord::store
  std::unordered_map<std::uint64_t, std::uint64_t> stores_;  // of a word that a thread put there
  bool few_alone_ = false;                                   // words that are not shared
};

/// The words of all buffers that hold results: those that are inputs or the kernel's own do not.
std::vector<std::uint32_t> result_words(const DeviceMemory& memory);

/// `count` blocks of `threads` threads each, or fewer, that wrote results in the launch that ended
/// last: whoever wrote more of them is drawn from `key` more often. Blocks at the edge of the grid
/// that wrote less than half as many as usual, and together less than an eighth, are left out.
std::vector<std::uint64_t> blocks_of_results(const DeviceMemory& memory, std::uint64_t threads,
                                             std::uint64_t key, std::size_t count);

/// What the runs of a block left in the buffers that hold results.
struct FollowedRuns {
  std::vector<std::uint32_t> first;      // on the inputs
  std::vector<std::uint32_t> altered;    // on altered inputs, with Mode::verify
  std::vector<std::uint32_t> replayed;   // on these, with Mode::replay
  std::vector<std::uint32_t> own_alone;  // with Mode::replay_own_alone
};

/// Of the results that a block wrote, those that come out otherwise on altered inputs. Those that
/// are the same with Mode::replay_own_alone are left out where they are less than a quarter.
struct ResultCount {
  std::uint64_t written = 0;  // whatever comes out
  std::uint64_t all = 0;
  std::uint64_t shared = 0;  // whose elements came from other threads
};

/// `before`: what the buffers held before any run.
ResultCount count_results(const std::vector<std::uint32_t>& before, const FollowedRuns& runs);

/// The percentage of the block that has least, among those of which at least half as much of what
/// they wrote counts as of what the middle one wrote. 0 where there are no results.
double least_percent_shared(std::vector<ResultCount> blocks);

}  // namespace tessera::sim
