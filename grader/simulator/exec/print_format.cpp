#include "grader/simulator/exec/print_format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace tessera::sim {
namespace {

bool is_one_of(char c, std::string_view letters) {
  return c != '\0' && letters.find(c) != std::string_view::npos;
}

/// Reads a text from its start; '\0' stands behind its end.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char take() { return at_ < text_.size() ? text_[at_++] : '\0'; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  int number() {
    int value = 0;
    while (is_one_of(peek(), "0123456789"))
      value = std::min(10 * value + (take() - '0'), Conversion::kMostPrinted);
    return value;
  }
  std::size_t position() const { return at_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

void read_flags(Reader& reader, Conversion& conversion) {
  for (;;) {
    if (reader.accept('-')) {
      conversion.left = true;
    } else if (reader.accept('+')) {
      conversion.plus = true;
    } else if (reader.accept(' ')) {
      conversion.space = true;
    } else if (reader.accept('#')) {
      conversion.alternate = true;
    } else if (reader.accept('0')) {
      conversion.zeros = true;
    } else {
      return;
    }
  }
}

std::string padded(std::string text, const Conversion& conversion) {
  const auto width = static_cast<std::size_t>(conversion.width);
  if (text.size() >= width) return text;
  const std::size_t missing = width - text.size();
  return conversion.left ? text + std::string(missing, ' ') : std::string(missing, ' ') + text;
}

/// A host's format with nothing of the kernel's in it but these flags and the conversion's letter.
std::string host_format(const Conversion& conversion, std::string_view length) {
  std::string format = "%";
  if (conversion.left) format += '-';
  if (conversion.plus) format += '+';
  if (conversion.space) format += ' ';
  if (conversion.alternate) format += '#';
  if (conversion.zeros) format += '0';
  format += "*.*";
  format += length;
  return format + conversion.kind;
}

template <class T>
std::string by_host(const Conversion& conversion, std::string_view length, T value) {
  // The digits before the point of the largest double, and what a width or precision adds.
  std::array<char, 320 + Conversion::kMostPrinted + 64> buffer;
  const int written =
      std::snprintf(buffer.data(), buffer.size(), host_format(conversion, length).c_str(),
                    conversion.width, conversion.precision.value_or(-1), value);
  return {buffer.data(),
          static_cast<std::size_t>(std::clamp(written, 0, static_cast<int>(buffer.size()) - 1))};
}

}  // namespace

void Conversion::set_width(std::int32_t value) {
  left |= value < 0;
  const std::int64_t size = value;
  width = static_cast<int>(std::min<std::int64_t>(size < 0 ? -size : size, kMostPrinted));
}

void Conversion::set_precision(std::int32_t value) {
  precision = value < 0 ? std::nullopt : std::optional(std::min(value, kMostPrinted));
}

unsigned Conversion::bytes() const {
  return !wide && is_one_of(kind, "diuxXoc") ? 4 : 8;
}

std::optional<Conversion> conversion_at(std::string_view text) {
  Reader reader(text);
  Conversion conversion;
  reader.take();
  read_flags(reader, conversion);
  if (reader.accept('*')) {
    conversion.width_argument = true;
  } else {
    conversion.width = reader.number();
  }
  if (reader.accept('.')) {
    if (reader.accept('*')) {
      conversion.precision_argument = true;
    } else {
      conversion.precision = reader.number();
    }
  }
  while (is_one_of(reader.peek(), "hlLjzt")) conversion.wide |= is_one_of(reader.take(), "ljzt");
  conversion.kind = reader.take();
  conversion.length = reader.position();
  if (!is_one_of(conversion.kind, "diuxXocpsfFeEgGaA")) return std::nullopt;
  return conversion;
}

std::string printed(const Conversion& conversion, std::uint64_t bits, std::string_view string) {
  switch (conversion.kind) {
    case 'd':
    case 'i':
      return by_host(conversion, "ll",
                     conversion.wide ? static_cast<long long>(bits)
                                     : static_cast<long long>(static_cast<std::int32_t>(bits)));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return by_host(conversion, "ll",
                     static_cast<unsigned long long>(
                         conversion.wide ? bits : static_cast<std::uint32_t>(bits)));
    case 'c':
      return padded(std::string(1, static_cast<char>(bits)), conversion);
    case 'p': {
      std::array<char, 32> buffer;
      std::snprintf(buffer.data(), buffer.size(), "0x%llx", static_cast<unsigned long long>(bits));
      return padded(buffer.data(), conversion);
    }
    case 's':
      return padded(
          std::string(string.substr(0, static_cast<std::size_t>(conversion.precision.value_or(
                                           Conversion::kMostPrinted)))),
          conversion);
    default:
      return by_host(conversion, "", std::bit_cast<double>(bits));
  }
}

}  // namespace tessera::sim
