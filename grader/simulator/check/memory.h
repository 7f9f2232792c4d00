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

/// What a message needs to name an address, as in `C[3][5]`, and how kernels may use the buffer.
struct BufferInfo {
  std::string name;
  std::uint32_t element_bytes = 4;
  std::uint32_t width = 0;  // elements of a row; 0: a flat array
  std::uint32_t pitch = 0;  // elements from one row to the next
  bool read_only = false;   // constants
  bool input = false;       // a kernel may only read it: a store or an atomic is a mistake
  bool initialized = true;  // false: reading a word that the launch has not written is a mistake
  /// If not initialized: words that do not hold kPoison were written before the launch.
  bool partly_written = false;
};

struct Allocation {
  BufferInfo info;
  std::uint64_t address = 0;
  std::uint64_t size = 0;     // bytes
  std::byte* data = nullptr;  // in `owner`
  std::variant<std::vector<std::byte>, SharedBuffer> owner;
  /// What the launch has done with it so far; set by any host thread.
  std::atomic<bool> read{false};
  std::atomic<bool> written{false};
  bool traced = false;  // every access is recorded, and checked for races
  bool freed = false;   // a freed block of the heap: kept, without its bytes, to report later uses
  /// For each 4-byte word, which thread of this launch wrote it: threads are numbered from 1 across
  /// all blocks, and 0 is none.
  std::unique_ptr<std::uint32_t[], void (*)(void*)> writers{nullptr, nullptr};
  /// For each of these words, a bit for each byte that this launch wrote; null if bytes are not
  /// followed.
  std::unique_ptr<std::uint8_t[], void (*)(void*)> written_bytes{nullptr, nullptr};

  std::span<std::byte> bytes() { return {data, static_cast<std::size_t>(size)}; }
  std::span<const std::byte> bytes() const { return {data, static_cast<std::size_t>(size)}; }
};

/// What unwritten memory holds: a quiet NaN, and an unlikely integer.
inline constexpr std::uint32_t kPoison = 0x7fc0deadu;

/// Returns the least multiple of `unit` that is not below `value`.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Fills whole words with `poison`.
void fill_with_poison(std::span<std::byte> bytes, std::uint32_t poison = kPoison);

class DeviceMemory {
 public:
  /// Whether what allocate() reserves can be shared with another process.
  enum class Storage { own, shared };
  explicit DeviceMemory(Storage storage = Storage::own) : storage_(storage) {}

  /// Reserves `size` bytes (0 is allowed), filled with zeros, and returns their address, a multiple
  /// of 256. Throws std::bad_alloc, or for shared storage std::system_error.
  std::uint64_t allocate(BufferInfo info, std::uint64_t size);

  /// Does the same with these contents, in memory that no other process sees.
  std::uint64_t allocate(BufferInfo info, std::vector<std::byte> contents);

  /// Does the same at a given address, which no other allocation may overlap.
  void place(BufferInfo info, std::uint64_t address, std::uint64_t size);
  void place(BufferInfo info, std::uint64_t address, std::vector<std::byte> contents);

  /// Does the same for bytes that another process made.
  void place(BufferInfo info, std::uint64_t address, SharedBuffer bytes);

  /// Does the same during a launch, traced as the other allocations are. The launch must run on one
  /// host thread.
  void place_while_running(BufferInfo info, std::uint64_t address, std::uint64_t size);

  /// Removes the allocation that starts at `address`, if there is one.
  void remove(std::uint64_t address);

  /// Removes the allocations that start in [low, high).
  void remove_between(std::uint64_t low, std::uint64_t high);

  /// free() gives the bytes back and keeps the allocation as `freed`; remove_freed() removes all
  /// such allocations.
  static void free(Allocation& allocation);
  void remove_freed();

  /// Returns the allocation that starts at `address`, even if it is freed; nullptr if there is
  /// none.
  Allocation* starting_at(std::uint64_t address);

  /// Returns the allocation that holds `address` and is not freed; nullptr if there is none.
  Allocation* find(std::uint64_t address);
  const Allocation* find(std::uint64_t address) const;

  /// Returns the allocation nearest to `address`, for messages; it may be a freed one. nullptr if
  /// no allocation is near.
  const Allocation* nearest(std::uint64_t address) const;

  /// All allocations, by rising address.
  const std::vector<std::unique_ptr<Allocation>>& allocations() const { return allocations_; }

  /// Returns the contents of the allocation that starts at `address`. Throws std::invalid_argument
  /// if there is none.
  std::span<std::byte> bytes(std::uint64_t address);

  /// Whether launches from now on access less than a word, so that written bytes are followed.
  void follow_bytes(bool bytes) { follows_bytes_ = bytes; }

  /// Forgets all reads and writes. `traced` says which buffers to trace. Read-only buffers and
  /// inputs are never traced: a store to them has a finding of its own.
  enum class Traced { none, written, all };  // written: those that the last launch wrote
  void start_launch(Traced traced);

  /// Whether some allocation was both read and written since start_launch().
  bool read_and_written() const;

  /// Copies the contents of all allocations, and puts them back.
  using Snapshot = std::vector<std::vector<std::byte>>;
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);

 private:
  std::uint64_t next_address() const;
  Allocation& insert(BufferInfo info, std::uint64_t address, std::uint64_t size);
  /// The index of the first allocation that starts after `address`.
  std::size_t first_after(std::uint64_t address) const;
  void start(Allocation& allocation, bool traced) const;

  Storage storage_;
  bool follows_bytes_ = false;
  bool traces_all_ = false;  // in the running launch
  std::vector<std::unique_ptr<Allocation>> allocations_;
};

/// While it lives, buffers that hold no values yet use other bytes in place of their own, all zero.
class ScratchResults {
 public:
  explicit ScratchResults(DeviceMemory& memory);
  ~ScratchResults();
  ScratchResults(const ScratchResults&) = delete;
  ScratchResults& operator=(const ScratchResults&) = delete;

 private:
  struct Replaced {
    Allocation* allocation = nullptr;
    std::byte* data = nullptr;  // its own
  };
  std::vector<Replaced> replaced_;
};

}  // namespace tessera
