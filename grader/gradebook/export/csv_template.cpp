#include "grader/gradebook/export/csv_template.h"

#include <algorithm>
#include <sstream>

#include "common/text.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

std::string_view line_end(std::string_view row) {
  if (row.ends_with("\r\n")) return "\r\n";
  return row.ends_with("\n") ? "\n" : "";
}

bool may_be(const PersonKeys& wanted, const PersonKeys& person, std::size_t decisive) {
  for (std::size_t key = 0; key < decisive; ++key) {
    const bool known = !wanted[key].empty() && !person[key].empty();
    if (known && wanted[key] != person[key]) return false;
  }
  return true;
}

}  // namespace

Expected<CsvTemplate> CsvTemplate::load(const std::filesystem::path& file) {
  CsvTemplate table;
  table.file_ = file.string();
  Expected<std::string> text = read_file(file);
  if (!text) return text.error();
  table.text_ = std::move(*text);
  Expected<std::vector<CsvRow>> rows = read_csv_rows(table.text_, table.file_);
  if (!rows) return rows.error();
  table.rows_ = std::move(*rows);
  table.changed_.assign(table.rows_.size(), false);
  table.line_starts_ = {0};
  for (std::size_t at = 0; at < table.text_.size(); ++at) {
    if (table.text_[at] == '\n') table.line_starts_.push_back(at + 1);
  }
  for (std::size_t row = 1; row < table.rows_.size(); ++row) {
    if (table.rows_[row].line == table.rows_[row - 1].line)
      return table.error(row, 0, "two rows in one line; save the file with usual line ends");
  }
  return table;
}

std::optional<std::size_t> CsvTemplate::column(std::string_view name) const {
  const std::vector<std::string>& heading = rows_.front().cells;
  const auto found = std::ranges::find(heading, name);
  if (found == heading.end()) return std::nullopt;
  return static_cast<std::size_t>(found - heading.begin());
}

std::string CsvTemplate::cell(std::size_t row, std::optional<std::size_t> column) const {
  const std::vector<std::string>& cells = rows_[row].cells;
  return column && *column < cells.size() ? cells[*column] : "";
}

void CsvTemplate::set(std::size_t row, std::size_t column, const std::string& value) {
  std::vector<std::string>& cells = rows_[row].cells;
  if (cell(row, column) == value) return;
  if (cells.size() <= column) cells.resize(column + 1);
  cells[column] = value;
  changed_[row] = true;
}

std::string CsvTemplate::text() const {
  std::string text;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::string before = original(row);
    if (!changed_[row]) {
      text += before;
      continue;
    }
    std::string after = csv_row(rows_[row].cells);
    after.pop_back();
    text += after.append(line_end(before));
  }
  return text;
}

Error CsvTemplate::error(std::size_t row, std::size_t column, std::string message) const {
  return Error{.file = file_,
               .line = rows_[row].line,
               .column = static_cast<int>(column) + 1,
               .message = std::move(message)};
}

/// The text from the start of the row's line to the start of the next row's; the first includes the
/// byte-order mark.
std::string CsvTemplate::original(std::size_t row) const {
  const auto start = [&](std::size_t of) {
    if (of == 0) return std::size_t{0};
    if (of >= rows_.size()) return text_.size();
    return line_starts_[static_cast<std::size_t>(rows_[of].line) - 1];
  };
  return text_.substr(start(row), start(row + 1) - start(row));
}

std::optional<std::size_t> find_person(const PersonKeys& wanted,
                                       const std::vector<PersonKeys>& people,
                                       std::size_t decisive) {
  for (std::size_t key = 0; key < wanted.size(); ++key) {
    if (wanted[key].empty()) continue;
    const bool name = key + 1 == wanted.size();
    const auto same = [&](const PersonKeys& person) {
      return person[key] == wanted[key] && (name || may_be(wanted, person, decisive));
    };
    const auto found = std::ranges::find_if(people, same);
    if (found == people.end()) continue;
    if (std::find_if(std::next(found), people.end(), same) != people.end()) return std::nullopt;
    if (!may_be(wanted, *found, decisive)) return std::nullopt;
    return static_cast<std::size_t>(found - people.begin());
  }
  return std::nullopt;
}

std::string name_key(std::string_view name) {
  std::string letters = folded(visible_name(name));
  std::erase(letters, '?');
  std::ranges::replace(letters, ',', ' ');
  std::istringstream stream(letters);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::ranges::sort(words);
  std::string key;
  for (const std::string& word : words) key += word + " ";
  return key;
}

std::vector<std::string> template_notes(const std::vector<std::string>& in_table_alone,
                                        const std::vector<std::string>& not_in_table) {
  std::vector<std::string> notes;
  if (!in_table_alone.empty()) notes.push_back("only in the template: " + listed(in_table_alone));
  if (!not_in_table.empty())
    notes.push_back("with marks, but not in the template: " + listed(not_in_table));
  return notes;
}

}  // namespace tessera
