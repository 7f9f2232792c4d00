// Small edits of a reference kernel, each a mistake that a student could make. A lab's cases and
// requirements must distinguish it from the reference.
#pragma once

#include <string>
#include <vector>

#include "grader/compile/source.h"

namespace tessera {

struct Mutant {
  /// "guard-3f9a02": the operator, and a digest of the function, of the line before and after the
  /// edit, and of the number of equal edits before it. It stays the same while other lines change.
  std::string id;
  std::string kind;    // the operator: one of mutation_operators()
  int line = 0;        // 1-based, in the reference
  std::string change;  // "`<` became `<=`"
  std::string before;  // the line, without surrounding space
  std::string after;
  std::string source;  // the whole kernel file with the edit
};

struct MutationOperator {
  std::string name;
  std::string meaning;
};

/// All operators, in the order of the page that explains them.
const std::vector<MutationOperator>& mutation_operators();

/// The mutants of `source`, in source order; no two of them have the same tokens, and none has
/// those of the source. Only what students write is edited (between "// BEGIN SOLUTION" marks, or
/// everything if there are none), and the body of `launch`; never a comment or a directive. A
/// mutant need not compile.
std::vector<Mutant> make_mutants(const Source& source);

}  // namespace tessera
