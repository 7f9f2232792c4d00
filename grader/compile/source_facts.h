// What PTX does not keep of a source: names of parameters, lines of returns and of names, what does
// nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/source.h"

namespace tessera {

/// The names of the parameters of the __global__ function `kernel`, in order; "" for one without a
/// name. Of overloads the first with `count` parameters. Empty where there is none.
std::vector<std::string> parameter_names(const Source& source, std::string_view kernel,
                                         std::size_t count);

/// How a function is declared.
struct FunctionFacts {
  int line = 0;              // of its name; 0: it is not there
  bool is_global = false;    // __global__ stands before it
  bool is_template = false;  // or a member of one
  bool is_nested = false;    // in a namespace or class
};

/// Of the first kernel called `name`; else of the first function that returns nothing.
FunctionFacts function_facts(const Source& source, std::string_view name);

/// The lines with a `return;`, where a thread may end (a value goes to a caller), or with a macro
/// that holds one, and for each the first line of the condition that it stands under:
/// `if (i >= n) return;`. Its own line where it stands under none. A condition that holds nothing
/// but another one belongs to it.
std::map<int, int> return_lines(const Source& source);

/// Whether the __global__ function `kernel` does more than declare numbers: it indexes, calls,
/// loops or asks. A skeleton does not.
bool is_begun(const Source& source, std::string_view kernel);

/// Whether it may have asm(): the word stands there, or what could make it (`##`, a macro of a
/// header that pastes tokens) or change that of a header (a word redefined that stands in it).
bool may_have_assembly(const Source& source);

/// The first line with the identifier `name`; 0 where it does not stand there.
int first_line_with(const Source& source, std::string_view name);

/// For each name the lines on which something of it is used: `A[i]`, `A(i, j)`, `A.data`, `*A`.
/// Declarations are left out.
std::map<std::string, std::set<int>> name_lines(const Source& source);

}  // namespace tessera
