// Elements that nobody writes because the kernel computes an index wrongly from block and thread.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "common/numbers.h"
#include "grader/judge/diagnosis/placement.h"

namespace tessera {
namespace {

/// An axis of the grid, and the rows or columns that follow it.
struct IndexAxis {
  char name;          // 'x'
  const char* lines;  // "columns"
  std::uint32_t blocks;
  std::uint32_t threads;  // of a block
  int extent;
};

struct WrongIndex {
  const char* word;
  std::string variant;
  const char* formula;   // {0} is the axis, {1} `factor`, {2} the threads of a block
  const char* hint;      // the same
  std::uint32_t factor;  // of blockIdx; 0 where that is not in the index
  bool has_thread = true;
};

/// A factor: the threads of a block, as it has to be.
constexpr std::uint32_t kOwnSize = ~0u;

using Reached = std::vector<bool>;  // by row or column

Reached reached(const IndexAxis& axis, std::uint32_t factor = kOwnSize, bool has_thread = true) {
  Reached lines(static_cast<std::size_t>(axis.extent));
  const std::uint32_t blocks = factor == 0 ? 1 : axis.blocks;
  const std::uint32_t threads = has_thread ? axis.threads : 1;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const std::size_t index =
          std::size_t{block} * (factor == kOwnSize ? axis.threads : factor) + thread;
      if (index < lines.size()) lines[index] = true;
    }
  }
  return lines;
}

bool all(const Reached& lines) {
  return std::ranges::count(lines, false) == 0;
}

class IndexHypotheses {
 public:
  explicit IndexHypotheses(const WrongOutput& output)
      : output_(output),
        columns_{'x', output.height() == 1 ? "elements" : "columns", output.shape().grid.x,
                 output.shape().block.x, output.width()},
        rows_{'y', "rows", output.shape().grid.y, output.shape().block.y, output.height()} {}

  std::vector<Hypothesis> hypotheses() {
    if (!all(reached(columns_)) || !all(reached(rows_))) return {};  // a matter of the grid
    add({"block-index-ignored", "", "threadIdx.{0} alone",
         "which elements does the second block compute? The index is blockIdx.{0} * {2} + "
         "threadIdx.{0}",
         0});
    add({"block-index-not-multiplied", "", "blockIdx.{0} + threadIdx.{0}",
         "the first element of a block is blockIdx.{0} * {2}: multiply by the block's size", 1});
    for (const std::uint32_t size : {8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u}) {
      add({"fixed-block-size", fmt::format("{}", size), "blockIdx.{0} * {1} + threadIdx.{0}",
           "does the kernel say {1} in place of the block's size, which is {2} here?", size});
    }
    add({"thread-index-ignored", "", "blockIdx.{0} * {2} alone",
         "do all threads of a block compute the same element? The index is blockIdx.{0} * {2} + "
         "threadIdx.{0}",
         kOwnSize, false});
    return std::move(hypotheses_);
  }

 private:
  /// Both indices wrong, or one of them.
  void add(const WrongIndex& wrong) {
    add(wrong, {columns_, rows_}, " both");
    if (output_.height() == 1) return;
    add(wrong, {columns_}, " columns");
    add(wrong, {rows_}, " rows");
  }

  void add(const WrongIndex& wrong, const std::vector<IndexAxis>& axes, const char* which) {
    Reached columns = reached(columns_);
    Reached rows = reached(rows_);
    std::vector<std::string> parts;
    std::string hint;
    for (const IndexAxis& axis : axes) {
      Reached lines = reached(axis, wrong.factor, wrong.has_thread);
      if (all(lines)) continue;
      const auto text = [&](const char* format) {
        return fmt::format(fmt::runtime(format), axis.name, wrong.factor, axis.threads);
      };
      parts.push_back(
          fmt::format("{} reaches ({} of {} {})", text(wrong.formula),
                      grouped(static_cast<std::uint64_t>(std::ranges::count(lines, true))),
                      grouped(static_cast<std::uint64_t>(axis.extent)), axis.lines));
      if (hint.empty()) hint = text(wrong.hint);
      (axis.name == 'x' ? columns : rows) = std::move(lines);
    }
    if (parts.empty()) return;
    hypotheses_.push_back(missing_where(
        output_, wrong.word, wrong.variant + which, Rank::specific,
        fmt::format("{} is written only where {}", output_.name(), fmt::join(parts, " and ")),
        std::move(hint),
        [columns = std::move(columns), rows = std::move(rows)](int row, int column) {
          return !rows[static_cast<std::size_t>(row)] || !columns[static_cast<std::size_t>(column)];
        }));
  }

  const WrongOutput& output_;
  IndexAxis columns_;
  IndexAxis rows_;
  std::vector<Hypothesis> hypotheses_;
};

}  // namespace

std::vector<Hypothesis> index_hypotheses(const WrongOutput& output) {
  return IndexHypotheses(output).hypotheses();
}

}  // namespace tessera
