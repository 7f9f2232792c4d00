// Who accessed which memory, for findings of races and of uninitialized reads: shared memory of the
// running block, and the buffers in global memory that are traced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/launch.h"
#include "grader/simulator/check/copy_text.h"
#include "grader/simulator/check/memory.h"
#include "grader/simulator/check/order.h"
#include "grader/simulator/check/proxy_fences.h"
#include "grader/simulator/check/reader_sets.h"
#include "grader/simulator/check/shadow.h"
#include "grader/simulator/check/trace.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

/// A read of shared memory that no thread of the block had written yet, or any access of a word
/// into which a copy is on its way. It is reported when its epoch has ended, unless another thread
/// writes the word later in the same epoch: then the missing order is the cause, and a race has
/// been noted.
struct EarlyAccess {
  std::size_t granule = 0;
  const Function* function = nullptr;
  std::uint32_t source = 0;
  const SharedVariable* variable = nullptr;
  std::uint64_t offset = 0;  // in the variable, in bytes
  Dim3 thread;
  bool certain = false;                        // it is reported whatever happens later in the epoch
  std::uint32_t copy_site = kNoSite;           // of the copy; kNoSite: the word is not written
  std::optional<UnfinishedCopy> unfinished{};  // likewise
};

/// The accesses of one worker's blocks so far.
struct AccessHistory {
  Shadow shadow;  // of shared memory
  std::uint32_t epoch = Shadow::kOnTheWay;
  std::uint32_t first_epoch = 0;                // of the running block
  std::vector<EarlyAccess> early;               // of this epoch
  std::unordered_set<std::size_t> raced_words;  // granules that raced after an early access
  Earlier earlier;                              // of shared memory, in this epoch
  ReaderSets readers;                           // likewise; see Launch::keeps_readers
  MemoryOrder order;                            // if the kernel has fences
  ProxyFences proxy_fences;                     // of the running block
  std::unordered_map<const Allocation*, Trace> traces;

  Now now() const { return {epoch, first_epoch}; }
  void resize(std::uint64_t bytes, unsigned granule_bytes, bool with_times) {
    shadow.resize(bytes, granule_bytes, with_times);
    readers.resize(granules());
  }
  std::size_t granules() const { return shadow.writes.epoch.size(); }
  /// The trace of an allocation, in granules of `granule_bytes`.
  Trace& trace_of(const Allocation& allocation, unsigned granule_bytes);

  void start_block() { first_epoch = ++epoch; }
  /// Called when the warp's sync count is a multiple of Who::kAgeing.
  void age_accesses_of(unsigned warp, std::uint32_t sync_count);
  /// What threads that have ended stored in this epoch counts as stored in the next one: a barrier
  /// orders only what the threads that wait at it did. `has_ended(thread)`, of the block.
  template <class F>
  void keep_stores_of_ended(F has_ended);
  /// Begins the next epoch: early accesses of this one have been reported.
  void end_epoch();
};

template <class F>
void AccessHistory::keep_stores_of_ended(F has_ended) {
  std::vector<std::uint32_t>& epochs = shadow.writes.epoch;
  for (std::size_t at = 0; at < epochs.size(); ++at) {
    if (epochs[at] == epoch && has_ended(Who::thread(shadow.writes.who[at]))) ++epochs[at];
  }
}

}  // namespace tessera::sim
