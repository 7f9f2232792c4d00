#include "grader/cli/watched_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Adds the stamps of the files at `path`; none if nothing is there.
void add_stamps(std::vector<FileStamp>& stamps, const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return;
  if (!S_ISDIR(status.st_mode)) {
    stamps.push_back({path.string(), status.st_dev, status.st_ino, status.st_size,
                      nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)});
    return;
  }
  std::error_code failure;
  std::vector<fs::path> names;
  for (fs::directory_iterator at(path, failure), end; !failure && at != end; at.increment(failure))
    names.push_back(at->path());
  std::ranges::sort(names);  // the same folder always reads the same
  for (const fs::path& name : names) add_stamps(stamps, name);
}

std::vector<FileStamp> stamps_of(const std::vector<fs::path>& paths) {
  std::vector<FileStamp> stamps;
  for (const fs::path& path : paths) add_stamps(stamps, path);
  return stamps;
}

}  // namespace

WatchedFiles::State WatchedFiles::state_of(const WatchedSet& set,
                                           const std::vector<FileStamp>& shared) {
  State state;
  state.stamps = stamps_of(set.kernels);
  state.has_kernel =
      std::ranges::any_of(state.stamps, [](const FileStamp& stamp) { return stamp.size > 0; });
  for (const fs::path& path : set.others) add_stamps(state.stamps, path);
  state.stamps.insert(state.stamps.end(), shared.begin(), shared.end());
  return state;
}

WatchedFiles::WatchedFiles(std::vector<WatchedSet> sets, std::vector<fs::path> shared)
    : shared_(std::move(shared)) {
  const std::vector<FileStamp> stamps = stamps_of(shared_);
  for (WatchedSet& set : sets) {
    const State state = state_of(set, stamps);
    watched_.push_back({std::move(set), state, state, Clock::time_point::min()});
  }
}

std::vector<std::size_t> WatchedFiles::changed(Clock::time_point now) {
  const std::vector<FileStamp> shared = stamps_of(shared_);
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    Watched& watched = watched_[i];
    if (State state = state_of(watched.set, shared); state != watched.seen) {
      watched.seen = std::move(state);
      watched.since = now;
    }
    if (watched.seen == watched.known) continue;
    if (now - watched.since < (watched.seen.has_kernel ? kRest : kRestWithoutKernel)) continue;
    watched.known = watched.seen;
    changed.push_back(i);
  }
  return changed;
}

}  // namespace tessera
