#include "grader/simulator/check/shared_flow.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/mixed.h"
#include "grader/simulator/check/address_space.h"

namespace tessera::sim {
namespace {

constexpr std::size_t kWord = 4;

/// Returns the inputs that are followed: the large ones with elements of 4 bytes.
std::vector<Allocation*> followed_inputs(const DeviceMemory& memory) {
  std::vector<Allocation*> inputs = large_inputs(memory);
  std::erase_if(inputs, [](const Allocation* input) { return input->info.element_bytes != kWord; });
  return inputs;
}

/// Whether the allocation is a buffer for results, given to the launch by the caller: variables of
/// the module and the heap are not.
bool is_result(const Allocation& allocation) {
  return is_given_address(allocation.address) && !allocation.info.input &&
         !allocation.info.initialized && !allocation.info.read_only;
}

std::uint32_t word_at(const std::byte* bytes, std::size_t index) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes + index * kWord, kWord);
  return word;
}

std::uint64_t count_elements(const DeviceMemory& memory) {
  std::uint64_t count = 0;
  for (const Allocation* input : followed_inputs(memory)) count += input->size / kWord;
  return count;
}

/// Returns a word other than `word`, used where elements are equal. A float keeps its magnitude and
/// stays finite; zero becomes 2, as a tiny float would be lost in a sum. An int32 becomes large.
std::uint32_t unlike(std::uint32_t word) {
  constexpr std::uint32_t kTwo = 0x40000000, kHighestOfMantissa = 0x00400000;
  return word == 0 ? kTwo : word ^ kHighestOfMantissa;
}

/// Leaves out the results of blocks that have fewer than half as many results as the block of the
/// median result, if all of those together have less than an eighth of the results: blocks at the
/// edge of the grid, most of whose few results may need an element of another block. `writers`
/// holds the block of each result.
void leave_out_few(std::vector<std::uint64_t>& writers) {
  std::unordered_map<std::uint64_t, std::uint64_t> results;  // by block
  for (const std::uint64_t block : writers) ++results[block];
  std::vector<std::uint64_t> sizes;  // of the block of each result
  for (const std::uint64_t block : writers) sizes.push_back(results[block]);
  std::ranges::sort(sizes);
  const std::uint64_t usual = sizes.empty() ? 0 : sizes[sizes.size() / 2];
  const auto is_few = [&](std::uint64_t size) { return 2 * size < usual; };
  if (8 * std::ranges::count_if(sizes, is_few) >= std::ssize(sizes)) return;
  std::erase_if(writers, [&](std::uint64_t block) { return is_few(results[block]); });
}

/// Whether the byte at `offset` lies in the padding between two rows.
bool is_padding(const BufferInfo& info, std::size_t offset) {
  return info.width != 0 && offset / info.element_bytes % info.pitch >= info.width;
}

}  // namespace

std::vector<Allocation*> large_inputs(const DeviceMemory& memory) {
  std::vector<Allocation*> inputs;
  std::uint64_t largest = 0;
  for (const auto& allocation : memory.allocations()) {
    if (!allocation->info.input) continue;
    inputs.push_back(allocation.get());
    largest = std::max(largest, allocation->size);
  }
  std::erase_if(inputs, [&](const Allocation* input) { return 4 * input->size < largest; });
  return inputs;
}

NumberSet::NumberSet(std::uint64_t most) {
  // At most one place in 256 is taken, unless the set has more than 2^20 numbers.
  constexpr int kMostBits = 28;
  const auto width = static_cast<unsigned>(
      std::min(static_cast<int>(std::bit_width(256 * (most + 1))), kMostBits));
  shift_ = 64 - width;
  bits_.resize((std::size_t{1} << width) / 64 + 1);
}

