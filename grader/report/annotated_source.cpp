#include "grader/report/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "common/numbers.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using Memory = LineAccess::Memory;

constexpr int kNumberColumns = 43;  // what stands beside the source
constexpr int kContext = 2;         // lines around one that touches memory

double per_request(std::uint64_t passes, const LineAccess& access) {
  return static_cast<double>(passes) / static_cast<double>(access.requests);
}

/// "A" or "memory".
std::string name_of(const AccessShape& shape) {
  return shape.variable.empty() ? "memory" : shape.variable;
}

std::string lanes_lie(const AccessShape& shape) {
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride));
  if (shape.row_bytes != 0 && distance == shape.row_bytes)
    return fmt::format("neighbouring lanes walk down a column of {}, {} bytes apart",
                       name_of(shape), distance);
  if (distance > shape.width)
    return fmt::format("neighbouring lanes are {} bytes apart in {}", distance, name_of(shape));
  return fmt::format("the lanes are scattered over {}", name_of(shape));
}

std::string global_advice(const AccessShape& shape) {
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride));
  const std::string cost =
      fmt::format("{} sectors a request where {} would do", shape.passes, shape.ideal);
  if (distance <= shape.width) {
    return fmt::format("{}: {}. Let neighbouring lanes touch neighbouring addresses.",
                       lanes_lie(shape), cost);
  }
  const bool wide = distance >= kSectorBytes;
  return fmt::format("{}: {}. {}", lanes_lie(shape), cost,
                     wide ? "Let threadIdx.x run along the row."
                          : "Every sector is used in part: let neighbouring lanes touch "
                            "neighbouring elements.");
}

std::string shared_advice(const AccessShape& shape) {
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride));
  const bool same_bank = distance != 0 && distance % kBankRowBytes == 0;
  std::string repair = "Change the layout so that the lanes of a warp touch different banks.";
  if (distance > shape.width) {
    repair = same_bank ? "Pad each row by one element, or let threadIdx.x run along the row."
                       : "Let threadIdx.x run along the row, or choose a row length that spreads "
                         "the lanes over the banks.";
  }
  return fmt::format(
      "{}: they meet in the same banks, {} wavefronts a request where {} would do. "
      "{}",
      lanes_lie(shape), shape.passes, shape.ideal, repair);
}

std::string accesses_of(const LineAccess& access, bool bad) {
  const bool global = access.memory == Memory::global;
  return fmt::format("{:>6} {:<5} {:>10} {:>6} {:>6}{}", global ? "global" : "shared",
                     access.store ? "store" : "load", grouped(access.requests),
                     short_number(std::round(per_request(access.passes, access) * 100) / 100),
                     short_number(std::round(per_request(access.ideal, access) * 100) / 100),
                     bad ? " !" : "");
}

class Page {
 public:
  Page(const std::vector<std::string>& source, const std::vector<LineAccess>& lines,
       const TextOptions& options)
      : source_(source), lines_(lines), options_(options) {}

  std::string text() {
    heading();
    int shown = 0;  // the last line printed
    for (const LineAccess& access : lines_) {
      const int first = std::max(access.line - kContext, 1);
      if (shown != 0 && first > shown + 1) text_ += painted("       ...\n", Color::dim, color());
      for (int line = std::max(first, shown + 1); line <= access.line; ++line) {
        source_line(line);
        shown = line;
      }
    }
    for (int line = shown + 1; line <= std::min(shown + kContext, line_count()); ++line)
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
  int line_count() const { return static_cast<int>(source_.size()); }
  int code_columns() const { return options_.width - kNumberColumns - 8; }

  void heading() {
    text_ += painted(
        fmt::format("{:<{}}{:>6} {:<5} {:>10} {:>6} {:>6}\n", "  what each line asks of memory",
                    code_columns() + 8, "", "", "requests", "each", "ideal"),
        Color::dim, color());
  }

  void source_line(int line) {
    const std::string code =
        line <= line_count() ? printable(source_[static_cast<std::size_t>(line) - 1]) : "";
    std::string left = padded(std::string(prefix_of_width(code, code_columns())), code_columns());
    std::string notes;
    bool first = true;
    for (const LineAccess& access : lines_) {
      if (access.line != line) continue;
      const std::string told = advice(access);
      const bool bad = !told.empty();
      begin(first ? std::to_string(line) : "");
      text_ += (first ? left : std::string(static_cast<std::size_t>(code_columns()), ' ')) + "  " +
               painted(accesses_of(access, bad), bad ? Color::yellow : Color::dim, color()) + "\n";
      if (bad) notes += wrapped(printable(told), "       ! ", options_.width);
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

  const std::vector<std::string>& source_;
  const std::vector<LineAccess>& lines_;
  const TextOptions& options_;
  std::string text_;
};

}  // namespace

std::string advice(const LineAccess& access) {
  const AccessShape& shape = access.worst;
  if (access.requests == 0 || shape.passes == 0 || shape.passes < 2 * shape.ideal) return "";
  if (access.memory == Memory::shared) return shared_advice(shape);
  // What a warp of neighbouring elements takes is never bad, even where a broadcast would take
  // less.
  const unsigned whole = (shape.lanes * shape.width + kSectorBytes - 1) / kSectorBytes;
  return shape.passes <= whole ? "" : global_advice(shape);
}

std::string annotated_source(const std::vector<std::string>& source,
                             const std::vector<LineAccess>& lines, const TextOptions& options) {
  if (lines.empty() || source.empty()) return "";
  return Page(source, lines, options).text();
}

}  // namespace tessera
