#include "grader/gradebook/intake/names.h"

#include <fmt/format.h>
#include <wctype.h>

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>

#include "common/utf8.h"

namespace tessera {
namespace {

constexpr std::string_view kKernelEnding = ".cu";

void append_utf8(std::string& text, char32_t c) {
  const auto continuation = [&](int shift) {
    text += static_cast<char>(0x80 | (c >> shift & 0x3f));
  };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0 | c >> 6);
    continuation(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0 | c >> 12);
    continuation(6);
    continuation(0);
  } else {
    text += static_cast<char>(0xf0 | c >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// Takes the digits at the start of `text`, without leading zeros.
std::string_view take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

std::strong_ordering natural_order(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view number = take_number(a);
      const std::string_view other = take_number(b);
      if (number.size() != other.size()) return number.size() <=> other.size();
      if (number != other) return number <=> other;
    } else {
      if (a.front() != b.front()) {
        return static_cast<unsigned char>(a.front()) <=> static_cast<unsigned char>(b.front());
      }
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() <=> b.size();
}

/// UTF-8 in which '?' stands for what cannot be seen, but for the control characters `kept`.
/// "%FF", of a byte that is no UTF-8.
std::string written_byte(std::string_view byte) {
  return fmt::format("%{:02X}", static_cast<unsigned char>(byte.front()));
}

/// Whether `text` begins with what may be a byte that utf8_name() has written.
bool begins_with_written_byte(std::string_view text) {
  const auto digit = [&](std::size_t at) {
    return at < text.size() ? std::string_view("0123456789ABCDEF").find(text[at]) : text.npos;
  };
  if (!text.starts_with('%') || digit(1) == text.npos || digit(2) == text.npos) return false;
  return digit(1) >= 8 || text.substr(1, 2) == "25";
}

std::string visible(std::string_view text, std::string_view kept) {
  std::string result;
  for_each_character(text, [&](const std::optional<Utf8Character>& c, std::string_view bytes) {
    if (!c) {
      result += written_byte(bytes);
    } else {
      const bool stays = !is_invisible(c->value) || kept.find(bytes.front()) != kept.npos;
      result += stays ? bytes : "?";
    }
  });
  return result;
}

std::string shortened(std::string text) {
  constexpr std::size_t kMostBytes = 160;
  constexpr std::size_t kKeptBytes = 70;
  if (text.size() <= kMostBytes) return text;
  const auto inside = [&](std::size_t at) { return (text[at] & 0xc0) == 0x80; };
  std::size_t head = kKeptBytes;
  while (inside(head)) --head;
  std::size_t tail = text.size() - kKeptBytes;
  while (inside(tail)) ++tail;
  return text.substr(0, head) + "..." + text.substr(tail);
}

}  // namespace

std::string utf8_name(std::string_view bytes) {
  std::string name;
  std::size_t at = 0;
  for_each_character(bytes, [&](const std::optional<Utf8Character>& c, std::string_view text) {
    if (!c) {
      name += written_byte(text);
    } else if (begins_with_written_byte(bytes.substr(at))) {
      name += "%25";
    } else {
      name += text;
    }
    at += text.size();
  });
  return name;
}

std::string visible_name(std::string_view name) {
  return visible(name, "");
}

std::string visible_text(std::string_view text) {
  return visible(text, "\t\n");
}

std::string printable_name(std::string_view name) {
  return shortened(visible_name(name));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == text.npos;
}

bool has_control_character(std::string_view name) {
  bool found = false;
  for_each_character(name, [&](const std::optional<Utf8Character>& c, std::string_view) {
    found = found || (c && is_invisible(c->value));
  });
  return found;
}

std::string folded(std::string_view name) {
  std::string result;
  for_each_character(name, [&](const std::optional<Utf8Character>& c, std::string_view text) {
    if (!c) {
      result += text;
    } else if (const locale_t locale = utf8_locale()) {
      append_utf8(result, static_cast<char32_t>(towlower_l(static_cast<wint_t>(c->value), locale)));
    } else {
      append_utf8(result, c->value >= 'A' && c->value <= 'Z' ? c->value + 32 : c->value);
    }
  });
  return result;
}

bool is_kernel_name(std::string_view name) {
  return name.size() > kKernelEnding.size() && folded(name).ends_with(kKernelEnding);
}

std::string_view without_kernel_ending(std::string_view name) {
  return name.substr(0, name.size() - kKernelEnding.size());
}

bool natural_less(std::string_view a, std::string_view b) {
  const std::strong_ordering order = natural_order(a, b);
  return order == 0 ? a < b : order < 0;
}

bool is_system_name(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames = {
      "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".ipynb_checkpoints"};
  return name.starts_with("._") || std::ranges::find(kNames, name) != kNames.end();
}

locale_t utf8_locale() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
  return locale;
}

}  // namespace tessera
