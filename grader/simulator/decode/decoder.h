// The decoder of one function, as its parts see it; decode.h is what others use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grader/simulator/decode/control_flow.h"
#include "grader/simulator/decode/decode.h"
#include "grader/simulator/decode/late_checks.h"
#include "grader/simulator/decode/number_bits.h"
#include "grader/simulator/decode/prove.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {

/// Why an instruction cannot be decoded: "a missing operand", "this form of ld".
struct DecodeError {
  std::string message;
};

/// An operand that does not fit the opcode; ptxas refuses it where the opcode is one of those that
/// the simulator knows in every form.
struct Mismatch : DecodeError {};

/// What ptxas refuses, or more than the simulator takes: the module does not load.
struct InvalidPtx {
  std::string message;
  int line = 0;  // of the PTX; 0: that of the instruction
  LoadFault fault = LoadFault::not_ptx;
  std::string name = "";  // of what it is about; "": the function that is decoded
};

/// A register that the function declares: lanes of `bytes` bytes at `ref`, or a predicate with that
/// index.
struct RegisterSlot {
  Ref ref;
  unsigned bytes = 0;
  bool predicate = false;
};

/// Instructions are decoded one after the other: what is said of "the instruction" is said of
/// current_. A part that meets something unknown throws DecodeError, which makes the instruction
/// one that is unsupported when it is reached; what ptxas would refuse is an InvalidPtx. Only the
/// functions of decode_operands.cpp make a Ref, and each checks the width that it is asked for.
class Decoder {
 public:
  Decoder(const ptx::Function& source, std::uint32_t index, const Symbols& symbols,
          std::vector<SiteInfo>& sites)
      : source_(source), index_(index), symbols_(symbols), sites_(sites) {}

  Expected<Function, LoadError> run();

 private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;
  using Space = ptx::Space;
  using Type = ptx::Type;
  using Kind = ptx::Operand::Kind;

  // decode.cpp: where variables lie, blocks and where lanes meet, instructions of no special form
  Function decode_all();
  ParamSlot parameter_slot(const ptx::Variable& variable);
  void lay_out_parameters();
  void lay_out_locals();
  /// An instruction of the one that is decoded.
  Inst blank(Handler run) const;
  void append_unguarded(const Inst& inst) { function_.code.push_back(inst); }
  /// With the guard of the instruction; append_known() refuses one without a handler.
  void append(Inst inst);
  void append_known(const Inst& inst);
  void find_joins();
  /// Lanes that meet just to end need not wait for each other: an early return counts as an exit at
  /// once.
  bool only_exits(int block) const;
  void emit_block(std::size_t b);
  void emit_end();
  void resolve_targets();
  const Operand& operand(std::size_t index) const;
  /// Refuses fewer operands, and does not know more.
  void expect_operands(std::size_t count) const;
  std::size_t operand_count() const { return current_->operands.size(); }
  void emit();
  void emit_lane_op(const Opcode& op);
  /// An instruction whose operands do not matter.
  template <Handler kRun>
  void emit_run(const Opcode&) {
    append(blank(kRun));
  }
  // All others that instruction_set.def names, in the decode_*.cpp of their kind.
#define DECODER(decode) void decode(const Opcode& op);
#include "grader/simulator/ptx/instruction_set.def"

  // decode_operands.cpp: registers, constants, symbols
  const RegisterSlot* find_register(const std::string& name);
  RegisterSlot new_register(Type type);
  Ref new_predicate();
  /// A register for a value of that many bytes (2, 4 or 8).
  Ref temporary(unsigned bytes);
  Ref constant(std::uint64_t bits, unsigned bytes);
  const Symbol& symbol(const std::string& name) const;
  const RegisterSlot& register_of(const Operand& operand);
  bool names_register(const Operand& operand);
  /// A source operand, `bytes` wide.
  Ref source(const Operand& operand, unsigned bytes);
  /// The low bytes of a register that is wider than the instruction.
  Ref narrowed(const RegisterSlot& slot, unsigned bytes);
  Ref register_source(const Operand& operand, unsigned bytes);
  Ref local_address(const Symbol& variable, std::int64_t offset, unsigned bytes);
  Ref destination(const Operand& operand, unsigned bytes);
  Ref predicate(const std::string& name);
  /// A predicate source with whether it is negated; constants are the always-true predicate,
  /// negated for 0.
  std::pair<Ref, bool> predicate_source(const Operand& operand);
  /// A predicate destination; index 0 discards where the handler says so.
  Ref predicate_destination(const Operand& operand);
  /// The q of p|q.
  Ref second_predicate(const Operand& operand);
  Ref kept_predicate(const Operand& operand);
  void emit_special(const Operand& from, Ref to, unsigned bytes);
  /// Bytes of the first register among them; `otherwise` where there is none.
  unsigned register_bytes(const std::vector<Operand>& elements, unsigned otherwise);
  /// Makes a vector operand the instruction's list: every register is `bytes` wide. Constants are
  /// allowed as sources, sinks as destinations.
  void attach_list(Inst& inst, const std::vector<Operand>& elements, unsigned bytes, bool written);
  /// Makes `list` the instruction's.
  void attach(Inst& inst, List list);

