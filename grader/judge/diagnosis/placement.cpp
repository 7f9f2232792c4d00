#include "grader/judge/diagnosis/placement.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace tessera {
namespace {

struct Element2d {
  int row;
  int column;
};

/// Returns the element whose value is found at (row, column); a place outside of the output if none
/// belongs there.
using Origin = std::function<Element2d(int row, int column)>;

/// Explains elements that hold the right value of another element. If that would lie outside of the
/// output, an element may hold whatever unwritten memory holds.
std::function<bool(int, int)> holds_value_from(const WrongOutput& output, Origin origin) {
  return [&output, origin = std::move(origin)](int row, int column) {
    const auto [from_row, from_column] = origin(row, column);
    if (output.has(from_row, from_column))
      return output.holds(row, column, output.right(from_row, from_column));
    const Verdict verdict = output.verdict(row, column);
    return verdict == Verdict::unwritten || verdict == Verdict::not_finite ||
           output.value(row, column) == 0;
  };
}

std::vector<Hypothesis> neighbours(const WrongOutput& output) {
  struct Step {
    int rows;
    int columns;
    Phrase words;
  };
  static constexpr Step kSteps[] = {{0, 1, Phrase::next_column},
                                    {0, -1, Phrase::column_before},
                                    {1, 0, Phrase::next_row},
                                    {-1, 0, Phrase::row_before},
                                    {1, 1, Phrase::next_row_and_column},
                                    {-1, -1, Phrase::row_and_column_before}};
  std::vector<Hypothesis> hypotheses;
  for (const Step& step : kSteps) {
    if (output.height() == 1 && step.rows != 0) continue;
    const Phrase words = output.height() > 1 ? step.words
                         : step.columns > 0  ? Phrase::next_element
                                             : Phrase::element_before;
    hypotheses.push_back({"neighbour-element", std::string(to_string(step.words)), Rank::general,
                          Phrase::every_element + say(Phrase::holds_value_of, words),
                          Phrase::neighbour_hint,
                          holds_value_from(output, [step](int row, int column) {
                            return Element2d{row + step.rows, column + step.columns};
                          })});
  }
  return hypotheses;
}

/// Mistakes with blocks: blockIdx left out, its axes exchanged, or rows and columns inside of a
/// tile exchanged.
std::vector<Hypothesis> blocks(const WrongOutput& output, const TileShape& tile) {
  const auto turned = [&](const char* word, Phrase clause, Phrase hint, Origin origin) {
    return Hypothesis{word,           "",
                      Rank::specific, say(clause, tile.height, tile.width),
                      hint,           holds_value_from(output, std::move(origin))};
  };
  const auto repeated = [&](const char* variant, Phrase clause, Origin origin) {
    const Phrase hint =
        output.height() > 1 ? Phrase::which_block_hint : Phrase::which_block_of_vector_hint;
    return Hypothesis{"block-index-ignored",
                      variant,
                      Rank::specific,
                      clause,
                      hint,
                      holds_value_from(output, std::move(origin))};
  };
  std::vector<Hypothesis> hypotheses = {
      repeated("both", Phrase::first_block_repeated, [tile](int row, int column) {
        return Element2d{row % tile.height, column % tile.width};
      })};
  if (output.height() > 1) {
    hypotheses.push_back(repeated("rows", Phrase::first_rows_repeated, [tile](int row, int column) {
      return Element2d{row % tile.height, column};
    }));
    hypotheses.push_back(
        repeated("columns", Phrase::first_columns_repeated, [tile](int row, int column) {
          return Element2d{row, column % tile.width};
        }));
  }
  if (tile.height != tile.width) return hypotheses;
  const int side = tile.width;
  hypotheses.push_back(turned(
      "tile-place-swapped", Phrase::tile_place_swapped, Phrase::tile_place_hint,
      [side](int row, int column) {
        return Element2d{column / side * side + row % side, row / side * side + column % side};
      }));
  hypotheses.push_back(turned(
      "tile-turned", Phrase::tile_turned, Phrase::tile_turned_hint, [side](int row, int column) {
        return Element2d{row / side * side + column % side, column / side * side + row % side};
      }));
  return hypotheses;
}

/// Explains an output whose element (row, column) is stored at row * `step_row` + column *
/// `step_column`.
std::function<bool(int, int)> stored_at(const WrongOutput& output, int step_row, int step_column) {
  return [&output, step_row, step_column](int row, int column) {
    const std::int64_t at = static_cast<std::int64_t>(row) * output.got().pitch() + column;
    // At most one element of each row is stored here.
    bool written = false;
    for (int i = 0; i < output.height(); ++i) {
      const std::int64_t rest = at - static_cast<std::int64_t>(i) * step_row;
      if (rest < 0 || rest % step_column != 0 || rest / step_column >= output.width()) continue;
      written = true;
      if (output.holds(row, column, output.right(i, static_cast<int>(rest / step_column))))
        return true;
    }
    return !written && output.verdict(row, column) == Verdict::unwritten;
  };
}

std::vector<Hypothesis> row_lengths(const WrongOutput& output) {
  if (output.height() == 1 || output.width() == 1) return {};
  const int pitch = output.got().pitch();
  std::vector<Hypothesis> hypotheses;
  const Name name{output.name()};
  const auto add = [&](const Text& which, int length) {
    if (length == pitch) return;
    hypotheses.push_back(
        {"wrong-row-length", name.text + " " + which.cause(), Rank::specific,
         say(Phrase::rows_stored_apart, name, length) + which + say(Phrase::must_be_apart, pitch),
         output.place_text(output.inputs().size()), stored_at(output, length, 1)});
  };
  for (const auto& [extent, length] : output.extents())
    add(say(Phrase::length_is, Name{extent}), length);
  add(Phrase::length_is_width, output.width());
  for (const auto& [which, length] : output.other_pitches(output.inputs().size()))
    add(which, length);
  for (const auto& [variant, step] : {std::pair{"height", output.height()}, {"pitch", pitch}}) {
    hypotheses.push_back({"result-transposed", variant, Rank::specific,
                          say(Phrase::stored_transposed, name), Phrase::stored_transposed_hint,
                          stored_at(output, 1, step)});
  }
  return hypotheses;
}

}  // namespace

std::vector<Hypothesis> placement_hypotheses(const WrongOutput& output) {
  std::vector<Hypothesis> hypotheses = neighbours(output);
  for (const TileShape& tile : output.tile_shapes())
    std::ranges::move(blocks(output, tile), std::back_inserter(hypotheses));
  // As many blocks as elements: a reduction.
  if (output.height() == 1 &&
      output.shape().grid.count() == static_cast<std::uint64_t>(output.width()))
    std::ranges::move(blocks(output, {1, 1}), std::back_inserter(hypotheses));
  std::ranges::move(row_lengths(output), std::back_inserter(hypotheses));
  return hypotheses;
}

}  // namespace tessera
