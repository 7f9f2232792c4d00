// PTX as parsed: declarations and instructions, before anything is resolved. Source: PTX ISA,
// chapters 4, 5 and 11.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/expected.h"
#include "common/launch.h"
#include "grader/simulator/ptx/load_error.h"

namespace tessera::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  u16x2,
  s16x2,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
};

/// Returns the bits of a value of that type; a predicate has 1.
unsigned bits(Type type);
inline unsigned bytes(Type type) {
  return bits(type) / 8;
}
bool is_float(Type type);
bool is_signed(Type type);
std::optional<Type> type_from(std::string_view word);

/// Returns the sum of an address and an offset, which wraps as in the hardware.
inline std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

enum class Space : std::uint8_t { generic, global, shared, local, constant, param };

struct Operand {
  enum class Kind : std::uint8_t { reg, integer, float32, float64, symbol, special, vector, sink };
  Kind kind = Kind::sink;
  bool negated = false;           // !%p1
  bool address = false;           // [name + offset] or [integer]
  std::string name;               // register, symbol or special register ("%tid.x")
  std::int64_t value = 0;         // integer; bit pattern of a float
  std::int64_t offset = 0;        // of an address or a symbol
  std::string second;             // second predicate of a pair %p1|%p2
  std::vector<Operand> elements;  // of a vector {a, b}, or of a parenthesised list
  bool unread = false;            // stored into a parameter that the called function does not read
};

/// A place in the source; line 0: the compiler gave none.
struct Location {
  int file = 0;
  int line = 0;
  int column = 0;
  /// The call by which its function was inlined; 0: not inlined. If that function was inlined into
  /// another, and so on, the first call that is in the file of the outermost function.
  int inlined_file = 0;
  int inlined_line = 0;
  int outermost_line = 0;           // of the call in the outermost function; 0: not inlined
  std::uint64_t inlined_calls = 0;  // equal for places inlined by the same calls; 0: not inlined
  /// The compiler assigns the instruction to no single line (`.loc` with line 0), most often
  /// because it merged several instructions into it. The place is that of the instruction before.
  bool merged = false;
};

struct Instruction {
  std::vector<std::string> words;  // "ld.global.v4.f32" split at the dots
  std::string guard;               // predicate register; empty: none
  bool guard_negated = false;
  std::vector<Operand> operands;
  bool never_returns = false;  // a call of a .noreturn function
  Location location;
  int ptx_line = 0;

  std::string_view name() const { return words[0]; }
  /// Whether `word` is one of the words after the name.
  bool has(std::string_view word) const {
    return std::find(words.begin() + 1, words.end(), word) != words.end();
  }
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  std::uint64_t align = 1;
  std::uint64_t size = 0;  // bytes; 0 for an extern array
  bool external = false;
  int ptx_line = 0;
  std::vector<std::uint8_t> data;  // initialiser, zero-filled to size; empty: none

  /// An address in an initialiser, known only when memory is laid out.
  struct Relocation {
    std::uint64_t offset = 0;  // in data
    std::string symbol;
    std::int64_t addend = 0;
    unsigned bytes = 8;  // how many bytes of the address are stored
    unsigned shift = 0;  // by how many bits the address is shifted right before
    bool generic = true;
  };
  std::vector<Relocation> relocations;
};

/// "%r<45>": the registers %r0 to %r44.
struct RegisterRange {
  Type type = Type::none;
  std::uint32_t count = 0;
};

/// "%r12" as the name of a range and a number in it.
struct RangedName {
  std::string prefix;
  std::uint32_t number = 0;
};
/// Returns nothing if the name does not end in a number that a range can have.
std::optional<RangedName> ranged_name(const std::string& name);

/// Returns the declared name for `name`, which the parser may have made unique for an inner block.
std::string declared_name(const std::string& name);

/// Returns the error for a name that both a function and the module declare: which of the two ptxas
/// takes depends on where the name stands.
std::string declared_elsewhere(const std::string& name);

/// Whether the name is that of a special register that the simulator lacks.
bool is_reserved_register(std::string_view name);

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;
  std::vector<Variable> returns;     // .param
  std::vector<Variable> parameters;  // .param
  bool register_parameters = false;  // some parameters are .reg: the form of PTX without an ABI
  std::unordered_map<std::string, Type> registers;
  std::unordered_map<std::string, RegisterRange> ranges;  // by prefix
  /// Returns the declared type of a register; nothing if no register has that name.
  std::optional<Type> register_type(const std::string& called) const;
  std::vector<Variable> variables;  // .shared, .local, .param of call sequences
  std::vector<Instruction> body;
  std::unordered_map<std::string, std::size_t> labels;  // to index in body
  std::unordered_map<std::string, std::vector<std::string>> branch_targets;
  std::unordered_map<std::string, bool> prototypes;  // .callprototype labels
  LaunchBounds bounds;
  int ptx_line = 0;
};

struct Module {
  std::vector<Variable> variables;  // .global, .const, .shared at module scope
  std::vector<Function> functions;
  std::unordered_map<int, std::string> files;
  struct Alias {
    std::string of;
    int ptx_line = 0;
  };
  std::unordered_map<std::string, Alias> aliases;  // of functions
};

/// Parses PTX text. Sizes and counts of the result are within limits.h, and alignments are powers
/// of two. The error's name is a symbol of the PTX.
Expected<Module, LoadError> parse(std::string_view text);

/// Whether CUDA's device runtime defines this function, so that no source needs to.
bool is_builtin(std::string_view name);

/// Whether PTX has a directive of that name ("tex"), even if the parser does not support it.
bool is_directive(std::string_view word);

}  // namespace tessera::ptx
