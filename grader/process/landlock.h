// Restricts the files that a process can open, by Landlock: the kernel's list of rights that every
// process can shorten for itself without being root.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// The version of Landlock that the kernel offers; 0 if it offers none.
int landlock_version();

/// From now on this process, and every program that it executes, can open for reading and execute
/// only the files in `readable` (folders with all below them, or single files); paths that do not
/// exist are left out. It can create, read, write, rename and delete files by their names only in
/// the folder `writable`, in none if that is empty; nor can it, if the kernel's version supports
/// that, reach a TCP port, an abstract socket or a process outside. Open descriptors keep their
/// rights. Call it while no other thread runs. Returns why it failed, also if there is no Landlock.
std::optional<std::string> confine_to_files(const std::vector<std::filesystem::path>& readable,
                                            const std::filesystem::path& writable = {});

}  // namespace tessera
