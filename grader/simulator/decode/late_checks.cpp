#include "grader/simulator/decode/late_checks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "grader/simulator/ptx/instruction_set.h"

namespace tessera::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr std::size_t kMostConditions = 16;  // of one value; with more it counts as always read
constexpr std::size_t kMostLiterals = 4;     // of one condition; those beyond are left out
constexpr std::size_t kMostElements = 8;     // of a vector
constexpr std::size_t kLongestWait = 512;    // instructions from a load to its check in its block
constexpr std::size_t kMostSteps =
    3'000'000;  // of all searches, with the conditions that are handed on

/// A condition under which a block reads a value.
struct Condition {
  std::size_t block = 0;  // its index
  Conjunction all;        // of which this block knows at least one, and earlier ones the others

  bool operator==(const Condition&) const = default;
};

/// When a value is read.
struct Need {
  bool always = false;
  std::vector<Condition> when;  // where it is not always
};

Literal opposite(Literal literal) {
  literal.negated = !literal.negated;
  return literal;
}

bool includes(const Conjunction& all, const Conjunction& some) {
  return std::ranges::all_of(
      some, [&](const Literal& literal) { return std::ranges::find(all, literal) != all.end(); });
}

/// What holds where both do, which are alike but for one literal that the one negates; nothing for
/// others.
std::optional<Conjunction> either(const Conjunction& one, const Conjunction& other) {
  if (one.size() != other.size()) return {};
  for (std::size_t i = 0; i < one.size(); ++i) {
    Conjunction rest = one;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    Conjunction turned = rest;
    turned.push_back(opposite(one[i]));
    if (includes(other, turned)) return rest;
  }
  return {};
}

void add(Need& need, Condition more) {
  for (std::size_t i = 0; i < need.when.size();) {
    Condition& known = need.when[i];
    if (known.block != more.block) {
      ++i;
      continue;
    }
    if (includes(more.all, known.all)) return;
    const std::optional<Conjunction> joined = either(known.all, more.all);
    if (joined || includes(known.all, more.all)) {
      need.when.erase(need.when.begin() + static_cast<std::ptrdiff_t>(i));
      if (joined) {
        more.all = *joined;
        i = 0;
      }
      continue;
    }
    ++i;
  }
  need.always |= more.all.empty();
  need.when.push_back(std::move(more));
  need.always |= need.when.size() > kMostConditions;
}

void add(Need& need, const Need& more) {
  need.always |= more.always;
  if (need.always) return need.when.clear();
  for (const Condition& condition : more.when) add(need, condition);
}

/// What is read where `need` says so and the literal, of this block, holds.
Need restricted(const Need& need, const Literal& literal, std::size_t block) {
  if (need.always) return {.when = {{block, {literal}}}};
  Need result = need;
  for (auto& [where, all] : result.when) {
    const bool known = std::ranges::find(all, literal) != all.end();
    if (!known && all.size() < kMostLiterals) all.push_back(literal);
  }
  return result;
}

bool is_plain(const Instruction& access) {
  return std::ranges::none_of(access.words, [](const std::string& word) {
    return word == "volatile" || word == "relaxed" || word == "acquire" || word == "release" ||
           word == "mmio";
  });
}

bool is_plain_load(const Instruction& instruction) {
  const ptx::Space space = ptx::space_of(instruction);
  return instruction.name() == "ld" && instruction.guard.empty() &&
         instruction.operands.size() == 2 && space != ptx::Space::param &&
         space != ptx::Space::constant && is_plain(instruction);
}

/// Whether it orders a thread with no other, and stores to no place where a load from `space` may
/// have read.
bool leaves_alone(const Instruction& instruction, ptx::Space space) {
  using enum ptx::Space;
  const std::string_view name = instruction.name();
  const bool goes = name == "bra" || name == "ret" || name == "exit";
  if (goes || computes(instruction)) return true;
  if (!is_plain(instruction)) return false;
  if (name != "st") return name == "ld" || name == "ldu";
  const ptx::Space to = ptx::space_of(instruction);
  return to != space && to != generic && space != generic;
}

