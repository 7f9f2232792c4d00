// Splits a text into preprocessing tokens. The rest of the grader reads them through source.h.
#pragma once

#include <string_view>

#include "grader/compile/source.h"

namespace tessera {

/// The tokens of `text` ("\n" line ends), as Source documents them.
Tokens tokenize(std::string_view text);

}  // namespace tessera
