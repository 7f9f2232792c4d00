#include "grader/report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/utf8.h"

namespace tessera {
namespace {

bool is_wide(char32_t c) {
  constexpr char32_t kWide[][2] = {{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},
                                   {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f},
                                   {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}};
  return std::ranges::any_of(kWide, [c](const auto& r) { return c >= r[0] && c <= r[1]; });
}

int code_of(Color color) {
  switch (color) {
    case Color::bold:
      return 1;
    case Color::dim:
      return 2;
    case Color::red:
      return 31;
    case Color::green:
      return 32;
    case Color::yellow:
      return 33;
    case Color::magenta:
      return 35;
    case Color::cyan:
      return 36;
  }
  return 0;
}

}  // namespace

std::string painted(std::string_view text, Color color, bool enabled) {
  return enabled ? fmt::format("\x1b[{}m{}\x1b[0m", code_of(color), text) : std::string(text);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::optional<Utf8Character> point = decode_utf8(text);
    const std::size_t bytes = point ? point->bytes : 1;
    if (text.front() == '\n') {
      result += '\n';
    } else if (text.front() == '\t') {
      result += "    ";
    } else if (!point || is_invisible(point->value)) {
      result += '?';
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string shortened(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  return std::string(prefix_of_width(text, std::max(0, width - 3))) + "...";
}

std::string_view prefix_of_width(std::string_view text, int width) {
  std::size_t end = 0;
  while (end < text.size()) {
    const Utf8Character point = decode_utf8(text.substr(end)).value_or(Utf8Character{});
    width -= is_wide(point.value) ? 2 : 1;
    if (width < 0) break;
    end += point.bytes;
  }
  return text.substr(0, end);
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Utf8Character point = decode_utf8(text).value_or(Utf8Character{});
    width += is_wide(point.value) ? 2 : 1;
    text.remove_prefix(point.bytes);
  }
  return width;
}

std::string padded(std::string text, int width) {
  const int missing = width - display_width(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

std::string wrapped(std::string_view text, std::string_view first, int width) {
  const std::string indent(static_cast<std::size_t>(display_width(first)), ' ');
  std::string result, line(first);
  bool has_word = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (has_word && display_width(line) + 1 + display_width(word) > width) {
      result += line + "\n";
      line = indent;
      has_word = false;
    }
    if (has_word) line += ' ';
    line += word;
    has_word = true;
  }
  return result + line + "\n";
}

}  // namespace tessera
