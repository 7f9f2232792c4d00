// The start of a .7z, read before libarchive does: it keeps the whole list of files in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tessera {

/// Whether the file starts as a .7z does.
bool is_seven_zip(const std::filesystem::path& file);

/// Bytes of the list of files in the .7z `file`, unpacked, as the file declares them. Nothing if it
/// is broken, or if the list is packed in a way that 7-Zip does not use.
std::optional<std::uint64_t> seven_zip_list_bytes(const std::filesystem::path& file);

}  // namespace tessera
