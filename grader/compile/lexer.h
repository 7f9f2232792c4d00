// A text -> preprocessing tokens. Source (source.h) is what the rest of the grader reads.
#pragma once

#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// Splits `text` ("\n" line ends) as Source says.
Tokens tokenize(std::string_view text);

}  // namespace tessera
