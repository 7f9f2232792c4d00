// Branches, calls, barriers, and what the lanes of a warp do together.
#include "grader/simulator/control.h"
#include "grader/simulator/decoder.h"
#include "grader/simulator/ops_memory.h"
#include "grader/simulator/ops_move.h"

namespace tessera::sim {

void Decoder::emit_branch(std::size_t block) {
  Inst inst = blank(branch);
  branch_labels_.emplace_back(function_.code.size(), operand(0).name);
  reconverge_at_.emplace_back(function_.code.size(), reconverge_[block]);
  append(inst);
}

void Decoder::emit_indexed_branch(std::size_t block) {
  Inst inst = blank(branch_indexed);
  inst.a = source(operand(0), 4);
  inst.extra = static_cast<std::uint32_t>(function_.lists.size());
  function_.lists.emplace_back();
  const auto found = source_.branch_targets.find(operand(1).name);
  if (found == source_.branch_targets.end() || found->second.empty())
    throw DecodeError{"brx without targets"};
  list_labels_.emplace_back(inst.extra, found->second);
  reconverge_at_.emplace_back(function_.code.size(), reconverge_[block]);
  append(inst);
}

void Decoder::emit_call() {
  groups_.clear();
  std::size_t next = 0;
  List list;
  const auto add_slots = [&](const Operand& operands) {
    for (const Operand& element : operands.elements) {
      const Symbol& slot = symbol(element.name);
      list.refs.push_back({static_cast<std::uint32_t>(slot.address), 0});
    }
  };
  if (operand(0).kind == Kind::vector) {
    add_slots(operand(next++));
    list.returns = static_cast<std::uint32_t>(list.refs.size());
  }
  const Operand& callee = operand(next++);
  if (next < operand_count() && operand(next).kind == Kind::vector) add_slots(operand(next));
  Inst inst = blank(nullptr);
  if (names_register(callee)) {
    inst.run = call_indirect;
    inst.a = source(callee, 8);
  } else if (Handler builtin = builtin_function(callee.name)) {
    inst.run = builtin;
  } else {
    const Symbol& found = symbol(callee.name);
    if (found.function < 0) throw DecodeError{"a call of the external function " + callee.name};
    inst.run = call_function;
    inst.target = static_cast<std::uint32_t>(found.function);
  }
  inst.extra = static_cast<std::uint32_t>(function_.lists.size());
  function_.lists.push_back(std::move(list));
  append(inst);
}

void Decoder::emit_barrier(const Opcode& op) {
  groups_.clear();
  Inst inst = blank(barrier);
  const bool reduce = op.has("red");
  std::size_t next = 0;
  std::size_t last = operand_count();
  if (reduce) {
    const Operand& to = operand(next++);
    if (op.has("popc")) {
      inst.flags |= BarrierFlags::kPopc;
      inst.dst = destination(to, 4);
    } else {
      inst.flags |= op.has("and") ? BarrierFlags::kAnd : BarrierFlags::kOr;
      inst.dst.offset = kept_predicate(to);
    }
    const auto [vote, negated] = predicate_source(operand(--last));
    inst.c.offset = vote;
    if (negated) inst.flags |= BarrierFlags::kNegate;
  }
  inst.a = next < last ? source(operand(next++), 4) : constant(0, 4);
  if (next < last) {
    inst.flags |= BarrierFlags::kCounted;
    inst.b = source(operand(next), 4);
  }
  if (op.has("arrive")) inst.flags |= BarrierFlags::kArrive;
  append(inst);
}

void Decoder::emit_collective(const Opcode& op) {
  groups_.clear();
  Inst inst = blank(collective);
  inst.collective = collective_of(op);
  const std::string_view name = op.name();
  const bool sync = op.has("sync");
  const std::size_t last = operand_count() - 1;
  if (name == "bar" || name == "barrier") {
    inst.d = source(operand(0), 4);
    return append(inst);
  }
  if (!sync) throw DecodeError{"the form without .sync, which no current GPU has"};
  inst.d = source(operand(last), 4);
  const Operand& to = operand(0);
  if (name == "vote") {
    const auto [vote, negated] = predicate_source(operand(1));
    inst.c.offset = vote;
    if (negated) inst.flags |= CollectiveFlags::kNegate;
    if (op.has("ballot"))
      inst.dst = destination(to, 4);
    else
      inst.dst.offset = kept_predicate(to);
    return append(inst);
  }
  if (name == "elect") {
    if (to.kind != Kind::sink) {
      inst.flags |= CollectiveFlags::kResult;
      inst.dst = destination(to, 4);
    }
  } else {
    inst.a = source(operand(1), ptx::bytes(op.type()));
    if (name == "shfl") {
      inst.b = source(operand(2), 4);
      inst.c = source(operand(3), 4);
    }
    inst.dst = destination(to, 4);
  }
  if (!to.second.empty() && to.second != "_") inst.dst2.offset = predicate(to.second);
  append(inst);
}

void Decoder::emit_activemask() {
  Inst inst = blank(activemask);
  inst.dst = destination(operand(0), 4);
  append(inst);
}

void Decoder::emit_fence(const Opcode& op) {
  Inst inst = blank(fence);
  inst.flags = op.has("cta") ? 0 : 1;
  append(inst);
}

}  // namespace tessera::sim
