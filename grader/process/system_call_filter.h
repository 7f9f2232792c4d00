// A filter of system calls (seccomp) that a process loads for itself and keeps for good. Each
// caller adds what it allows and refuses, with libseccomp's own functions.
#pragma once

#include <seccomp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace tessera {

using SystemCallFilter =
    std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&seccomp_release)>;

/// A filter that does `otherwise` (SCMP_ACT_ALLOW, SCMP_ACT_ERRNO(EPERM)) with every call that no
/// rule names; null if there is no memory for it.
SystemCallFilter make_system_call_filter(std::uint32_t otherwise);

/// Allows fcntl() what concerns descriptors, but not to name the process that gets a signal about
/// input: a signal reaches other processes. Returns whether the rules were added.
bool allow_descriptor_flags(const SystemCallFilter& filter);

/// Allows the signal of abort(), which this process sends to itself. Returns whether the rule was
/// added.
bool allow_abort(const SystemCallFilter& filter);

/// Loads the filter for all threads of this process. From then on, the process leaves no core dump,
/// and other processes cannot look into it. Returns why the machine does not offer that.
std::optional<std::string> load_system_call_filter(const SystemCallFilter& filter);

}  // namespace tessera
