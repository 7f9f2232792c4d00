#include "common/resource_failure.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace tessera {

bool is_resource_failure(int code) {
  // EFBIG is the limit on a file's size that `ulimit -f` sets.
  constexpr int kCodes[] = {ENOSPC, EDQUOT, EFBIG,  EIO,    EMFILE,   ENFILE,
                            ENOMEM, EROFS,  ENODEV, ESTALE, ETIMEDOUT};
  return std::ranges::find(kCodes, code) != std::end(kCodes);
}

}  // namespace tessera
