// Loads, stores and atomics.
#include <limits>
#include <span>

#include "grader/simulator/decode/decoder.h"
#include "grader/simulator/exec/mbarriers.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {

void Decoder::address(Inst& inst, const Operand& operand) {
  if (!operand.address) throw InvalidPtx{"an address must stand in brackets"};
  inst.offset = 0;
  if (names_register(operand)) {
    const RegisterSlot& slot = *find_register(operand.name);
    if (slot.predicate || slot.bytes < 4 || operand.negated)
      throw InvalidPtx{"'" + operand.name + "' holds no address"};
    inst.a = slot.ref;
    inst.offset = operand.offset;
    if (slot.bytes == 8) inst.flags |= MemoryFlags::kWideBase;
    return;
  }
  inst.flags |= MemoryFlags::kWideBase;
  if (operand.kind == Kind::integer) {
    inst.a =
        constant(static_cast<std::uint64_t>(ptx::wrapped_sum(operand.value, operand.offset)), 8);
    return;
  }
  if (operand.kind != Kind::symbol) throw DecodeError{"an address in this form"};
  const Symbol& found = symbol(operand.name);
  if (found.space == Space::local) {
    inst.a = local_address(found, operand.offset, 8);
  } else {
    inst.a = constant(found.address, 8);
    inst.offset = operand.offset;
  }
}

ptx::Space Decoder::access_space(const Operand& operand) {
  const Space declared = ptx::space_of(*current_);
  if (declared != Space::generic || names_register(operand) || operand.kind != Kind::symbol)
    return declared;
  return symbol(operand.name).space;
}

std::uint32_t Decoder::order_flags(const Opcode& op) {
  std::uint32_t flags = 0;
  if (op.has("volatile")) flags |= MemoryFlags::kVolatile;
  if (std::ranges::any_of(kStrongWords, [&](const char* word) { return op.has(word); }))
    flags |= MemoryFlags::kStrong;
  if (op.has("release") || op.has("acq_rel")) flags |= MemoryFlags::kReleases;
  if (op.has("cta") || op.has("cluster")) flags |= MemoryFlags::kBlockScope;
  if (op.has("nc") || op.name() == "ldu") flags |= MemoryFlags::kCached;
  return flags;
}

