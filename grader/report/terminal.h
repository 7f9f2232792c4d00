// Text for a terminal: colours, columns and wrapping, safe for text that comes from a submission.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

enum class Color { bold, dim, red, green, yellow, magenta, cyan };

/// `text` in `color`, or as it is if `enabled` is false.
std::string painted(std::string_view text, Color color, bool enabled);

/// `text` without control characters, so that escape sequences do nothing, and without broken
/// UTF-8; a tab becomes four spaces, a newline stays.
std::string printable(std::string_view text);

/// Terminal columns of printable UTF-8: two for East Asian wide characters.
int display_width(std::string_view text);

/// The longest prefix of printable UTF-8 that fits `width` columns.
std::string_view prefix_of_width(std::string_view text, int width);

/// `text`, or its start and "..." if it has more than `width` columns.
std::string shortened(std::string_view text, int width);

/// `text` padded with spaces to `width` columns.
std::string padded(std::string text, int width);

/// `text` broken between words into lines of at most `width` columns, each with its line end. The
/// first line starts with `first`, the others with as many spaces.
std::string wrapped(std::string_view text, std::string_view first, int width);

}  // namespace tessera
