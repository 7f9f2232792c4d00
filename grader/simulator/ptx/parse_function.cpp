// Functions: parameters, registers, blocks, instructions and their operands.
#include <algorithm>
#include <array>
#include <limits>

#include "common/mixed.h"
#include "grader/simulator/ptx/parser.h"

namespace tessera::ptx {
namespace {

constexpr std::string_view kSpecialNames[] = {
#define SPECIAL(name, value) name,
#include "grader/simulator/ptx/special_registers.def"
};

constexpr std::int64_t kMaxRegisters = 1 << 24;

constexpr const char* kDigits = "0123456789";

constexpr std::string_view kBinaryOperators = "+-*/%<>=!&|^?";

/// `name` without the number at its end.
std::string stem(const std::string& name) {
  return name.substr(0, name.find_last_not_of(kDigits) + 1);
}

}  // namespace

void Parser::function(bool entry) {
  Function result;
  result.entry = entry;
  result.ptx_line = line();
  defined_.clear();
  if (accept('(')) result.returns = parameter_list();
  result.name = name();
  function_ = result.name;
  if (accept('(')) result.parameters = parameter_list();
  const auto in_register = [](const Variable& variable) { return variable.space != Space::param; };
  result.register_parameters = std::ranges::any_of(result.returns, in_register) ||
                               std::ranges::any_of(result.parameters, in_register);
  no_return_ = false;
  attributes(result.bounds);
  // ptxas drops the code after a call of a .noreturn function, whether the function returns or not.
  if (no_return_ && is_builtin(result.name) && result.name != "__assertfail")
    fail_unknown("this function of the device's runtime returns");
  if (no_return_) never_return_.insert(result.name);
  if (!accept(';')) {
    expect('{');
    result.defined = true;
    body(result);
  }
  add(std::move(result));
}

void Parser::attributes(LaunchBounds& bounds) {
  bool grid_of_clusters = false;
  for (std::string word = try_directive(); !word.empty(); word = try_directive()) {
    if (word == "pragma") {
      quoted();
      expect(';');
    } else if (word == "maxntid") {
      bounds.most_threads = extents().count();
    } else if (word == "reqntid") {
      bounds.block = extents();
    } else if (word == "reqnctapercluster") {
      bounds.cluster = extents();
    } else if (word == "noreturn") {
      no_return_ = true;
    } else if (word == "maxnreg" || word == "minnctapersm" || word == "maxnctapersm" ||
               word == "maxclusterrank") {
      integer();
    } else if (word == "blocksareclusters") {
      grid_of_clusters = true;
    } else if (word != "explicitcluster") {
      fail_directive(word);
    }
  }
  if (grid_of_clusters && bounds.cluster.count() > 1)
    fail_unknown("the simulator does not know launches of a number of clusters");
}

Dim3 Parser::extents() {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  Dim3 result;
  for (std::uint32_t* extent : {&result.x, &result.y, &result.z}) {
    *extent = static_cast<std::uint32_t>(integer_to(kMost));
    if (*extent == 0) fail("expected a number above 0");
    if (!accept(',')) break;
  }
  return result;
}

void Parser::add(Function function) {
  const auto [known, fresh] = function_at_.try_emplace(function.name, module_.functions.size());
  if (fresh) {
    if (module_.functions.size() == kMaxFunctions)
      fail_over_limit("more than " + std::to_string(kMaxFunctions) + " functions in one module");
    module_.functions.push_back(std::move(function));
    return;
  }
  Function& earlier = module_.functions[known->second];
  if (earlier.entry != function.entry || (earlier.defined && function.defined))
    throw SyntaxError{function.ptx_line, "'" + function.name + "' is defined twice"};
  if (function.defined) earlier = std::move(function);
}

std::vector<Variable> Parser::parameter_list() {
  std::vector<Variable> result;
  if (accept(')')) return result;
  do {
    const std::string word = try_directive();
    if (word != "param" && word != "reg") fail("expected .param");
    Variable variable = variable_head(word == "param" ? Space::param : Space::generic);
    variable.name = name();
    variable.ptx_line = line();
    count_name();
    if (variable.name != "_") define(variable.name);
    dimensions(variable);
    result.push_back(std::move(variable));
  } while (accept(','));
  expect(')');
  return result;
}

void Parser::need_declarable(const std::string& text, bool range) const {
  const auto digits = [](std::string_view rest) {
    return rest.find_first_not_of(kDigits) == rest.npos;
  };
  const bool taken = text == "_" || text == "WARP_SZ" || special(text) ||
                     is_reserved_register(text) ||
                     (range && std::ranges::any_of(kSpecialNames, [&](std::string_view name) {
                        return name.starts_with(text) && digits(name.substr(text.size()));
                      }));
  if (taken) fail("'" + text + "' is PTX's own name");
}

void Parser::define(const std::string& text) {
  need_declarable(declared_name(text));
  if (!defined_.insert(text).second) fail("'" + declared_name(text) + "' is declared twice");
}

void Parser::body(Function& function) {
  location_ = {};
  inlined_.clear();
  for (;;) {
    skip_space();
    if (at_end()) fail("'" + function.name + "' has no closing brace");
    if (accept('{')) {
      if (scope_) fail_unknown("the simulator does not know blocks inside of blocks");
      scope_ = Scope();
      scope_->first = function.body.size();
    } else if (accept('}')) {
      if (!scope_) break;
      close_scope(function);
    } else if (peek() == '.') {
      body_directive(function);
    } else if (!label(function)) {
      count(instructions_, kMaxInstructions, "instructions");
      function.body.push_back(instruction());
    }
  }
  need_one_reading(function);
}

void Parser::need_one_reading(const Function& function) const {
  const auto refuse = [&](std::string_view name, std::string_view what) {
    fail_unknown("'" + std::string(name) + "' " + std::string(what) +
                 ": the simulator does not know which of the two ptxas takes");
  };
  using Levels = std::unordered_map<std::string, bool>;  // by name: whether inside of a block
  const auto note = [&](Levels& levels, const std::string& unique) {
    std::string name = declared_name(unique);
    const bool inner = name != unique;
    if (levels.try_emplace(name, inner).first->second != inner)
      refuse(name, "is declared in a block and outside of it");
    return name;
  };
  Levels prefixes, names;
  for (const auto& [unique, range] : function.ranges) {
    const std::string prefix = note(prefixes, unique);
    if (stem(prefix) != prefix) refuse(prefix, "is a range, and ends in a digit");
  }
  for (const std::string& unique : defined_) note(names, unique);
  for (const auto& [label, at] : function.labels) note(names, label);
  for (const auto& [name, inner] : names) {
    const std::string prefix = stem(name);
    const auto range = prefixes.find(prefix);
    if (prefix == name || range == prefixes.end()) continue;
    const bool leading_zero = name[prefix.size()] == '0' && name.size() > prefix.size() + 1;
    // A block's own %p1 hides the %p1 of an outer range, as in functions that NVRTC emits.
    const bool hides = inner && !range->second;
    if (leading_zero || !hides) refuse(name, "is also the name of a register of a range");
  }
}

std::string Parser::declared(const std::string& text, std::size_t since) {
  if (!scope_) return text;
  Scope::Name& name = scope_->renamed[text];
  if (name.unique.empty()) name = {text + "#" + std::to_string(++renamed_), since};
  return name.unique;
}

void Parser::close_scope(Function& function) {
  const Scope scope = std::move(*scope_);
  scope_.reset();
  for (std::size_t i = scope.first; i < function.body.size(); ++i) {
    rename(scope, i, function.body[i].guard);
    for (Operand& operand : function.body[i].operands) rename(scope, i, operand);
  }
}

void Parser::rename(const Scope& scope, std::size_t at, std::string& text) const {
  const auto need_declared = [&](std::size_t since) {
    if (at < since) fail("'" + declared_name(text) + "' is used before its block declares it");
  };
  if (const auto found = scope.renamed.find(text); found != scope.renamed.end()) {
    need_declared(found->second.since);
    text = found->second.unique;
    return;
  }
  if (scope.ranges.empty()) return;
  const auto ranged = ranged_name(text);
  if (!ranged) return;
  const auto found = scope.ranges.find(ranged->prefix);
  if (found == scope.ranges.end() || ranged->number >= found->second.count) return;
  need_declared(found->second.since);
  text = found->second.prefix + std::to_string(ranged->number);
}

void Parser::rename(const Scope& scope, std::size_t at, Operand& operand) const {
  rename(scope, at, operand.name);
  rename(scope, at, operand.second);
  for (Operand& element : operand.elements) rename(scope, at, element);
}

void Parser::body_directive(Function& function) {
  const std::string word = try_directive();
  if (word == "reg") {
    registers(function);
  } else if (word == "loc") {
    location();
  } else if (word == "shared" || word == "local" || word == "param" || word == "global" ||
             word == "const") {
    body_variables(function, space_of(word), false);
  } else if (word == "extern") {
    body_variables(function, space_of(try_directive()), true);
  } else if (word == "pragma") {
    pragma();
  } else if (word == "file" || word == "section") {
    fail("'." + word + "' inside a function");
  } else {
    fail_directive(word);
  }
}

void Parser::body_variables(Function& function, Space space, bool external) {
  const bool global = space == Space::global || space == Space::constant;
  for (Variable& variable : variables(space, external)) {
    if (!global) {
      variable.name = declared(variable.name, function.body.size());
      define(variable.name);
    }
    (global ? module_.variables : function.variables).push_back(std::move(variable));
  }
}

void Parser::registers(Function& function) {
  const std::string word = try_directive();
  const std::optional<Type> type = type_from(word);
  if (!type) fail("unknown register type '." + word + "'");
  do {
    const std::string text = name();
    count_name();
    if (!accept('<')) {
      const std::string unique = declared(text, function.body.size());
      define(unique);
      function.registers[unique] = *type;
      continue;
    }
    const std::int64_t count = integer();
    if (count < 1) fail(std::to_string(count) + " registers");
    if (count > kMaxRegisters)
      fail_over_limit(std::to_string(count) + " registers, more than the simulator's " +
                          std::to_string(kMaxRegisters),
                      function.name);
    expect('>');
    need_declarable(text, true);
    const auto number = static_cast<std::uint32_t>(count);
    std::string prefix = text;
    if (scope_) {
      prefix += "#" + std::to_string(++renamed_) + "_";
      if (!scope_->ranges.try_emplace(text, Scope::Range{prefix, number, function.body.size()})
               .second)
        fail("'" + text + "' is declared twice");
    }
    if (!function.ranges.try_emplace(prefix, RegisterRange{*type, number}).second)
      fail("'" + text + "' is declared twice");
  } while (accept(','));
  expect(';');
}

void Parser::location() {
  // A source has at most 1 MiB; larger numbers come from inline assembly and are no lines of it.
  constexpr int kMostLine = 1 << 22;
  const auto small = [&] {
    return static_cast<int>(integer_to(std::numeric_limits<int>::max() / 2));
  };
  const Location previous = location_;
  Inlined inlined;
  location_ = {};
  location_.file = small();
  location_.line = small();
  location_.column = small();
  while (accept(',')) {
    const std::string word = name();
    if (word == "function_name") {
      name();
      addend();
    } else if (word == "inlined_at") {
      const Call call{small(), small(), small()};
      // If that call was inlined too, its own place came before.
      const auto outer = inlined_.find(call);
      if (outer != inlined_.end()) inlined = outer->second;
      if (inlined.calls == 0) inlined.outermost = call;
      if (call[0] == inlined.outermost[0]) inlined.call = call;
      for (const int part : call)
        inlined.calls = mixed(inlined.calls ^ static_cast<std::uint64_t>(part));
    } else {
      fail("unknown attribute '" + word + "' of .loc");
    }
  }
  location_.inlined_file = inlined.call[0];
  location_.inlined_line = inlined.call[1];
  location_.outermost_line = inlined.outermost[1];
  location_.inlined_calls = inlined.calls;
  inlined_[{location_.file, location_.line, location_.column}] = inlined;
  if (location_.line != 0 && location_.line <= kMostLine) return;
  location_ = previous;
  location_.merged = true;
}

void Parser::prototype() {
  while (!accept(';')) {
    if (const std::string word = try_directive(); !word.empty()) {
      if (word != "param" && word != "reg" && word != "align" && !type_from(word))
        fail_directive(word);
    } else if (number_here()) {
      integer();
    } else if (!accept('(') && !accept(')') && !accept(',') && !accept('[') && !accept(']')) {
      name();
    }
  }
}

bool Parser::label(Function& function) {
  const Place start = place();
  const std::string text = try_name();
  if (!text.empty() && accept(':')) {
    const Place after = place();
    const std::string word = try_directive();
    if (word == "branchtargets") {
      if (scope_) fail_unknown("the simulator does not know a block's own .branchtargets");
      std::vector<std::string>& targets = function.branch_targets[text];
      if (!targets.empty()) fail("'" + text + "' is declared as a table twice");
      do {
        targets.push_back(name());
        count_name();
      } while (accept(','));
      expect(';');
    } else if (word == "callprototype") {
      function.prototypes[text] = true;
      count_name();
      prototype();
    } else {
      return_to(after);
      count_name();
      if (!function.labels.try_emplace(declared(text), function.body.size()).second) {
        fail("the label '" + text + "' is defined twice");
      }
    }
    return true;
  }
  return_to(start);
  return false;
}

Instruction Parser::instruction() {
  Instruction result;
  result.ptx_line = line();
  result.location = location_;
  if (accept('@')) {
    result.guard_negated = accept('!');
    result.guard = name();
  }
  result.words.push_back(name());
  for (std::string word = try_directive(); !word.empty(); word = try_directive()) {
    if (result.words.size() == kMaxModifiers)
      fail("more than " + std::to_string(kMaxModifiers) + " modifiers of an opcode");
    if (word == "v8" && architecture_ < kArchitectureOfV8) fail(".v8 needs sm_100 or newer");
    result.words.push_back(std::move(word));
  }
  if (accept(';')) return result;
  do {
    result.operands.push_back(operand());
    refuse_expression(kBinaryOperators);
  } while (accept(','));
  expect(';');
  if (result.name() == "call") {
    const bool has_result = result.operands[0].kind == Operand::Kind::vector;
    const std::size_t callee = has_result ? 1 : 0;
    result.never_returns =
        callee < result.operands.size() && never_return_.contains(result.operands[callee].name);
  }
  return result;
}

Operand Parser::operand() {
  skip_space();
  count(operands_, kMaxOperands, "operands");
  if (peek() == '[') return address();
  if (peek() == '{' || peek() == '(') return list();
  if (number_here()) return number();
  if (peek() == '.') fail("unexpected directive in an operand");
  refuse_expression("+-~");
  Operand result;
  result.negated = accept('!');
  result.name = name();
  if (result.name == "_") {
    if (accept('|')) result.second = name();
    return result;
  }
  if (result.name == "WARP_SZ") {
    result.kind = Operand::Kind::integer;
    result.value = 32;
    return result;
  }
  result.kind =
      result.name[0] == '%' && !special(result.name) ? Operand::Kind::reg : Operand::Kind::symbol;
  if (special(result.name)) {
    result.kind = Operand::Kind::special;
    const std::string part = peek() == '.' ? try_directive() : "";
    if (!part.empty()) result.name += "." + part;
  }
  if (accept('|')) result.second = name();
  if (result.kind == Operand::Kind::symbol) result.offset = addend();
  return result;
}

void Parser::refuse_expression(std::string_view operators) {
  skip_space();
  if (operators.find(peek()) != operators.npos)
    fail_unknown("the simulator does not compute expressions of constants");
}

Operand Parser::address() {
  const Nested nested(*this);
  expect('[');
  Operand result = operand();
  result.offset = wrapped_sum(result.offset, addend());
  if (accept(',')) {  // [tensor, {x, y}]
    Operand several;
    several.kind = Operand::Kind::vector;
    several.elements.push_back(std::move(result));
    do {
      several.elements.push_back(operand());
    } while (accept(','));
    result = std::move(several);
  }
  expect(']');
  result.address = true;
  return result;
}

Operand Parser::list() {
  const Nested nested(*this);
  Operand result;
  result.kind = Operand::Kind::vector;
  const char open = peek();
  const char close = open == '{' ? '}' : ')';
  expect(open);
  if (accept(close)) return result;
  do {
    result.elements.push_back(operand());
    refuse_expression(kBinaryOperators);
  } while (accept(','));
  expect(close);
  return result;
}

bool Parser::special(std::string_view text) {
  return std::ranges::find(kSpecialNames, text) != std::end(kSpecialNames);
}

}  // namespace tessera::ptx
