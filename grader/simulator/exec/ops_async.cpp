// cp.async: a copy reads its source when it begins, and from then on its target counts as not
// written. The target is written when the lane waits for the copy, by the instruction that waits:
// so a missing barrier after the wait is a race of that instruction.
#include <algorithm>
#include <cstring>

#include "grader/simulator/exec/async_copies.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

using ptx::Space;

constexpr std::size_t kCopiesOfStep = 8;  // that are looked at in one step

void move_bytes(std::byte* to, const std::byte* from, unsigned bytes) {
  if (bytes == kWidestCopy) {  // mostly: the compiler knows how
    std::memcpy(to, from, kWidestCopy);
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// Reads the `bytes` bytes that one lane copies from `address`.
CopiedBytes load_lane(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                      unsigned bytes, const OpenAccess& access) {
  CopiedBytes loaded{.source = address, .from_source = static_cast<std::uint8_t>(bytes)};
  if (bytes == 0) return loaded;
  const std::byte* host = nullptr;
  const Allocation* source = access.allocation;
  if (access.host != nullptr) {
    host = access.host + (address - access.low);
  } else {
    const bool misaligned = address % inst->size != 0;
    host = lane_pointer(warp, inst, lane, Space::global, address, misaligned ? inst->size : bytes,
                        Access::read);
    source = std::as_const(*warp.worker->launch->memory).find(address);
  }
  if (host == nullptr) {
    fill_with_poison(loaded.bytes, warp.worker->launch->poison);
    loaded.from_source = 0;
    return loaded;
  }
  move_bytes(loaded.bytes.data(), host, bytes);
  loaded.may_change = !source->info.input && !source->info.read_only;
  return loaded;
}

/// Whether a thread of the block has stored into the source behind a barrier that followed the
/// copy's beginning, whatever is there now.
bool is_stored_since(Warp& warp, const AsyncCopy& copy, const Allocation& source) {
  if (!source.traced) return false;
  Trace& trace = warp.worker->history.trace_of(source, warp.worker->launch->global_granule);
  const std::uint64_t offset = copy.data.source - source.address;
  const std::size_t last = trace.granule(offset + copy.data.from_source - 1);
  for (std::size_t at = trace.granule(offset); at <= last; ++at) {
    const Footprint& store = trace[at].write;
    if (store.block == warp.block->index + 1 && store.epoch > copy.epoch) return true;
  }
  return false;
}

/// Checks that no store may have changed the source while the copy was on its way: the copy may
/// read it as late as here.
void check_source(Warp& warp, const Inst* inst, unsigned lane, const AsyncCopy& copy) {
  const CopiedBytes& data = copy.data;
  if (!data.may_change || data.from_source == 0) return;
  const DeviceMemory& memory = *warp.worker->launch->memory;
  const Allocation* source = memory.find(data.source);
  if (source == nullptr) return;  // freed
  const std::byte* now =
      lane_pointer(warp, inst, lane, Space::global, data.source, data.from_source, Access::read);
  if (now == nullptr || (std::memcmp(now, data.bytes.data(), data.from_source) == 0 &&
                         !is_stored_since(warp, copy, *source)))
    return;
  const FindingKey key{FindingKind::unfinished_copy, warp.frame->function, inst->source,
                       source->info.name, copy.site};
  warp.worker->note(key, 1, [&](FindingNote& note) {
    note.unfinished.emplace();
    const std::uint64_t offset = data.source - source->address;
    note.unfinished->element = element_name(source->info, static_cast<std::int64_t>(offset));
    note.unfinished->source_changed = true;
    name_thread(note, warp, lane);
  });
}

/// The time at which a copy that arrives now counts as made. If it arrives at an mbarrier too, that
/// is when its thread asked for it: the arrival there releases the copy.
std::uint64_t time_of(const Warp& warp, unsigned lane, const AsyncCopy& copy) {
  const std::vector<CopyArrival>& arrivals = warp.copies.lanes[lane].arrivals;
  const auto first = std::ranges::find_if(
      arrivals, [&](const CopyArrival& arrival) { return copy.number < arrival.begun; });
  return first == arrivals.end() ? warp.steps : first->steps;
}

void arrive(Warp& warp, const Inst* inst, unsigned lane, const AsyncCopy& copy) {
  --warp.block->copies;
  warp.worker->charge(1);
  const std::uint64_t steps = std::exchange(warp.steps, time_of(warp, lane, copy));
  check_source(warp, inst, lane, copy);
  const Launch& launch = *warp.worker->launch;
  std::byte* to = warp.worker->shared.data() + (copy.target - launch.shared_low);
  if (!copied_clean(warp, inst, lane, copy.target, copy.bytes))
    lane_pointer(warp, inst, lane, Space::shared, copy.target, copy.bytes, Access::write,
                 copy.data.bytes.data());
  warp.steps = steps;
  move_bytes(to, copy.data.bytes.data(), copy.bytes);
  if (copy.epoch != warp.worker->history.epoch) return;
  // A race with the copy is one with the instruction that began it, unless a barrier followed.
  Shadow& shadow = warp.worker->history.shadow;
  const std::uint64_t offset = copy.target - launch.shared_low;
  for (std::size_t at = shadow.granule(offset); at <= shadow.granule(offset + copy.bytes - 1); ++at)
    shadow.writes.site[at] = copy.site;
}

void remove_arrived(LaneCopies& copies) {
  if (2 * copies.arrived < copies.all.size()) return;
  copies.all.erase(copies.all.begin(),
                   copies.all.begin() + static_cast<std::ptrdiff_t>(copies.arrived));
  copies.arrived = 0;
  copies.shrink();
}

}  // namespace

const Inst* load_for_copy(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  warp.worker->charge(static_cast<std::uint64_t>(std::popcount(mask)));
  const bool partly = (inst->flags & CopyFlags::kPartly) != 0;
  Mask reading = mask;  // a lane that only fills with zeros reads nothing
  for_lanes(partly ? mask : 0, [&](unsigned lane) {
    if (warp.reg<std::uint32_t>(inst->c)[lane] == 0) reading &= ~(Mask{1} << lane);
  });
  const OpenAccess access = reading == 0 ? OpenAccess{} : open_copied_load(warp, inst, reading);
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t address = lane_address(warp, inst, lane);
    const std::uint32_t kept = partly ? warp.reg<std::uint32_t>(inst->c)[lane] : inst->size;
    warp.copies.loaded[lane] =
        load_lane(warp, inst, lane, address, std::min(kept, inst->size), access);
  });
  return inst + 1;
}

