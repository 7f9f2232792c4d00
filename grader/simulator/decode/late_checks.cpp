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
constexpr std::size_t kMostLiterals = 8;   // of one condition; the latest ones beyond are left out
constexpr std::size_t kMostElements = 8;   // of a vector
constexpr std::size_t kLongestWait = 512;  // instructions from a load to its check in its block
constexpr std::size_t kMostSteps = 3'000'000;  // of all searches, plus the conditions passed on

/// A condition under which a value is read: a thread comes to the block, and all of the literals
/// hold. This block or earlier blocks know the literals' values.
struct Condition {
  std::size_t block = 0;  // index
  Conjunction all;

  bool operator==(const Condition&) const = default;
};

/// When a value is read.
struct Need {
  bool always = false;
  std::vector<Condition> when;  // if not always
};

Literal opposite(Literal literal) {
  literal.negated = !literal.negated;
  return literal;
}

bool includes(const Conjunction& all, const Conjunction& some) {
  return std::ranges::all_of(
      some, [&](const Literal& literal) { return std::ranges::find(all, literal) != all.end(); });
}

/// Returns the common literals of two conditions that differ in one literal only, which one of them
/// negates: at least one of the two conditions holds if and only if these literals hold. Returns
/// nothing for other conditions.
std::optional<Conjunction> either(const Conjunction& first, const Conjunction& second) {
  if (first.size() != second.size()) return {};
  for (std::size_t i = 0; i < first.size(); ++i) {
    Conjunction rest = first;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    Conjunction turned = rest;
    turned.push_back(opposite(first[i]));
    if (includes(second, turned)) return rest;
  }
  return {};
}

/// Returns the need for a value that is read if `need` says so and the literal, of this block,
/// holds.
Need restricted(const Need& need, const Literal& literal, std::size_t block) {
  if (need.always) return {.when = {{block, {literal}}}};
  Need result = need;
  for (auto& [where, all] : result.when) {
    if (std::ranges::find(all, literal) != all.end()) continue;
    all.push_back(literal);
    if (all.size() > kMostLiterals)
      all.erase(std::ranges::max_element(all, {}, &Literal::known_at));
  }
  return result;
}

/// Answers whether one node of a forest is above another.
class Forest {
 public:
  /// `parents`: the parent of each node; kExitBlock if it has none.
  explicit Forest(const std::vector<int>& parents) : first_(parents.size()), last_(parents.size()) {
    std::vector<std::vector<std::size_t>> children(parents.size());
    std::vector<std::size_t> open;
    for (std::size_t node = 0; node < parents.size(); ++node) {
      const bool root = parents[node] == kExitBlock;
      (root ? open : children[static_cast<std::size_t>(parents[node])]).push_back(node);
    }
    std::vector<std::size_t> order;
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      first_[node] = order.size();
      order.push_back(node);
      open.insert(open.end(), children[node].begin(), children[node].end());
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      std::size_t& last = last_[order[i]];
      last = std::max(last, i);
      if (const int parent = parents[order[i]]; parent != kExitBlock)
        last_[static_cast<std::size_t>(parent)] =
            std::max(last_[static_cast<std::size_t>(parent)], last);
    }
  }

  /// Whether `upper` is above `lower`; each node is above itself.
  bool above(std::size_t upper, std::size_t lower) const {
    return first_[upper] <= first_[lower] && last_[lower] <= last_[upper];
  }

 private:
  std::vector<std::size_t> first_;  // a node's place in preorder; the nodes below it follow
  std::vector<std::size_t> last_;   // the place of the last node below it
};

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

