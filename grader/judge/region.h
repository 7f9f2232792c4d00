// Says in words which elements of a matrix are concerned: "the last 3 columns", "rows 16 to 18".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

class Region {
 public:
  Region(int height, int width);

  void add(int row, int column);

  std::uint64_t count() const { return count_; }
  bool contains(int row, int column) const;

  /// "all of them", "the last 3 columns", "rows 16 to 18", "rows 0 to 3 of columns 4 to 7", ...
  /// The region must not be empty. A matrix of height 1 has elements instead of columns.
  std::string describe() const;

 private:
  std::vector<int> full_rows() const;
  std::vector<int> full_columns() const;
  std::string describe_lines() const;
  std::string describe_diagonal() const;
  std::string describe_box() const;
  std::string list_elements(const std::vector<int>& rows, const std::vector<int>& columns) const;

  int height_;
  int width_;
  std::uint64_t count_ = 0;
  std::vector<bool> members_;
  std::vector<int> in_row_;
  std::vector<int> in_column_;
};

}  // namespace tessera
