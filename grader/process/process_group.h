// Keeps a program and all that it starts in one process group, which can be killed at once.
// Otherwise a program that forks faster than its processes are counted would escape.
#pragma once

#include <string_view>

namespace tessera {

/// The filter that does this, in the form that bwrap reads.
std::string_view process_group_filter();

/// From now on, setsid and setpgid of this process and of all below it do nothing but seem to work.
/// None of them can gain privileges either (setuid). Safe between fork and exec; does nothing on a
/// kernel without seccomp.
void stay_in_process_group();

}  // namespace tessera
