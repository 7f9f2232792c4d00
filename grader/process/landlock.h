// What files a process may still open: Landlock, the kernel's list of rights that every process can
// shorten for itself without being root.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// The version of Landlock that the kernel offers; 0 if it offers none.
int landlock_version();

/// From now on this process, and every program that it executes, can open for reading and execute
/// only the files in `paths` (folders with all below them, or single files); paths that do not
/// exist are left out. It can create, write, rename and delete no file by its name, and, as far as
/// the kernel's version goes, reach no TCP port, no abstract socket and no process outside.
/// Descriptors that are open keep their rights. Call it with no other thread running. Returns why
/// it failed, also if there is no Landlock.
std::optional<std::string> confine_to_reading(const std::vector<std::filesystem::path>& paths);

}  // namespace tessera
