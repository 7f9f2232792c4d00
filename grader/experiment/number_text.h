// Numbers that stand in text, whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// The finite number that all of `text` is, "2.5" or "1e-3"; nothing for other text.
std::optional<double> number_in(std::string_view text);

/// The same for a whole number that an int holds.
std::optional<int> whole_in(std::string_view text);

/// The same for a whole number from 0 to 2^64 - 1.
std::optional<std::uint64_t> seed_in(std::string_view text);

}  // namespace tessera