  // decode_memory.cpp
  /// Base address register and offset of [a + offset].
  void address(Inst& inst, const Operand& operand);
  Space access_space(const Operand& operand);
  static std::uint32_t order_flags(const Opcode& op);
  void add_site(Inst& inst, const Opcode& op, bool store, bool atomic);
  /// Accesses at the same register and width in one basic block share their addresses' pattern.
  void assign_pattern(Inst& inst, Space space, unsigned width);
  /// Elements of a vector access, 1 where `value` is no vector; what .v2, .v4 and .v8 say must
  /// agree.
  static unsigned vector_count(const Opcode& op, const Operand& value);
  /// How often the function's operands name a register, and where as a value that is stored.
  struct Uses {
    std::uint32_t all = 0;
    std::uint32_t in_vectors = 0;  // or in parameters
    std::uint32_t in_parameters = 0;
    std::uint32_t unread = 0;  // in parameters that nobody reads, which are in no other number
  };
  Uses uses_of(const Operand& operand);
  /// kHandedOn, kCopied, kUnused and kAllInside of MemoryFlags.
  std::uint32_t copy_flags(const Operand& loaded);
  /// Inst::numbers of a load of elements of that type.
  std::uint32_t number_bytes(const Operand& loaded, ptx::Type type);
  /// Keeps what later checks of the load need, and marks the elements that have one.
  void await_checks(Inst& load, Space space);
  /// The checks that stand before the instruction of that number.
  void emit_late_checks(std::size_t body_index);
  /// Addresses in that register are no longer the same.
  void note_write(Ref ref);

  // decode_values.cpp: moves, conversions, comparisons, predicates
  void emit_pack(unsigned bytes);
  void emit_unpack(unsigned bytes);
  /// For instructions whose results ptxas lets escape from a guard (13.0).
  void need_no_guard() const;
  void combination(Inst& inst, const Opcode& op, std::size_t index);
  void emit_predicate_logic(const Opcode& op);

  // decode_control.cpp: branches, calls, barriers, what lanes do together
  void add_slots(List& list, const Operand& operands) const;
  void direct_call(Inst& inst, const Operand& callee, const List& list) const;
  /// An instruction of `operands` operands that waits for the lanes that the last one names;
  /// nullptr: no such form.
  Inst meeting(const Opcode& op, const Collective* kind, std::size_t operands);

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
  std::size_t block_ = 0;  // where current_ stands
  const Instruction* current_ = nullptr;
  std::unordered_map<std::string_view, Uses> uses_;  // of registers; empty: not counted
  std::optional<NumberBits> number_bits_;
  // Which pattern slot holds the addresses of (bank, offset, space, width) at this point of the
  // basic block.
  std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned, unsigned>, std::uint32_t> groups_;
  std::uint32_t next_pattern_ = 0;
  std::vector<std::pair<std::size_t, std::string>> branch_labels_;
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> list_labels_;  // by list
  std::vector<std::pair<std::size_t, int>> reconverge_at_;
  std::vector<ListRead> lists_read_;
  std::vector<LateCheck> late_checks_;
  struct LateLoad {
    std::uint32_t elements = 0;  // bits of those that are checked later
    Inst check{};                // of its first element; no handler where it was not decoded
  };
  std::unordered_map<std::size_t, LateLoad> late_loads_;  // by index in the body
};

}  // namespace tessera::sim
