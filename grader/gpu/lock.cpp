#include "grader/gpu/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace tessera {
namespace {

/// Returns -1 if the file cannot be opened or made.
int open_lock_file(const GpuDevice& device) {
  const std::filesystem::path path = gpu_lock_file(device);
  // First without O_CREAT, which the system refuses in /tmp for a file of another user.
  const int there = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (there >= 0) return there;
  const int made = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (made >= 0) fchmod(made, 0666);  // whatever the umask is: other users lock it too
  return made;
}

bool is_free(const GpuDevice& device) {
  const int file = open_lock_file(device);
  if (file < 0) return true;
  const bool free = flock(file, LOCK_EX | LOCK_NB) == 0;
  close(file);
  return free;
}

}  // namespace

std::filesystem::path gpu_lock_file(const GpuDevice& device) {
  // Not in TMPDIR, which may differ between users.
  return std::filesystem::path("/tmp") / ("tessera-" + device.uuid + ".lock");
}

void make_gpu_lock_file(const GpuDevice& device) {
  const int file = open_lock_file(device);
  if (file >= 0) close(file);
}

GpuLock::GpuLock(const GpuDevice& device) : file_(open_lock_file(device)) {
  if (file_ >= 0) flock(file_, LOCK_EX);
}

GpuLock::~GpuLock() {
  if (file_ >= 0) close(file_);
}

const GpuDevice& free_gpu(const std::vector<GpuDevice>& devices) {
  const auto found = std::ranges::find_if(devices, is_free);
  return found == devices.end() ? devices.front() : *found;
}

}  // namespace tessera
