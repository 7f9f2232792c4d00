// The difference between two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// The changed lines in order, each as "-12  old" or "+12  new" with its number in its text, at a
/// place the removed lines first; "" for equal texts. Line ends do not count.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace tessera
