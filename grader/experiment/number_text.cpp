#include "grader/experiment/number_text.h"

#include <charconv>
#include <cmath>

namespace tessera {
namespace {

template <class Number>
std::optional<Number> read(std::string_view text) {
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  const auto number = read<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<int> whole_in(std::string_view text) {
  return read<int>(text);
}

std::optional<std::uint64_t> seed_in(std::string_view text) {
  return read<std::uint64_t>(text);
}

}  // namespace tessera
