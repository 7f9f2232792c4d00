#include "grader/simulator/check/reader_sets.h"

#include <gtest/gtest.h>

#include "grader/simulator/check/shadow.h"

namespace tessera::sim {
namespace {

Footprint read_by(std::uint32_t thread, std::uint64_t time) {
  return {.block = 1, .who = Who::make(thread, 0), .epoch = 3, .site = 5, .time = time};
}

/// The times at which threads have read the granule, in the order of the threads' numbers.
std::vector<std::uint64_t> times(const ReaderSets& sets, std::size_t granule) {
  std::vector<std::uint64_t> result;
  for (const Footprint& reader : sets.readers(sets.of(granule))) result.push_back(reader.time);
  return result;
}

ReaderSets::Id read(ReaderSets& sets, std::size_t granule, const Footprint& reader) {
  const ReaderSets::Id id = sets.with(sets.of(granule), reader);
  sets.put(granule, id);
  return id;
}

TEST(ReaderSets, GranulesThatTheSameThreadsHaveReadShareOneSet) {
  ReaderSets sets;
  sets.resize(3);
  for (std::size_t granule = 0; granule < 3; ++granule) {
    read(sets, granule, read_by(40, 7));
    read(sets, granule, read_by(8, 9));
  }
  EXPECT_EQ(times(sets, 0), (std::vector<std::uint64_t>{9, 7})) << "by thread";
  EXPECT_EQ(sets.of(0), sets.of(2));
  read(sets, 1, read_by(90, 10));
  EXPECT_EQ(times(sets, 1), (std::vector<std::uint64_t>{9, 7, 10}));
  EXPECT_EQ(times(sets, 2), (std::vector<std::uint64_t>{9, 7}));
}

TEST(ReaderSets, KeepTheLastReadOfAThread) {
  ReaderSets sets;
  sets.resize(1);
  for (const std::uint32_t thread : {5, 3, 9}) read(sets, 0, read_by(thread, thread));
  for (const std::uint32_t thread : {9, 5}) read(sets, 0, read_by(thread, 10 * thread));
  EXPECT_EQ(times(sets, 0), (std::vector<std::uint64_t>{3, 50, 90}));
}

TEST(ReaderSets, AreEmptyForgottenOrElsewhere) {
  ReaderSets sets;
  sets.resize(2);
  read(sets, 0, read_by(1, 1));
  sets.put(1, ReaderSets::kElsewhere);
  sets.forget_all();
  EXPECT_EQ(sets.of(0), ReaderSets::kNone);
  EXPECT_EQ(sets.of(1), ReaderSets::kNone);
  EXPECT_TRUE(times(sets, 0).empty());
  // A step of the time before must not be taken again.
  read(sets, 0, read_by(1, 1));
  EXPECT_EQ(times(sets, 0), std::vector<std::uint64_t>{1});
}

TEST(ReaderSets, HaveAtMostKMostReaders) {
  ReaderSets sets;
  sets.resize(1);
  for (std::uint32_t thread = 0; thread < ReaderSets::kMost; ++thread)
    ASSERT_NE(read(sets, 0, read_by(thread, thread)), ReaderSets::kElsewhere);
  EXPECT_EQ(sets.with(sets.of(0), read_by(ReaderSets::kMost, 0)), ReaderSets::kElsewhere);
  EXPECT_EQ(times(sets, 0).size(), ReaderSets::kMost);
}

TEST(ReaderSets, ThatNoGranuleHasMakeRoom) {
  ReaderSets sets;
  constexpr std::size_t kGranules = 100;
  sets.resize(kGranules);
  std::uint64_t time = 0;
  // Far more reads than fit if every set stayed.
  for (int round = 0; round < 1000; ++round) {
    for (std::size_t granule = 0; granule < kGranules; ++granule) {
      const auto thread = static_cast<std::uint32_t>((granule + 7 * round) % 10);
      ASSERT_NE(read(sets, granule, read_by(thread, ++time)), ReaderSets::kElsewhere);
    }
  }
  for (std::size_t granule = 0; granule < kGranules; ++granule) {
    const std::vector<std::uint64_t> all = times(sets, granule);
    ASSERT_EQ(all.size(), 10u);
    EXPECT_EQ(std::ranges::max(all), time - kGranules + granule + 1);
  }
}

TEST(ReaderSets, SayWhenThereIsNoRoom) {
  ReaderSets sets;
  constexpr std::size_t kGranules = 10'000;
  sets.resize(kGranules);
  std::size_t refused = 0;
  for (std::uint32_t thread = 0; thread < 60; ++thread) {
    for (std::size_t granule = 0; granule < kGranules; ++granule) {
      const ReaderSets::Id id =
          sets.with(sets.of(granule), read_by(thread, granule * 100 + thread));
      if (id == ReaderSets::kElsewhere)
        ++refused;
      else
        sets.put(granule, id);
    }
  }
  EXPECT_GT(refused, kGranules);
  for (const std::size_t granule : {std::size_t{0}, kGranules - 1}) {
    const std::vector<std::uint64_t> all = times(sets, granule);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all[0], granule * 100) << "none is lost";
  }
}

}  // namespace
}  // namespace tessera::sim
