// Describes a set of elements of a matrix in words: "the last 3 columns", "rows 16 to 18".
#pragma once

#include <cstdint>
#include <vector>

#include "common/wording.h"

namespace tessera {

class Region {
 public:
  Region(int height, int width);

  void add(int row, int column);

  std::uint64_t count() const { return count_; }
  bool contains(int row, int column) const;

  /// "all of them", "the last 3 columns", "rows 16 to 18", "rows 0 to 3 within columns 4 to 7", ...
  /// The region must not be empty. A matrix of height 1 has elements instead of columns.
  Text describe() const;

 private:
  std::vector<int> full_rows() const;
  std::vector<int> full_columns() const;
  Text describe_lines() const;
  Text describe_diagonal() const;
  Text describe_box() const;
  Text list_elements(const std::vector<int>& rows, const std::vector<int>& columns) const;

  int height_;
  int width_;
  std::uint64_t count_ = 0;
  std::vector<bool> members_;
  std::vector<int> in_row_;
  std::vector<int> in_column_;
};

}  // namespace tessera
