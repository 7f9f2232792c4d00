// Matrix instructions: mma, ldmatrix, wmma, wgmma. A fragment of wmma lies in registers as one
// of mma.sync does, which is how an H200 lays it out; the PTX ISA leaves it open.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "grader/simulator/decode/decoder.h"
#include "grader/simulator/exec/async_products.h"
#include "grader/simulator/exec/ops_move.h"
#include "grader/simulator/exec/ops_tensor.h"

namespace tessera::sim {
namespace {

constexpr std::uint32_t kBlockDepth = 16;      // of wmma
constexpr std::uint32_t kFactorRegisters = 4;  // of a fragment of A or B of wmma
constexpr std::uint32_t kAllBytes = 0xffffffffu;

/// The columns of a shape "m64n128k16", given as its word; 0 if wgmma has no such shape.
std::uint32_t columns_of(const std::string& shape, const std::string& depth) {
  constexpr std::string_view kRows = "m64n";
  if (!shape.starts_with(kRows) || !shape.ends_with(depth)) return 0;
  std::uint32_t columns = 0;
  const char* end = shape.data() + shape.size() - depth.size();
  const auto [rest, error] = std::from_chars(shape.data() + kRows.size(), end, columns);
  const bool whole = error == std::errc() && rest == end;
  return whole && columns % 8 == 0 && columns >= 8 && columns <= 256 ? columns : 0;
}

}  // namespace

void Decoder::add_fragment(List& list, const Operand& operand, std::size_t registers,
                           bool written) {
  const std::vector<Operand> single{operand};
  const std::vector<Operand>& elements = operand.kind == Kind::vector ? operand.elements : single;
  if (elements.size() != registers)
    throw InvalidPtx{"a fragment of " + std::to_string(elements.size()) + " registers, not of " +
                     std::to_string(registers)};
  for (const Operand& element : elements) {
    list.refs.push_back(written ? destination(element, 4) : source(element, 4));
    list.sizes.push_back(4);
  }
}

void Decoder::append_product(TensorType type, std::uint32_t depth, std::uint32_t blocks,
                             std::size_t unused) {
  expect_operands(4);
  const std::size_t of_a = registers_of_a(type, depth);
  Inst inst = blank(multiply_matrices);
  inst.flags = static_cast<std::uint32_t>(type);
  inst.size = depth;
  inst.count = blocks;
  List list;
  add_fragment(list, operand(0), std::size_t{kSumsOfBlock} * blocks, true);
  for (std::size_t i = 1; i < 4; ++i) {
    const std::size_t used = i == 1 ? of_a : i == 2 ? of_a / 2 * blocks : kSumsOfBlock * blocks;
    add_fragment(list, operand(i), i == 3 ? used : used + unused, false);
    if (i == 3) continue;
    list.refs.resize(list.refs.size() - unused);
    list.sizes.resize(list.refs.size());
  }
  attach(inst, std::move(list));
  append(inst);
}

void Decoder::emit_mma(const Opcode& op) {
  const bool words = op.has("sync") && op.has("aligned") && op.has("row") && op.has("col");
  const Type factor = op.type(1);
  const bool tf32 = op.has("tf32");
  const bool halves = !tf32 && op.types.size() == 4 && factor == op.type(2) &&
                      (factor == Type::bf16 || factor == Type::f16);
  const bool sums = op.type(0) == Type::f32 && op.types.back() == Type::f32;
  const bool k16 = op.has("m16n8k16");
  const bool k8 = op.has("m16n8k8");
  const bool k4 = op.has("m16n8k4");
  if (!words || !sums || k16 + k8 + k4 != 1 || !(halves ? k16 || k8 : tf32 && (k8 || k4)))
    throw DecodeError{"this form of mma"};
  const TensorType type = tf32                   ? TensorType::tf32
                          : factor == Type::bf16 ? TensorType::bf16
                                                 : TensorType::f16;
  append_product(type, k16 ? 16 : k8 ? 8 : 4, 1, 0);
}

void Decoder::emit_warpgroup(const Opcode& op) {
  if (!op.has("sync") || !op.has("aligned")) throw DecodeError{"this form of wgmma"};
  need_no_guard();
  if (op.has("mma_async")) return append_async_product(op);
  if (op.has("wait_group")) {
    expect_operands(1);
    const Operand& groups = operand(0);
    constexpr std::int64_t kMost = 7;
    if (groups.kind != Kind::integer || groups.value < 0 || groups.value > kMost)
      throw InvalidPtx{"wgmma.wait_group takes the number of the groups that may run on, 0 to 7"};
    Inst inst = blank(wait_for_products);
    inst.count = static_cast<std::uint32_t>(groups.value);
    add_site(inst, op, SiteKind::product_wait);
    return append(inst);
  }
  expect_operands(0);
  if (op.has("fence")) return append(blank(fence_products));
  if (op.has("commit_group")) return append(blank(commit_products));
  throw DecodeError{"this form of wgmma"};
}

void Decoder::append_async_product(const Opcode& op) {
  const Type factor = op.type(1);
  const bool halves =
      op.types.size() == 3 && factor == op.type(2) && (factor == Type::bf16 || factor == Type::f16);
  if (op.type(0) != Type::f32 || !halves) throw DecodeError{"this form of wgmma.mma_async"};
  std::uint32_t columns = 0;
  for (const std::string& word : current_->words)
    columns = std::max(columns, columns_of(word, "k16"));
  if (columns == 0) throw InvalidPtx{"wgmma multiplies m64nNk16, with N a multiple of 8 up to 256"};
  const bool in_registers = operand(1).kind == Kind::vector;
  expect_operands(in_registers ? 7 : 8);
  Inst inst = blank(begin_product);
  inst.count = columns;
  inst.target =
      static_cast<std::uint32_t>(factor == Type::bf16 ? TensorType::bf16 : TensorType::f16);
  List list;
  add_fragment(list, operand(0), columns / 2, true);
  if (in_registers) {
    inst.target |= ProductFlags::kRegistersOfA;
    for (const Operand& element : operand(1).elements) {
      if (!names_register(element)) throw InvalidPtx{"wgmma takes A from registers alone"};
    }
    add_fragment(list, operand(1), registers_of_a(TensorType::bf16, 16), false);
  } else {
    inst.a = source(operand(1), 8);
  }
  inst.b = source(operand(2), 8);
  const auto [adds, negated] = predicate_source(operand(3));
  inst.c = adds;
  if (negated) inst.target |= ProductFlags::kAddsUnless;
  const auto number = [&](std::size_t index) {
    if (operand(index).kind != Kind::integer)
      throw InvalidPtx{"wgmma takes constants for signs and transpositions"};
    return operand(index).value;
  };
  const auto sign = [&](std::size_t index, std::uint32_t flag) {
    if (number(index) != 1 && number(index) != -1) throw InvalidPtx{"a sign of wgmma is 1 or -1"};
    if (number(index) == -1) inst.target |= flag;
  };
  const auto transposed = [&](std::size_t index, std::uint32_t flag) {
    if (number(index) != 0 && number(index) != 1)
      throw InvalidPtx{"a transposition of wgmma is 0 or 1"};
    if (number(index) == 1) inst.target |= flag;
  };
  sign(4, ProductFlags::kNegativeA);
  sign(5, ProductFlags::kNegativeB);
  if (!in_registers) transposed(6, ProductFlags::kTransposedA);
  transposed(in_registers ? 6 : 7, ProductFlags::kTransposedB);
  add_site(inst, op, SiteKind::product);
  attach(inst, std::move(list));
  append(inst);
}

void Decoder::append_row_load(const Opcode& op, Inst inst, List list, std::uint32_t lanes,
                              bool transposed) {
  inst.size = 4;
  inst.count = kWordsOfRow;
  inst.target = lanes;
  inst.numbers = kAllBytes;
  if (transposed) inst.flags |= TensorFlags::kTransposed;
  assign_pattern(inst, Space::generic, kWordsOfRow * 4);
  add_site(inst, op, SiteKind::load);
  attach(inst, std::move(list));
  append(inst);
}

List Decoder::row_registers() {
  List list;
  for (std::uint32_t i = 0; i < kWordsOfRow; ++i) {
    list.refs.push_back(temporary(4));
    list.sizes.push_back(4);
  }
  return list;
}

void Decoder::emit_load_matrices(const Opcode& op) {
  expect_operands(2);
  const std::uint32_t matrices = op.has("x4") ? 4 : op.has("x2") ? 2 : op.has("x1") ? 1 : 0;
  const bool shared = access_space(operand(1)) == Space::shared;
  if (matrices == 0 || !op.has("m8n8") || !op.has("sync") || !op.has("aligned") || !shared ||
      op.type() != Type::b16)
    throw DecodeError{"this form of ldmatrix"};
  groups_.clear();
  List list = row_registers();
  add_fragment(list, operand(0), matrices, true);
  Inst inst = blank(load_matrices);
  address(inst, operand(1));
  append_row_load(op, inst, std::move(list), matrices * kRowsOfMatrix, op.has("trans"));
}

void Decoder::emit_move_matrix(const Opcode& op) {
  expect_operands(2);
  if (!op.has("sync") || !op.has("aligned") || !op.has("m8n8") || !op.has("trans") ||
      op.type() != Type::b16)
    throw DecodeError{"this form of movmatrix"};
  Inst inst = blank(move_matrix);
  inst.a = source(operand(1), 4);
  inst.dst = destination(operand(0), 4);
  append(inst);
}

Inst Decoder::fragment_inst(Handler run, const Operand& base, Ref stride, unsigned size) {
  Inst inst = blank(run);
  address(inst, base);
  inst.b = stride;
  inst.size = size;
  return inst;
}

Inst Decoder::piece_address(const Operand& base, Ref stride, unsigned size, Ref to) {
  Inst inst = fragment_inst(fragment_address, base, stride, size);
  inst.dst = to;
  return inst;
}

void Decoder::emit_wmma(const Opcode& op) {
  if (!op.has("m16n16k16") || !op.has("sync") || !op.has("aligned"))
    throw DecodeError{"this form of wmma"};
  groups_.clear();
  if (op.has("mma")) {
    const bool bf16 = op.type(1) == Type::bf16 && op.type(2) == Type::bf16;
    const bool f16 = op.types.size() == 2;  // those of D and C
    if (!(bf16 || f16) || op.type(0) != Type::f32 || op.types.back() != Type::f32)
      throw DecodeError{"this form of wmma.mma"};
    // A fragment of f16 holds each element twice.
    return append_product(bf16 ? TensorType::bf16 : TensorType::f16, kBlockDepth, 2, bf16 ? 0 : 4);
  }
  const bool store = op.has("store");
  const bool sums = op.has(store ? "d" : "c");
  const Type type = op.type();
  if (store == op.has("load") || op.has("row") == op.has("col") ||
      op.has("a") + op.has("b") + sums != 1 || (store && !sums))
    throw InvalidPtx{"wmma has .load.a, .load.b, .load.c or .store.d, and .row or .col"};
  if (sums ? type != Type::f32 : type != Type::bf16 && type != Type::f16)
    throw DecodeError{"this form of wmma"};
  if (operand_count() < 2) throw InvalidPtx{"a fragment and an address are missing"};
  const Operand& fragment = operand(store ? 1 : 0);
  const Operand& base = operand(store ? 0 : 1);
  const bool strided = operand_count() == 3;
  expect_operands(strided ? 3 : 2);
  const Ref stride = strided ? source(operand(2), 4) : constant(kBlockDepth, 4);
  append(fragment_inst(check_fragment, base, stride, sums ? 4 : 2));
  const Space space = access_space(base);
  if (sums) return append_sums(op, fragment, base, stride, space);
  append_factor(op, fragment, base, stride, space);
}

void Decoder::append_sums(const Opcode& op, const Operand& fragment, const Operand& base,
                          Ref stride, Space space) {
  const bool store = op.has("store");
  const bool rows = op.has("row");
  List all;
  add_fragment(all, fragment, std::size_t{2} * kSumsOfBlock, !store);
  const std::uint32_t parts = rows ? 1 : 2;
  std::vector<Ref> pieces;  // their addresses
  for (std::uint32_t pair = 0; pair < kSumsOfBlock; ++pair) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      Inst at = piece_address(base, stride, 4, temporary(8));
      at.flags |= static_cast<std::uint32_t>(LanePlace::pairs);
      at.count = 8 * (pair % 2);
      at.target = 8 * (pair / 2) + part;
      if (!rows) at.flags |= TensorFlags::kMinorFirst;
      append(at);
      pieces.push_back(at.dst);
    }
  }
  // All addresses stand before the first load: a result may have the stride's or the base's
  // register.
  for (std::uint32_t pair = 0; pair < kSumsOfBlock; ++pair) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      Inst inst =
          blank(store ? store_handler(space, 4, 4, rows) : load_handler(space, 4, 4, false, rows));
      if (inst.run == nullptr) throw DecodeError{"wmma with this kind of memory"};
      inst.size = 4;
      inst.count = rows ? 2 : 1;
      inst.flags |= MemoryFlags::kWideBase;
      inst.a = pieces[pair * parts + part];
      inst.numbers = kAllBytes;
      assign_pattern(inst, Space::generic, inst.size * inst.count);
      add_site(inst, op, store ? SiteKind::store : SiteKind::load);
      if (rows) {
        List list;
        list.refs = {all.refs[2 * pair], all.refs[2 * pair + 1]};
        list.sizes = {4, 4};
        attach(inst, std::move(list));
      } else {
        (store ? inst.b : inst.dst) = all.refs[2 * pair + part];
      }
      append(inst);
    }
  }
}

