// Elements that no thread writes, explained by the grid or by the shape of what is missing; and
// where wrong elements lie if nothing explains them.

#include <algorithm>
#include <iterator>

#include "common/numbers.h"
#include "grader/judge/diagnosis/placement.h"

namespace tessera {
namespace {

/// An axis of the grid, and how many rows or columns of the output it covers with a thread for
/// each.
struct Axis {
  Name name;     // "x"
  Phrase lines;  // "columns"
  std::uint32_t blocks;
  std::uint32_t block;
  int extent;

  std::int64_t covered() const { return static_cast<std::int64_t>(blocks) * block; }
  std::int64_t reached() const { return std::min<std::int64_t>(covered(), extent); }
  bool too_short() const { return covered() < extent; }
  bool rounded_down() const {
    return blocks == std::max<std::uint32_t>(1, static_cast<std::uint32_t>(extent) / block);
  }

  /// "along x it has 2 blocks of 16 threads and covers 32 of 40 columns"
  Text text() const {
    return say(Phrase::axis_covers, name, Count{blocks, Phrase::launched_block},
               Count{block, Phrase::thread}, Detail(grouped(static_cast<std::uint64_t>(reached()))),
               Detail(grouped(static_cast<std::uint64_t>(extent))), lines);
  }
};

/// Says what is written if the extents are exchanged.
Text exchanged_text(const WrongOutput& output) {
  const int height = output.height();
  const int width = output.width();
  return say(Phrase::extents_exchanged, Name{output.name()}, width, height, height, width);
}

class GridHypotheses {
 public:
  explicit GridHypotheses(const WrongOutput& output) : output_(output) {}

  std::vector<Hypothesis> hypotheses() {
    const Dim3& grid = output_.shape().grid;
    const Dim3& block = output_.shape().block;
    const int height = output_.height();
    const int width = output_.width();
    if (height == 1) {
      add("x on columns", {Name{"x"}, Phrase::several_elements, grid.x, block.x, width},
          {Name{"y"}, Phrase::several_rows, 1, 1, 1});
      return std::move(hypotheses_);
    }
    add("x on columns", {Name{"x"}, Phrase::several_columns, grid.x, block.x, width},
        {Name{"y"}, Phrase::several_rows, grid.y, block.y, height});
    add("x on rows", {Name{"y"}, Phrase::several_columns, grid.y, block.y, width},
        {Name{"x"}, Phrase::several_rows, grid.x, block.x, height});
    return std::move(hypotheses_);
  }

 private:
  void add(const char* variant, const Axis& columns, const Axis& rows) {
    if (!columns.too_short() && !rows.too_short()) return;
    Text covered;
    for (const Axis& axis : {columns, rows}) {
      if (!axis.too_short()) continue;
      if (!covered.empty()) covered += Phrase::mistake_next;
      covered += axis.text();
    }
    const auto missing = [columns, rows](int row, int column) {
      return row >= rows.covered() || column >= columns.covered();
    };
    const Text sentence = say(Phrase::grid_does_not_cover, Name{output_.name()}) + covered;
    const auto add_as = [&](const char* word, Rank rank, Phrase hint) {
      hypotheses_.push_back(missing_where(output_, word, variant, rank, sentence, hint, missing));
    };
    // With its axes exchanged it is large enough: nothing else is wrong with it.
    if (columns.covered() >= rows.extent && rows.covered() >= columns.extent &&
        output_.height() > 1) {
      add_swapped(columns, rows, covered, missing);
      return;
    }
    if ((!columns.too_short() || columns.rounded_down()) &&
        (!rows.too_short() || rows.rounded_down())) {
      add_as("grid-rounded-down", Rank::specific, Phrase::grid_rounded_down_hint);
    }
    if (columns.blocks == 1 && rows.blocks == 1) {
      add_as("one-block-launched", Rank::specific, Phrase::one_block_hint);
    }
    add_as("grid-too-small", Rank::general, Phrase::grid_too_small_hint);
  }

  /// `covered` says how far each axis that is too short goes.
  void add_swapped(const Axis& columns, const Axis& rows, const Text& covered,
                   const std::function<bool(int, int)>& missing) {
    const bool rows_along_x = rows.name == Name{"x"};
    Text sentence =
        say(Phrase::grid_swapped, Name{output_.name()}, rows.name, columns.name) + covered;
    Text hint = rows_along_x ? Phrase::grid_counts_columns_hint : Phrase::grid_counts_rows_hint;
    // Whole blocks reach exactly what a guard with exchanged extents lets through.
    const int shorter = std::min(rows.extent, columns.extent);
    if (rows.reached() == shorter && columns.reached() == shorter) {
      sentence = exchanged_text(output_);
      hint += Phrase::or_guard_swapped_hint;
    }
    hypotheses_.push_back(missing_where(output_, "grid-swapped",
                                        rows_along_x ? "x on rows" : "x on columns", Rank::specific,
                                        std::move(sentence), std::move(hint), missing));
  }

