#include "grader/report/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/numbers.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using Memory = LineAccess::Memory;

constexpr int kNumberColumns = 43;     // of what stands beside the source
constexpr int kLinesAroundAccess = 2;  // shown before and after a line that touches memory

double passes_per_request(std::uint64_t passes, const LineAccess& access) {
  return static_cast<double>(passes) / static_cast<double>(access.requests);
}

std::string accesses_of(const LineAccess& access, bool bad) {
  const bool global = access.memory == Memory::global;
  return fmt::format(
      "{:>6} {:<5} {:>10} {:>6} {:>6}{}", global ? "global" : "shared",
      access.store ? "store" : "load", grouped(access.requests),
      short_number(std::round(passes_per_request(access.passes, access) * 100) / 100),
      short_number(std::round(passes_per_request(access.ideal, access) * 100) / 100),
      bad ? " !" : "");
}

class Annotation {
 public:
  Annotation(const CountedSource& source, const TextOptions& options)
      : source_(source), options_(options) {}

  std::string text() {
    heading();
    int shown = 0;  // the last line printed
    for (const LineAccess& access : source_.accesses) {
      const int first = std::max(access.line - kLinesAroundAccess, 1);
      if (shown != 0 && first > shown + 1) text_ += painted("       ...\n", Color::dim, color());
      for (int line = std::max(first, shown + 1); line <= access.line; ++line) {
        source_line(line);
        shown = line;
      }
    }
    for (int line = shown + 1; line <= std::min(shown + kLinesAroundAccess, line_count()); ++line)
      source_line(line);
    text_ +=
        painted(wrapped("each: sectors of 32 bytes (global) or wavefronts (shared) that a request "
                        "takes; a request is one instruction of one warp; ideal: the fewest that "
                        "its lanes need",
                        "       ", options_.width),
                Color::dim, color());
    return text_;
  }

 private:
  bool color() const { return options_.color; }
  int line_count() const { return static_cast<int>(source_.lines.size()); }
  int code_columns() const { return options_.width - kNumberColumns - 8; }

  void heading() {
    text_ += painted(
        fmt::format("{:<{}}{:>6} {:<5} {:>10} {:>6} {:>6}\n", "  what each line asks of memory",
                    code_columns() + 8, "", "", "requests", "each", "ideal"),
        Color::dim, color());
  }

  void source_line(int line) {
    const std::string code =
        line <= line_count() ? printable(source_.lines[static_cast<std::size_t>(line) - 1]) : "";
    std::string left = padded(shortened(code, code_columns()), code_columns());
    std::string notes;
    bool first = true;
    for (const LineAccess& access : source_.accesses) {
      if (access.line != line) continue;
      const std::string found = advice(source_, access);
      const bool bad = !found.empty();
      begin(first ? std::to_string(line) : "");
      text_ += (first ? left : std::string(static_cast<std::size_t>(code_columns()), ' ')) + "  " +
               painted(accesses_of(access, bad), bad ? Color::yellow : Color::dim, color()) + "\n";
      if (bad) notes += wrapped(printable(found), "       ! ", options_.width);
      first = false;
    }
    if (first) {
      begin(std::to_string(line));
      while (left.ends_with(' ')) left.pop_back();
      text_ += left + "\n";
    }
    text_ += notes;
  }

  void begin(const std::string& number) {
    text_ += painted(fmt::format("{:>5} ", number), Color::dim, color());
  }

  const CountedSource& source_;
  const TextOptions& options_;
  std::string text_;
};

}  // namespace

std::string annotated_source(const CountedSource& source, const TextOptions& options) {
  if (source.accesses.empty() || source.lines.empty()) return "";
  return Annotation(source, options).text();
}

}  // namespace tessera
