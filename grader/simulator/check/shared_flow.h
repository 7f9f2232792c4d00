// Measures whether a kernel's results use data that its threads share. A followed block runs again
// on altered inputs, while loads from shared memory return the elements of the original inputs that
// the same stores had put there. If a result then equals the original one, its elements came
// through shared memory. They came from other threads unless the result is also the original one
// when only those loads return original elements by which a thread reads back its own stores. A
// thread may also keep in a register an element that it stores for other threads, so its load of
// that element from global memory returns the original too. A store counts as storing an element
// only if, on the altered inputs, it stores what replaced that element: a kernel that encodes bits
// by elements stores something else there.
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

/// A set of numbers. contains() may be true for a few numbers that were never added.
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

/// Returns the inputs of a launch (BufferInfo::input) whose elements a kernel should load only
/// once: those at least a quarter as large as the largest. A kernel may load small tables of
/// weights from anywhere.
std::vector<Allocation*> large_inputs(const DeviceMemory& memory);

/// Replaces each element of each input by one that the input holds, drawn from `key`: no value is
/// new, but their order and their sum are others.
void mix_elements(DeviceMemory& memory, std::uint64_t key);

/// Which words are elements of the large inputs, and which words replace each of them in the
/// altered inputs.
class InputElements {
 public:
  /// Alters the inputs in `memory`: replaces half of the elements of each large input by other
  /// elements of the same input, so that the kernel cannot recognise a replaced value. Both are
  /// drawn from `key`.
  InputElements(DeviceMemory& memory, std::uint64_t key);

  bool contains(std::uint32_t word) const { return words_.contains(word); }
  /// Whether `altered` has replaced `word` at some address.
  bool is_altered(std::uint32_t word, std::uint32_t altered) const {
    return pairs_.contains(pair(word, altered));
  }
  /// Returns the original element at `address`; nothing if no large input holds that address.
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

/// The store that wrote a word of shared memory.
struct StoredWord {
  std::uint64_t store = 0;   // number_of_store(); all ones: no store
  std::uint32_t thread = 0;  // its number in the block
};

/// Returns a number for the stores to a granule of shared memory between two barriers, of which
/// `barriers` come before, and at one time of the storing warp: its syncs or steps so far.
std::uint64_t number_of_store(std::size_t granule, std::uint32_t barriers, std::uint64_t time);

/// The words that the threads of one block loaded from shared memory. A word is shared if at least
/// `readers` threads load it, and at least one of them is not the thread that stored it.
class SharedTape {
 public:
  SharedTape(std::uint32_t readers, const InputElements& elements)
      : readers_(readers), elements_(elements) {}

  enum class Mode {
    record,
    verify,           // on altered inputs: drops words that do not hold their element's replacement
    replay,           // on altered inputs: loads return the recorded elements
    replay_own_alone  // the same, only for loads by the thread that stored the word
  };

  /// Handles `words`, which the lanes of `mask` in warp number `warp` of the block have loaded from
  /// shared memory. Recording keeps those that are elements of the inputs. Replaying replaces them
  /// by what was kept of the same store, and leaves words that were not shared as they are; if only
  /// a few words were not shared, as at the ends of a tile, it replaces them too.
  void pass_shared(std::size_t warp, Mask mask, const std::array<StoredWord, kLanes>& from,
                   std::uint32_t* words);

  /// Handles words loaded from these addresses in global memory. Replaying puts back those that the
  /// thread had stored into shared memory, if they were shared.
  void pass_global(std::size_t warp, Mask mask, const std::array<std::uint64_t, kLanes>& addresses,
                   std::uint32_t* words) const;

  /// Prepares for a run of the block from its start. The first mode is `record`.
  void start(Mode mode);

 private:
  struct Word {
    std::uint32_t before = 0;   // an element of the inputs
    std::uint32_t altered = 0;  // what replaced it, once verified
    bool verified = false;
    bool doubtful = false;    // several values, or a value that is no element's replacement
    std::uint32_t first = 0;  // thread that loaded it
    bool several = false;     // several threads loaded it
    bool others = false;      // a thread other than the one that stored it loaded it
    std::uint64_t loads = 0;
  };
  static constexpr std::size_t kMostWords = 1 << 20;  // per block: 80 MB
  static constexpr std::uint64_t kFew = 64;           // few: fewer than one load in so many

  void record(std::uint32_t thread, const StoredWord& from, std::uint32_t word);
  /// The word of this store if it may be put back; else nullptr.
  const Word* known(std::uint64_t store) const;
  bool is_shared(const Word& word) const { return word.others && (word.several || readers_ < 2); }
  static std::uint64_t put(std::size_t thread, std::uint32_t word) {
    return std::uint64_t{thread} << 32 | word;
  }

  std::uint32_t readers_;
  const InputElements& elements_;
  Mode mode_ = Mode::record;
  std::unordered_map<std::uint64_t, Word> words_;            // by StoredWord::store
  std::unordered_map<std::uint64_t, std::uint64_t> stores_;  // by thread and word
  bool few_alone_ = false;                                   // few words were not shared
};

/// Returns the words of all buffers that hold results: not those of inputs, nor of the module's own
/// variables.
std::vector<std::uint32_t> result_words(const DeviceMemory& memory);

/// Returns at most `count` blocks (of `threads` threads each) that wrote results in the last
/// launch. They are drawn from `key`, blocks with more results more often. Blocks at the edge of
/// the grid are left out if each wrote less than half as many results as usual, and all of them
/// together less than an eighth.
std::vector<std::uint64_t> blocks_of_results(const DeviceMemory& memory, std::uint64_t threads,
                                             std::uint64_t key, std::size_t count);

/// What the runs of a block left in the buffers that hold results.
struct FollowedRuns {
  std::vector<std::uint32_t> first;      // on the inputs
  std::vector<std::uint32_t> altered;    // on altered inputs, with Mode::verify
  std::vector<std::uint32_t> replayed;   // on altered inputs, with Mode::replay
  std::vector<std::uint32_t> own_alone;  // on altered inputs, with Mode::replay_own_alone
};

/// Counts of the results that a block wrote. If less than a quarter of the dependent results are
/// the original ones with Mode::replay_own_alone, `all` leaves those out.
struct ResultCount {
  std::uint64_t written = 0;
  std::uint64_t all = 0;     // dependent: they differ on altered inputs
  std::uint64_t shared = 0;  // dependent, with elements from other threads
};

/// Counts the results of a block. `before`: what the buffers held before any run.
ResultCount count_results(const std::vector<std::uint32_t>& before, const FollowedRuns& runs);

/// Returns the least percentage of shared among dependent results of a block; 0 if there are no
/// results. Blocks are left out if the dependent part of their results is less than half of the
/// median block's.
double least_percent_shared(std::vector<ResultCount> blocks);

}  // namespace tessera::sim