void Decoder::add_site(Inst& inst, const Opcode& op, SiteKind kind) {
  inst.flags |= order_flags(op);
  inst.talks = kind == SiteKind::atomic || (inst.flags & MemoryFlags::kTalks) != 0;
  inst.site = static_cast<std::uint32_t>(sites_.size());
  sites_.push_back({.kind = kind, .bytes = inst.size, .function = index_, .source = inst.source});
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

unsigned Decoder::vector_count(const Opcode& op, const Operand& value) {
  const unsigned named = op.has("v2") ? 2 : op.has("v4") ? 4 : op.has("v8") ? 8 : 1;
  const bool vector = value.kind == Kind::vector;
  if (vector != (named != 1) || (vector && value.elements.size() != named))
    throw InvalidPtx{"the number of registers in braces is not that of .v2, .v4 or .v8"};
  const unsigned width = named * ptx::bytes(op.type());
  const bool widest = width == 32 && ptx::bytes(op.type()) >= 4;
  if (width > 16 && !widest) throw InvalidPtx{"a vector of " + std::to_string(width) + " bytes"};
  if (named == 8 && !widest) throw DecodeError{"a vector of eight"};
  return named;
}

void Decoder::emit_load(const Opcode& op) {
  expect_operands(2);
  const Operand& to = operand(0);
  const Space space = access_space(operand(1));
  Inst inst = blank(nullptr);
  inst.size = ptx::bytes(op.type());
  inst.count = vector_count(op, to);
  const bool vector = inst.count != 1;
  const unsigned least = std::max(2u, inst.size);
  const unsigned reg_bytes = vector                  ? register_bytes(to.elements, least)
                             : to.kind == Kind::sink ? least
                                                     : register_of(to).bytes;
  inst.run = load_handler(space, inst.size, reg_bytes, ptx::is_signed(op.type()), vector);
  if (inst.run == nullptr) throw DecodeError{"this form of ld"};
  address(inst, operand(1));
  assign_pattern(inst, space, inst.size * inst.count);
  if (vector) {
    attach_list(inst, to.elements, reg_bytes, true);
  } else {
    inst.dst = destination(to, reg_bytes);
  }
  if (vector || space == Space::local || space == Space::shared || space == Space::generic)
    inst.flags |= copy_flags(to);
  inst.numbers = number_bytes(to, op.type());
  add_site(inst, op, SiteKind::load);
  await_checks(inst, space);
  append(inst);
}

void Decoder::await_checks(Inst& load, Space space) {
  const auto late = late_loads_.find(static_cast<std::size_t>(current_ - source_.body.data()));
  if (late == late_loads_.end()) return;
  Inst& check = late->second.check = load;
  check.run = check_read;
  check.flags &= ~(MemoryFlags::kAnyUnused | MemoryFlags::kHandedOn);
  check.count = 1;
  check.target = static_cast<std::uint32_t>(space);
  load.flags |= MemoryFlags::kUnused * late->second.elements | MemoryFlags::kAllInside;
}

void Decoder::emit_late_checks(std::size_t body_index) {
  auto late = std::ranges::lower_bound(late_checks_, body_index, {}, &LateCheck::before);
  for (; late != late_checks_.end() && late->before == body_index; ++late) {
    Inst check = late_loads_.at(late->load).check;
    if (check.run == nullptr) continue;  // the load is not supported
    check.offset += static_cast<std::int64_t>(late->element) * check.size;
    check.numbers >>= late->element * check.size;
    List gates;
    for (const Conjunction& condition : late->when) {
      for (const Literal& literal : condition) {
        gates.refs.push_back(literal.early ? compare_early(literal.known_at - 1)
                                           : predicate(std::string(literal.predicate)));
        gates.sizes.push_back(literal.negated ? GateFlags::kNegated : 0);
      }
      if (!condition.empty()) gates.sizes.back() |= GateFlags::kLast;
    }
    attach(check, std::move(gates));
    append_unguarded(check);
  }
}

void Decoder::emit_store(const Opcode& op) {
  expect_operands(2);
  const Operand& from = operand(1);
  const Space space = access_space(operand(0));
  Inst inst = blank(nullptr);
  inst.size = ptx::bytes(op.type());
  inst.count = vector_count(op, from);
  const bool vector = inst.count != 1;
  const unsigned least = std::max(2u, inst.size);
  const unsigned reg_bytes = vector                 ? register_bytes(from.elements, least)
                             : names_register(from) ? register_of(from).bytes
                                                    : least;
  inst.run = store_handler(space, inst.size, reg_bytes, vector);
  if (inst.run == nullptr) throw DecodeError{"this form of st"};
  // Instructions that compute an operand must come before the instruction that reads it.
  const Ref value = vector ? Ref{} : source(from, reg_bytes);
  address(inst, operand(0));
  if (vector) {
    attach_list(inst, from.elements, reg_bytes, false);
  } else {
    inst.b = value;
  }
  assign_pattern(inst, space, inst.size * inst.count);
  add_site(inst, op, SiteKind::store);
  append(inst);
}

void Decoder::emit_copy(const Opcode& op) {
  if (!op.has("async")) throw DecodeError{"this form of cp"};
  if (op.has("mbarrier")) return emit_arrival_of_copies(op);
  if (op.has("commit_group")) {
    expect_operands(0);
    return append(blank(commit_copies));
  }
  if (op.has("wait_all") || op.has("wait_group")) return emit_wait_for_copies(op);
  if (!op.has("global") || op.has("L2::cache_hint")) throw DecodeError{"this form of cp.async"};
  const bool partly = operand_count() == 4;
  expect_operands(partly ? 4 : 3);
  const Operand& size = operand(2);
  const bool is_size = size.kind == Kind::integer &&
                       (size.value == 16 || (op.has("ca") && (size.value == 4 || size.value == 8)));
  if (op.has("ca") == op.has("cg") || !is_size)
    throw InvalidPtx{"cp.async copies 4, 8 or 16 bytes with .ca, and 16 with .cg"};
  Inst load = blank(load_for_copy);
  load.size = static_cast<std::uint32_t>(size.value);
  if (partly) {
    const Operand& kept = operand(3);
    if (names_register(kept) && find_register(kept.name)->predicate)
      throw DecodeError{"cp.async with a predicate"};
    load.c = source(kept, 4);
    load.flags |= CopyFlags::kPartly;
  }
  address(load, operand(1));
  assign_pattern(load, Space::global, load.size);
  add_site(load, op, SiteKind::load);
  sites_.back().for_copy = true;
  Inst begin = blank(begin_copy);
  begin.size = load.size;
  address(begin, operand(0));
  assign_pattern(begin, Space::shared, begin.size);
  add_site(begin, op, SiteKind::copy);
  append(load);
  append(begin);
}

void Decoder::mbarrier_address(Inst& inst, const Opcode& op, const Operand& operand) {
  const Space space = access_space(operand);
  if (space != Space::shared && space != Space::generic)
    throw DecodeError{"an mbarrier outside of shared memory"};
  if (op.type() != Type::b64) throw InvalidPtx{"an mbarrier has the type .b64"};
  groups_.clear();
  inst.size = ptx::bytes(op.type());
  address(inst, operand);
  if (space == Space::generic) inst.flags |= MbarrierFlags::kGeneric;
  inst.flags |= MemoryFlags::kOwnOrder;
}

void Decoder::append_at_mbarrier(Inst inst, const Opcode& op, SiteKind kind) {
  add_site(inst, op, kind);
  inst.talks = true;
  append(inst);
}

void Decoder::emit_arrival_of_copies(const Opcode& op) {
  expect_operands(1);
  if (!op.has("arrive")) throw DecodeError{"this form of cp.async.mbarrier"};
  Inst inst = blank(arrive_with_copies);
  if (op.has("noinc")) inst.flags |= MbarrierFlags::kNoIncrement;
  mbarrier_address(inst, op, operand(0));
  append_at_mbarrier(inst, op, SiteKind::wait);
}

void Decoder::emit_arrival(const Opcode& op) {
  const bool bytes = op.has("expect_tx");
  if (operand_count() != 2) expect_operands(3);
  if (bytes && operand_count() == 2) throw InvalidPtx{"expect_tx needs a number of bytes"};
  Inst inst = blank(arrive_at_mbarrier);
  if (bytes) inst.flags |= MbarrierFlags::kBytes;
  inst.b = operand_count() == 3 ? source(operand(2), 4) : constant(1, 4);
  if (op.has("arrive_drop")) inst.flags |= MbarrierFlags::kDrops;
  if (op.has("noComplete")) inst.flags |= MbarrierFlags::kStaysOpen;
  if (op.has("relaxed")) inst.flags |= MbarrierFlags::kRelaxed;
  mbarrier_address(inst, op, operand(1));
  inst.dst = destination(operand(0), 8);
  append_at_mbarrier(inst, op, SiteKind::atomic);
}

void Decoder::emit_wait_at_mbarrier(const Opcode& op) {
  if (operand_count() != 3) expect_operands(4);  // the fourth is a hint: how long to wait
  Inst inst = blank(wait_at_mbarrier);
  const bool parity = op.has("parity");
  if (parity) inst.flags |= MbarrierFlags::kParity;
  if (op.has("relaxed")) inst.flags |= MbarrierFlags::kRelaxed;
  inst.b = source(operand(2), parity ? 4 : 8);
  mbarrier_address(inst, op, operand(1));
  inst.flags |= MemoryFlags::kStrong;
  inst.dst = kept_predicate(operand(0));
  append_at_mbarrier(inst, op, SiteKind::load);
}

void Decoder::emit_mbarrier(const Opcode& op) {
  if (op.has("arrive") || op.has("arrive_drop")) return emit_arrival(op);
  if (op.has("test_wait") || op.has("try_wait")) return emit_wait_at_mbarrier(op);
  if (op.has("pending_count")) {
    expect_operands(2);
    Inst inst = blank(pending_of_token);
    inst.a = source(operand(1), 8);
    inst.dst = destination(operand(0), 4);
    return append(inst);
  }
  const bool inval = op.has("inval");
  const Handler run = op.has("init")          ? init_mbarrier
                      : inval                 ? inval_mbarrier
                      : op.has("expect_tx")   ? expect_bytes
                      : op.has("complete_tx") ? complete_bytes
                                              : nullptr;
  if (run == nullptr) throw DecodeError{"this form of mbarrier"};
  expect_operands(inval ? 1 : 2);
  Inst inst = blank(run);
  inst.flags |= MbarrierFlags::kRelaxed;
  if (!inval) inst.b = source(operand(1), 4);
  mbarrier_address(inst, op, operand(0));
  append_at_mbarrier(inst, op, inval || op.has("init") ? SiteKind::store : SiteKind::atomic);
}

void Decoder::emit_wait_for_copies(const Opcode& op) {
  Inst inst = blank(wait_for_copies);
  inst.count = 0;
  if (op.has("wait_all")) {
    expect_operands(0);
    inst.flags |= CopyFlags::kAll;
  } else {
    expect_operands(1);
    const Operand& groups = operand(0);
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (groups.kind != Kind::integer || groups.value < 0 || groups.value > kMost)
      throw InvalidPtx{"cp.async.wait_group takes the number of the groups that may travel on"};
    inst.count = static_cast<std::uint32_t>(groups.value);
  }
  add_site(inst, op, SiteKind::wait);
  append(inst);
}

Decoder::Uses Decoder::uses_of(const Operand& operand) {
  const auto count = [&](const Operand& named, std::uint32_t Uses::*where,
                         const auto& self) -> void {
    if (!named.name.empty()) ++(uses_[named.name].*(named.unread ? &Uses::unread : where));
    for (const Operand& element : named.elements) self(element, where, self);
  };
  if (uses_.empty()) {
    for (const Instruction& instruction : source_.body) {
      for (const Operand& each : instruction.operands) count(each, &Uses::all, count);
      if (instruction.name() != "st" || instruction.operands.size() != 2) continue;
      const Operand& stored = instruction.operands[1];
      const bool parameter = instruction.has("param");
      if (parameter) count(stored, &Uses::in_parameters, count);
      if (parameter || stored.kind == Kind::vector) count(stored, &Uses::in_vectors, count);
    }
  }
  const auto found = uses_.find(operand.name);
  return found == uses_.end() ? Uses{} : found->second;
}

std::uint32_t Decoder::copy_flags(const Operand& loaded) {
  const bool vector = loaded.kind == Kind::vector;
  const std::span<const Operand> elements =
      vector ? std::span<const Operand>(loaded.elements) : std::span(&loaded, 1);
  const bool used = std::ranges::any_of(
      elements, [&](const Operand& element) { return uses_of(element).all > 1; });
  std::uint32_t flags = MemoryFlags::kHandedOn;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Uses uses = uses_of(elements[i]);
    if (uses.all == 1 || uses.all != uses.in_parameters + 1) flags &= ~MemoryFlags::kHandedOn;
    if (uses.all == 1 && (used || uses.unread != 0)) flags |= MemoryFlags::kUnused << i;
    if (uses.all == 1 && uses.unread != 0) flags |= MemoryFlags::kAllInside;
    if (uses.all > 1 && uses.all == uses.in_vectors + 1) flags |= MemoryFlags::kCopied << i;
  }
  return flags;
}

