// Takes away the rights of a process that unpacks an archive: reading one takes much code that is
// not ours.
#pragma once

#include <filesystem>

namespace tessera {

/// From now on this process can read the system's own files and `archive`, create and write files
/// only in the folder `into`, and use no descriptor but the standard streams. It can start no
/// program, and reach no network and no other process. What the kernel does not offer (Landlock,
/// seccomp) is left out: the archive is unpacked all the same. Both paths are absolute.
void confine_to_unpacking(const std::filesystem::path& archive, const std::filesystem::path& into);

}  // namespace tessera
