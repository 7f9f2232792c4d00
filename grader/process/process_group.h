// Keeps a program and all that it starts in one process group, which can be killed at once. A
// program that forks faster than a killer can count would win otherwise.
#pragma once

#include <string_view>

namespace tessera {

/// The filter that does it, as bwrap takes it.
std::string_view process_group_filter();

/// From now on setsid and setpgid of this process and of all below it do nothing and seem to work.
/// They gain no privileges either (setuid). Safe between fork and exec; does nothing on a kernel
/// without seccomp.
void stay_in_process_group();

}  // namespace tessera
