// The style sheet of every page: page.css, compiled in.
#pragma once

#include <string_view>

namespace tessera {

extern const std::string_view kStyle;

}  // namespace tessera
