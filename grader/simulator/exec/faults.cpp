// Checks the access of one lane by itself: finds the memory that it reaches, or notes a finding.
#include <fmt/format.h>

#include <algorithm>

#include "grader/simulator/check/bounds_text.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

using ptx::Space;

/// Whether [address, address + bytes) lies in [start, start + size). Neither sum is computed, since
/// it could wrap.
bool inside(std::uint64_t address, std::uint64_t bytes, std::uint64_t start, std::uint64_t size) {
  return address >= start && bytes <= size && address - start <= size - bytes;
}

Phrase access_verb(Access access) {
  switch (access) {
    case Access::read:
      return Phrase::reads;
    case Access::write:
      return Phrase::writes;
    case Access::atomic:
      break;
  }
  return Phrase::updates;
}

void add_thread(const Warp& warp, unsigned lane, FindingNote& note) {
  name_thread(note, warp, lane);
}

FindingKey key_at(const Warp& warp, const Inst* inst, FindingKind kind, std::string subject) {
  return {kind, warp.frame->function, inst->source, std::move(subject)};
}

struct Said {
  Text message, hint;
};

/// Notes a mistake. `say_it()` returns message and hint, and is called only for the first note with
/// its key.
template <class F>
void note_plain(Warp& warp, const Inst* inst, unsigned lane, FindingKind kind, std::string subject,
                F say_it) {
  warp.worker->note(key_at(warp, inst, kind, std::move(subject)), 1, [&](FindingNote& note) {
    add_thread(warp, lane, note);
    Said said = say_it();
    note.message = std::move(said.message);
    note.hint = std::move(said.hint);
  });
}

ArrayExtents extents_of(const Allocation& allocation) {
  const BufferInfo& info = allocation.info;
  const std::uint64_t elements = allocation.size / info.element_bytes;
  ArrayExtents array{info.name, allocation.size, info.element_bytes, {elements}};
  if (info.width != 0 && info.pitch != 0) {
    array.extents = {(elements + info.pitch - 1) / info.pitch, info.width};
    array.pitch = info.pitch;
  }
  return array;
}

ArrayExtents extents_of(const SharedVariable& variable) {
  ArrayExtents array{variable.name, variable.size, variable.shape.element_bytes,
                     variable.shape.extents};
  if (array.extents.size() == 2) array.pitch = array.extents[1];
  array.shared = true;
  array.dynamic = variable.dynamic;
  return array;
}

bool is_first_of_grid(const Warp& warp, unsigned lane) {
  return warp.block->index == 0 && warp.index == 0 && lane == 0;
}

ArrayElement element_of(const Allocation& allocation, std::int64_t offset) {
  return element_name(allocation.info, offset);
}

ArrayElement element_of(const SharedVariable& variable, std::int64_t offset) {
  return variable.element(offset);
}

std::uint32_t element_bytes_of(const Allocation& allocation) {
  return allocation.info.element_bytes;
}

std::uint32_t element_bytes_of(const SharedVariable& variable) {
  return variable.shape.element_bytes;
}

AddressedBy addressed_by(const Warp& warp, const Inst* inst) {
  const std::string& text = warp.frame->function->texts[inst->source];
  return text.starts_with("wmma")       ? AddressedBy::fragment
         : text.starts_with("ldmatrix") ? AddressedBy::matrix_rows
         : text.starts_with("wgmma")    ? AddressedBy::descriptor
                                        : AddressedBy::thread;
}

/// One lane's access of `bytes` bytes that lies outside of `array`, wholly or in part.
template <class Array>
void note_outside(Warp& warp, const Inst* inst, unsigned lane, const Array& array,
                  const std::string& name, std::uint64_t address, unsigned bytes, Access access) {
  const auto reached = static_cast<std::int64_t>(address - array.address);
  const std::int64_t offset = unwrapped(reached, element_bytes_of(array));
  bool fresh = false;
  FindingNote& note =
      warp.worker->note_for(key_at(warp, inst, FindingKind::out_of_bounds, name), fresh);
  ++note.count;
  if (fresh) {
    add_thread(warp, lane, note);
    const ArrayElement element = element_of(array, offset);
    note.outside = Outside{.array = extents_of(array), .by = addressed_by(warp, inst)};
    note.message =
        outside_message(note.outside->array,
                        {.verb = access_verb(access),
                         .element = element,
                         .thread = {to_string(thread_of(warp, lane)), to_string(warp.block->id)},
                         .offset = offset,
                         .bytes = bytes});
    note.example.emplace_back("element", element.str());
  }
  Outside& outside = *note.outside;
  outside.before |= offset < 0;
  outside.wrapped |= offset != reached;
  outside.past |= offset >= 0;
  outside.stores |= access == Access::write;
  outside.by_first_thread |=
      offset >= static_cast<std::int64_t>(array.size) && is_first_of_grid(warp, lane);
}

