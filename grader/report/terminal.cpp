#include "grader/report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tessera {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
};

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

/// The character at the start of `text`, or nothing where it is not UTF-8.
std::optional<CodePoint> decode(std::string_view text) {
  const unsigned char lead = static_cast<unsigned char>(text.front());
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size()) return std::nullopt;
  char32_t value = length == 1 ? lead : lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned char next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0u) != 0x80u) return std::nullopt;
    value = (value << 6) | (next & 0x3fu);
  }
  return CodePoint{value, length};
}

bool is_control(char32_t c) {
  // Direction overrides make a quoted line read as something else.
  const bool direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || direction;
}

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
    const std::optional<CodePoint> point = decode(text);
    const std::size_t bytes = point ? point->bytes : 1;
    if (text.front() == '\n') {
      result += '\n';
    } else if (text.front() == '\t') {
      result += "    ";
    } else if (!point || is_control(point->value)) {
      result += '?';
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string_view prefix_of_width(std::string_view text, int width) {
  std::size_t end = 0;
  while (end < text.size()) {
    const CodePoint point = decode(text.substr(end)).value_or(CodePoint{});
    width -= is_wide(point.value) ? 2 : 1;
    if (width < 0) break;
    end += point.bytes;
  }
  return text.substr(0, end);
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint point = decode(text).value_or(CodePoint{});
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
