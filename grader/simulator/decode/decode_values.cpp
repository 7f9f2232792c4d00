// Moves, conversions, comparisons, and logic on predicates.
#include "grader/simulator/decode/decoder.h"
#include "grader/simulator/exec/ops_compare.h"
#include "grader/simulator/exec/ops_move.h"

namespace tessera::sim {

void Decoder::emit_move(const Opcode& op) {
  if (op.type() == Type::pred) return emit_predicate_logic(op);
  expect_operands(2);
  const unsigned bytes = ptx::bytes(op.type());
  if (operand(1).kind == Kind::vector) return emit_pack(bytes);
  if (operand(0).kind == Kind::vector) return emit_unpack(bytes);
  Inst inst = blank(move_handler(bytes));
  if (inst.run == nullptr) throw DecodeError{"this form of mov"};
  inst.a = source(operand(1), bytes);
  inst.dst = destination(operand(0), bytes);
  append(inst);
}

void Decoder::emit_pack(unsigned bytes) {
  const auto& pieces = operand(1).elements;
  const auto piece = pieces.empty() ? 0 : bytes / static_cast<unsigned>(pieces.size());
  Inst inst = blank(pack_handler(piece, bytes));
  if (inst.run == nullptr || piece * pieces.size() != bytes)
    throw DecodeError{"a mov of " + std::to_string(pieces.size()) + " pieces"};
  inst.dst = destination(operand(0), bytes);
  attach_list(inst, pieces, piece, false);
  append(inst);
}

void Decoder::emit_unpack(unsigned bytes) {
  const auto& pieces = operand(0).elements;
  const auto piece = pieces.empty() ? 0 : bytes / static_cast<unsigned>(pieces.size());
  Inst inst = blank(unpack_handler(piece, bytes));
  if (inst.run == nullptr || piece * pieces.size() != bytes)
    throw DecodeError{"a mov into " + std::to_string(pieces.size()) + " pieces"};
  inst.a = source(operand(1), bytes);
  attach_list(inst, pieces, piece, true);
  append(inst);
}

void Decoder::emit_convert(const Opcode& op) {
  const Type to = op.type(0), from = op.type(1);
  const bool packs = to == Type::f16x2 || to == Type::bf16x2;
  Inst inst = blank(nullptr);
  inst.flags = convert_flags(op);
  const bool tf32 = op.has("tf32");
  if ((packs && from != Type::f32) || tf32 != op.has("rna") || (tf32 && op.has("relu")))
    throw DecodeError{"this form of cvt"};
  expect_operands(packs ? 3 : 2);
  if (packs || tf32) {
    inst.run = convert_handler(op, 4, 4);
    inst.a = source(operand(1), 4);
    if (packs) inst.b = source(operand(2), 4);
    inst.dst = destination(operand(0), 4);
    return append_known(inst);
  }
  inst.size =
      names_register(operand(1)) ? register_of(operand(1)).bytes : std::max(2u, ptx::bytes(from));
  inst.count =
      operand(0).kind == Kind::sink ? std::max(2u, ptx::bytes(to)) : register_of(operand(0)).bytes;
  inst.run = convert_handler(op, inst.count, inst.size);
  if (inst.run == nullptr) throw DecodeError{"this form of cvt"};
  if (inst.size < ptx::bytes(from) || inst.count < ptx::bytes(to))
    throw InvalidPtx{"a register is too narrow for its type"};
  inst.a = source(operand(1), inst.size);
  inst.dst = destination(operand(0), inst.count);
  append(inst);
}

void Decoder::emit_cvta(const Opcode& op) {
  expect_operands(2);
  const Space space = ptx::space_of(*current_);
  const unsigned bytes = ptx::bytes(op.type());
  Inst inst = blank(add_offset_handler(bytes));
  if (inst.run == nullptr) throw DecodeError{"this form of cvta"};
  const std::uint64_t window = space == Space::shared  ? kSharedWindow
                               : space == Space::local ? kLocalWindow
                                                       : 0;
  inst.a = source(operand(1), bytes);
  inst.offset = static_cast<std::int64_t>(op.has("to") ? 0 - window : window);
  inst.dst = destination(operand(0), bytes);
  append(inst);
}

void Decoder::combination(Inst& inst, const Opcode& op, std::size_t index) {
  if (operand_count() <= index) return;
  expect_operands(index + 1);
  inst.flags |= op.has("and")   ? CompareFlags::kAnd
                : op.has("or")  ? CompareFlags::kOr
                : op.has("xor") ? CompareFlags::kXor
                                : throw InvalidPtx{"a third operand without .and, .or or .xor"};
  const auto [third, negated] = predicate_source(operand(index));
  inst.c = third;
  if (negated) inst.flags |= CompareFlags::kNegate;
}

Inst Decoder::comparison(const Opcode& op) {
  const unsigned bytes = ptx::bytes(op.type());
  Inst inst = blank(setp_handler(op));
  if (inst.run == nullptr) throw DecodeError{"this form of setp"};
  inst.a = source(operand(1), bytes);
  inst.b = source(operand(2), bytes);
  combination(inst, op, 3);
  return inst;
}

Ref Decoder::compare_early(std::size_t body_index) {
  const Ref result = new_predicate();
  const Instruction* here = std::exchange(current_, &source_.body[body_index]);
  const std::size_t before = function_.code.size();
  try {
    Inst inst = comparison(Opcode(current_->words));
    inst.dst = result;
    inst.dst2 = {0, kPredicateBank};
    append_unguarded(inst);
  } catch (const DecodeError&) {  // a thread that comes to the comparison stops there
    function_.code.resize(before);
  }
  current_ = here;
  return result;
}

void Decoder::emit_setp(const Opcode& op) {
  Inst inst = comparison(op);
  inst.dst = predicate_destination(operand(0));
  inst.dst2 = second_predicate(operand(0));
  append(inst);
}

void Decoder::need_no_guard() const {
  if (!current_->guard.empty()) throw DecodeError{"a guard that ptxas does not keep"};
}

void Decoder::emit_set(const Opcode& op) {
  const unsigned bytes = ptx::bytes(op.type(1));
  Inst inst = blank(set_handler(op));
  if (inst.run == nullptr) throw DecodeError{"this form of set"};
  if (ptx::is_float(op.type())) need_no_guard();
  inst.a = source(operand(1), bytes);
  inst.b = source(operand(2), bytes);
  inst.offset = set_true_value(op);
  combination(inst, op, 3);
  inst.dst = destination(operand(0), ptx::bytes(op.type(0)));
  append(inst);
}

void Decoder::emit_select(const Opcode& op) {
  expect_operands(4);
  const unsigned bytes = ptx::bytes(op.type());
  Inst inst = blank(select_handler(op));
  if (inst.run == nullptr) throw DecodeError{"this form of selp"};
  if (op.name() == "selp") {
    const auto [choose, negated] = predicate_source(operand(3));
    inst.c = choose;
    if (negated) inst.flags |= CompareFlags::kNegate;
  } else {
    inst.c = source(operand(3), 4);
  }
  inst.a = source(operand(1), bytes);
  inst.b = source(operand(2), bytes);
  inst.dst = destination(operand(0), bytes);
  append(inst);
}

void Decoder::emit_predicate_logic(const Opcode& op) {
  const std::string_view name = op.name();
  const bool two = name == "and" || name == "or" || name == "xor";
  if (!two && name != "mov" && name != "not") throw DecodeError{"not implemented"};
  Inst inst = blank(name == "and"   ? predicate_and
                    : name == "or"  ? predicate_or
                    : name == "xor" ? predicate_xor
                                    : predicate_move);
  expect_operands(two ? 3 : 2);
  const auto [a, negated] = predicate_source(operand(1));
  inst.a = a;
  if (negated != (name == "not")) inst.flags |= 1;
  if (two) {
    const auto [b, b_negated] = predicate_source(operand(2));
    inst.b = b;
    if (b_negated) inst.flags |= 2;
  }
  inst.dst = kept_predicate(operand(0));
  append(inst);
}

void Decoder::emit_isspacep(const Opcode&) {
  expect_operands(2);
  Inst inst = blank(isspacep_handler(ptx::space_of(*current_)));
  if (inst.run == nullptr) throw DecodeError{"this form of isspacep"};
  inst.a = source(operand(1), 8);
  inst.dst = kept_predicate(operand(0));
  append(inst);
}

void Decoder::emit_testp(const Opcode& op) {
  expect_operands(2);
  need_no_guard();
  Inst inst = blank(testp_handler(op));
  if (inst.run == nullptr) throw DecodeError{"this form of testp"};
  inst.a = source(operand(1), ptx::bytes(op.type()));
  inst.dst = kept_predicate(operand(0));
  append(inst);
}

}  // namespace tessera::sim
