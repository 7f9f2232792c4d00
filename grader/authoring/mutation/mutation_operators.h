// The operators of make_mutants(): each finds the places of a kind of mistake.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/authoring/mutation/kernel_code.h"

namespace tessera {

struct Mutation {
  std::string kind;
  std::size_t place = 0;  // the lexeme whose line is reported
  std::vector<Edit> edits;
  std::string change;
};

using Mutations = std::vector<Mutation>;

/// barrier: a __syncthreads() or __syncwarp() is left out.
void drop_barriers(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// index: an index in [] or in a Matrix's () is one more, or one less.
void shift_indices(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// swap: two indices, both sides of a minus, or a name and its counterpart (row and col, A and B).
void swap_indices(const KernelCode& code, const FunctionRange& function, Mutations& mutations);
void swap_differences(const KernelCode& code, const FunctionRange& function, Mutations& mutations);
void swap_names(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// guard: a comparison lets one more or one less through, or a side of && or || or a whole
/// condition is left out.
void change_comparisons(const KernelCode& code, const FunctionRange& function,
                        Mutations& mutations);
void drop_sides(const KernelCode& code, const FunctionRange& function, Mutations& mutations);
void drop_conditions(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// bound: a loop starts one later, ends one earlier or later, or takes steps of twice the size.
void change_bounds(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// initial: a variable starts with another number.
void change_initials(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// arithmetic: += becomes = or -=, * becomes +, and the like.
void change_arithmetic(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// constant: a number is one more; array: a declared array is one shorter.
void change_constants(const KernelCode& code, const FunctionRange& function, Mutations& mutations);
void shorten_arrays(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

/// constant: a constexpr number outside of functions is halved, or one more.
void change_globals(const KernelCode& code, Mutations& mutations);

/// launch: a grid one block smaller, axes swapped, a block or its shared memory halved, a division
/// that rounds down.
void change_launch(const KernelCode& code, const FunctionRange& function, Mutations& mutations);

}  // namespace tessera
