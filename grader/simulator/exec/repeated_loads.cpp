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

RepeatedLoads::Input* RepeatedLoads::input_at(std::uint64_t address) {
  const auto found = std::ranges::find_if(inputs_, [&](const Input& it) {
    return address - it.allocation->address < it.allocation->size;
  });
  return found == inputs_.end() ? nullptr : &*found;
}

void RepeatedLoads::add(const Pattern& pattern, std::uint64_t offset, unsigned width) {
  for_lanes(pattern.mask, [&](unsigned lane) {
    const std::uint64_t address = pattern.address[lane] + offset;
    Input* const input = input_at(address);
    if (input == nullptr) return;
    const unsigned element_bytes = input->allocation->info.element_bytes;
    const unsigned part = std::min(width, element_bytes);
    const std::uint64_t start = address - input->allocation->address;
    for (std::uint64_t at = start; at < start + width; at += part) {
      const std::uint64_t element = at / element_bytes;
      if (element >= input->blocks.size()) return;  // outside
      if (std::exchange(input->blocks[element], block_) == block_) bytes_ += part;
    }
  });
}

}  // namespace tessera::sim