void mix_elements(DeviceMemory& memory, std::uint64_t key) {
  for (const auto& input : memory.allocations()) {
    const std::size_t bytes = input->info.element_bytes;
    if (!input->info.input || bytes == 0) continue;
    const std::size_t count = input->size / bytes;
    const auto is_element = [&](std::size_t i) { return !is_padding(input->info, i * bytes); };
    const std::vector<std::byte> before(input->data, input->data + input->size);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t donor = drawn(key, i) % count;
      if (is_element(i) && is_element(donor))
        std::memcpy(input->data + i * bytes, before.data() + donor * bytes, bytes);
    }
  }
}

InputElements::InputElements(DeviceMemory& memory, std::uint64_t key)
    : words_(count_elements(memory)), pairs_(count_elements(memory)) {
  for (const Allocation* input : followed_inputs(memory)) {
    inputs_.push_back({input->address, {input->data, input->data + input->size}});
    const std::vector<std::byte>& before = inputs_.back().before;
    const std::size_t count = input->size / kWord;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t word = word_at(before.data(), i);
      std::uint32_t altered = word;
      const std::uint64_t number = drawn(key, i);
      if ((number & 1) != 0 && !is_padding(input->info, i * kWord)) {
        const std::size_t donor = (number >> 1) % count;
        if (!is_padding(input->info, donor * kWord)) altered = word_at(before.data(), donor);
        if (altered == word) altered = unlike(word);
        std::memcpy(input->data + i * kWord, &altered, kWord);
      }
      words_.add(word);
      pairs_.add(pair(word, altered));
    }
  }
}

std::optional<std::uint32_t> InputElements::before(std::uint64_t address) const {
  for (const Input& input : inputs_) {
    const std::uint64_t offset = address - input.address;
    if (offset < input.before.size() && offset % kWord == 0)
      return word_at(input.before.data(), offset / kWord);
  }
  return std::nullopt;
}

std::uint64_t number_of_store(std::size_t granule, std::uint32_t barriers, std::uint64_t time) {
  constexpr unsigned kGranuleBits = 18;  // of 227 KiB
  return mixed(mixed(time) ^ barriers) << kGranuleBits | granule;
}

void SharedTape::start(Mode mode) {
  if (mode_ == Mode::record) {  // it is over: every load is known
    std::uint64_t all = 0;
    std::uint64_t alone = 0;
    for (const auto& [store, word] : words_) {
      all += word.loads;
      if (!is_shared(word)) alone += word.loads;
    }
    few_alone_ = kFew * alone < all;
  }
  mode_ = mode;
}

void SharedTape::record(std::uint32_t thread, const StoredWord& from, std::uint32_t word) {
  const bool element = elements_.contains(word);
  auto found = words_.find(from.store);
  if (found == words_.end()) {
    if (!element || words_.size() == kMostWords) return;
    found = words_.try_emplace(from.store, Word{.before = word, .first = thread}).first;
  }
  Word& kept = found->second;
  kept.doubtful |= word != kept.before;
  if (!element) return;
  ++kept.loads;
  kept.several |= kept.first != thread;
  if (from.thread == thread) return;
  kept.others = true;
  stores_[put(from.thread, word)] = from.store;
}

const SharedTape::Word* SharedTape::known(std::uint64_t store) const {
  const auto found = words_.find(store);
  if (found == words_.end()) return nullptr;
  const Word& word = found->second;
  return word.verified && !word.doubtful ? &word : nullptr;
}

void SharedTape::pass_shared(std::size_t warp, Mask mask,
                             const std::array<StoredWord, kLanes>& from, std::uint32_t* words) {
  for_lanes(mask, [&](unsigned lane) {
    const std::uint32_t thread = static_cast<std::uint32_t>(warp) * kLanes + lane;
    if (mode_ == Mode::record) return record(thread, from[lane], words[lane]);
    if (mode_ == Mode::verify) {
      const auto found = words_.find(from[lane].store);
      if (found == words_.end()) return;
      Word& word = found->second;
      word.doubtful |= word.verified ? word.altered != words[lane]
                                     : !elements_.is_altered(word.before, words[lane]);
      word.verified = true;
      word.altered = words[lane];
      return;
    }
    const Word* word = known(from[lane].store);
    if (word == nullptr) return;
    if (mode_ == Mode::replay_own_alone && from[lane].thread != thread) {
      words[lane] = word->altered;
    } else if (few_alone_ || is_shared(*word)) {
      words[lane] = word->before;
    }
  });
}

