// Barriers that are objects in shared memory: mbarrier (PTX ISA, "Parallel Synchronization and
// Communication Instructions: mbarrier"), which cuda::barrier and cuda::pipeline are made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "grader/simulator/check/lanes.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

struct Warp;
struct Worker;

/// What the 64 bits of an mbarrier hold. Programs must not look into them; a token, which an
/// arrival returns, is a copy of them.
struct Mbarrier {
  static constexpr std::uint32_t kMost = (1 << 20) - 1;  // arrivals of a phase, or its bytes

  std::uint32_t pending = 0;   // arrivals that the phase still waits for
  std::uint32_t expected = 0;  // arrivals of the next phase
  std::int32_t bytes = 0;      // that copies of the phase still have to bring: -kMost to kMost
  bool odd = false;            // the number of the phase is odd
  bool valid = false;          // it has been initialised

  static Mbarrier from(std::uint64_t bits);
  std::uint64_t bits() const;
};

/// The places where a warp has looked at mbarriers whose phase was not complete, since the last
/// look there that found it complete. It may look at several in turn; of very many the oldest are
/// forgotten.
class FailedWaits {
 public:
  /// Counts a failed look; returns how many there were.
  std::uint32_t count(const Inst* inst);
  void remove(const Inst* inst);
  /// Waits that have ended.
  std::uint32_t ended() const { return ended_; }

 private:
  struct Wait {
    const Inst* inst = nullptr;
    std::uint32_t looks = 0;
  };
  std::array<Wait, 8> waits_{};
  std::size_t next_ = 0;
  std::uint32_t ended_ = 0;
};

/// Inst::flags of these handlers, in addition to those of MemoryFlags.
struct MbarrierFlags {
  static constexpr std::uint32_t kGeneric = 1u << 27;    // the address is a generic one
  static constexpr std::uint32_t kRelaxed = 1u << 28;    // orders only what fences order
  static constexpr std::uint32_t kDrops = 1u << 29;      // arrive: the next phases expect fewer
  static constexpr std::uint32_t kStaysOpen = 1u << 30;  // arrive: the phase must not be complete
  static constexpr std::uint32_t kBytes = 1u << 31;      // arrive: once, and expects Inst::b bytes
  static constexpr std::uint32_t kParity = 1u << 31;     // wait: Inst::b is a parity, not a token
  static constexpr std::uint32_t kNoIncrement = 1u << 31;  // arrive_with_copies: .noinc
};

// Handlers. Inst::a and `offset` give the mbarrier.
const Inst* init_mbarrier(Warp& warp, const Inst* inst, Mask mask);   // b: expected arrivals
const Inst* inval_mbarrier(Warp& warp, const Inst* inst, Mask mask);  // it is no mbarrier any more
const Inst* expect_bytes(Warp& warp, const Inst* inst, Mask mask);    // b
const Inst* complete_bytes(Warp& warp, const Inst* inst, Mask mask);  // b
const Inst* arrive_at_mbarrier(Warp& warp, const Inst* inst,
                               Mask mask);  // b: arrivals; dst: token

/// mbarrier.test_wait and try_wait; predicate dst: whether the phase is complete. The first look
/// does not wait. The next one does, as try_wait may: until a phase is complete, or all others wait
/// too. So a loop around the instruction takes no turns for nothing.
const Inst* wait_at_mbarrier(Warp& warp, const Inst* inst, Mask mask);

/// mbarrier.pending_count: a is a token.
const Inst* pending_of_token(Warp& warp, const Inst* inst, Mask mask);

/// cp.async.mbarrier.arrive: the lane arrives when its copies so far have. They do when a thread
/// waits there.
const Inst* arrive_with_copies(Warp& warp, const Inst* inst, Mask mask);

/// All threads of the block wait. Copies that complete a phase for which some of them wait arrive.
/// Returns whether there are any.
bool land_awaited_copies(Worker& worker);

/// All threads of the block wait, some at mbarriers: these go on with a phase that is not complete.
/// Returns false if there are none, or if this has happened too often since the last arrival.
bool answer_waits(Worker& worker);

/// The arrivals that the phase still needs for which the lane waits in `inst`.
std::uint32_t arrivals_missing(Warp& warp, const Inst* inst, unsigned lane);

}  // namespace tessera::sim
