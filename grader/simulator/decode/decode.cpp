#include "grader/simulator/decode/decode.h"

#include <algorithm>
#include <map>

#include "common/text.h"
#include "grader/simulator/decode/decoder.h"
#include "grader/simulator/decode/merged_lines.h"
#include "grader/simulator/decode/prove.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/ops_move.h"
#include "grader/simulator/ptx/instruction_set.h"
#include "grader/simulator/ptx/limits.h"

namespace tessera::sim {
namespace {

/// The index of the instruction that an entry of the decoder belongs to.
template <class T>
std::size_t at_of(const std::pair<std::size_t, T>& entry) {
  return entry.first;
}
std::size_t at_of(const ListRead& entry) {
  return entry.first;
}

}  // namespace

Expected<Function, LoadError> Decoder::run() {
  try {
    return decode_all();
  } catch (const InvalidPtx& invalid) {
    const int line = invalid.line != 0     ? invalid.line
                     : current_ != nullptr ? current_->ptx_line
                                           : source_.ptx_line;
    return LoadError{.fault = invalid.fault,
                     .line = line,
                     .name = invalid.name.empty() ? source_.name : invalid.name,
                     .message = invalid.message};
  }
}

Function Decoder::decode_all() {
  function_.name = source_.name;
  function_.entry = source_.entry;
  function_.defined = true;
  lay_out_parameters();
  lay_out_locals();
  auto blocks = basic_blocks(source_);
  if (!blocks) throw InvalidPtx{blocks.error().message, blocks.error().line};
  blocks_ = std::move(*blocks);
  find_joins();
  const RegisterUses uses(source_, blocks_);
  function_.least_frame_bytes = uses.least_frame_bytes();
  late_checks_ = late_checks(source_, blocks_, uses);
  for (const LateCheck& late : late_checks_) late_loads_[late.load].elements |= 1u << late.element;
  for (std::size_t b = 0; b < blocks_.size(); ++b) emit_block(b);
  emit_end();
  resolve_targets();
  function_.merged = merged_ranges(source_, blocks_);
  function_.register_bytes += kWidestOperand;
  function_.constants.resize(function_.constants.size() + kWidestOperand);
  prove(function_, {.lists_read = lists_read_, .sites = sites_.size()});
  return std::move(function_);
}

ParamSlot Decoder::parameter_slot(const ptx::Variable& variable) {
  const std::uint64_t align = std::max<std::uint64_t>(variable.align, 1);
  const std::uint64_t offset = round_up(function_.parameter_bytes, align);
  const std::uint64_t end = offset + variable.size;
  if (end > ptx::kMaxFrameParameterBytes)
    throw InvalidPtx{"a function's parameters and its calls have more than " +
                         std::to_string(ptx::kMaxFrameParameterBytes) + " bytes",
                     variable.ptx_line, LoadFault::over_limit};
  function_.parameter_bytes = static_cast<std::uint32_t>(end);
  locals_[variable.name] = {.space = Space::param, .address = offset, .size = variable.size};
  return {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(variable.size)};
}

void Decoder::lay_out_parameters() {
  for (const ptx::Variable& variable : source_.parameters)
    function_.parameters.push_back(parameter_slot(variable));
  if (source_.entry && function_.parameter_bytes > ptx::kMaxKernelParameterBytes)
    throw InvalidPtx{"the parameters of a kernel have at most " +
                         std::to_string(ptx::kMaxKernelParameterBytes) + " bytes",
                     source_.ptx_line, LoadFault::over_limit};
  for (const ptx::Variable& variable : source_.returns)
    function_.returns.push_back(parameter_slot(variable));
  // Every call sequence declares its own param0, retval0, ...: each name gets one slot, large
  // enough for all of them.
  std::map<std::string, ptx::Variable> largest;
  for (const ptx::Variable& variable : source_.variables) {
    if (variable.space != Space::param) continue;
    ptx::Variable& kept = largest[ptx::declared_name(variable.name)];
    if (variable.size >= kept.size) {
      const std::uint64_t align = std::max(kept.align, variable.align);
      kept = variable;
      kept.align = align;
    }
  }
  std::map<std::string, std::uint64_t> address;
  for (const auto& [name, variable] : largest) address[name] = parameter_slot(variable).offset;
  for (const ptx::Variable& variable : source_.variables) {
    if (variable.space != Space::param) continue;
    locals_[variable.name] = {.space = Space::param,
                              .address = address[ptx::declared_name(variable.name)],
                              .size = variable.size};
  }
  // Lanes are aligned.
  function_.parameter_bytes = static_cast<std::uint32_t>(round_up(function_.parameter_bytes, 16));
}

void Decoder::lay_out_locals() {
  for (const ptx::Variable& variable : source_.variables) {
    if (variable.space != Space::local) continue;
    const std::uint64_t align = std::max<std::uint64_t>(variable.align, 1);
    const std::uint64_t offset = round_up(function_.local_bytes, align);
    if (align > ptx::kMaxLocalAlign)
      throw InvalidPtx{
          "a local array is aligned to more than " + std::to_string(ptx::kMaxLocalAlign) + " bytes",
          variable.ptx_line, LoadFault::over_limit};
    function_.local_align = std::max(function_.local_align, align);
    function_.local_bytes = offset + variable.size;
    if (function_.local_bytes > ptx::kMaxLocalBytes)
      throw InvalidPtx{"the local arrays of a thread have more than " +
                           std::to_string(ptx::kMaxLocalBytes) + " bytes in one function",
                       variable.ptx_line, LoadFault::over_limit};
    locals_[variable.name] = {.space = Space::local, .address = offset, .size = variable.size};
  }
}

Inst Decoder::blank(Handler run) const {
  Inst inst;
  inst.run = run;
  inst.source = static_cast<std::uint32_t>(function_.locations.size()) - 1;
  return inst;
}

void Decoder::append(Inst inst) {
  const Instruction& instruction = *current_;
  if (!instruction.guard.empty()) {
    inst.guard = predicate(instruction.guard).offset;
    inst.guard_flip = instruction.guard_negated ? kAllLanes : 0;
  }
  function_.code.push_back(inst);
}

void Decoder::find_joins() {
  reconverge_.assign(blocks_.size(), kExitBlock);
  joins_.assign(blocks_.size(), false);
  // If some threads may leave the function, the others meet as if those did not exist.
  const std::vector<int> dominators = immediate_post_dominators(blocks_);
  const std::vector<int> before_barriers = meetings_before_barriers(source_, blocks_);
  const std::vector<BasicBlock> inside = without_ways_out(blocks_);
  const std::vector<int> dominators_inside = immediate_post_dominators(inside);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].successors.size() < 2) continue;
    int meeting = kExitBlock;
    const int at_last = inside[b].successors.size() < 2 ? kExitBlock : dominators_inside[b];
    for (const int candidate : {dominators[b], before_barriers[b], at_last}) {
      if (meeting == kExitBlock && candidate != kExitBlock && !only_exits(candidate))
        meeting = candidate;
    }
    if (meeting == kExitBlock) continue;
    reconverge_[b] = meeting;
    joins_[static_cast<std::size_t>(meeting)] = true;
  }
}

