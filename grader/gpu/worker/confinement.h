// Takes from the process that runs a submission on a GPU what neither it nor CUDA's driver needs.
#pragma once

namespace tessera {

/// Whether a worker gives up its rights. A program of the tests keeps them, to find out whether a
/// driver needs one; the program that grades does not.
enum class Confinement { full, none };

/// Before the driver starts, while the process has one thread: from now on it can read system
/// files and libraries, write nothing but the card's device files and the scratch memory that the
/// driver may use, start no program, and look into no process but itself (Landlock). Where the
/// kernel does not offer that, nothing changes.
void restrict_files();

/// After the driver has started, for every thread: system calls of no use to a launch fail with
/// EPERM from now on (confinement.cpp lists them). Where the kernel takes no filter, nothing
/// changes.
void forbid_calls();

}  // namespace tessera
