// What is said of a kernel whose PTX does not load.
#pragma once

#include <string>

#include "common/finding.h"
#include "grader/compile/source.h"
#include "grader/simulator/ptx/load_error.h"

namespace tessera {

/// does-not-compile where the source is to blame: it passes a limit, or its inline assembly is no
/// PTX. Else unsupported-instruction: the simulator cannot read what a compiler made.
/// `is_assembled`: ptxas has accepted the source, which is called `file`.
Finding load_finding(const LoadError& error, const std::string& ptx, const Source& source,
                     const std::string& file, bool is_assembled);

/// Whether some of the source reached the PTX as it is: however the source spells the word, it
/// stands between remarks of both compilers.
bool has_inline_assembly(const std::string& ptx);

}  // namespace tessera
