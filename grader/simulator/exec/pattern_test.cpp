#include "grader/simulator/exec/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace tessera::test {
namespace {

using sim::kLanes;

/// The passes of an access, from the words that each group of lanes has in each bank.
unsigned passes_of(const sim::Pattern& pattern, unsigned width) {
  const unsigned group = kLanes / std::max(1u, width / 4);
  unsigned passes = 0;
  for (unsigned first = 0; first < kLanes; first += group) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;
    std::size_t most = 0;
    for (unsigned lane = first; lane < first + group; ++lane) {
      if (!((pattern.mask >> lane) & 1)) continue;
      const std::uint64_t address = pattern.address[lane];
      for (std::uint64_t word = address / 4; word <= (address + width - 1) / 4; ++word) {
        std::set<std::uint64_t>& in_bank = words[word % 32];
        in_bank.insert(word);
        most = std::max(most, in_bank.size());
      }
    }
    passes += static_cast<unsigned>(most);
  }
  return passes;
}

TEST(CountWavefronts, IsTheMostWordsOfABankInEachGroupOfLanes) {
  constexpr unsigned kSeed = 20261201;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  for (int round = 0; round < 20'000; ++round) {
    const unsigned width = 1u << below(5);
    const std::uint64_t alignment = below(4) == 0 ? 1 : width;
    const std::uint64_t places = std::uint64_t{1} << below(8);  // few: many lanes share one
    const std::uint64_t stride = below(3) == 0 ? 0 : alignment << below(7);
    sim::Pattern pattern;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      pattern.address[lane] = 4096 + lane * stride + below(places) * alignment;
    const sim::Mask mask = below(2) == 0 ? sim::kAllLanes : static_cast<sim::Mask>(random()) | 1;
    sim::analyse(pattern, mask, width);
    ASSERT_EQ(sim::count_wavefronts(pattern, 0, width), passes_of(pattern, width))
        << "round " << round << ", width " << width << ", mask " << mask;
  }
}

}  // namespace
}  // namespace tessera::test
