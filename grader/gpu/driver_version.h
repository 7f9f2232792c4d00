// The driver's version, found in texts of the system.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// "580.159.04" from the text of /proc/driver/nvidia/version; "" if there is none.
std::string driver_version_in(std::string_view text);

/// The same from the text of /proc/self/maps of a process that has loaded the driver's library,
/// whose file is named libcuda.so.580.159.04. Many containers have no /proc/driver.
std::string driver_version_in_maps(std::string_view text);

}  // namespace tessera
