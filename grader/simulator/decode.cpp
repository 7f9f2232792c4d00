#include "grader/simulator/decode.h"

#include <cstring>
#include <map>
#include <tuple>

#include "grader/simulator/control.h"
#include "grader/simulator/control_flow.h"
#include "grader/simulator/ops_compare.h"
#include "grader/simulator/ops_memory.h"
#include "grader/simulator/ops_move.h"

namespace tessera::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;

struct DecodeError {
  std::string message;
};

/// A register that the function declares: lanes of `bytes` bytes at `ref`, or a predicate with that
/// index.
struct RegisterSlot {
  Ref ref;
  unsigned bytes = 0;
  bool predicate = false;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ".") + word;
  return text;
}

Space space_in(const Opcode& op) {
  for (const std::string& word : op.words) {
    if (word == "global") return Space::global;
    if (word == "shared" || word == "shared::cta") return Space::shared;
    if (word == "local") return Space::local;
    if (word == "const") return Space::constant;
    if (word == "param" || word == "param::entry" || word == "param::func") return Space::param;
  }
  return Space::generic;
}

class Decoder {
 public:
  Decoder(const ptx::Function& source, std::uint32_t index, const Symbols& symbols,
          std::vector<SiteInfo>& sites)
      : source_(source), index_(index), symbols_(symbols), sites_(sites) {}

