// Classes and operands of instructions, and which loads of shared memory ptxas merges. ptxas merges
// loads of neighbouring words from one base register if it can prove the alignment, as measured
// counters of the tiled products show.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include "grader/simulator/decode/control_flow.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/ops_memory.h"
#include "grader/simulator/ptx/instruction_set.h"
#include "grader/simulator/timing/timing.h"

namespace tessera::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using Kind = ptx::Operand::Kind;

/// What is known of an integer: its lowest `bits` bits equal those of `low`.
struct Known {
  static constexpr int kMost = 16;
  int bits = kMost;
  std::uint64_t low = 0;

  static Known of(int bits, std::uint64_t low) {
    bits = std::clamp(bits, 0, kMost);
    return {bits, low & ((std::uint64_t{1} << bits) - 1)};
  }
  static Known exactly(std::uint64_t value) { return of(kMost, value); }
  static Known nothing() { return {0, 0}; }
  /// How many of the lowest bits are known to be zero.
  int zeros() const { return low == 0 ? bits : std::countr_zero(low); }
  bool operator==(const Known&) const = default;
};

Known sum(Known a, Known b) {
  return Known::of(std::min(a.bits, b.bits), a.low + b.low);
}

Known difference(Known a, Known b) {
  return Known::of(std::min(a.bits, b.bits), a.low - b.low);
}

Known product(Known a, Known b) {
  return Known::of(std::min(a.bits + b.zeros(), b.bits + a.zeros()), a.low * b.low);
}

/// What is known of a value that is one of the two.
Known either(Known a, Known b) {
  const int bits = std::min(a.bits, b.bits);
  return Known::of(a.low == b.low ? bits : std::min(bits, std::countr_zero(a.low ^ b.low)), a.low);
}

