// Loads whose value may not matter. Compilers load an element that surely exists before the program
// has decided whether it reads the element, and select or branch afterwards: `c > 20 ? s[20] : 0`
// becomes a load and a selp. The program reads the element if the selection takes it, or if a block
// uses it: races and reads of unwritten elements are checked there. An access outside of an array
// is always the program's own, and checked at the load. Selections and uses may stand in later
// blocks, as compilers move loads out of branches and loops.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grader/simulator/decode/control_flow.h"
#include "grader/simulator/decode/register_uses.h"
#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

/// A predicate register that must be true, or false if it is negated.
struct Literal {
  std::string_view predicate;  // of the function
  bool negated = false;
  std::size_t known_at = 0;  // index in ptx::Function::body from which it has its value
  /// The check comes before the comparison that gives it its value, which stands at known_at - 1;
  /// but the compared registers already hold what they will hold there.
  bool early = false;

  bool operator==(const Literal&) const = default;
};

/// A condition that holds if all of its literals hold.
using Conjunction = std::vector<Literal>;

/// An element of a load that the program reads if one of the conditions `when` holds (an empty
/// condition always holds). A thread that comes to the instruction `before` has executed the load,
/// and since then has met no other thread and stored nothing to that memory; all predicates that
/// are not `early` are known there. A load has one LateCheck for each block that checks it.
struct LateCheck {
  std::size_t load = 0;     // index in ptx::Function::body
  std::size_t element = 0;  // of a vector
  std::size_t before = 0;   // index in ptx::Function::body
  std::vector<Conjunction> when;
};

/// Returns the late checks of a function, by rising `before`. An element without one is read at its
/// load.
std::vector<LateCheck> late_checks(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks, const RegisterUses& uses);

}  // namespace tessera::sim