void note_heap(Warp& warp, const Inst* inst, unsigned lane, const Allocation& block,
               std::uint64_t address, unsigned bytes, Access access) {
  const auto offset = static_cast<std::int64_t>(address - block.address);
  const bool in_freed = block.freed && address - block.address < block.size;
  if (in_freed) {
    return note_plain(warp, inst, lane, FindingKind::out_of_bounds, "freed heap block", [&] {
      return Said{say(Phrase::freed_block, access_verb(access), bytes), Phrase::freed_block_hint};
    });
  }
  const std::uint64_t distance =
      offset < 0 ? magnitude(offset) : address + bytes - block.address - block.size;
  note_plain(warp, inst, lane, FindingKind::out_of_bounds, block.info.name, [&] {
    return Said{say(offset < 0 ? Phrase::before_block : Phrase::past_block, access_verb(access),
                    distance, block.size),
                Phrase::outside_block_hint};
  });
}

/// The buffer that an access misses: the buffer beside `address`, or the buffer that was meant if
/// an unsigned index went below 0; nullptr if there is none.
const Allocation* missed_buffer(const DeviceMemory& memory, std::uint64_t address) {
  if (const Allocation* near = memory.nearest(address)) return near;
  for (const std::uint32_t element_bytes : {1, 2, 4, 8, 16}) {
    const std::uint64_t meant = address - (std::uint64_t{element_bytes} << 32);
    const Allocation* near = memory.nearest(meant);
    if (near != nullptr && near->info.element_bytes == element_bytes && meant < near->address)
      return near;
  }
  return nullptr;
}

void note_global(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address, unsigned bytes,
                 Access access) {
  const Allocation* near = missed_buffer(*warp.worker->launch->memory, address);
  if (near != nullptr && near->address - kHeapWindow < kHeapWindowSize)
    return note_heap(warp, inst, lane, *near, address, bytes, access);
  if (near != nullptr)
    return note_outside(warp, inst, lane, *near, near->info.name, address, bytes, access);
  note_plain(warp, inst, lane, FindingKind::out_of_bounds, "", [&] {
    return Said{say(address < 4096 ? Phrase::null_pointer : Phrase::no_buffer, access_verb(access),
                    hexadecimal(address)),
                warp.worker->heap->is_refusing ? say(Phrase::heap_full_hint, kHeapBytes >> 20)
                                               : Text(Phrase::no_buffer_hint)};
  });
}

/// The shared variable with the fewest bytes between it and `address`; nullptr if there is none.
const SharedVariable* nearest_shared(const Launch& launch, std::uint64_t address) {
  const SharedVariable* before = launch.shared_before(address);
  const SharedVariable* after = before == nullptr ? launch.shared.data() : before + 1;
  if (after == launch.shared.data() + launch.shared.size()) return before;
  if (before == nullptr) return after;
  const std::uint64_t end = before->address + before->size;
  return address < end || address - end <= after->address - address ? before : after;
}

void note_shared(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address, unsigned bytes,
                 Access access) {
  const SharedVariable* near = nearest_shared(*warp.worker->launch, address);
  if (near != nullptr)
    return note_outside(warp, inst, lane, *near, near->name, address, bytes, access);
  note_plain(warp, inst, lane, FindingKind::out_of_bounds, "shared memory", [&] {
    return Said{say(Phrase::no_shared_memory, access_verb(access)), Phrase::no_shared_memory_hint};
  });
}

void note_unwritten(Warp& warp, const Inst* inst, unsigned lane, const Allocation& allocation,
                    std::uint64_t offset) {
  const std::string& name = allocation.info.name;
  warp.worker->note(key_at(warp, inst, FindingKind::uninitialized_read, name), 1,
                    [&](FindingNote& note) {
                      add_thread(warp, lane, note);
                      const ArrayElement element =
                          element_name(allocation.info, static_cast<std::int64_t>(offset));
                      note.message = say(Phrase::reads_unwritten, element);
                      note.hint = say(Phrase::reads_unwritten_hint, Name{name});
                      note.example.emplace_back("element", element.str());
                    });
}