bool Decoder::only_exits(int block) const {
  const BasicBlock& candidate = blocks_[static_cast<std::size_t>(block)];
  if (!source_.entry || candidate.end - candidate.begin != 1) return false;
  return ptx::info_of(source_.body[candidate.begin]).is(ptx::kLeaves);
}

void Decoder::emit_block(std::size_t b) {
  block_start_.push_back(static_cast<std::uint32_t>(function_.code.size()));
  groups_.clear();
  block_ = b;
  for (std::size_t i = blocks_[b].begin; i < blocks_[b].end; ++i) {
    current_ = &source_.body[i];
    function_.locations.push_back(current_->location);
    function_.ptx_lines.push_back(current_->ptx_line);
    function_.texts.push_back(joined(current_->words, "."));
    const std::string& name = current_->words[0];
    if (ptx::row_of(name) == 0)
      throw InvalidPtx{"PTX has no instruction '" + ptx::declared_name(name) + "'"};
    if (i == blocks_[b].begin && joins_[b]) append_unguarded(blank(join_point));
    emit_late_checks(i);
    const std::size_t before = function_.code.size();
    try {
      if (source_.register_parameters) throw DecodeError{"a function without an ABI"};
      emit();
    } catch (const DecodeError& error) {
      // This is an error only when a thread reaches it: code that never runs may use anything.
      function_.code.resize(before);
      const auto undo = [&](auto& entries) {
        while (!entries.empty() && at_of(entries.back()) >= before) entries.pop_back();
      };
      undo(branch_labels_);
      undo(reconverge_at_);
      undo(lists_read_);
      function_.texts.back() += " (" + error.message + ")";
      append_unguarded(blank(unsupported));
    }
  }
}

