// The decoder of one function, for the sources that implement it; other code uses decode.h.
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
#include "grader/simulator/exec/tensor_product.h"

namespace tessera::sim {

/// Why an instruction cannot be decoded: "a missing operand", "this form of ld".
struct DecodeError {
  std::string message;
};

/// An operand that does not fit the opcode. It is InvalidPtx if the simulator knows every form of
/// the opcode (kEveryForm).
struct Mismatch : DecodeError {};

/// Code that ptxas refuses, or that exceeds a limit of the simulator: the module does not load.
struct InvalidPtx {
  std::string message;
  int line = 0;  // of the PTX; 0: that of the instruction
  LoadFault fault = LoadFault::not_ptx;
  std::string name = "";  // of the wrong symbol; "": the function that is being decoded
};

/// A register that the function declares: its lanes, of `bytes` bytes each, start at `ref`; or
/// `ref` is a predicate's index.
struct RegisterSlot {
  Ref ref;
  unsigned bytes = 0;
  bool predicate = false;
};

/// Decodes instructions one after the other; in the comments, "the instruction" is current_. A
/// function that meets an unknown form throws DecodeError, and the instruction becomes one that is
/// unsupported when a thread reaches it. A function that meets what ptxas would refuse throws
/// InvalidPtx. Only the functions of decode_operands.cpp make a Ref, and each checks the requested
/// width.
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

  // decode.cpp: addresses of variables, blocks and where lanes meet, instructions of no special
  // form
  Function decode_all();
  ParamSlot parameter_slot(const ptx::Variable& variable);
  void lay_out_parameters();
  void lay_out_locals();
  /// Returns a decoded instruction with this handler and the place of the instruction.
  Inst blank(Handler run) const;
  void append_unguarded(const Inst& inst) { function_.code.push_back(inst); }
  /// Appends it with the guard of the instruction; append_known() throws if it has no handler.
  void append(Inst inst);
  void append_known(const Inst& inst);
  void find_joins();
  /// Whether the block only returns. Lanes that would meet just to end need not wait for each
  /// other: an early return counts as an exit at once.
  bool only_exits(int block) const;
  void emit_block(std::size_t b);
  void emit_end();
  void resolve_targets();
  const Operand& operand(std::size_t index) const;
  /// Throws InvalidPtx if there are fewer operands, DecodeError if there are more.
  void expect_operands(std::size_t count) const;
  std::size_t operand_count() const { return current_->operands.size(); }
  void emit();
  void emit_lane_op(const Opcode& op);
  /// Emits an instruction whose operands do not matter.
  template <Handler kRun>
  void emit_run(const Opcode&) {
    append(blank(kRun));
  }
  // All other decoders that instruction_set.def names, each in the decode_*.cpp of its kind.
#define DECODER(decode) void decode(const Opcode& op);
#include "grader/simulator/ptx/instruction_set.def"

  // decode_operands.cpp: registers, constants, symbols
  const RegisterSlot* find_register(const std::string& name);
  RegisterSlot new_register(Type type);
  Ref new_predicate();
  /// Returns a new register for a value of that many bytes (2, 4 or 8).
  Ref temporary(unsigned bytes);
  Ref constant(std::uint64_t bits, unsigned bytes);
  const Symbol& symbol(const std::string& name) const;
  const RegisterSlot& register_of(const Operand& operand);
  bool names_register(const Operand& operand);
  /// Returns a source operand, `bytes` wide.
  Ref source(const Operand& operand, unsigned bytes);
  /// Returns the low bytes of a register that is wider than the instruction.
  Ref narrowed(const RegisterSlot& slot, unsigned bytes);
  Ref register_source(const Operand& operand, unsigned bytes);
  Ref local_address(const Symbol& variable, std::int64_t offset, unsigned bytes);
  Ref destination(const Operand& operand, unsigned bytes);
  Ref predicate(const std::string& name);
  /// Returns a predicate source, and whether it is negated. A constant is the always-true
  /// predicate, negated for 0.
  std::pair<Ref, bool> predicate_source(const Operand& operand);
  /// Returns a predicate destination. Index 0 discards the result, in handlers that support it.
  Ref predicate_destination(const Operand& operand);
  /// Returns the q of p|q.
  Ref second_predicate(const Operand& operand);
  Ref kept_predicate(const Operand& operand);
  void emit_special(const Operand& from, Ref to, unsigned bytes);
  /// Returns the width of the first register among them; `otherwise` if there is none.
  unsigned register_bytes(const std::vector<Operand>& elements, unsigned otherwise);
  /// Attaches the elements of a vector operand as the instruction's list; every register is `bytes`
  /// wide. Sources may be constants, destinations may be sinks.
  void attach_list(Inst& inst, const std::vector<Operand>& elements, unsigned bytes, bool written);
  /// Attaches `list` to the instruction.
  void attach(Inst& inst, List list);