void note_input_write(Warp& warp, const Inst* inst, unsigned lane, const Allocation& allocation,
                      std::uint64_t offset, Access access) {
  const std::string& name = allocation.info.name;
  warp.worker->note(
      key_at(warp, inst, FindingKind::input_modified, name), 1, [&](FindingNote& note) {
        add_thread(warp, lane, note);
        const ArrayElement element =
            element_name(allocation.info, static_cast<std::int64_t>(offset));
        note.message = say(Phrase::writes_input, access_verb(access), element, Name{name});
        note.hint = Phrase::writes_input_hint;
        note.example.emplace_back("element", element.str());
      });
}

std::byte* global_pointer(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                          unsigned bytes, Access access, const std::byte* incoming) {
  Allocation* allocation = warp.worker->launch->memory->find(address);
  if (allocation == nullptr || !inside(address, bytes, allocation->address, allocation->size)) {
    note_global(warp, inst, lane, address, bytes, access);
    return nullptr;
  }
  if (access != Access::read && allocation->info.read_only) {
    note_plain(warp, inst, lane, FindingKind::read_only_write, allocation->info.name, [&] {
      return Said{say(Phrase::writes_constant, access_verb(access), Name{allocation->info.name}),
                  Phrase::writes_constant_hint};
    });
    return nullptr;
  }
  mark_use(*allocation, access);
  const std::uint64_t offset = address - allocation->address;
  if (sees_memory(inst, access) && !allocation->info.initialized &&
      !was_written(*allocation, offset, bytes)) {
    note_unwritten(warp, inst, lane, *allocation, offset);
  }
  if (access != Access::read && allocation->info.input)
    note_input_write(warp, inst, lane, *allocation, offset, access);
  if (access != Access::read) watch_write(warp, lane, *allocation, offset, bytes);
  if (allocation->traced)
    check_global_lane(warp, inst, lane, *allocation, offset, bytes, access, incoming);
  return allocation->data + (address - allocation->address);
}

/// ld.const may read only constant memory: no counter would count what it reads elsewhere.
std::byte* constant_pointer(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                            unsigned bytes) {
  Allocation* allocation = warp.worker->launch->memory->find(address);
  const bool held = allocation != nullptr && allocation->info.read_only &&
                    inside(address, bytes, allocation->address, allocation->size);
  if (held) return allocation->data + (address - allocation->address);
  note_global(warp, inst, lane, address, bytes, Access::read);
  return nullptr;
}

std::byte* shared_pointer(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                          unsigned bytes, Access access, const std::byte* incoming) {
  const Launch& launch = *warp.worker->launch;
  const SharedVariable* variable = launch.shared_before(address);
  if (variable != nullptr && inside(address, bytes, variable->address, variable->size)) {
    check_shared_lane(warp, inst, lane, *variable, address, bytes, access, incoming);
    return warp.worker->shared.data() + (address - launch.shared_low);
  }
  note_shared(warp, inst, lane, address, bytes, access);
  return nullptr;
}

/// Whether a load from local memory is an uninitialized read: all of its bytes are unwritten, or
/// one that the program uses as a number. Other unwritten bytes may be padding of a struct. A
/// struct without members has one byte, which is passed by value (kHandedOn) and never written.
bool reads_unwritten(const Inst* inst, std::vector<std::uint8_t>::const_iterator written,
                     unsigned bytes) {
  bool any = (inst->flags & MemoryFlags::kHandedOn) != 0;
  for (unsigned i = 0; i < bytes; ++i) {
    if (written[i] == 0 && (inst->numbers >> i & 1) != 0) return true;
    any = any || written[i] != 0;
  }
  return !any;
}

std::byte* local_pointer(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                         unsigned bytes, Access access) {
  const std::uint64_t end = warp.frame->local_base + warp.frame->function->local_bytes;
  if (inside(address, bytes, 0, end)) {
    const std::size_t at = lane * warp.local_stride + static_cast<std::size_t>(address);
    const auto written = warp.local_written.begin() + static_cast<std::ptrdiff_t>(at);
    if (access != Access::read) {
      std::fill_n(written, bytes, std::uint8_t{1});
    } else if (reads_unwritten(inst, written, bytes)) {
      note_plain(warp, inst, lane, FindingKind::uninitialized_read, "local", [&] {
        return Said{say(Phrase::reads_unwritten_local, bytes, address, end),
                    Phrase::reads_unwritten_local_hint};
      });
    }
    return warp.local.data() + at;
  }
  note_plain(warp, inst, lane, FindingKind::out_of_bounds, "local", [&] {
    return Said{say(Phrase::past_locals, access_verb(access), address - end,
                    warp.frame->function->local_bytes),
                Phrase::past_locals_hint};
  });
  return nullptr;
}

