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

/// `text` changed so that no spreadsheet takes it for a formula, nor any part that it splits off at
/// semicolons, tabs or line ends: a "'" before each such part that is no number ("-2.5") and does
/// not begin, blanks aside, with a letter or digit of any script that can be seen or one of ' ? ( <
/// [ _, and before a leading tab or line end. With '?' for control characters (visible_text()). For
/// text that students choose.
std::string guarded_cell(std::string_view text);

}  // namespace tessera
