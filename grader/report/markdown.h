// Plain text in Markdown that GitHub renders.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// `text` on one line, escaped so that it is neither markup nor HTML nor ends a table's cell;
/// invisible characters become '?'.
std::string markdown_text(std::string_view text);

/// `text` as an HTML block that keeps its lines and columns, whatever it holds.
std::string markdown_block(std::string_view text);

}  // namespace tessera