  // decode_memory.cpp
  /// Sets the base register and the offset of [a + offset].
  void address(Inst& inst, const Operand& operand);
  Space access_space(const Operand& operand);
  static std::uint32_t order_flags(const Opcode& op);
  void add_site(Inst& inst, const Opcode& op, SiteKind kind);
  void emit_wait_for_copies(const Opcode& op);
  /// Sets the address of an mbarrier, and the flags of an access that says itself what it orders.
  void mbarrier_address(Inst& inst, const Opcode& op, const Operand& operand);
  void append_at_mbarrier(Inst inst, const Opcode& op, SiteKind kind);
  void emit_arrival_of_copies(const Opcode& op);
  void emit_arrival(const Opcode& op);
  void emit_wait_at_mbarrier(const Opcode& op);
  /// Accesses with the same base register and width in one basic block share the pattern of their
  /// addresses.
  void assign_pattern(Inst& inst, Space space, unsigned width);
  /// Returns the number of elements of a vector access, 1 if `value` is no vector. Throws unless
  /// .v2, .v4 or .v8 agrees.
  static unsigned vector_count(const Opcode& op, const Operand& value);
  /// How often the function's operands name a register, and how often as a stored value.
  struct Uses {
    std::uint32_t all = 0;
    std::uint32_t in_vectors = 0;     // stored by vector stores, or into parameters
    std::uint32_t in_parameters = 0;  // stored into parameters of calls
    /// Stored into parameters that the callee does not read; not counted above.
    std::uint32_t unread = 0;
  };
  Uses uses_of(const Operand& operand);
  /// Returns kHandedOn, kCopied, kUnused and kAllInside of MemoryFlags for a load.
  std::uint32_t copy_flags(const Operand& loaded);
  /// Returns Inst::numbers of a load of elements of that type.
  std::uint32_t number_bytes(const Operand& loaded, ptx::Type type);
  /// Keeps what later checks of the load need, and marks the elements that have a later check.
  void await_checks(Inst& load, Space space);
  /// Emits the checks that stand before the instruction with that index.
  Inst comparison(const Opcode& op);
  void emit_late_checks(std::size_t body_index);
  /// Makes the comparison of instruction `body_index` here; returns the predicate of the result.
  Ref compare_early(std::size_t body_index);
  /// Drops the patterns of addresses in that register, which is written here.
  void note_write(Ref ref);

  // decode_values.cpp: moves, conversions, comparisons, predicates
  void emit_pack(unsigned bytes);
  void emit_unpack(unsigned bytes);
  /// Throws if the instruction is guarded: ptxas 13.0 writes the results of some instructions
  /// without regard to their guard.
  void need_no_guard() const;
  void combination(Inst& inst, const Opcode& op, std::size_t index);
  void emit_predicate_logic(const Opcode& op);

  // decode_control.cpp: branches, calls, barriers, collectives of a warp
  void add_slots(List& list, const Operand& operands) const;
  void direct_call(Inst& inst, const Operand& callee, const List& list) const;
  /// Returns an instruction of `operands` operands that waits for the lanes in the last operand's
  /// mask. Throws if `kind` is nullptr: no such form.
  Inst meeting(const Opcode& op, const Collective* kind, std::size_t operands);

  // decode_tensor.cpp: matrix instructions of a warp
  /// Adds the registers of a fragment to `list`. Throws InvalidPtx unless it has that many.
  void add_fragment(List& list, const Operand& operand, std::size_t registers, bool written);
  /// Appends D = A B + C with the operands of the instruction. The last `unused` registers of A and
  /// B do not count.
  void append_product(TensorType type, std::uint32_t depth, std::uint32_t blocks,
                      std::size_t unused);
  /// Appends a wgmma.mma_async.
  void append_async_product(const Opcode& op);
  /// Returns registers for the rows of matrices.
  List row_registers();
  /// Appends a load of rows of matrices, of which `inst` has the handler and the address. `list`
  /// holds the registers for the rows and those of the result.
  void append_row_load(const Opcode& op, Inst inst, List list, std::uint32_t lanes,
                       bool transposed);
  /// Returns an instruction that looks at a matrix in memory.
  Inst fragment_inst(Handler run, const Operand& base, Ref stride, unsigned size);
  /// Returns the calculation of the address of a piece of the matrix.
  Inst piece_address(const Operand& base, Ref stride, unsigned size, Ref to);
  /// Appends the loads or stores of a fragment of C or D.
  void append_sums(const Opcode& op, const Operand& fragment, const Operand& base, Ref stride,
                   Space space);
  /// Appends the loads of a fragment of A or B: whole rows from shared memory, else what each
  /// register takes.
  void append_factor(const Opcode& op, const Operand& fragment, const Operand& base, Ref stride,
                     Space space);

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
  std::size_t block_ = 0;  // the block of current_
  const Instruction* current_ = nullptr;
  std::unordered_map<std::string_view, Uses> uses_;  // of registers; empty: not counted yet
  std::optional<NumberBits> number_bits_;
  // The pattern slot that holds the addresses of (bank, offset, space, width) at this point of the
  // basic block.
  std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned, unsigned>, std::uint32_t> groups_;
  std::uint32_t next_pattern_ = 0;
  std::vector<std::pair<std::size_t, std::string>> branch_labels_;
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> list_labels_;  // by list
  std::vector<std::pair<std::size_t, int>> reconverge_at_;
  std::vector<ListRead> lists_read_;
  std::vector<LateCheck> late_checks_;
  struct LateLoad {
    std::uint32_t elements = 0;  // one bit for each element that is checked later
    Inst check{};  // of its first element; without a handler if the load was not decoded
  };
  std::unordered_map<std::size_t, LateLoad> late_loads_;  // by index in the body
};

}  // namespace tessera::sim
