// The instructions that PTX has, by name: what is none of them is a mistake in a source, what is
// one and has no handler here is the simulator's lack.
#pragma once

#include <string_view>

namespace tessera::ptx {

/// Whether PTX has an instruction of that name: the opcode up to its first dot (PTX ISA 9.0,
/// chapter "Instruction Set", which has all that earlier versions have).
bool is_mnemonic(std::string_view name);

}  // namespace tessera::ptx