  const WrongOutput& output_;
  std::vector<Hypothesis> hypotheses_;
};

/// Mistakes in the guard before the store that leave elements out.
std::vector<Hypothesis> guard_hypotheses(const WrongOutput& output) {
  const int height = output.height();
  const int width = output.width();
  const bool vector = height == 1;
  const Name name{output.name()};
  const auto strict = [&](const char* variant, Phrase what, Phrase hint,
                          std::function<bool(int, int)> missing) {
    return missing_where(output, "guard-too-strict", variant, Rank::specific,
                         say(Phrase::no_thread_writes, what, name), hint, std::move(missing));
  };
  constexpr Phrase last = Phrase::last_left_out_hint;
  constexpr Phrase first = Phrase::first_left_out_hint;
  std::vector<Hypothesis> hypotheses = {
      strict("last column", vector ? Phrase::the_last_element : Phrase::the_last_column, last,
             [width](int, int column) { return column == width - 1; }),
      strict("first column", vector ? Phrase::the_first_element : Phrase::the_first_column, first,
             [](int, int column) { return column == 0; })};
  if (vector) return hypotheses;
  hypotheses.push_back(strict("last row", Phrase::the_last_row, last,
                              [height](int row, int) { return row == height - 1; }));
  hypotheses.push_back(
      strict("first row", Phrase::the_first_row, first, [](int row, int) { return row == 0; }));
  hypotheses.push_back(strict(
      "last of both", Phrase::the_last_of_both, last,
      [height, width](int row, int column) { return row == height - 1 || column == width - 1; }));
  hypotheses.push_back(strict("first of both", Phrase::the_first_of_both, first,
                              [](int row, int column) { return row == 0 || column == 0; }));
  hypotheses.push_back(missing_where(
      output, "guard-extents-swapped", "", Rank::specific, exchanged_text(output),
      Phrase::extents_exchanged_hint,
      [height, width](int row, int column) { return row >= width || column >= height; }));
  for (const TileShape& tile : output.tile_shapes()) {
    if (tile.height != tile.width) continue;
    const int side = tile.width;
    hypotheses.push_back(missing_where(
        output, "guard-of-the-load", "", Rank::specific, say(Phrase::stored_by_load_guard, name),
        Phrase::stored_by_load_guard_hint, [side, height, width](int row, int column) {
          return row / side * side + column % side >= height ||
                 column / side * side + row % side >= width;
        }));
  }
  return hypotheses;
}

std::vector<Hypothesis> edge_tiles_unwritten(const WrongOutput& output) {
  std::vector<Hypothesis> hypotheses;
  for (const TileShape& tile : output.tile_shapes()) {
    const int rows = output.height() / tile.height * tile.height;
    const int columns = output.width() / tile.width * tile.width;
    hypotheses.push_back(missing_where(
        output, "edge-tiles-unwritten", "", Rank::fact,
        output.height() == 1
            ? say(Phrase::behind_whole_block, Name{output.name()}, tile.width)
            : say(Phrase::behind_whole_tile, Name{output.name()}, tile.height, tile.width),
        Phrase::behind_whole_hint,
        [rows, columns](int row, int column) { return row >= rows || column >= columns; }));
  }
  return hypotheses;
}

}  // namespace

Hypothesis missing_where(const WrongOutput& output, std::string word, std::string variant,
                         Rank rank, Text sentence, Text hint,
                         std::function<bool(int, int)> missing) {
  const auto explains = [&output, missing = std::move(missing)](int row, int column) {
    return output.verdict(row, column) ==
           (missing(row, column) ? Verdict::unwritten : Verdict::right);
  };
  return {std::move(word), std::move(variant), rank, std::move(sentence),
          std::move(hint), explains,           true};
}

std::vector<Hypothesis> coverage_hypotheses(const WrongOutput& output) {
  std::vector<Hypothesis> hypotheses = GridHypotheses(output).hypotheses();
  std::ranges::move(index_hypotheses(output), std::back_inserter(hypotheses));
  std::ranges::move(guard_hypotheses(output), std::back_inserter(hypotheses));
  std::ranges::move(edge_tiles_unwritten(output), std::back_inserter(hypotheses));
  return hypotheses;
}

std::vector<Hypothesis> region_hypotheses(const WrongOutput& output, Target target) {
  std::vector<Hypothesis> hypotheses;
  const auto add = [&](const char* word, const Text& sentence, Phrase hint,
                       const std::function<bool(int, int)>& contains) {
    // A few elements of the region may be right by chance.
    int inside = 0;
    int failed = 0;
    for (int row = 0; row < output.height(); ++row) {
      for (int column = 0; column < output.width(); ++column) {
        if (!contains(row, column)) continue;
        ++inside;
        failed += (target & target_of(output.verdict(row, column))) != 0 ? 1 : 0;
      }
    }
    if (inside == 0 || failed * 10 < inside * 9) return;
    hypotheses.push_back({word, "", Rank::region, sentence, hint,
                          [&output, contains](int row, int column) {
                            return contains(row, column) ||
                                   output.verdict(row, column) == Verdict::right;
                          },
                          true});
  };
  const Name name{output.name()};
  for (const TileShape& tile : output.tile_shapes()) {
    const int rows = output.height() / tile.height * tile.height;
    const int columns = output.width() / tile.width * tile.width;
    const bool vector = output.height() == 1;
    add("edge-tiles-wrong",
        say(Phrase::wrong_over_edge, name, vector ? Phrase::the_last_block : Phrase::a_tile),
        Phrase::wrong_over_edge_hint,
        [rows, columns](int row, int column) { return row >= rows || column >= columns; });
    if (vector) {
      add("block-starts-wrong", say(Phrase::block_starts_wrong, tile.width),
          Phrase::block_starts_wrong_hint,
          [tile](int, int column) { return column > 0 && column % tile.width == 0; });
    }
    if (output.shape().grid.count() == 1) continue;
    add("first-block-right", say(Phrase::first_block_right, name), Phrase::first_block_right_hint,
        [tile](int row, int column) { return row >= tile.height || column >= tile.width; });
  }
  return hypotheses;
}

}  // namespace tessera
