// Order without barriers: a thread that executes a fence and then sets a flag (an atomic or
// volatile access) releases its earlier accesses; a thread that reads the flag acquires them (CUDA
// programming guide, "Memory Fence Functions"; PTX ISA, "Causality order").
//
// The acquiring thread needs no fence here: current compilers keep volatile and atomic accesses in
// order, and the guide's own sample has no fence there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grader/simulator/check/shadow.h"

namespace tessera::sim {

/// When and by which thread an access was made. `who` is a Who of shadow.h.
struct Moment {
  std::uint32_t block = 0;  // linear number
  std::uint32_t who = 0;
  std::uint32_t epoch = 0;            // barriers so far
  std::uint64_t time = 0;             // warp instructions that its warp had run
  std::uint32_t sync_count = 0;       // its warp's
  const LaneCounts* known = nullptr;  // what its lane knows; nullptr: only whole warps have met
  bool by_warp = false;               // all lanes of the warp made the access together
};

/// Flags below this address lie in shared memory: each block has its own.
inline constexpr std::uint64_t kGlobalFlags = std::uint64_t{1} << 40;

/// Flags from this address on stand for the barriers of a part of a block. No shared memory lies
/// there.
inline constexpr std::uint64_t kBarrierFlags = kGlobalFlags - 16;

/// The order that one host thread has seen. Its blocks run one after the other, or do not share
/// memory.
class MemoryOrder {
 public:
  void start_block(std::uint32_t threads);

  /// Records a fence of the thread: __threadfence_block(), or (`whole_device`) __threadfence() and
  /// stronger.
  void fence(const Moment& now, bool whole_device);

  /// Record that the thread sets, or reads, the flag at `address`. Without `whole_device` the flag
  /// is set for the thread's block alone. A store that `orders` (st.release) needs no fence before
  /// it.
  void release(std::uint64_t address, const Moment& now, bool whole_device = true,
               bool orders = false);
  void acquire(std::uint64_t address, const Moment& now);

  /// Records that the thread has seen the flag in a relaxed way: its next fence acquires it.
  void see(std::uint64_t address, const Moment& now);

  /// Records a barrier of the block: after it, every thread has acquired what one thread had
  /// acquired.
  void barrier();

  /// Whether a chain of flags orders an access at `before` before an access at `now`.
  bool ordered(const Moment& before, const Moment& now) const;

  /// Rises with each release and acquisition.
  std::uint64_t sequence() const { return order_; }
  /// Whether a chain of flags ordered an access at `before` before the moment `then`, when
  /// sequence() was `sequence`.
  bool was_ordered(const Moment& before, const Moment& then, std::uint64_t sequence) const;

  /// Flags and releases that were looked at since the running block began.
  std::uint64_t work() const { return work_; }

  /// Whether ordered() has returned true only because there were too many flags to follow.
  bool gave_up() const { return gave_up_; }

 private:
  /// Which threads a fence, or a release after it, orders accesses for: those of the block, or of
  /// the whole device.
  enum Reach { kBlock, kDevice, kReaches };

  /// Which lanes of its warp a thread had met at a moment.
  struct Met {
    std::uint32_t who = 0;
    std::uint32_t sync_count = 0;
    std::shared_ptr<const LaneCounts> known;  // Moment::known

    bool covers(const Moment& before) const;
  };
  struct Fence {
    Met met;
    std::uint64_t time[kReaches] = {0, 0};
    std::uint32_t epoch[kReaches] = {0, 0};

    void stand_at(const Moment& now, bool whole_device);
  };
  using Fences = std::shared_ptr<const std::vector<Fence>>;  // by thread
  /// What a release covers: accesses before `time` of its thread and of lanes that this thread has
  /// met since; those of its block in epochs before `epoch`; and those of other threads before
  /// their own fences, if a barrier has followed the fence.
  struct Release {
    std::uint64_t order = 0;  // number in the sequence of all releases and acquisitions
    Met met;
    std::uint64_t time[kReaches] = {0, 0};
    std::uint32_t epoch[kReaches] = {0, 0};
    Fences others;
  };
  /// When a thread acquired a flag last, and when before its warp met since: lanes that it met
  /// between both know of the first alone.
  struct Acquired {
    struct Time {
      std::uint64_t order = 0;  // 0: never
      std::uint32_t who = 0;
    };
    std::uint64_t address = 0;
    Time last;
    Time before;
  };
  /// When a flag was acquired that some thread had acquired as it released another flag: the latest
  /// so far, by the time of that release.
  struct Inherited {
    std::uint64_t acquired = 0;  // order of the acquisition
    std::uint64_t released = 0;  // order of the release
    bool whole_device = false;   // the release reaches other blocks
  };
  /// A flag, and the block of a thread that has acquired it.
  struct Acquirer {
    std::uint64_t address = 0;
    std::uint32_t block = 0;
    friend auto operator<=>(const Acquirer&, const Acquirer&) = default;
  };
  /// The releases by threads of one block.
  struct Releases {
    std::map<std::uint32_t, std::vector<Release>> by_thread;  // each by rising order
    std::uint32_t epoch[kReaches] = {0, 0};                   // the latest of any release
    bool others = false;                                      // a release has `others`
  };
  struct Flag {
    std::map<std::uint32_t, Releases> releases;            // by block
    std::map<Acquirer, std::vector<Inherited>> inherited;  // both orders rise
    std::uint64_t changed = 0;  // order of the last release that added something
  };
  /// What ordered() has last answered about two threads. If `ordered`, accesses of the epoch before
  /// `time` are ordered, for as long as the block runs. If not, no access at `time` or later is
  /// while `version_` stays the same. A thread that waits for a flag, and one that reads what
  /// another has stored, make ordered() answer the same again and again.
  struct Answer {
    std::uint32_t block = 0;
    std::uint32_t before = 0;
    std::uint32_t now = 0;
    std::uint32_t epoch = 0;
    std::uint64_t time = 0;
    std::uint64_t version = 0;  // then; 0: none
    bool ordered = false;
    bool by_warp = false;  // Moment::by_warp of the access before
  };

