// Elements that nobody writes, told from the grid and from the shape of what is missing; and where
// wrong elements lie when nothing tells why.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "common/numbers.h"
#include "grader/judge/diagnosis/placement.h"

namespace tessera {
namespace {

/// One axis of the grid: how many rows or columns of the output it covers with a thread an element.
struct Axis {
  const char* name;   // "x"
  const char* lines;  // "columns"
  std::uint32_t blocks;
  std::uint32_t block;
  int extent;

  std::int64_t covered() const { return static_cast<std::int64_t>(blocks) * block; }
  std::int64_t reached() const { return std::min<std::int64_t>(covered(), extent); }
  bool too_short() const { return covered() < extent; }
  bool rounded_down() const {
    return blocks == std::max<std::uint32_t>(1, static_cast<std::uint32_t>(extent) / block);
  }

  /// "its x, 2 blocks of 16 threads, covers 32 columns of 40"
  std::string text() const {
    return fmt::format("its {}, {} of {}, covers {} of {} {}", name, counted(blocks, "block"),
                       counted(static_cast<std::uint64_t>(block), "thread"),
                       grouped(static_cast<std::uint64_t>(reached())),
                       grouped(static_cast<std::uint64_t>(extent)), lines);
  }
};

/// What is written where the extents are exchanged.
std::string exchanged_text(const WrongOutput& output) {
  return fmt::format(
      "{0} is written only where row < {2} and column < {1}: it has {1} rows and {2} columns",
      output.name(), output.height(), output.width());
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
      add("x on columns", {"x", "elements", grid.x, block.x, width}, {"y", "rows", 1, 1, 1});
      return std::move(hypotheses_);
    }
    add("x on columns", {"x", "columns", grid.x, block.x, width},
        {"y", "rows", grid.y, block.y, height});
    add("x on rows", {"y", "columns", grid.y, block.y, width},
        {"x", "rows", grid.x, block.x, height});
    return std::move(hypotheses_);
  }

 private:
  void add(const char* variant, const Axis& columns, const Axis& rows) {
    if (!columns.too_short() && !rows.too_short()) return;
    std::vector<std::string> short_ones;
    for (const Axis& axis : {columns, rows}) {
      if (axis.too_short()) short_ones.push_back(axis.text());
    }
    const std::string covered = fmt::format("{}", fmt::join(short_ones, "; "));
    const auto missing = [columns, rows](int row, int column) {
      return row >= rows.covered() || column >= columns.covered();
    };
    const auto add_as = [&](const char* word, Rank rank, std::string clause, const char* hint) {
      hypotheses_.push_back(
          missing_where(output_, word, variant, rank, std::move(clause), hint, missing));
    };
    // The other way round it is large enough: nothing else is wrong with it.
    if (columns.covered() >= rows.extent && rows.covered() >= columns.extent &&
        output_.height() > 1) {
      add_swapped(columns, rows, covered, missing);
      return;
    }
    const std::string clause =
        fmt::format("the grid does not cover {}: {}", output_.name(), covered);
    if ((!columns.too_short() || columns.rounded_down()) &&
        (!rows.too_short() || rows.rounded_down())) {
      add_as("grid-rounded-down", Rank::specific, clause,
             "round the number of blocks up in launch(): ceil_div(extent, block)");
    }
    if (columns.blocks == 1 && rows.blocks == 1) {
      add_as("one-block-launched", Rank::specific, clause,
             "launch as many blocks as it takes to cover every element: ceil_div(extent, block); "
             "or, where one block must do, as many threads");
    }
    add_as("grid-too-small", Rank::general, clause,
           "every element needs a thread: how many blocks does that take, rounded up? With fewer, "
           "a thread has to compute several elements");
  }

  /// `covered` says how far each axis that is too short goes.
  void add_swapped(const Axis& columns, const Axis& rows, const std::string& covered,
                   const std::function<bool(int, int)>& missing) {
    const bool rows_along_x = rows.name == std::string_view("x");
    std::string clause = fmt::format(
        "in the kernel the rows of {} run along {} and its columns along {}, in the grid the other "
        "way round: {}",
        output_.name(), rows.name, columns.name, covered);
    std::string hint =
        rows_along_x ? "let blockIdx.x and threadIdx.x count the columns, as launch() does, or "
                       "exchange the grid's x and y if launch() is yours"
                     : "compute the grid's x from the columns in launch(), or, where launch() is "
                       "given, let blockIdx.x and threadIdx.x count the rows";
    // Whole blocks reach exactly what a guard with exchanged extents lets through.
    const int shorter = std::min(rows.extent, columns.extent);
    if (rows.reached() == shorter && columns.reached() == shorter) {
      clause = exchanged_text(output_);
      hint += ". Or does the guard before the store compare the row with the width?";
    }
    hypotheses_.push_back(missing_where(output_, "grid-swapped",
                                        rows_along_x ? "x on rows" : "x on columns", Rank::specific,
                                        std::move(clause), std::move(hint), missing));
  }

