// Operands of an instruction -> registers, constants, addresses.
#include <bit>
#include <cstring>

#include "grader/simulator/decoder.h"
#include "grader/simulator/ops_move.h"

namespace tessera::sim {

std::optional<ptx::Type> Decoder::declared_type(const std::string& name) const {
  if (const auto found = source_.registers.find(name); found != source_.registers.end())
    return found->second;
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  if (digits == name.size()) return std::nullopt;
  if (const auto found = source_.range_types.find(name.substr(0, digits));
      found != source_.range_types.end()) {
    return found->second;
  }
  return std::nullopt;
}

const RegisterSlot* Decoder::find_register(const std::string& name) {
  if (const auto found = registers_.find(name); found != registers_.end()) return &found->second;
  const std::optional<Type> type = declared_type(name);
  if (!type) return nullptr;
  return &registers_.emplace(name, new_register(*type)).first->second;
}

RegisterSlot Decoder::new_register(Type type) {
  if (type == Type::pred) return {{function_.predicates++, 0}, 0, true};
  const unsigned bytes = std::max(2u, ptx::bytes(type));
  if (bytes > 8) throw DecodeError{"128-bit registers"};
  RegisterSlot slot{{function_.register_bytes, 0}, bytes, false};
  function_.register_bytes += (kLanes * bytes + 63) / 64 * 64;
  return slot;
}

Ref Decoder::constant(std::uint64_t bits, unsigned bytes) {
  if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  const auto key = std::make_pair(bits, bytes);
  if (const auto found = constants_.find(key); found != constants_.end()) return found->second;
  const auto offset = static_cast<std::uint32_t>(function_.constants.size());
  function_.constants.resize(offset + kLanes * bytes);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    std::memcpy(&function_.constants[offset + lane * bytes], &bits, bytes);
  return constants_[key] = Ref{offset, 1};
}

const Symbol& Decoder::symbol(const std::string& name) const {
  if (const auto found = locals_.find(name); found != locals_.end()) return found->second;
  if (const auto found = symbols_.find(name); found != symbols_.end()) return found->second;
  throw DecodeError{"unknown name '" + name + "'"};
}

const RegisterSlot& Decoder::register_of(const Operand& operand) {
  const RegisterSlot* slot = find_register(operand.name);
  if (slot == nullptr) throw DecodeError{"unknown register '" + operand.name + "'"};
  return *slot;
}

bool Decoder::names_register(const Operand& operand) {
  return (operand.kind == Kind::reg || operand.kind == Kind::symbol) &&
         find_register(operand.name) != nullptr;
}

Ref Decoder::source(const Operand& operand, unsigned bytes) {
  switch (operand.kind) {
    case Kind::integer:
    case Kind::float32:
      return constant(static_cast<std::uint64_t>(operand.value), bytes);
    case Kind::float64: {
      if (bytes == 8) return constant(static_cast<std::uint64_t>(operand.value), 8);
      const auto narrow = static_cast<float>(std::bit_cast<double>(operand.value));
      return constant(std::bit_cast<std::uint32_t>(narrow), bytes);
    }
    case Kind::special: {
      const Ref temporary = new_register(bytes == 8   ? Type::b64
                                         : bytes == 2 ? Type::b16
                                                      : Type::b32)
                                .ref;
      emit_special(operand, temporary, bytes);
      return temporary;
    }
    default:
      break;
  }
  if (names_register(operand)) {
    const RegisterSlot& slot = register_of(operand);
    if (slot.predicate)
      throw DecodeError{"predicate '" + operand.name + "' where a value is expected"};
    if (slot.bytes < bytes) throw DecodeError{"register '" + operand.name + "' is too narrow"};
    if (slot.bytes > bytes) return narrowed(slot, bytes);
    return slot.ref;
  }
  if (operand.kind != Kind::symbol)
    throw DecodeError{"an operand that the simulator does not know"};
  const Symbol& found = symbol(operand.name);
  if (found.space == Space::local) return local_address(found, operand.offset, bytes);
  return constant(found.address + static_cast<std::uint64_t>(operand.offset), bytes);
}

Ref Decoder::narrowed(const RegisterSlot& slot, unsigned bytes) {
  const Type types[] = {bytes == 2 ? Type::u16 : Type::u32,
                        slot.bytes == 8 ? Type::u64 : Type::u32};
  const RegisterSlot temporary = new_register(bytes == 2 ? Type::b16 : Type::b32);
  const std::vector<std::string> words{"cvt", bytes == 2 ? "u16" : "u32",
                                       types[1] == Type::u64 ? "u64" : "u32"};
  Inst inst = blank(convert_handler(Opcode(words), bytes, slot.bytes));
  inst.dst = temporary.ref;
  inst.a = slot.ref;
  append_unguarded(inst);
  return temporary.ref;
}

Ref Decoder::local_address(const Symbol& variable, std::int64_t offset, unsigned bytes) {
  const Ref temporary = new_register(bytes == 8 ? Type::b64 : Type::b32).ref;
  Inst inst = blank(local_address_handler(bytes));
  inst.dst = temporary;
  inst.offset = static_cast<std::int64_t>(variable.address) + offset;
  append_unguarded(inst);
  return temporary;
}

Ref Decoder::destination(const Operand& operand, unsigned bytes) {
  if (operand.kind == Kind::sink)
    return new_register(bytes == 8 ? Type::b64 : bytes == 2 ? Type::b16 : Type::b32).ref;
  const RegisterSlot& slot = register_of(operand);
  if (slot.predicate)
    throw DecodeError{"predicate '" + operand.name + "' where a register is expected"};
  if (slot.bytes < bytes) throw DecodeError{"register '" + operand.name + "' is too narrow"};
  note_write(slot.ref);
  return slot.ref;
}

std::uint32_t Decoder::predicate(const std::string& name) {
  const RegisterSlot* slot = find_register(name);
  if (slot == nullptr || !slot->predicate) throw DecodeError{"'" + name + "' is no predicate"};
  return slot->ref.offset;
}

std::pair<std::uint32_t, bool> Decoder::predicate_source(const Operand& operand) {
  if (operand.kind == Kind::integer) return {0, operand.value == 0};
  return {predicate(operand.name), operand.negated};
}

std::uint32_t Decoder::predicate_destination(const Operand& operand) {
  return operand.kind == Kind::sink ? 0 : predicate(operand.name);
}

std::uint32_t Decoder::kept_predicate(const Operand& operand) {
  const std::uint32_t index = predicate_destination(operand);
  return index != 0 ? index : function_.predicates++;
}

void Decoder::emit_special(const Operand& from, Ref to, unsigned bytes) {
  const int index = special_index(from.name);
  if (index < 0) throw DecodeError{"special register " + from.name};
  Inst inst = blank(special_handler(bytes));
  inst.flags = static_cast<std::uint32_t>(index);
  inst.dst = to;
  append_unguarded(inst);
}

std::uint32_t Decoder::register_list(const std::vector<Operand>& elements, unsigned size,
                                     bool written, unsigned& reg_bytes) {
  reg_bytes = std::max(2u, size);
  for (const Operand& element : elements) {
    if (names_register(element)) reg_bytes = register_of(element).bytes;
  }
  List list;
  for (const Operand& element : elements) {
    const bool sink = element.kind == Kind::sink;
    if (sink) {
      list.refs.push_back({});
    } else {
      list.refs.push_back(written ? destination(element, reg_bytes) : source(element, reg_bytes));
    }
    list.sizes.push_back(sink ? 0 : reg_bytes);
  }
  function_.lists.push_back(std::move(list));
  return static_cast<std::uint32_t>(function_.lists.size()) - 1;
}

}  // namespace tessera::sim
