// The reference of an operation that a lab declares itself: its reference.cu, compiled and run one
// thread an element: on the simulator, or many elements on a GPU where one is there.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <variant>

#include "common/operation.h"
#include "grader/judge/run/case_context.h"

namespace tessera {

/// A reference.cu that does not come to its end, or does what a kernel must not do.
struct BrokenReference : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Compiles and loads the lab's reference.cu with the kernel that calls it behind it; an empty
/// pointer where the operation needs none. What is wrong with it is no fault of a submission:
/// infra.
std::variant<std::shared_ptr<const ReferenceProgram>, Refusal> build_reference(
    const Lab& lab, const GradeOptions& options);

/// What the output must be for `inputs`: from the host, or from the lab's reference.cu. Throws
/// BrokenReference; a GPU does not see a load out of bounds, so that is found where a case is small
/// enough for the simulator.
Reference reference_of(const CaseContext& context, std::span<const HostMatrix> inputs);

/// The same for some elements of the output alone, by their row-major indices: value[i] and
/// bound[i] are those of elements[i]. A lab's reference.cu then costs only these.
Reference reference_at(const CaseContext& context, std::span<const HostMatrix> inputs,
                       std::span<const std::int32_t> elements);

}  // namespace tessera