  /// Gives new names to the flags in shared memory of the block that has ended, if what other
  /// blocks can acquire inherits them: the next block has others at their addresses.
  void keep_own_flags();
  static Met met_at(const Moment& now);
  /// The latest acquisition up to `until` that the thread of `now` knows of; 0: none.
  static std::uint64_t known_order(const Acquired& acquired, const Moment& now,
                                   std::uint64_t until);
  /// Whether the release covers an access at `before`: the time before which it covers all accesses
  /// by that Who in that epoch; 0 if it does not.
  static std::uint64_t covered(const Release& release, const Moment& before, Reach reach);
  /// The same for the last of a thread's releases up to that order.
  static std::uint64_t covered(const std::vector<Release>& releases, std::uint64_t until,
                               const Moment& before, Reach reach);
  std::uint64_t covered(const Flag& flag, std::uint64_t until, const Moment& before,
                        Reach reach) const;
  /// The flags that a search has looked at, and up to which order: few, or very many.
  class Seen {
   public:
    std::uint64_t& operator[](const Acquirer& flag);

   private:
    static constexpr std::size_t kFew = 16;
    std::vector<std::pair<Acquirer, std::uint64_t>> few_;
    std::map<Acquirer, std::uint64_t> many_;
  };
  std::uint64_t search(const Acquirer& flag, std::uint64_t until, const Moment& before,
                       Seen& seen) const;
  /// Whether a chain that `now` had acquired by `until` orders `before` before it, as covered()
  /// says it.
  std::uint64_t search(const Moment& before, const Moment& now, std::uint64_t until) const;
  /// A kernel can set flags without end, and a lock adds an entry for each thread that waits for
  /// it. Past these limits everything counts as ordered.
  bool full() const {
    full_ = full_ || kept_ + kept_fences_ > kMostKept || acquired_count_ > kMostAcquired ||
            by_block_.size() > kMostAcquired || work_ > kMostWork;
    return full_;
  }

  std::unordered_map<std::uint64_t, Flag> flags_;
  std::uint64_t next_kept_ = kKeptFlags;                        // for keep_own_flags()
  std::vector<Fence> fences_;                                   // by thread of the running block
  std::uint32_t fence_epoch_[kReaches] = {0, 0};                // of any of its threads
  Fences settled_;                                              // at the last barrier; null: none
  std::uint32_t settled_epoch_[kReaches] = {0, 0};              // fence_epoch_ at that barrier
  std::vector<std::vector<Acquired>> acquired_;                 // by warp, since the last barrier
  std::vector<std::size_t> latest_;                             // by thread: its place in acquired_
  std::size_t acquired_count_ = 0;                              // of all warps
  std::vector<std::vector<std::uint64_t>> seen_;                // by thread: flags, before a fence
  std::unordered_map<std::uint64_t, std::size_t> acquired_at_;  // by address and thread: its place
  std::unordered_map<std::uint64_t, std::uint64_t> by_block_;   // address -> order, before it
  std::uint64_t order_ = 0;
  std::uint64_t began_ = 0;                        // order_ when the running block began
  std::uint64_t version_ = 1;                      // rises whenever the flags order more
  std::uint64_t first_version_ = 1;                // of the running block
  mutable std::vector<Answer> answers_;            // by a hash of the two threads
  std::size_t kept_ = 0;                           // releases and what they inherit
  std::size_t kept_fences_ = 0;                    // in Release::others
  const std::vector<Fence>* last_kept_ = nullptr;  // counted last
  mutable std::uint64_t work_ = 0;                 // see work()
  mutable bool full_ = false;
  mutable bool gave_up_ = false;

  static constexpr std::uint64_t kKeptFlags = std::uint64_t{1} << 60;  // no memory lies there
  static constexpr std::size_t kMostKept = 1 << 21;
  static constexpr std::size_t kMostAcquired = 1 << 16;
  static constexpr std::uint64_t kMostWork = 60'000'000;
  static constexpr std::size_t kAnswers = 1 << 14;
};

}  // namespace tessera::sim
