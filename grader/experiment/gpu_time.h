// The time of a variant on a GPU; the output of the timed launches is verified first.
#pragma once

#include <optional>
#include <vector>

#include "grader/experiment/subject.h"
#include "grader/experiment/value.h"
#include "grader/gpu/kernel.h"

namespace tessera {

/// The operands at a shape, for all variants.
struct ShapeData {
  int shape = 0;
  std::vector<OperandData> operands;
  std::vector<GpuBuffer> buffers;
};

Expected<ShapeData> make_shape(const Experiment& experiment, int shape,
                               const GradeOptions& options);

/// The variant as work for the GPU, which is cuBLAS without a subject; or a text that says why it
/// cannot be launched.
std::variant<GpuWork, std::string> gpu_work(const Variant& variant, const Subject* subject,
                                            const ShapeData& data, const GradeOptions& options);

/// timed_values() of `work`, interleaved with `baseline` if there is one; "wrong" if the output of
/// a timed launch, drawn at random, is wrong.
std::vector<Value> time_variant(const Experiment& experiment, const GpuWork& work,
                                const std::optional<GpuWork>& baseline, const ShapeData& data,
                                const GradeOptions& options);

/// transfer_values() through the memory that the variant sets, else pageable memory; "wrong" if the
/// output that came back is wrong.
std::vector<Value> transfer_variant(const Experiment& experiment, const Variant& variant,
                                    const GpuWork& work, const ShapeData& data,
                                    const GradeOptions& options);

}  // namespace tessera
