// Takes rights away that neither the worker nor CUDA's driver needs to run a submission on a GPU.
#pragma once

namespace tessera {

/// Whether a worker gives up its rights. A program for tests keeps them, to find out whether a
/// driver needs a right; the program that grades gives them up.
enum class Confinement { full, none };

/// To be called before the driver starts, while the process has one thread. From now on the process
/// can read only system files and libraries, write only the card's device files and the scratch
/// memory that the driver may use, start no program, and inspect no other process (Landlock). Does
/// nothing if the kernel has no Landlock.
void restrict_files();

/// To be called after the driver has started. From now on system calls that a launch does not need
/// fail with EPERM in every thread (confinement.cpp lists them). Does nothing if the kernel refuses
/// the filter.
void forbid_calls();

}  // namespace tessera