void SharedTape::pass_global(std::size_t warp, Mask mask,
                             const std::array<std::uint64_t, kLanes>& addresses,
                             std::uint32_t* words) const {
  if (mode_ != Mode::replay && mode_ != Mode::replay_own_alone) return;
  for_lanes(mask, [&](unsigned lane) {
    const std::optional<std::uint32_t> before = elements_.before(addresses[lane]);
    if (!before) return;
    const auto store = stores_.find(put(warp * kLanes + lane, *before));
    const Word* word = store == stores_.end() ? nullptr : known(store->second);
    if (word != nullptr && (few_alone_ || is_shared(*word))) words[lane] = *before;
  });
}

std::vector<std::uint32_t> result_words(const DeviceMemory& memory) {
  std::vector<std::uint32_t> words;
  for (const auto& allocation : memory.allocations()) {
    if (!is_result(*allocation)) continue;
    const std::size_t first = words.size();
    words.resize(first + allocation->size / kWord);
    std::memcpy(words.data() + first, allocation->data, allocation->size / kWord * kWord);
  }
  return words;
}

std::vector<std::uint64_t> blocks_of_results(const DeviceMemory& memory, std::uint64_t threads,
                                             std::uint64_t key, std::size_t count) {
  std::vector<std::uint64_t> writers;  // the block of each result
  for (const auto& allocation : memory.allocations()) {
    if (!is_result(*allocation) || !allocation->writers) continue;
    const auto* first = allocation->writers.get();
    for (std::size_t word = 0; word < allocation->size / kWord; ++word) {
      if (first[word] != 0) writers.push_back((first[word] - 1) / threads);
    }
  }
  leave_out_few(writers);
  std::vector<std::uint64_t> blocks;
  const std::size_t most = writers.empty() ? 0 : 16 * count;
  for (std::size_t i = 0; i < most && blocks.size() < count; ++i) {
    const std::uint64_t block = writers[drawn(key, i) % writers.size()];
    if (std::ranges::count(blocks, block) == 0) blocks.push_back(block);
  }
  return blocks;
}

ResultCount count_results(const std::vector<std::uint32_t>& before, const FollowedRuns& runs) {
  ResultCount count;
  std::uint64_t own = 0;  // results that only need what their thread stored itself
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::uint32_t first = runs.first[i];
    count.written += first != before[i];
    if (first == before[i] || first == runs.altered[i]) continue;
    ++count.all;
    if (first == runs.own_alone[i]) {
      ++own;
    } else if (first == runs.replayed[i]) {
      ++count.shared;
    }
  }
  // A few sums of small numbers are equal by chance.
  if (4 * own < count.all) count.all -= own;
  return count;
}

double least_percent_shared(std::vector<ResultCount> blocks) {
  std::erase_if(blocks, [](const ResultCount& block) { return block.all == 0; });
  if (blocks.empty()) return 0;
  const auto part = [](std::uint64_t some, std::uint64_t all) {
    return static_cast<double>(some) / static_cast<double>(all);
  };
  const auto followed = [&](const ResultCount& block) { return part(block.all, block.written); };
  std::ranges::sort(blocks, {}, followed);
  const double usual = followed(blocks[blocks.size() / 2]);
  double least = 100;
  for (const ResultCount& block : blocks) {
    if (2 * followed(block) >= usual) least = std::min(least, 100 * part(block.shared, block.all));
  }
  return least;
}

}  // namespace tessera::sim
