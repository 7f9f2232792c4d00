#include "grader/gpu/worker/shared_arena.h"

#include <cerrno>
#include <system_error>

namespace tessera {
namespace {

std::uint64_t rounded(std::uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

}  // namespace

template <class Make>
void SharedArena::lay_out(const std::vector<std::uint64_t>& sizes, const Make& make) {
  std::size_t first = 0;
  while (first < sizes.size()) {
    std::uint64_t bytes = rounded(sizes[first]);
    std::size_t end = first + 1;
    while (end < sizes.size() && bytes + rounded(sizes[end]) <= kMostTogether) {
      bytes += rounded(sizes[end++]);
    }
    files_.push_back(make(bytes));
    std::span<std::byte> rest = files_.back().bytes();
    for (; first < end; ++first) {
      pieces_.push_back(rest.first(sizes[first]));
      rest = rest.subspan(rounded(sizes[first]));
    }
  }
}

SharedArena::SharedArena(const std::vector<std::uint64_t>& sizes) {
  lay_out(sizes, [](std::uint64_t bytes) { return SharedBuffer(bytes); });
}

SharedArena::SharedArena(const std::vector<std::uint64_t>& sizes,
                         std::span<const int>& descriptors) {
  lay_out(sizes, [&](std::uint64_t bytes) {
    if (bytes == 0) return SharedBuffer();
    if (descriptors.empty())
      throw std::system_error(EBADF, std::generic_category(), "shared memory is missing");
    const int descriptor = descriptors.front();
    descriptors = descriptors.subspan(1);
    return SharedBuffer(descriptor, bytes);
  });
}

std::vector<int> SharedArena::descriptors() const {
  std::vector<int> all;
  for (const SharedBuffer& file : files_) {
    if (file.descriptor() >= 0) all.push_back(file.descriptor());
  }
  return all;
}

}  // namespace tessera
