#include "grader/simulator/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

namespace tessera {
namespace {

constexpr std::uint64_t kFirstAddress = std::uint64_t{0x7000} << 32;
constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kLeastGuard = std::uint64_t{1} << 24;
// How far from a buffer a stray address is still told in terms of it.
constexpr std::uint64_t kNear = std::uint64_t{1} << 33;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

void fill_with_poison(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at + sizeof kPoison <= bytes.size(); at += sizeof kPoison)
    std::memcpy(&bytes[at], &kPoison, sizeof kPoison);
}

std::uint64_t DeviceMemory::allocate(BufferInfo info, std::uint64_t size) {
  std::uint64_t address = kFirstAddress;
  for (const auto& allocation : allocations_) {
    // Guards grow with the buffer, so that an index wrong by a factor still hits no neighbour.
    const std::uint64_t guard = std::max(kLeastGuard, round_up(allocation->size, kAlignment));
    if (allocation->address >= kFirstAddress)
      address = round_up(allocation->address + allocation->size, kAlignment) + guard;
  }
  if (storage_ == Storage::shared) {
    place(std::move(info), address, SharedBuffer(size));
  } else {
    place(std::move(info), address, size);
  }
  return address;
}

void DeviceMemory::place(BufferInfo info, std::uint64_t address, std::uint64_t size) {
  auto bytes = std::make_unique<std::byte[]>(size);
  Allocation& allocation = insert(std::move(info), address, size);
  allocation.data = bytes.get();
  allocation.owner = std::move(bytes);
}

void DeviceMemory::place(BufferInfo info, std::uint64_t address, SharedBuffer bytes) {
  Allocation& allocation = insert(std::move(info), address, bytes.bytes().size());
  allocation.data = bytes.bytes().data();
  allocation.owner = std::move(bytes);
}

Allocation& DeviceMemory::insert(BufferInfo info, std::uint64_t address, std::uint64_t size) {
  auto allocation = std::make_unique<Allocation>();
  allocation->info = std::move(info);
  allocation->address = address;
  allocation->size = size;
  const auto after = std::upper_bound(
      allocations_.begin(), allocations_.end(), address,
      [](std::uint64_t value, const auto& other) { return value < other->address; });
  return **allocations_.insert(after, std::move(allocation));
}

void DeviceMemory::remove(std::uint64_t address) {
  std::erase_if(allocations_,
                [&](const auto& allocation) { return allocation->address == address; });
}

Allocation* DeviceMemory::find(std::uint64_t address) {
  return const_cast<Allocation*>(std::as_const(*this).find(address));
}

const Allocation* DeviceMemory::find(std::uint64_t address) const {
  const auto after = std::upper_bound(
      allocations_.begin(), allocations_.end(), address,
      [](std::uint64_t value, const auto& other) { return value < other->address; });
  if (after == allocations_.begin()) return nullptr;
  const Allocation* candidate = std::prev(after)->get();
  return address - candidate->address < candidate->size ? candidate : nullptr;
}

const Allocation* DeviceMemory::nearest(std::uint64_t address) const {
  const Allocation* best = nullptr;
  std::uint64_t least = kNear;
  for (const auto& allocation : allocations_) {
    const std::uint64_t end = allocation->address + allocation->size;
    const std::uint64_t gap = address < allocation->address ? allocation->address - address
                              : address >= end              ? address - end
                                                            : 0;
    if (gap < least) {
      least = gap;
      best = allocation.get();
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
  for (const auto& allocation : allocations_) {
    allocation->traced =
        !allocation->info.read_only &&
        (traced == Traced::all || (traced == Traced::written && allocation->written));
    allocation->read = false;
    allocation->written = false;
    // calloc leaves untouched pages out of memory.
    void* zeroes = std::calloc(allocation->size / 4 + 1, sizeof(std::uint32_t));
    if (zeroes == nullptr) throw std::bad_alloc();
    allocation->writers = {static_cast<std::uint32_t*>(zeroes), std::free};
  }
}

bool DeviceMemory::read_and_written() const {
  return std::any_of(allocations_.begin(), allocations_.end(), [](const auto& allocation) {
    return allocation->read && allocation->written;
  });
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
