#include "grader/simulator/decode/control_flow.h"

#include <algorithm>
#include <map>
#include <set>

#include "grader/simulator/ptx/instruction_set.h"
#include "grader/simulator/ptx/limits.h"

namespace tessera::sim {
namespace {

/// Hand-made PTX can take quadratic time; compilers' output takes a few steps per block.
constexpr std::size_t kMostVisits = 50'000'000;

bool ends_block(const ptx::Instruction& instruction) {
  return instruction.never_returns ||
         ptx::info_of(instruction).is(ptx::kBranches | ptx::kLeaves | ptx::kStops);
}

/// Returns the labels to which a branch may jump.
std::vector<std::string> targets(const ptx::Function& function,
                                 const ptx::Instruction& instruction) {
  const std::string_view name = instruction.name();
  if (name == "bra" && !instruction.operands.empty()) return {instruction.operands[0].name};
  if (name == "brx" && instruction.operands.size() == 2) {
    const auto list = function.branch_targets.find(instruction.operands[1].name);
    if (list != function.branch_targets.end()) return list->second;
  }
  return {};
}

/// Adds to `order` the blocks not seen yet from which the block can be reached; `back` is the
/// reversed graph. In `order`, each block follows its predecessors.
void visit(int block, const std::vector<BasicBlock>& back, std::vector<bool>& seen,
           std::vector<int>& order) {
  // Uses an explicit stack, as generated code can have very many blocks in a row.
  std::vector<std::pair<int, std::size_t>> stack{{block, 0}};
  seen[static_cast<std::size_t>(block)] = true;
  while (!stack.empty()) {
    auto& [current, next] = stack.back();
    const auto& list = back[static_cast<std::size_t>(current)].successors;
    if (next < list.size()) {
      const int child = list[next++];
      if (!seen[static_cast<std::size_t>(child)]) {
        seen[static_cast<std::size_t>(child)] = true;
        stack.emplace_back(child, 0);
      }
    } else {
      order.push_back(current);
      stack.pop_back();
    }
  }
}

}  // namespace

Expected<std::vector<BasicBlock>> basic_blocks(const ptx::Function& function) {
  const std::size_t size = function.body.size();
  std::set<std::size_t> leaders{0};
  for (std::size_t i = 0; i < size; ++i) {
    if (ends_block(function.body[i])) leaders.insert(i + 1);
    // Labels that no branch names, such as Clang's for debuggers, begin no block.
    for (const std::string& label : targets(function, function.body[i])) {
      if (const auto found = function.labels.find(label); found != function.labels.end())
        leaders.insert(found->second);
    }
  }
  leaders.erase(leaders.lower_bound(size), leaders.end());
  std::vector<BasicBlock> blocks;
  std::map<std::size_t, int> block_at;
  for (auto it = leaders.begin(); it != leaders.end(); ++it) {
    block_at[*it] = static_cast<int>(blocks.size());
    const auto next = std::next(it);
    blocks.push_back({*it, next == leaders.end() ? size : *next, {}});
  }
  std::size_t branches = 0;
  for (std::size_t b = 0; b < blocks.size() && size != 0; ++b) {
    const ptx::Instruction& last = function.body[blocks[b].end - 1];
    const std::vector<std::string> labels = targets(function, last);
    branches += labels.size();
    if (branches > ptx::kMaxBranches)
      return Error{
          .file = "PTX", .line = last.ptx_line, .message = "too many branches in one function"};
    for (const std::string& label : labels) {
      const auto found = function.labels.find(label);
      if (found == function.labels.end())
        return Error{.file = "PTX", .line = last.ptx_line, .message = "no label '" + label + "'"};
      if (found->second < size) blocks[b].successors.push_back(block_at.at(found->second));
    }
    const bool falls_through = !ends_block(last) || !last.guard.empty();
    if (falls_through && b + 1 < blocks.size())
      blocks[b].successors.push_back(static_cast<int>(b) + 1);
  }
  return blocks;
}

std::vector<BasicBlock> reversed(const std::vector<BasicBlock>& blocks) {
  std::vector<BasicBlock> result(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (int successor : blocks[b].successors)
      result[static_cast<std::size_t>(successor)].successors.push_back(static_cast<int>(b));
  }
  return result;
}

std::vector<int> immediate_post_dominators(const std::vector<BasicBlock>& blocks) {
  // The reversed graph gets one more node, the exit, with an edge to every block from which threads
  // leave.
  const int exit = static_cast<int>(blocks.size());
  std::vector<BasicBlock> back = reversed(blocks);
  back.emplace_back();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].successors.empty()) back.back().successors.push_back(static_cast<int>(b));
  }
  std::vector<bool> seen(blocks.size() + 1, false);
  std::vector<int> order;
  visit(exit, back, seen, order);
  std::vector<int> rank(blocks.size() + 1, -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    rank[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  std::vector<int> dominator(blocks.size() + 1, -2);
  dominator[static_cast<std::size_t>(exit)] = exit;
  std::size_t steps = 0;
  const auto up = [&](int block) {
    ++steps;
    return dominator[static_cast<std::size_t>(block)];
  };
  const auto meet = [&](int a, int b) {
    while (a != b) {
      while (rank[static_cast<std::size_t>(a)] < rank[static_cast<std::size_t>(b)]) a = up(a);
      while (rank[static_cast<std::size_t>(b)] < rank[static_cast<std::size_t>(a)]) b = up(b);
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == exit) continue;
      if (steps > kMostVisits) return std::vector<int>(blocks.size(), kExitBlock);
      const auto block = static_cast<std::size_t>(*it);
      int meeting = blocks[block].successors.empty() ? exit : -2;
      for (int successor : blocks[block].successors) {
        if (dominator[static_cast<std::size_t>(successor)] == -2) continue;
        meeting = meeting == -2 ? successor : meet(meeting, successor);
      }
      if (meeting != dominator[block]) {
        dominator[block] = meeting;
        changed = true;
      }
    }
  }
  std::vector<int> result(blocks.size(), kExitBlock);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (dominator[b] >= 0 && dominator[b] != exit) result[b] = dominator[b];
  }
  return result;
}

