// Takes away a process's rights for good: the process that interprets a submission may compute and
// use its channel, and nothing else.
#pragma once

#include <optional>
#include <string>

namespace tessera {

/// From now on, every thread of this process can read, write and share memory over its open
/// descriptors, allocate memory, wait and end; every other system call fails with EPERM. No memory
/// can be made executable, other processes cannot look into this one, and it leaves no core dump.
/// All threads must run already. Returns why the machine does not offer that.
std::optional<std::string> confine_to_computing();

/// Why this machine does not offer that, found in a child process; or nothing.
std::optional<std::string> why_not_confined();

}  // namespace tessera
