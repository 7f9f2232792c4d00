// A lab's kernel as the GPU backend takes it.
#pragma once

#include <string>
#include <vector>

#include "grader/gpu/kernel.h"
#include "grader/gpu/run.h"
#include "grader/judge/run/case_data.h"

namespace tessera {

/// Buffers in the order of the operands.
std::vector<GpuBuffer> gpu_buffers(const std::vector<OperandData>& operands);

/// The kernel with its arguments; buffers are those of gpu_buffers().
GpuKernel gpu_kernel(const CaseContext& context, const LaunchShape& shape,
                     const std::vector<OperandData>& operands);

/// What a launch that ended so makes of its item.
Status status_of(GpuStatus status);

}  // namespace tessera
