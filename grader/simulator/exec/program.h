// Decoded PTX: what the interpreter runs. Operands are byte offsets into a warp's registers, so
// nothing is looked up by name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/array_shape.h"
#include "common/wording.h"
#include "grader/simulator/check/extra_order.h"
#include "grader/simulator/check/lanes.h"
#include "grader/simulator/ptx/instruction_set.h"

namespace tessera::sim {

struct Warp;
struct Inst;
struct Collective;

/// Executes one instruction for the lanes in `mask` and returns the next one; nullptr where the
/// running split ends or waits.
using Handler = const Inst* (*)(Warp&, const Inst*, Mask mask);

/// Where an operand's 32 lanes lie side by side: bank 0 is the frame's registers, bank 1 the
/// function's constants. In kPredicateBank it is a predicate with the index `offset`; index 0 is
/// always true. In kParameterBank it is a slot of a call in the frame's parameters.
struct Ref {
  std::uint32_t offset = 0;  // bytes
  std::uint32_t bank = 0;
  friend bool operator==(const Ref&, const Ref&) = default;
};

inline constexpr std::uint32_t kPredicateBank = 2;
inline constexpr std::uint32_t kParameterBank = 3;
/// The most bytes that 32 lanes of one operand take. Behind the last register and the last constant
/// there is as much unused room, so that a handler that takes too wide an operand stays inside.
inline constexpr std::uint32_t kWidestOperand = kLanes * 8;

/// One decoded instruction. Which fields mean something is up to the handler.
struct Inst {
  Handler run = nullptr;
  std::uint32_t guard = 0;  // predicate index; predicate 0 is always true
  Mask guard_flip = 0;      // all ones for @!p
  Ref dst;
  Ref dst2;
  Ref a, b, c, d;
  std::int64_t offset = 0;       // of an address, bytes
  std::uint32_t flags = 0;       // modifiers, as the handler defines them
  std::uint32_t count = 1;       // vector elements; barrier number
  std::uint32_t size = 0;        // bytes of one element
  std::uint32_t target = 0;      // index of an instruction or function
  std::uint32_t reconverge = 0;  // index of the immediate post-dominator, or kNoReconvergence
  std::uint32_t site = 0;        // memory instructions: index into the sites of a run
  std::uint32_t pattern = 0;     // memory instructions: slot that holds the analysed addresses
  bool pattern_reused = false;  // the slot was filled by an earlier instruction of this basic block
  bool talks = false;           // an access by which threads can see each other while they run
  const Collective* collective = nullptr;
  std::uint32_t extra = 0;    // index into Function::lists
  std::uint32_t source = 0;   // index into Function::locations
  std::uint32_t numbers = 0;  // ld: a bit for each byte with which the program calculates or which
                              // it compares, so that it is no struct's padding
};

inline constexpr std::uint32_t kNoReconvergence = 0xffffffffu;

/// Operands beyond the fixed ones: elements of vectors, arguments of calls.
struct List {
  std::vector<Ref> refs;
  std::vector<std::uint32_t> sizes;    // bytes of each register, or of each slot of a call
  std::vector<std::uint32_t> targets;  // brx.idx
  std::uint32_t returns = 0;  // calls: that many of `refs` are for results, the rest for arguments
};

inline constexpr std::uint32_t kNoSite = 0xffffffffu;

/// What a memory instruction does. A cp.async is two of them: it loads its source, and begins to
/// copy into its target. An instruction that waits for copies completes them. A product is a
/// wgmma, which reads shared memory until the wait for it ends.
enum class SiteKind : std::uint8_t { load, store, atomic, copy, wait, product, product_wait };

/// A memory instruction of the module.
struct SiteInfo {
  SiteKind kind = SiteKind::load;
  std::uint32_t bytes = 0;  // of one element
  std::uint32_t function = 0;
  std::uint32_t source = 0;  // index into the function's locations
  bool for_copy = false;     // the load of an asynchronous copy
};

struct ParamSlot {
  std::uint32_t offset = 0;  // in the frame's parameter bytes
  std::uint32_t size = 0;
};

/// What the timing model knows of one PTX instruction. Registers are numbered by the function's
/// first use of their names; predicates are registers too.
struct InstTiming {
  InstructionClass kind = InstructionClass::none;
  ptx::Space space = ptx::Space::generic;  // of a memory instruction
  bool store = false;
  bool atomic = false;
  bool untimed = false;                  // ptx::kUntimed
  bool pieces = false;                   // its accesses and products are Insts of their own
  bool moves = false;                    // copies a value from register to register
  bool starts_block = false;             // the first instruction of a basic block
  bool merged = false;                   // ptxas makes it part of an earlier, wider load
  unsigned width = 0;                    // bytes a lane; after merging
  std::int64_t merged_shift = 0;         // from its own address to the wider load's
  ptx::Sequence sequence;                // instructions beside one of `kind`
  double latency = 0;                    // in cycles, if it does not access memory
  std::span<const std::uint32_t> reads;  // registers
  std::span<const std::uint32_t> writes;
};

struct FunctionTiming {
  std::vector<InstTiming> instructions;  // by Inst::source; empty if the model knows nothing
  /// What they read and write, one instruction after the other.
  std::shared_ptr<const std::vector<std::uint32_t>> operands;
  std::vector<std::uint8_t> is_last;  // by place in `code`: the last of the PTX instruction's Insts
  std::size_t registers = 0;
};

/// Lines of a source file, first <= last.
struct LineRange {
  int first = 0;
  int last = 0;
};

struct Function {
  std::string name;   // in PTX
  std::string title;  // as in the source
  bool entry = false;
  bool defined = false;
  std::uint32_t register_bytes = 0;
  std::uint32_t predicates = 1;
  std::uint32_t parameter_bytes = 0;  // per lane, formals and call sequences
  std::uint64_t local_bytes = 0;      // per thread
  std::uint64_t local_align = 16;
  std::uint32_t least_frame_bytes = 8;  // per thread, beside local_bytes, while it calls another
  std::vector<ParamSlot> parameters;
  std::vector<ParamSlot> returns;
  std::vector<std::byte> constants;  // 32 lanes each
  std::vector<Inst> code;
  std::vector<List> lists;
  std::vector<ptx::Location> locations;  // one an instruction
  /// Where instructions with a merged location come from, by file: see merged_ranges().
  std::map<std::uint32_t, std::map<int, LineRange>> merged;
  std::vector<int> ptx_lines;
  std::vector<std::string> texts;  // opcode, for messages
  FunctionTiming timing;
};

/// A shared variable and where it lies. Offsets keep the bank that a packed layout would give.
struct SharedVariable {
  std::string name;  // as in the source: "As"
  std::string symbol;
  std::uint64_t address = 0;  // in the shared window
  std::uint64_t size = 0;     // bytes; 0: dynamic
  bool dynamic = false;
  bool piece = false;  // of an array that the compiler took apart
  ArrayShape shape{};  // no extents if the source gives none

