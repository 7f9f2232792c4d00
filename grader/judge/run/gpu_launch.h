// A lab's kernel as the GPU backend takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/gpu/kernel.h"
#include "grader/gpu/run.h"
#include "grader/gpu/timing.h"
#include "grader/judge/run/case_data.h"

namespace tessera {

/// The buffers of the operands, in their order.
std::vector<GpuBuffer> gpu_buffers(const std::vector<OperandData>& operands);

/// The program's kernel with its arguments, whose pointers refer to the buffers of gpu_buffers().
GpuKernel gpu_kernel(const CaseContext& context, const LaunchShape& shape,
                     const std::vector<OperandData>& operands);

/// The inputs of timed launches, of one after the other in the same memory: where matrices are
/// large, new memory takes longer than what is done with it.
class TimedInputs {
 public:
  TimedInputs(const TimingRequest& request, const std::vector<OperandData>& operands);

  /// The inputs before the launch with `salt`; valid until the next call.
  const std::vector<HostMatrix>& before(std::uint64_t salt);

 private:
  const TimingRequest& request_;
  std::vector<HostMatrix> inputs_;
  std::vector<std::byte> contents_;
};

/// The status of an item whose launch ended in this way.
Status status_of(GpuStatus status);

}  // namespace tessera
