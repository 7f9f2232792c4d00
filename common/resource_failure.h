// What this machine lacks, as opposed to what is wrong with an input.
#pragma once

#include <stdexcept>

namespace tessera {

/// No room, no memory, no file descriptor, a failing disk, no folder for temporary files: the input
/// is not to blame, and the same command may succeed later. The message names what to do.
class ResourceFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether `code`, an errno, says that this machine lacks something.
bool is_resource_failure(int code);

}  // namespace tessera
