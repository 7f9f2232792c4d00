// Failures of this machine, as opposed to mistakes in an input.
#pragma once

#include <stdexcept>
#include <string>

namespace tessera {

/// No disk space, no memory, no file descriptor, a failing disk, no folder for temporary files: the
/// input is not to blame, and the same command may succeed later. The message says what to do.
class ResourceFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The message of `failure` for people who must not see the paths of the kit's files: the message
/// of a file system error contains paths, so it is replaced by the reason and what to do.
std::string text_without_paths(const std::exception& failure);

/// Whether the errno `code` means that this machine lacks a resource.
bool is_resource_failure(int code);

}  // namespace tessera
