// The finding for a kernel whose PTX does not load.
#pragma once

#include <string>

#include "common/finding.h"
#include "grader/compile/source.h"
#include "grader/simulator/ptx/load_error.h"

namespace tessera {

/// The finding is does-not-compile if the source is to blame: it exceeds a limit, calls a function
/// that is not defined, or has inline assembly that is not PTX. Otherwise it is
/// unsupported-instruction: the simulator cannot read what the compiler made. `is_assembled`: ptxas
/// has accepted the source, which is called `file`.
Finding load_finding(const LoadError& error, const std::string& ptx, const Source& source,
                     const std::string& file, bool is_assembled);

/// Whether the PTX has inline assembly. Both compilers put comments around it, however the source
/// spells `asm`.
bool has_inline_assembly(const std::string& ptx);

}  // namespace tessera
