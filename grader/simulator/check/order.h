// Order without barriers: a thread that fences and then sets a flag (an atomic or volatile access)
// releases what came before; a thread that reads the flag acquires it (CUDA programming guide,
// "Memory Fence Functions"; PTX ISA, "Causality order").
//
// The acquiring side needs no fence of its own here: current compilers keep volatile and atomic
// accesses in order, and the guide's own sample has none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "grader/simulator/check/shadow.h"

namespace tessera::sim {

/// When and by whom an access was made. `who` is a Who of shadow.h.
struct Moment {
  std::uint32_t block = 0;  // linear number
  std::uint32_t who = 0;
  std::uint32_t epoch = 0;            // barriers so far
  std::uint64_t time = 0;             // warp instructions that its warp had run
  std::uint32_t sync_count = 0;       // its warp's
  const LaneCounts* known = nullptr;  // of its lane; nullptr: only whole warps have met
};

/// Flags below this address lie in shared memory: each block has its own.
inline constexpr std::uint64_t kGlobalFlags = std::uint64_t{1} << 40;

/// From here on, one for each barrier of a part of a block. No shared memory lies there.
inline constexpr std::uint64_t kBarrierFlags = kGlobalFlags - 16;

/// One host thread's view; blocks run one after the other, or have nothing to do with each other.
class MemoryOrder {
 public:
  void start_block(std::uint32_t threads);

  /// The thread fences: __threadfence_block(), or __threadfence() and stronger.
  void fence(const Moment& now, bool whole_device);

  /// The thread sets or reads the flag at `address`; for its block alone where not `whole_device`.
  /// A setting that `orders` (st.release) needs no fence before it.
  void release(std::uint64_t address, const Moment& now, bool whole_device = true,
               bool orders = false);
  void acquire(std::uint64_t address, const Moment& now);

  /// A barrier: what one thread acquired holds for all.
  void barrier();

  /// Whether an access made at `before` is ordered before one at `now` by a chain of flags.
  bool ordered(const Moment& before, const Moment& now) const;

  /// Whether ordered() has said so only since there were too many flags to follow.
  bool gave_up() const { return gave_up_; }

 private:
  /// Index of what a fence, or a release after it, covers: the block, or the whole device.
  enum Reach { kBlock, kDevice, kReaches };

  /// Which lanes of its warp a thread had met at some moment.
  struct Met {
    std::uint32_t who = 0;
    std::uint32_t sync_count = 0;
    std::shared_ptr<const LaneCounts> known;  // Moment::known

    bool covers(std::uint32_t before) const;
  };
  struct Fence {
    Met met;
    std::uint64_t time[kReaches] = {0, 0};
    std::uint32_t epoch[kReaches] = {0, 0};

    void stand_at(const Moment& now, bool whole_device);
  };
  using Fences = std::shared_ptr<const std::vector<Fence>>;  // by thread
  /// What a release covers: accesses of its thread (and those of its warp that it has met since)
  /// before `time`, those of its block in epochs before `epoch`, and those of other threads before
  /// fences of their own that a barrier has followed since.
  struct Release {
    std::uint64_t order = 0;  // number in the sequence of all releases and acquisitions
    Met met;
    std::uint64_t time[kReaches] = {0, 0};
    std::uint32_t epoch[kReaches] = {0, 0};
    Fences others;
  };
  struct Acquired {
    std::uint64_t address = 0;
    std::uint64_t order = 0;
    std::uint32_t who = 0;
  };
  /// What a thread had acquired when it released a flag.
  struct Inherited {
    std::uint64_t address = 0;
    std::uint64_t acquired = 0;  // order of the acquisition
    std::uint64_t released = 0;  // order of the release
  };
  struct Flag {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Release>>
        releases;                                // by block, thread
    std::vector<Inherited> inherited;            // by rising `released`
    std::unordered_set<std::uint64_t> inherits;  // Inherited::acquired of these
    std::uint64_t changed = 0;                   // order of the last release that told more
  };
  /// Two threads that no order connects, and since when: until a flag says more, nothing that the
  /// first does later is ordered before the second either. Who waits for a flag asks this for as
  /// long as it waits.
  struct Unordered {
    std::uint32_t block = 0;
    std::uint32_t before = 0;
    std::uint32_t now = 0;
    std::uint32_t epoch = 0;
    std::uint64_t time = 0;
    std::uint64_t version = 0;
  };

  static Met met_at(const Moment& now);
  static bool visible(const Acquired& acquired, const Moment& now);
  static bool covers(const Release& release, const Moment& before, Reach reach);
  bool covers(const Flag& flag, std::uint64_t until, const Moment& before, Reach reach) const;
  bool search(std::uint64_t address, std::uint64_t until, const Moment& before, Reach reach,
              std::unordered_map<std::uint64_t, std::uint64_t>& seen) const;
  bool search(const Moment& before, const Moment& now) const;
  /// A kernel can set flags without end, and a lock that many threads wait for has as many: past
  /// these limits everything counts as ordered.
  bool full() const {
    full_ = full_ || kept_ > kMostKept || acquired_.size() > kMostAcquired ||
            by_block_.size() > kMostAcquired || work_ > kMostWork;
    return full_;
  }

  std::unordered_map<std::uint64_t, Flag> flags_;
  std::vector<Fence> fences_;                                   // by thread of the running block
  std::uint32_t fence_epoch_[kReaches] = {0, 0};                // of any of its threads
  Fences settled_;                                              // at the last barrier; null: none
  std::uint32_t settled_epoch_[kReaches] = {0, 0};              // fence_epoch_ at that barrier
  std::vector<Acquired> acquired_;                              // since the last barrier
  std::unordered_map<std::uint64_t, std::size_t> acquired_at_;  // by address and thread
  std::unordered_map<std::uint64_t, std::uint64_t> by_block_;   // address -> order, before it
  std::uint64_t order_ = 0;
  std::uint64_t version_ = 1;                 // of what the flags say
  mutable std::vector<Unordered> unordered_;  // by a hash of the two threads
  std::size_t kept_ = 0;                      // releases and what they inherit
  mutable std::uint64_t work_ = 0;            // flags and releases looked at
  mutable bool full_ = false;
  mutable bool gave_up_ = false;

  static constexpr std::size_t kMostKept = 1 << 21;
  static constexpr std::size_t kMostAcquired = 1 << 14;
  static constexpr std::uint64_t kMostWork = 60'000'000;
  static constexpr std::size_t kUnordered = 1 << 12;
};

}  // namespace tessera::sim
