// Unpacks untrusted archives into a folder, through libarchive, in a process of its own: an archive
// of a few bytes may make libarchive take memory and time without end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"

namespace tessera {

struct ArchiveLimits {
  /// Files, folders and everything else; a folder that is created counts too.
  std::uint64_t entries = 100'000;
  std::uint64_t entries_before = 0;  // of other archives, if they count together with this one
  std::uint64_t bytes = std::uint64_t{2} << 30;  // of all entries, unpacked
  /// The sum over the files that are kept; files above file_bytes are skipped and do not count.
  std::uint64_t kept_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t kept_before = 0;  // of other archives, if they count together with this one
  double ratio = 200;             // unpacked to packed, beyond the first 16 MiB
  /// A larger file, or archive inside the archive, is refused and the others are unpacked.
  std::uint64_t file_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t inner_archive_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t name_bytes = 64u << 20;  // of all entries' names, which are kept in memory
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  double seconds = 600;  // of processor time
};

/// An entry that was not unpacked: its name, and why.
struct RefusedEntry {
  std::string path = "";    // as visible_name() writes it; of a longer name its first 1,024 bytes
  std::string reason = "";  // "a link", "leads out of the archive", "an absolute path", ...
  std::uint64_t bytes = 0;  // of a file that is too large, as far as the archive says
};

struct Unpacked {
  std::uint64_t entries = 0;  // as ArchiveLimits counts them, up to the error if there is one
  std::uint64_t kept_bytes = 0;
  double seconds = 0;  // of processor time
  std::vector<RefusedEntry> refused = {};
  std::optional<Error> error = {};
};

/// Whether the name ends as an archive's does: .zip, .tar, .tar.gz, .tgz, .tar.xz, .tar.bz2, .7z,
/// .rar, in any letter case.
bool is_archive_name(std::string_view name);

/// `name` without that ending: "jdoe" of "jdoe.tar.gz"; the whole name if it has none.
std::string_view without_archive_ending(std::string_view name);

/// Unpacks into the existing empty folder `into`: only regular files and folders. Refuses links,
/// devices, "..", absolute paths, names with control characters or longer than Linux allows,
/// names that are equal after case folding, files that are damaged or too large; skips files that
/// systems leave behind (is_system_name()). Names that are no UTF-8 are unpacked as utf8_name()
/// writes them. The error says why unpacking ended, as the end of a sentence that starts with the
/// archive: "is empty", "is not an archive", "is broken: ...", "is encrypted", "is a bomb: ...".
/// What was unpacked before the error stays in `into`. Throws ResourceFailure if this machine is to
/// blame: no room for `into`, a disk that fails, too many open files or processes.
Unpacked unpack(const std::filesystem::path& archive, const std::filesystem::path& into,
                const ArchiveLimits& limits = {});

/// The same in this process: `memory_bytes` and `seconds` limit nothing.
Unpacked unpack_here(const std::filesystem::path& archive, const std::filesystem::path& into,
                     const ArchiveLimits& limits);

}  // namespace tessera
