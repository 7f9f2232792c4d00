// What differs between two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// "" for equal texts; else each changed line on its own, "-12  old" or "+12  new" with the line's
/// number in its text, in order, the removed ones of a place first. Line ends do not count.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace tessera
