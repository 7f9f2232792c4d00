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

/// One kernel of a module, as its declaration tells.
struct KernelInfo {
  std::string entry;  // name in PTX: "_Z6matmul6MatrixIKfES1_S_IfE"
  std::string name;   // "matmul"
  std::string
      signature;  // demangled: "matmul(Matrix<float const>, ...)"; equal to name for extern "C"
  std::vector<std::uint32_t> parameter_bytes;  // size of each parameter
  std::uint64_t static_shared_bytes = 0;
  /// Its threads may talk to each other without barriers (atomics, volatile accesses): what they do
  /// may depend on which of them runs first.
  bool talks = false;
  /// Some of these read: the lanes of a warp may talk too.
  bool loads_talk = false;
  /// Blocks may talk to each other.
  bool blocks_talk = false;
  LaunchBounds bounds;
};

/// Parses and decodes PTX text. An instruction that PTX has and the simulator does not know is no
/// error here: it becomes the finding unsupported-instruction when it is reached.
Expected<std::shared_ptr<const Module>, LoadError> load_module(std::string_view ptx);

std::vector<KernelInfo> kernels(const Module& module);

/// One kernel argument: the bytes as the kernel's parameter holds them.
using Argument = std::vector<std::byte>;

/// An order beside the usual one in which a kernel that talks must be right. `instead` is for a
/// launch that does not end in it: a block may wait for lower ones, which come later by falling
/// number.
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
  int registers_per_thread = 0;  // of the machine code; 0: not known, and taken not to limit
  std::string source_file = "kernel.cu";     // findings are told in this file's lines
  std::map<std::string, ArrayShape> arrays;  // as the source declares them, for messages
  /// Lines with a `return;`, and for each the line where its condition begins. PTX does not tell a
  /// thread that returned early before a barrier (a warning) from one whose condition went around
  /// it (an error).
  std::optional<std::map<int, int>> return_lines;
  /// Lines on which each name is used. Where the compiler made one access of several lines', they
  /// tell which of them names the variable.
  std::map<std::string, std::set<int>> name_lines;
  std::uint64_t step_limit = 0;  // warp instructions that one warp may execute; 0: no limit
  /// Of all warps together, other work (printing, filling a block's memory) counted as the
  /// instructions that take as long; 0: no limit. What bounds a launch's processor time.
  std::uint64_t launch_step_limit = 0;
  /// Adds `results_through_shared` to the metrics of a launch that completes: percent of the
  /// results of a few blocks whose elements of the inputs came to them through shared memory
  /// (shared_flow.h). These blocks run four times more. The value is how many threads must load a
  /// word for it to be shared: 1 or 2. With it comes `global_load_repeated_bytes`.
  std::optional<std::uint32_t> shared_readers;
  Turns turns = Turns::usual;
  /// Launches before this one, with the same inputs: what they leave in the module's variables is
  /// there.
  std::uint32_t launches_before = 0;
  /// What words hold that were never written: registers, local and shared memory. As a float it
  /// should be a NaN; where it is drawn, no kernel can reckon with it.
  std::uint32_t poison = kPoison;
  /// Turns, delays and which blocks are followed are drawn from this number, which the kernel must
  /// not know.
  std::uint64_t key = 0;
  /// What a kernel can read (the clock, %gridid, %smid, %warpid, a carry that was never set) is
  /// drawn from this number, from which it must not be able to compute `key` or what its input is.
  std::uint64_t readable_key = 0;
  /// Turns::drawn: in each block, from its start and from each barrier on, one warp gets no turn
  /// until all others wait or one of them has run so many instructions. No delay that is shorter
  /// takes the place of waiting for that warp.
  std::uint64_t hold = 0;
  int host_threads = 0;                  // 0: what OpenMP offers
  std::uint64_t output_limit = 1 << 16;  // bytes of device printf kept, of the lowest blocks first
};

/// RunRequest::hold by the most instructions that a warp takes otherwise: longer than any wait that
/// does not look at what it waits for.
constexpr std::uint64_t hold_beyond(std::uint64_t longest_warp) {
  return 2 * longest_warp;
}

enum class RunStatus {
  completed,
  not_launched,  // bad-launch
  stopped,       // trap, step limit, deadlock
  unsupported,   // the simulator's own limit
};

struct RunResult {
  RunStatus status = RunStatus::completed;
  std::vector<Finding> findings;  // ordered by what to repair first
  Metrics metrics;                // of a launch; ratios are absent if there was no request
  std::vector<LineAccess> lines;  // by line; loads before stores, global before shared memory
  std::string output;             // device printf, in the order of blocks
  bool output_cut = false;        // more was printed
  std::uint64_t prints = 0;       // calls of printf, one a thread
  /// Instructions of the warp that had most, in blocks that came to their end: what a step limit
  /// counts.
  std::uint64_t longest_warp = 0;
  /// Work of all warps, also of a run that was stopped: what launch_step_limit counts.
  std::uint64_t launch_steps = 0;
  /// Variables of the module do not hold what they were declared with: the next launch finds that.
  bool changed_variables = false;
  ExtraOrder extra_order;
};

/// Runs one launch. Results, findings and counters do not depend on the number of host threads.
/// Throws std::invalid_argument for an unknown entry or arguments of the wrong count or size.
RunResult run(const Module& module, const RunRequest& request);

/// Runs a few blocks of the launch, which follow from the request's key, and scales what they did
/// up to all of it: milliseconds where all blocks would take seconds. Checks nothing that run()
/// checks, and leaves memory as those blocks leave it; nullopt where run() would not launch, or one
/// of them stops. Throws as run() does.
std::optional<LaunchCounters> sample_launch(const Module& module, const RunRequest& request);

/// The findings (bad-launch) that this launch would get from `device`: empty grid or block, over a
/// limit, not allowed by the kernel's declaration, too many registers, too much shared memory.
std::vector<Finding> check_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                  const DeviceProfile& device);

}  // namespace tessera
