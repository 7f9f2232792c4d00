#include "grader/gradebook/intake/csv.h"

#include <csv.h>
#include <wctype.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <new>
#include <optional>
#include <utility>

#include "common/utf8.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

/// Characters at which a spreadsheet may end a cell although the file does not: some split at ";",
/// of which Unicode has several, and a quote that does not begin their cell protects neither tabs
/// nor line ends.
bool is_separator(char32_t c) {
  static constexpr std::u32string_view kSeparators = U";\t\n\u037e\u061b\ufe14\ufe54\uff1b";
  return kSeparators.find(c) != kSeparators.npos;
}

/// A letter or digit of any script that can be seen: Unicode calls the fillers of Hangul letters.
bool is_visible_letter(char32_t c) {
  static constexpr std::u32string_view kFillers = U"\u115f\u1160\u3164\uffa0";
  if (c < 0x80) return std::isalnum(static_cast<int>(c)) != 0;
  const locale_t locale = utf8_locale();
  return locale != locale_t{} && iswalnum_l(static_cast<wint_t>(c), locale) != 0 &&
         kFillers.find(c) == kFillers.npos;
}

/// Whether every spreadsheet reads the field as text, by how it begins: a spreadsheet may cut off
/// what cannot be seen, and decides which signs begin a formula.
bool begins_as_text(std::string_view field) {
  constexpr std::u32string_view kHarmless = U"'?(<[_";
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  if (field.empty()) return true;
  const auto c = decode_utf8(field);
  return c && (is_visible_letter(c->value) || kHarmless.find(c->value) != kHarmless.npos);
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// libcsv's parser with the rows that it has read so far.
class CsvReader {
 public:
  CsvReader() {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
    // Blanks belong to their cell, as in RFC 4180.
    csv_set_space_func(&parser_, [](unsigned char) { return 0; });
  }
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;
  ~CsvReader() { csv_free(&parser_); }

  /// Takes the next line with its line end; returns whether it could be parsed.
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

bool reads_as_number(std::string_view text) {
  if (text.find_first_not_of("0123456789.eE+-") != text.npos) return false;  // "-nan(x)"
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && stop == text.data() + text.size();
}

std::string csv_quoted(std::string_view cell) {
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
    row += cell.find_first_of(",\"\r\n") == cell.npos ? cell : csv_quoted(cell);
  }
  return row + "\n";
}

std::string guarded_cell(std::string_view text) {
  const std::string visible = visible_text(text);
  std::string guarded;
  std::string field;
  const auto end_field = [&] {
    if (!begins_as_text(field) && !reads_as_number(field)) guarded += '\'';
    guarded += std::exchange(field, "");
  };
  for_each_character(visible, [&](const std::optional<Utf8Character>& c, std::string_view bytes) {
    if (!c || !is_separator(c->value)) {
      field += bytes;
      return;
    }
    const bool leading = guarded.empty() && field.empty() && c->value != ';';
    if (leading) guarded += '\'';
    end_field();
    guarded += bytes;
  });
  end_field();
  return guarded;
}

}  // namespace tessera
