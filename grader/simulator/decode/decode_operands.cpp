// Turns the operands of an instruction into registers, constants and addresses.
#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/decode/decoder.h"
#include "grader/simulator/exec/ops_move.h"
#include "grader/simulator/ptx/limits.h"

namespace tessera::sim {

const RegisterSlot* Decoder::find_register(const std::string& name) {
  if (const auto found = registers_.find(name); found != registers_.end()) return &found->second;
  const std::optional<Type> type = source_.register_type(name);
  if (!type) return nullptr;
  if (symbols_.contains(name)) throw InvalidPtx{ptx::declared_elsewhere(name)};
  return &registers_.emplace(name, new_register(*type)).first->second;
}

RegisterSlot Decoder::new_register(Type type) {
  if (type == Type::pred) return {new_predicate(), 0, true};
  const unsigned bytes = std::max(2u, ptx::bytes(type));
  if (bytes > 8) throw DecodeError{"128-bit registers"};
  RegisterSlot slot{{function_.register_bytes, 0}, bytes, false};
  function_.register_bytes += (kLanes * bytes + 63) / 64 * 64;
  if (function_.register_bytes > ptx::kMaxRegisterBytes)
    throw InvalidPtx{"the registers of a function, of 32 threads, have more than " +
                         std::to_string(ptx::kMaxRegisterBytes) + " bytes",
                     source_.ptx_line, LoadFault::over_limit};
  return slot;
}

Ref Decoder::new_predicate() {
  return {function_.predicates++, kPredicateBank};
}

Ref Decoder::temporary(unsigned bytes) {
  switch (bytes) {
    case 2:
      return new_register(Type::b16).ref;
    case 4:
      return new_register(Type::b32).ref;
    case 8:
      return new_register(Type::b64).ref;
    default:
      throw DecodeError{"an operand of " + std::to_string(bytes) + " bytes"};
  }
}

Ref Decoder::constant(std::uint64_t bits, unsigned bytes) {
  if (bytes != 2 && bytes != 4 && bytes != 8)
    throw DecodeError{"a constant of " + std::to_string(bytes) + " bytes"};
  if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  const auto key = std::make_pair(bits, bytes);
  if (const auto found = constants_.find(key); found != constants_.end()) return found->second;
  const auto offset = static_cast<std::uint32_t>(function_.constants.size());
  if (offset > ptx::kMaxLiteralBytes)
    throw InvalidPtx{"the constants of a function, for 32 threads, have more than " +
                         std::to_string(ptx::kMaxLiteralBytes) + " bytes",
                     source_.ptx_line, LoadFault::over_limit};
  function_.constants.resize(offset + kLanes * bytes);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    std::memcpy(&function_.constants[offset + lane * bytes], &bits, bytes);
  return constants_[key] = Ref{offset, 1};
}

const Symbol& Decoder::symbol(const std::string& name) const {
  const auto outside = symbols_.find(name);
  if (const auto found = locals_.find(name); found != locals_.end()) {
    if (outside != symbols_.end()) throw InvalidPtx{ptx::declared_elsewhere(name)};
    return found->second;
  }
  if (outside != symbols_.end()) return outside->second;
  throw InvalidPtx{"unknown name '" + ptx::declared_name(name) + "'"};
}

const RegisterSlot& Decoder::register_of(const Operand& operand) {
  if (operand.address || operand.negated || !operand.second.empty() || operand.offset != 0)
    throw Mismatch{{"'" + operand.name + "' in a form that is no register"}};
  const RegisterSlot* slot = find_register(operand.name);
  if (slot != nullptr) return *slot;
  if (ptx::is_reserved_register(operand.name))
    throw DecodeError{"special register " + operand.name};
  throw InvalidPtx{"unknown register '" + ptx::declared_name(operand.name) + "'"};
}

bool Decoder::names_register(const Operand& operand) {
  return (operand.kind == Kind::reg || operand.kind == Kind::symbol) &&
         find_register(operand.name) != nullptr;
}

Ref Decoder::source(const Operand& operand, unsigned bytes) {
  if (operand.address || operand.negated) throw Mismatch{{"an address where a value is expected"}};
  switch (operand.kind) {
    case Kind::float32:
      if (bytes != 4) throw DecodeError{"a number of 32 bits in this place"};
      [[fallthrough]];
    case Kind::integer:
      return constant(static_cast<std::uint64_t>(operand.value), bytes);
    case Kind::float64: {
      if (bytes == 8) return constant(static_cast<std::uint64_t>(operand.value), 8);
      if (bytes != 4 || !current_->has("f32")) throw DecodeError{"a fraction in this place"};
      const auto narrow = static_cast<float>(std::bit_cast<double>(operand.value));
      return constant(std::bit_cast<std::uint32_t>(narrow), bytes);
    }
    case Kind::special: {
      const Ref to = temporary(bytes);
      emit_special(operand, to, bytes);
      return to;
    }
    case Kind::reg:
      return register_source(operand, bytes);
    case Kind::symbol:
      break;
    default:
      throw Mismatch{{"an operand that is no value"}};
  }
  if (names_register(operand)) return register_source(operand, bytes);
  const Symbol& found = symbol(operand.name);
  if (found.space == Space::local) return local_address(found, operand.offset, bytes);
  return constant(found.address + static_cast<std::uint64_t>(operand.offset), bytes);
}

Ref Decoder::register_source(const Operand& operand, unsigned bytes) {
  const RegisterSlot& slot = register_of(operand);
  if (slot.predicate)
    throw Mismatch{{"predicate '" + operand.name + "' where a value is expected"}};
  if (slot.bytes < bytes) throw Mismatch{{"register '" + operand.name + "' is too narrow"}};
  return slot.bytes > bytes ? narrowed(slot, bytes) : slot.ref;
}

Ref Decoder::narrowed(const RegisterSlot& slot, unsigned bytes) {
  const Ref to = temporary(bytes);
  const std::vector<std::string> words{"cvt", bytes == 2 ? "u16" : "u32",
                                       slot.bytes == 8 ? "u64" : "u32"};
  Inst inst = blank(convert_handler(Opcode(words), bytes, slot.bytes));
  inst.dst = to;
  inst.a = slot.ref;
  append_unguarded(inst);
  return to;
}

Ref Decoder::local_address(const Symbol& variable, std::int64_t offset, unsigned bytes) {
  if (bytes < 4) throw Mismatch{{"an address in " + std::to_string(bytes) + " bytes"}};
  const Ref to = temporary(bytes);
  Inst inst = blank(local_address_handler(bytes));
  inst.dst = to;
  inst.offset = ptx::wrapped_sum(static_cast<std::int64_t>(variable.address), offset);
  append_unguarded(inst);
  return to;
}

Ref Decoder::destination(const Operand& operand, unsigned bytes) {
  if (operand.kind == Kind::sink) return temporary(bytes);
  Operand first = operand;
  first.second.clear();  // the p of r|p, which the instruction decodes itself
  const RegisterSlot& slot = register_of(first);
  if (slot.predicate)
    throw Mismatch{{"predicate '" + operand.name + "' where a register is expected"}};
  if (slot.bytes < bytes) throw Mismatch{{"register '" + operand.name + "' is too narrow"}};
  if (slot.bytes > bytes)
    throw DecodeError{"a result in the wider register '" + operand.name + "'"};
  note_write(slot.ref);
  return slot.ref;
}

Ref Decoder::predicate(const std::string& name) {
  const RegisterSlot* slot = find_register(name);
  if (slot != nullptr && slot->predicate) return slot->ref;
  throw InvalidPtx{"'" + ptx::declared_name(name) + "' is no predicate"};
}

std::pair<Ref, bool> Decoder::predicate_source(const Operand& operand) {
  if (operand.kind == Kind::integer) return {Ref{0, kPredicateBank}, operand.value == 0};
  if (operand.address || !operand.second.empty())
    throw Mismatch{{"'" + operand.name + "' in a form that is no predicate"}};
  return {predicate(operand.name), operand.negated};
}

Ref Decoder::predicate_destination(const Operand& operand) {
  if (operand.kind == Kind::sink) return Ref{0, kPredicateBank};
  if (operand.address || operand.negated)
    throw Mismatch{{"'" + operand.name + "' in a form that is no result"}};
  return predicate(operand.name);
}

Ref Decoder::second_predicate(const Operand& operand) {
  if (operand.second.empty() || operand.second == "_") return Ref{0, kPredicateBank};
  if (operand.second == operand.name) throw InvalidPtx{"two results in " + operand.name};
  return predicate(operand.second);
}

Ref Decoder::kept_predicate(const Operand& operand) {
  return operand.kind == Kind::sink ? new_predicate() : predicate_destination(operand);
}

void Decoder::emit_special(const Operand& from, Ref to, unsigned bytes) {
  const int index = special_index(from.name);
  if (index < 0) throw DecodeError{"special register " + from.name};
  Inst inst = blank(special_handler(bytes));
  inst.flags = static_cast<std::uint32_t>(index);
  inst.dst = to;
  append_unguarded(inst);
}

unsigned Decoder::register_bytes(const std::vector<Operand>& elements, unsigned otherwise) {
  for (const Operand& element : elements) {
    if (names_register(element)) return register_of(element).bytes;
  }
  return otherwise;
}

void Decoder::attach_list(Inst& inst, const std::vector<Operand>& elements, unsigned bytes,
                          bool written) {
  List list;
  for (const Operand& element : elements) {
    const bool sink = element.kind == Kind::sink;
    if (sink && !written) throw InvalidPtx{"'_' where a value is expected"};
    if (element.kind == Kind::float64 && bytes != 8) throw DecodeError{"a fraction in this place"};
    if (sink) {
      list.refs.emplace_back();
    } else {
      list.refs.push_back(written ? destination(element, bytes) : source(element, bytes));
    }
    list.sizes.push_back(sink ? 0 : bytes);
  }
  attach(inst, std::move(list));
}

void Decoder::attach(Inst& inst, List list) {
  inst.extra = static_cast<std::uint32_t>(function_.lists.size());
  lists_read_.push_back({function_.code.size(), list.refs.size()});
  function_.lists.push_back(std::move(list));
}

}  // namespace tessera::sim
