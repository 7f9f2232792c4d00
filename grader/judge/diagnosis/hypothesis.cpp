#include "grader/judge/diagnosis/hypothesis.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "grader/judge/compare/region.h"

namespace tessera {
namespace {

/// Far more than is needed to exclude chance; more would only hide what the other cases add.
constexpr double kMostBits = 200;

/// The elements with neighbours far apart: most hypotheses are then dismissed by the first few.
std::vector<std::pair<int, int>> spread(std::vector<std::pair<int, int>> elements) {
  constexpr std::size_t kStep = 7919;
  if (elements.size() % kStep == 0) return elements;
  std::vector<std::pair<int, int>> order;
  order.reserve(elements.size());
  for (std::size_t i = 0, at = 0; i < elements.size(); ++i, at = (at + kStep) % elements.size())
    order.push_back(elements[at]);
  return order;
}

/// How improbable it is that a formula yields this number by chance, in bits.
double rarity(double value) {
  const bool whole = value == std::trunc(value);
  if (whole && std::abs(value) <= 1) return 0;
  return whole && std::abs(value) < 256 ? 4 : 12;
}

}  // namespace

Fitter::Fitter(const WrongOutput& output, Target target) : output_(output), target_(target) {
  for (int row = 0; row < output.height(); ++row) {
    for (int column = 0; column < output.width(); ++column) {
      if (in_target(row, column)) wrong_.emplace_back(row, column);
    }
  }
  wrong_ = spread(std::move(wrong_));
  bits_ = information();
  add_box();
  add_tiles();
  std::ranges::stable_sort(areas_, {},
                           [](const Area& area) { return std::ranges::count(area.members, true); });
  areas_.insert(areas_.begin(),
                {Text(), std::vector<bool>(static_cast<std::size_t>(output.height()) *
                                               static_cast<std::size_t>(output.width()),
                                           true)});
}

std::optional<Fit> Fitter::fit(const Hypothesis& hypothesis) const {
  for (const auto& [row, column] : wrong_) {
    if (!hypothesis.explains(row, column)) return std::nullopt;
  }
  for (const Area& area : areas_) {
    if (explains_right_elements(hypothesis, area))
      return Fit{area.words, bits_ + (area.words.empty() ? pattern_bits(hypothesis) : 0)};
    if (hypothesis.whole || hypothesis.everywhere) return std::nullopt;
  }
  return std::nullopt;
}

bool Fitter::explains_right_elements(const Hypothesis& hypothesis, const Area& area) const {
  std::size_t index = 0;
  for (int row = 0; row < output_.height(); ++row) {
    for (int column = 0; column < output_.width(); ++column, ++index) {
      if (!area.members[index] || output_.verdict(row, column) != Verdict::right) continue;
      if (!hypothesis.explains(row, column)) return false;
    }
  }
  return true;
}

/// Adds the rows and columns that hold elements of the target.
void Fitter::add_box() {
  std::vector<bool> rows(static_cast<std::size_t>(output_.height()));
  std::vector<bool> columns(static_cast<std::size_t>(output_.width()));
  for (const auto& [row, column] : wrong_) {
    rows[static_cast<std::size_t>(row)] = true;
    columns[static_cast<std::size_t>(column)] = true;
  }
  Region box(output_.height(), output_.width());
  const auto inside = [&](int row, int column) {
    return rows[static_cast<std::size_t>(row)] && columns[static_cast<std::size_t>(column)];
  };
  for (int row = 0; row < output_.height(); ++row) {
    for (int column = 0; column < output_.width(); ++column) {
      if (inside(row, column)) box.add(row, column);
    }
  }
  if (box.count() <
      static_cast<std::uint64_t>(output_.height()) * static_cast<std::uint64_t>(output_.width()))
    add_area(box.describe(), inside);
}

void Fitter::add_tiles() {
  for (const TileShape& tile : output_.tile_shapes()) {
    const int whole_rows = output_.height() / tile.height * tile.height;
    const int whole_columns = output_.width() / tile.width * tile.width;
    if (whole_rows > 0 && whole_columns > 0) {
      add_area(Phrase::tiles_over_edge,
               [&](int row, int column) { return row >= whole_rows || column >= whole_columns; });
    }
    if (output_.height() == 1 || tile.height == 1 || tile.width == 1) continue;
    const auto diagonal = [&](int row, int column) {
      return row / tile.height == column / tile.width;
    };
    add_area(Phrase::tiles_on_diagonal, diagonal);
    add_area(Phrase::tiles_off_diagonal,
             [&](int row, int column) { return !diagonal(row, column); });
  }
}

/// Adds the area if it holds the whole target.
void Fitter::add_area(Text words, const std::function<bool(int, int)>& contains) {
  for (const auto& [row, column] : wrong_) {
    if (!contains(row, column)) return;
  }
  Area area{std::move(words), {}};
  for (int row = 0; row < output_.height(); ++row) {
    for (int column = 0; column < output_.width(); ++column)
      area.members.push_back(contains(row, column));
  }
  areas_.push_back(std::move(area));
}

/// The bits of a hypothesis that predicts which elements of the whole output are not finite and
/// which are right.
double Fitter::pattern_bits(const Hypothesis& hypothesis) const {
  constexpr double kPattern = 24;
  bool some_right = false;
  bool some_not_finite = false;
  for (int row = 0; row < output_.height(); ++row) {
    for (int column = 0; column < output_.width(); ++column) {
      const Verdict verdict = output_.verdict(row, column);
      some_right = some_right || verdict == Verdict::right;
      some_not_finite = some_not_finite || verdict == Verdict::not_finite;
      if (verdict == Verdict::wrong && !hypothesis.explains(row, column)) return 0;
    }
  }
  return some_right && some_not_finite ? kPattern : 0;
}

/// The bits of the target's values. Equal values fit many hypotheses; each value that differs from
/// the others adds proof.
double Fitter::information() const {
  std::map<double, double> counts;
  double not_finite = 0;
  double rarest = 0;
  for (const auto& [row, column] : wrong_) {
    const double value = output_.value(row, column);
    if (std::isfinite(value)) {
      ++counts[value];
      rarest = std::max(rarest, rarity(value));
    } else {
      ++not_finite;
    }
  }
  const auto size = static_cast<double>(wrong_.size());
  double equal_pairs = not_finite * not_finite;
  for (const auto& [value, count] : counts) equal_pairs += count * count;
  return std::min(kMostBits, rarest + size * std::log2(size * size / equal_pairs));
}

}  // namespace tessera
