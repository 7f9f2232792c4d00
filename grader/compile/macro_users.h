// Which macros of a file come to hold a word, directly or through other macros.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/compile/source.h"

namespace tessera {

/// The macros whose bodies have one of `words`, and those that use such a macro. Each body is read
/// once. A word is a token's text: "__device__", "##", or another macro's name.
std::set<std::string> macros_with(const std::vector<Directive>& directives,
                                  std::vector<std::string> words);

}  // namespace tessera
