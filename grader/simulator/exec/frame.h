// Frames of calls: the registers, parameters and local variables of running functions, and the
// memory that a worker spends on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/simulator/exec/program.h"

namespace tessera::sim {

inline constexpr std::uint64_t kMaxLocalBytes = 256 << 20;  // of a block's threads together
inline constexpr std::uint32_t kMaxCallDepth = 1024;
// A thread's stack where the driver cannot know how deep calls go (CUDA's default of
// cudaLimitStackSize).
inline constexpr std::uint64_t kRecursionBytes = 1024;

/// Registers and parameters of one call of a function, shared by the splits inside it.
struct Frame {
  const Function* function = nullptr;
  Frame* caller = nullptr;
  const Inst* call = nullptr;      // the call instruction in the caller
  std::vector<std::byte> storage;  // registers, 64-byte aligned inside
  std::byte* registers = nullptr;
  std::vector<Mask> predicates;
  std::vector<std::byte> parameters;  // parameter_bytes a lane, lane after lane
  std::uint64_t local_base = 0;       // of this call's .local variables in each thread's stack
  std::uint64_t saved_bytes = 0;  // at least, of each thread's stack: Function::least_frame_bytes
                                  // of all calls that wait for this one
  std::uint32_t depth = 0;

  /// Begins a call of `callee` by the instruction `at` of `from`; both are null for the kernel.
  /// Registers and parameters hold `poison`.
  void enter(const Function& callee, Frame* from, const Inst* at, std::uint32_t poison);
  /// Where the .local variables of a function that it calls begin.
  std::uint64_t local_base_of(const Function& callee) const;
  /// Bytes that the frame has taken, and those that it will at least take for a function.
  std::uint64_t bytes() const;
  static std::uint64_t bytes_of(const Function& callee);
  std::byte* parameter(unsigned lane, std::uint32_t offset) {
    return parameters.data() + std::size_t{lane} * function->parameter_bytes + offset;
  }
};

/// The frames of one worker: frames of calls, which later calls use again, and the frame of the
/// kernel in each warp, which the warp keeps.
class CallFrames {
 public:
  /// Limits the memory to this worker's share if one host thread has that many workers.
  void share_among(std::size_t workers);
  /// A frame that no call uses.
  Frame* take();
  void give(Frame* frame) { free_.push_back(frame); }
  /// Makes all frames free again, as a block begins.
  void give_all();
  /// Whether `frame` may grow to what `callee` needs.
  bool has_room(const Frame& frame, const Function& callee) const;
  /// Calls Frame::enter() for a frame that has_room().
  void enter(Frame& frame, const Function& callee, Frame* from, const Inst* at,
             std::uint32_t poison);

 private:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;  // of a host thread

  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<Frame*> free_;
  std::uint64_t bytes_ = 0;  // of `frames_` and of the kernel's frames
  std::uint64_t most_bytes_ = kMostBytes;
};

}  // namespace tessera::sim
