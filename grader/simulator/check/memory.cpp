#include "grader/simulator/check/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

namespace tessera {
namespace {

/// So many zeroes, for std::free. Untouched pages of them take no memory.
template <class T>
T* zeroes(std::uint64_t count) {
  void* const memory = std::calloc(count, sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<T*>(memory);
}

constexpr std::uint64_t kFirstAddress = std::uint64_t{0x7000} << 32;
constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kLeastGuard = std::uint64_t{1} << 24;
// Up to this distance, messages describe a stray address by the nearest buffer.
constexpr std::uint64_t kNear = std::uint64_t{1} << 33;

}  // namespace

void fill_with_poison(std::span<std::byte> bytes, std::uint32_t poison) {
  for (std::size_t at = 0; at + sizeof poison <= bytes.size(); at += sizeof poison)
    std::memcpy(&bytes[at], &poison, sizeof poison);
}

std::uint64_t DeviceMemory::next_address() const {
  std::uint64_t address = kFirstAddress;
  for (const auto& allocation : allocations_) {
    // Guards grow with the buffer, so that even an index wrong by a factor reaches no other buffer.
    const std::uint64_t guard = std::max(kLeastGuard, round_up(allocation->size, kAlignment));
    if (allocation->address >= kFirstAddress)
      address = round_up(allocation->address + allocation->size, kAlignment) + guard;
  }
  return address;
}

std::uint64_t DeviceMemory::allocate(BufferInfo info, std::uint64_t size) {
  const std::uint64_t address = next_address();
  if (storage_ == Storage::shared) {
    place(std::move(info), address, SharedBuffer(size));
  } else {
    place(std::move(info), address, size);
  }
  return address;
}

std::uint64_t DeviceMemory::allocate(BufferInfo info, std::vector<std::byte> contents) {
  const std::uint64_t address = next_address();
  place(std::move(info), address, std::move(contents));
  return address;
}

void DeviceMemory::place(BufferInfo info, std::uint64_t address, std::uint64_t size) {
  place(std::move(info), address, std::vector<std::byte>(size));
}

void DeviceMemory::place(BufferInfo info, std::uint64_t address, std::vector<std::byte> contents) {
  Allocation& allocation = insert(std::move(info), address, contents.size());
  allocation.data = contents.data();
  allocation.owner = std::move(contents);
}

void DeviceMemory::place(BufferInfo info, std::uint64_t address, SharedBuffer bytes) {
  Allocation& allocation = insert(std::move(info), address, bytes.bytes().size());
  allocation.data = bytes.bytes().data();
  allocation.owner = std::move(bytes);
}

void DeviceMemory::place_while_running(BufferInfo info, std::uint64_t address, std::uint64_t size) {
  place(std::move(info), address, size);
  start(*starting_at(address), traces_all_);
}

Allocation& DeviceMemory::insert(BufferInfo info, std::uint64_t address, std::uint64_t size) {
  auto allocation = std::make_unique<Allocation>();
  allocation->info = std::move(info);
  allocation->address = address;
  allocation->size = size;
  const auto after = allocations_.begin() + static_cast<std::ptrdiff_t>(first_after(address));
  return **allocations_.insert(after, std::move(allocation));
}

std::size_t DeviceMemory::first_after(std::uint64_t address) const {
  const auto after = std::upper_bound(
      allocations_.begin(), allocations_.end(), address,
      [](std::uint64_t value, const auto& allocation) { return value < allocation->address; });
  return static_cast<std::size_t>(after - allocations_.begin());
}

void DeviceMemory::remove(std::uint64_t address) {
  remove_between(address, address + 1);
}

void DeviceMemory::remove_between(std::uint64_t low, std::uint64_t high) {
  std::erase_if(allocations_, [&](const auto& allocation) {
    return allocation->address >= low && allocation->address < high;
  });
}

void DeviceMemory::free(Allocation& allocation) {
  allocation.freed = true;
  allocation.data = nullptr;
  allocation.owner = std::vector<std::byte>();
  allocation.writers.reset();
  allocation.written_bytes.reset();
}

void DeviceMemory::remove_freed() {
  std::erase_if(allocations_, [](const auto& allocation) { return allocation->freed; });
}

Allocation* DeviceMemory::starting_at(std::uint64_t address) {
  const std::size_t after = first_after(address);
  if (after == 0 || allocations_[after - 1]->address != address) return nullptr;
  return allocations_[after - 1].get();
}

Allocation* DeviceMemory::find(std::uint64_t address) {
  return const_cast<Allocation*>(std::as_const(*this).find(address));
}

const Allocation* DeviceMemory::find(std::uint64_t address) const {
  const std::size_t after = first_after(address);
  if (after == 0) return nullptr;
  const Allocation* candidate = allocations_[after - 1].get();
  const bool held = !candidate->freed && address - candidate->address < candidate->size;
  return held ? candidate : nullptr;
}

const Allocation* DeviceMemory::nearest(std::uint64_t address) const {
  const Allocation* best = nullptr;
  std::uint64_t least = kNear;
  const std::size_t after = first_after(address);
  for (std::size_t i = after == 0 ? 0 : after - 1; i < std::min(after + 1, allocations_.size());
       ++i) {
    const Allocation& candidate = *allocations_[i];
    const std::uint64_t end = candidate.address + candidate.size;
    const std::uint64_t gap = address < candidate.address ? candidate.address - address
                              : address >= end            ? address - end
                                                          : 0;
    if (gap < least) {
      least = gap;
      best = &candidate;
    }
  }
  return best;
}

std::span<std::byte> DeviceMemory::bytes(std::uint64_t address) {
  for (const auto& allocation : allocations_) {
    if (allocation->address == address) return allocation->bytes();
  }
  throw std::invalid_argument("no buffer starts at this address");
}

void DeviceMemory::start_launch(Traced traced) {
  traces_all_ = traced == Traced::all;
  for (const auto& allocation : allocations_)
    start(*allocation, traces_all_ || (traced == Traced::written && allocation->written));
}

void DeviceMemory::start(Allocation& allocation, bool traced) const {
  allocation.traced = traced && !allocation.info.read_only && !allocation.info.input;
  allocation.read = false;
  allocation.written = false;
  const std::uint64_t words = allocation.size / 4 + 1;
  allocation.writers = {zeroes<std::uint32_t>(words), std::free};
  allocation.written_bytes.reset();
  if (follows_bytes_) allocation.written_bytes = {zeroes<std::uint8_t>(words), std::free};
}

bool DeviceMemory::read_and_written() const {
  return std::any_of(allocations_.begin(), allocations_.end(), [](const auto& allocation) {
    return allocation->read && allocation->written;
  });
}

ScratchResults::ScratchResults(DeviceMemory& memory) {
  for (const auto& allocation : memory.allocations()) {
    if (allocation->info.initialized) continue;
    std::byte* const scratch = zeroes<std::byte>(allocation->size + 1);
    if (allocation->info.partly_written) std::copy_n(allocation->data, allocation->size, scratch);
    replaced_.push_back({allocation.get(), std::exchange(allocation->data, scratch)});
  }
}

ScratchResults::~ScratchResults() {
  for (const auto& [allocation, data] : replaced_) std::free(std::exchange(allocation->data, data));
}

DeviceMemory::Snapshot DeviceMemory::snapshot() const {
  Snapshot result;
  for (const auto& allocation : allocations_) {
    const std::span<const std::byte> bytes = std::as_const(*allocation).bytes();
    result.emplace_back(bytes.begin(), bytes.end());
  }
  return result;
}

void DeviceMemory::restore(const Snapshot& snapshot) {
  for (std::size_t i = 0; i < allocations_.size(); ++i) {
    std::copy(snapshot.at(i).begin(), snapshot.at(i).end(), allocations_[i]->data);
  }
}

}  // namespace tessera