bool is_load(const Instruction& instruction) {
  return (instruction.name() == "ld" || instruction.name() == "ldu") &&
         !instruction.operands.empty();
}

class LateChecks {
 public:
  LateChecks(const ptx::Function& function, const std::vector<BasicBlock>& blocks,
             const RegisterUses& uses)
      : function_(function), blocks_(blocks), uses_(uses) {}

  std::vector<LateCheck> run() {
    for (std::size_t block = blocks_.size(); block-- > 0;) look_at(block);
    std::ranges::stable_sort(checks_, {}, &LateCheck::before);
    return std::move(checks_);
  }

 private:
  /// Blocks are looked at from the last to the first: what later ones read is known.
  void look_at(std::size_t block) {
    const auto [begin, end, successors] = blocks_[block];
    block_ = block;
    latest_.clear();
    needs_.clear();
    for (std::size_t i = begin; i < end; ++i) find_latest(i);
    for (std::size_t i = end; i-- > begin;) {
      const Instruction& instruction = function_.body[i];
      if (is_pure(instruction)) {
        pass_on(i);
        continue;
      }
      if (is_plain_load(instruction)) keep_checks(i);
      forget_result(i);
      for_sources(instruction, [&](std::string_view name) { needs_[name].always = true; });
    }
    for (const auto& [name, need] : needs_) {
      const RegisterUse* use = uses_.of(name);
      if (use == nullptr) continue;
      if (!use->one_value()) {
        needs_in_[{block, name}] = need;
      } else if (use->written[0] < begin) {
        add(needs_of_later_[name], told_here(need, end - 1));
      }
    }
  }

  /// What stands before an instruction gives its result no value.
  void forget_result(std::size_t i) {
    const Instruction& instruction = function_.body[i];
    if (instruction.guard.empty())
      for_results(instruction, [&](std::string_view name) { needs_.erase(name); });
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

  /// When the value is read that instruction `i` gives a register.
  Need need_of(std::string_view name, std::size_t i) {
    const RegisterUse* use = uses_.of(name);
    if (use == nullptr) return {.always = true, .when = {}};
    Need need;
    if (const auto found = needs_.find(name); found != needs_.end()) add(need, found->second);
    if (!use->one_value()) {
      if (uses_.next_of(use->written, i + 1, true) >= blocks_[block_].end)
        add(need, need_behind(block_, name, *use, 0));
    } else if (const auto found = needs_of_later_.find(name); found != needs_of_later_.end()) {
      add(need, found->second);
    }
    return need;
  }

  /// When the value is read that a register has at the end of a block.
  Need need_behind(std::size_t block, std::string_view name, const RegisterUse& use, int depth) {
    Need need;
    const auto [begin, end, ways] = blocks_[block];
    const Instruction& last = function_.body[end - 1];
    const bool parts = last.name() == "bra" && ways.size() == 2 && ways[0] != ways[1] &&
                       uses_.defined_once(last.guard);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const auto next = static_cast<std::size_t>(ways[way]);
      Need there;
      if (next > block) {
        there = need_at(next, name, use, depth + 1);
      } else {
        there.always = uses_.may_be_read(use, next, steps_, kMostSteps);
      }
      const bool holds = (way == 0) != last.guard_negated;  // the first is where it jumps to
      add(need, parts ? restricted(there, literal(last.guard, holds), block) : there);
    }
    return need;
  }

  /// When the value is read that a register has at the beginning of a block, which has been looked
  /// at.
  Need need_at(std::size_t block, std::string_view name, const RegisterUse& use, int depth) {
    constexpr int kDeepest = 200;
    if (depth == kDeepest || ++steps_ >= kMostSteps) return {.always = true, .when = {}};
    const auto [known, fresh] = needs_at_.try_emplace({block, name});
    if (!fresh) return known->second;
    Need need;
    if (const auto found = needs_in_.find({block, name}); found != needs_in_.end())
      need = found->second;
    if (uses_.next_of(use.written, blocks_[block].begin, true) >= blocks_[block].end)
      add(need, need_behind(block, name, use, depth));
    return needs_at_[{block, name}] = need;
  }