/// Whether the instruction orders its thread with no other thread, and does not store where a load
/// from `space` may have read.
bool leaves_alone(const Instruction& instruction, ptx::Space space) {
  using enum ptx::Space;
  const std::string_view name = instruction.name();
  const bool goes = name == "bra" || name == "ret" || name == "exit";
  if (goes || computes_only(instruction)) return true;
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
    find_same_predicates();
    for (std::size_t block = blocks_.size(); block-- > 0;) look_at(block);
    std::ranges::stable_sort(checks_, {}, &LateCheck::before);
    return std::move(checks_);
  }

 private:
  /// Blocks are visited from the last to the first, so the needs of later blocks are known.
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
        Need here = need_here(need, end - 1);
        if (here.always) here = {.always = false, .when = {{block, {}}}};
        add(needs_of_later_[name], here);
      }
    }
  }

  /// Whether `wide` holds for every thread for which `narrow` holds: each thread that comes to the
  /// block of `narrow` has been in the block of `wide`.
  bool covers(const Condition& wide, const Condition& narrow) const {
    return dominators_.above(wide.block, narrow.block) && includes(narrow.all, wide.all);
  }

  void add(Need& need, Condition more) const {
    for (std::size_t i = 0; i < need.when.size();) {
      const Condition& known = need.when[i];
      if (covers(known, more)) return;
      std::optional<Conjunction> joined;
      if (known.block == more.block) joined = either(known.all, more.all);
      if (!joined && !covers(more, known)) {
        ++i;
        continue;
      }
      need.when.erase(need.when.begin() + static_cast<std::ptrdiff_t>(i));
      if (joined) {
        more.all = *joined;
        i = 0;
      }
    }
    need.when.push_back(std::move(more));
    need.always |= need.when.size() > kMostConditions;
  }

  void add(Need& need, const Need& more) const {
    need.always |= more.always;
    if (need.always) return need.when.clear();
    for (const Condition& condition : more.when) add(need, condition);
  }

  /// Forgets the needs of the registers that the instruction overwrites: earlier instructions do
  /// not provide their values.
  void forget_result(std::size_t i) {
    const Instruction& instruction = function_.body[i];
    if (instruction.guard.empty())
      for_results(instruction, [&](std::string_view name) { needs_.erase(name); });
  }

  /// Finds the last load of the block on which the instruction's result depends.
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

  /// Returns when the value that instruction `i` writes to a register is read.
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

  /// Returns when the value that a register has at the end of a block is read.
  Need need_behind(std::size_t block, std::string_view name, const RegisterUse& use, int depth) {
    Need need;
    const auto [begin, end, ways] = blocks_[block];
    const Instruction& last = function_.body[end - 1];
    const bool parted = parts(block);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const auto next = static_cast<std::size_t>(ways[way]);
      Need there;
      if (next > block) {
        there = need_at(next, name, use, depth + 1);
      } else {
        for (const std::size_t reader : uses_.readers(use, next, steps_, kMostSteps))
          add(there, Condition{.block = reader, .all = {}});
        there.always |= steps_ >= kMostSteps;
      }
      const bool holds = (way == 0) != last.guard_negated;  // the first successor is the jump's
      add(need, parted ? restricted(there, literal(last.guard, holds), block) : there);
    }
    return need;
  }

  /// Returns when the value that a register has at the beginning of a visited block is read.
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

  /// Returns the literal that a predicate, which is defined once, is true (or false if not
  /// `holds`). It names the first predicate that makes the same comparison, or the opposite one.
  Literal literal(std::string_view predicate, bool holds) const {
    if (const auto same = same_as_.find(predicate); same != same_as_.end()) {
      predicate = same->second.predicate;
      holds = holds != same->second.negated;
    }
    return {predicate, !holds, uses_.of(predicate)->written[0] + 1};
  }

  /// Finds the predicates that repeat an earlier comparison, made in a block on every path to them.
  void find_same_predicates() {
    static constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
        {"ne", "eq"}, {"ge", "lt"}, {"le", "gt"}};
    std::map<std::vector<std::string>, std::pair<std::size_t, Literal>> first;  // with its block
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      for (std::size_t i = blocks_[block].begin; i < blocks_[block].end; ++i) {
        const Instruction& compare = function_.body[i];
        const std::vector<Operand>& operands = compare.operands;
        const bool plain = compare.name() == "setp" && compare.words.size() == 3 &&
                           compare.guard.empty() && operands.size() == 3 &&
                           operands[0].second.empty() && uses_.defined_once(operands[0].name) &&
                           uses_.defined_once(operands[1].name) && compare.words[2][0] != 'f';
        const bool number = plain && operands[2].kind == Operand::Kind::integer;
        if (!plain || (!number && !uses_.defined_once(operands[2].name))) continue;
        const auto* opposite = std::ranges::find(
            kOpposites, compare.words[1], &std::pair<std::string_view, std::string_view>::first);
        const bool negated = opposite != std::end(kOpposites);
        const auto [known, fresh] = first.try_emplace(
            {negated ? std::string(opposite->second) : compare.words[1], compare.words[2],
             operands[1].name, number ? std::to_string(operands[2].value) : operands[2].name},
            block, Literal{operands[0].name, negated, 0});
        const auto& [in, before] = known->second;
        if (!fresh && dominators_.above(in, block))
          same_as_[operands[0].name] = {before.predicate, before.negated != negated, 0};
      }
    }
  }

  /// Passes the need for a pure instruction's result on to its sources.
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

  /// Returns what must hold for the instruction's result to depend on operand `o`.
  std::optional<Literal> gate(std::size_t i, std::size_t o) const {
    const Instruction& instruction = function_.body[i];
    const std::string_view name = instruction.name();
    const std::vector<Operand>& operands = instruction.operands;
    if (name == "selp" && operands.size() == 4 && o < 3) return literal_of(operands[3], o == 1, i);
    const bool logic = (name == "and" || name == "or") && instruction.has("pred");
    if (logic && operands.size() == 3) {
      // Either operand may decide the result alone: take the one that is known first.
      const Operand& partner = operands[3 - o];
      if (!known_before(partner, operands[o])) return {};
      return literal_of(partner, name == "and", i);
    }
    const bool combines = name == "setp" && operands.size() == 4 && o < 3 &&
                          (instruction.has("and") || instruction.has("or"));
    if (combines && operands[0].second.empty() && known_before(operands[3], operands[o]))
      return literal_of(operands[3], instruction.has("and"), i);
    return {};
  }

  /// Whether the block's last load that `first` depends on comes before that of `second`; if they
  /// are equal, whether `first` is written first.
  bool known_before(const Operand& first, const Operand& second) const {
    const auto time = [&](const Operand& operand) {
      const RegisterUse* use = uses_.of(operand.name);
      return std::pair(latest_of(operand.name), use == nullptr ? 0 : use->written.front());
    };
    return time(first) < time(second);
  }

  /// Returns the literal that an operand of instruction `i` is true (or false if not `holds`). If
  /// the predicate is written in several places, its value is known only at the instruction.
  std::optional<Literal> literal_of(const Operand& operand, bool holds, std::size_t i) const {
    if (operand.kind != Operand::Kind::reg || uses_.of(operand.name) == nullptr) return {};
    if (!uses_.defined_once(operand.name))
      return Literal{operand.name, operand.negated == holds, i + 1};
    return literal(operand.name, operand.negated != holds);
  }

  void keep_checks(std::size_t load) {
    const Operand& to = function_.body[load].operands[0];
    const bool vector = to.kind == Operand::Kind::vector;
    for (std::size_t e = 0; e < (vector ? std::min(to.elements.size(), kMostElements) : 1); ++e) {
      const Need result = need_of_load(load, vector ? to.elements[e].name : to.name);
      if (result.always) continue;
      std::map<std::size_t, LateCheck> checks;  // by block
      for (const auto& [block, all] : result.when) {
        LateCheck& check = checks[block];
        check.load = load;
        check.element = e;
        check.before = std::max({check.before, load + 1, blocks_[block].begin});
        for (const Literal& literal : all) {
          if (!literal.early) check.before = std::max(check.before, literal.known_at);
        }
        check.when.push_back(all);
      }
      for (auto& [block, check] : checks) checks_.push_back(std::move(check));
    }
  }

  /// Returns when a loaded value is read, in terms of blocks that can check the memory again.
  Need need_of_load(std::size_t load, std::string_view name) {
    const Need need = need_of(name, load);
    Need result{.always = need.always, .when = {}};
    if (result.always) return result;
    const RegisterUse& use = *uses_.of(name);
    for (auto [block, all] : need.when) {
      if (all.empty() && use.one_value() && post_dominators_.above(block, block_)) {
        result.always = true;
        break;
      }
      const std::size_t reader = block;
      const std::size_t place = place_before(block, load, use);
      const std::size_t end = place == block_ ? last_place(load) : blocks_[place].end - 1;
      if (place != block) {
        Conjunction implied = ways_to(block);
        for (const Literal& holds : all) add_implied(holds, implied);
        all = std::move(implied);
      }
      const auto known = [&](const Literal& literal) { return is_known(literal, place, end); };
      for (Literal& literal : all) {
        literal.early =
            !known(literal) && place == block_ && has_fixed_operands(literal, load, reader);
      }
      std::erase_if(all, [&](const Literal& literal) { return !literal.early && !known(literal); });
      if (all.size() > kMostLiterals) all.erase(all.begin() + kMostLiterals, all.end());
      add(result, {place, std::move(all)});
    }
    // A sum in a loop is read by the next iteration or after the loop.
    result.always |= std::ranges::count(result.when, Condition{block_, {}}) > 0;
    return result;
  }

  /// Returns the last block on all paths from the load to a later block in which the memory and the
  /// register still hold the loaded value.
  std::size_t place_before(std::size_t later, std::size_t load, const RegisterUse& use) {
    constexpr int kMostPlaces = 16;
    for (int i = 0; i < kMostPlaces && dominators_.above(block_, later); ++i) {
      if (later == block_ || undisturbed(load, later, use)) return later;
      later = static_cast<std::size_t>(immediate_dominators_[later]);
    }
    return block_;
  }

  /// Returns what holds in each thread that goes from the visited block to a later block, as far as
  /// the branches of blocks on every path show.
  Conjunction ways_to(std::size_t later) {
    Conjunction all;
    if (steps_ >= kMostSteps) return all;
    // Otherwise, predicates computed on the way may belong to another iteration of a loop.
    const bool through = dominators_.above(block_, later);
    const std::vector<bool> anew = through ? std::vector<bool>() : reached(blocks_, block_);
    while (!dominators_.above(later, block_) && immediate_dominators_[later] != kExitBlock &&
           ++steps_ < kMostSteps) {
      const auto before = static_cast<std::size_t>(immediate_dominators_[later]);
      const std::vector<int>& ways = blocks_[before].successors;
      if (parts(before) && reversed_[later].successors.size() == 1) {
        const bool jumps = ways[0] == static_cast<int>(later);
        const Instruction& branch = function_.body[blocks_[before].end - 1];
        add_implied(literal(branch.guard, jumps != branch.guard_negated), all);
      }
      later = before;
    }
    if (!through) std::erase_if(all, [&](const Literal& known) { return anew[block_of(known)]; });
    return all;
  }

  /// Adds a literal, and what it implies: both sides of an `and`.
  void add_implied(const Literal& holds, Conjunction& all) {
    constexpr std::size_t kMostImplied = 64;
    if (std::ranges::find(all, holds) != all.end()) return;
    all.push_back(holds);
    if (!uses_.defined_once(holds.predicate)) return;
    const Instruction& from = function_.body[holds.known_at - 1];
    if (from.name() != (holds.negated ? "or" : "and") || !from.has("pred") ||
        from.operands.size() != 3 || all.size() > kMostImplied)
      return;
    for (std::size_t o = 1; o < 3; ++o) {
      const Operand& side = from.operands[o];
      if (side.kind == Operand::Kind::reg && uses_.defined_once(side.name) &&
          uses_.of(side.name)->written[0] < holds.known_at - 1)
        add_implied(literal(side.name, holds.negated == side.negated), all);
    }
  }

  /// Whether the block ends with a branch on a predicate that is defined once.
  bool parts(std::size_t block) const {
    const std::vector<int>& ways = blocks_[block].successors;
    const Instruction& last = function_.body[blocks_[block].end - 1];
    return last.name() == "bra" && ways.size() == 2 && ways[0] != ways[1] &&
           uses_.defined_once(last.guard);
  }

  /// Returns the need in terms of what is known at instruction `at` of the block. A condition of a
  /// later block that can be reached without passing this block moves here.
  Need need_here(const Need& need, std::size_t at) {
    Need here{.always = need.always, .when = {}};
    for (auto [block, all] : need.when) {
      if (!dominators_.above(block_, block)) {
        std::erase_if(all, [&](const Literal& known) { return !is_known(known, block_, at); });
        block = block_;
      }
      add(here, {block, std::move(all)});
    }
    return here;
  }

  /// Whether a predicate already has its value at instruction `at` of a block.
  bool is_known(const Literal& literal, std::size_t block, std::size_t at) const {
    if (literal.known_at > at) return false;
    if (!uses_.defined_once(literal.predicate)) return block_of(literal) == block;
    return dominators_.above(block_of(literal), block);
  }

  /// Whether the literal is that of a comparison of registers that is made between the load and
  /// each run of block `reader` that follows it, while the registers stay as they are at the load.
  bool has_fixed_operands(const Literal& literal, std::size_t load, std::size_t reader) {
    if (!uses_.defined_once(literal.predicate) || steps_ >= kMostSteps) return false;
    const std::size_t at = literal.known_at - 1;
    const Instruction& compare = function_.body[at];
    const std::vector<Operand>& operands = compare.operands;
    static constexpr std::string_view kTypes[] = {"s16", "u16", "b16", "s32", "u32", "b32",
                                                  "s64", "u64", "b64", "f32", "f64"};
    if (compare.name() != "setp" || compare.words.size() != 3 || !compare.guard.empty() ||
        operands.size() != 3 || !operands[0].second.empty() ||
        std::ranges::find(kTypes, compare.words[2]) == std::end(kTypes))
      return false;
    const std::size_t compared_in = block_of(literal);
    if (compared_in == block_ ? at < load : !lies_between(compared_in, reader)) return false;
    return std::all_of(operands.begin() + 1, operands.end(), [&](const Operand& operand) {
      if (operand.kind == Operand::Kind::integer) return true;
      const RegisterUse* use = uses_.of(operand.name);
      return operand.kind == Operand::Kind::reg && use != nullptr &&
             is_fixed(*use, load, compared_in, at);
    });
  }

  /// Whether each path from the visited block to `reader` passes block `middle`.
  bool lies_between(std::size_t middle, std::size_t reader) {
    return middle == reader || !reached(blocks_, block_, middle)[reader];
  }

  /// Whether the register is not written between the load and instruction `at` of a block.
  bool is_fixed(const RegisterUse& use, std::size_t load, std::size_t block, std::size_t at) {
    const auto is_written = [&](std::size_t begin, std::size_t end) {
      return uses_.next_of(use.written, begin, false) < end;
    };
    if (block == block_) return !is_written(load + 1, at);
    if (is_written(load + 1, blocks_[block_].end) ||
        is_written(blocks_[block].begin, blocks_[block].end))
      return false;
    const std::vector<bool> behind = reached(blocks_, block_);
    const std::vector<bool> before = reached(reversed_, block);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (b != block_ && behind[b] && before[b] && is_written(blocks_[b].begin, blocks_[b].end))
        return false;
    }
    return true;
  }

  /// Returns the block in which a literal gets its value.
  std::size_t block_of(const Literal& literal) const {
    const auto after =
        std::ranges::upper_bound(blocks_, literal.known_at - 1, {}, &BasicBlock::begin);
    return static_cast<std::size_t>(after - blocks_.begin()) - 1;
  }

  /// Returns the last instruction of the block before which the loaded value is still at the same
  /// address, with only loads in between.
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

  /// Whether from the load to the end of a later block a thread meets no other thread and stores
  /// nothing to the load's space, and the registers of the address and of the value are not
  /// written.
  bool undisturbed(std::size_t load, std::size_t later, const RegisterUse& use) {
    const std::string& base = function_.body[load].operands[1].name;
    const ptx::Space space = ptx::space_of(function_.body[load]);
    if (uses_.of(base) != nullptr && !uses_.defined_once(base)) return false;
    const auto stays = [&](std::size_t begin, std::size_t end) {
      return use.one_value() || uses_.next_of(use.written, begin, false) >= end;
    };
    const std::size_t end = blocks_[block_].end;
    if (steps_ >= kMostSteps || !stays(load + 1, end) || !quiet(load, end, space)) return false;
    const std::vector<bool> behind = reached(blocks_, block_);
    const std::vector<bool> before = reached(reversed_, later);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const bool between = b == later || (b != block_ && behind[b] && before[b]);
      if (!between) continue;
      if (!stays(blocks_[b].begin, blocks_[b].end)) return false;
      const auto [known, fresh] = quiet_.try_emplace({b, space});
      if (fresh) known->second = quiet(blocks_[b].begin, blocks_[b].end, space);
      if (!known->second) return false;
    }
    return true;
  }

  /// Whether all of these instructions leave the loaded value alone.
  bool quiet(std::size_t begin, std::size_t end, ptx::Space space) {
    steps_ += end - begin;
    return std::all_of(
        function_.body.begin() + static_cast<std::ptrdiff_t>(begin),
        function_.body.begin() + static_cast<std::ptrdiff_t>(end),
        [&](const Instruction& instruction) { return leaves_alone(instruction, space); });
  }

  /// Marks the blocks that can be reached from `from` by paths that do not pass through the load's
  /// block, nor through `avoided`.
  std::vector<bool> reached(const std::vector<BasicBlock>& graph, std::size_t from,
                            std::size_t avoided = ~std::size_t{0}) {
    steps_ += graph.size();
    std::vector<bool> seen(graph.size());
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const int next : graph[at].successors) {
        const auto to = static_cast<std::size_t>(next);
        if (to == block_ || to == avoided || seen[to]) continue;
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
  std::unordered_map<std::string_view, Need> needs_;                   // of the visited block
  std::unordered_map<std::string_view, Need> needs_of_later_;          // of later blocks
  std::map<std::pair<std::size_t, std::string_view>, Need> needs_in_;  // of a block's own reads
  std::map<std::pair<std::size_t, std::string_view>, Need> needs_at_;  // where a block begins
  std::vector<BasicBlock> reversed_ = reversed(blocks_);
  std::vector<int> immediate_dominators_ = immediate_post_dominators(reversed_);
  Forest dominators_{immediate_dominators_};
  Forest post_dominators_{immediate_post_dominators(blocks_)};
  std::map<std::pair<std::size_t, ptx::Space>, bool> quiet_;  // of whole blocks
  std::size_t block_ = 0;                                     // the visited one
  std::size_t steps_ = 0;
  std::unordered_map<std::string_view, Literal> same_as_;  // by predicate; known_at is not set
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