void Decoder::emit_end() {
  // Ends functions whose text does not end with ret.
  const ptx::Location last =
      function_.locations.empty() ? ptx::Location{} : function_.locations.back();
  function_.locations.push_back(last);
  function_.ptx_lines.push_back(source_.ptx_line);
  function_.texts.emplace_back("ret");
  append_unguarded(blank(return_from));
}

void Decoder::resolve_targets() {
  const auto end = static_cast<std::uint32_t>(function_.code.size()) - 1;
  const auto start_of = [&](std::size_t body_index) {
    const auto found = std::ranges::lower_bound(blocks_, body_index, {}, &BasicBlock::begin);
    return found == blocks_.end() ? end
                                  : block_start_[static_cast<std::size_t>(found - blocks_.begin())];
  };
  std::unordered_map<std::string, std::uint32_t> label_start;
  for (const auto& [label, index] : source_.labels) label_start[label] = start_of(index);
  for (const auto& [at, label] : branch_labels_) function_.code[at].target = label_start.at(label);
  for (const auto& [list, labels] : list_labels_) {
    for (const std::string& label : labels)
      function_.lists[list].targets.push_back(label_start.at(label));
  }
  for (const auto& [at, block] : reconverge_at_) {
    function_.code[at].reconverge =
        block == kExitBlock ? kNoReconvergence : block_start_[static_cast<std::size_t>(block)];
  }
}

const ptx::Operand& Decoder::operand(std::size_t index) const {
  if (index >= current_->operands.size()) throw DecodeError{"a missing operand"};
  return current_->operands[index];
}

void Decoder::expect_operands(std::size_t count) const {
  if (operand_count() < count)
    throw InvalidPtx{"'" + joined(current_->words, ".") + "' has " + std::to_string(count) +
                     " operands, here are " + std::to_string(operand_count())};
  if (operand_count() > count) throw DecodeError{"more operands than are known"};
}

void Decoder::emit() {
  using Emit = void (Decoder::*)(const Opcode&);
  static constexpr Emit kEmits[] = {
#define INSTRUCTION(name, words, unit, traits, decode, ...) decode,
#include "grader/simulator/ptx/instruction_set.def"
  };
  const Opcode op(current_->words);
  if (kEmits[op.row] == nullptr) throw DecodeError{"not implemented"};
  if (const auto word = ptx::unknown_word(*current_)) throw DecodeError{"not known: ." + *word};
  try {
    (this->*kEmits[op.row])(op);
  } catch (const Mismatch& mismatch) {
    if (ptx::info_of(*current_).is(ptx::kEveryForm)) throw InvalidPtx{mismatch.message};
    throw;
  }
}

void Decoder::emit_lane_op(const Opcode& op) {
  if (op.type() == Type::pred) return emit_predicate_logic(op);
  LaneOp found;
  for (const LaneMaker find : {integer_op, bit_op, float_op, half_op}) {
    found = find(op);
    if (found.run != nullptr) break;
  }
  if (found.run == nullptr) throw DecodeError{"not implemented"};
  const unsigned widths[] = {found.a, found.b, found.c, found.d};
  expect_operands(1 + static_cast<std::size_t>(std::ranges::count_if(
                          widths, [](unsigned width) { return width != 0; })));
  Inst inst = blank(found.run);
  inst.flags = found.flags;
  inst.a = source(operand(1), found.a);
  if (found.b != 0) inst.b = source(operand(2), found.b);
  if (found.c != 0) inst.c = source(operand(3), found.c);
  if (found.d != 0) inst.d = source(operand(4), found.d);
  inst.dst = destination(operand(0), found.dst);
  append(inst);
}

void Decoder::append_known(const Inst& inst) {
  if (inst.run == nullptr) throw DecodeError{"not implemented"};
  append(inst);
}

Expected<Function, LoadError> decode(const ptx::Function& function, std::uint32_t index,
                                     const Symbols& symbols, std::vector<SiteInfo>& sites) {
  return Decoder(function, index, symbols, sites).run();
}

}  // namespace tessera::sim