std::byte* parameter_pointer(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                             unsigned bytes) {
  if (inside(address, bytes, 0, warp.frame->function->parameter_bytes)) {
    return warp.frame->parameter(lane, static_cast<std::uint32_t>(address));
  }
  note_plain(warp, inst, lane, FindingKind::out_of_bounds, "parameters", [&] {
    return Said{Phrase::past_parameters, Phrase::past_parameters_hint};
  });
  return nullptr;
}

/// The bytes of a load up to the end of the last element that the program reads here.
unsigned bytes_until_unused(const Inst* inst, unsigned bytes) {
  while (bytes != 0 &&
         MemoryFlags::has_element(inst->flags, MemoryFlags::kUnused, bytes / inst->size - 1))
    bytes -= inst->size;
  return bytes;
}

}  // namespace

Detail hexadecimal(std::uint64_t address) {
  return fmt::format("{:#x}", address);
}

ArrayElement element_name(const BufferInfo& info, std::int64_t offset) {
  const auto size = static_cast<std::int64_t>(info.element_bytes);
  std::int64_t index = offset / size;
  if (offset < 0 && offset % size != 0) --index;
  if (info.width == 0 || info.pitch == 0) return {info.name, fmt::format("[{}]", index)};
  const auto pitch = static_cast<std::int64_t>(info.pitch);
  std::int64_t row = index / pitch;
  if (index % pitch < 0) --row;
  return {info.name, fmt::format("[{}][{}]", row, index - row * pitch)};
}

ArrayElement SharedVariable::element(std::int64_t offset) const {
  const bool known = std::ranges::find(shape.extents, 0u) == shape.extents.end();
  const std::string index = known ? element_index(shape, offset) : "";
  if (!index.empty()) return {name, index};
  if (offset == 0 && piece) return {name, "[...]"};
  if (offset == 0 && size != 0 && size <= sizeof(std::uint64_t)) return {name, ""};
  return {name, fmt::format(" {} {} bytes", offset < 0 ? '-' : '+', magnitude(offset))};
}

bool sees_memory(const Inst* inst, Access access) {
  return access == Access::read ||
         (access == Access::atomic &&
          (inst->flags & (AtomicFlags::kOverwrites | AtomicFlags::kResult)) !=
              AtomicFlags::kOverwrites);
}

void mark_use(Allocation& allocation, Access access) {
  std::atomic<bool>& flag = access == Access::read ? allocation.read : allocation.written;
  if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
}

namespace {

/// Those of the 4 bytes of a word that belong to `width` bytes at `offset`, a bit for each.
std::uint8_t bytes_of_word(std::uint64_t word, std::uint64_t offset, unsigned width) {
  const std::uint64_t first = std::max(offset, word * 4) - word * 4;
  const std::uint64_t end = std::min(offset + width, word * 4 + 4) - word * 4;
  return static_cast<std::uint8_t>((1u << end) - (1u << first));
}

/// Whether a word of an array that was partly written has been written: before the launch, or by
/// it.
bool held_data(const Allocation& allocation, std::uint64_t word) {
  if (4 * word + 4 > allocation.size) return true;
  auto& bits = *reinterpret_cast<std::uint32_t*>(allocation.data + 4 * word);
  return std::atomic_ref(bits).load(std::memory_order_relaxed) != kPoison;
}

}  // namespace

bool was_written(const Allocation& allocation, std::uint64_t offset, unsigned width) {
  for (std::uint64_t word = offset / 4; word <= (offset + width - 1) / 4; ++word) {
    if (allocation.info.partly_written && held_data(allocation, word)) continue;
    if (allocation.written_bytes) {
      const std::uint8_t read = bytes_of_word(word, offset, width);
      const std::uint8_t written =
          std::atomic_ref(allocation.written_bytes[word]).load(std::memory_order_relaxed);
      if ((read & ~written) != 0) return false;
    } else if (std::atomic_ref(allocation.writers[word]).load(std::memory_order_relaxed) == 0) {
      return false;
    }
  }
  return true;
}

