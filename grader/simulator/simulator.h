// The PTX simulator: runs a kernel on the CPU, warp by warp, checks every access and counts what
// the hardware counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/array_shape.h"
#include "common/device_profile.h"
#include "common/expected.h"
#include "common/finding.h"
#include "common/launch_limits.h"
#include "common/line_profile.h"
#include "common/metric.h"
#include "grader/simulator/check/extra_order.h"
#include "grader/simulator/check/memory.h"
#include "grader/simulator/exec/turns.h"
#include "grader/simulator/ptx/load_error.h"
#include "grader/simulator/timing/launch_counters.h"

namespace tessera {

/// Parsed PTX, ready to run; immutable, may be shared by threads.
class Module;

/// What the PTX says of one kernel.
struct KernelInfo {
  std::string entry;  // name in PTX: "_Z6matmul6MatrixIKfES1_S_IfE"
  std::string name;   // "matmul"
  std::string
      signature;  // demangled: "matmul(Matrix<float const>, ...)"; equal to name for extern "C"
  std::vector<std::uint32_t> parameter_bytes;  // size of each parameter
  std::uint64_t static_shared_bytes = 0;
  /// Its threads may communicate without barriers (by atomics or volatile accesses), so what they
  /// do may depend on which thread runs first.
  bool talks = false;
  /// Some of these accesses read, so the lanes of a warp may communicate too.
  bool loads_talk = false;
  /// Its blocks may communicate.
  bool blocks_talk = false;
  /// How many threads meet at its barriers, where the code says so (bar.sync 1, 64); 0: not known
  /// before it runs, or some threads only arrive there.
  std::vector<std::uint32_t> barrier_threads;
  LaunchBounds bounds;

