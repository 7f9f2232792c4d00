// Guard bands: memory around a buffer, filled with a pattern that only a stray store changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/finding.h"
#include "grader/gpu/kernel.h"

namespace tessera {

/// Bytes of the band on each side of `buffer`: at least 64 KiB and two rows, a multiple of 256.
std::size_t guard_bytes(const GpuBuffer& buffer);

/// Fills a band that starts at byte `offset` of an allocation. The pattern read as float is NaN, so
/// that a read past the buffer's end shows in the result.
void fill_guard(std::span<std::byte> band, std::size_t offset);

/// The changed elements of a band.
struct GuardDamage {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // indices in the band
  std::uint64_t last = 0;
};

/// `size`: bytes of an element.
GuardDamage inspect_guard(std::span<const std::byte> band, std::size_t offset, std::size_t size);

/// What a launch changed in one buffer and its bands.
struct BufferDamage {
  GuardDamage before;
  GuardDamage after;
  std::uint64_t modified = 0;        // elements of an input that changed
  std::uint64_t first_modified = 0;  // index
  std::uint32_t was = 0;             // bits of that element
  std::uint32_t is = 0;
};

/// Compares an input with its contents before the launch and fills in the last four members.
void inspect_input(std::span<const std::byte> was, std::span<const std::byte> is, std::size_t size,
                   BufferDamage& damage);

/// Findings out-of-bounds and input-modified, each with the number of elements and the first.
std::vector<Finding> damage_findings(const GpuBuffer& buffer, const BufferDamage& damage);

}  // namespace tessera
