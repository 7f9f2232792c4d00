// Branches, calls, barriers, and collectives of the lanes of a warp.
#include "grader/simulator/decode/decoder.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/heap.h"
#include "grader/simulator/exec/ops_memory.h"
#include "grader/simulator/exec/ops_move.h"

namespace tessera::sim {
namespace {

/// Whether a call's slots match the function's declaration in number and size.
bool declared_slots_fit(const List& list, const ptx::Function& function) {
  const auto same = [&](std::uint32_t slot, const ptx::Variable& formal) {
    return formal.size != 0 && slot == formal.size;
  };
  const auto arguments = list.sizes.begin() + list.returns;
  return std::equal(list.sizes.begin(), arguments, function.returns.begin(), function.returns.end(),
                    same) &&
         std::equal(arguments, list.sizes.end(), function.parameters.begin(),
                    function.parameters.end(), same);
}

}  // namespace

void Decoder::emit_branch(const Opcode& op) {
  expect_operands(1);
  Inst inst = blank(branch);
  if (op.has("uni")) inst.flags |= BranchFlags::kUniform;
  branch_labels_.emplace_back(function_.code.size(), operand(0).name);
  reconverge_at_.emplace_back(function_.code.size(), reconverge_[block_]);
  append(inst);
}

void Decoder::emit_indexed_branch(const Opcode&) {
  expect_operands(2);
  const auto found = source_.branch_targets.find(operand(1).name);
  if (found == source_.branch_targets.end() || found->second.empty())
    throw InvalidPtx{"brx without targets"};
  Inst inst = blank(branch_indexed);
  inst.a = source(operand(0), 4);
  attach(inst, {});
  list_labels_.emplace_back(inst.extra, found->second);
  reconverge_at_.emplace_back(function_.code.size(), reconverge_[block_]);
  append(inst);
}

void Decoder::add_slots(List& list, const Operand& operands) const {
  for (const Operand& element : operands.elements) {
    const auto slot = locals_.find(element.name);
    if (slot == locals_.end() || slot->second.space != Space::param || element.offset != 0) {
      if (element.kind == Kind::symbol && symbols_.contains(element.name))
        throw InvalidPtx{"'" + element.name + "' is no .param variable of this function"};
      throw DecodeError{"an argument that is no .param variable"};
    }
    list.refs.push_back({static_cast<std::uint32_t>(slot->second.address), kParameterBank});
    list.sizes.push_back(static_cast<std::uint32_t>(slot->second.size));
  }
}

void Decoder::direct_call(Inst& inst, const Operand& callee, const List& list) const {
  if (callee.kind != Kind::symbol || callee.offset != 0)
    throw InvalidPtx{"a call of something that is no function"};
  const Symbol& found = symbol(callee.name);
  if (found.declaration == nullptr || found.declaration->entry)
    throw InvalidPtx{"'" + callee.name + "' is no function that can be called"};
  const ptx::Function& function = *found.declaration;
  if (function.register_parameters) throw DecodeError{"a function without an ABI"};
  if (!declared_slots_fit(list, function))
    throw InvalidPtx{"the arguments or results of '" + callee.name +
                     "' are not those of its declaration"};
  if (function.defined) {
    inst.run = call_function;
    inst.target = static_cast<std::uint32_t>(found.function);
    return;
  }
  inst.run = builtin_function(callee.name, list);
  if (inst.run != nullptr) return;
  if (!ptx::is_builtin(callee.name))
    throw InvalidPtx{"it is called but not defined", 0, LoadFault::undefined, callee.name};
  throw DecodeError{"a call of the external function " + callee.name};
}

void Decoder::emit_call(const Opcode& op) {
  groups_.clear();
  std::size_t next = 0;
  List list;
  if (operand(0).kind == Kind::vector) {
    add_slots(list, operand(next++));
    list.returns = static_cast<std::uint32_t>(list.refs.size());
  }
  const Operand& callee = operand(next++);
  if (next < operand_count() && operand(next).kind == Kind::vector) add_slots(list, operand(next));
  Inst inst = blank(nullptr);
  if (names_register(callee)) {
    inst.run = call_indirect;
    inst.a = source(callee, 8);
  } else {
    direct_call(inst, callee, list);
    if (ptx::is_builtin(callee.name))
      add_site(inst, op, is_heap_function(callee.name) ? SiteKind::atomic : SiteKind::load);
  }
  attach(inst, std::move(list));
  append(inst);
  if (current_->never_returns) append(blank(trap));
}

void Decoder::emit_barrier(const Opcode& op) {
  if (op.has("warp")) return append(meeting(op, &kSync, 1));
  groups_.clear();
  Inst inst = blank(barrier);
  const bool reduce = op.has("red");
  std::size_t next = 0;
  std::size_t last = operand_count();
  if (reduce) {
    if (last < 3) throw InvalidPtx{"a reduction needs a result, a barrier and a predicate"};
    const Operand& to = operand(next++);
    if (op.has("popc")) {
      inst.flags |= BarrierFlags::kPopc;
      inst.dst = destination(to, 4);
    } else {
      inst.flags |= op.has("and") ? BarrierFlags::kAnd : BarrierFlags::kOr;
      inst.dst = kept_predicate(to);
    }
    const auto [vote, negated] = predicate_source(operand(--last));
    inst.c = vote;
    if (negated) inst.flags |= BarrierFlags::kNegate;
  }
  if (last > next + 2) throw InvalidPtx{"a barrier has at most a number and a count of threads"};
  inst.a = next < last ? source(operand(next++), 4) : constant(0, 4);
  if (next < last) {
    inst.flags |= BarrierFlags::kCounted;
    inst.b = source(operand(next), 4);
  }
  if (op.has("arrive")) inst.flags |= BarrierFlags::kArrive;
  if (op.name() == "bar" || op.has("aligned")) inst.flags |= BarrierFlags::kAligned;
  append(inst);
}

Inst Decoder::meeting(const Opcode& op, const Collective* kind, std::size_t operands) {
  groups_.clear();
  if (kind == nullptr) throw DecodeError{"not implemented"};
  if (!op.has("sync")) throw DecodeError{"the form without .sync, which no current GPU has"};
  expect_operands(operands);
  Inst inst = blank(collective);
  inst.collective = kind;
  inst.d = source(operand(operands - 1), 4);
  return inst;
}

void Decoder::emit_shuffle(const Opcode& op) {
  Inst inst = meeting(op, shuffle_of(op), 5);
  inst.dst2 = second_predicate(operand(0));
  inst.a = source(operand(1), 4);
  inst.b = source(operand(2), 4);
  inst.c = source(operand(3), 4);
  inst.dst = destination(operand(0), 4);
  append(inst);
}

void Decoder::emit_match(const Opcode& op) {
  Inst inst = meeting(op, op.name() == "match" ? match_of(op) : reduce_of(op), 3);
  inst.dst2 = second_predicate(operand(0));
  inst.a = source(operand(1), ptx::bytes(op.type()));
  inst.dst = destination(operand(0), 4);
  append(inst);
}

void Decoder::emit_vote(const Opcode& op) {
  Inst inst = meeting(op, vote_of(op), 3);
  inst.dst2 = second_predicate(operand(0));
  const auto [vote, negated] = predicate_source(operand(1));
  inst.c = vote;
  if (negated) inst.flags |= CollectiveFlags::kNegate;
  inst.dst = op.has("ballot") ? destination(operand(0), 4) : kept_predicate(operand(0));
  append(inst);
}

void Decoder::emit_elect(const Opcode& op) {
  Inst inst = meeting(op, &kElect, 2);
  inst.dst2 = second_predicate(operand(0));
  if (operand(0).kind != Kind::sink) {
    inst.flags |= CollectiveFlags::kResult;
    inst.dst = destination(operand(0), 4);
  }
  append(inst);
}

void Decoder::emit_activemask(const Opcode&) {
  expect_operands(1);
  Inst inst = blank(activemask);
  inst.dst = destination(operand(0), 4);
  append(inst);
}

void Decoder::emit_sleep(const Opcode&) {
  expect_operands(1);
  Inst inst = blank(sleep_for);
  inst.a = source(operand(0), 4);
  append(inst);
}

void Decoder::emit_fence(const Opcode& op) {
  if (op.has("proxy") && op.has("async") && !op.has("global"))
    return append(blank(fence_async_proxy));
  // Fences of other proxies order what is not simulated; the other words do not order earlier
  // accesses before a later store.
  for (const char* word : {"proxy", "mbarrier_init", "acquire", "sync_restrict::shared::cluster",
                           "sync_restrict::shared::cta"}) {
    if (op.has(word)) return append(blank(nothing));
  }
  Inst inst = blank(fence);
  // In the simulator a cluster is one block.
  inst.flags = op.has("cta") || op.has("cluster") ? 0 : 1;
  append(inst);
}

}  // namespace tessera::sim
