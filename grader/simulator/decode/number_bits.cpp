#include "grader/simulator/decode/number_bits.h"

#include <algorithm>
#include <optional>

#include "grader/simulator/decode/register_uses.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;
using Bits = std::uint64_t;

constexpr Bits kAllBits = ~Bits{0};

Bits low_bits(unsigned count) {
  return count >= 64 ? kAllBits : (Bits{1} << count) - 1;
}

/// Shifts by any distance.
Bits shifted_left(Bits bits, std::uint64_t distance) {
  return distance >= 64 ? 0 : bits << distance;
}
Bits shifted_right(Bits bits, std::uint64_t distance) {
  return distance >= 64 ? 0 : bits >> distance;
}

Bits all_if(Bits any) {
  return any != 0 ? kAllBits : 0;
}

std::optional<Bits> constant_of(const Operand& operand) {
  if (operand.kind != Operand::Kind::integer) return std::nullopt;
  return static_cast<Bits>(operand.value);
}

/// Returns the bits of a, or (`of_b`) of b, that prmt moves to these bits of its result.
Bits permuted(Bits result, Bits selector, bool of_b) {
  Bits bits = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const Bits wanted = result >> 8 * byte & 0xff;
    const Bits from = selector >> 4 * byte & 0xf;
    if (wanted == 0 || (from >> 2 & 1) != Bits{of_b}) continue;
    bits |= ((from & 8) != 0 ? Bits{0x80} : wanted) << 8 * (from & 3);
  }
  return bits;
}

}  // namespace

NumberBits::NumberBits(const ptx::Function& function) {
  for (const auto* variables : {&function.variables, &function.returns}) {
    for (const ptx::Variable& variable : *variables) {
      const bool is_struct = variable.type == ptx::Type::b8;
      if (variable.space == ptx::Space::param && !is_struct) numbers_.insert(variable.name);
    }
  }
  // Loops pass needs back to earlier instructions. After a few passes over the body nothing
  // changes.
  constexpr int kMostPasses = 8;
  grown_ = true;
  for (int pass = 0; grown_ && pass < kMostPasses; ++pass) {
    grown_ = false;
    for (std::size_t i = function.body.size(); i-- > 0;) add_needs(function.body[i]);
  }
}

Bits NumberBits::of(std::string_view name) const {
  const auto found = needs_.find(name);
  return found == needs_.end() ? 0 : found->second.numbers;
}

void NumberBits::add(const Operand& operand, Need need) {
  if (operand.kind != Operand::Kind::reg || need == Need{}) return;
  Need& known = needs_[operand.name];
  const Need more{known.numbers | need.numbers, known.copied | need.copied};
  grown_ |= more != known;
  known = more;
}

NumberBits::Need NumberBits::need_of(const Operand& result) const {
  const auto found = needs_.find(result.name);
  return found == needs_.end() ? Need{} : found->second;
}

/// Handles mov, also between a vector and a register.
void NumberBits::add_move(const Instruction& instruction) {
  const Opcode op(instruction.words);
  const Operand& to = instruction.operands[0];
  const Operand& from = instruction.operands[1];
  const std::vector<Operand>& parts =
      to.kind == Operand::Kind::vector ? to.elements : from.elements;
  if (parts.empty()) return add(from, need_of(to));
  const unsigned width = ptx::bits(op.type()) / static_cast<unsigned>(parts.size());
  for (unsigned i = 0; i < parts.size(); ++i) {
    const unsigned shift = i * width;
    if (&parts == &to.elements) {
      const Need need = need_of(parts[i]);
      add(from, {shifted_left(need.numbers & low_bits(width), shift),
                 shifted_left(need.copied & low_bits(width), shift)});
    } else {
      const Need need = need_of(to);
      add(parts[i], {shifted_right(need.numbers, shift) & low_bits(width),
                     shifted_right(need.copied, shift) & low_bits(width)});
    }
  }
}

