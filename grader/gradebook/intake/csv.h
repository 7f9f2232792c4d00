// Tables in CSV (RFC 4180), through libcsv.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"

namespace tessera {

struct CsvRow {
  int line = 0;  // of its start, from 1
  std::vector<std::string> cells;
};

/// Rows of cells, the heading first; blanks around a cell belong to it. A byte-order mark is
/// dropped, and so are empty lines; line ends may be CR LF; rows may have different lengths. Errors
/// carry `file` and the line: unbalanced quotes, UTF-16, no rows.
Expected<std::vector<CsvRow>> read_csv_rows(std::string_view text, const std::string& file);

/// read_csv_rows() without the line numbers.
Expected<std::vector<std::vector<std::string>>> read_csv(std::string_view text,
                                                         const std::string& file);

/// One row with its line end ("\n"); quoted if needed, bytes as they are.
std::string csv_row(const std::vector<std::string>& cells);

/// Returns `text`, which a student may have chosen, so that no spreadsheet takes it, or a part of
/// it, for a formula. Parts are what a spreadsheet splits at semicolons, tabs and line ends. A part
/// gets a leading "'" unless it is a number ("-2.5") or its first character after blanks is a
/// visible letter or digit, or one of ' ? ( < [ _. A leading tab or line end gets a "'" too.
/// Control characters become '?' (visible_text()).
std::string guarded_cell(std::string_view text);

}  // namespace tessera
