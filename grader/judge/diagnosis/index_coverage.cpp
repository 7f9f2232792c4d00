// Elements that no thread writes because the kernel computes an index wrongly from block and
// thread.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "common/numbers.h"
#include "grader/judge/diagnosis/placement.h"

namespace tessera {
namespace {

/// An axis of the grid, and the rows or columns that its index counts.
struct IndexAxis {
  Name name;     // "x"
  Phrase lines;  // "columns"
  std::uint32_t blocks;
  std::uint32_t threads;  // of a block
  int extent;
};

struct WrongIndex {
  const char* word;
  std::string variant;
  Text (*formula)(const IndexAxis&, std::uint32_t factor);
  Text (*hint)(const IndexAxis&, std::uint32_t factor);
  std::uint32_t factor;  // of blockIdx; 0 if that is not in the index
  bool has_thread = true;
};

/// The right factor: the threads of a block.
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
        columns_{Name{"x"},
                 output.height() == 1 ? Phrase::several_elements : Phrase::several_columns,
                 output.shape().grid.x, output.shape().block.x, output.width()},
        rows_{Name{"y"}, Phrase::several_rows, output.shape().grid.y, output.shape().block.y,
              output.height()} {}

  std::vector<Hypothesis> hypotheses() {
    if (!all(reached(columns_)) || !all(reached(rows_))) return {};  // the grid is too small
    add({"block-index-ignored", "",
         [](const IndexAxis& axis, std::uint32_t) { return say(Phrase::thread_alone, axis.name); },
         [](const IndexAxis& axis, std::uint32_t) {
           return say(Phrase::thread_alone_hint, axis.name, axis.threads, axis.name);
         },
         0});
    add({"block-index-not-multiplied", "",
         [](const IndexAxis& axis, std::uint32_t) {
           return say(Phrase::block_and_thread, axis.name, axis.name);
         },
         [](const IndexAxis& axis, std::uint32_t) {
           return say(Phrase::block_and_thread_hint, axis.name, axis.threads);
         },
         1});
    for (const std::uint32_t size : {8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u}) {
      add({"fixed-block-size", fmt::format("{}", size),
           [](const IndexAxis& axis, std::uint32_t factor) {
             return say(Phrase::block_by_number, axis.name, factor, axis.name);
           },
           [](const IndexAxis& axis, std::uint32_t factor) {
             return say(Phrase::fixed_size_hint, factor, axis.threads);
           },
           size});
    }
    add({"thread-index-ignored", "",
         [](const IndexAxis& axis, std::uint32_t) {
           return say(Phrase::block_alone, axis.name, axis.threads);
         },
         [](const IndexAxis& axis, std::uint32_t) {
           return say(Phrase::block_alone_hint, axis.name, axis.threads, axis.name);
         },
         kOwnSize, false});
    return std::move(hypotheses_);
  }

 private:
  /// Adds the hypotheses that both indices are wrong, or one of them.
  void add(const WrongIndex& wrong) {
    add(wrong, {columns_, rows_}, " both");
    if (output_.height() == 1) return;
    add(wrong, {columns_}, " columns");
    add(wrong, {rows_}, " rows");
  }

  void add(const WrongIndex& wrong, const std::vector<IndexAxis>& axes, const char* which) {
    Reached columns = reached(columns_);
    Reached rows = reached(rows_);
    Text parts, hint;
    for (const IndexAxis& axis : axes) {
      Reached lines = reached(axis, wrong.factor, wrong.has_thread);
      if (all(lines)) continue;
      const auto met = static_cast<std::uint64_t>(std::ranges::count(lines, true));
      const auto extent = static_cast<std::uint64_t>(axis.extent);
      if (!parts.empty()) parts += Phrase::region_and;
      parts += say(Phrase::as_if_the_index_were, Detail(grouped(met)), Detail(grouped(extent)),
                   axis.lines) +
               wrong.formula(axis, wrong.factor);
      if (hint.empty()) hint = wrong.hint(axis, wrong.factor);
      (axis.name == columns_.name ? columns : rows) = std::move(lines);
    }
    if (parts.empty()) return;
    hypotheses_.push_back(missing_where(
        output_, wrong.word, wrong.variant + which, Rank::specific,
        say(Phrase::written_only_in, Name{output_.name()}) + parts, std::move(hint),
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