  const WrongOutput& output_;
  std::vector<Hypothesis> hypotheses_;
};

/// Guards before the store that are too strict.
std::vector<Hypothesis> guard_hypotheses(const WrongOutput& output) {
  const int height = output.height();
  const int width = output.width();
  const bool vector = height == 1;
  const std::string& name = output.name();
  const auto strict = [&](const char* variant, const std::string& what, const char* hint,
                          std::function<bool(int, int)> missing) {
    return missing_where(output, "guard-too-strict", variant, Rank::specific,
                         fmt::format("nobody writes {} of {}", what, name), hint,
                         std::move(missing));
  };
  const char* last =
      "the guard before the store leaves out the last one: index < extent, with <, "
      "and without - 1";
  const char* first = "the guard before the store leaves out the first one: indices begin with 0";
  std::vector<Hypothesis> hypotheses = {
      strict("last column", vector ? "the last element" : "the last column", last,
             [width](int, int column) { return column == width - 1; }),
      strict("first column", vector ? "the first element" : "the first column", first,
             [](int, int column) { return column == 0; })};
  if (vector) return hypotheses;
  hypotheses.push_back(strict("last row", "the last row", last,
                              [height](int row, int) { return row == height - 1; }));
  hypotheses.push_back(
      strict("first row", "the first row", first, [](int row, int) { return row == 0; }));
  hypotheses.push_back(strict(
      "last of both", "the last row and the last column", last,
      [height, width](int row, int column) { return row == height - 1 || column == width - 1; }));
  hypotheses.push_back(strict("first of both", "the first row and the first column", first,
                              [](int row, int column) { return row == 0 || column == 0; }));
  hypotheses.push_back(missing_where(
      output, "guard-extents-swapped", "", Rank::specific, exchanged_text(output),
      "the guard before the store compares the row with the width, or the column with the height",
      [height, width](int row, int column) { return row >= width || column >= height; }));
  for (const TileShape& tile : output.tile_shapes()) {
    if (tile.height != tile.width) continue;
    const int side = tile.width;
    hypotheses.push_back(missing_where(
        output, "guard-of-the-load", "", Rank::specific,
        fmt::format("threads whose other element, the one with threadIdx.x and threadIdx.y "
                    "exchanged, lies outside do not store into {}",
                    name),
        "the load and the store concern two different elements: each needs a guard of its own",
        [side, height, width](int row, int column) {
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
        fmt::format("nobody writes the part of {} behind the last whole {}", output.name(),
                    output.height() == 1 ? fmt::format("block of {}", tile.width)
                                         : fmt::format("tile of {} x {}", tile.height, tile.width)),
        "a block at the edge has to store the elements that exist",
        [rows, columns](int row, int column) { return row >= rows || column >= columns; }));
  }
  return hypotheses;
}

}  // namespace

Hypothesis missing_where(const WrongOutput& output, std::string word, std::string variant,
                         Rank rank, std::string clause, std::string hint,
                         std::function<bool(int, int)> missing) {
  const auto explains = [&output, missing = std::move(missing)](int row, int column) {
    return output.verdict(row, column) ==
           (missing(row, column) ? Verdict::unwritten : Verdict::right);
  };
  return {std::move(word), std::move(variant), rank, std::move(clause),
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
  const auto add = [&](const char* word, std::string clause, std::string hint,
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
    hypotheses.push_back({word, "", Rank::region, std::move(clause), std::move(hint),
                          [&output, contains](int row, int column) {
                            return contains(row, column) ||
                                   output.verdict(row, column) == Verdict::right;
                          },
                          true});
  };
  const std::string& name = output.name();
  for (const TileShape& tile : output.tile_shapes()) {
    const int rows = output.height() / tile.height * tile.height;
    const int columns = output.width() / tile.width * tile.width;
    const bool vector = output.height() == 1;
    add("edge-tiles-wrong",
        fmt::format("{} is wrong where {} sticks out over the edge, and right elsewhere", name,
                    vector ? "the last block" : "a tile"),
        "what do the threads of a block at the edge load and store that those of a whole block "
        "do "
        "not?",
        [rows, columns](int row, int column) { return row >= rows || column >= columns; });
    if (vector) {
      add("block-starts-wrong",
          fmt::format("only the first element of each block of {} but the first is wrong",
                      tile.width),
          "the first thread of a block needs something that another block has loaded: read it from "
          "global memory",
          [tile](int, int column) { return column > 0 && column % tile.width == 0; });
    }
    add("first-block-right", fmt::format("only what the first block computes is right in {}", name),
        "what depends on blockIdx, and what should? Follow the first element of the second block",
        [tile](int row, int column) { return row >= tile.height || column >= tile.width; });
  }
  return hypotheses;
}

}  // namespace tessera
