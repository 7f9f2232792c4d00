// Numbers that stand in text, whole.
#pragma once

#include <optional>
#include <string_view>

namespace tessera {

/// The number that all of `text` is, "2.5" or "1e-3"; nothing for other text.
std::optional<double> number_in(std::string_view text);

/// The same for a whole number that an int holds.
std::optional<int> whole_in(std::string_view text);

}  // namespace tessera
