#include "grader/experiment/shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/numbers.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr int kMostWidth = 100;           // columns of a terminal
constexpr std::size_t kMostOpenRows = 8;  // of any table on a page but the first

std::string run_line(const Results& results) {
  std::string line = "seed " + std::to_string(results.info.seed);
  if (!results.info.date.empty()) line = results.info.date + ", " + line;
  if (!results.info.driver.empty()) line += ", driver " + results.info.driver;
  if (!results.info.compiler.empty()) line += ", " + results.info.compiler;
  return line;
}

/// Some columns of a table side by side; the first names the rows.
std::string columns_text(const Table& table, const std::vector<std::size_t>& columns,
                         const std::vector<int>& widths) {
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = " ";
    for (const std::size_t i : columns) {
      const auto blanks = static_cast<std::size_t>(widths[i] - display_width(cells[i]));
      text += i == 0 ? " " + cells[i] + std::string(blanks, ' ')
                     : "  " + std::string(blanks, ' ') + cells[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line(table.columns);
  for (const auto& row : table.rows) text += line(row);
  return text;
}

/// The table as text; columns that a terminal has no room for are continued below.
std::string text_table(const Table& table) {
  std::vector<int> widths;
  for (const std::string& column : table.columns) widths.push_back(display_width(column));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text = table.title + "\n";
  std::vector<std::size_t> columns = {0};
  int width = 2 + widths[0];
  for (std::size_t i = 1; i < widths.size(); ++i) {
    if (columns.size() > 1 && width + 2 + widths[i] > kMostWidth) {
      text += columns_text(table, columns, widths) + "\n";
      columns = {0};
      width = 2 + widths[0];
    }
    columns.push_back(i);
    width += 2 + widths[i];
  }
  text += columns_text(table, columns, widths);
  for (const std::string& note : table.notes) text += "  " + note + "\n";
  return text;
}

/// The table as Markdown; with `folded` the reader must open it.
std::string markdown_table(const Table& table, bool folded) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + cell + (cell.empty() ? "|" : " |");
    return text + "\n";
  };
  std::string text = folded ? "<details><summary>" + table.title + "</summary>\n\n"
                            : "**" + table.title + "**\n\n";
  text += line(table.columns) + "|---|";
  for (std::size_t i = 1; i < table.columns.size(); ++i) text += "---:|";
  text += "\n";
  for (const auto& row : table.rows) text += line(row);
  for (const std::string& note : table.notes) text += "\n" + note + "\n";
  return folded ? text + "\n</details>\n" : text;
}

}  // namespace

std::string shown_number(double number) {
  const double size = std::abs(number);
  if (number == std::trunc(number) && size < 1e15)
    return (number < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(size));
  if (size >= 1000) return grouped(static_cast<std::uint64_t>(std::llround(number)));
  if (size >= 100) return fmt::format("{:.1f}", number);
  if (size >= 10) return fmt::format("{:.2f}", number);
  if (size >= 0.1) return fmt::format("{:.3f}", number);
  return fmt::format("{:.3g}", number);
}

std::string shown(const Value& value, bool whole) {
  if (!value.number) return value.text;
  const std::string number = shown_number(*value.number);
  const bool interval = whole && value.metric == Metric::ratio && value.low && value.high;
  if (!interval) return number;
  const bool same = *value.low <= 1 && *value.high >= 1;
  const int digits = *value.number < 10 ? 4 : 1;
  return fmt::format("{} ({:.{}f} to {:.{}f}{})", number, *value.low, digits, *value.high, digits,
                     same ? ", no difference" : "");
}

std::string text_tables(const Experiment& experiment, const Results& results) {
  std::string text =
      fmt::format("{}: {}\n{}\n", experiment.id, experiment.title, run_line(results));
  for (const Table& table : tables_of(experiment, results)) text += "\n" + text_table(table);
  return text;
}

std::string markdown_tables(const Experiment& experiment, const Results& results) {
  std::string text = run_line(results) + "\n";
  const std::vector<Table> tables = tables_of(experiment, results);
  for (const Table& table : tables) {
    const bool folded = &table != &tables.front() && table.rows.size() > kMostOpenRows;
    text += "\n" + markdown_table(table, folded);
  }
  return text;
}

}  // namespace tessera
