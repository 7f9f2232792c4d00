// The instructions of PTX by name: what instruction_set.def says of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grader/simulator/ptx/instruction_class.h"
#include "grader/simulator/ptx/ptx.h"

namespace tessera::ptx {

/// What works on an instruction, as far as its name says; class_of() looks at its types too.
enum class Unit : std::uint8_t {
  none,        // gone after ptxas
  by_type,     // integers, or floats of the last type
  special,     // special functions of floats; the same of integers is integer arithmetic
  conversion,  // a special function where floats take part, gone after ptxas where none does
  memory,
  shuffle,
  barrier,  // with .warp: control
  control,
};

/// Bits of InstructionInfo::traits.
enum Traits : unsigned {
  kLoads = 1,   // from memory
  kStores = 2,  // to memory
  kAtomic = 4,
  kNoResult = 8,  // the first operand is a source
  kBranches = 16,
  kLeaves = 32,  // the function
  kStops = 64,   // the launch
  /// The simulator knows it in every form: operands that do not fit are refused, as by ptxas.
  kEveryForm = 128,
};

struct InstructionInfo {
  std::string_view name;   // the opcode up to its first dot
  std::string_view words;  // those of its words that are simulated: see instruction_set.def
  Unit unit = Unit::by_type;
  unsigned traits = 0;

  bool is(unsigned any_of) const { return (traits & any_of) != 0; }
};

/// The row of the instruction with that name; 0 if PTX has none.
std::size_t row_of(std::string_view name);

const InstructionInfo& info_of(const Instruction& instruction);

/// The first of its words that is neither a type nor simulated.
std::optional<std::string> unknown_word(const Instruction& instruction);

/// Whether its first operand is what it writes.
bool has_result(const Instruction& instruction);

/// The state space that a word of the opcode names; generic if none does.
Space space_of(const Instruction& instruction);

/// What of a multiprocessor works on it. Loads of parameters and constants are gone after ptxas.
InstructionClass class_of(const Instruction& instruction);

}  // namespace tessera::ptx
