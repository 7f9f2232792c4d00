#include "common/shared_buffer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

SharedBuffer::SharedBuffer(std::uint64_t bytes) : size_(bytes) {
  if (size_ == 0) return;
  descriptor_ = memfd_create("tessera-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor_ < 0) fail("no memory to share with a process");
  const bool made = ftruncate(descriptor_, static_cast<off_t>(size_)) == 0 &&
                    fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  if (!made) {
    const int error = errno;
    close(descriptor_);
    errno = error;
    fail("no memory to share with a process");
  }
  map(MAP_POPULATE);  // the maker fills it: faulting all pages at once is faster
}

SharedBuffer::SharedBuffer(int descriptor, std::uint64_t bytes)
    : descriptor_(descriptor), size_(bytes) {
  const off_t end = lseek(descriptor_, 0, SEEK_END);
  if (end < 0 || static_cast<std::uint64_t>(end) < size_) {
    close(descriptor_);
    throw std::system_error(EINVAL, std::generic_category(), "shared memory is too short");
  }
  map(0);
}

void SharedBuffer::map(int flags) {
  void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | flags, descriptor_, 0);
  if (memory == MAP_FAILED) {
    const int error = errno;
    close(descriptor_);
    errno = error;
    fail("shared memory cannot be mapped");
  }
  data_ = static_cast<std::byte*>(memory);
}

SharedBuffer::SharedBuffer(SharedBuffer&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {
}

SharedBuffer& SharedBuffer::operator=(SharedBuffer&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedBuffer::~SharedBuffer() {
  if (data_ != nullptr) munmap(data_, size_);
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace tessera
