// The style sheet and the script of the class's page: class_page.css and class_page.js, compiled
// in.
#pragma once

#include <string_view>

namespace tessera {

extern const std::string_view kClassStyle;  // added to kStyle (report/html/style.h)
extern const std::string_view kClassScript;

}  // namespace tessera
