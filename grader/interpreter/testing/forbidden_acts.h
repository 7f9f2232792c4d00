// What code that broke into the interpreter would want to do, each by a system call of its own.
#pragma once

#include <string>
#include <vector>

namespace tessera::test {

/// Does every one of them and returns the names of those that the kernel let through; empty under
/// the confinement. `file` exists and may be read by the user.
std::vector<std::string> forbidden_acts_that_work(const char* file);

}  // namespace tessera::test
