// A cache of computed results: files whose names are hashes of everything that decides the
// contents. Several programs may use one folder at the same time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The name of the entry for `parts`, in this order: a hash of them.
std::string entry_key(const std::vector<std::string>& parts);

/// The contents of the entry `key`; nothing if it is missing, unreadable or damaged. Reading an
/// entry counts as using it.
std::optional<std::string> load_entry(const std::filesystem::path& folder, const std::string& key);

/// Writes an entry atomically. If the folder cannot be written, does nothing: the contents are
/// computed again.
void store_entry(const std::filesystem::path& folder, const std::string& key,
                 std::string_view contents);

/// Removes entries, the longest unused first, until all together have at most `most_bytes`. Other
/// files stay.
void trim_entries(const std::filesystem::path& folder, std::uintmax_t most_bytes);

}  // namespace tessera
