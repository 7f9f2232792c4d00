#include "grader/gpu/kernel.h"

#include <algorithm>
#include <stdexcept>

namespace tessera {

std::uint64_t output_bytes(const std::vector<GpuBuffer>& buffers) {
  std::uint64_t bytes = 0;
  for (const GpuBuffer& buffer : buffers) {
    if (!buffer.input) bytes += buffer.contents.size();
  }
  return bytes;
}

void require_addresses(const GpuWork& work, std::size_t buffers) {
  if (const auto* product = std::get_if<CublasProduct>(&work)) {
    if (std::max({product->a, product->b, product->c}) < buffers) return;
    throw std::invalid_argument("cuBLAS gets a buffer that does not exist");
  }
  for (const GpuArgument& argument : std::get<GpuKernel>(work).arguments) {
    for (const Relocation& relocation : argument.relocations) {
      if (relocation.buffer >= buffers ||
          relocation.offset + sizeof(std::uint64_t) > argument.bytes.size()) {
        throw std::invalid_argument("a relocation is outside its argument or names no buffer");
      }
    }
  }
}

}  // namespace tessera