  /// As[3][5], As + 212 bytes, count of a single value, or As[...] of a piece.
  ArrayElement element(std::int64_t offset) const;
};

/// What one kernel uses, with the functions it calls.
struct KernelUse {
  std::vector<SharedVariable> shared;  // the dynamic one has size 0 until a launch gives it
  std::uint64_t static_bytes = 0;      // of shared memory, as packed by the hardware
  /// Indices of the functions that it can reach by their names, itself among them, rising. What
  /// follows holds for these functions, so no call may lead to any other.
  std::vector<std::uint32_t> functions;
  /// Its blocks may talk to each other while they run (atomics, volatile accesses, the heap): they
  /// are run in order.
  bool ordered_blocks = false;
  /// Threads may talk to each other without barriers: in shared memory too.
  bool talks = false;
  bool loads_talk = false;
  ExtraOrder::By extra_order = ExtraOrder::By::nothing;
  std::uint32_t extra_order_function = 0;  // where it stands: a function of the module,
  std::uint32_t extra_order_source = 0;    // and an index into its locations
  /// Some access to shared memory, or to global memory, is narrower than 4 bytes.
  bool narrow_shared = false;
  bool narrow_global = false;
  /// Fences may order accesses where no barrier does.
  bool fences = false;
  bool mbarriers = false;
  std::set<std::uint32_t> barrier_threads;  // KernelInfo::barrier_threads
  bool products = false;                    // in the tensor cores
  /// Products may run while threads go on.
  bool async_products = false;
  LaunchBounds bounds;
};

/// Whether a barrier with one of these numbers of threads may be one of a part of such a block. The
/// hardware counts whole warps.
bool meets_in_parts(const auto& barrier_threads, std::uint64_t threads) {
  const std::uint64_t all = (threads + kLanes - 1) / kLanes * kLanes;
  return std::ranges::any_of(barrier_threads, [all](std::uint32_t some) { return some != all; });
}

/// A variable in global or constant memory. Its address is fixed when the module is loaded.
struct GlobalVariable {
  std::string name;  // as in the source
  std::uint64_t address = 0;
  std::uint64_t size = 0;  // bytes
  std::uint32_t element_bytes = 1;
  bool read_only = false;
  std::vector<std::uint8_t> data;  // initial contents, addresses filled in
};

}  // namespace tessera::sim

namespace tessera {

/// See simulator.h.
class Module {
 public:
  std::vector<sim::Function> functions;
  std::vector<sim::GlobalVariable> globals;  // .global and .const
  std::unordered_map<std::string, sim::KernelUse> kernels;
  std::unordered_map<int, std::string> files;
  std::vector<sim::SiteInfo> sites;
};

}  // namespace tessera
