// Measures a sampled block: instructions by class, passes of the memory pipes, sectors, and how
// long its threads wait for results. Only sample_launch() uses it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/exec/program.h"
#include "grader/simulator/timing/copies_on_the_way.h"
#include "grader/simulator/timing/launch_counters.h"

namespace tessera::sim {

// Latencies in cycles, rounded from published microbenchmarks of Volta to Hopper. The latency of L2
// is fitted: 270 on an idle card, more under load.
inline constexpr double kArithmeticLatency = 4;
inline constexpr double kDoubleLatency = 8;
inline constexpr double kSpecialLatency = 20;
inline constexpr double kSharedLatency = 30;
inline constexpr double kL1Latency = 35;
inline constexpr double kL2Latency = 500;
inline constexpr double kDramLatency = 800;
inline constexpr double kBarrierLatency = 30;
inline constexpr double kTensorLatency = 33;

/// Passes of constant memory for each address that the lanes of a warp read, measured on an H200.
inline constexpr std::uint64_t kConstantPasses = 2;

/// The sectors of global memory that were touched: one bit each, by allocation.
class SectorSet {
 public:
  /// Returns true if the sector had not been touched before.
  bool insert(const Allocation& allocation, std::uint64_t address);
  bool contains(const Allocation& allocation, std::uint64_t address) const;
  std::uint64_t count() const { return count_; }
  /// Returns how many sectors are in all of the sets.
  static std::uint64_t common(const std::vector<const SectorSet*>& footprints);

 private:
  struct Touched {
    std::uint64_t allocation = 0;  // its address: a freed one may be gone
    std::vector<std::uint64_t> bits;
  };
  std::vector<Touched> touched_;  // one for each buffer that was touched; there are few
  std::uint64_t count_ = 0;

  std::vector<std::uint64_t>& bits_of(const Allocation& allocation);
};

/// What one block did.
struct BlockSample {
  std::uint64_t block = 0;
  std::array<std::uint64_t, kInstructionClasses> instructions{};
  std::uint64_t global_lines = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t stored_sectors = 0;
  std::uint64_t tensor_work = 0;  // this and the next two mean the same as in LaunchCounters
  std::uint64_t async_tensor_work = 0;
  std::uint64_t copied_sectors = 0;
  bool barriers = false;
  bool untimed = false;  // has executed an instruction whose time is not known
  /// It reads what another block may have written: an element of a result that it has not written
  /// itself, a variable of the module that is not constant, or the heap. It may do other work when
  /// all blocks of the launch run than when only the sampled blocks do.
  bool depends_on_others = false;
  WaitCycles wait;
  SectorSet loaded;
  SectorSet stored;
};

/// Follows a block's run, instruction by instruction. Inside a basic block an instruction starts as
/// soon as its operands are ready, because ptxas reorders instructions; a basic block starts when
/// all instructions of the basic block before it have started.
class Stopwatch : public Watcher {
 public:
  Stopwatch(std::uint64_t block, Dim3 threads);

  void step(Warp& warp, const Inst* inst, Mask mask) override;
  void lane_arrives(Warp& warp, std::uint64_t phase) override;
  void copies_arrive(Warp& warp, std::uint32_t begun, std::uint64_t phase) override;
  void wait_ends(Warp& warp, std::uint64_t phase) override;
  bool measures_time() const override { return true; }

  /// What the block did, once it has ended; to be called once.
  BlockSample take_sample();

 private:
  /// Two times: [0] if the first load of each sector comes from L2, [1] if it comes from DRAM.
  using Times = double __attribute__((vector_size(2 * sizeof(double))));
  static Times later(const Times& a, const Times& b) { return a > b ? a : b; }

  struct Clock {
    const Function* function = nullptr;
    Times start{};                 // of the basic block
    Times end{};                   // when the last of its instructions so far started
    std::vector<Times> ready;      // by register of the function
    std::size_t phase = 0;         // barriers so far
    bool waiting = false;          // at the last barrier
    Times pieces{};                // the longest latency of the pieces of an instruction so far
    CopiesOnTheWay<Times> copies;  // when each of them arrives
  };

  std::uint64_t& count(InstructionClass kind) {
    return sample_.instructions[static_cast<std::size_t>(kind)];
  }
  void add_sequence(const ptx::Sequence& sequence);
  void pass_barrier(Clock& clock);
  /// Follows an instruction of asynchronous copies. Only a wait for copies holds the warp up.
  void copy(Clock& clock, Warp& warp, const Inst* inst, Mask mask);
  /// Adds one Inst of a PTX instruction that is decoded into several, as a product of matrices is.
  void add_piece(Clock& clock, Warp& warp, const Inst* inst, Mask mask, const InstTiming& timing);
  Times access(Warp& warp, const Inst* inst, Mask mask, const InstTiming& timing);
  Times global_access(Warp& warp, const Inst* inst,
                      const std::array<std::uint64_t, kLanes>& address, Mask mask,
                      const InstTiming& timing);
  /// Whether the block reads there what another block may have written.
  bool reads_from_others(const Allocation& allocation, std::uint64_t sector,
                         const InstTiming& timing) const;

  BlockSample sample_;
  std::vector<Clock> clocks_;
  std::vector<Times> phase_end_;
  std::map<std::uint64_t, Times> arrived_;  // by phase of an mbarrier: the last arrival so far
};

/// What is known of the PTX instruction of an Inst that a warp is about to run.
struct KnownTiming {
  const InstTiming* timing = nullptr;  // nullptr if nothing is known of the function
  bool last = false;                   // it is the last Inst of the PTX instruction
};
KnownTiming known_timing(const Function& function, const Inst* inst);

/// Returns the wavefronts of shared memory for one request: one for each group of lanes that are
/// served together (32 of 4 bytes, 16 of 8, 8 of 16), and more if lanes access different words of
/// one bank. Two groups that together access no bank twice share a wavefront. Measured on an H200.
unsigned shared_passes(const std::array<std::uint64_t, kLanes>& address, Mask mask, unsigned width);

/// Returns the class, operands and merged loads of every instruction. `addresses` maps each symbol
/// of the module to its address in the state space (shared, constant, global) to which it belongs.
FunctionTiming timing_of(const ptx::Function& source, const Function& function,
                         const std::map<std::string, std::uint64_t>& addresses);

}  // namespace tessera::sim
