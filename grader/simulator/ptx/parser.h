// The recursive-descent parser of PTX text, for the sources that implement it; other code calls
// parse() of ptx.h.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/simulator/ptx/limits.h"
#include "grader/simulator/ptx/scanner.h"

namespace tessera::ptx {

/// Accepts the PTX that NVRTC and Clang emit, and refuses other text with a line.
class Parser : Scanner {
 public:
  using Scanner::Scanner;

  /// Returns the whole module; throws SyntaxError.
  Module run();

 private:
  // parser.cpp: statements outside of functions
  void statement();
  void declaration(std::string word);
  void target();
  void pragma();
  void alias();
  /// Throws for a directive that the parser does not expect here.
  [[noreturn]] void fail_directive(const std::string& word) const;
  static Space space_of(std::string_view word);
  /// Increments the count of something of which limits.h allows `most`; throws beyond that.
  void count(std::size_t& number, std::size_t most, std::string_view what);
  void count_name();

  // parse_variable.cpp
  /// Parses what follows .global, .shared, ...: attributes, type, then names with sizes and
  /// initialisers up to ';'.
  std::vector<Variable> variables(Space space, bool external);
  Variable variable_head(Space space);
  void dimensions(Variable& variable);
  [[noreturn]] void too_large(const Variable& variable) const;
  void initialiser(Variable& variable);
  void initialiser_value(Variable& variable, std::size_t& offset, bool open);
  void number_initialiser(Variable& variable, std::size_t offset);
  Variable::Relocation symbol_initialiser(std::size_t offset, unsigned size);
  std::int64_t addend();
  std::uint64_t alignment();

  // parse_function.cpp
  void function(bool entry);
  /// Parses the directives between a function's parameters and its body.
  void attributes(LaunchBounds& bounds);
  /// Parses "256, 1, 1"; the last numbers may be missing.
  Dim3 extents();
  void add(Function function);
  std::vector<Variable> parameter_list();
  void body(Function& function);
  /// Returns the unique name for something declared here. Inside an inner block it hides an outer
  /// name, from instruction number `since` on.
  std::string declared(const std::string& text, std::size_t since = 0);
  /// Renames the inner block's operands to the unique names, once all are known: a label may be
  /// used before its place.
  void close_scope(Function& function);
  /// Refuses a body in which a name may mean one of two declarations: ptxas may take the other one.
  void need_one_reading(const Function& function) const;
  void body_directive(Function& function);
  void body_variables(Function& function, Space space, bool external);
  /// Refuses a name, or a range of numbered names, that PTX itself defines.
  void need_declarable(const std::string& text, bool range = false) const;
  /// Records that a function has this register or variable; refuses a second one of that name.
  void define(const std::string& text);
  void registers(Function& function);
  void location();
  /// Skips what follows .callprototype: at a call the callee's own slots are checked, whatever the
  /// prototype says.
  void prototype();
  bool label(Function& function);
  Instruction instruction();
  Operand operand();
  /// Refuses an expression of constants, as (3 + 4) * 2, if one of these operators stands here.
  void refuse_expression(std::string_view operators);
  Operand address();
  Operand list();
  static bool special(std::string_view text);

  /// An inner block { ... } of a function, as inline assembly makes it.
  struct Scope {
    std::size_t first = 0;  // its first instruction
    struct Name {
      std::string unique;     // the new name
      std::size_t since = 0;  // the instruction before which it is declared; 0 for a label
    };
    std::unordered_map<std::string, Name> renamed;
    struct Range {
      std::string prefix;  // the new prefix
      std::uint32_t count = 0;
      std::size_t since = 0;
    };
    std::unordered_map<std::string, Range> ranges;  // by the old prefix
  };
  /// Replaces a name of the scope in instruction number `at`. Refuses it before its declaration,
  /// where it means something else to ptxas.
  void rename(const Scope& scope, std::size_t at, std::string& text) const;
  void rename(const Scope& scope, std::size_t at, Operand& operand) const;

  /// While it lives, the parser is one level of brackets deeper.
  class Nested {
   public:
    explicit Nested(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting)
        parser_.fail_over_limit("brackets are nested more than " + std::to_string(kMaxNesting) +
                                " deep");
    }
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  std::optional<Scope> scope_;  // the inner block, if the parser is in one
  int renamed_ = 0;
  int nesting_ = 0;
  std::size_t instructions_ = 0;
  std::size_t operands_ = 0;
  int architecture_ = 0;  // 90 for `.target sm_90a`; 0: not named
  std::size_t names_ = 0;
  std::uint64_t initialised_bytes_ = 0;
  std::unordered_map<std::string, std::size_t> function_at_;  // in module_.functions
  std::unordered_set<std::string> defined_;                   // in the current function
  std::string function_;                                      // the current one
  bool no_return_ = false;                                    // the current function has .noreturn
  std::set<std::string, std::less<>> never_return_{"__assertfail"};  // functions with .noreturn
  using Call = std::array<int, 3>;  // file, line and column of a place in the source
  /// The calls by which a place of another function was inlined.
  struct Inlined {
    Call call{};              // see Location::inlined_file
    Call outermost{};         // see Location::outermost_line
    std::uint64_t calls = 0;  // see Location::inlined_calls
  };
  std::map<Call, Inlined> inlined_;
  Location location_;
  Module module_;
};

}  // namespace tessera::ptx