  /// Whether what a launch does may depend on which thread runs first: its threads communicate, or
  /// a part of a block meets at a barrier.
  bool order_matters(const LaunchShape& shape) const;
};

/// Parses and decodes PTX text. A valid instruction that the simulator does not support is no error
/// here: it becomes the finding unsupported-instruction when a thread reaches it.
Expected<std::shared_ptr<const Module>, LoadError> load_module(std::string_view ptx);

std::vector<KernelInfo> kernels(const Module& module);

/// One kernel argument: the bytes as the kernel's parameter holds them.
using Argument = std::vector<std::byte>;

/// A second order in which a kernel whose threads communicate must give the right result. `instead`
/// is the order for a launch that does not end with `turns`: a block may wait for blocks with lower
/// numbers, which run later in falling order.
struct OtherOrder {
  Turns turns;
  std::optional<Turns> instead;
};
inline constexpr OtherOrder kOtherOrders[] = {{Turns::falling, Turns::falling_warps},
                                              {Turns::single, std::nullopt},
                                              {Turns::drawn, std::nullopt}};

/// One launch, as data.
struct RunRequest {
  std::string entry;  // KernelInfo::entry
  LaunchShape shape;
  std::vector<Argument> arguments;  // sizes must be those of KernelInfo::parameter_bytes
  DeviceMemory* memory = nullptr;   // outlives the run; the module's own globals are added for the
                                    // run and removed after
  DeviceProfile device;
  int registers_per_thread = 0;              // in the machine code; 0: not known, and no limit
  std::string source_file = "kernel.cu";     // findings name lines of this file
  std::map<std::string, ArrayShape> arrays;  // as the source declares them, for messages
  /// Lines with a `return;`, each with the line where its condition begins. PTX does not show
  /// whether a thread returned before a barrier (a warning) or a condition led it around the
  /// barrier (an error).
  std::optional<std::map<int, int>> return_lines;
  /// Lines on which each name is used. If the compiler merged the accesses of several lines into
  /// one, they show which of the lines use the variable.
  std::map<std::string, std::set<int>> name_lines;
  std::uint64_t step_limit = 0;  // warp instructions that one warp may execute; 0: no limit
  /// Steps that all warps together may take; 0: no limit. Other work (printing, filling a block's
  /// memory) counts as the instructions that take as long, so this bounds a launch's processor
  /// time.
  std::uint64_t launch_step_limit = 0;
  /// Adds `global_load_repeated_bytes` to the metrics, and if the launch completes
  /// `results_through_shared`: the percentage of a few blocks' results whose input elements came
  /// through shared memory (shared_flow.h). These blocks run four more times. The value is how many
  /// threads must load a word for it to count as shared: 1 or 2.
  std::optional<std::uint32_t> shared_readers;
  bool cache_lines = false;  // adds the counters of cache lines to the metrics
  /// If the launch completes, adds `load_use_distance` to the metrics (load_use.h), of a few blocks
  /// that run once more. It is 0 if these load nothing that they need, or stop.
  bool load_use = false;
  Turns turns = Turns::usual;
  /// How many launches run before this one. The first one's inputs hold elements of the inputs in
  /// other places, some twice. The module's variables keep what these launches store.
  std::uint32_t launches_before = 0;
  /// What registers and words of local and shared memory hold before they are written. As a float
  /// it should be a NaN. If the caller draws it at random, no kernel can rely on it.
  std::uint32_t poison = kPoison;
  /// The seed for turns, delays and the choice of followed blocks. The kernel must not know it.
  std::uint64_t key = 0;
  /// The seed for what a kernel can read: the clock, %gridid, %smid, %warpid, a carry that was
  /// never set. The kernel must not be able to compute `key` or its input from it.
  std::uint64_t readable_key = 0;
  /// For Turns::drawn: from the start of a block and from each barrier on, one warp gets no turn
  /// until all other warps wait, or one of them has run this many instructions. A kernel that only
  /// delays for less time, and does not wait for that warp, is found out.
  std::uint64_t hold = 0;
  int host_threads = 0;                  // 0: OpenMP's default
  std::uint64_t output_limit = 1 << 16;  // bytes of device printf to keep, the lowest blocks' first
};

enum class RunStatus {
  completed,
  not_launched,  // bad-launch
  stopped,       // trap, step limit, deadlock
  unsupported,   // the simulator's own limit
};

struct RunResult {
  RunStatus status = RunStatus::completed;
  std::vector<Finding> findings;  // in the order in which to repair them
  Metrics metrics;                // of a launch; ratios are absent if there was no request
  std::vector<LineAccess> lines;  // by line; loads before stores, global before shared memory
  std::string output;             // device printf, in the order of blocks
  bool output_cut = false;        // the kernel printed more
  std::uint64_t prints = 0;       // calls of printf, counted by thread
  /// Steps of all warps, of a stopped run too: what launch_step_limit counts.
  std::uint64_t launch_steps = 0;
  /// The launch changed variables of the module, and the next launch would see that.
  bool changed_variables = false;
  /// A launch before this one stopped, on its other inputs: this one did not run.
  bool stopped_before = false;
  ExtraOrder extra_order;
};

/// The most instructions that one warp executed, in blocks that ended: what step_limit counts.
std::uint64_t longest_warp(const RunResult& result);

/// Returns the RunRequest::hold for a kernel whose longest warp runs `longest_warp` instructions in
/// the usual order: longer than any delay that does not check what it waits for.
constexpr std::uint64_t hold_beyond(std::uint64_t longest_warp) {
  return 2 * longest_warp;
}

/// Runs one launch. Results, findings and counters do not depend on the number of host threads.
/// Throws std::invalid_argument for an unknown entry or arguments of the wrong count or size.
RunResult run(const Module& module, const RunRequest& request);

/// Runs a few blocks, chosen by the request's key, and returns their counters scaled up to the
/// whole launch. This takes milliseconds where all blocks would take seconds. It makes none of
/// run()'s checks and leaves memory as those blocks leave it. Returns nullopt if run() would not
/// launch, or if one of the blocks stops, makes a mistake, executes an instruction whose time is
/// not known, or may depend on other blocks. Throws as run() does.
std::optional<LaunchCounters> sample_launch(const Module& module, const RunRequest& request);

}  // namespace tessera
