#include "grader/judge/compare/region.h"

#include <algorithm>

namespace tessera {
namespace {

constexpr std::uint64_t kListed = 3;

std::vector<int> indices_where(const std::vector<int>& counts, auto predicate) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (predicate(counts[i])) indices.push_back(static_cast<int>(i));
  }
  return indices;
}

/// The distance between neighbours if it is always the same, else 0.
int common_step(const std::vector<int>& indices) {
  const int step = indices[1] - indices[0];
  for (std::size_t i = 2; i < indices.size(); ++i) {
    if (indices[i] - indices[i - 1] != step) return 0;
  }
  return step;
}

/// "every 3rd row from 1 on, 7 in all"
Text every(int step, Phrase noun, int first, int count) {
  if (step == 2) return say(Phrase::region_each_second, noun, first, count);
  if (step == 3) return say(Phrase::region_each_third, noun, first, count);
  return say(Phrase::region_each, step, noun, first, count);
}

/// Describes `indices` of `extent` lines called `noun`: "the last 3 rows", "column 5".
Text describe_indices(const std::vector<int>& indices, int extent, Phrase noun) {
  const int first = indices.front();
  const int last = indices.back();
  const int count = static_cast<int>(indices.size());
  if (count == 1) {
    return last == extent - 1 && extent > 1 ? say(Phrase::region_last, noun)
                                            : say(Phrase::region_one, noun, first);
  }
  const int step = common_step(indices);
  if (step == 1 && first == 0 && last == extent - 1) return say(Phrase::region_every, noun);
  if (step == 1 && last == extent - 1) return say(Phrase::region_last_some, count, noun);
  if (step == 1 && first == 0) return say(Phrase::region_first_some, count, noun);
  if (step == 1) return say(Phrase::region_from_to, noun, first, last);
  if (step > 1 && count > 2) return every(step, noun, first, count);
  return say(Phrase::region_between, count, noun, first, last);
}

}  // namespace

Region::Region(int height, int width)
    : height_(height),
      width_(width),
      members_(static_cast<std::size_t>(height) * static_cast<std::size_t>(width)),
      in_row_(static_cast<std::size_t>(height)),
      in_column_(static_cast<std::size_t>(width)) {
}

void Region::add(int row, int column) {
  const std::size_t r = static_cast<std::size_t>(row);
  const std::size_t c = static_cast<std::size_t>(column);
  const std::size_t index = r * static_cast<std::size_t>(width_) + c;
  if (members_[index]) return;
  members_[index] = true;
  ++in_row_[r];
  ++in_column_[c];
  ++count_;
}

bool Region::contains(int row, int column) const {
  return members_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(column)];
}

std::vector<int> Region::full_rows() const {
  return indices_where(in_row_, [this](int count) { return count == width_; });
}

std::vector<int> Region::full_columns() const {
  return indices_where(in_column_, [this](int count) { return count == height_; });
}

Text Region::describe() const {
  if (count_ == members_.size()) return Phrase::region_all;
  if (height_ == 1) {
    const auto some = [](int count) { return count > 0; };
    return describe_indices(indices_where(in_column_, some), width_, Phrase::of_elements);
  }
  for (Text words : {describe_lines(), describe_diagonal()}) {
    if (!words.empty()) return words;
  }
  return describe_box();
}

/// Describes whole rows, whole columns, or both; nothing if the region has other elements.
Text Region::describe_lines() const {
  const std::vector<int> rows = full_rows();
  const std::vector<int> columns = full_columns();
  const std::uint64_t covered = rows.size() * static_cast<std::uint64_t>(width_) +
                                columns.size() * static_cast<std::uint64_t>(height_) -
                                rows.size() * columns.size();
  if (covered != count_) return {};
  Text words;
  if (!rows.empty()) words = describe_indices(rows, height_, Phrase::of_rows);
  if (!rows.empty() && !columns.empty()) words += Phrase::region_and;
  if (!columns.empty()) words += describe_indices(columns, width_, Phrase::of_columns);
  return words;
}

Text Region::describe_diagonal() const {
  const int length = std::min(height_, width_);
  int on_diagonal = 0;
  for (int i = 0; i < length; ++i) on_diagonal += contains(i, i) ? 1 : 0;
  if (length > 2 && on_diagonal == length && count_ == static_cast<std::uint64_t>(length)) {
    return Phrase::region_diagonal;
  }
  const std::uint64_t others = members_.size() - static_cast<std::uint64_t>(length);
  return on_diagonal == 0 && count_ == others ? Phrase::region_no_diagonal : Text();
}

Text Region::list_elements(const std::vector<int>& rows, const std::vector<int>& columns) const {
  Text words;
  for (const int row : rows) {
    for (const int column : columns) {
      if (!contains(row, column)) continue;
      if (!words.empty()) words += Phrase::region_next_element;
      words += say(Phrase::region_element, row, column);
    }
  }
  return words;
}

Text Region::describe_box() const {
  const auto some = [](int count) { return count > 0; };
  const std::vector<int> rows = indices_where(in_row_, some);
  const std::vector<int> columns = indices_where(in_column_, some);
  if (count_ == 1) return list_elements(rows, columns);
  const Text where = describe_indices(rows, height_, Phrase::of_rows) + Phrase::region_of +
                     describe_indices(columns, width_, Phrase::of_columns);
  const bool filled = count_ == rows.size() * columns.size();
  if (!filled && count_ <= kListed) return list_elements(rows, columns);
  return filled ? where : Phrase::region_scattered + where;
}

}  // namespace tessera
