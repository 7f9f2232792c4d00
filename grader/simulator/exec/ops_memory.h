// Access to simulated memory: the addresses of lanes, what they cost, and what is wrong with them.
#pragma once

#include "grader/simulator/check/shared_flow.h"
#include "grader/simulator/exec/opcode.h"

namespace tessera::sim {

/// Inst::flags of memory instructions.
struct MemoryFlags {
  static constexpr std::uint32_t kWideBase = 1;  // Inst::a is a 64-bit register, else 32-bit
  static constexpr std::uint32_t kVolatile = 8;
  static constexpr std::uint32_t kStrong = 16;      // .relaxed, .acquire, .release: atomic
  static constexpr std::uint32_t kReleases = 32;    // orders what came before like a fence
  static constexpr std::uint32_t kBlockScope = 64;  // for the block alone
  static constexpr std::uint32_t kCached = 128;     // ld.global.nc: through the read-only cache
  static constexpr std::uint32_t kTalks = kVolatile | kStrong;
  static constexpr std::uint32_t kHandedOn = 256;  // ld: it only fills parameters of calls
  /// ld: the first element is only copied, by stores of vectors or into parameters. The next bits
  /// say this of the other elements.
  static constexpr std::uint32_t kCopied = 512;
  /// ld: the program does not read the first element here. The next bits say this of the other
  /// elements. Either the compiler made one load of several, or it loads early what it may need
  /// later (check_read() stands there), or the element goes to a function that does not read it.
  static constexpr std::uint32_t kUnused = kCopied << 8;
  static constexpr std::uint32_t kAnyUnused = 0xff * kUnused;
  /// The elements that the program does not read lie in the array nevertheless: no compiler loads
  /// early what may not be there.
  static constexpr std::uint32_t kAllInside = kUnused << 8;

  /// The instruction's handler says what its access orders.
  static constexpr std::uint32_t kOwnOrder = kAllInside << 1;

