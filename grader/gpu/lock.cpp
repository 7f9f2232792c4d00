#include "grader/gpu/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace tessera {
namespace {

/// -1 where it cannot be had.
int open_lock_file(const GpuDevice& device) {
  const std::filesystem::path path = gpu_lock_file(device);
  // First without O_CREAT: in /tmp the kernel refuses that for a file of another user.
  const int there = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (there >= 0) return there;
  const int made = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (made >= 0) fchmod(made, 0666);  // past the umask: other users lock it too
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
  // Not TMPDIR, which may be a user's own.
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
