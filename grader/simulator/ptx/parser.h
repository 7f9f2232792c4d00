// The recursive-descent parser of PTX text, as its parts see it; ptx.h has parse().
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

/// Accepts what NVRTC and Clang emit and refuses the rest with a line.
class Parser : Scanner {
 public:
  using Scanner::Scanner;

  /// The whole module; throws SyntaxError.
  Module run();

 private:
  // parser.cpp: what stands outside of functions
  void statement();
  void declaration(std::string word);
  void target();
  void pragma();
  void alias();
  /// For a directive that the parser does not expect here.
  [[noreturn]] void fail_directive(const std::string& word) const;
  static Space space_of(std::string_view word);
  /// Counts one more of something that limits.h allows `most` of.
  void count(std::size_t& number, std::size_t most, std::string_view what);
  void count_name();

  // parse_variable.cpp
  /// What follows .global, .shared, ...: attributes, type, then names with sizes and initialisers
  /// up to ';'.
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
  /// What stands between a function's parameters and its body.
  void attributes(LaunchBounds& bounds);
  /// "256, 1, 1", of which the last may be missing.
  Dim3 extents();
  void add(Function function);
  std::vector<Variable> parameter_list();
  void body(Function& function);
  /// The name under which something declared here is kept: inside an inner block it hides outer
  /// ones, from instruction number `since` on.
  std::string declared(const std::string& text, std::size_t since = 0);
  /// Gives the inner block's instructions the names that declared() made: labels may be used before
  /// they stand.
  void close_scope(Function& function);
  /// Refuses a body of which two names may be read as one: ptxas may take the other one.
  void need_one_reading(const Function& function) const;
  void body_directive(Function& function);
  void body_variables(Function& function, Space space, bool external);
  /// Refuses a name, or one of a range of numbered names, that PTX gives something itself.
  void need_declarable(const std::string& text, bool range = false) const;
  /// Notes that a function has this register or variable; refuses a second one.
  void define(const std::string& text);
  void registers(Function& function);
  void location();
  /// What follows .callprototype: a call passes what fits, whatever it says.
  void prototype();
  bool label(Function& function);
  Instruction instruction();
  Operand operand();
  Operand address();
  Operand list();
  static bool special(std::string_view text);

  /// An inner block { ... } of a function, as inline assembly makes them.
  struct Scope {
    std::size_t first = 0;  // its first instruction
    struct Name {
      std::string unique;     // the new one
      std::size_t since = 0;  // the instruction before which it is declared; a label: any
    };
    std::unordered_map<std::string, Name> renamed;
    struct Range {
      std::string prefix;  // its new one
      std::uint32_t count = 0;
      std::size_t since = 0;
    };
    std::unordered_map<std::string, Range> ranges;  // by the old prefix
  };
  /// Renames what instruction number `at` calls by a name of the scope. Before its declaration the
  /// name is another one's to ptxas: refused.
  void rename(const Scope& scope, std::size_t at, std::string& text) const;
  void rename(const Scope& scope, std::size_t at, Operand& operand) const;

  /// One level of brackets deeper, while it lives.
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

  std::optional<Scope> scope_;  // where the parser is in one
  int renamed_ = 0;
  int nesting_ = 0;
  std::size_t instructions_ = 0;
  std::size_t operands_ = 0;
  int architecture_ = 0;  // 90 for `.target sm_90a`; 0 where none is named
  std::size_t names_ = 0;
  std::uint64_t initialised_bytes_ = 0;
  std::unordered_map<std::string, std::size_t> function_at_;         // in module_.functions
  std::unordered_set<std::string> defined_;                          // in the function that is read
  std::string function_;                                             // the one that is read
  bool no_return_ = false;                                           // it has this attribute
  std::set<std::string, std::less<>> never_return_{"__assertfail"};  // functions that have it
  Location location_;
  std::map<std::array<int, 3>, std::uint64_t> inlined_calls_;  // of file, line and column so far
  Module module_;
};

}  // namespace tessera::ptx
