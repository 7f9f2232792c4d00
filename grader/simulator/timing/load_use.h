// Measures how long values from global memory travel while their warp does other work.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

/// Follows one block, and counts the instructions that a warp executes between a load from global
/// memory and the first instruction that needs its value. To copy the value to another register is
/// no need of it.
class LoadUse : public Watcher {
 public:
  LoadUse(std::uint64_t block, Dim3 threads);

  void step(Warp& warp, const Inst* inst, Mask mask) override;

  std::uint64_t loads() const { return loads_; }  // of a warp, those whose values were needed
  std::uint64_t instructions_between() const { return between_; }  // for all these loads together

 private:
  struct OfWarp {
    const Function* function = nullptr;
    std::uint64_t steps = 0;  // PTX instructions so far
    /// By register of the function: the step that loaded the value that it holds. 0: it holds no
    /// such value, or the value has been needed since.
    std::vector<std::uint64_t> loaded_at;
  };

  std::vector<OfWarp> warps_;
  std::uint64_t loads_ = 0;
  std::uint64_t between_ = 0;
};

}  // namespace tessera::sim
