// Pieces of memory that two processes share, in as few files as their sizes allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/shared_buffer.h"

namespace tessera {

/// Both sides pass the same sizes in the same order, and so find the same pieces. Piece `i` starts
/// at a multiple of 256 bytes. No file is larger than kMostTogether unless it is a single piece,
/// because the sandbox limits the size of files.
class SharedArena {
 public:
  static constexpr std::uint64_t kMostTogether = std::uint64_t{64} << 20;

  /// All bytes are zero. Throws std::system_error if there is no memory.
  explicit SharedArena(const std::vector<std::uint64_t>& sizes);

  /// The other process's side: takes the descriptors that it needs from the front of `descriptors`.
  /// Throws std::system_error if there are too few or their files are too short.
  SharedArena(const std::vector<std::uint64_t>& sizes, std::span<const int>& descriptors);

  std::span<std::byte> piece(std::size_t index) const { return pieces_.at(index); }

  /// The first bytes of a piece as a T, for which zeroes are a value.
  template <class T>
  T& at(std::size_t index) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return *reinterpret_cast<T*>(piece(index).first(sizeof(T)).data());
  }

  /// The descriptors to send to the other process.
  std::vector<int> descriptors() const;

 private:
  template <class Make>
  void lay_out(const std::vector<std::uint64_t>& sizes, const Make& make);

  std::vector<SharedBuffer> files_;
  std::vector<std::span<std::byte>> pieces_;
};

}  // namespace tessera
