#include "grader/simulator/check/trace.h"

#include <algorithm>
#include <new>
#include <tuple>
#include <utility>

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

void note_atomic(EarlierAccesses& earlier, std::uint32_t bytes) {
  const bool first = earlier.reads.empty() && earlier.stores.empty();
  earlier.atomic_bytes = first || earlier.atomic_bytes == bytes ? bytes : 0;
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

bool Earlier::add_read(std::size_t granule, const Footprint& read, std::uint32_t atomic_bytes) {
  if (full()) return false;
  EarlierAccesses& earlier = granules_[granule];
  note_atomic(earlier, atomic_bytes);
  if (put_by_thread(earlier.reads, read)) ++reads_;
  return true;
}

void Earlier::add_store(std::size_t granule, const Footprint& store, std::uint32_t atomic_bytes) {
  if (full()) return;
  EarlierAccesses& earlier = granules_[granule];
  if (earlier.stores.size() >= kMostStores) return;
  note_atomic(earlier, atomic_bytes);
  put_by_thread(earlier.stores, store);
}

void Earlier::add_cached(std::size_t granule, const Footprint& read) {
  if (full()) return;
  Footprint& cached = granules_[granule].cached;
  if (cached.block == 0) cached = read;
}

void Earlier::store_over(std::size_t granule, const Footprint& last, std::uint32_t atomic_bytes,
                         bool strong, bool sees, bool same_value, bool unordered) {
  const bool hides =
      strong ? last.block != 0 && !(sees && Who::strong(last.who)) : same_value && unordered;
  if (hides) return add_store(granule, last, atomic_bytes);
  if (strong) return;
  const auto found = granules_.find(granule);
  if (found == granules_.end()) return;
  EarlierAccesses& earlier = found->second;
  if (!earlier.reads.empty()) {
    reads_ -= earlier.overwritten.size();
    earlier.overwritten = std::exchange(earlier.reads, {});
  }
  if (same_value) return;
  if (earlier.overwritten.empty()) {
    granules_.erase(found);
  } else {
    earlier.stores.clear();
    earlier.cached = {};
  }
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
