#include "grader/judge/region.h"

#include <fmt/format.h>

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

std::string ordinal(int number) {
  if (number == 2) return "2nd";
  if (number == 3) return "3rd";
  return fmt::format("{}th", number);
}

/// The distance between neighbours where it is always the same, else 0.
int common_step(const std::vector<int>& indices) {
  const int step = indices[1] - indices[0];
  for (std::size_t i = 2; i < indices.size(); ++i) {
    if (indices[i] - indices[i - 1] != step) return 0;
  }
  return step;
}

/// `indices` of `extent` lines called `noun`: "the last 3 rows", "column 5".
std::string describe_indices(const std::vector<int>& indices, int extent, const std::string& noun) {
  const int first = indices.front();
  const int last = indices.back();
  const int count = static_cast<int>(indices.size());
  if (count == 1) {
    return last == extent - 1 && extent > 1 ? fmt::format("the last {}", noun)
                                            : fmt::format("{} {}", noun, first);
  }
  const int step = common_step(indices);
  if (step == 1 && first == 0 && last == extent - 1) return fmt::format("all {}s", noun);
  if (step == 1 && last == extent - 1) return fmt::format("the last {} {}s", count, noun);
  if (step == 1 && first == 0) return fmt::format("the first {} {}s", count, noun);
  if (step == 1) return fmt::format("{}s {} to {}", noun, first, last);
  if (step > 1 && count > 2) {
    return fmt::format("every {} {} from {} on, {} in all", ordinal(step), noun, first, count);
  }
  return fmt::format("{} {}s between {} and {}", count, noun, first, last);
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

std::string Region::describe() const {
  if (count_ == members_.size()) return "all of them";
  if (height_ == 1) {
    const auto some = [](int count) { return count > 0; };
    return describe_indices(indices_where(in_column_, some), width_, "element");
  }
  for (std::string words : {describe_lines(), describe_diagonal()}) {
    if (!words.empty()) return words;
  }
  return describe_box();
}

/// Whole rows, whole columns, or both; "" where there is more.
std::string Region::describe_lines() const {
  const std::vector<int> rows = full_rows();
  const std::vector<int> columns = full_columns();
  const std::uint64_t covered = rows.size() * static_cast<std::uint64_t>(width_) +
                                columns.size() * static_cast<std::uint64_t>(height_) -
                                rows.size() * columns.size();
  if (covered != count_) return "";
  std::string words;
  if (!rows.empty()) words = describe_indices(rows, height_, "row");
  if (!columns.empty()) {
    words += words.empty() ? "" : " and ";
    words += describe_indices(columns, width_, "column");
  }
  return words;
}

std::string Region::describe_diagonal() const {
  const int length = std::min(height_, width_);
  int on_diagonal = 0;
  for (int i = 0; i < length; ++i) on_diagonal += contains(i, i) ? 1 : 0;
  if (length > 2 && on_diagonal == length && count_ == static_cast<std::uint64_t>(length)) {
    return "the diagonal";
  }
  const std::uint64_t others = members_.size() - static_cast<std::uint64_t>(length);
  return on_diagonal == 0 && count_ == others ? "all but the diagonal" : "";
}

std::string Region::list_elements(const std::vector<int>& rows,
                                  const std::vector<int>& columns) const {
  std::string words;
  for (const int row : rows) {
    for (const int column : columns) {
      if (!contains(row, column)) continue;
      words += fmt::format("{}row {}, column {}", words.empty() ? "" : "; ", row, column);
    }
  }
  return words;
}

std::string Region::describe_box() const {
  const auto some = [](int count) { return count > 0; };
  const std::vector<int> rows = indices_where(in_row_, some);
  const std::vector<int> columns = indices_where(in_column_, some);
  if (count_ == 1) return list_elements(rows, columns);
  const std::string where = fmt::format("{} of {}", describe_indices(rows, height_, "row"),
                                        describe_indices(columns, width_, "column"));
  const bool filled = count_ == rows.size() * columns.size();
  if (!filled && count_ <= kListed) return list_elements(rows, columns);
  return filled ? where : "scattered over " + where;
}

}  // namespace tessera