  /// That a predicate, which is defined once, is true or is not.
  Literal literal(std::string_view predicate, bool holds) const {
    return {predicate, !holds, uses_.of(predicate)->written[0] + 1};
  }

  /// Adds to what the sources of a pure instruction are needed for.
  void pass_on(std::size_t i) {
    const Instruction& instruction = function_.body[i];
    Need need;
    for_names(instruction.operands[0], [&](std::string_view name) { add(need, need_of(name, i)); });
    forget_result(i);
    steps_ += need.when.size();
    need.always |= steps_ >= kMostSteps;
    const std::vector<Operand>& operands = instruction.operands;
    for (std::size_t o = 1; o < operands.size(); ++o) {
      Need mine = need;
      if (const auto literal = gate(i, o)) mine = restricted(need, *literal, block_);
      for_names(operands[o], [&](std::string_view name) { add(needs_[name], mine); });
    }
  }

  /// What must hold for the instruction's result to depend on operand `o`.
  std::optional<Literal> gate(std::size_t i, std::size_t o) const {
    const Instruction& instruction = function_.body[i];
    const std::string_view name = instruction.name();
    const std::vector<Operand>& operands = instruction.operands;
    if (name == "selp" && operands.size() == 4 && o < 3) return literal_of(operands[3], o == 1);
    const bool logic = (name == "and" || name == "or") && instruction.has("pred");
    if (logic && operands.size() == 3) {
      // Either may decide for both: it is the one that is known first.
      const Operand& other = operands[3 - o];
      if (latest_of(operands[o].name) <= latest_of(other.name)) return {};
      return literal_of(other, name == "and");
    }
    const bool combines = name == "setp" && operands.size() == 4 && o < 3 &&
                          (instruction.has("and") || instruction.has("or"));
    if (combines && operands[0].second.empty() &&
        latest_of(operands[o].name) > latest_of(operands[3].name))
      return literal_of(operands[3], instruction.has("and"));
    return {};
  }

  /// That an operand is true, or is not.
  std::optional<Literal> literal_of(const Operand& operand, bool holds) const {
    if (operand.kind != Operand::Kind::reg || !uses_.defined_once(operand.name)) return {};
    return literal(operand.name, operand.negated != holds);
  }

  void keep_checks(std::size_t load) {
    const Operand& to = function_.body[load].operands[0];
    const bool vector = to.kind == Operand::Kind::vector;
    const std::size_t last = last_place(load);
    for (std::size_t e = 0; e < (vector ? std::min(to.elements.size(), kMostElements) : 1); ++e) {
      const std::string& name = vector ? to.elements[e].name : to.name;
      const Need need = need_of(name, load);
      Need told{.always = need.always, .when = {}};
      // Of a register that is written in several places a later block holds perhaps another value.
      const RegisterUse* use = uses_.of(name);
      const bool stays = use != nullptr && use->one_value();
      for (auto [block, all] : need.when) {
        if (block == block_ || !stays || !undisturbed(load, block)) {
          block = block_;
          std::erase_if(all, [&](const Literal& literal) { return !is_known(literal, last); });
        }
        add(told, {block, std::move(all)});
      }
      if (told.always) continue;
      std::map<std::size_t, LateCheck> checks;  // by block
      for (auto& [block, all] : told.when) {
        LateCheck& check = checks[block];
        check.load = load;
        check.element = e;
        check.before = std::max({check.before, load + 1, blocks_[block].begin});
        for (const Literal& literal : all) check.before = std::max(check.before, literal.known_at);
        check.when.push_back(std::move(all));
      }
      for (auto& [block, check] : checks) checks_.push_back(std::move(check));
    }
  }

