// Time of a variant on a GPU; what the timed launches left is verified before any time is told.
#pragma once

#include <optional>
#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"
#include "grader/gpu/kernel.h"

namespace tessera {

/// The operands of one shape, for all variants.
struct ShapeData {
  int shape = 0;
  std::vector<OperandData> operands;
  std::vector<GpuBuffer> buffers;
};

Expected<ShapeData> make_shape(const Experiment& experiment, int shape,
                               const GradeOptions& options);

/// A variant as the GPU takes it; without a subject cuBLAS. The text says why it cannot be
/// launched.
std::variant<GpuWork, std::string> gpu_work(const Variant& variant, const Subject* subject,
                                            const ShapeData& data, const GradeOptions& options);

/// timed_values() of `work`, interleaved with `baseline` where there is one; "wrong" where what the
/// last timed launch left is.
std::vector<Value> time_variant(const Experiment& experiment, const GpuWork& work,
                                const std::optional<GpuWork>& baseline, const ShapeData& data,
                                const GradeOptions& options);

/// transfer_values() through the memory that the variant sets, else pageable; "wrong" where what
/// came back is.
std::vector<Value> transfer_variant(const Experiment& experiment, const Variant& variant,
                                    const GpuWork& work, const ShapeData& data,
                                    const GradeOptions& options);

}  // namespace tessera
