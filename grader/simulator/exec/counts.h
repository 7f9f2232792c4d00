// What a worker counts: by memory instruction, and over the blocks that it has run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/line_profile.h"
#include "grader/simulator/check/memory.h"

namespace tessera::sim {

/// What an access of one kind (global or shared memory) cost.
struct AccessCount {
  std::uint64_t requests = 0;     // warp instructions with at least one lane
  std::uint64_t pieces = 0;       // sectors (global) or wavefronts (shared)
  std::uint64_t least = 0;        // the fewest that the lanes and their width need
  std::uint64_t cache_lines = 0;  // of global memory; counted only if Launch::cache_lines
  // The request that was farthest from the least; the first if all had the least.
  std::uint32_t worst_excess = 0;
  std::uint64_t worst_block = 0;
  std::uint64_t worst_low = 0;   // of its lowest lane
  std::uint64_t worst_high = 0;  // of its highest
  AccessShape worst;             // `variable` and `row_bytes` are filled in at the end
};

/// The buffer or variable that held all lanes of an access: [low, high).
struct Region {
  std::uint64_t low = 1;
  std::uint64_t high = 0;
  std::byte* host = nullptr;  // byte at `low`
};

/// What one memory instruction remembers between executions, and what it counted. Each worker has
/// its own. A generic access has both regions, whose addresses mean different memory.
struct Site {
  Region global_region;
  Region shared_region;
  Allocation* allocation = nullptr;  // of global_region
  AccessCount global;
  AccessCount shared;
};

/// What a warp did until it ended, or several warps together.
struct WarpWork {
  std::uint64_t instructions = 0;
  std::uint64_t lane_instructions = 0;  // each counted once for each lane that executed it
  std::uint64_t floating_point = 0;     // instructions that add or multiply such numbers
  std::uint64_t tensor = 0;             // m16n8k16 products of matrices, or as many smaller ones
  std::uint64_t shuffles = 0;        // instructions by which lanes take or add up values of others
  std::uint64_t loaded_bytes = 0;    // that lanes asked of global memory
  std::uint64_t local_accesses = 0;  // instructions that access local memory
  std::uint64_t branches = 0;        // that depend on a condition or an index
  std::uint64_t arithmetic = 0;      // floating_point and tensor together, once the warp has ended
};

/// What several warps did. All but `barriers` is of blocks that came to their end.
struct WarpCounts {
  std::uint64_t warps = 0;
  WarpWork all;                // of all warps together
  WarpWork most;               // each number the largest of a single warp
  std::uint64_t barriers = 0;  // barrier instructions that warps executed

  void add(const WarpCounts& other) {
    warps += other.warps;
    barriers += other.barriers;
    for (const auto number : kNumbers) {
      all.*number += other.all.*number;
      most.*number = std::max(most.*number, other.most.*number);
    }
  }
  /// Adds a warp that has ended.
  void add_warp(WarpWork work) {
    work.arithmetic = work.floating_point + work.tensor;
    add({.warps = 1, .all = work, .most = work});
  }

 private:
  static constexpr std::uint64_t WarpWork::*kNumbers[] = {
      &WarpWork::instructions,   &WarpWork::lane_instructions, &WarpWork::floating_point,
      &WarpWork::tensor,         &WarpWork::shuffles,          &WarpWork::loaded_bytes,
      &WarpWork::local_accesses, &WarpWork::branches,          &WarpWork::arithmetic};
};

}  // namespace tessera::sim
