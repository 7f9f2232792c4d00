#include "grader/simulator/late_checks.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "grader/simulator/instruction_set.h"

namespace tessera::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr std::size_t kMostConditions = 4;  // of one value; with more it counts as always read
constexpr std::size_t kMostLiterals = 4;    // of one condition; those beyond are left out
constexpr std::size_t kMostElements = 8;    // of a vector
constexpr std::size_t kLongestWait = 512;   // instructions from a load to its check

/// When a value is read.
struct Need {
  bool always = false;
  std::vector<Conjunction> when;  // where it is not always
};

void add(Need& need, const Need& more) {
  need.always |= more.always;
  for (const Conjunction& condition : more.when) {
    if (std::ranges::find(need.when, condition) == need.when.end()) need.when.push_back(condition);
  }
  if (need.when.size() > kMostConditions) need.always = true;
}

/// What is read where `need` says so and the literal holds.
Need restricted(const Need& need, const Literal& literal) {
  if (need.always) return {.when = {{literal}}};
  Need result = need;
  for (Conjunction& condition : result.when) {
    const bool known = std::ranges::find(condition, literal) != condition.end();
    if (!known && condition.size() < kMostLiterals) condition.push_back(literal);
  }
  return result;
}

/// Calls `f` with the name of each register or symbol that an operand holds.
template <class F>
void for_names(const Operand& operand, const F& f) {
  if (!operand.name.empty()) f(std::string_view(operand.name));
  if (!operand.second.empty()) f(std::string_view(operand.second));
  for (const Operand& element : operand.elements) for_names(element, f);
}

bool is_plain_load(const Instruction& instruction) {
  const ptx::Space space = ptx::space_of(instruction);
  return instruction.name() == "ld" && instruction.guard.empty() &&
         instruction.operands.size() == 2 && space != ptx::Space::param &&
         space != ptx::Space::constant &&
         std::ranges::none_of(instruction.words, [](const std::string& word) {
           return word == "volatile" || word == "relaxed" || word == "acquire" || word == "mmio";
         });
}

/// Whether it only computes its first operand from the others.
bool is_pure(const Instruction& instruction) {
  const std::string_view name = instruction.name();
  const bool carries = name == "addc" || name == "subc" || name == "madc" || instruction.has("cc");
  const bool computes = ptx::info_of(instruction).is(ptx::kEveryForm) || name == "cvt" ||
                        name == "cvta" || name == "set";
  return computes && !carries && !instruction.operands.empty() && instruction.guard.empty();
}

bool is_load(const Instruction& instruction) {
  return (instruction.name() == "ld" || instruction.name() == "ldu") &&
         !instruction.operands.empty();
}

/// Where a register is written and read.
struct Places {
  std::size_t definitions = 0;
  std::size_t definition = 0;   // index of the last one
  bool read_elsewhere = false;  // in another block, or before it is written
};

class LateChecks {
 public:
  LateChecks(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
      : function_(function), blocks_(blocks) {}

  std::vector<LateCheck> run() {
    find_places();
    for (const BasicBlock& block : blocks_) {
      const auto begin = function_.body.begin();
      const bool loads = std::any_of(begin + static_cast<std::ptrdiff_t>(block.begin),
                                     begin + static_cast<std::ptrdiff_t>(block.end), is_plain_load);
      if (loads) look_at(block);
    }
    std::ranges::stable_sort(checks_, {}, &LateCheck::before);
    return std::move(checks_);
  }

 private:
  void find_places() {
    for (std::size_t i = 0; i < function_.body.size(); ++i) {
      const Instruction& instruction = function_.body[i];
      if (instruction.operands.empty() || !ptx::has_result(instruction)) continue;
      for_names(instruction.operands[0], [&](std::string_view name) {
        if (instruction.operands[0].address) return;
        Places& places = places_[name];
        ++places.definitions;
        places.definition = i;
      });
    }
    for (const BasicBlock& block : blocks_) {
      for (std::size_t i = block.begin; i < block.end; ++i) {
        for_sources(function_.body[i], [&](std::string_view name) {
          const auto found = places_.find(name);
          if (found == places_.end()) return;
          Places& places = found->second;
          if (places.definition < block.begin || places.definition >= i)
            places.read_elsewhere = true;
        });
      }
    }
  }

  template <class F>
  void for_sources(const Instruction& instruction, const F& f) const {
    if (!instruction.guard.empty()) f(std::string_view(instruction.guard));
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const bool result =
          i == 0 && ptx::has_result(instruction) && !instruction.operands[0].address;
      if (!result) for_names(instruction.operands[i], f);
    }
  }

  void look_at(const BasicBlock& block) {
    latest_.clear();
    needs_.clear();
    for (std::size_t i = block.begin; i < block.end; ++i) find_latest(i);
    for (std::size_t i = block.end; i-- > block.begin;) {
      const Instruction& instruction = function_.body[i];
      if (is_pure(instruction)) {
        pass_on(i);
        continue;
      }
      if (is_plain_load(instruction)) keep_checks(i, block);
      for_sources(instruction, [&](std::string_view name) { needs_[name].always = true; });
    }
  }

