// A file of a download, read without following it anywhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tessera {

struct FileRead {
  std::uint64_t bytes = 0;  // of the file, also where it is not read
  std::string content;
  std::string problem;  // why it is not read; "" where it is
};

/// The regular file at `path`, which is no link, and not waited for. Problems: a link, a pipe, a
/// folder, unreadable, above `most` bytes. Throws ResourceFailure where this machine is to blame.
FileRead read_submitted_file(const std::filesystem::path& path, std::uint64_t most);

/// "512 bytes", "1.5 MB", "200 MB".
std::string size_text(std::uint64_t bytes);

/// "200 MB; at most 1 MiB is read".
std::string too_large(std::uint64_t bytes, std::uint64_t most);

}  // namespace tessera
