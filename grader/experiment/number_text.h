// Texts that are numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// `text` as a finite number, "2.5" or "1e-3"; nothing if any of it is something else.
std::optional<double> number_in(std::string_view text);

/// The same for a whole number that fits an int.
std::optional<int> whole_in(std::string_view text);

/// The same for a whole number from 0 to 2^64 - 1.
std::optional<std::uint64_t> seed_in(std::string_view text);

}  // namespace tessera
