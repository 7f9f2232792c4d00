#include "grader/simulator/check/trace.h"

#include <algorithm>
#include <new>
#include <tuple>

#include "grader/simulator/check/shadow.h"

namespace tessera::sim {
namespace {

/// Replaces the thread's footprint by `now`, or adds it; returns whether it was added.
bool put_by_thread(std::vector<Footprint>& footprints, const Footprint& now) {
  const auto key = [](const Footprint& footprint) {
    return std::tuple(footprint.block, Who::thread(footprint.who));
  };
  auto at = footprints.end();  // threads mostly come in the order of their numbers
  if (!footprints.empty() && key(footprints.back()) >= key(now))
    at = std::ranges::lower_bound(footprints, key(now), {}, key);
  if (at != footprints.end() && key(*at) == key(now)) {
    *at = now;
    return false;
  }
  footprints.insert(at, now);
  return true;
}

}  // namespace

const EarlierAccesses Earlier::kNone;

const EarlierAccesses& Earlier::look_up(std::size_t granule) const {
  const auto found = granules_.find(granule);
  return found == granules_.end() ? kNone : found->second;
}

void Earlier::forget_all() {
  granules_.clear();
  reads_ = 0;
}

bool Earlier::add_read(std::size_t granule, const Footprint& read) {
  if (full()) return false;
  if (put_by_thread(granules_[granule].reads, read)) ++reads_;
  return true;
}

void Earlier::add_store(std::size_t granule, const Footprint& store) {
  if (full()) return;
  std::vector<Footprint>& stores = granules_[granule].stores;
  if (stores.size() < kMostStores) put_by_thread(stores, store);
}

void Earlier::add_cached(std::size_t granule, const Footprint& read) {
  if (full()) return;
  Footprint& cached = granules_[granule].cached;
  if (cached.block == 0) cached = read;
}

void Earlier::forget_reads(std::size_t granule) {
  const auto found = granules_.find(granule);
  if (found == granules_.end()) return;
  reads_ -= found->second.reads.size();
  found->second.reads.clear();
}

void Earlier::store_over(std::size_t granule, const Footprint& last, bool strong, bool sees,
                         bool same_value, bool unordered) {
  const bool hides =
      strong ? last.block != 0 && !(sees && Who::strong(last.who)) : same_value && unordered;
  if (hides) return add_store(granule, last);
  if (strong || granules_.empty()) return;
  forget_reads(granule);
  if (!same_value) granules_.erase(granule);
}

Trace::Trace(std::uint64_t bytes, unsigned granule_bytes) : granule_bytes_(granule_bytes) {
  // calloc leaves untouched pages out of memory.
  void* zeroes = std::calloc(bytes / granule_bytes + 1, sizeof(Footprints));
  if (zeroes == nullptr) throw std::bad_alloc();
  footprints_.reset(static_cast<Footprints*>(zeroes));
}

void record_read(Footprints& granule, const Footprint& now, const MemoryOrder& order) {
  Footprint& read = granule.read;
  // A reader that a flag orders before this one can be forgotten; of two unordered readers, both
  // must be kept.
  const auto is_past = [&](const Footprint& before) {
    return before.block == 0 || order.ordered(before.moment(), now.moment());
  };
  Footprint& elsewhere = granule.read_elsewhere;
  if (read.block != 0 && read.block != now.block &&
      (elsewhere.block == now.block || is_past(elsewhere)))
    elsewhere = read;
  const bool together = read.block == now.block && read.epoch == now.epoch && !is_past(read);
  const std::uint32_t who = Who::merged(read.who, now.who, together);
  read = now;
  read.who = who;
}

void record_write(Footprints& granule, const Footprint& now) {
  granule.write = now;
}

}  // namespace tessera::sim