void watch_write(const Warp& warp, unsigned lane, const Allocation& allocation,
                 std::uint64_t offset, unsigned width) {
  const Block& block = *warp.block;
  const auto self =
      static_cast<std::uint32_t>(block.index * block.threads + warp.index * kLanes + lane + 1);
  const auto check = [&](std::uint32_t before) {
    if (before != 0 && before != self)
      warp.worker->launch->clash.store(true, std::memory_order_relaxed);
  };
  if (offset % 8 == 0 && width % 8 == 0 && !allocation.written_bytes) {  // half as many exchanges
    using Pair [[gnu::may_alias]] = std::uint64_t;
    for (std::uint64_t word = offset / 4; word < (offset + width) / 4; word += 2) {
      auto* const pair = reinterpret_cast<Pair*>(&allocation.writers[word]);
      const std::uint64_t before =
          __atomic_exchange_n(pair, std::uint64_t{self} << 32 | self, __ATOMIC_RELAXED);
      check(static_cast<std::uint32_t>(before));
      check(static_cast<std::uint32_t>(before >> 32));
    }
    return;
  }
  for (std::uint64_t word = offset / 4; word <= (offset + width - 1) / 4; ++word) {
    check(std::atomic_ref(allocation.writers[word]).exchange(self, std::memory_order_relaxed));
    if (allocation.written_bytes)
      std::atomic_ref(allocation.written_bytes[word])
          .fetch_or(bytes_of_word(word, offset, width), std::memory_order_relaxed);
  }
}

const std::byte* host_at(const Warp& warp, unsigned lane, Space space, std::uint64_t address,
                         unsigned bytes) {
  const Launch& launch = *warp.worker->launch;
  if (space == Space::generic) {
    if (is_shared_address(address))
      return host_at(warp, lane, Space::shared, address - kSharedWindow, bytes);
    if (is_local_address(address))
      return host_at(warp, lane, Space::local, address - kLocalWindow, bytes);
  }
  if (space == Space::shared) {
    const SharedVariable* variable = launch.shared_before(address);
    const bool held =
        variable != nullptr && inside(address, bytes, variable->address, variable->size);
    return held ? warp.worker->shared.data() + (address - launch.shared_low) : nullptr;
  }
  if (space == Space::local) {
    const std::uint64_t end = warp.frame->local_base + warp.frame->function->local_bytes;
    const bool held = inside(address, bytes, 0, end);
    return held ? warp.local.data() + lane * warp.local_stride + address : nullptr;
  }
  if (space == Space::param) {
    const bool held = inside(address, bytes, 0, warp.frame->function->parameter_bytes);
    return held ? warp.frame->parameter(lane, static_cast<std::uint32_t>(address)) : nullptr;
  }
  const Allocation* allocation = launch.memory->find(address);
  const bool held = allocation != nullptr &&
                    inside(address, bytes, allocation->address, allocation->size) &&
                    (space != Space::constant || allocation->info.read_only);
  return held ? allocation->data + (address - allocation->address) : nullptr;
}

std::byte* lane_pointer(Warp& warp, const Inst* inst, unsigned lane, Space space,
                        std::uint64_t address, unsigned bytes, Access access,
                        const std::byte* incoming) {
  // A check of one lane costs a step: a whole warp at once would be one instruction.
  warp.worker->charge(1);
  const unsigned alignment = bytes & (~bytes + 1);
  if (address % alignment != 0) {
    note_plain(warp, inst, lane, FindingKind::misaligned, "", [&] {
      return Said{
          say(Phrase::misaligned, access_verb(access), bytes, hexadecimal(address), alignment),
          Phrase::misaligned_hint};
    });
    return nullptr;  // the hardware ends the kernel here
  }
  if (access == Access::read && (inst->flags & MemoryFlags::kAnyUnused) != 0) {
    const unsigned read = bytes_until_unused(inst, bytes);
    const bool may_lie_outside = (inst->flags & MemoryFlags::kAllInside) == 0;
    if (may_lie_outside || host_at(warp, lane, space, address, bytes) != nullptr) bytes = read;
    if (bytes == 0) return nullptr;
  }
  switch (space) {
    case Space::shared:
      return shared_pointer(warp, inst, lane, address, bytes, access, incoming);
    case Space::local:
      return local_pointer(warp, inst, lane, address, bytes, access);
    case Space::param:
      return parameter_pointer(warp, inst, lane, address, bytes);
    case Space::generic:
      if (is_shared_address(address))
        return shared_pointer(warp, inst, lane, address - kSharedWindow, bytes, access, incoming);
      if (is_local_address(address) && access != Access::atomic)
        return local_pointer(warp, inst, lane, address - kLocalWindow, bytes, access);
      return global_pointer(warp, inst, lane, address, bytes, access, incoming);
    case Space::constant:
      return constant_pointer(warp, inst, lane, address, bytes);
    case Space::global:
      return global_pointer(warp, inst, lane, address, bytes, access, incoming);
  }
  return nullptr;
}

}  // namespace tessera::sim