unsigned copy_wavefronts(Warp& warp, const Inst* inst, Mask mask) {
  std::array<std::uint64_t, kLanes> lines;  // of the sources, in the order of the lanes
  std::array<std::uint8_t, kLanes> line_of{};
  unsigned count = 0;
  bool rising = true;
  unsigned before = 0;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t line = warp.copies.loaded[lane].source / kCacheLineBytes;
    unsigned at = count;
    while (at > 0 && lines[at - 1] != line) --at;
    if (at == 0) {
      at = count++;
      lines[at] = line;
    } else {
      --at;
    }
    line_of[lane] = static_cast<std::uint8_t>(at);
    rising &= at >= before;
    before = at;
  });
  constexpr unsigned kBanks = kBankRowBytes / kBankBytes;
  std::array<unsigned, kBanks> ends{};  // the wavefront after the last one that writes to the bank
  const auto arrive = [&](unsigned lane) {
    const std::uint64_t word = lane_address(warp, inst, lane) / kBankBytes;
    for (std::uint64_t i = 0; i < inst->size / kBankBytes; ++i) {
      unsigned& end = ends[(word + i) % kBanks];
      end = std::max<unsigned>(end, line_of[lane]) + 1;
    }
  };
  if (rising) {
    for_lanes(mask, arrive);
  } else {
    for (unsigned line = 0; line < count; ++line)
      for_lanes(mask, [&](unsigned lane) {
        if (line_of[lane] == line) arrive(lane);
      });
  }
  return *std::ranges::max_element(ends);
}

