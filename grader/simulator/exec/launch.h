// What all workers of a launch share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "common/device_profile.h"
#include "common/launch.h"
#include "grader/simulator/check/memory.h"
#include "grader/simulator/exec/program.h"
#include "grader/simulator/exec/turns.h"

namespace tessera::sim {

// Warp instructions after which lanes that are parked at a join go on alone: the other lanes may be
// in a loop that waits for a lock which the parked lanes hold. Each time this happens the block
// becomes less patient. See Launch::patience().
inline constexpr std::uint64_t kPatience = 1 << 17;
inline constexpr std::uint64_t kLeastPatience = 1 << 10;

/// The launch that workers run. All but its atomic members is constant while it runs.
struct Launch {
  const Module* module = nullptr;
  const Function* kernel = nullptr;
  LaunchShape shape;
  LaunchBounds bounds;
  const DeviceProfile* device = nullptr;
  DeviceMemory* memory = nullptr;
  std::vector<std::byte> arguments;  // the kernel's parameter bytes
  std::uint64_t shared_low = 0;      // addresses of shared memory in use
  std::uint64_t shared_high = 0;
  std::vector<SharedVariable> shared;  // by rising address; the dynamic variable has its size
  std::uint64_t static_shared_bytes = 0;
  bool fences = false;
  bool meetings = false;  // threads meet at mbarriers or named barriers
  bool flags = false;     // fences and flags may order accesses of two blocks
  bool products = false;
  bool async_products = false;
  /// The last read of each thread is kept, as flags or meetings of a part of a warp may order some
  /// threads and not others.
  bool keeps_readers = false;
  bool cache_lines = false;  // RunRequest::cache_lines
  Turns turns = Turns::usual;
  std::uint32_t poison = kPoison;
  std::uint64_t key = 0;                             // RunRequest::key
  std::uint64_t readable_key = 0;                    // RunRequest::readable_key
  std::uint64_t hold = 0;                            // RunRequest::hold
  std::span<const std::uint32_t> functions;          // KernelUse::functions
  const std::map<int, int>* return_lines = nullptr;  // nullptr: not known
  unsigned global_granule = 4;                       // bytes
  std::uint64_t step_limit = 0;
  std::uint64_t launch_step_limit = 0;
  std::uint64_t output_limit = 0;
  mutable std::atomic<std::uint64_t> spent{0};  // steps and charges of all warps so far
  mutable std::atomic<bool> clash{false};       // two threads wrote one word of global memory
  mutable std::atomic<bool> parted{false};      // a part of a warp met

  /// How many warp instructions parked lanes wait: patience() at first, least_patience() at least.
  /// Both are smaller under a step limit, so that a lock can pass through all threads before the
  /// limit.
  std::uint64_t patience() const {
    return step_limit == 0 ? kPatience : std::min(kPatience, step_limit / 4);
  }
  std::uint64_t least_patience() const {
    constexpr std::uint64_t kThreads = 1024;
    return step_limit == 0 ? kLeastPatience
                           : std::clamp(step_limit / kThreads, kLeastPatience / 16, kLeastPatience);
  }

  /// The shared variable that begins last at or before `address`; nullptr if there is none.
  const SharedVariable* shared_before(std::uint64_t address) const {
    const auto next = std::ranges::upper_bound(shared, address, {}, &SharedVariable::address);
    return next == shared.begin() ? nullptr : &*std::prev(next);
  }
};

}  // namespace tessera::sim
