// What a launch on the GPU consists of: a module, a kernel in it, its arguments, its buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/launch.h"
#include "common/wording.h"

namespace tessera {

/// Memory for one operand, 256-byte aligned on the device. Findings count elements of 4 bytes.
struct GpuBuffer {
  std::string name;                 // "A"
  std::vector<std::byte> contents;  // as the launch finds it; a kernel's output holds poison
  bool input = true;                // the launch must leave it as it was
  std::uint32_t width = 0;          // elements that a row holds; 0: a flat array
  std::uint32_t pitch = 0;          // elements from row to row
};

/// Of the contents of all output buffers together.
std::uint64_t output_bytes(const std::vector<GpuBuffer>& buffers);

/// Where in an argument's bytes the device address of a buffer is added to 8 bytes.
struct Relocation {
  std::size_t offset = 0;
  std::size_t buffer = 0;  // index
};

/// One kernel argument: the bytes as the kernel's parameter holds them, addresses still missing.
struct GpuArgument {
  std::vector<std::byte> bytes;
  std::vector<Relocation> relocations;
};

/// The address of a buffer alone.
inline GpuArgument pointer_to(std::size_t buffer) {
  return {std::vector<std::byte>(8), {{0, buffer}}};
}

struct GpuKernel {
  std::string module;  // a cubin for the card, or PTX text that the driver translates
  std::string entry;   // the kernel's name in it: "_Z6matmul6MatrixIKfES1_S_IfE"
  LaunchShape shape;
  std::vector<GpuArgument> arguments;
  /// The part of L1's memory, in percent, that is wanted as shared memory: a hint to the driver.
  std::optional<int> carveout = std::nullopt;
};

/// cuBLAS SGEMM in pedantic float32 on the buffers, row-major without transposition: C = A B. The
/// pitches are the buffers'.
struct CublasSgemm {
  int m = 0;
  int n = 0;
  int k = 0;
  std::size_t a = 0;  // indices of buffers
  std::size_t b = 1;
  std::size_t c = 2;
};

/// What can be timed.
using GpuWork = std::variant<GpuKernel, CublasSgemm>;

/// Throws std::invalid_argument where an address is wanted outside an argument, or of a buffer that
/// is not among the `buffers`.
void require_addresses(const GpuWork& work, std::size_t buffers);

/// "C[3][5]", or "C[5]" in a flat array; of an index that may lie outside.
ArrayElement element_called(const GpuBuffer& buffer, std::int64_t index);

}  // namespace tessera
