#include "grader/simulator/check/reader_sets.h"

#include <algorithm>
#include <unordered_map>

#include "grader/simulator/check/shadow.h"

namespace tessera::sim {

void ReaderSets::resize(std::size_t granules) {
  ids_.assign(granules, kNone);
  overwritten_.assign(granules, kNone);
  since_.assign(granules, 0);
  steps_.assign(granules == 0 ? 0 : kSteps, {});
  precede_.assign(granules == 0 ? 0 : kSteps, {});
  forget_all();
}

void ReaderSets::forget_all() {
  ++start_;
  sets_.resize(1);
  pool_.clear();
  refusals_ = 0;
}

ReaderSets::Id ReaderSets::with(Id id, const Footprint& reader) {
  const std::uint64_t hash =
      (id + (std::uint64_t{reader.who} << 20) + reader.time * 0x9e3779b1u + reader.site) *
      std::uint64_t{0x9e3779b97f4a7c15};
  Step& step = steps_[hash >> 54];
  if (step.since == start_ && step.from == id && step.reader == reader) return step.to;
  if (sets_[id].count >= kMost) return kElsewhere;
  if (pool_.size() + kMost > kMostInAll) {
    if (refusals_ != 0) return --refusals_, kElsewhere;
    id = collect(id);
    if (pool_.size() > kMostInAll / 2) {
      refusals_ = kPatience;
      return kElsewhere;
    }
  }
  const Id to = add(id, reader);
  step = {start_, id, to, reader};  // after collect() perhaps not where it would be looked for
  return to;
}

ReaderSets::Id ReaderSets::add(Id id, const Footprint& reader) {
  const auto first = static_cast<std::uint32_t>(pool_.size());
  const auto thread = [](const Footprint& footprint) { return Who::thread(footprint.who); };
  bool put = false;
  for (std::uint32_t i = 0; i < sets_[id].count; ++i) {
    const Footprint one = pool_[sets_[id].first + i];
    if (!put && thread(one) >= thread(reader)) {
      pool_.push_back(reader);
      put = true;
    }
    if (thread(one) != thread(reader)) pool_.push_back(one);
  }
  if (!put) pool_.push_back(reader);
  sets_.push_back({first, static_cast<std::uint32_t>(pool_.size()) - first});
  return static_cast<Id>(sets_.size() - 1);
}

ReaderSets::Id ReaderSets::collect(Id id) {
  std::vector<Set> sets(1);
  std::vector<Footprint> pool;
  std::unordered_map<Id, Id> moved{{kNone, kNone}, {kElsewhere, kElsewhere}};
  const auto move = [&](Id from) {
    const auto [at, fresh] = moved.try_emplace(from, static_cast<Id>(sets.size()));
    if (fresh) {
      const std::span<const Footprint> kept = readers(from);
      sets.push_back({static_cast<std::uint32_t>(pool.size()), sets_[from].count});
      pool.insert(pool.end(), kept.begin(), kept.end());
    }
    return at->second;
  };
  for (std::size_t granule = 0; granule < ids_.size(); ++granule) {
    if (since_[granule] != start_) continue;
    ids_[granule] = move(ids_[granule]);
    overwritten_[granule] = move(overwritten_[granule]);
  }
  const Id kept = move(id);
  sets_ = std::move(sets);
  pool_ = std::move(pool);
  std::ranges::fill(steps_, Step{});
  std::ranges::fill(precede_, Order{});
  return kept;
}

}  // namespace tessera::sim
