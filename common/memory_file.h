// A file in memory: it needs no name and no scratch directory, and no reader that empties it in
// time, as a pipe does.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

class MemoryFile {
 public:
  /// `name` appears in /proc. A forked child inherits the file; exec closes it.
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  /// Writes `content` and goes back to the start. Returns whether that worked.
  bool fill(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = write(descriptor_, content.data(), content.size());
      if (written < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return lseek(descriptor_, 0, SEEK_SET) == 0;
  }

  /// The first `most` bytes, or all if there are fewer.
  std::string read_head(std::uint64_t most) const {
    const off_t end = lseek(descriptor_, 0, SEEK_END);
    std::string content(
        std::min<std::uint64_t>(most, end > 0 ? static_cast<std::uint64_t>(end) : 0), '\0');
    const ssize_t got = pread(descriptor_, content.data(), content.size(), 0);
    content.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return content;
  }

 private:
  int descriptor_;
};

}  // namespace tessera