  static bool has_element(std::uint32_t flags, std::uint32_t first, std::uint64_t element) {
    return (flags / first >> element & 1) != 0;
  }
};

/// ld and st. Inst::a holds the base addresses, `offset` is added, `size` is an element's bytes in
/// memory, `count` the vector's elements; dst (ld) or b (st) is the register,
/// Function::lists[extra] the registers of a vector form. `reg_bytes` is the register's width.
/// nullptr: no such form.
Handler load_handler(ptx::Space space, unsigned size, unsigned reg_bytes, bool is_signed,
                     bool vector);
Handler store_handler(ptx::Space space, unsigned size, unsigned reg_bytes, bool vector);

/// Checks the read of an element that was loaded early, in the lanes in which one of the conditions
/// of Function::lists[extra] holds; without conditions, in all lanes. `a`, `offset`, `size` and
/// `site` are those of the load, `target` is its Space. A condition is a run of predicates, all of
/// which must hold; the list's `sizes` hold their GateFlags.
const Inst* check_read(Warp& warp, const Inst* inst, Mask mask);
struct GateFlags {
  static constexpr std::uint32_t kNegated = 1;
  static constexpr std::uint32_t kLast = 2;  // of its condition
};

/// Inst::flags of atomics, in addition to kWideBase.
struct AtomicFlags {
  static constexpr std::uint32_t kOverwrites = 4;  // exch: what was there does not matter
  static constexpr std::uint32_t kResult = 2;      // atom: the old value goes to dst
};

/// membar and fence. Inst::flags is 1 if it reaches the whole device, 0 if only the block.
const Inst* fence(Warp& warp, const Inst* inst, Mask mask);

/// atom and red; c is compare-and-swap's new value.
Handler atomic_handler(const Opcode& op, ptx::Space space);

/// The analysed base addresses of an access of one space, which `width` bytes a lane have; those of
/// an earlier access of the basic block if they are the same. `mask` is not empty.
Pattern& pattern_of(Warp& warp, const Inst* inst, Mask mask, unsigned width);

/// The lanes of an access, by the memory that they reach.
struct LanesBySpace {
  Mask shared = 0;
  Mask local = 0;
  Mask global = 0;
};

/// Splits the lanes of `mask` by the memory that they reach at generic addresses, `offset` bytes
/// from `base`.
LanesBySpace split_by_space(const std::array<std::uint64_t, kLanes>& base, std::uint64_t offset,
                            Mask mask);

/// The address of `lane`: its base register plus the instruction's offset.
std::uint64_t lane_address(Warp& warp, const Inst* inst, unsigned lane);
/// The addresses of all lanes, whether or not they run the instruction.
std::array<std::uint64_t, kLanes> lane_addresses(Warp& warp, const Inst* inst);

/// Counts the sectors or wavefronts of an atomic of the lanes in `mask`, as for a store, in its
/// site.
void count_atomic(Warp& warp, const Inst* inst, ptx::Space space, Mask mask, unsigned width);

enum class Access : std::uint8_t { read, write, atomic };

/// Returns the host's memory for the `bytes` bytes that one lane accesses at `address`. Returns
/// nullptr if the access is wrong (out-of-bounds, misaligned, read-only), after noting the mistake,
/// and if the program does not read what it loads (MemoryFlags::kUnused). `incoming` is what a
/// store brings, or what a compare-and-swap must find to store anything.
std::byte* lane_pointer(Warp& warp, const Inst* inst, unsigned lane, ptx::Space space,
                        std::uint64_t address, unsigned bytes, Access access,
                        const std::byte* incoming = nullptr);

/// Whether the value in memory may matter to the access. It does not to a store, nor to an exchange
/// whose result is not read.
bool sees_memory(const Inst* inst, Access access);

/// Returns what lane_pointer() does for a load, without checks: nothing is noted.
const std::byte* host_at(const Warp& warp, unsigned lane, ptx::Space space, std::uint64_t address,
                         unsigned bytes);

/// What an access of a whole warp needs.
struct OpenAccess {
  /// The memory at `low`, if all lanes' accesses are sound; nullptr: lane_pointer() must check each
  /// of them.
  std::byte* host = nullptr;
  std::uint64_t low = 0;                   // the lowest lane's address
  const Allocation* allocation = nullptr;  // that `host` is in, in global memory
};

/// Counts a load from global memory, the first half of an asynchronous copy.
OpenAccess open_copied_load(Warp& warp, const Inst* inst, Mask mask);

/// Counts the second half, which writes to shared memory in `wavefronts` passes. copied_clean()
/// checks its order.
OpenAccess open_copy(Warp& warp, const Inst* inst, Mask mask, unsigned wavefronts);

/// Records that a copy of the lane into these bytes of shared memory begins (at an instruction of
/// SiteKind::copy) or arrives. Returns false, and records nothing, if a granule needs a closer
/// look: it was accessed in this epoch, or another copy into it is on its way when this one begins.
/// Then the caller calls lane_pointer().
bool copied_clean(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                  unsigned bytes);

/// Whether an access to shared memory is ordered with all others and reads nothing unwritten.
/// Checks whole pieces or groups of the pattern. If it returns false, the caller calls
/// lane_pointer() for each lane, which finds out what is wrong.
bool shared_access_clean(Warp& warp, const Inst* inst, Pattern& pattern, Access access);

/// The same for reads of Inst::size bytes by the lanes of `mask`, which lie in shared memory.
bool shared_read_clean(const Warp& warp, const Inst* inst,
                       const std::array<std::uint64_t, kLanes>& address, Mask mask);

/// Records that a product reads these bytes of shared memory, as `lane`, where every reader is kept
/// (Launch::keeps_readers). Returns false, and records nothing, if a granule needs a closer look.
bool kept_read_clean(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                     unsigned bytes);

/// Records that it still reads them, at its wait. Returns false, and records nothing, if they have
/// been stored since it began, or a granule needs a closer look.
bool still_read(Warp& warp, const Inst* wait, unsigned lane, std::uint64_t address, unsigned bytes);

/// The store that wrote the word at `address` of shared memory, which the lane loads. A word that
/// the block has not stored counts as stored by the lane.
StoredWord stored_word(const Warp& warp, unsigned lane, std::uint64_t address);

/// The present moment of the lane's thread, for MemoryOrder.
Moment moment_of(const Warp& warp, unsigned lane);

/// The element of a shared variable at an address in it.
ArrayElement element_at(const SharedVariable& variable, std::uint64_t address);

/// What an instruction of that kind does where it changes memory.
Phrase verb_of_change(SiteKind kind);

/// Notes what is wrong with one lane's access to shared memory. `address` lies in `variable`.
void check_shared_lane(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                       std::uint64_t address, unsigned bytes, Access access,
                       const std::byte* incoming);

/// Does the same for global memory that is traced. `offset` is in bytes, from the start of the
/// allocation.
void check_global_lane(Warp& warp, const Inst* inst, unsigned lane, const Allocation& allocation,
                       std::uint64_t offset, unsigned bytes, Access access,
                       const std::byte* incoming);

/// "B[16][3]" if the buffer has rows, else "B[259]". `offset` is in bytes and may lie outside.
ArrayElement element_name(const BufferInfo& info, std::int64_t offset);

/// Notes that a launch reads or writes this allocation.
void mark_use(Allocation& allocation, Access access);

/// Whether this launch has written the `width` bytes at `offset`; if bytes are not followed, every
/// word of them.
bool was_written(const Allocation& allocation, std::uint64_t offset, unsigned width);

/// Notes that the lane's thread writes `width` bytes at `offset` of the allocation; sets
/// Launch::clash if another thread did.
void watch_write(const Warp& warp, unsigned lane, const Allocation& allocation,
                 std::uint64_t offset, unsigned width);

}  // namespace tessera::sim
