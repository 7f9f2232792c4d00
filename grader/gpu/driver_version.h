// The driver's version, as the system tells it.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// "580.159.04" from the text of /proc/driver/nvidia/version, or "".
std::string driver_version_in(std::string_view text);

}  // namespace tessera
