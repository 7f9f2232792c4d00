#include "grader/judge/diagnosis/wrong_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/recipe.h"
#include "grader/judge/compare/element_findings.h"

namespace tessera {
namespace {

template <class T>
void add_unique(std::vector<T>& values, const T& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

/// The side of a square of so many threads, or 0.
int side_of_square(std::uint64_t threads) {
  const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(threads))));
  return static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side) == threads ? side : 0;
}

/// How many of `extent` each of `blocks` computes if they share it in equal parts.
int share(int extent, std::uint32_t blocks) {
  const int count = static_cast<int>(std::min<std::uint32_t>(blocks, 1u << 20));
  return count == 0 ? 0 : (extent + count - 1) / count;
}

double poison_value(Element element) {
  const auto of = [](Element of_type) {
    HostMatrix single(of_type, 1, 1);
    poison(single);
    return single.value(0, 0);
  };
  static const double kFloat = of(Element::float32);
  static const double kInteger = of(Element::int32);
  return element == Element::float32 ? kFloat : kInteger;
}

}  // namespace

WrongOutput::WrongOutput(Parts parts) : parts_(std::move(parts)) {
  verdicts_.reserve(parts_.reference.value.size());
  for (int row = 0; row < height(); ++row) {
    for (int column = 0; column < width(); ++column) verdicts_.push_back(verdict_of(row, column));
  }
}

Verdict WrongOutput::verdict_of(int row, int column) const {
  const Prediction expected = right(row, column);
  const double got = value(row, column);
  if (std::abs(got - expected.value) <= expected.tolerance) return Verdict::right;
  if (bits_at(parts_.got, row, column) == poison_bits(parts_.got.element()))
    return Verdict::unwritten;
  return std::isfinite(got) ? Verdict::wrong : Verdict::not_finite;
}

bool WrongOutput::holds(int row, int column, const Prediction& prediction) const {
  const double got = value(row, column);
  if (!std::isfinite(prediction.value)) return !std::isfinite(got);
  return std::abs(got - prediction.value) <= prediction.tolerance;
}

std::optional<std::string> WrongOutput::width_extent(std::size_t operand) const {
  // Extents that all differ show which of them is the width.
  constexpr int kFirst = 1009;
  Extents probe;
  for (const std::string& name : operation().extents())
    probe[name] = kFirst + static_cast<int>(probe.size());
  const int width = operation().operands(probe)[operand].width;
  const auto found =
      std::ranges::find(probe, width, [](const auto& extent) { return extent.second; });
  return found == probe.end() ? std::nullopt : std::optional(found->first);
}

Text WrongOutput::place_text(std::size_t operand) const {
  const Name name{parts_.operands[operand].name};
  const HostMatrix& matrix = operand < inputs().size() ? inputs()[operand] : got();
  if (matrix.pitch() != matrix.width()) return say(Phrase::place_by_pitch_hint, name, name);
  const int width = parts_.operands[operand].width;
  if (const auto extent = width_extent(operand))
    return say(Phrase::place_of_extent_hint, name, name, Name{*extent}, width);
  return say(Phrase::place_hint, name, name, width);
}

std::vector<std::pair<Text, int>> WrongOutput::other_pitches(std::size_t operand) const {
  std::vector<std::pair<Text, int>> pitches;
  for (std::size_t i = 0; i < parts_.operands.size(); ++i) {
    const HostMatrix& matrix = i < inputs().size() ? inputs()[i] : got();
    if (i == operand || matrix.height() == 1) continue;
    pitches.emplace_back(say(Phrase::length_is_pitch, Name{parts_.operands[i].name}),
                         matrix.pitch());
  }
  return pitches;
}

std::vector<int> WrongOutput::tile_sizes() const {
  std::vector<int> sizes;
  const Dim3& block = parts_.shape.block;
  for (const int size :
       {static_cast<int>(block.x), static_cast<int>(block.y), side_of_square(block.count())}) {
    if (size > 1) add_unique(sizes, size);
  }
  // Two tiles fill the shared memory: one as high as the block's part of the output, one as wide;
  // their rows may be padded.
  constexpr std::uint64_t kMostPadding = 16;  // words, for each element along the inner extent
  const Dim3& grid = parts_.shape.grid;
  const auto of_each = static_cast<std::uint64_t>(share(height(), grid.y) + share(width(), grid.x));
  const std::uint64_t words = parts_.shared_bytes / 4;
  const std::uint64_t depth = of_each > 0 ? words / of_each : 0;
  if (depth > 1 && words - depth * of_each <= depth * kMostPadding) {
    add_unique(sizes, static_cast<int>(depth));
    // Or four tiles, where the next two travel while a thread computes several elements.
    if (depth % 2 == 0 && depth > 2 && of_each > block.x + block.y)
      add_unique(sizes, static_cast<int>(depth / 2));
  }
  return sizes;
}

std::vector<TileShape> WrongOutput::tile_shapes() const {
  if (height() == 1) {
    std::vector<TileShape> lengths = {{1, static_cast<int>(parts_.shape.block.count())}};
    if (parts_.shape.grid.count() > 1)
      add_unique(lengths, {1, share(width(), parts_.shape.grid.x)});
    std::erase(lengths, TileShape{1, 1});
    return lengths;
  }
  const int x = static_cast<int>(parts_.shape.block.x);
  const int y = static_cast<int>(parts_.shape.block.y);
  std::vector<TileShape> shapes = {{y, x}};
  add_unique(shapes, {x, y});
  if (const int side = side_of_square(parts_.shape.block.count()); side > 1)
    add_unique(shapes, {side, side});
  const Dim3& grid = parts_.shape.grid;
  if (grid.count() > 1) add_unique(shapes, {share(height(), grid.y), share(width(), grid.x)});
  std::erase_if(shapes, [](const TileShape& shape) {
    return shape.height * static_cast<std::int64_t>(shape.width) <= 1;
  });
  return shapes;
}

double element_at(const HostMatrix& matrix, std::int64_t index) {
  const std::int64_t pitch = matrix.pitch();
  const std::int64_t last = (matrix.height() - 1) * pitch + matrix.width() - 1;
  if (index < 0 || index > last) return poison_value(matrix.element());
  const auto at = static_cast<std::size_t>(index);
  return matrix.element() == Element::float32 ? static_cast<double>(matrix.as<float>()[at])
                                              : static_cast<double>(matrix.as<std::int32_t>()[at]);
}

}  // namespace tessera
