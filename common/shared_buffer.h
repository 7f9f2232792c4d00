// Memory that two processes see: a file in memory, which neither can make shorter or longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

class SharedBuffer {
 public:
  /// No bytes, and no file.
  SharedBuffer() = default;

  /// Zeroes. Throws std::system_error where the machine gives no memory or no descriptor.
  explicit SharedBuffer(std::uint64_t bytes);

  /// The other process's side: the first `bytes` bytes of what `descriptor` names, which this
  /// object closes. Throws std::system_error where the file is shorter or cannot be mapped.
  SharedBuffer(int descriptor, std::uint64_t bytes);

  SharedBuffer(SharedBuffer&& other) noexcept;
  SharedBuffer& operator=(SharedBuffer&& other) noexcept;
  ~SharedBuffer();

  std::span<std::byte> bytes() const { return {data_, size_}; }

  /// To be sent to the other process; -1 for no bytes.
  int descriptor() const { return descriptor_; }

 private:
  void map(int flags);

  int descriptor_ = -1;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tessera