void Decoder::append_factor(const Opcode& op, const Operand& fragment, const Operand& base,
                            Ref stride, Space space) {
  const bool is_a = op.has("a");
  const std::size_t copies = op.type() == Type::f16 ? 2 : 1;
  List to;
  add_fragment(to, fragment, kFactorRegisters * copies, true);
  // Whether neighbours in memory lie in one register: elements of a row of A or of a column of B.
  const bool together = op.has("row") == is_a;
  if (space == Space::shared) {
    Inst at = piece_address(base, stride, 2, temporary(8));
    at.flags |= static_cast<std::uint32_t>(is_a == together ? LanePlace::rows_down
                                                            : LanePlace::rows_across);
    at.count = 0;
    append(at);
    List list = row_registers();
    list.refs.insert(list.refs.end(), to.refs.begin(), to.refs.begin() + kFactorRegisters);
    list.sizes.resize(list.refs.size(), 4);
    Inst inst = blank(load_matrices);
    inst.a = at.dst;
    inst.flags |= MemoryFlags::kWideBase;
    append_row_load(op, inst, std::move(list), kLanes, !together);
  } else {
    std::vector<Ref> pieces;  // their addresses
    for (std::uint32_t r = 0; r < kFactorRegisters; ++r) {
      const std::uint32_t along_k = 8 * (is_a ? r / 2 : r % 2);
      const std::uint32_t across = 8 * (is_a ? r % 2 : r / 2);
      Inst at = piece_address(base, stride, 2, temporary(8));
      at.flags |= static_cast<std::uint32_t>(LanePlace::pairs);
      at.count = together ? across : along_k;
      at.target = together ? along_k : across;
      append(at);
      pieces.push_back(at.dst);
    }
    for (std::uint32_t r = 0; r < kFactorRegisters; ++r) {
      Inst inst = blank(load_handler(space, 4, 4, false, false));
      if (inst.run == nullptr) throw DecodeError{"wmma with this kind of memory"};
      inst.size = 4;
      inst.flags |= MemoryFlags::kWideBase;
      inst.a = pieces[r];
      inst.dst = together ? to.refs[r] : temporary(4);
      inst.numbers = kAllBytes;
      assign_pattern(inst, Space::generic, inst.size);
      add_site(inst, op, SiteKind::load);
      append(inst);
      if (together) continue;
      Inst turn = blank(transpose_piece);
      turn.a = inst.dst;
      turn.dst = to.refs[r];
      append(turn);
    }
  }
  for (std::size_t i = kFactorRegisters; i < to.refs.size(); ++i) {
    Inst copy = blank(move_handler(4));
    copy.a = to.refs[i - kFactorRegisters];
    copy.dst = to.refs[i];
    append(copy);
  }
}

}  // namespace tessera::sim
