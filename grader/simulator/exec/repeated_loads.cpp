#include "grader/simulator/exec/repeated_loads.h"

#include <algorithm>
#include <utility>

#include "grader/simulator/check/shared_flow.h"
#include "grader/simulator/exec/pattern.h"

namespace tessera::sim {

RepeatedLoads::RepeatedLoads(const DeviceMemory& memory) {
  for (const Allocation* input : large_inputs(memory)) {
    const std::uint64_t elements = input->size / input->info.element_bytes;
    inputs_.push_back({input, std::vector<std::uint32_t>(elements)});
  }
}

void RepeatedLoads::add(const Pattern& pattern, std::uint64_t offset, unsigned width) {
  const std::uint64_t low = pattern.low + offset;
  const auto input = std::ranges::find_if(
      inputs_, [&](const Input& it) { return low - it.allocation->address < it.allocation->size; });
  if (input == inputs_.end()) return;
  const unsigned element_bytes = input->allocation->info.element_bytes;
  const unsigned part = std::min(width, element_bytes);
  for_lanes(pattern.mask, [&](unsigned lane) {
    const std::uint64_t start = pattern.address[lane] + offset - input->allocation->address;
    for (std::uint64_t at = start; at < start + width; at += part) {
      const std::uint64_t element = at / element_bytes;
      if (element >= input->blocks.size()) return;  // outside
      if (std::exchange(input->blocks[element], block_) == block_) bytes_ += part;
    }
  });
}

}  // namespace tessera::sim
