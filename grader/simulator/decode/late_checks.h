// Loads whose value may not matter. Compilers load an element that is surely there before they know
// whether the program reads it, and select or branch afterwards: `c > 20 ? s[20] : 0` becomes a
// load and a selp. The program reads the element where the selection takes it, or where a block
// uses it: races and reads of unwritten elements count there. What lies outside of its array is the
// program's own load. Selections and uses may stand in later blocks: compilers move loads out of
// branches and loops.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grader/simulator/decode/control_flow.h"
#include "grader/simulator/decode/register_uses.h"
#include "grader/simulator/ptx/ptx.h"

namespace tessera::sim {

/// A predicate register that must be true, or false where it is negated.
struct Literal {
  std::string_view predicate;  // of the function
  bool negated = false;
  std::size_t known_at = 0;  // index in ptx::Function::body: it has its value there

  bool operator==(const Literal&) const = default;
};

/// A condition: all of its literals.
using Conjunction = std::vector<Literal>;

/// An element of a load that the program reads where one of `when` holds; an empty one always does.
/// Who comes to the instruction `before` has executed the load, has met nobody since and has not
/// stored to that memory; all the predicates are known there. A load has one for each block that
/// looks at it.
struct LateCheck {
  std::size_t load = 0;     // index in ptx::Function::body
  std::size_t element = 0;  // of a vector
  std::size_t before = 0;   // index in ptx::Function::body
  std::vector<Conjunction> when;
};

/// Those of a function, by rising `before`. An element that this is not known of is read where it
/// is loaded.
std::vector<LateCheck> late_checks(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks, const RegisterUses& uses);

}  // namespace tessera::sim
