// Declarations of variables and parameters, and initialisers.
#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/ptx/parser.h"

namespace tessera::ptx {

std::vector<Variable> Parser::variables(Space space, bool external) {
  Variable base = variable_head(space);
  base.external = external;
  std::vector<Variable> result;
  do {
    Variable variable = base;
    variable.name = name();
    need_declarable(variable.name);
    variable.ptx_line = line();
    count_name();
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
      variable.align = alignment();
    } else if (word == "v2") {
      vector = 2;
    } else if (word == "v4") {
      vector = 4;
    } else if (word == "attribute") {
      skip_until(')');
    } else if (word == "ptr") {
      continue;
    } else if (word == "texref" || word == "samplerref" || word == "surfref") {
      fail_unknown("the simulator has no textures and surfaces");
    } else if (const std::optional<Type> type = type_from(word)) {
      variable.type = *type;
      variable.size = std::uint64_t{bytes(*type)} * vector;
      if (variable.align < variable.size) variable.align = variable.size;
    }
    // Other words are spaces of pointed-to memory (.ptr .global), which the simulator ignores.
  }
  return variable;
}

std::uint64_t Parser::alignment() {
  const auto align = static_cast<std::uint64_t>(integer_to(kMaxAlign));
  if (!std::has_single_bit(align)) fail("an alignment must be a power of two");
  return align;
}

void Parser::dimensions(Variable& variable) {
  const std::uint64_t element = variable.size;
  if (element == 0) fail("'" + variable.name + "' has no type");
  while (accept('[')) {
    skip_space();
    if (peek() == ']') {
      variable.size = 0;
    } else {
      const std::int64_t extent = integer();
      if (extent < 0) fail(std::to_string(extent) + " is no extent of an array");
      const auto count = static_cast<std::uint64_t>(extent);
      if (variable.size != 0 && count > kMaxGlobalBytes / variable.size) too_large(variable);
      variable.size *= count;
    }
    expect(']');
  }
}

void Parser::too_large(const Variable& variable) const {
  // Compilers put all local arrays of a function into one, which has no name in the source.
  const bool own = variable.space == Space::local;
  fail_over_limit((own ? "a local array has more than " : "more than ") +
                      std::to_string(own ? kMaxLocalBytes : kMaxGlobalBytes) + " bytes",
                  own ? function_ : variable.name);
}

void Parser::initialiser(Variable& variable) {
  if (variable.space != Space::global && variable.space != Space::constant)
    fail("only variables in .global and .const have an initialiser");
  const bool open = variable.size == 0;  // [] takes its length from the values
  if (initialised_bytes_ + variable.size > kMaxGlobalBytes)
    fail_over_limit("more than " + std::to_string(kMaxGlobalBytes) + " initialised bytes",
                    variable.name);
  variable.data.assign(variable.size, 0);
  std::size_t offset = 0;
  initialiser_value(variable, offset, open);
  variable.size = variable.data.size();
  initialised_bytes_ += variable.size;
}

void Parser::initialiser_value(Variable& variable, std::size_t& offset, bool open) {
  const Nested nested(*this);
  if (accept('{')) {
    if (accept('}')) return;
    do {
      initialiser_value(variable, offset, open);
    } while (accept(','));
    expect('}');
    return;
  }
  const unsigned size = bytes(variable.type);
  if (open && offset + size <= kMaxGlobalBytes) variable.data.resize(offset + size);
  if (offset + size > variable.data.size())
    fail("too many initialisers for '" + variable.name + "'");
  if (number_here()) {
    number_initialiser(variable, offset);
  } else {
    variable.relocations.push_back(symbol_initialiser(offset, std::min(size, 8u)));
  }
  offset += size;
}

void Parser::number_initialiser(Variable& variable, std::size_t offset) {
  const Operand value = number();
  auto bits = static_cast<std::uint64_t>(value.value);
  if (accept('(')) {  // 0xFF00(symbol): one byte of an address
    Variable::Relocation relocation = symbol_initialiser(offset, 1);
    expect(')');
    relocation.shift = static_cast<unsigned>(std::countr_zero(bits));
    if (bits == 0 || relocation.shift % 8 != 0 || bits >> relocation.shift != 0xff)
      fail("the mask of an address must be one byte, such as 0xFF00");
    variable.relocations.push_back(relocation);
    return;
  }
  const bool single = value.kind == Operand::Kind::float32;
  const bool converted = value.kind == Operand::Kind::float64 && variable.type == Type::f32;
  const bool as_it_is = value.kind == Operand::Kind::integer
                            ? !is_float(variable.type)
                            : variable.type == (single ? Type::f32 : Type::f64);
  if (converted) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.value)));
  } else if (!as_it_is) {
    fail_unknown("the simulator cannot convert a number of this kind for '" + variable.name + "'");
  }
  std::memcpy(variable.data.data() + offset, &bits,
              std::min<std::size_t>(bytes(variable.type), sizeof bits));
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
  relocation.addend = wrapped_sum(relocation.addend, addend());
  count_name();
  return relocation;
}

std::int64_t Parser::addend() {
  if (accept('+')) return integer();
  skip_space();
  return peek() == '-' ? integer() : 0;
}

}  // namespace tessera::ptx
