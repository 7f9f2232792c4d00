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
  static constexpr std::uint32_t kHandedOn = 256;  // ld: all goes into parameters of calls alone
  /// ld: the first element is only copied by stores of vectors or into parameters; the next bits
  /// are those of the others.
  static constexpr std::uint32_t kCopied = 512;
  /// The same for those that the program does not read here: the compiler made one load of several,
  /// or loads what it may need later, where check_read() stands, or they go to a function that does
  /// not read them.
  static constexpr std::uint32_t kUnused = kCopied << 8;
  static constexpr std::uint32_t kAnyUnused = 0xff * kUnused;
  /// All of them lie in the array nevertheless: no compiler loads early what may not be there.
  static constexpr std::uint32_t kAllInside = kUnused << 8;

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

/// Checks the order of the read of an element, of an earlier load whose `a`, `offset`, `size` and
/// `site` it has, in the lanes where one of the conditions of Function::lists[extra] holds.
/// `target` is the Space; without conditions all lanes read it. A condition is a run of predicates,
/// all of which must hold: GateFlags are their `sizes`.
const Inst* check_read(Warp& warp, const Inst* inst, Mask mask);
struct GateFlags {
  static constexpr std::uint32_t kNegated = 1;
  static constexpr std::uint32_t kLast = 2;  // of its condition
};

/// Inst::flags of atomics, beside kWideBase.
struct AtomicFlags {
  static constexpr std::uint32_t kOverwrites = 4;  // exch: what was there does not matter
  static constexpr std::uint32_t kResult = 2;      // atom: the old value goes to dst
};

/// membar and fence. Inst::flags is 1 if it reaches the whole device, 0 if only the block.
const Inst* fence(Warp& warp, const Inst* inst, Mask mask);

/// atom and red; c is compare-and-swap's new value.
Handler atomic_handler(const Opcode& op, ptx::Space space);

/// The lanes of a generic access, by the memory that they reach.
struct LanesBySpace {
  Mask shared = 0;
  Mask local = 0;
  Mask global = 0;
};

/// Which memory the lanes of `mask` reach at generic addresses, `offset` bytes from `base`.
LanesBySpace split_by_space(const std::array<std::uint64_t, kLanes>& base, std::uint64_t offset,
                            Mask mask);

/// The address of `lane`: its base register plus the instruction's offset.
std::uint64_t lane_address(Warp& warp, const Inst* inst, unsigned lane);

/// Counts an atomic of the lanes in `mask` in its site: sectors or wavefronts, as of a store.
void count_atomic(Warp& warp, const Inst* inst, ptx::Space space, Mask mask, unsigned width);

enum class Access : std::uint8_t { read, write, atomic };

/// Host memory of `bytes` bytes at `address` for one lane, or nullptr after noting what is wrong
/// (out-of-bounds, misaligned, read-only) or if the program reads no element of a load (see
/// MemoryFlags::kUnused). `incoming` is what a store brings, or what a
/// compare-and-swap must find to store anything.
std::byte* lane_pointer(Warp& warp, const Inst* inst, unsigned lane, ptx::Space space,
                        std::uint64_t address, unsigned bytes, Access access,
                        const std::byte* incoming = nullptr);

/// Whether what memory held may matter: not for a store, nor for an exchange whose result is not
/// read.
bool sees_memory(const Inst* inst, Access access);

/// The same for an element that is loaded and not checked: nothing is noted.
const std::byte* host_at(const Warp& warp, unsigned lane, ptx::Space space, std::uint64_t address,
                         unsigned bytes);

/// Whether an access of shared memory is ordered with all others and reads nothing unwritten. Looks
/// at whole pieces of the pattern; false sends the access lane by lane through lane_pointer, which
/// finds out what is wrong.
bool shared_access_clean(Warp& warp, const Inst* inst, const Pattern& pattern, Access access);

/// The store that made the word at `address` of shared memory, which the lane loads. A word that
/// the block has not stored is taken for the lane's own.
StoredWord stored_word(const Warp& warp, unsigned lane, std::uint64_t address);

/// This moment of the lane's thread, for MemoryOrder.
Moment moment_of(const Warp& warp, unsigned lane);

/// Notes what is wrong with one lane's access of shared memory. `address` lies in `variable`.
void check_shared_lane(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                       std::uint64_t address, unsigned bytes, Access access,
                       const std::byte* incoming);

/// The same for global memory that is traced. `offset` is the byte in the allocation.
void check_global_lane(Warp& warp, const Inst* inst, unsigned lane, const Allocation& allocation,
                       std::uint64_t offset, unsigned bytes, Access access,
                       const std::byte* incoming);

/// "B[16][3]" if the buffer has rows, else "B[259]". `offset` in bytes, may lie outside.
ArrayElement element_name(const BufferInfo& info, std::int64_t offset);

/// Notes that a launch reads or writes this allocation.
void mark_use(Allocation& allocation, Access access);

/// Whether this launch wrote every word of `width` bytes at `offset`.
bool was_written(const Allocation& allocation, std::uint64_t offset, unsigned width);

/// Notes that the lane's thread writes `width` bytes at `offset` of the allocation; sets
/// Launch::clash if another thread did.
void watch_write(const Warp& warp, unsigned lane, const Allocation& allocation,
                 std::uint64_t offset, unsigned width);

}  // namespace tessera::sim
