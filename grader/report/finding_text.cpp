#include "grader/report/finding_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

Color severity_color(Severity severity) {
  if (severity == Severity::error) return Color::red;
  return severity == Severity::warning ? Color::yellow : Color::cyan;
}

/// "kernel.cu:23:5", as far as it is known.
std::string place_of(const Finding& finding) {
  if (finding.line == 0) return "";
  std::string place = fmt::format("{}:{}", finding.file, finding.line);
  if (finding.column > 0) place += fmt::format(":{}", finding.column);
  return printable(place);
}

/// "in case 2, also in case 3  3,840 times"
std::string occurrence(const Finding& finding, const std::string& where) {
  std::string text = where;
  if (finding.count > 1 && finding.line > 0) {
    text += (text.empty() ? "" : "  ") + grouped(finding.count) + " times";
  }
  return text;
}

std::string heading(const Finding& finding, const std::string& where, const TextOptions& options) {
  std::string kind = "  ";
  if (finding.severity != Severity::error) kind += std::string(to_string(finding.severity)) + ": ";
  kind += to_string(finding.kind);
  const std::string place = place_of(finding);
  const std::string when = occurrence(finding, where);
  std::string line = painted(kind, severity_color(finding.severity), options.color);
  if (!place.empty()) line += "  " + painted(place, Color::bold, options.color);
  if (when.empty()) return line + "\n";
  const int width = display_width(kind) + display_width(place) + display_width(when) + 4;
  return line + (width > options.width ? "\n    " : "  ") + when + "\n";
}

/// The part of a source line that fits the width, and the column of the caret.
struct Quote {
  std::string text;
  int caret = -1;
};

Quote quote_line(const std::string& line, int column, int width) {
  Quote quote;
  const std::string shown = printable(line);
  quote.text = shortened(shown, width);
  if (column > 0 && static_cast<std::size_t>(column) <= line.size() + 1) {
    const std::string before = line.substr(0, static_cast<std::size_t>(column) - 1);
    const int caret = display_width(printable(before));
    if (caret < width) quote.caret = caret;
  }
  return quote;
}

std::string quoted(const Finding& finding, const SourceText& source, const TextOptions& options) {
  const std::size_t line = static_cast<std::size_t>(std::max(finding.line, 0));
  if (line == 0 || line > source.lines.size() || finding.file != source.file) return "";
  const std::string number = fmt::format("{:>9} | ", finding.line);
  const int width = options.width - static_cast<int>(number.size());
  const Quote quote = quote_line(source.lines[line - 1], finding.column, width);
  std::string text = painted(number, Color::dim, options.color) + quote.text + "\n";
  if (quote.caret >= 0) {
    text += painted(fmt::format("{:>9} | ", ""), Color::dim, options.color);
    text += std::string(static_cast<std::size_t>(quote.caret), ' ');
    text += painted("^", Color::green, options.color) + "\n";
  }
  return text;
}

}  // namespace

std::string finding_text(const Finding& finding, const std::string& where, const SourceText& source,
                         const TextOptions& options) {
  std::string text = heading(finding, where, options);
  text += wrapped(printable(finding.message.str()), "    ", options.width);
  text += quoted(finding, source, options);
  if (!finding.hint.empty()) {
    text += wrapped(printable(finding.hint.str()), "    hint: ", options.width);
  }
  return text;
}

}  // namespace tessera
