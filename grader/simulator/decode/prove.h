// The final check of a decoded function: everything that its instructions name exists in the
// function. The interpreter relies on this and does not check it again.
#pragma once

#include <cstddef>
#include <vector>

#include "grader/simulator/exec/program.h"

namespace tessera::sim {

/// An instruction that reads the first `elements` entries of its list.
struct ListRead {
  std::size_t first = 0;  // index in Function::code
  std::size_t elements = 0;
};

/// What a function's instructions may name beside the function itself.
struct Surroundings {
  const std::vector<ListRead>& lists_read;
  std::size_t sites = 0;
};

/// Throws std::logic_error if an instruction has no handler, or names a register, constant,
/// predicate, list, target, site or pattern that does not exist.
void prove(const Function& function, const Surroundings& surroundings);

/// Throws std::logic_error if a call's callee does not exist, or its slots do not fit.
void prove_calls(const std::vector<Function>& functions);

}  // namespace tessera::sim