std::uint32_t Decoder::number_bytes(const Operand& loaded, ptx::Type type) {
  constexpr unsigned kByte = 8;
  if (!number_bits_) number_bits_.emplace(source_);
  const bool vector = loaded.kind == Kind::vector;
  const std::span<const Operand> elements =
      vector ? std::span<const Operand>(loaded.elements) : std::span(&loaded, 1);
  std::uint32_t result = 0;
  unsigned byte = 0;  // of the load
  for (const Operand& element : elements) {
    const std::uint64_t bits = number_bits_->of(element.name);
    for (unsigned i = 0; i < ptx::bytes(type); ++i, ++byte) {
      const bool needed = (bits >> kByte * i & 0xff) != 0;
      result |= std::uint32_t{needed} << byte;
    }
    const bool extended = ptx::bytes(type) < sizeof bits && bits >> ptx::bits(type) != 0;
    if (extended && ptx::is_signed(type)) result |= std::uint32_t{1} << (byte - 1);
  }
  return result;
}

void Decoder::emit_atomic(const Opcode& op) {
  const bool result = op.name() == "atom";
  const bool swap = op.has("cas");
  const std::size_t first = result ? 1 : 0;
  const Space space = access_space(operand(first));
  const unsigned bytes = ptx::bytes(op.type());
  Inst inst = blank(atomic_handler(op, space));
  if (inst.run == nullptr || operand(first + 1).kind == Kind::vector || (swap && !result))
    throw DecodeError{"this form of atom"};
  expect_operands(first + (swap ? 3 : 2));
  inst.b = source(operand(first + 1), bytes);
  if (swap) inst.c = source(operand(first + 2), bytes);
  address(inst, operand(first));
  inst.size = bytes;
  if (op.has("exch")) inst.flags |= AtomicFlags::kOverwrites;
  if (result && (uses_of(operand(0)).all > 1 || op.has("acquire") || op.has("acq_rel"))) {
    inst.flags |= AtomicFlags::kResult;
    inst.dst = destination(operand(0), bytes);
  }
  add_site(inst, op, SiteKind::atomic);
  append(inst);
}

void Decoder::note_write(Ref ref) {
  std::erase_if(groups_, [&](const auto& entry) {
    return std::get<0>(entry.first) == ref.bank && std::get<1>(entry.first) == ref.offset;
  });
}

}  // namespace tessera::sim
