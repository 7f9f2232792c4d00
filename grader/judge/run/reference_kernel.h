// The reference of an operation that a lab declares itself: its reference.cu, compiled and run with
// a thread for each element, on the simulator or, for many elements, on a GPU if there is one.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <variant>

#include "common/operation.h"
#include "grader/judge/run/case_context.h"

namespace tessera {

/// A reference.cu that does not complete, or makes a mistake that a kernel must not make.
struct BrokenReference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compiles and loads the lab's reference.cu, followed by the kernel that calls it; an empty
/// pointer if the operation needs none. A mistake in it is no fault of a submission: infra.
std::variant<std::shared_ptr<const ReferenceProgram>, Refusal> build_reference(
    const Lab& lab, const GradeOptions& options);

/// What the output must be for `inputs`: computed on the host, or by the lab's reference.cu. Throws
/// BrokenReference. A GPU does not notice a load out of bounds in it: that is found if a case is
/// small enough for the simulator.
Reference reference_of(const CaseContext& context, std::span<const HostMatrix> inputs);

/// The same for `elements` of the output alone, which are row-major indices: value[i] and bound[i]
/// are those of elements[i]. A lab's reference.cu computes no others.
Reference reference_at(const CaseContext& context, std::span<const HostMatrix> inputs,
                       std::span<const std::int32_t> elements);

}  // namespace tessera
