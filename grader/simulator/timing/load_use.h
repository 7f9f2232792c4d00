// Measures how long values from global memory travel while their warp does other work.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/exec/program.h"
#include "grader/simulator/timing/copies_on_the_way.h"

namespace tessera::sim {

/// Bytes that warps load from global memory, by their distance: the arithmetic (floating-point
/// instructions and products in the tensor cores, as the counters of these names count them) that
/// the warp executes between the load and the first instruction that needs the value; for a warp
/// that only loads, the mean of its block. To copy the value to another register is no need of it.
/// An asynchronous copy is needed by the wait for it, or by any warp's wait at the mbarrier at
/// which it arrives; all that is on its way by a call or a return. The last element holds all bytes
/// of longer distances.
using BytesByDistance = std::array<std::uint64_t, 4096>;

/// Returns the distance that more than half of the bytes have or exceed; 0 if there are none. A few
/// loads that are needed at once, such as those of the first tiles, do not change it.
std::uint64_t usual_distance(const BytesByDistance& bytes);

/// Counts these bytes in one block.
class LoadUse : public Watcher {
 public:
  LoadUse(std::uint64_t block, Dim3 threads);

  void step(Warp& warp, const Inst* inst, Mask mask) override;
  void copies_arrive(Warp& warp, std::uint32_t begun, std::uint64_t phase) override;

  const BytesByDistance& bytes() const { return bytes_; }

 private:
  /// Arithmetic so far.
  struct Work {
    std::uint64_t of_warp = 0;
    std::uint64_t of_block = 0;  // mean of the warps; only known while of_warp is 0
  };
  /// A load whose value no instruction has needed yet.
  struct Load {
    std::uint64_t step = 0;  // 0: there is none
    std::uint64_t bytes = 0;
    Work before;
  };
  struct OfWarp {
    const Function* function = nullptr;
    std::uint64_t steps = 0;    // PTX instructions so far
    std::uint64_t loading = 0;  // bytes that the pieces of the instruction at hand load
    std::vector<Load> loads;    // by register of the function
    CopiesOnTheWay<Load> copies;
  };

  static Work work_of(const Warp& warp);
  void count_need(const Warp& warp, Load load);
  void copy(Warp& warp, const Inst* inst, Mask mask);

  std::vector<OfWarp> warps_;
  BytesByDistance bytes_{};
};

}  // namespace tessera::sim