  Expected<Function> run() {
    function_.name = source_.name;
    function_.entry = source_.entry;
    function_.defined = true;
    lay_out_parameters();
    lay_out_locals();
    auto blocks = basic_blocks(source_);
    if (!blocks) return blocks.error();
    blocks_ = std::move(*blocks);
    find_joins();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (const auto error = emit_block(b)) return *error;
    }
    emit_end();
    resolve_targets();
    // Handlers may look at operands that an instruction does not have; those refer to offset 0.
    function_.register_bytes = std::max(function_.register_bytes, kLanes * 8);
    if (function_.constants.size() < kLanes * 8) function_.constants.resize(kLanes * 8);
    return std::move(function_);
  }

 private:
  // ---- layout

  ParamSlot parameter_slot(const ptx::Variable& variable) {
    std::uint32_t& end = function_.parameter_bytes;
    const auto align = static_cast<std::uint32_t>(std::max<std::uint64_t>(variable.align, 1));
    const std::uint32_t offset = (end + align - 1) / align * align;
    const auto size = static_cast<std::uint32_t>(variable.size);
    end = (offset + size + 7) / 8 * 8;
    locals_[variable.name] = {Space::param, offset, -1};
    return {offset, size};
  }

  void lay_out_parameters() {
    for (const ptx::Variable& variable : source_.parameters)
      function_.parameters.push_back(parameter_slot(variable));
    for (const ptx::Variable& variable : source_.returns)
      function_.returns.push_back(parameter_slot(variable));
    // Every call sequence declares its own param0, retval0, ...; one slot a name, large enough for
    // all.
    std::map<std::string, ptx::Variable> largest;
    for (const ptx::Variable& variable : source_.variables) {
      if (variable.space != Space::param) continue;
      ptx::Variable& kept = largest[variable.name];
      if (variable.size >= kept.size) {
        const std::uint64_t align = std::max(kept.align, variable.align);
        kept = variable;
        kept.align = align;
      }
    }
    for (const auto& [name, variable] : largest) parameter_slot(variable);
  }

  void lay_out_locals() {
    for (const ptx::Variable& variable : source_.variables) {
      if (variable.space != Space::local) continue;
      const std::uint64_t align = std::max<std::uint64_t>(variable.align, 1);
      const std::uint64_t offset = (function_.local_bytes + align - 1) / align * align;
      function_.local_bytes = offset + variable.size;
      locals_[variable.name] = {Space::local, offset, -1};
    }
  }

  // ---- registers, constants, symbols

  std::optional<Type> declared_type(const std::string& name) const {
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

  const RegisterSlot* find_register(const std::string& name) {
    if (const auto found = registers_.find(name); found != registers_.end()) return &found->second;
    const std::optional<Type> type = declared_type(name);
    if (!type) return nullptr;
    return &registers_.emplace(name, new_register(*type)).first->second;
  }

  RegisterSlot new_register(Type type) {
    if (type == Type::pred) return {{function_.predicates++, 0}, 0, true};
    const unsigned bytes = std::max(2u, ptx::bytes(type));
    if (bytes > 8) throw DecodeError{"128-bit registers"};
    RegisterSlot slot{{function_.register_bytes, 0}, bytes, false};
    function_.register_bytes += (kLanes * bytes + 63) / 64 * 64;
    return slot;
  }

  Ref constant(std::uint64_t bits, unsigned bytes) {
    if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
    const auto key = std::make_pair(bits, bytes);
    if (const auto found = constants_.find(key); found != constants_.end()) return found->second;
    const auto offset = static_cast<std::uint32_t>(function_.constants.size());
    function_.constants.resize(offset + kLanes * bytes);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      std::memcpy(&function_.constants[offset + lane * bytes], &bits, bytes);
    return constants_[key] = Ref{offset, 1};
  }

  const Symbol& symbol(const std::string& name) const {
    if (const auto found = locals_.find(name); found != locals_.end()) return found->second;
    if (const auto found = symbols_.find(name); found != symbols_.end()) return found->second;
    throw DecodeError{"unknown name '" + name + "'"};
  }

  const RegisterSlot& register_of(const Operand& operand) {
    const RegisterSlot* slot = find_register(operand.name);
    if (slot == nullptr) throw DecodeError{"unknown register '" + operand.name + "'"};
    return *slot;
  }

  bool names_register(const Operand& operand) {
    return (operand.kind == Kind::reg || operand.kind == Kind::symbol) &&
           find_register(operand.name) != nullptr;
  }

  /// A source operand, `bytes` wide.
  Ref source(const Operand& operand, unsigned bytes) {
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

  /// The low bytes of a register that is wider than the instruction.
  Ref narrowed(const RegisterSlot& slot, unsigned bytes) {
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

  Ref local_address(const Symbol& variable, std::int64_t offset, unsigned bytes) {
    const Ref temporary = new_register(bytes == 8 ? Type::b64 : Type::b32).ref;
    Inst inst = blank(local_address_handler(bytes));
    inst.dst = temporary;
    inst.offset = static_cast<std::int64_t>(variable.address) + offset;
    append_unguarded(inst);
    return temporary;
  }

  Ref destination(const Operand& operand, unsigned bytes) {
    if (operand.kind == Kind::sink)
      return new_register(bytes == 8 ? Type::b64 : bytes == 2 ? Type::b16 : Type::b32).ref;
    const RegisterSlot& slot = register_of(operand);
    if (slot.predicate)
      throw DecodeError{"predicate '" + operand.name + "' where a register is expected"};
    if (slot.bytes < bytes) throw DecodeError{"register '" + operand.name + "' is too narrow"};
    note_write(slot.ref);
    return slot.ref;
  }

  std::uint32_t predicate(const std::string& name) {
    const RegisterSlot* slot = find_register(name);
    if (slot == nullptr || !slot->predicate) throw DecodeError{"'" + name + "' is no predicate"};
    return slot->ref.offset;
  }

  /// A predicate source with whether it is negated; constants are the always-true predicate,
  /// negated for 0.
  std::pair<std::uint32_t, bool> predicate_source(const Operand& operand) {
    if (operand.kind == Kind::integer) return {0, operand.value == 0};
    return {predicate(operand.name), operand.negated};
  }

  /// A predicate destination; 0 discards where the handler says so.
  std::uint32_t predicate_destination(const Operand& operand) {
    return operand.kind == Kind::sink ? 0 : predicate(operand.name);
  }

  std::uint32_t kept_predicate(const Operand& operand) {
    const std::uint32_t index = predicate_destination(operand);
    return index != 0 ? index : function_.predicates++;
  }

  // ---- code

  Inst blank(Handler run) const {
    Inst inst;
    inst.run = run;
    inst.source = static_cast<std::uint32_t>(function_.locations.size()) - 1;
    return inst;
  }

  void append_unguarded(const Inst& inst) { function_.code.push_back(inst); }

  void append(Inst inst) {
    const Instruction& instruction = *current_;
    if (!instruction.guard.empty()) {
      inst.guard = predicate(instruction.guard);
      inst.guard_flip = instruction.guard_negated ? kAllLanes : 0;
    }
    function_.code.push_back(inst);
  }

  void find_joins() {
    reconverge_.assign(blocks_.size(), kExitBlock);
    joins_.assign(blocks_.size(), false);
    const std::vector<int> dominators = immediate_post_dominators(blocks_);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const int meeting = dominators[b];
      if (blocks_[b].successors.size() < 2 || meeting == kExitBlock || only_exits(meeting))
        continue;
      reconverge_[b] = meeting;
      joins_[static_cast<std::size_t>(meeting)] = true;
    }
  }

  /// Lanes that meet just to end need not wait for each other: an early return counts as an exit at
  /// once.
  bool only_exits(int block) const {
    const BasicBlock& candidate = blocks_[static_cast<std::size_t>(block)];
    if (!source_.entry || candidate.end - candidate.begin != 1) return false;
    const std::string& name = source_.body[candidate.begin].words[0];
    return name == "ret" || name == "exit";
  }

  std::optional<Error> emit_block(std::size_t b) {
    block_start_.push_back(static_cast<std::uint32_t>(function_.code.size()));
    groups_.clear();
    for (std::size_t i = blocks_[b].begin; i < blocks_[b].end; ++i) {
      current_ = &source_.body[i];
      function_.locations.push_back(current_->location);
      function_.ptx_lines.push_back(current_->ptx_line);
      function_.texts.push_back(joined(current_->words));
      if (i == blocks_[b].begin && joins_[b]) append_unguarded(blank(join_point));
      const std::size_t before = function_.code.size();
      try {
        emit(Opcode(current_->words), *current_, b);
      } catch (const DecodeError& error) {
        // Only an error when it is reached: code that never runs may use anything.
        function_.code.resize(before);
        const auto undone = [&](const auto& entry) { return entry.first >= before; };
        std::erase_if(branch_labels_, undone);
        std::erase_if(reconverge_at_, undone);
        function_.texts.back() += " (" + error.message + ")";
        append_unguarded(blank(unsupported));
      }
    }
    return std::nullopt;
  }

  void emit_end() {
    // A function whose text ends without ret.
    const ptx::Location last =
        function_.locations.empty() ? ptx::Location{} : function_.locations.back();
    function_.locations.push_back(last);
    function_.ptx_lines.push_back(source_.ptx_line);
    function_.texts.emplace_back("ret");
    append_unguarded(blank(return_from));
  }

  void resolve_targets() {
    const auto end = static_cast<std::uint32_t>(function_.code.size()) - 1;
    const auto start_of = [&](std::size_t body_index) {
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        if (blocks_[b].begin == body_index) return block_start_[b];
      }
      return end;
    };
    std::unordered_map<std::string, std::uint32_t> label_start;
    for (const auto& [label, index] : source_.labels) label_start[label] = start_of(index);
    for (const auto& [at, label] : branch_labels_)
      function_.code[at].target = label_start.at(label);
    for (const auto& [list, labels] : list_labels_) {
      for (const std::string& label : labels)
        function_.lists[list].targets.push_back(label_start.at(label));
    }
    for (const auto& [at, block] : reconverge_at_) {
      function_.code[at].reconverge =
          block == kExitBlock ? kNoReconvergence : block_start_[static_cast<std::size_t>(block)];
    }
  }

  const Operand& operand(std::size_t index) const {
    if (index >= current_->operands.size()) throw DecodeError{"a missing operand"};
    return current_->operands[index];
  }
  std::size_t operand_count() const { return current_->operands.size(); }

  void emit(const Opcode& op, const Instruction& instruction, std::size_t block) {
    const std::string_view name = op.name();
    if (name == "ld" || name == "ldu") return emit_load(op);
    if (name == "st") return emit_store(op);
    if (name == "atom" || name == "red") return emit_atomic(op);
    if (name == "mov") return emit_move(op);
    if (name == "cvt" && !op.has("pack")) return emit_convert(op);
    if (name == "cvta") return emit_cvta(op);
    if (name == "setp") return emit_setp(op);
    if (name == "set") return emit_set(op);
    if (name == "selp" || name == "slct") return emit_select(op);
    if (name == "bra") return emit_branch(block);
    if (name == "brx") return emit_indexed_branch(block);
    if (name == "call") return emit_call();
    if (name == "ret") return append(blank(return_from));
    if (name == "exit") return append(blank(exit_thread));
    if (name == "trap" || name == "brkpt") return append(blank(trap));
    if ((name == "bar" || name == "barrier") && !op.has("warp")) return emit_barrier(op);
    if (collective_of(op) != nullptr) return emit_collective(op);
    if (name == "activemask") return emit_activemask();
    if (name == "isspacep") return emit_isspacep(op);
    if (name == "testp") return emit_testp(op);
    if (op.type() == Type::pred) return emit_predicate_logic(op);
    if (name == "membar" || name == "fence") return emit_fence(op);
    if (without_effect(op)) return append(blank(nothing));
    emit_lane_op(op, instruction);
  }

  static bool without_effect(const Opcode& op) {
    static constexpr std::string_view kNames[] = {
        "prefetch", "prefetchu", "nanosleep", "pmevent", "discard", "applypriority", "setmaxnreg"};
    return std::find(std::begin(kNames), std::end(kNames), op.name()) != std::end(kNames);
  }

  void emit_fence(const Opcode& op) {
    Inst inst = blank(fence);
    inst.flags = op.has("cta") ? 0 : 1;
    append(inst);
  }

  void emit_lane_op(const Opcode& op, const Instruction&) {
    LaneOp found;
    for (auto find : {integer_op, bit_op, float_op, half_op}) {
      found = find(op);
      if (found.run != nullptr) break;
    }
    if (found.run == nullptr) throw DecodeError{"not implemented"};
    Ref a, b, c, d;
    if (found.a != 0) a = source(operand(1), found.a);
    if (found.b != 0) b = source(operand(2), found.b);
    if (found.c != 0) c = source(operand(3), found.c);
    if (operand_count() > 4) d = source(operand(4), 4);
    Inst inst = blank(found.run);
    inst.flags = carry_flags(op);
    inst.a = a;
    inst.b = b;
    inst.c = c;
    inst.d = d;
    inst.dst = destination(operand(0), found.dst);
    append(inst);
  }

  // ---- memory

  /// Base address register and offset of [a + offset].
  void address(Inst& inst, const Operand& operand) {
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

  Space access_space(const Opcode& op, const Operand& operand) {
    const Space declared = space_in(op);
    if (declared != Space::generic || names_register(operand) || operand.kind != Kind::symbol)
      return declared;
    return symbol(operand.name).space;
  }

  static std::uint32_t order_flags(const Opcode& op) {
    std::uint32_t flags = 0;
    if (op.has("volatile")) flags |= MemoryFlags::kVolatile;
    if (op.has("relaxed") || op.has("acquire") || op.has("release") || op.has("mmio"))
      flags |= MemoryFlags::kStrong;
    if (op.has("release") || op.has("acq_rel")) flags |= MemoryFlags::kReleases;
    if (op.has("cta")) flags |= MemoryFlags::kBlockScope;
    return flags;
  }

  void add_site(Inst& inst, const Opcode& op, bool store, bool atomic) {
    inst.flags |= order_flags(op);
    inst.site = static_cast<std::uint32_t>(sites_.size());
    sites_.push_back({store, atomic, index_, inst.source});
  }

  void assign_pattern(Inst& inst, Space space, unsigned width) {
    const auto key =
        std::make_tuple(inst.a.bank, inst.a.offset, static_cast<unsigned>(space), width);
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

  void note_write(Ref ref) {
    std::erase_if(groups_, [&](const auto& entry) {
      return std::get<0>(entry.first) == ref.bank && std::get<1>(entry.first) == ref.offset;
    });
  }

  void emit_load(const Opcode& op) {
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

  void emit_store(const Opcode& op) {
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

  /// The registers of a vector operand as a list; all must have one width. Constants are allowed as
  /// sources.
  std::uint32_t register_list(const std::vector<Operand>& elements, unsigned size, bool written,
                              unsigned& reg_bytes) {
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

  void emit_atomic(const Opcode& op) {
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

  // ---- moves and conversions

  void emit_special(const Operand& from, Ref to, unsigned bytes) {
    const int index = special_index(from.name);
    if (index < 0) throw DecodeError{"special register " + from.name};
    Inst inst = blank(special_handler(bytes));
    inst.flags = static_cast<std::uint32_t>(index);
    inst.dst = to;
    append_unguarded(inst);
  }

  void emit_move(const Opcode& op) {
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
      const std::uint32_t list = register_list(
          to.elements, bytes / static_cast<unsigned>(to.elements.size()), true, piece);
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

  void append_known(const Inst& inst) {
    if (inst.run == nullptr) throw DecodeError{"not implemented"};
    append(inst);
  }

  void emit_convert(const Opcode& op) {
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

  void emit_cvta(const Opcode& op) {
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

  // ---- comparisons and predicates

  void combination(Inst& inst, const Opcode& op, std::size_t index) {
    if (operand_count() <= index) return;
    if (op.has("and")) inst.flags |= CompareFlags::kAnd;
    if (op.has("or")) inst.flags |= CompareFlags::kOr;
    if (op.has("xor")) inst.flags |= CompareFlags::kXor;
    const auto [third, negated] = predicate_source(operand(index));
    inst.c.offset = third;
    if (negated) inst.flags |= CompareFlags::kNegate;
  }

  void emit_setp(const Opcode& op) {
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

  void emit_set(const Opcode& op) {
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

  void emit_select(const Opcode& op) {
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

  void emit_predicate_logic(const Opcode& op) {
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

  void emit_isspacep(const Opcode& op) {
    Inst inst = blank(isspacep_handler(space_in(op)));
    inst.a = source(operand(1), 8);
    inst.dst.offset = kept_predicate(operand(0));
    append(inst);
  }

  void emit_testp(const Opcode& op) {
    Inst inst = blank(testp_handler(op));
    inst.a = source(operand(1), ptx::bytes(op.type()));
    inst.dst.offset = kept_predicate(operand(0));
    append_known(inst);
  }

  // ---- control

  void emit_branch(std::size_t block) {
    Inst inst = blank(branch);
    branch_labels_.emplace_back(function_.code.size(), operand(0).name);
    reconverge_at_.emplace_back(function_.code.size(), reconverge_[block]);
    append(inst);
  }

  void emit_indexed_branch(std::size_t block) {
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

  void emit_call() {
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

  void emit_barrier(const Opcode& op) {
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

  void emit_collective(const Opcode& op) {
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

  void emit_activemask() {
    Inst inst = blank(activemask);
    inst.dst = destination(operand(0), 4);
    append(inst);
  }

  const ptx::Function& source_;
  std::uint32_t index_;
  const Symbols& symbols_;
  std::vector<SiteInfo>& sites_;
  Function function_;
  Symbols locals_;
  std::unordered_map<std::string, RegisterSlot> registers_;
  std::map<std::pair<std::uint64_t, unsigned>, Ref> constants_;
  std::vector<BasicBlock> blocks_;
  std::vector<int> reconverge_;  // by block
  std::vector<bool> joins_;      // by block: whether lanes may meet at its start
  std::vector<std::uint32_t> block_start_;
  const Instruction* current_ = nullptr;
  // Which pattern slot holds the addresses of (bank, offset, space, width) at this point of the
  // basic block.
  std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned, unsigned>, std::uint32_t> groups_;
  std::uint32_t next_pattern_ = 0;
  std::vector<std::pair<std::size_t, std::string>> branch_labels_;
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> list_labels_;
  std::vector<std::pair<std::size_t, int>> reconverge_at_;
};

}  // namespace

Expected<Function> decode(const ptx::Function& function, std::uint32_t index,
                          const Symbols& symbols, std::vector<SiteInfo>& sites) {
  return Decoder(function, index, symbols, sites).run();
}

}  // namespace tessera::sim
