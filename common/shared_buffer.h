// Memory that two processes share: a file in memory, whose size neither can change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

class SharedBuffer {
 public:
  /// Has no bytes and no file.
  SharedBuffer() = default;

  /// `bytes` zeroes. Throws std::system_error if there is no memory or no descriptor.
  explicit SharedBuffer(std::uint64_t bytes);

  /// The other process's side: the first `bytes` bytes of the file of `descriptor`, which this
  /// object closes. Throws std::system_error if the file is shorter or cannot be mapped.
  SharedBuffer(int descriptor, std::uint64_t bytes);

  SharedBuffer(SharedBuffer&& other) noexcept;
  SharedBuffer& operator=(SharedBuffer&& other) noexcept;
  ~SharedBuffer();

  std::span<std::byte> bytes() const { return {data_, size_}; }

  /// The descriptor to send to the other process; -1 if there are no bytes.
  int descriptor() const { return descriptor_; }

 private:
  void map(int flags);

  int descriptor_ = -1;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tessera