Known conjunction(Known a, Known b) {
  const int zeros = std::max(a.zeros(), b.zeros());
  const int bits = std::min(a.bits, b.bits);
  return bits > zeros ? Known::of(bits, a.low & b.low) : Known::of(zeros, 0);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<ptx::Type> last_type(const Instruction& instruction) {
  for (auto word = instruction.words.rbegin(); word != instruction.words.rend(); ++word) {
    if (const auto type = ptx::type_from(*word)) return type;
  }
  return std::nullopt;
}

double arithmetic_latency(InstructionClass kind) {
  switch (kind) {
    case InstructionClass::fp64:
      return kDoubleLatency;
    case InstructionClass::special:
      return kSpecialLatency;
    case InstructionClass::shuffle:
      return kSharedLatency;
    case InstructionClass::integer:
    case InstructionClass::fp32:
      return kArithmeticLatency;
    default:
      return 0;
  }
}

/// Of instructions each of which waits for the one before.
double latency_of(InstructionClass kind, const ptx::Sequence& sequence) {
  return arithmetic_latency(kind) + sequence.arithmetic * arithmetic_latency(sequence.kind) +
         sequence.special * kSpecialLatency;
}

class Analysis {
 public:
  static constexpr std::size_t kMostPasses = 64;
  static constexpr std::size_t kMostVisits = 8'000'000;  // of instructions

  Analysis(const ptx::Function& source, const std::map<std::string, std::uint64_t>& symbols)
      : source_(source), symbols_(symbols), timings_(source.body.size()) {}

  FunctionTiming run() {
    for (std::size_t i = 0; i < source_.body.size(); ++i) describe(source_.body[i], timings_[i]);
    find_known_bits();
    if (const auto blocks = basic_blocks(source_)) {
      for (const BasicBlock& block : *blocks) merge_loads(block);
    }
    FunctionTiming result;
    result.operands = place_operands();
    result.instructions = std::move(timings_);
    result.registers = registers_.size();
    return result;
  }

 private:
  // ---- operands

  /// The registers of an instruction.
  struct Used {
    std::vector<std::uint32_t> reads;
    std::vector<std::uint32_t> writes;
  };

  /// Puts the registers of all instructions side by side, in the order in which they are needed.
  std::shared_ptr<const std::vector<std::uint32_t>> place_operands() {
    auto operands = std::make_shared<std::vector<std::uint32_t>>();
    for (const Used& used : used_) {
      operands->insert(operands->end(), used.reads.begin(), used.reads.end());
      operands->insert(operands->end(), used.writes.begin(), used.writes.end());
    }
    std::span<const std::uint32_t> rest = *operands;
    const auto take = [&](std::size_t count) {
      const auto taken = rest.first(count);
      rest = rest.subspan(count);
      return taken;
    };
    for (std::size_t i = 0; i < used_.size(); ++i) {
      timings_[i].reads = take(used_[i].reads.size());
      timings_[i].writes = take(used_[i].writes.size());
    }
    return operands;
  }

  std::optional<std::uint32_t> register_called(const std::string& name) {
    if (!name.starts_with('%') && !source_.register_type(name)) return std::nullopt;
    return registers_.try_emplace(name, static_cast<std::uint32_t>(registers_.size()))
        .first->second;
  }

  void add_registers(const Operand& operand, std::vector<std::uint32_t>& to) {
    if (operand.kind == Kind::reg || operand.kind == Kind::symbol) {
      if (const auto index = register_called(operand.name)) to.push_back(*index);
    }
    if (!operand.second.empty()) {
      if (const auto index = register_called(operand.second)) to.push_back(*index);
    }
    for (const Operand& element : operand.elements) add_registers(element, to);
  }

  void describe(const Instruction& instruction, InstTiming& timing) {
    timing.kind = ptx::class_of(instruction);
    timing.sequence = ptx::sequence_of(instruction);
    timing.latency = latency_of(timing.kind, timing.sequence);
    timing.moves = instruction.name() == "mov";
    timing.untimed = ptx::info_of(instruction).is(ptx::kUntimed) && !instruction.has("proxy");
    Used used;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const bool result = i == 0 && ptx::has_result(instruction);
      add_registers(instruction.operands[i], result ? used.writes : used.reads);
    }
    if (!instruction.guard.empty()) {
      if (const auto guard = register_called(instruction.guard)) used.reads.push_back(*guard);
    }
    used_.push_back(std::move(used));
    const ptx::Unit unit = ptx::info_of(instruction).unit;
    timing.pieces = unit == ptx::Unit::tensor;
    if (unit == ptx::Unit::memory || ptx::accesses_fragment(instruction))
      describe_access(instruction, timing);
    // Elsewhere the address is part of the instruction that uses the constant.
    if (timing.space == Space::constant && instruction.operands.size() > 1 &&
        register_called(instruction.operands[1].name)) {
      timing.kind = InstructionClass::memory;
    }
  }

  static void describe_access(const Instruction& instruction, InstTiming& timing) {
    const ptx::InstructionInfo& info = ptx::info_of(instruction);
    timing.space = ptx::space_of(instruction);
    timing.atomic = info.is(ptx::kAtomic);
    timing.store = info.is(ptx::kStores) && !instruction.has("load");
    const auto type = last_type(instruction);
    const unsigned elements = instruction.has("v2")   ? 2
                              : instruction.has("v4") ? 4
                              : instruction.has("v8") ? 8
                                                      : 1;
    timing.width = (type ? ptx::bytes(*type) : 4) * elements;
  }

  // ---- the low bits of registers, from which the alignment of addresses follows

  /// Returns nothing if the value depends on a register that is not known yet.
  std::optional<Known> known_of(const Operand& operand) const {
    if (operand.kind == Kind::integer)
      return Known::exactly(static_cast<std::uint64_t>(operand.value));
    if (operand.kind != Kind::reg && operand.kind != Kind::symbol) return Known::nothing();
    if (const auto found = known_.find(operand.name); found != known_.end()) return found->second;
    const auto found = symbols_.find(operand.name);
    if (found == symbols_.end()) return Known::nothing();
    return Known::exactly(found->second + static_cast<std::uint64_t>(operand.offset));
  }

  std::optional<Known> known_result(const Instruction& instruction) const {
    using enum InstructionClass;
    const std::string_view name = instruction.name();
    const InstructionClass kind = ptx::class_of(instruction);
    const bool low = instruction.has("lo") || instruction.has("wide");
    const bool floats = kind == fp32 || kind == fp64 || kind == special;
    const std::size_t sources =
        floats                                    ? 0
        : is_one_of(name, {"mov", "cvta", "cvt"}) ? 1
        : is_one_of(name, {"add", "sub", "or", "xor", "and", "shl", "min", "max", "selp"}) ||
                (name == "mul" && low)
            ? 2
        : name == "mad" && low ? 3
                               : 0;
    if (sources == 0 || instruction.operands.size() <= sources) return Known::nothing();
    std::array<Known, 3> from;
    for (std::size_t i = 0; i < sources; ++i) {
      const std::optional<Known> source = known_of(instruction.operands[i + 1]);
      if (!source) return std::nullopt;
      from[i] = *source;
    }
    const auto& [a, b, c] = from;
    if (sources == 1) return a;
    if (name == "add") return sum(a, b);
    if (name == "sub") return difference(a, b);
    if (name == "or" || name == "xor")
      return Known::of(std::min(a.bits, b.bits), name == "or" ? a.low | b.low : a.low ^ b.low);
    if (name == "and") return conjunction(a, b);
    if (name == "mul") return product(a, b);
    if (name == "mad") return sum(product(a, b), c);
    if (name != "shl") return either(a, b);
    if (instruction.operands[2].kind != Kind::integer) return Known::of(a.zeros(), 0);
    const int shift = static_cast<int>(instruction.operands[2].value & 63);
    return shift >= Known::kMost ? Known::exactly(0) : Known::of(a.bits + shift, a.low << shift);
  }

  /// Starts with no result known and joins one definition after the other until nothing changes, so
  /// that a loop's own step counts.
  void find_known_bits() {
    for (const Instruction& instruction : source_.body) {
      if (ptx::has_result(instruction) && !instruction.operands.empty())
        each_name(instruction.operands[0],
                  [&](const std::string& name) { known_[name] = std::nullopt; });
    }
    // Hand-made PTX can need as many passes as it has lines.
    const std::size_t most =
        std::clamp<std::size_t>(kMostVisits / (source_.body.size() + 1), 4, kMostPasses);
    std::size_t passes = 0;
    for (bool changed = true; changed;) {
      if (++passes > most) {
        for (auto& [name, known] : known_) known = Known::nothing();
        return;
      }
      changed = false;
      for (const Instruction& instruction : source_.body) {
        if (!ptx::has_result(instruction) || instruction.operands.empty()) continue;
        const bool plain = instruction.operands[0].kind != Kind::vector;
        const std::optional<Known> result =
            plain ? known_result(instruction) : std::optional(Known::nothing());
        if (!result) continue;
        each_name(instruction.operands[0], [&](const std::string& name) {
          std::optional<Known>& known = known_[name];
          const Known both = known ? either(*known, *result) : *result;
          changed |= known != both;
          known = both;
        });
      }
    }
  }

  template <class F>
  static void each_name(const Operand& operand, F f) {
    if (operand.kind == Kind::reg || operand.kind == Kind::symbol) f(operand.name);
    for (const Operand& element : operand.elements) each_name(element, f);
  }

  // ---- merging

  struct Load {
    std::int64_t offset = 0;
    std::size_t index = 0;  // in the body
  };
  using Loads = std::map<std::string, std::vector<Load>>;  // by base register

  void merge_loads(const BasicBlock& block) {
    if (block.begin < block.end) timings_[block.begin].starts_block = true;
    Loads loads;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const Instruction& instruction = source_.body[i];
      const InstTiming& timing = timings_[i];
      if (timing.kind == InstructionClass::barrier || instruction.name() == "call" ||
          (timing.store && timing.space != Space::global)) {
        merge_all(loads);
      }
      if (mergeable(instruction, timing)) {
        const Operand& from = instruction.operands[1];
        loads[from.name].push_back({from.offset, i});
      }
      if (!ptx::has_result(instruction) || instruction.operands.empty()) continue;
      each_name(instruction.operands[0], [&](const std::string& name) {
        const auto found = loads.find(name);
        if (found == loads.end()) return;
        merge(found->first, found->second);
        loads.erase(found);
      });
    }
    merge_all(loads);
  }

  static bool mergeable(const Instruction& instruction, const InstTiming& timing) {
    return instruction.name() == "ld" && timing.space == Space::shared && timing.width == 4 &&
           instruction.guard.empty() && !instruction.has("volatile") &&
           instruction.operands.size() == 2 && !instruction.operands[1].name.empty();
  }

  void merge_all(Loads& loads) {
    for (auto& [base, of_base] : loads) merge(base, of_base);
    loads.clear();
  }

  void merge(const std::string& base, std::vector<Load>& loads) {
    Operand operand;
    operand.kind = Kind::symbol;
    operand.name = base;
    const Known known = known_of(operand).value_or(Known::nothing());
    std::ranges::sort(loads, {}, &Load::offset);
    for (const std::int64_t bytes : {16, 8}) {
      if (known.bits < std::countr_zero(static_cast<std::uint64_t>(bytes))) continue;
      for (std::size_t i = 0; i < loads.size(); ++i) {
        const std::uint64_t low = known.low + static_cast<std::uint64_t>(loads[i].offset);
        if (low % static_cast<std::uint64_t>(bytes) == 0) merge_run(loads, i, bytes);
      }
    }
  }

  /// Merges the loads from number `first` on if they fill `bytes` bytes.
  void merge_run(const std::vector<Load>& loads, std::size_t first, std::int64_t bytes) {
    const auto words = static_cast<std::size_t>(bytes / 4);
    if (first + words > loads.size()) return;
    std::size_t leader = loads[first].index;
    for (std::size_t w = 0; w < words; ++w) {
      const Load& load = loads[first + w];
      if (load.offset != ptx::wrapped_sum(loads[first].offset, static_cast<std::int64_t>(4 * w)))
        return;
      if (timings_[load.index].width != 4 || timings_[load.index].merged) return;
      leader = std::min(leader, load.index);
    }
    for (std::size_t w = 0; w < words; ++w) {
      const Load& load = loads[first + w];
      if (load.index != leader) {
        timings_[load.index].merged = true;
      } else {
        timings_[leader].merged_shift = loads[first].offset - load.offset;
      }
    }
    timings_[leader].width = static_cast<unsigned>(bytes);
  }

  const ptx::Function& source_;
  const std::map<std::string, std::uint64_t>& symbols_;
  std::vector<InstTiming> timings_;
  std::vector<Used> used_;  // by instruction
  std::map<std::string, std::uint32_t> registers_;
  std::map<std::string, std::optional<Known>> known_;  // by result; nullopt: not known yet
};

}  // namespace

FunctionTiming timing_of(const ptx::Function& source, const Function& function,
                         const std::map<std::string, std::uint64_t>& addresses) {
  // There is one location per PTX instruction, and one for the end of the text.
  if (function.locations.size() != source.body.size() + 1) return {};
  FunctionTiming timing = Analysis(source, addresses).run();
  timing.instructions.emplace_back();
  timing.is_last.resize(function.code.size());
  // The source of the following instruction. A check has the source of its load, and is left out.
  std::optional<std::uint32_t> next;
  for (std::size_t i = function.code.size(); i-- > 0;) {
    const Inst& inst = function.code[i];
    if (inst.run == check_read) continue;
    timing.is_last[i] = std::exchange(next, inst.source) != inst.source ? 1 : 0;
    // The text describes an access correctly only if it was decoded as an access.
    InstTiming& known = timing.instructions[inst.source];
    if (timing.is_last[i] == 0 || known.kind != InstructionClass::memory) continue;
    if (inst.run == unsupported || (inst.size == 0 && !known.pieces)) {
      known.kind = InstructionClass::none;
      known.pieces = false;
    } else if (known.width != 8 && known.width != 16) {
      known.width = inst.size * inst.count;
    }
  }
  return timing;
}

}  // namespace tessera::sim
