#include "grader/simulator/check/proxy_fences.h"

#include <algorithm>

#include "grader/simulator/check/lanes.h"

namespace tessera::sim {

void ProxyFences::Last::add(const Place& place) {
  if (newest.epoch != place.epoch) earlier = newest;
  newest = place;
}

void ProxyFences::start_block(std::uint32_t threads) {
  const std::uint32_t warps = (threads + kLanes - 1) / kLanes;
  threads_ = threads;
  by_thread_.assign(threads, {});
  by_warp_.assign(warps, {});
  known_.assign(std::size_t{warps} * threads, {});
  any_ = {};
}

void ProxyFences::fence(const Fence& fence, std::uint32_t lanes) {
  const Place place{.epoch = fence.epoch, .sync_count = fence.sync_count};
  const std::uint32_t warp = fence.thread / kLanes;
  for_lanes(lanes, [&](unsigned lane) { by_thread_[warp * kLanes + lane].add(place); });
  any_.add(place);
  std::deque<Fence>& all = by_warp_[warp];
  if (!all.empty() && (all.size() == kKept || all.front().epoch != fence.epoch)) {
    all.front().epoch == fence.epoch ? all.pop_front() : all.clear();
  }
  all.push_back(fence);
}

void ProxyFences::know(std::uint32_t warp, std::uint32_t thread, std::uint32_t epoch,
                       std::uint64_t time) {
  Known& known = known_[warp * threads_ + thread];
  if (known.epoch != epoch) known = {.epoch = epoch};
  known.time = std::max(known.time, time);
}

bool ProxyFences::between(const Store& store, std::uint32_t reader, std::uint32_t now) const {
  // Of the storing thread, behind the store and before the barrier; or of the same warp.
  const Last& own = by_thread_[store.thread];
  const Place& last = store.epoch == now ? own.newest : own.before(now);
  if (last.epoch == store.epoch && store.sync_count < last.sync_count) return true;
  // Of a lane of the reading warp, after the barrier: a warp multiplies as a whole.
  if (store.epoch < now && reach(reader, now)) return true;
  // Of any thread, between two barriers.
  return any_.before(now).epoch > store.epoch;
}

}  // namespace tessera::sim
