// Loads, stores and atomics.
#include "grader/simulator/decoder.h"
#include "grader/simulator/ops_memory.h"

namespace tessera::sim {

void Decoder::address(Inst& inst, const Operand& operand) {
  inst.offset = 0;
  if (names_register(operand)) {
    const RegisterSlot& slot = register_of(operand);
    inst.a = slot.ref;
    inst.offset = operand.offset;
    if (slot.bytes == 8) inst.flags |= MemoryFlags::kWideBase;
    return;
  }
  inst.flags |= MemoryFlags::kWideBase;
  if (operand.kind == Kind::integer) {
    inst.a = constant(static_cast<std::uint64_t>(operand.value + operand.offset), 8);
    return;
  }
  const Symbol& found = symbol(operand.name);
  if (found.space == Space::local) {
    inst.a = local_address(found, operand.offset, 8);
  } else {
    inst.a = constant(found.address, 8);
    inst.offset = operand.offset;
  }
}

ptx::Space Decoder::access_space(const Opcode& op, const Operand& operand) {
  const Space declared = space_in(op);
  if (declared != Space::generic || names_register(operand) || operand.kind != Kind::symbol)
    return declared;
  return symbol(operand.name).space;
}

std::uint32_t Decoder::order_flags(const Opcode& op) {
  std::uint32_t flags = 0;
  if (op.has("volatile")) flags |= MemoryFlags::kVolatile;
  if (op.has("relaxed") || op.has("acquire") || op.has("release") || op.has("mmio"))
    flags |= MemoryFlags::kStrong;
  if (op.has("release") || op.has("acq_rel")) flags |= MemoryFlags::kReleases;
  if (op.has("cta")) flags |= MemoryFlags::kBlockScope;
  return flags;
}

void Decoder::add_site(Inst& inst, const Opcode& op, bool store, bool atomic) {
  inst.flags |= order_flags(op);
  inst.site = static_cast<std::uint32_t>(sites_.size());
  sites_.push_back({store, atomic, index_, inst.source});
}

void Decoder::assign_pattern(Inst& inst, Space space, unsigned width) {
  const auto key = std::make_tuple(inst.a.bank, inst.a.offset, static_cast<unsigned>(space), width);
  const bool shareable = current_->guard.empty() && space != Space::generic;
  if (const auto found = groups_.find(key); shareable && found != groups_.end()) {
    inst.pattern = found->second;
    inst.pattern_reused = true;
    return;
  }
  inst.pattern = next_pattern_++ % kPatternSlots;
  std::erase_if(groups_, [&](const auto& entry) { return entry.second == inst.pattern; });
  if (shareable) groups_[key] = inst.pattern;
}

void Decoder::emit_load(const Opcode& op) {
  const Type type = op.type();
  const Operand& to = operand(0);
  const Space space = access_space(op, operand(1));
  Inst inst = blank(nullptr);
  address(inst, operand(1));
  inst.size = ptx::bytes(type);
  const bool vector = to.kind == Kind::vector;
  inst.count = vector ? static_cast<std::uint32_t>(to.elements.size()) : 1;
  assign_pattern(inst, space, inst.size * inst.count);
  unsigned reg_bytes = 0;
  if (vector) {
    inst.extra = register_list(to.elements, inst.size, true, reg_bytes);
  } else {
    inst.dst = destination(to, std::max(2u, inst.size));
    reg_bytes = to.kind == Kind::sink ? std::max(2u, inst.size) : register_of(to).bytes;
  }
  inst.run = load_handler(space, inst.size, reg_bytes, ptx::is_signed(type), vector);
  if (inst.run == nullptr) throw DecodeError{"this form of ld"};
  add_site(inst, op, false, false);
  append(inst);
}

void Decoder::emit_store(const Opcode& op) {
  const Operand& from = operand(1);
  const Space space = access_space(op, operand(0));
  Inst inst = blank(nullptr);
  inst.size = ptx::bytes(op.type());
  const bool vector = from.kind == Kind::vector;
  inst.count = vector ? static_cast<std::uint32_t>(from.elements.size()) : 1;
  unsigned reg_bytes = 0;
  Ref value;
  std::uint32_t list = 0;
  if (vector) {
    list = register_list(from.elements, inst.size, false, reg_bytes);
  } else if (names_register(from)) {
    value = register_of(from).ref;
    reg_bytes = register_of(from).bytes;
  } else {
    reg_bytes = std::max(2u, inst.size);
    value = source(from, reg_bytes);
  }
  address(inst, operand(0));
  assign_pattern(inst, space, inst.size * inst.count);
  inst.b = value;
  inst.extra = list;
  inst.run = store_handler(space, inst.size, reg_bytes, vector);
  if (inst.run == nullptr) throw DecodeError{"this form of st"};
  add_site(inst, op, true, false);
  append(inst);
}

void Decoder::emit_atomic(const Opcode& op) {
  const bool result = op.name() == "atom";
  const std::size_t first = result ? 1 : 0;
  const Space space = access_space(op, operand(first));
  const unsigned bytes = ptx::bytes(op.type());
  Inst inst = blank(atomic_handler(op, space));
  if (inst.run == nullptr || operand(first + 1).kind == Kind::vector)
    throw DecodeError{"this form of atom"};
  const Ref b = source(operand(first + 1), bytes);
  const Ref c = operand_count() > first + 2 ? source(operand(first + 2), bytes) : Ref{};
  address(inst, operand(first));
  inst.b = b;
  inst.c = c;
  inst.size = bytes;
  if (op.has("exch")) inst.flags |= AtomicFlags::kOverwrites;
  if (result) {
    inst.flags |= AtomicFlags::kResult;
    inst.dst = destination(operand(0), bytes);
  }
  add_site(inst, op, true, true);
  append(inst);
}

void Decoder::note_write(Ref ref) {
  std::erase_if(groups_, [&](const auto& entry) {
    return std::get<0>(entry.first) == ref.bank && std::get<1>(entry.first) == ref.offset;
  });
}

}  // namespace tessera::sim
