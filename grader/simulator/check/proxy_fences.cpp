#include "grader/simulator/check/proxy_fences.h"

#include "grader/simulator/check/lanes.h"

namespace tessera::sim {

void ProxyFences::Last::add(const Fence& fence) {
  if (newest.epoch != fence.epoch) earlier = newest;
  newest = fence;
}

void ProxyFences::start_block(std::uint32_t threads) {
  by_thread_.assign(threads, {});
  by_warp_.assign((threads + kLanes - 1) / kLanes, {});
  any_ = {};
}

void ProxyFences::fence(std::uint32_t thread, const Fence& fence) {
  by_thread_[thread].add(fence);
  by_warp_[thread / kLanes] = fence;
  any_.add(fence);
}

bool ProxyFences::between(const Store& store, std::uint32_t reader, std::uint32_t now) const {
  // Of the storing thread, behind the store and before the barrier; or of the same warp.
  const Last& own = by_thread_[store.thread];
  const Fence& last = store.epoch == now ? own.newest : own.before(now);
  if (last.epoch == store.epoch && store.sync_count < last.sync_count) return true;
  // Of the reader, behind the barrier.
  if (store.epoch < now && by_thread_[reader].newest.epoch == now) return true;
  // Of any thread, between two barriers.
  return any_.before(now).epoch > store.epoch;
}

}  // namespace tessera::sim
