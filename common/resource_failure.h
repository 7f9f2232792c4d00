// What this machine lacks, as opposed to what is wrong with an input.
#pragma once

#include <stdexcept>
#include <string>

namespace tessera {

/// No room, no memory, no file descriptor, a failing disk, no folder for temporary files: the input
/// is not to blame, and the same command may succeed later. The message names what to do.
class ResourceFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What `failure` says, for people who must not read of the kit's files: that of a file system's
/// names the paths of files, in place of which this gives the reason and what to do.
std::string text_without_paths(const std::exception& failure);

/// Whether `code`, an errno, says that this machine lacks something.
bool is_resource_failure(int code);

}  // namespace tessera
