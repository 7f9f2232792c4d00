// Facts about a source that PTX does not keep: names of parameters, lines of returns and of names,
// whether a kernel has been begun.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/source.h"

namespace tessera {

/// The names of the parameters of the __global__ function `kernel`, in order; "" for a parameter
/// without a name. Among overloads, those of the first with `count` parameters. Empty if there is
/// none.
std::vector<std::string> parameter_names(const Source& source, std::string_view kernel,
                                         std::size_t count);

/// How a function is declared.
struct FunctionFacts {
  int line = 0;              // of its name; 0: there is no such function
  bool is_global = false;    // it is declared __global__
  bool is_template = false;  // or a member of a template
  bool is_nested = false;    // in a namespace or class
};

/// The facts of the first kernel named `name`, otherwise of the first void function of that name.
FunctionFacts function_facts(const Source& source, std::string_view name);

/// The lines with a `return;`, where a thread may end (a value goes to a caller), or with a macro
/// that contains it. Each is mapped to the first line of the condition around it, `if (i >= n)
/// return;`, or to its own line if it has none. If a condition contains nothing but another one,
/// the line is that of the outer one. A return is left out if that inner one has an `else`, or if a
/// condition that is not around it, and not around another return, has one of these lines too: PTX
/// does not say to which of them a branch belongs.
std::map<int, int> return_lines(const Source& source);

/// Whether the __global__ function `kernel` does more than declare numbers: it indexes, calls,
/// loops or branches. A skeleton does not.
bool is_begun(const Source& source, std::string_view kernel);

/// Whether the source may have asm(): it contains the word, or what could make it (`##`, a macro of
/// a header that pastes tokens) or change asm() in a header (a word of it redefined).
bool may_have_assembly(const Source& source);

/// The first line with the identifier `name`; 0 if there is none.
int first_line_with(const Source& source, std::string_view name);

/// For each name, the lines that access something through it: `A[i]`, `A(i, j)`, `A.data`, `*A`.
/// Declarations are left out.
std::map<std::string, std::set<int>> name_lines(const Source& source);

}  // namespace tessera
