// Finds the labs whose files were saved by looking at every file again and again. Reading the times
// of some fifty files takes a fraction of a millisecond, and works on any file system and for any
// way of saving: in place, through a temporary file, by git.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tessera {

/// The files of one lab. A folder means all files below it; a file may be missing.
struct WatchedSet {
  std::vector<std::filesystem::path> kernels;  // places where the kernel may be
  std::vector<std::filesystem::path> others;
};

/// Distinguishes two states of a file without reading it. ctime changes even if mtime is set back,
/// as a copy that keeps its times does.
struct FileStamp {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;  // bytes
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

class WatchedFiles {
 public:
  using Clock = std::chrono::steady_clock;

  /// How long files must be unchanged: an editor may write in several steps. A kernel that is gone
  /// or empty usually comes back soon.
  static constexpr std::chrono::milliseconds kRest{30};
  static constexpr std::chrono::milliseconds kRestWithoutKernel{500};

  /// `shared` belongs to every set. The files as they are now count as known.
  WatchedFiles(std::vector<WatchedSet> sets, std::vector<std::filesystem::path> shared);

  /// Looks at every file. Returns the sets that differ from when they were last returned, or from
  /// the start, and have been at rest; each once for a change.
  std::vector<std::size_t> changed(Clock::time_point now);

 private:
  struct State {
    std::vector<FileStamp> stamps;
    bool has_kernel = false;
    bool operator==(const State&) const = default;
  };

  struct Watched {
    WatchedSet set;
    State known;  // as last returned
    State seen;   // as last looked at
    Clock::time_point since;
  };

  static State state_of(const WatchedSet& set, const std::vector<FileStamp>& shared);

  std::vector<Watched> watched_;
  std::vector<std::filesystem::path> shared_;
};

}  // namespace tessera
