// Arguments that are passed for nothing. A struct goes to a function by value with all of its
// members, those that the function never looks at among them: nobody reads these, so they may be
// unwritten.
#pragma once

#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

/// Sets ptx::Operand::unread of what the module's functions store into parameters of calls.
void mark_unread_parameters(ptx::Module& module);

}  // namespace tessera::sim
