// What a sampled block costs: instructions by class, passes of the memory pipes, sectors, and how
// long its threads wait for each other's results. Used by sample_launch() alone; a normal run knows
// nothing of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/simulator/exec/exec.h"
#include "grader/simulator/exec/program.h"
#include "grader/simulator/timing/launch_counters.h"

namespace tessera::sim {

// Latencies in cycles, rounded from what microbenchmarks of Volta to Hopper find; that of L2 is
// fitted: 270 on an idle card, more under load.
inline constexpr double kArithmeticLatency = 4;
inline constexpr double kDoubleLatency = 8;
inline constexpr double kSpecialLatency = 20;
inline constexpr double kSharedLatency = 30;
inline constexpr double kL1Latency = 35;
inline constexpr double kL2Latency = 500;
inline constexpr double kDramLatency = 800;
inline constexpr double kBarrierLatency = 30;

/// Sectors of global memory that were touched: a bit each, by allocation.
class SectorSet {
 public:
  /// True where the sector had not been touched.
  bool insert(const Allocation& allocation, std::uint64_t address);
  std::uint64_t count() const { return count_; }
  /// How many sectors are in all of them.
  static std::uint64_t common(const std::vector<const SectorSet*>& footprints);

 private:
  struct Touched {
    const Allocation* allocation = nullptr;
    std::vector<std::uint64_t> bits;
  };
  std::vector<Touched> touched_;  // a handful: buffers that a kernel loads, or stores
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
  bool barriers = false;
  WaitCycles wait;
  SectorSet loaded;
  SectorSet stored;
};

/// Watches a block run, instruction by instruction. Inside a basic block instructions start as soon
/// as their operands are there, as ptxas orders them; a basic block starts when all instructions of
/// the one before have started.
class Stopwatch : public Watcher {
 public:
  void start_block(std::uint64_t index, Dim3 threads);
  void step(Warp& warp, const Inst* inst, Mask mask) override;
  BlockSample finish_block();

 private:
  static constexpr std::size_t kScenarios = 2;  // first loads come from L2, from DRAM
  using Times = std::array<double, kScenarios>;

  struct Clock {
    const Function* function = nullptr;
    Times start{};             // of the basic block
    Times end{};               // when its last instruction so far started
    std::vector<Times> ready;  // by register of the function
    std::size_t phase = 0;     // barriers so far
    bool waiting = false;      // at the last of them
  };

  void pass_barrier(Clock& clock);
  Times access(Warp& warp, const Inst* inst, Mask mask, const InstTiming& timing);
  Times global_access(Warp& warp, const std::array<std::uint64_t, kLanes>& address, Mask mask,
                      const InstTiming& timing);

  BlockSample sample_;
  std::vector<Clock> clocks_;
  std::vector<Times> phase_end_;
};

/// Wavefronts of shared memory for one request: a pass for each group of lanes that are served
/// together (32 of 4 bytes, 16 of 8, 8 of 16), more where lanes want different words of one bank;
/// two groups that together touch no bank twice share a pass. Measured on an H200.
unsigned shared_passes(const std::array<std::uint64_t, kLanes>& address, Mask mask, unsigned width);

/// Class, operands and merged loads of every instruction. `addresses` are those of the module's
/// symbols, each in its own space.
FunctionTiming timing_of(const ptx::Function& source, const Function& function,
                         const std::map<std::string, std::uint64_t>& addresses);

}  // namespace tessera::sim