const Inst* begin_copy(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  AsyncCopies& copies = warp.copies;
  copies.used = true;
  const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
  if (warp.block->copies + lanes > AsyncCopies::kMost)
    stop_as_unsupported(*warp.worker, *warp.frame->function, inst->source, "",
                        say(Phrase::too_many_copies, AsyncCopies::kMost));
  warp.worker->charge(lanes);
  const unsigned wavefronts = copy_wavefronts(warp, inst, mask);
  const bool inside = open_copy(warp, inst, mask, wavefronts).host != nullptr;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t address = lane_address(warp, inst, lane);
    const CopiedBytes& data = copies.loaded[lane];
    if (!(inside && copied_clean(warp, inst, lane, address, inst->size)) &&
        lane_pointer(warp, inst, lane, Space::shared, address, inst->size, Access::write,
                     data.bytes.data()) == nullptr)
      return;
    ++warp.block->copies;
    LaneCopies& own = copies.lanes[lane];
    AsyncCopy& copy = own.all.emplace_back();
    copy.data = data;
    copy.target = address;
    copy.site = inst->site;
    copy.epoch = warp.worker->history.epoch;
    copy.who = moment_of(warp, lane).who;
    copy.group = own.groups;
    copy.number = own.begun++;
    copy.bytes = static_cast<std::uint8_t>(inst->size);
  });
  return inst + 1;
}

const Inst* commit_copies(Warp& warp, const Inst* inst, Mask mask) {
  warp.copies.used = true;
  for_lanes(mask, [&](unsigned lane) { ++warp.copies.lanes[lane].groups; });
  return inst + 1;
}

const Inst* wait_for_copies(Warp& warp, const Inst* inst, Mask mask) {
  AsyncCopies& copies = warp.copies;
  if (mask == 0) return inst + 1;
  copies.used = true;
  copies.waited_in = warp.worker->history.epoch;
  if (inst->flags & CopyFlags::kAll) commit_copies(warp, inst, mask);
  for_lanes(mask, [&](unsigned lane) {
    LaneCopies& own = copies.lanes[lane];
    // A copy that belongs to no group yet has the number of the next one.
    while (own.arrived < own.all.size() && own.groups - own.all[own.arrived].group > inst->count)
      arrive(warp, inst, lane, own.all[own.arrived++]);
    remove_arrived(own);
    own.wait = {inst->site, inst->count, own.begun, own.groups};
  });
  return inst + 1;
}

void complete_copies(Warp& warp, const Inst* inst, unsigned lane, std::uint32_t begun) {
  LaneCopies& own = warp.copies.lanes[lane];
  while (own.arrived < own.all.size() && own.all[own.arrived].number < begun)
    arrive(warp, inst, lane, own.all[own.arrived++]);
  remove_arrived(own);
}

const AsyncCopy* copy_on_the_way(Worker& worker, std::uint32_t thread, std::uint64_t address) {
  const std::span<const AsyncCopy> copies =
      worker.block.warps[thread / kLanes].copies.lanes[thread % kLanes].on_the_way();
  worker.charge(copies.size() / kCopiesOfStep);
  const auto found = std::find_if(copies.rbegin(), copies.rend(), [&](const AsyncCopy& copy) {
    return address >= copy.target && address - copy.target < copy.bytes;
  });
  return found == copies.rend() ? nullptr : &*found;
}

void note_copies_never_waited_for(Worker& worker) {
  if (worker.block.copies == 0) return;
  const Module& module = *worker.launch->module;
  for (Warp& warp : worker.block.warps) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (const AsyncCopy& copy : warp.copies.lanes[lane].on_the_way()) {
        const SiteInfo& site = module.sites[copy.site];
        const FindingKey key{FindingKind::unfinished_copy, &module.functions[site.function],
                             site.source, ""};
        worker.note(key, 1, [&](FindingNote& note) {
          note.severity = Severity::warning;
          note.message = Phrase::copies_never_waited_for;
          note.hint = Phrase::copies_never_waited_for_hint;
          name_thread(note, warp, lane);
        });
      }
    }
  }
  worker.history.shadow.forget_copies();
}

}  // namespace tessera::sim
