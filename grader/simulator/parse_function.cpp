// Functions: parameters, registers, blocks, instructions and their operands.
#include "grader/simulator/parser.h"

namespace tessera::ptx {
namespace {

constexpr std::int64_t kMaxRegisters = 1 << 24;

}  // namespace

void Parser::function(bool entry) {
  Function result;
  result.entry = entry;
  result.ptx_line = line();
  if (accept('(')) result.returns = parameter_list();
  result.name = name();
  if (accept('(')) result.parameters = parameter_list();
  for (std::string word = try_directive(); !word.empty(); word = try_directive()) {
    // Launch bounds and the like: .maxntid 256, 1, 1
    if (word == "pragma") {
      quoted();
      expect(';');
      continue;
    }
    while (number_here()) {
      integer();
      if (!accept(',')) break;
    }
  }
  if (!accept(';')) {
    expect('{');
    result.defined = true;
    body(result);
  }
  for (Function& earlier : module_.functions) {
    if (earlier.name == result.name) {
      if (result.defined) earlier = std::move(result);
      return;
    }
  }
  module_.functions.push_back(std::move(result));
}

std::vector<Variable> Parser::parameter_list() {
  std::vector<Variable> result;
  if (accept(')')) return result;
  do {
    const std::string word = try_directive();
    if (word != "param" && word != "reg") fail("expected .param");
    Variable variable = variable_head(Space::param);
    variable.name = name();
    dimensions(variable);
    result.push_back(std::move(variable));
  } while (accept(','));
  expect(')');
  return result;
}

void Parser::body(Function& function) {
  int depth = 1;
  location_ = {};
  while (depth > 0) {
    skip_space();
    if (at_end()) fail("'" + function.name + "' has no closing brace");
    if (accept('{')) {
      scopes_.push_back({function.body.size(), {}});
      ++depth;
    } else if (accept('}')) {
      if (--depth > 0) close_scope(function);
    } else if (peek() == '.') {
      body_directive(function);
    } else if (!label(function)) {
      function.body.push_back(instruction());
    }
  }
}

std::string Parser::declared(const std::string& text) {
  if (scopes_.empty()) return text;
  std::string& unique = scopes_.back().renamed[text];
  if (unique.empty()) unique = text + "#" + std::to_string(++renamed_);
  return unique;
}

void Parser::close_scope(Function& function) {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  const auto rename = [&](std::string& text) {
    const auto found = scope.renamed.find(text);
    if (found != scope.renamed.end()) text = found->second;
  };
  const auto rename_operand = [&](Operand& operand, const auto& self) -> void {
    rename(operand.name);
    rename(operand.second);
    for (Operand& element : operand.elements) self(element, self);
  };
  for (std::size_t i = scope.first; i < function.body.size(); ++i) {
    rename(function.body[i].guard);
    for (Operand& operand : function.body[i].operands) rename_operand(operand, rename_operand);
  }
}

void Parser::body_directive(Function& function) {
  const std::string word = try_directive();
  if (word == "reg") {
    registers(function);
  } else if (word == "loc") {
    location();
  } else if (word == "shared" || word == "local" || word == "param" || word == "global" ||
             word == "const") {
    for (Variable& variable : variables(space_of(word), false)) {
      (word == "global" || word == "const" ? module_.variables : function.variables)
          .push_back(std::move(variable));
    }
  } else if (word == "extern") {
    const std::string space = try_directive();
    for (Variable& variable : variables(space_of(space), true))
      function.variables.push_back(std::move(variable));
  } else if (word == "pragma") {
    skip_until(';');
  } else if (word == "file" || word == "section") {
    fail("'." + word + "' inside a function");
  } else {
    fail("unknown directive '." + word + "'");
  }
}

void Parser::registers(Function& function) {
  const std::string word = try_directive();
  const std::optional<Type> type = type_from(word);
  if (!type) fail("unknown register type '." + word + "'");
  do {
    std::string register_name = name();
    if (accept('<')) {
      const std::int64_t count = integer();
      if (count < 1 || count > kMaxRegisters) fail(std::to_string(count) + " registers");
      expect('>');
      function.register_ranges.emplace_back(register_name, static_cast<unsigned>(count));
      function.range_types[register_name] = *type;
    } else {
      function.registers[declared(register_name)] = *type;
    }
  } while (accept(','));
  expect(';');
}

void Parser::location() {
  const Location previous = location_;
  location_ = {};
  location_.file = static_cast<int>(integer());
  location_.line = static_cast<int>(integer());
  location_.column = static_cast<int>(integer());
  while (accept(',')) {
    const std::string word = name();
    if (word == "function_name") {
      name();
      addend();
    } else if (word == "inlined_at") {
      location_.inlined_file = static_cast<int>(integer());
      location_.inlined_line = static_cast<int>(integer());
      integer();
    } else {
      fail("unknown attribute '" + word + "' of .loc");
    }
  }
  if (location_.line != 0) return;
  location_ = previous;
  location_.merged = true;
}

bool Parser::label(Function& function) {
  const Place start = place();
  const std::string text = try_name();
  if (!text.empty() && accept(':')) {
    const Place after = place();
    const std::string word = try_directive();
    if (word == "branchtargets") {
      std::vector<std::string>& targets = function.branch_targets[text];
      do {
        targets.push_back(name());
      } while (accept(','));
      expect(';');
    } else if (word == "callprototype") {
      function.prototypes[text] = true;
      skip_until(';');
    } else {
      return_to(after);
      if (!function.labels.try_emplace(declared(text), function.body.size()).second) {
        fail("the label '" + text + "' stands twice");
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
    result.words.push_back(std::move(word));
  }
  if (accept(';')) return result;
  do {
    result.operands.push_back(operand());
  } while (accept(','));
  expect(';');
  return result;
}

Operand Parser::operand() {
  skip_space();
  if (accept('[')) {
    Operand result = operand();
    result.address = true;
    result.offset += addend();
    expect(']');
    return result;
  }
  if (peek() == '{' || peek() == '(') return list();
  if (number_here()) return number();
  if (peek() == '.') fail("unexpected directive in an operand");
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

Operand Parser::list() {
  Operand result;
  result.kind = Operand::Kind::vector;
  const char open = peek();
  const char close = open == '{' ? '}' : ')';
  expect(open);
  if (accept(close)) return result;
  do {
    result.elements.push_back(operand());
  } while (accept(','));
  expect(close);
  return result;
}

bool Parser::special(std::string_view text) {
  static constexpr std::string_view kNames[] = {"%tid",
                                                "%ntid",
                                                "%ctaid",
                                                "%nctaid",
                                                "%laneid",
                                                "%warpid",
                                                "%nwarpid",
                                                "%smid",
                                                "%nsmid",
                                                "%gridid",
                                                "%lanemask_eq",
                                                "%lanemask_le",
                                                "%lanemask_lt",
                                                "%lanemask_ge",
                                                "%lanemask_gt",
                                                "%clock",
                                                "%clock_hi",
                                                "%clock64",
                                                "%globaltimer",
                                                "%globaltimer_lo",
                                                "%globaltimer_hi",
                                                "%dynamic_smem_size",
                                                "%total_smem_size",
                                                "%is_explicit_cluster",
                                                "%clusterid",
                                                "%nclusterid",
                                                "%cluster_ctaid",
                                                "%cluster_nctaid",
                                                "%cluster_ctarank",
                                                "%cluster_nctarank"};
  for (std::string_view entry : kNames) {
    if (entry == text) return true;
  }
  return false;
}

}  // namespace tessera::ptx
