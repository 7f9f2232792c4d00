// What a launch on the GPU consists of: a module, a kernel in it, its arguments, its buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/host_matrix.h"
#include "common/launch.h"
#include "common/wording.h"

namespace tessera {

/// Memory of one operand, 256-byte aligned on the device.
struct GpuBuffer {
  std::string name;                 // "A"
  std::vector<std::byte> contents;  // before the launch; poison in the output of a kernel
  bool input = true;                // the launch must not change it
  std::uint32_t width = 0;          // elements in a row; 0: a flat array
  std::uint32_t pitch = 0;          // elements from the start of a row to the next
  std::uint32_t element_bytes = 4;  // or 2
};

/// Bytes of all output buffers together.
std::uint64_t output_bytes(const std::vector<GpuBuffer>& buffers);

/// A place in an argument's bytes: a buffer's device address is added to the 8 bytes there.
struct Relocation {
  std::size_t offset = 0;
  std::size_t buffer = 0;  // index
};

/// A kernel argument: the bytes of the kernel's parameter, without device addresses.
struct GpuArgument {
  std::vector<std::byte> bytes;
  std::vector<Relocation> relocations;
};

/// An argument that is only the address of a buffer.
inline GpuArgument pointer_to(std::size_t buffer) {
  return {std::vector<std::byte>(8), {{0, buffer}}};
}

struct GpuKernel {
  std::string module;  // a cubin for the card, or PTX text that the driver translates
  std::string entry;   // the kernel's name in it: "_Z6matmul6MatrixIKfES1_S_IfE"
  LaunchShape shape;
  std::vector<GpuArgument> arguments;
  /// The percentage of L1's memory that is wanted as shared memory: a hint to the driver.
  std::optional<int> carveout = std::nullopt;
};

/// cuBLAS on the buffers, row-major without transposition: C = A B, in pedantic float32, or with
/// 16-bit inputs in the tensor cores with sums in float32. The pitches are the buffers'.
struct CublasProduct {
  int m = 0;
  int n = 0;
  int k = 0;
  std::size_t a = 0;  // indices of buffers
  std::size_t b = 1;
  std::size_t c = 2;
  Storage inputs = Storage::same;
};

/// Work that can be timed.
using GpuWork = std::variant<GpuKernel, CublasProduct>;

/// Throws std::invalid_argument if a relocation lies outside its argument or if a buffer is not
/// among the `buffers`.
void require_addresses(const GpuWork& work, std::size_t buffers);

/// "C[3][5]", or "C[5]" in a flat array. The index may lie outside the buffer.
ArrayElement element_called(const GpuBuffer& buffer, std::int64_t index);

}  // namespace tessera
