// Takes a process's rights away, for good: what interprets a submission may compute and talk over
// its channel, and nothing else.
#pragma once

#include <optional>
#include <string>

namespace tessera {

/// From now on every thread of this process can read, write and share memory over descriptors that
/// it has, take memory, wait and end; every other system call fails with EPERM. Memory can be made
/// executable no more, other processes cannot look into this one, and it leaves no core dump.
/// Threads that it needs must run already. Returns why the machine does not offer that.
std::optional<std::string> confine_to_computing();

/// Whether this machine offers it, found out in a child process: why not, or nothing.
std::optional<std::string> why_not_confined();

}  // namespace tessera
