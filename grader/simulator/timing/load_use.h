// Measures how long values from global memory travel while their warp does other work.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/exec/program.h"
#include "grader/simulator/timing/copies_on_the_way.h"

namespace tessera::sim {

/// Bytes that warps load from global memory, by their distance: the arithmetic (products in the
/// tensor cores; floating-point instructions if the kernel has none; both as the counters of these
/// names count them) that the warp executes between the load and the first instruction that needs
/// the value. To copy the value to another register is no need of it. An asynchronous copy is
/// needed by the wait for it; all that is on its way by a call or a return.
///
/// The compiler may put a load right before the first need in the PTX, but ptxas moves it up again
/// (compared with SASS of CUDA 13.0 for sm_90). So a load begins where its address is known and no
/// branch, barrier, or store to global memory lies between: the arithmetic from there on counts.
///
/// A warp without arithmetic loads for others. Its values are needed behind its next barrier, or
/// by the first warp that waits at the mbarrier, or the barrier with a number of threads, at which
/// it, or the copy, arrives next. The distance is the arithmetic of the busiest warp, or of the one
/// that waits, beyond what the loading warp knew of when it began: what warps had done before a
/// barrier, or before they arrived at one for which it has waited. So it does not depend on whose
/// turn it is.
///
/// The last element holds all bytes of longer distances.
using BytesByDistance = std::array<std::uint64_t, 4096>;

/// Returns the distance that more than half of the bytes have or exceed; 0 if there are none. A few
/// loads that are needed at once, such as those of the first tiles, do not change it.
std::uint64_t usual_distance(const BytesByDistance& bytes);

/// Counts these bytes in one block.
class LoadUse : public Watcher {
 public:
  LoadUse(std::uint64_t block, Dim3 threads);

  void step(Warp& warp, const Inst* inst, Mask mask) override;
  void lane_arrives(Warp& warp, std::uint64_t phase) override;
  void copies_arrive(Warp& warp, std::uint32_t begun, std::uint64_t phase) override;
  void wait_ends(Warp& warp, std::uint64_t phase) override;

  const BytesByDistance& bytes() const { return bytes_; }

 private:
  /// A load whose value no instruction has needed yet.
  struct Load {
    std::uint64_t step = 0;  // 0: there is none
    std::uint64_t bytes = 0;
    std::uint64_t own_work = 0;    // arithmetic of the warp before it
    std::uint64_t known_work = 0;  // of the busiest warp, as far as this one knew
  };
  /// Loads for other warps that have ended: their bytes, by what was known when they began.
  using Ended = std::map<std::uint64_t, std::uint64_t>;
  /// A phase of an mbarrier, or a barrier with a number of threads.
  struct Phase {
    std::uint64_t known_work = 0;  // to those that arrived
    Ended ended;
  };
  struct OfWarp {
    const Function* function = nullptr;
    std::uint64_t steps = 0;             // PTX instructions so far
    std::uint64_t loading = 0;           // bytes that the pieces of the instruction at hand load
    std::vector<Load> loads;             // by register of the function
    std::vector<std::uint64_t> written;  // likewise: arithmetic of the warp before it was written
    std::uint64_t free_since = 0;        // arithmetic before which no load can have moved
    CopiesOnTheWay<Load> copies;
    std::uint64_t known_work = 0;  // of other warps
    std::uint64_t barriers = 0;    // at which it has arrived
    bool at_barrier = false;       // and executed nothing since
    Ended ended;                   // since its last barrier or arrival
  };

  static std::uint64_t work_of(const Warp& warp) {
    const bool products = warp.worker->launch->products;
    return products ? warp.work.tensor : warp.work.floating_point;
  }
  /// What the warp knows of the arithmetic of the busiest warp.
  std::uint64_t known_work(const Warp& warp) const {
    return std::max(work_of(warp), warps_[warp.index].known_work);
  }
  Load load_of(const Warp& warp, std::uint64_t bytes) const;
  /// The arithmetic of the warp before the place to which a load by this instruction moves.
  std::uint64_t earliest(const Warp& warp, const InstTiming& timing) const;
  void count(std::uint64_t distance, std::uint64_t bytes);
  /// Counts them as needed when `work` was done.
  void count_ended(Ended& ended, std::uint64_t work);
  /// Counts a load that its warp needs now. If the warp has no arithmetic, it is one of
  /// `of_others` that has ended.
  void count_need(const Warp& warp, Load load, Ended& of_others);
  void leave_barrier(const Warp& warp);
  void copy(Warp& warp, const Inst* inst, Mask mask);

  std::vector<OfWarp> warps_;
  std::array<std::uint64_t, 2> known_at_barrier_{};  // of even and of odd number
  std::map<std::uint64_t, Phase> phases_;
  BytesByDistance bytes_{};
};

}  // namespace tessera::sim
