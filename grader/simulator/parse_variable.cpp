// Variables: of the module, of functions, parameters; their values.
#include <cstring>

#include "grader/simulator/parser.h"

namespace tessera::ptx {

std::vector<Variable> Parser::variables(Space space, bool external) {
  Variable base = variable_head(space);
  base.external = external;
  std::vector<Variable> result;
  do {
    Variable variable = base;
    variable.name = name();
    variable.ptx_line = line();
    dimensions(variable);
    if (accept('=')) initialiser(variable);
    result.push_back(std::move(variable));
  } while (accept(','));
  expect(';');
  return result;
}

Variable Parser::variable_head(Space space) {
  Variable variable;
  variable.space = space;
  unsigned vector = 1;
  for (std::string word = try_directive(); !word.empty(); word = try_directive()) {
    if (word == "align") {
      variable.align = static_cast<std::uint64_t>(integer());
    } else if (word == "v2") {
      vector = 2;
    } else if (word == "v4") {
      vector = 4;
    } else if (word == "attribute") {
      skip_until(')');
    } else if (word == "ptr") {
      continue;
    } else if (const std::optional<Type> type = type_from(word)) {
      variable.type = *type;
      variable.size = std::uint64_t{bytes(*type)} * vector;
      if (variable.align < variable.size) variable.align = variable.size;
    }
    // What is left are spaces of pointed-to memory (.ptr .global), which change nothing here.
  }
  return variable;
}

void Parser::dimensions(Variable& variable) {
  const std::uint64_t element = variable.size;
  while (accept('[')) {
    skip_space();
    if (peek() == ']') {
      variable.size = 0;
    } else {
      variable.size *= static_cast<std::uint64_t>(integer());
    }
    expect(']');
  }
  if (variable.size > (std::uint64_t{1} << 32)) {
    fail("'" + variable.name + "' has " + std::to_string(variable.size) + " bytes");
  }
  if (element == 0) fail("'" + variable.name + "' has no type");
}

void Parser::initialiser(Variable& variable) {
  const bool open = variable.size == 0;  // [] takes its length from the values
  variable.data.assign(variable.size, 0);
  std::size_t offset = 0;
  initialiser_value(variable, offset, open);
  variable.size = variable.data.size();
}

void Parser::initialiser_value(Variable& variable, std::size_t& offset, bool open) {
  if (accept('{')) {
    if (accept('}')) return;
    do {
      initialiser_value(variable, offset, open);
    } while (accept(','));
    expect('}');
    return;
  }
  const unsigned size = bytes(variable.type);
  if (open) variable.data.resize(offset + size);
  if (offset + size > variable.data.size())
    fail("too many initialisers for '" + variable.name + "'");
  if (number_here()) {
    const Operand value = number();
    if (accept('(')) {  // 0xFF00(symbol): one byte of an address
      Variable::Relocation relocation = symbol_initialiser(offset, 1);
      expect(')');
      while (relocation.shift < 64 && ((value.value >> relocation.shift) & 0xff) == 0)
        relocation.shift += 8;
      variable.relocations.push_back(relocation);
    } else {
      std::uint64_t bits = static_cast<std::uint64_t>(value.value);
      if (value.kind == Operand::Kind::float64 && variable.type == Type::f32) {
        double wide = 0;
        std::memcpy(&wide, &value.value, sizeof wide);
        const float narrow = static_cast<float>(wide);
        std::uint32_t pattern = 0;
        std::memcpy(&pattern, &narrow, sizeof narrow);
        bits = pattern;
      }
      std::memcpy(variable.data.data() + offset, &bits, size);
    }
  } else {
    variable.relocations.push_back(symbol_initialiser(offset, size));
  }
  offset += size;
}

Variable::Relocation Parser::symbol_initialiser(std::size_t offset, unsigned size) {
  Variable::Relocation relocation;
  relocation.offset = offset;
  relocation.bytes = size;
  relocation.symbol = name();
  relocation.generic = relocation.symbol == "generic";
  if (relocation.generic) {
    expect('(');
    relocation.symbol = name();
    relocation.addend = addend();
    expect(')');
  }
  relocation.addend += addend();
  return relocation;
}

std::int64_t Parser::addend() {
  if (accept('+')) return integer();
  skip_space();
  return peek() == '-' ? integer() : 0;
}

}  // namespace tessera::ptx
