// Moves, conversions, comparisons and what computes with predicates.
#include "grader/simulator/decoder.h"
#include "grader/simulator/ops_compare.h"
#include "grader/simulator/ops_move.h"

namespace tessera::sim {

void Decoder::emit_move(const Opcode& op) {
  const Operand& to = operand(0);
  const Operand& from = operand(1);
  if (op.type() == Type::pred) return emit_predicate_logic(op);
  const unsigned bytes = ptx::bytes(op.type());
  if (from.kind == Kind::vector) {
    unsigned piece = 0;
    const std::uint32_t list = register_list(
        from.elements, bytes / static_cast<unsigned>(from.elements.size()), false, piece);
    Inst inst = blank(pack_handler(piece, bytes));
    inst.extra = list;
    inst.dst = destination(to, bytes);
    return append_known(inst);
  }
  if (to.kind == Kind::vector) {
    const Ref a = source(from, bytes);
    unsigned piece = 0;
    const std::uint32_t list =
        register_list(to.elements, bytes / static_cast<unsigned>(to.elements.size()), true, piece);
    Inst inst = blank(unpack_handler(piece, bytes));
    inst.extra = list;
    inst.a = a;
    return append_known(inst);
  }
  const Ref a = source(from, bytes);
  Inst inst = blank(move_handler(bytes));
  inst.a = a;
  inst.dst = destination(to, bytes);
  append_known(inst);
}

void Decoder::emit_convert(const Opcode& op) {
  const bool packs = op.type(0) == Type::f16x2 || op.type(0) == Type::bf16x2;
  if (packs) {
    const Ref a = source(operand(1), 4);
    const Ref b = source(operand(2), 4);
    Inst inst = blank(convert_handler(op, 4, 4));
    inst.flags = convert_flags(op);
    inst.a = a;
    inst.b = b;
    inst.dst = destination(operand(0), 4);
    return append_known(inst);
  }
  const Operand& from = operand(1);
  const unsigned from_bytes =
      names_register(from) ? register_of(from).bytes : std::max(2u, ptx::bytes(op.type(1)));
  const Ref a = source(from, from_bytes);
  const unsigned to_bytes = operand(0).kind == Kind::sink ? std::max(2u, ptx::bytes(op.type(0)))
                                                          : register_of(operand(0)).bytes;
  Inst inst = blank(convert_handler(op, to_bytes, from_bytes));
  inst.flags = convert_flags(op);
  inst.size = from_bytes;
  inst.count = to_bytes;
  inst.a = a;
  inst.dst = destination(operand(0), to_bytes);
  append_known(inst);
}

void Decoder::emit_cvta(const Opcode& op) {
  const Space space = space_in(op);
  const unsigned bytes = ptx::bytes(op.type());
  const std::uint64_t window = space == Space::shared  ? kSharedWindow
                               : space == Space::local ? kLocalWindow
                                                       : 0;
  const Ref a = source(operand(1), bytes);
  Inst inst = blank(add_offset_handler(bytes));
  inst.a = a;
  inst.offset = static_cast<std::int64_t>(op.has("to") ? 0 - window : window);
  inst.dst = destination(operand(0), bytes);
  append(inst);
}

void Decoder::combination(Inst& inst, const Opcode& op, std::size_t index) {
  if (operand_count() <= index) return;
  if (op.has("and")) inst.flags |= CompareFlags::kAnd;
  if (op.has("or")) inst.flags |= CompareFlags::kOr;
  if (op.has("xor")) inst.flags |= CompareFlags::kXor;
  const auto [third, negated] = predicate_source(operand(index));
  inst.c.offset = third;
  if (negated) inst.flags |= CompareFlags::kNegate;
}

void Decoder::emit_setp(const Opcode& op) {
  const unsigned bytes = ptx::bytes(op.type());
  const Ref a = source(operand(1), bytes);
  const Ref b = source(operand(2), bytes);
  Inst inst = blank(setp_handler(op));
  inst.a = a;
  inst.b = b;
  combination(inst, op, 3);
  inst.dst.offset = predicate_destination(operand(0));
  if (!operand(0).second.empty() && operand(0).second != "_")
    inst.dst2.offset = predicate(operand(0).second);
  append_known(inst);
}

void Decoder::emit_set(const Opcode& op) {
  const unsigned bytes = ptx::bytes(op.type(1));
  const Ref a = source(operand(1), bytes);
  const Ref b = source(operand(2), bytes);
  Inst inst = blank(set_handler(op));
  inst.a = a;
  inst.b = b;
  inst.offset = set_true_value(op);
  combination(inst, op, 3);
  inst.dst = destination(operand(0), ptx::bytes(op.type(0)));
  append_known(inst);
}

void Decoder::emit_select(const Opcode& op) {
  const unsigned bytes = ptx::bytes(op.type());
  const Ref a = source(operand(1), bytes);
  const Ref b = source(operand(2), bytes);
  Inst inst = blank(select_handler(op));
  if (op.name() == "selp") {
    const auto [choose, negated] = predicate_source(operand(3));
    inst.c.offset = choose;
    if (negated) inst.flags |= CompareFlags::kNegate;
  } else {
    inst.c = source(operand(3), 4);
  }
  inst.a = a;
  inst.b = b;
  inst.dst = destination(operand(0), bytes);
  append_known(inst);
}

void Decoder::emit_predicate_logic(const Opcode& op) {
  const std::string_view name = op.name();
  Inst inst = blank(name == "and"   ? predicate_and
                    : name == "or"  ? predicate_or
                    : name == "xor" ? predicate_xor
                                    : predicate_move);
  if (name != "and" && name != "or" && name != "xor" && name != "mov" && name != "not")
    throw DecodeError{"not implemented"};
  const auto [a, negated] = predicate_source(operand(1));
  inst.a.offset = a;
  if (negated != (name == "not")) inst.flags |= 1;
  if (operand_count() > 2) {
    const auto [b, b_negated] = predicate_source(operand(2));
    inst.b.offset = b;
    if (b_negated) inst.flags |= 2;
  }
  inst.dst.offset = kept_predicate(operand(0));
  append(inst);
}

void Decoder::emit_isspacep(const Opcode& op) {
  Inst inst = blank(isspacep_handler(space_in(op)));
  inst.a = source(operand(1), 8);
  inst.dst.offset = kept_predicate(operand(0));
  append(inst);
}

void Decoder::emit_testp(const Opcode& op) {
  Inst inst = blank(testp_handler(op));
  inst.a = source(operand(1), ptx::bytes(op.type()));
  inst.dst.offset = kept_predicate(operand(0));
  append_known(inst);
}

}  // namespace tessera::sim