  /// The same in terms of what is known at instruction `at` of the block: who comes to a later one
  /// may not have come through this one.
  Need told_here(const Need& need, std::size_t at) {
    Need here{.always = need.always, .when = {}};
    for (auto [block, all] : need.when) {
      if (block != block_)
        std::erase_if(all, [&](const Literal& literal) { return !is_known(literal, at); });
      add(here, {block_, std::move(all)});
    }
    return here;
  }

  /// Whether a predicate has its value at instruction `at` of the block.
  bool is_known(const Literal& literal, std::size_t at) {
    if (literal.known_at > at) return false;
    const auto after =
        std::ranges::upper_bound(blocks_, literal.known_at - 1, {}, &BasicBlock::begin);
    const auto defined_in = static_cast<int>(after - blocks_.begin()) - 1;
    int block = static_cast<int>(block_);
    while (block != kExitBlock && block != defined_in && ++steps_ < kMostSteps)
      block = dominators_[static_cast<std::size_t>(block)];
    return block == defined_in;
  }

  /// The last instruction of the block before which what was loaded still lies at the same address,
  /// with the same accesses before it.
  std::size_t last_place(std::size_t load) const {
    const std::string& base = function_.body[load].operands[1].name;
    const std::size_t end = std::min(blocks_[block_].end - 1, load + kLongestWait);
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

  /// Whether from the load on until the end of a later block a thread meets no other and stores
  /// nothing to the load's space, and the load's address stays.
  bool undisturbed(std::size_t load, std::size_t later) {
    const std::string& base = function_.body[load].operands[1].name;
    const ptx::Space space = ptx::space_of(function_.body[load]);
    if (uses_.of(base) != nullptr && !uses_.defined_once(base)) return false;
    const auto quiet = [&](std::size_t begin, std::size_t end) {
      steps_ += end - begin;
      return std::all_of(
          function_.body.begin() + static_cast<std::ptrdiff_t>(begin),
          function_.body.begin() + static_cast<std::ptrdiff_t>(end),
          [&](const Instruction& instruction) { return leaves_alone(instruction, space); });
    };
    if (steps_ >= kMostSteps || !quiet(load, blocks_[block_].end)) return false;
    const std::vector<bool> behind = reached(blocks_, block_);
    const std::vector<bool> before = reached(reversed_, later);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const bool between = b == later || (b != block_ && behind[b] && before[b]);
      if (between && !quiet(blocks_[b].begin, blocks_[b].end)) return false;
    }
    return true;
  }

  /// The blocks that those after `from` lead to on ways that do not come through the load's block.
  std::vector<bool> reached(const std::vector<BasicBlock>& graph, std::size_t from) {
    steps_ += graph.size();
    std::vector<bool> seen(graph.size());
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const int next : graph[at].successors) {
        const auto to = static_cast<std::size_t>(next);
        if (to == block_ || seen[to]) continue;
        seen[to] = true;
        open.push_back(to);
      }
    }
    return seen;
  }

  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  const RegisterUses& uses_;
  std::unordered_map<std::string_view, std::size_t> latest_;           // index + 1; 0: none
  std::unordered_map<std::string_view, Need> needs_;                   // of the block
  std::unordered_map<std::string_view, Need> needs_of_later_;          // of blocks after it
  std::map<std::pair<std::size_t, std::string_view>, Need> needs_in_;  // of a block's own reads
  std::map<std::pair<std::size_t, std::string_view>, Need> needs_at_;  // where it begins
  std::vector<BasicBlock> reversed_ = reversed(blocks_);
  std::vector<int> dominators_ = immediate_post_dominators(reversed_);
  std::size_t block_ = 0;  // index
  std::size_t steps_ = 0;
  std::vector<LateCheck> checks_;
};

}  // namespace

std::vector<LateCheck> late_checks(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks,
                                   const RegisterUses& uses) {
  if (std::ranges::none_of(function.body, is_plain_load)) return {};
  return LateChecks(function, blocks, uses).run();
}

}  // namespace tessera::sim
