// The recursive-descent parser of PTX text, as its parts see it; ptx.h has parse().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/simulator/scanner.h"

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
  static Space space_of(std::string_view word);

  // parse_variable.cpp
  /// What follows .global, .shared, ...: attributes, type, then names with sizes and initialisers
  /// up to ';'.
  std::vector<Variable> variables(Space space, bool external);
  Variable variable_head(Space space);
  void dimensions(Variable& variable);
  void initialiser(Variable& variable);
  void initialiser_value(Variable& variable, std::size_t& offset, bool open);
  Variable::Relocation symbol_initialiser(std::size_t offset, unsigned size);
  std::int64_t addend();

  // parse_function.cpp
  void function(bool entry);
  std::vector<Variable> parameter_list();
  void body(Function& function);
  /// The name under which something declared here is kept: inside an inner block it hides outer
  /// ones.
  std::string declared(const std::string& text);
  /// Gives the inner block's instructions the names that declared() made: labels may be used before
  /// they stand.
  void close_scope(Function& function);
  void body_directive(Function& function);
  void registers(Function& function);
  void location();
  bool label(Function& function);
  Instruction instruction();
  Operand operand();
  Operand list();
  static bool special(std::string_view text);

  /// An inner block { ... } of a function, as inline assembly makes them.
  struct Scope {
    std::size_t first = 0;  // its first instruction
    std::unordered_map<std::string, std::string> renamed;
  };
  std::vector<Scope> scopes_;
  int renamed_ = 0;
  Location location_;
  Module module_;
};

}  // namespace tessera::ptx
