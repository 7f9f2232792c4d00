// Arguments that the called function does not read. A struct is passed by value with all of its
// members. Members that the function never reads may be unwritten.
#pragma once

#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

/// Sets ptx::Operand::unread of values that the module's functions store into such parameters of
/// calls.
void mark_unread_parameters(ptx::Module& module);

}  // namespace tessera::sim
