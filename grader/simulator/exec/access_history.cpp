#include "grader/simulator/exec/access_history.h"

namespace tessera::sim {

Trace& AccessHistory::trace_of(const Allocation& allocation, unsigned granule_bytes) {
  const auto found = traces.find(&allocation);
  if (found != traces.end()) return found->second;
  return traces.try_emplace(&allocation, allocation.size, granule_bytes).first->second;
}

void AccessHistory::age_accesses_of(unsigned warp, std::uint32_t sync_count) {
  for (Shadow::Column* column : {&shadow.writes, &shadow.reads}) {
    for (std::size_t at = 0; at < granules(); ++at) {
      std::uint32_t& who = column->who[at];
      if (column->epoch[at] == epoch && Who::warp(who) == warp) who = Who::aged(who, sync_count);
    }
  }
}

void AccessHistory::end_epoch() {
  early.clear();
  raced_words.clear();
  earlier.forget_all();
  readers.forget_all();
  ++epoch;
}

}  // namespace tessera::sim
