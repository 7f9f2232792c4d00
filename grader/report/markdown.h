// Text in a page that GitHub renders.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// `text` on one line, as itself: no markup, no HTML, no end of a table's cell; what cannot be seen
/// is '?'.
std::string markdown_text(std::string_view text);

/// `text` with its lines and columns as they are, whatever it holds: an HTML block.
std::string markdown_block(std::string_view text);

}  // namespace tessera
