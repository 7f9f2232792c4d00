// Reads a file of a download without following links.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tessera {

struct FileRead {
  std::uint64_t bytes = 0;  // of the file, even if it is not read
  std::string content;
  std::string problem;  // why it is not read; "" if it is
};

/// Reads the regular file at `path` without following a link or waiting. Problems: a link, a pipe,
/// a folder, unreadable, above `most` bytes. Throws ResourceFailure if this machine is to blame.
FileRead read_submitted_file(const std::filesystem::path& path, std::uint64_t most);

/// "512 bytes", "1.5 MB", "200 MB".
std::string size_text(std::uint64_t bytes);

/// "200 MB, not read: the limit is 1 MiB".
std::string too_large(std::uint64_t bytes, std::uint64_t most);

}  // namespace tessera