std::vector<BasicBlock> without_ways_out(const std::vector<BasicBlock>& blocks) {
  std::vector<int> ways_in(blocks.size(), 0);
  for (const BasicBlock& block : blocks) {
    for (const int successor : block.successors) ++ways_in[static_cast<std::size_t>(successor)];
  }
  // Marks ends of one instruction, which several paths may share, and blocks that only lead to such
  // an end.
  std::vector<bool> leaves(blocks.size(), false);
  const auto look = [&](std::size_t at) {
    const std::vector<int>& next = blocks[at].successors;
    leaves[at] = next.empty() ? blocks[at].end - blocks[at].begin == 1
                              : next.size() == 1 && ways_in[at] == 1 &&
                                    leaves[static_cast<std::size_t>(next[0])];
  };
  // Twice, as an end may stand before the block that leads to it.
  for (std::size_t b = blocks.size(); b-- > 0;) look(b);
  for (std::size_t b = blocks.size(); b-- > 0;) look(b);
  const auto only_leaves = [&](int block) { return leaves[static_cast<std::size_t>(block)]; };
  std::vector<BasicBlock> inside = blocks;
  for (BasicBlock& block : inside) {
    if (!std::ranges::all_of(block.successors, only_leaves))
      std::erase_if(block.successors, only_leaves);
  }
  // If a loop has no other exit, the edge stays.
  const std::vector<BasicBlock> back = reversed(inside);
  std::vector<bool> ends(inside.size(), false);
  std::vector<int> order;
  for (std::size_t b = 0; b < inside.size(); ++b) {
    if (inside[b].successors.empty() && !ends[b]) visit(static_cast<int>(b), back, ends, order);
  }
  for (std::size_t b = 0; b < inside.size(); ++b) {
    if (!ends[b]) inside[b].successors = blocks[b].successors;
  }
  return inside;
}

std::vector<int> meetings_before_barriers(const ptx::Function& function,
                                          const std::vector<BasicBlock>& blocks) {
  const std::size_t size = blocks.size();
  const auto has_barrier = [&](std::size_t b) {
    return std::any_of(function.body.begin() + static_cast<std::ptrdiff_t>(blocks[b].begin),
                       function.body.begin() + static_cast<std::ptrdiff_t>(blocks[b].end),
                       [](const ptx::Instruction& instruction) {
                         return ptx::info_of(instruction).unit == ptx::Unit::barrier &&
                                !instruction.has("warp");
                       });
  };
  const std::vector<BasicBlock> back = reversed(blocks);
  std::vector<bool> leads_to_barrier(size, false);
  std::vector<int> order;
  for (std::size_t b = 0; b < size; ++b) {
    if (!leads_to_barrier[b] && has_barrier(b))
      visit(static_cast<int>(b), back, leads_to_barrier, order);
  }
  // A path ends at its first barrier. What follows the barrier in its block begins another path, as
  // a block of its own after all others.
  std::vector<BasicBlock> ways(size);
  std::vector<std::size_t> beginning(size);
  for (std::size_t b = 0; b < size; ++b) {
    beginning[b] = has_barrier(b) ? ways.size() : b;
    if (beginning[b] != b) ways.emplace_back();
    std::vector<int>& next = ways[beginning[b]].successors;
    std::ranges::copy_if(blocks[b].successors, std::back_inserter(next), [&](int successor) {
      return leads_to_barrier[static_cast<std::size_t>(successor)];
    });
  }
  const std::vector<int> dominators = immediate_post_dominators(ways);
  std::vector<int> meetings(size, kExitBlock);
  for (std::size_t b = 0; b < size; ++b) {
    if (ways[beginning[b]].successors.size() > 1) meetings[b] = dominators[beginning[b]];
  }
  return meetings;
}

}  // namespace tessera::sim