  /// The last load of the block that what the instruction computes depends on.
  void find_latest(std::size_t i) {
    const Instruction& instruction = function_.body[i];
    if (instruction.operands.empty() || !ptx::has_result(instruction)) return;
    std::size_t latest = is_load(instruction) ? i + 1 : 0;
    if (latest == 0) {
      for_sources(instruction,
                  [&](std::string_view name) { latest = std::max(latest, latest_of(name)); });
    }
    for_names(instruction.operands[0], [&](std::string_view name) { latest_[name] = latest; });
  }

  std::size_t latest_of(std::string_view name) const {
    const auto found = latest_.find(name);
    return found == latest_.end() ? 0 : found->second;
  }

  /// When the value of a register is read that the block's instructions define.
  Need need_of(std::string_view name) const {
    const auto places = places_.find(name);
    if (places == places_.end() || places->second.definitions != 1 || places->second.read_elsewhere)
      return {.always = true, .when = {}};
    const auto found = needs_.find(name);
    return found == needs_.end() ? Need{} : found->second;
  }

  bool defined_once(std::string_view name) const {
    const auto places = places_.find(name);
    return places != places_.end() && places->second.definitions == 1;
  }

  /// Adds to what the sources of a pure instruction are needed for.
  void pass_on(std::size_t i) {
    const Instruction& instruction = function_.body[i];
    Need need;
    for_names(instruction.operands[0], [&](std::string_view name) { add(need, need_of(name)); });
    const std::vector<Operand>& operands = instruction.operands;
    for (std::size_t o = 1; o < operands.size(); ++o) {
      Need mine = need;
      if (const auto literal = gate(i, o)) mine = restricted(need, *literal);
      for_names(operands[o], [&](std::string_view name) { add(needs_[name], mine); });
    }
  }

  /// What must hold for the instruction's result to depend on operand `o`.
  std::optional<Literal> gate(std::size_t i, std::size_t o) const {
    const Instruction& instruction = function_.body[i];
    const std::string_view name = instruction.name();
    const std::vector<Operand>& operands = instruction.operands;
    if (name == "selp" && operands.size() == 4 && o < 3) return literal_of(i, operands[3], o == 1);
    const bool logic = (name == "and" || name == "or") && instruction.has("pred");
    if (logic && operands.size() == 3) {
      // Either may decide for both: it is the one that is known first.
      const Operand& other = operands[3 - o];
      if (latest_of(operands[o].name) <= latest_of(other.name)) return {};
      return literal_of(i, other, name == "and");
    }
    const bool combines = name == "setp" && operands.size() == 4 && o < 3 &&
                          (instruction.has("and") || instruction.has("or"));
    if (combines && operands[0].second.empty() &&
        latest_of(operands[o].name) > latest_of(operands[3].name))
      return literal_of(i, operands[3], instruction.has("and"));
    return {};
  }

  /// That an operand of instruction `i` is true, or is not.
  std::optional<Literal> literal_of(std::size_t i, const Operand& operand, bool holds) const {
    if (operand.kind != Operand::Kind::reg || !defined_once(operand.name)) return {};
    return Literal{operand.name, operand.negated == holds, i};
  }

  void keep_checks(std::size_t load, const BasicBlock& block) {
    const Operand& to = function_.body[load].operands[0];
    const bool vector = to.kind == Operand::Kind::vector;
    const std::size_t last = last_place(load, block);
    for (std::size_t e = 0; e < (vector ? std::min(to.elements.size(), kMostElements) : 1); ++e) {
      LateCheck check{.load = load, .element = e, .when = {}};
      const Need need = need_of(vector ? to.elements[e].name : to.name);
      bool always = need.always;
      for (Conjunction condition : need.when) {
        std::erase_if(condition, [&](const Literal& literal) { return literal.known_at > last; });
        always |= condition.empty();
        for (const Literal& literal : condition)
          check.before = std::max(check.before, literal.known_at);
        check.when.push_back(std::move(condition));
      }
      if (!always && !check.when.empty()) checks_.push_back(std::move(check));
    }
  }

  /// The last instruction before which what was loaded still lies at the same address, with the
  /// same accesses before it.
  std::size_t last_place(std::size_t load, const BasicBlock& block) const {
    const std::string& base = function_.body[load].operands[1].name;
    const std::size_t end = std::min(block.end - 1, load + kLongestWait);
    std::size_t i = load;
    for (; i < end; ++i) {
      const Instruction& between = function_.body[i];
      if (!is_pure(between) && !is_load(between)) break;
      bool moved = false;
      for_names(between.operands[0], [&](std::string_view name) { moved |= name == base; });
      if (moved) break;
    }
    return i;
  }

  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  std::unordered_map<std::string_view, Places> places_;
  std::unordered_map<std::string_view, std::size_t> latest_;  // index + 1; 0: none
  std::unordered_map<std::string_view, Need> needs_;          // of the block
  std::vector<LateCheck> checks_;
};

}  // namespace

std::vector<LateCheck> late_checks(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks) {
  return LateChecks(function, blocks).run();
}

}  // namespace tessera::sim
