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

/// Bits of a value of that type; a predicate has 1.
unsigned bits(Type type);
inline unsigned bytes(Type type) {
  return bits(type) / 8;
}
bool is_float(Type type);
bool is_signed(Type type);
std::optional<Type> type_from(std::string_view word);

/// Addresses and their offsets wrap, as in the hardware.
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
  bool unread = false;  // it is stored as a parameter that the called function does not read
};

/// A place in the source; line 0 where the compiler gave none.
struct Location {
  int file = 0;
  int line = 0;
  int column = 0;
  int inlined_file = 0;  // where the function that holds it was inlined; 0 where it was not
  int inlined_line = 0;
  std::uint64_t inlined_calls = 0;  // equal where the same calls, inlined, led to it; 0: none
  /// The compiler says that the instruction stands for no single line (`.loc` with line 0), most
  /// often because it made one of several. The place is that of the instruction before.
  bool merged = false;
};

struct Instruction {
  std::vector<std::string> words;  // "ld.global.v4.f32" split at the dots
  std::string guard;               // predicate register; empty: none
  bool guard_negated = false;
  std::vector<Operand> operands;
  bool never_returns = false;  // a call of a function that is declared so
  Location location;
  int ptx_line = 0;

  std::string_view name() const { return words[0]; }
  /// Whether it is one of the words after the name.
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

  /// An address that is known only when memory is laid out.
  struct Relocation {
    std::uint64_t offset = 0;  // in data
    std::string symbol;
    std::int64_t addend = 0;
    unsigned bytes = 8;  // how many bytes of the address go there
    unsigned shift = 0;  // after shifting it right by so many bits
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
/// Nothing where no number stands at the end, or one that no range has.
std::optional<RangedName> ranged_name(const std::string& name);

/// What a function's declaration calls `name` where the parser made it unique: inside an inner
/// block.
std::string declared_name(const std::string& name);

/// What is wrong with a name that a function and the module both declare: where it stands decides
/// which of the two ptxas takes.
std::string declared_elsewhere(const std::string& name);

/// Whether it is a special register that the simulator does not have.
bool is_reserved_register(std::string_view name);

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;
  std::vector<Variable> returns;     // .param
  std::vector<Variable> parameters;  // .param
  bool register_parameters = false;  // some are .reg: the form of PTX without an ABI
  std::unordered_map<std::string, Type> registers;
  std::unordered_map<std::string, RegisterRange> ranges;  // by prefix
  /// As declared; nothing where no register has that name.
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
  std::unordered_map<std::string, std::string> aliases;  // of functions
};

/// Parses PTX text. Sizes and counts keep to limits.h, alignments are powers of two. The error's
/// name is a symbol of the PTX.
Expected<Module, LoadError> parse(std::string_view text);

/// Whether every CUDA program has such a function, so that no source need define it.
bool is_builtin(std::string_view name);

/// Whether PTX has a directive of that name ("tex"), which the parser may lack.
bool is_directive(std::string_view word);

}  // namespace tessera::ptx
