#include "common/numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace tessera {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string short_number(double number) {
  const bool whole = std::floor(number) == number && number >= 0 && number < 1e15;
  if (whole) return grouped(static_cast<std::uint64_t>(number));
  return fmt::format("{:.4g}", number);
}

std::string exact_number(double number) {
  return fmt::format("{}", number);
}

std::string counted(std::uint64_t number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace tessera
