#include "grader/authoring/mutation/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/sha256.h"
#include "common/text.h"
#include "grader/authoring/mutation/mutation_operators.h"
#include "grader/compile/compiler.h"

namespace tessera {
namespace {

/// A text that is equal for sources with the same tokens.
std::string tokens_of(const Source& source) {
  std::string text;
  for (const Token& token : source.code()) text += token.text + '\n';
  return text;
}

std::string line_of(const std::string& source, int line) {
  const std::vector<std::string> lines = split_lines(source);
  return std::string(trimmed(lines.at(static_cast<std::size_t>(line) - 1)));
}

Mutations all_mutations(const KernelCode& code) {
  Mutations mutations;
  change_globals(code, mutations);
  for (const FunctionRange& function : code.functions()) {
    for (const auto operate :
         {drop_barriers, shift_indices, swap_indices, swap_differences, swap_names,
          change_comparisons, drop_sides, drop_conditions, change_bounds, change_initials,
          change_arithmetic, change_constants, shorten_arrays, change_launch}) {
      operate(code, function, mutations);
    }
  }
  std::ranges::stable_sort(mutations, {}, [](const Mutation& m) { return m.place; });
  return mutations;
}

std::string function_at(const KernelCode& code, std::size_t place) {
  for (const FunctionRange& function : code.functions()) {
    if (place > function.open && place < function.close) return function.name;
  }
  return "";
}

/// Gives ids, and numbers mutants whose lines read the same so that their ids differ.
class Names {
 public:
  std::string id(const std::string& function, const Mutant& mutant) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}", mutant.kind, function, tokens_of(Source(mutant.before)),
                    tokens_of(Source(mutant.after)));
    const std::string digest = sha256(fmt::format("{}\n{}", key, ++seen_[key]));
    return fmt::format("{}-{}", mutant.kind, digest.substr(0, 6));
  }

 private:
  std::map<std::string, int> seen_;
};

}  // namespace

const std::vector<MutationOperator>& mutation_operators() {
  static const std::vector<MutationOperator> kOperators = {
      {"barrier", "a `__syncthreads()` or `__syncwarp()` is left out"},
      {"index",
       "an index in `[]`, or in the `()` of a `Matrix` or its `view`, is one more or less"},
      {"swap",
       "two indices, or both sides of a minus, change places; a name becomes its counterpart: row "
       "and col, i and j, x and y, height and width, A and B, m, n and k"},
      {"guard",
       "`<` becomes `<=` and the like, `==` becomes `!=`; one side of `&&` or `||` is left out; a "
       "whole condition is"},
      {"bound",
       "a loop starts one later, ends one earlier or later, or takes steps of twice the size"},
      {"initial", "a variable starts as 1 instead of 0, or as one more"},
      {"arithmetic", "`+=` becomes `=` or `-=`; `*` becomes `+`, `+` becomes `-`, and the like"},
      {"constant", "a number is one more; a constant outside of functions is also halved"},
      {"array", "a declared array is one element, or one row, shorter"},
      {"launch",
       "a grid is one block smaller, axes change places, a block or its shared memory is halved, "
       "`ceil_div` rounds down"}};
  return kOperators;
}

std::vector<Mutant> make_mutants(const Source& source) {
  const KernelCode code(source);
  std::set<std::string> seen = {tokens_of(source)};
  Names names;
  std::vector<Mutant> mutants;
  for (const Mutation& mutation : all_mutations(code)) {
    Mutant mutant;
    mutant.source = edited(code.source(), mutation.edits);
    if (!seen.insert(tokens_of(Source(mutant.source))).second) continue;
    mutant.kind = mutation.kind;
    mutant.line = code[mutation.place].line;
    mutant.change = mutation.change;
    mutant.before = line_of(code.source(), mutant.line);
    mutant.after = line_of(mutant.source, mutant.line);
    mutant.id = names.id(function_at(code, mutation.place), mutant);
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

}  // namespace tessera
