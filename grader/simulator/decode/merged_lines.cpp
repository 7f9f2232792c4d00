#include "grader/simulator/decode/merged_lines.h"

#include <algorithm>

namespace tessera::sim {
namespace {

using Ranges = std::map<int, LineRange>;

/// Limit for instructions visited plus ranges kept. Merged instructions beyond it have no lines.
constexpr std::size_t kMostWork = 20'000'000;

/// Returns the blocks on the paths from `start` to `end`, with `start` and without `end`.
std::vector<std::size_t> blocks_between(const std::vector<BasicBlock>& graph, std::size_t start,
                                        int end) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<std::size_t> found{start};
  seen[start] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (int next : graph[found[i]].successors) {
      const auto block = static_cast<std::size_t>(next);
      if (next == end || seen[block]) continue;
      seen[block] = true;
      found.push_back(block);
    }
  }
  return found;
}

class Merged {
 public:
  Merged(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
      : function_(function), blocks_(blocks), back_(reversed(blocks)) {}

  std::map<std::uint32_t, Ranges> find() {
    std::map<std::uint32_t, Ranges> found;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Ranges* ranges = nullptr;
      for (std::size_t i = blocks_[b].begin; i < blocks_[b].end; ++i) {
        if (!function_.body[i].location.merged) continue;
        if (work_ > kMostWork) return found;
        ranges = &found.try_emplace(static_cast<std::uint32_t>(i), ranges ? *ranges : around(b))
                      .first->second;
        work_ += ranges->size();
      }
    }
    return found;
  }

 private:
  Ranges around(std::size_t block) {
    if (dominators_.empty()) {
      dominators_ = immediate_post_dominators(back_);
      post_dominators_ = immediate_post_dominators(blocks_);
    }
    Ranges ranges;
    for (std::size_t b : blocks_between(back_, block, dominators_[block])) add(ranges, b);
    for (std::size_t b : blocks_between(blocks_, block, post_dominators_[block])) add(ranges, b);
    if (const int parting = dominators_[block]; parting != kExitBlock)
      add_line(ranges, blocks_[static_cast<std::size_t>(parting)].end - 1);
    return ranges;
  }

  void add(Ranges& ranges, std::size_t block) {
    work_ += 1 + blocks_[block].end - blocks_[block].begin;
    for (std::size_t i = blocks_[block].begin; i < blocks_[block].end; ++i) add_line(ranges, i);
  }

  void add_line(Ranges& ranges, std::size_t index) const {
    const ptx::Location& at = function_.body[index].location;
    if (at.merged || at.line == 0) return;
    LineRange& range = ranges.try_emplace(at.file, LineRange{at.line, at.line}).first->second;
    range.first = std::min(range.first, at.line);
    range.last = std::max(range.last, at.line);
  }

  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  std::vector<BasicBlock> back_;
  std::vector<int> dominators_;
  std::vector<int> post_dominators_;
  std::size_t work_ = 0;
};

}  // namespace

std::map<std::uint32_t, std::map<int, LineRange>> merged_ranges(
    const ptx::Function& function, const std::vector<BasicBlock>& blocks) {
  return Merged(function, blocks).find();
}

}  // namespace tessera::sim
