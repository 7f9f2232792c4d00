#include "common/link_out_of.h"

#include <algorithm>
#include <system_error>

namespace tessera {

namespace fs = std::filesystem;

std::optional<Error> link_out_of(const fs::path& folder, const fs::path& file) {
  std::error_code failure;
  if (!fs::exists(file, failure)) return std::nullopt;
  const fs::path real = fs::canonical(file, failure);
  const fs::path within = failure ? "" : fs::canonical(folder.empty() ? "." : folder, failure);
  if (failure)
    return Error{.file = file.string(), .message = "cannot be read: " + failure.message()};
  const auto apart = std::mismatch(within.begin(), within.end(), real.begin(), real.end());
  if (apart.first == within.end()) return std::nullopt;
  return Error{.file = file.string(),
               .message = "is a link, or lies behind one, that leads out of its folder"};
}

}  // namespace tessera
