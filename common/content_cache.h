// What was computed once, in files whose names are hashes of all that decides it. Several programs
// may use one folder at the same time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The name of the entry that is decided by `parts`, in this order: a hash of them.
std::string entry_key(const std::vector<std::string>& parts);

/// The contents of the entry `key`, or nothing: not there, unreadable or damaged. An entry that is
/// read counts as used now.
std::optional<std::string> load_entry(const std::filesystem::path& folder, const std::string& key);

/// Writes an entry, atomically. A folder that cannot be written is no error: the contents are
/// computed again.
void store_entry(const std::filesystem::path& folder, const std::string& key,
                 std::string_view contents);

/// Removes entries, the longest unused first, until all together have at most `most_bytes`. Files
/// that are no entries stay.
void trim_entries(const std::filesystem::path& folder, std::uintmax_t most_bytes);

}  // namespace tessera
