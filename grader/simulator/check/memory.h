// Global memory of the simulated device: 256-byte aligned buffers, each in its own guarded range of
// a 64-bit address space.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/shared_buffer.h"

namespace tessera {

/// What a message needs to call an address `C[3][5]`.
struct BufferInfo {
  std::string name;
  std::uint32_t element_bytes = 4;
  std::uint32_t width = 0;  // elements that a row holds; 0: a flat array
  std::uint32_t pitch = 0;  // elements from row to row
  bool read_only = false;   // constants
  bool input = false;       // a kernel may read it alone: a store or an atomic is a mistake
  bool initialized = true;  // false: reading a word that the launch has not written is a mistake
};

struct Allocation {
  BufferInfo info;
  std::uint64_t address = 0;
  std::uint64_t size = 0;     // bytes
  std::byte* data = nullptr;  // in `owner`
  std::variant<std::vector<std::byte>, SharedBuffer> owner;
  /// What a launch did with it so far; set by any host thread.
  std::atomic<bool> read{false};
  std::atomic<bool> written{false};
  bool traced = false;  // every access is recorded, and checked for races
  bool freed = false;   // a block of the heap without bytes: kept to name what still uses it
  /// The thread of this launch that wrote each 4-byte word, counted through all blocks from 1; 0
  /// for none.
  std::unique_ptr<std::uint32_t[], void (*)(void*)> writers{nullptr, nullptr};

  std::span<std::byte> bytes() { return {data, static_cast<std::size_t>(size)}; }
  std::span<const std::byte> bytes() const { return {data, static_cast<std::size_t>(size)}; }
};

/// What memory holds that nobody wrote: a quiet NaN, an unlikely integer.
inline constexpr std::uint32_t kPoison = 0x7fc0deadu;

/// The least multiple of `unit` that is not below `value`.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Fills whole words with `poison`.
void fill_with_poison(std::span<std::byte> bytes, std::uint32_t poison = kPoison);

class DeviceMemory {
 public:
  /// Whether another process can be shown what allocate() reserves.
  enum class Storage { own, shared };
  explicit DeviceMemory(Storage storage = Storage::own) : storage_(storage) {}

  /// Reserves `size` bytes (0 is allowed) and returns the address, a multiple of 256. Contents are
  /// zero. Throws std::bad_alloc, or for shared storage std::system_error.
  std::uint64_t allocate(BufferInfo info, std::uint64_t size);

  /// The same with these contents, in memory that no other process sees.
  std::uint64_t allocate(BufferInfo info, std::vector<std::byte> contents);

  /// The same at a given address, which no other allocation may overlap.
  void place(BufferInfo info, std::uint64_t address, std::uint64_t size);
  void place(BufferInfo info, std::uint64_t address, std::vector<std::byte> contents);

  /// The same for bytes that another process made.
  void place(BufferInfo info, std::uint64_t address, SharedBuffer bytes);

  /// The same during a launch, traced as all others are. One host thread runs it alone.
  void place_while_running(BufferInfo info, std::uint64_t address, std::uint64_t size);

  /// Removes the allocation that starts at `address`, if there is one.
  void remove(std::uint64_t address);

  /// Removes those that start in [low, high).
  void remove_between(std::uint64_t low, std::uint64_t high);

  /// Gives the bytes back and keeps the rest, as `freed`; removes all that are.
  static void free(Allocation& allocation);
  void remove_freed();

  /// The allocation that starts at `address`, a freed one too; else nullptr.
  Allocation* starting_at(std::uint64_t address);

  /// The allocation that holds `address` and is not freed, else nullptr.
  Allocation* find(std::uint64_t address);
  const Allocation* find(std::uint64_t address) const;

  /// The allocation nearest to `address`, for messages; nullptr where it is nowhere near one. A
  /// freed one where `address` was in it.
  const Allocation* nearest(std::uint64_t address) const;

  /// All of them, by rising address.
  const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }

  /// Contents of the allocation that starts at `address`. Throws std::invalid_argument for another
  /// address.
  std::span<std::byte> bytes(std::uint64_t address);

  /// Forgets who read and wrote what. `traced` says which buffers to trace; read-only ones never
  /// are, and inputs neither: a store to one is told as such.
  enum class Traced { none, written, all };  // written: by the launch that ended last
  void start_launch(Traced traced);

  /// Whether some allocation was both read and written since start_launch().
  bool read_and_written() const;

  /// The contents of all allocations, and back.
  using Snapshot = std::vector<std::vector<std::byte>>;
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);

 private:
  std::uint64_t next_address() const;
  Allocation& insert(BufferInfo info, std::uint64_t address, std::uint64_t size);
  /// The first that starts behind `address`.
  std::size_t first_after(std::uint64_t address) const;
  static void start(Allocation& allocation, bool traced);

  Storage storage_;
  bool traces_all_ = false;  // in the launch that runs
  std::vector<std::unique_ptr<Allocation>> allocations_;
};

}  // namespace tessera
