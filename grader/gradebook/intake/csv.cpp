#include "grader/gradebook/intake/csv.h"

#include <csv.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <utility>

#include "common/utf8.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

/// Where a spreadsheet may end a cell that the file does not: some split at ";", and a quote that
/// does not begin their cell protects neither tabs nor line ends.
constexpr std::string_view kSeparators = ";\t\n";

/// What spreadsheets cut off the start of a cell.
bool is_cut_off(char32_t c) {
  return c == ' ' || c == '"' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200d) ||
         c == 0x202f || c == 0x205f || c == 0x2060 || c == 0x3000 || c == 0xfeff;
}

/// = + - @, also as the wide and small forms that input methods for Chinese and Japanese make.
bool starts_formula(char32_t c) {
  static constexpr std::u32string_view kSigns =
      U"=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212";
  return kSigns.find(c) != kSigns.npos;
}

bool is_formula(std::string_view field) {
  while (!field.empty()) {
    const auto c = decode_utf8(field);
    if (!c || !is_cut_off(c->value)) return c && starts_formula(c->value);
    field.remove_prefix(c->bytes);
  }
  return false;
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// libcsv's parser with the rows that it has told so far.
class CsvReader {
 public:
  CsvReader() {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
    // Blanks belong to their cell, as RFC 4180 says.
    csv_set_space_func(&parser_, [](unsigned char) { return 0; });
  }
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;
  ~CsvReader() { csv_free(&parser_); }

  /// Takes the next line with its line end; whether that went well.
  bool add(std::string_view line) {
    ++line_;
    if (!inside_row_) row_.line = line_;
    const std::size_t rows = rows_.size();
    const bool good =
        csv_parse(&parser_, line.data(), line.size(), end_cell, end_row, this) == line.size();
    inside_row_ = rows_.size() == rows && line.find_first_not_of("\r\n") != line.npos;
    return good;
  }

  bool finish() { return csv_fini(&parser_, end_cell, end_row, this) == 0; }

  int row_line() const { return row_.line; }
  std::vector<CsvRow> take_rows() { return std::move(rows_); }

 private:
  static void end_cell(void* bytes, std::size_t size, void* self) {
    static_cast<CsvReader*>(self)->row_.cells.emplace_back(static_cast<const char*>(bytes), size);
  }

  static void end_row(int, void* self) {
    auto* reader = static_cast<CsvReader*>(self);
    reader->rows_.push_back(std::exchange(reader->row_, CsvRow{}));
  }

  csv_parser parser_;
  std::vector<CsvRow> rows_;
  CsvRow row_;
  int line_ = 0;
  bool inside_row_ = false;  // a quoted cell goes on in the next line
};

bool is_number(std::string_view text) {
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && stop == text.data() + text.size();
}

std::string quoted(std::string_view cell) {
  std::string text = "\"";
  for (const char letter : cell) {
    if (letter == '"') text += '"';
    text += letter;
  }
  return text + "\"";
}

}  // namespace

Expected<std::vector<CsvRow>> read_csv_rows(std::string_view text, const std::string& file) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return Error{.file = file, .line = 1, .message = "is UTF-16; save it as CSV UTF-8"};
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvReader reader;
  bool good = true;
  while (good && !text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    good = reader.add(text.substr(0, length));
    text.remove_prefix(length);
  }
  if (!good || !reader.finish()) {
    return Error{.file = file,
                 .line = reader.row_line(),
                 .message =
                     "unbalanced quotes in the row that starts here; a quote inside a cell "
                     "is written \"\", and the cell stands in quotes"};
  }
  std::vector<CsvRow> rows = reader.take_rows();
  if (rows.empty()) {
    return Error{.file = file, .message = "has no rows; expected a heading and rows of cells"};
  }
  return rows;
}

Expected<std::vector<std::vector<std::string>>> read_csv(std::string_view text,
                                                         const std::string& file) {
  Expected<std::vector<CsvRow>> rows = read_csv_rows(text, file);
  if (!rows) return rows.error();
  std::vector<std::vector<std::string>> cells;
  cells.reserve(rows->size());
  for (CsvRow& row : *rows) cells.push_back(std::move(row.cells));
  return cells;
}

std::string csv_row(const std::vector<std::string>& cells) {
  // A lone empty cell would be an empty line, which is no row.
  if (cells.size() == 1 && cells.front().empty()) return "\"\"\n";
  std::string row;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) row += ',';
    row += cell.find_first_of(",\"\r\n") == cell.npos ? cell : quoted(cell);
  }
  return row + "\n";
}

std::string guarded_cell(std::string_view text) {
  const std::string visible = visible_text(text);
  const std::string_view rest = visible;
  std::string guarded;
  for (std::size_t start = 0; start <= rest.size();) {
    const std::size_t end = std::min(rest.find_first_of(kSeparators, start), rest.size());
    const std::string_view field = rest.substr(start, end - start);
    const bool leading_separator = start == 0 && field.empty() && !rest.empty() && rest[0] != ';';
    if (leading_separator || (is_formula(field) && !is_number(field))) guarded += '\'';
    guarded += field;
    guarded += rest.substr(end, 1);
    start = end + 1;
  }
  return guarded;
}

}  // namespace tessera
