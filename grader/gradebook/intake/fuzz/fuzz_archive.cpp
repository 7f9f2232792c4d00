// Unpacks an archive: nothing may be written outside the folder, and no archive may look like a
// failure of this machine.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "common/temporary_directory.h"
#include "grader/gradebook/intake/archive.h"

namespace {

namespace fs = std::filesystem;

constexpr tessera::ArchiveLimits kLimits = {
    .entries = 200, .bytes = 8u << 20, .file_bytes = 1u << 16, .inner_archive_bytes = 1u << 18};

void check(bool holds) {
  if (!holds) std::abort();
}

/// Checks that there are only regular files and folders, within the limits.
void check_unpacked(const fs::path& into) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(into)) {
    const fs::file_type type = entry.symlink_status().type();
    check(type == fs::file_type::regular || type == fs::file_type::directory);
    if (type == fs::file_type::regular) bytes += entry.file_size();
  }
  check(bytes <= kLimits.bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tessera::TemporaryDirectory folder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const fs::path archive = folder.write("a.zip", bytes);
  const fs::path into = folder.path() / "into";
  fs::create_directory(into);
  (void)tessera::unpack_here(archive, into, kLimits);
  check_unpacked(into);
  for (const auto& entry : fs::directory_iterator(folder.path()))
    check(entry.path() == archive || entry.path() == into);
  fs::remove_all(into);
  return 0;
}
