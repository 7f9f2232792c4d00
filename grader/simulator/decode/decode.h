// ptx::Function -> Function: registers and symbols become offsets, opcodes become handlers.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "common/expected.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

/// A name that instructions can take the address of.
struct Symbol {
  ptx::Space space = ptx::Space::global;
  std::uint64_t address = 0;  // in its own space; a function's lies in the code window
  int function = -1;          // index in Module::functions, for calls
  std::uint64_t size = 0;     // bytes of a variable
  const ptx::Function* declaration = nullptr;  // of a function
};

using Symbols = std::unordered_map<std::string, Symbol>;

/// Decodes function number `index` of the module and proves the result (prove.h). `symbols` are the
/// module's; the names of the function's own parameters and local arrays are looked up first. Adds
/// its memory instructions to `sites`. The error has the function's PTX name.
Expected<Function, LoadError> decode(const ptx::Function& function, std::uint32_t index,
                                     const Symbols& symbols, std::vector<SiteInfo>& sites);

}  // namespace tessera::sim
