// A lab's kernel as the GPU backend takes it.
#pragma once

#include <string>
#include <vector>

#include "grader/gpu/kernel.h"
#include "grader/gpu/run.h"
#include "grader/judge/run/case_data.h"

namespace tessera {

/// The buffers of the operands, in their order.
std::vector<GpuBuffer> gpu_buffers(const std::vector<OperandData>& operands);

/// The program's kernel with its arguments, whose pointers refer to the buffers of gpu_buffers().
GpuKernel gpu_kernel(const CaseContext& context, const LaunchShape& shape,
                     const std::vector<OperandData>& operands);

/// The status of an item whose launch ended in this way.
Status status_of(GpuStatus status);

}  // namespace tessera
