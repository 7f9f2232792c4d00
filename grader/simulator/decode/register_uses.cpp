#include "grader/simulator/decode/register_uses.h"

#include <algorithm>
#include <unordered_set>

#include "grader/simulator/check/memory.h"

namespace tessera::sim {

using ptx::Instruction;

bool computes_only(const Instruction& instruction) {
  const std::string_view name = instruction.name();
  return ptx::info_of(instruction).is(ptx::kEveryForm) || name == "cvt" || name == "cvta" ||
         name == "set";
}

bool is_arithmetic(const Instruction& instruction) {
  static constexpr std::string_view kArithmetic[] = {
      "add", "sub", "mul",  "mul24", "mad",  "mad24", "fma", "div", "rem", "abs", "neg", "min",
      "max", "sad", "dp2a", "dp4a",  "sqrt", "rsqrt", "rcp", "sin", "cos", "lg2", "ex2", "tanh"};
  return std::ranges::find(kArithmetic, instruction.name()) != std::end(kArithmetic);
}

bool is_pure(const Instruction& instruction) {
  const std::string_view name = instruction.name();
  const bool carries = name == "addc" || name == "subc" || name == "madc" || instruction.has("cc");
  return computes_only(instruction) && !carries && !instruction.operands.empty() &&
         instruction.guard.empty();
}

RegisterUses::RegisterUses(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
    : function_(function), blocks_(blocks) {
  for (std::size_t i = 0; i < function.body.size(); ++i)
    for_results(function.body[i], [&](std::string_view name) { uses_[name].written.push_back(i); });
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    for_sources(function.body[i], [&](std::string_view name) {
      if (const auto found = uses_.find(name); found != uses_.end())
        found->second.read.push_back(i);
    });
  }
}

const RegisterUse* RegisterUses::of(std::string_view name) const {
  const auto found = uses_.find(name);
  return found == uses_.end() ? nullptr : &found->second;
}

bool RegisterUses::defined_once(std::string_view name) const {
  const RegisterUse* use = of(name);
  return use != nullptr && use->written.size() == 1;
}

std::size_t RegisterUses::next_of(const std::vector<std::size_t>& indices, std::size_t from,
                                  bool surely) const {
  auto found = std::ranges::lower_bound(indices, from);
  while (surely && found != indices.end() && !function_.body[*found].guard.empty()) ++found;
  return found == indices.end() ? function_.body.size() : *found;
}

std::vector<std::size_t> RegisterUses::readers(const RegisterUse& use, std::size_t block,
                                               std::size_t& steps, std::size_t most) const {
  std::vector<std::size_t> found;
  std::vector<bool> seen(blocks_.size());
  std::vector<std::size_t> open{block};
  steps += blocks_.size();
  while (!open.empty() && steps < most) {
    const std::size_t at = open.back();
    open.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const auto [begin, end, successors] = blocks_[at];
    const std::size_t read = next_of(use.read, begin, false);
    const std::size_t written = next_of(use.written, begin, true);
    if (read < end && read <= written) found.push_back(at);
    if (written < end) continue;
    steps += successors.size();
    for (const int next : successors) open.push_back(static_cast<std::size_t>(next));
  }
  return found;
}

std::uint32_t RegisterUses::least_frame_bytes() const {
  constexpr std::size_t kMostSteps = 1'000'000;
  constexpr std::uint64_t kReturnAddress = 8, kWord = 4;
  std::size_t steps = 0;
  const auto lives = [&](const RegisterUse& use, std::size_t behind, const BasicBlock& block) {
    const std::size_t read = next_of(use.read, behind, false);
    const std::size_t written = next_of(use.written, behind, true);
    if (read < block.end || written < block.end) return read < block.end && read <= written;
    return std::ranges::any_of(block.successors, [&](int next) {
      return !readers(use, static_cast<std::size_t>(next), steps, kMostSteps).empty() ||
             steps >= kMostSteps;
    });
  };
  const auto is_predicate = [&](const RegisterUse& use) {
    const Instruction& writer = function_.body[use.written.front()];
    return writer.name() == "setp" || writer.has("pred");
  };
  // A value widened from 4 bytes may be kept in 4 bytes.
  const auto words_of = [&](std::string_view name) -> std::size_t {
    const std::optional<ptx::Type> type = function_.register_type(std::string(name));
    if (!type || ptx::bytes(*type) < 8) return 1;
    const bool all = std::ranges::all_of(uses_.at(name).written, [&](std::size_t writer) {
      const Instruction& instruction = function_.body[writer];
      return instruction.name() == "ld" || (is_arithmetic(instruction) && !instruction.has("wide"));
    });
    return all ? 2 : 1;
  };
  std::size_t most = 0;
  for (const BasicBlock& block : blocks_) {
    for (std::size_t call = block.begin; call < block.end; ++call) {
      if (function_.body[call].name() != "call") continue;
      std::unordered_set<std::string_view> kept;
      for (const auto& [name, use] : uses_) {
        if ((steps += 1) >= kMostSteps) break;
        if (use.written.front() < call && !is_predicate(use) && lives(use, call + 1, block))
          kept.insert(name);
      }
      if (steps >= kMostSteps) break;
      const auto computed = [&](std::string_view name) {
        const RegisterUse& use = uses_.at(name);
        const Instruction& writer = function_.body[use.written.front()];
        bool all = use.written.size() == 1 && is_pure(writer);
        for_sources(writer, [&](std::string_view source) {
          all &= kept.contains(source) || of(source) == nullptr;
        });
        return all;
      };
      std::size_t words = 0;
      for (const std::string_view name : kept) words += computed(name) ? 0 : words_of(name);
      most = std::max(most, words);
    }
  }
  return static_cast<std::uint32_t>(round_up(kReturnAddress + kWord * most, 8));
}

}  // namespace tessera::sim