/// Handles instructions that take bits apart, move or join them.
void NumberBits::add_bits(const Instruction& instruction, const Need& result) {
  const std::string_view name = instruction.name();
  const std::vector<Operand>& operands = instruction.operands;
  const Opcode op(instruction.words);
  const Bits width = low_bits(ptx::bits(op.type()));
  const Bits numbers = result.numbers & width;
  const Bits copied = result.copied & width;
  const std::optional<Bits> second =
      operands.size() > 2 ? constant_of(operands[2]) : std::optional<Bits>();
  if (name == "and" && second) {
    // The stored value has zeros in place of the other bits.
    const Bits made = (copied & ~*second) != 0 ? copied : 0;
    return add(operands[1], {(numbers | made) & *second, made != 0 ? 0 : copied});
  }
  if (name == "or" && second) return add(operands[1], {numbers & ~*second, 0});
  if (name == "xor" || name == "not" || name == "cnot") {
    for (std::size_t i = 1; i < operands.size(); ++i) add(operands[i], {numbers | copied, 0});
    return;
  }
  if ((name == "shl" || name == "shr") && second) {
    const auto distance = static_cast<unsigned>(std::min<Bits>(*second, 64));
    const bool left = name == "shl";
    const auto back = [&](Bits bits) {
      return left ? shifted_right(bits, distance) : shifted_left(bits, distance) & width;
    };
    const Bits filled = left ? low_bits(distance) & width : width & ~shifted_right(width, distance);
    const bool made = distance >= 64 || (copied & filled) != 0;
    Bits needed = back(made ? numbers | copied : numbers);
    if (!left && ptx::is_signed(op.type()) && ((numbers | (made ? copied : 0)) & filled) != 0)
      needed |= width & ~(width >> 1);
    return add(operands[1], {needed, made ? 0 : back(copied)});
  }
  if (name == "bfe" && second && operands.size() == 4) {
    if (const auto length = constant_of(operands[3]); length && *second < 64) {
      const Bits taken = low_bits(static_cast<unsigned>(std::min<Bits>(*length, 64)));
      return add(operands[1], {shifted_left(all_if(numbers | copied) & taken, *second), 0});
    }
  }
  if (name == "prmt" && operands.size() == 4) {
    if (const auto selector = constant_of(operands[3])) {
      add(operands[1], {permuted(numbers, *selector, false), 0});
      return add(operands[2], {permuted(numbers, *selector, true), 0});
    }
  }
  // The result may be a struct that the program puts together from pieces.
  const bool joins = name == "or" || name == "lop3" || name == "prmt" || name == "bfi";
  const Bits all = joins ? numbers : numbers | copied;
  const bool in_place = name == "and" || name == "or" || name == "lop3";
  for (std::size_t i = 1; i < operands.size(); ++i)
    add(operands[i], {in_place ? all : all_if(all), 0});
}

void NumberBits::add_needs(const Instruction& instruction) {
  const std::string_view name = instruction.name();
  const std::vector<Operand>& operands = instruction.operands;
  if (operands.empty()) return;
  if (is_arithmetic(instruction) || name == "setp" || name == "set") {
    for (std::size_t i = 1; i < operands.size(); ++i) add(operands[i], {kAllBits, 0});
    return;
  }
  if (ptx::info_of(instruction).is(ptx::kMultiplies)) {
    for (std::size_t i = 1; i < operands.size(); ++i) {
      for (const Operand& element : operands[i].elements) add(element, {kAllBits, 0});
    }
    return;
  }
  if (name == "st" && operands.size() == 2) {
    const Bits all = low_bits(ptx::bits(Opcode(instruction.words).type()));
    const Need whole = numbers_.contains(operands[0].name) ? Need{all, 0} : Need{0, all};
    if (!operands[1].unread) add(operands[1], whole);
    for (const Operand& element : operands[1].elements) {
      if (!element.unread) add(element, whole);
    }
    return;
  }
  if (operands.size() < 2 || !ptx::has_result(instruction)) return;
  const Need result = need_of(operands[0]);
  if (name == "mov") return add_move(instruction);
  if (name == "selp" || name == "shfl") {
    add(operands[1], result);
    if (name == "selp" && operands.size() > 2) add(operands[2], result);
    return;
  }
  if (name == "cvt") {
    const Opcode op(instruction.words);
    const ptx::Type from = op.type(1);
    const Bits width = low_bits(ptx::bits(from));
    const bool widened = ((result.numbers | result.copied) & ~width) != 0;
    const bool made = ptx::is_float(op.type()) || ptx::is_float(from) || widened;
    const Bits all = result.numbers | result.copied;
    return add(operands[1], made ? Need{all_if(all) & width, 0}
                                 : Need{result.numbers & width, result.copied & width});
  }
  if (ptx::info_of(instruction).is(ptx::kEveryForm)) add_bits(instruction, result);
}

}  // namespace tessera::sim
