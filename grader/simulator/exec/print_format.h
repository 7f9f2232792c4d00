// The conversions of device printf. A kernel's format never reaches the host's printf: it is taken
// apart here, and what is printed is put together from its parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::sim {

/// "%-8.3f" in parts. Widths and precisions are capped at kMostPrinted.
struct Conversion {
  static constexpr int kMostPrinted = 4096;

  bool left = false;       // -
  bool plus = false;       // +
  bool space = false;      // a blank
  bool alternate = false;  // #
  bool zeros = false;      // 0
  int width = 0;
  std::optional<int> precision;
  bool width_argument = false;      // *: an int gives it, see set_width()
  bool precision_argument = false;  // .*
  bool wide = false;                // an integer of 64 bits
  char kind = 0;                    // one of diuxXocpsfFeEgGaA
  std::size_t length = 0;           // characters, with the %

  /// Takes the value of a '*'; a negative width pads on the right, a negative precision is ignored.
  void set_width(std::int32_t value);
  void set_precision(std::int32_t value);

  /// Bytes of the argument.
  unsigned bytes() const;
};

/// The conversion at the start of `text`, which begins with '%'; nullopt for one that the language
/// does not define, whose characters are printed as they stand.
std::optional<Conversion> conversion_at(std::string_view text);

/// The argument's `bits` as the conversion prints them; `string` for %s.
std::string printed(const Conversion& conversion, std::uint64_t bits, std::string_view string);

}  // namespace tessera::sim
