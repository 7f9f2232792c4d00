// Looks up instructions of PTX in the table instruction_set.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grader/simulator/ptx/instruction_class.h"
#include "grader/simulator/ptx/ptx.h"

namespace tessera::ptx {

/// The unit that executes an instruction, as far as its name decides; class_of() considers its
/// types too.
enum class Unit : std::uint8_t {
  none,        // removed by ptxas
  by_type,     // integers, or floats of the last type
  special,     // special functions of floats; quotients and remainders, also of integers
  conversion,  // a special function if floats take part, otherwise removed by ptxas
  memory,
  shuffle,
  barrier,  // with .warp: control
  control,
  tensor,  // products of matrices, and their fragments' loads and stores
};

/// Bits of InstructionInfo::traits.
enum Traits : unsigned {
  kLoads = 1,   // from memory
  kStores = 2,  // to memory
  kAtomic = 4,
  kNoResult = 8,  // the first operand is a source, as all in brackets are
  kBranches = 16,
  kLeaves = 32,  // the function
  kStops = 64,   // the launch
  /// The simulator knows every form: it refuses operands that do not fit, as ptxas does.
  kEveryForm = 128,
  kUntimed = 256,     // the timing model does not know how long it takes
  kMultiplies = 512,  // matrices, in fragments
};

struct InstructionInfo {
  std::string_view name;   // the opcode up to its first dot
  std::string_view words;  // the words after it that are simulated: see instruction_set.def
  Unit unit = Unit::by_type;
  unsigned traits = 0;

  bool is(unsigned any_of) const { return (traits & any_of) != 0; }
};

/// Returns the row of the instruction with that name; 0 if PTX has none.
std::size_t row_of(std::string_view name);

/// Whether the instruction loads or stores fragments of matrices.
bool accesses_fragment(const Instruction& instruction);

const InstructionInfo& info_of(const Instruction& instruction);

/// Returns the first word of the instruction that is neither a type nor simulated.
std::optional<std::string> unknown_word(const Instruction& instruction);

/// Whether the instruction writes its first operand.
bool has_result(const Instruction& instruction);

/// Returns the state space that a word of the opcode names; generic if none does.
Space space_of(const Instruction& instruction);

/// Returns the unit that executes the instruction. ptxas removes loads of parameters and constants.
InstructionClass class_of(const Instruction& instruction);

/// Instructions that ptxas makes of one PTX instruction, beside one of its class.
struct Sequence {
  InstructionClass kind = InstructionClass::none;  // of the arithmetic
  unsigned bytes = 0;                              // of the operands, at most
  unsigned special = 0;
  unsigned arithmetic = 0;
};

/// Returns only zeros for most instructions.
Sequence sequence_of(const Instruction& instruction);

}  // namespace tessera::ptx
