// The last look at a decoded function: that nothing which its instructions name lies outside of
// what it has. The interpreter relies on it and checks none of it again.
#pragma once

#include <cstddef>
#include <vector>

#include "grader/simulator/exec/program.h"

namespace tessera::sim {

/// An instruction that reads the first `elements` of its list.
struct ListRead {
  std::size_t first = 0;  // index in Function::code
  std::size_t elements = 0;
};

/// What a function's instructions may name beside the function itself.
struct Surroundings {
  const std::vector<ListRead>& lists_read;
  std::size_t sites = 0;
};

/// Throws std::logic_error where an instruction has no handler, or names a register, constant,
/// predicate, list, target, site or pattern that does not exist.
void prove(const Function& function, const Surroundings& surroundings);

/// The same for what crosses functions: callees, and that their slots fit.
void prove_calls(const std::vector<Function>& functions);

}  // namespace tessera::sim
