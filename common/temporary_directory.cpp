// A directory whose lock can be taken has no living owner. Between mkdtemp() and flock() a new
// directory looks abandoned, so if its maker then finds it locked or gone, it makes another one.
#include "common/temporary_directory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <system_error>

#include "common/resource_failure.h"
#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "tessera-scratch-";
constexpr std::string_view kPattern = "XXXXXX";
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kMostAttempts = 100;

/// A descriptor of the directory with its lock; -1 if a sweep was faster. If the file system has no
/// locks, the directory stays unlocked: no sweep can lock it either.
int locked(const std::string& path) {
  const int descriptor = open(path.c_str(), kFolderFlags);
  if (descriptor < 0) {
    if (errno == ENOENT) return -1;
    const int code = errno;
    rmdir(path.c_str());
    throw ResourceFailure("cannot open the temporary directory " + path + ": " +
                          system_message(code));
  }
  const bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat status = {};
  if (!taken && fstat(descriptor, &status) == 0 && status.st_nlink > 0) return descriptor;
  close(descriptor);
  return -1;
}

/// Whether a lock in this folder holds for all processes that see it: on a network drive it may
/// hold for this machine only.
bool is_local(const fs::path& folder) {
  constexpr std::array<unsigned long, 7> kLocal = {0x01021994 /* tmpfs */,
                                                   0xef53 /* ext4 */,
                                                   0x58465342 /* xfs */,
                                                   0x9123683e /* btrfs */,
                                                   0x794c7630 /* overlay */,
                                                   0x2fc12fc1 /* zfs */,
                                                   0xf2f52010 /* f2fs */};
  struct statfs status = {};
  return statfs(folder.c_str(), &status) == 0 &&
         std::ranges::find(kLocal, static_cast<unsigned long>(status.f_type)) != kLocal.end();
}

bool has_our_name(std::string_view name) {
  return name.starts_with(kPrefix) && name.size() == kPrefix.size() + kPattern.size();
}

void remove_if_abandoned(const fs::path& path) {
  const int descriptor = open(path.c_str(), kFolderFlags);
  if (descriptor < 0) return;
  struct stat locked = {};
  struct stat named = {};
  const bool ours = fstat(descriptor, &locked) == 0 && locked.st_uid == geteuid() &&
                    (locked.st_mode & 07777) == S_IRWXU;
  if (ours && flock(descriptor, LOCK_EX | LOCK_NB) == 0 && lstat(path.c_str(), &named) == 0 &&
      named.st_dev == locked.st_dev && named.st_ino == locked.st_ino) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  close(descriptor);
}

}  // namespace

fs::path temporary_folder() {
  const char* const value = getenv("TMPDIR");
  const bool set = value != nullptr && *value != '\0';
  const fs::path folder = set ? value : "/tmp";
  std::error_code failure;
  if (fs::is_directory(folder, failure)) return folder;
  const std::string why =
      failure && failure != std::errc::no_such_file_or_directory ? ": " + failure.message() : "";
  if (!set) throw ResourceFailure("there is no folder /tmp" + why + "; set TMPDIR to a folder");
  throw ResourceFailure("TMPDIR is '" + folder.string() + "', which is no folder" + why +
                        "; set it to a folder with room for temporary files, or unset it for /tmp");
}

TemporaryDirectory::TemporaryDirectory() {
  const fs::path folder = temporary_folder();
  for (int attempt = 0; lock_ < 0; ++attempt) {
    std::string pattern = folder / (std::string(kPrefix) + std::string(kPattern));
    if (attempt == kMostAttempts || mkdtemp(pattern.data()) == nullptr) {
      throw ResourceFailure("cannot make a temporary directory in " + folder.string() + ": " +
                            system_message(errno) + "; set TMPDIR to a folder with room");
    }
    lock_ = locked(pattern);
    path_ = pattern;
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

fs::path TemporaryDirectory::write(const std::string& name, std::string_view content) const {
  const fs::path file = path_ / name;
  if (const auto error = write_file(file, content)) throw ResourceFailure(error->str());
  return file;
}

void remove_abandoned_directories() {
  const fs::path folder = temporary_folder();
  if (!is_local(folder)) return;
  std::error_code failure;
  for (fs::directory_iterator next(folder, failure), end; !failure && next != end;
       next.increment(failure)) {
    if (has_our_name(next->path().filename().native())) remove_if_abandoned(next->path());
  }
}

}  // namespace tessera
