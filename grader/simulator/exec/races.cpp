// race and uninitialized-read: every access of shared memory asks the shadow who touched the word
// before, every access of traced global memory the trace.
#include <fmt/format.h>

#include "common/numbers.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

constexpr std::uint64_t kStepsOfPart = 8;     // of a warp that meets
constexpr std::size_t kGranulesOfStep = 256;  // that are looked at
constexpr std::size_t kMaxEarlyReads = 4096;  // of one epoch; more of them say nothing new

Now now_of(const Warp& warp) {
  return {warp.worker->epoch, warp.worker->first_epoch};
}

std::uint32_t who_of(const Warp& warp, unsigned lane) {
  return Who::make(warp.index * kLanes + lane, warp.sync_count);
}

std::uint32_t who_of(const Warp& warp, unsigned lane, const Inst* inst, Access access) {
  std::uint32_t who = who_of(warp, lane);
  if (access == Access::atomic || (inst->flags & MemoryFlags::kStrong)) who |= Who::kAtomic;
  if (inst->flags & MemoryFlags::kVolatile) who |= Who::kVolatile;
  if (inst->flags & MemoryFlags::kBlockScope) who |= Who::kBlockScope;
  return who;
}

std::uint32_t block_number(const Warp& warp) {
  return static_cast<std::uint32_t>(warp.block->index);
}

Dim3 thread_number(const Block& block, std::uint32_t who) {
  const std::uint32_t thread = Who::thread(who);
  return thread_of(block.warps[thread / kLanes], thread % kLanes);
}

ArrayElement element_at(const SharedVariable& variable, std::uint64_t address) {
  return variable.element(static_cast<std::int64_t>(address - variable.address));
}

/// Whether two accesses of one block and epoch, one of them a write, may happen in either order.
bool unordered_in_epoch(const Warp& warp, std::uint32_t before, std::uint32_t now) {
  if (Who::unordered(before, now)) return true;
  const bool same_warp = Who::warp(before) == Who::warp(now) && !(before & Who::kSeveralWarps);
  const bool same_thread = Who::thread(before) == Who::thread(now);
  if (!same_warp || same_thread || Who::talk(before, now)) return false;
  return !warp.met(before, Who::thread(now) % kLanes);
}

/// The moment of an access that this warp makes.
Moment moment_of(const Warp& warp, const Footprint& now) {
  Moment moment = now.moment();
  moment.sync_count = warp.sync_count;
  moment.known = warp.known_of(Who::thread(now.who) % kLanes);
  return moment;
}

/// Whether the thread, of the running block, came to no barrier after that access.
bool has_ended(const Warp& warp, const Footprint& access) {
  const std::uint32_t thread = Who::thread(access.who);
  const Warp& own = warp.block->warps[thread / kLanes];
  return ((own.live >> thread % kLanes) & 1) == 0 && own.ended_in[thread % kLanes] == access.epoch;
}

/// Whether all lanes of the warp have met since that access, which is one of theirs. Of shared
/// memory not every access has its time.
bool met_whole(const Warp& warp, const Footprint& access) {
  const bool own = Who::warp(access.who) == warp.index && !(access.who & Who::kSeveralWarps);
  return own && access.time != 0 && access.time < warp.full_sync_time;
}

/// Whether two accesses, one of them a write, may happen in either order.
bool unordered(const Warp& warp, Footprint before, Footprint now) {
  if (before.block == 0) return false;
  // Of different sizes, they are not morally strong (PTX ISA, "Memory Consistency Model").
  const std::vector<SiteInfo>& sites = warp.worker->launch->module->sites;
  if (Who::talk(before.who, now.who) && sites[before.site].bytes != sites[now.site].bytes) {
    before.who = Who::plain(before.who);
    now.who = Who::plain(now.who);
  }
  if (before.block == now.block) {
    const bool barrier_between = before.epoch != now.epoch && !has_ended(warp, before);
    if (barrier_between || met_whole(warp, before)) return false;
    if (!unordered_in_epoch(warp, before.who, now.who)) return false;
  } else if (Who::talk(before.who, now.who) && !((before.who | now.who) & Who::kBlockScope)) {
    return false;
  }
  return !warp.worker->order.ordered(before.moment(), moment_of(warp, now));
}

/// An access of one lane, and the one noticed before that is unordered with it.
struct Clash {
  const std::string& variable;
  bool after_write = false;  // the other one is a store or an update
  Access access = Access::read;
  bool same_value = false;
  bool dynamic = false;  // in dynamic shared memory
  bool cached = false;   // one of them reads through the read-only cache: no order helps
  std::uint32_t other_site = 0;
  std::uint32_t other_who = 0;
  std::uint64_t other_block = 0;
};

RaceScope scope_of(const Warp& warp, const Clash& clash) {
  if (clash.cached || clash.other_block != warp.block->index) return RaceScope::grid;
  const bool inside_warp =
      Who::warp(clash.other_who) == warp.index && (clash.other_who & Who::kSeveralWarps) == 0;
  return inside_warp ? RaceScope::warp : RaceScope::block;
}

Phrase verb(Access access) {
  switch (access) {
    case Access::read:
      return Phrase::reads;
    case Access::write:
      return Phrase::stores;
    case Access::atomic:
      return Phrase::updates;
  }
  return Phrase::reads;
}

/// Whether this store puts the values of all threads of the warp, more than one, into one place.
bool all_lanes_meet(const Warp& warp, const Inst* inst) {
  const Pattern& pattern = warp.patterns[inst->pattern];
  if (pattern.mask != warp.live || std::popcount(pattern.mask) < 2) return false;
  const std::uint64_t first =
      pattern.address[static_cast<std::size_t>(std::countr_zero(pattern.mask))];
  bool meet = true;
  for_lanes(pattern.mask, [&](unsigned lane) { meet &= pattern.address[lane] == first; });
  return meet;
}

/// "" where several threads made the other access and this one is all that is known of them.
std::string other_thread(const Warp& warp, unsigned lane, const Clash& clash) {
  const std::string thread = to_string(thread_number(*warp.block, clash.other_who));
  const bool self = !clash.cached && clash.other_block == warp.block->index &&
                    thread == to_string(thread_of(warp, lane));
  return self ? "" : thread;
}

/// `element()` is the name of the element, which the first race with its key alone asks for.
template <class F>
void note_race(Warp& warp, const Inst* inst, unsigned lane, const Clash& clash, F element) {
  const Launch& launch = *warp.worker->launch;
  FindingKey key{FindingKind::race, warp.frame->function, inst->source, clash.variable,
                 clash.other_site};
  if (clash.same_value) key.subject += " (same value)";
  if (clash.cached) key.subject += " (read-only cache)";
  key.scope = scope_of(warp, clash);
  if (warp.block->diverged && key.scope != RaceScope::grid) return;
  warp.worker->note(key, 1, [&](FindingNote& note) {
    if (clash.same_value) note.severity = Severity::info;
    const bool other_atomic = launch.module->sites[clash.other_site].atomic;
    const Access other = !clash.after_write ? Access::read
                         : other_atomic     ? Access::atomic
                                            : Access::write;
    Race race;
    race.variable = clash.variable;
    race.element = element();
    race.scope = key.scope;
    race.first = {verb(other), other_thread(warp, lane, clash),
                  to_string(block_id(clash.other_block, launch.shape.grid))};
    race.second = {verb(clash.access), to_string(thread_of(warp, lane)), to_string(warp.block->id)};
    race.same_value = clash.same_value;
    race.dynamic = clash.dynamic;
    race.cached = clash.cached;
    race.block_atomic = (clash.other_who & Who::kBlockScope) != 0;
    race.whole_warp = clash.access == Access::write && clash.other_site == inst->site &&
                      all_lanes_meet(warp, inst);
    note.race = std::move(race);
  });
}

void note_early_read(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                     std::uint64_t address, std::size_t granule) {
  auto& reads = warp.worker->early_reads;
  if (warp.block->diverged || reads.size() >= kMaxEarlyReads) return;
  reads.push_back({.granule = granule,
                   .function = warp.frame->function,
                   .source = inst->source,
                   .variable = &variable,
                   .offset = address - variable.address,
                   .thread = thread_of(warp, lane)});
}

/// Whether it is an atomic whose thread looks at the value that was there.
bool sees_value(const Inst* inst, Access access) {
  return access == Access::atomic && (inst->flags & AtomicFlags::kResult) != 0;
}

/// Takes a flag's part in the order of memory: set by atomics and volatile stores, read by atomics
/// and volatile loads. A compare-and-swap that does not store (`stores`) only reads it.
void note_flag(Warp& warp, const Inst* inst, std::uint64_t address, const Moment& now,
               Access access, bool stores) {
  MemoryOrder& order = warp.worker->order;
  if (access == Access::read || sees_value(inst, access)) order.acquire(address, now);
  if (access == Access::read || !stores) return;
  const bool whole_device = (inst->flags & MemoryFlags::kBlockScope) == 0;
  order.release(address, now, whole_device, (inst->flags & MemoryFlags::kReleases) != 0);
}

bool talks(const Inst* inst, Access access) {
  return access == Access::atomic || (inst->flags & MemoryFlags::kTalks) != 0;
}

/// The first of the accesses of which `matches` is true; nullptr where there is none.
template <class F>
const Footprint* first_that(const std::vector<Footprint>& accesses, F matches) {
  const auto found = std::ranges::find_if(accesses, matches);
  return found == accesses.end() ? nullptr : &*found;
}

Trace& trace_of(Worker& worker, const Allocation& allocation) {
  const auto found = worker.traces.find(&allocation);
  if (found != worker.traces.end()) return found->second;
  return worker.traces.try_emplace(&allocation, allocation.size, worker.launch->global_granule)
      .first->second;
}

/// Records reads of one granule a lane where all were stored before the last barrier; false, with
/// nothing recorded, for others.
bool scattered_reads_clean(const Warp& warp, const Inst* inst, const Pattern& pattern) {
  Shadow& shadow = warp.worker->shadow;
  const Now now = now_of(warp);
  const std::uint64_t offset =
      static_cast<std::uint64_t>(inst->offset) - warp.worker->launch->shared_low;
  bool clean = true;
  for_lanes(pattern.mask, [&](unsigned lane) {
    const std::size_t granule = shadow.granule(pattern.address[lane] + offset);
    clean &= shadow.written(granule, now) && shadow.writes.epoch[granule] != now.epoch;
  });
  if (!clean) return false;
  const std::uint32_t first_lane = who_of(warp, 0);
  for_lanes(pattern.mask, [&](unsigned lane) {
    shadow.record_read(shadow.granule(pattern.address[lane] + offset), first_lane + lane, now,
                       inst->site, warp.steps);
  });
  return true;
}

/// Whether `who` reads a granule that it stored itself, or another thread before the last barrier:
/// the first questions of check_shared_lane(), answered at once.
bool own_read_clean(const Worker& worker, std::uint64_t offset, unsigned bytes, std::uint32_t who,
                    const Now& now) {
  const Shadow& shadow = worker.shadow;
  if (worker.launch->fences || worker.launch->keeps_readers || bytes > shadow.granule_bytes())
    return false;
  const std::size_t granule = shadow.granule(offset);
  if (granule != shadow.granule(offset + bytes - 1) || !shadow.written(granule, now)) return false;
  const bool settled = shadow.writes.epoch[granule] != now.epoch ||
                       Who::thread(shadow.writes.who[granule]) == Who::thread(who);
  return settled && worker.earlier.of(granule).stores.empty();
}

template <unsigned kLength>
bool pieces_clean(const Warp& warp, const Inst* inst, const Pattern& pattern, Access access) {
  Shadow& shadow = warp.worker->shadow;
  const Now now = now_of(warp);
  const std::uint64_t offset =
      static_cast<std::uint64_t>(inst->offset) - warp.worker->launch->shared_low;
  const std::uint32_t first_lane = who_of(warp, 0);
  for (unsigned lane = 0, piece = 0; lane < kLanes; lane += kLength, ++piece) {
    if (!((pattern.mask >> lane) & 1)) continue;
    const std::size_t granule = shadow.granule(pattern.address[lane] + offset);
    const std::uint32_t who = first_lane + lane;
    const bool consecutive = (pattern.consecutive >> piece) & 1;
    bool clean = false;
    if (access == Access::read) {
      clean = consecutive ? shadow.read_run<kLength>(granule, who, now, inst->site)
                          : shadow.read_broadcast(granule, who, now, inst->site);
    } else if (consecutive) {
      clean = shadow.write_run<kLength>(granule, who, now, inst->site);
    }
    if (!clean) return false;
  }
  return true;
}

}  // namespace

bool shared_access_clean(Warp& warp, const Inst* inst, const Pattern& pattern, Access access) {
  if (pattern.width != warp.worker->shadow.granule_bytes()) return false;
  if (warp.worker->launch->keeps_readers || (inst->flags & MemoryFlags::kTalks)) return false;
  switch (pattern.segment) {
    case 32:
      return pieces_clean<32>(warp, inst, pattern, access);
    case 16:
      return pieces_clean<16>(warp, inst, pattern, access);
    case 8:
      return pieces_clean<8>(warp, inst, pattern, access);
    default:
      return access == Access::read && scattered_reads_clean(warp, inst, pattern);
  }
}

StoredWord stored_word(const Warp& warp, unsigned lane, std::uint64_t address) {
  const Worker& worker = *warp.worker;
  const StoredWord nobodys{.store = ~std::uint64_t{0}, .thread = Who::thread(who_of(warp, lane))};
  const std::uint64_t offset = address - worker.launch->shared_low;
  if (offset >= worker.shared.size()) return nobodys;
  const std::size_t granule = worker.shadow.granule(offset);
  const Now now = now_of(warp);
  if (!worker.shadow.written(granule, now)) return nobodys;
  const std::uint32_t who = worker.shadow.writes.who[granule];
  const std::uint32_t barriers = worker.shadow.writes.epoch[granule] - now.first_epoch;
  return {.store = number_of_store(granule, barriers, who >> Who::kSyncShift),
          .thread = Who::thread(who)};
}

namespace {

/// Whether a granule that is loaded and that nobody has written may be padding of a struct: another
/// byte of its element has been, or another element, and this one is just copied along.
bool may_be_padding(const Warp& warp, const Inst* inst, std::uint64_t offset, unsigned bytes,
                    std::size_t granule) {
  if (inst->size == 0) return false;  // no ld
  const Shadow& shadow = warp.worker->shadow;
  const Now now = now_of(warp);
  const auto any_written = [&](std::uint64_t from, std::uint64_t count) {
    bool any = false;
    for (std::size_t at = shadow.granule(from); at <= shadow.granule(from + count - 1); ++at)
      any = any || shadow.written(at, now);
    return any;
  };
  const std::uint64_t distance = granule * shadow.granule_bytes() - offset;
  const std::uint32_t bytes_of_granule = (std::uint32_t{1} << shadow.granule_bytes()) - 1;
  if ((inst->numbers >> distance & bytes_of_granule) != 0) return false;
  const std::uint64_t element = distance / inst->size;
  return MemoryFlags::has_element(inst->flags, MemoryFlags::kCopied, element)
             ? any_written(offset, bytes)
             : any_written(offset + element * inst->size, inst->size);
}

/// Whether a load has that byte for its neighbours alone. A wide granule may lie before the load.
bool is_unused(const Inst* inst, Access access, std::uint64_t offset, std::uint64_t byte) {
  if (access != Access::read || (inst->flags & MemoryFlags::kAnyUnused) == 0 || byte < offset)
    return false;
  return MemoryFlags::has_element(inst->flags, MemoryFlags::kUnused, (byte - offset) / inst->size);
}

}  // namespace

void check_shared_lane(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                       std::uint64_t address, unsigned bytes, Access access,
                       const std::byte* incoming) {
  Worker& worker = *warp.worker;
  Shadow& shadow = worker.shadow;
  const Now now = now_of(warp);
  const std::uint64_t offset = address - worker.launch->shared_low;
  const std::uint32_t who = who_of(warp, lane, inst, access);
  if (access == Access::read && own_read_clean(worker, offset, bytes, who, now)) {
    shadow.record_read(shadow.granule(offset), who, now, inst->site, warp.steps);
    return;
  }
  const bool looks_at_old = sees_memory(inst, access);
  const bool same_value =
      incoming != nullptr && std::memcmp(incoming, worker.shared.data() + offset, bytes) == 0;
  const bool stores = access == Access::write || incoming == nullptr || same_value;
  const Footprint access_now{block_number(warp) + 1, who, now.epoch, inst->site, warp.steps};
  if (worker.launch->fences && talks(inst, access))
    note_flag(warp, inst, address, moment_of(warp, access_now), access, stores);
  const auto unordered_here = [&](const Footprint& before) {
    return unordered(warp, before, access_now);
  };
  bool told = false;  // one hazard an access is enough
  const auto tell = [&](const Footprint& before, std::size_t granule, bool after_write, bool same) {
    note_race(warp, inst, lane,
              {.variable = variable.name,
               .after_write = after_write,
               .access = access,
               .same_value = same,
               .dynamic = variable.dynamic,
               .other_site = before.site,
               .other_who = before.who,
               .other_block = warp.block->index},
              [&] { return element_at(variable, address); });
    if (!same && !worker.early_reads.empty()) worker.raced_words.insert(granule);
    told = true;
  };
  for (std::size_t granule = shadow.granule(offset); granule <= shadow.granule(offset + bytes - 1);
       ++granule) {
    if (is_unused(inst, access, offset, granule * shadow.granule_bytes())) continue;
    const auto last = [&](const Shadow::Column& column) {
      const std::uint64_t time = column.time.empty() ? 0 : column.time[granule];
      return Footprint{access_now.block, column.who[granule], now.epoch, column.site[granule],
                       time};
    };
    Footprint store, read;
    if (shadow.writes.epoch[granule] == now.epoch) store = last(shadow.writes);
    if (shadow.reads.epoch[granule] == now.epoch &&
        (worker.launch->fences || access != Access::read))
      read = last(shadow.reads);
    const EarlierAccesses& earlier = worker.earlier.of(granule);
    const bool after_write = unordered_here(store);
    const bool same = access == Access::write && same_value;
    if (after_write && !told) tell(store, granule, true, same);
    if (!told && !same) {
      if (const Footprint* hidden = first_that(earlier.stores, unordered_here))
        tell(*hidden, granule, true, false);
    }
    if (access != Access::read && !told) {
      const Footprint* one = first_that(earlier.reads, unordered_here);
      if (unordered_here(read)) one = &read;
      if (one != nullptr) tell(*one, granule, false, false);
    }
    if (looks_at_old && !after_write && !shadow.written(granule, now) && !told &&
        !(access == Access::read && may_be_padding(warp, inst, offset, bytes, granule))) {
      note_early_read(warp, inst, lane, variable, address, granule);
      told = true;
    }
    if (access == Access::read) {
      if (warp.worker->launch->keeps_readers && worker.earlier.add_read(granule, access_now))
        continue;
      if (read.block != 0 && worker.order.ordered(read.moment(), moment_of(warp, access_now)))
        shadow.forget_read(granule);
      shadow.record_read(granule, who, now, inst->site, warp.steps);
    } else {
      worker.earlier.store_over(granule, store, Who::strong(who), sees_value(inst, access), same,
                                after_write);
      shadow.record_write(granule, who, now, inst->site, warp.steps);
    }
  }
}

void check_global_lane(Warp& warp, const Inst* inst, unsigned lane, const Allocation& allocation,
                       std::uint64_t offset, unsigned bytes, Access access,
                       const std::byte* incoming) {
  Worker& worker = *warp.worker;
  const Footprint now{block_number(warp) + 1, who_of(warp, lane, inst, access), worker.epoch,
                      inst->site, warp.steps};
  const bool same_value =
      incoming != nullptr && std::memcmp(incoming, allocation.data + offset, bytes) == 0;
  const bool stores = access == Access::write || incoming == nullptr || same_value;
  if (worker.launch->fences && talks(inst, access))
    note_flag(warp, inst, allocation.address + offset, moment_of(warp, now), access, stores);
  Trace& trace = trace_of(worker, allocation);
  bool told = false;
  const auto tell = [&](const Footprint& before, bool after_write, bool same, bool cached) {
    note_race(warp, inst, lane,
              {.variable = allocation.info.name,
               .after_write = after_write,
               .access = access,
               .same_value = same,
               .cached = cached,
               .other_site = before.site,
               .other_who = before.who,
               .other_block = before.block - 1},
              [&] { return element_name(allocation.info, static_cast<std::int64_t>(offset)); });
    told = true;
  };
  const auto unordered_here = [&](const Footprint& before) { return unordered(warp, before, now); };
  const bool reads_cached = access == Access::read && (inst->flags & MemoryFlags::kCached) != 0;
  const bool same = access == Access::write && same_value;
  for (std::size_t at = trace.granule(offset); at <= trace.granule(offset + bytes - 1); ++at) {
    if (is_unused(inst, access, offset, at * trace.granule_bytes())) continue;
    Footprints& granule = trace[at];
    const EarlierAccesses& earlier = trace.earlier.of(at);
    const bool after_write = unordered_here(granule.write);
    if (after_write && !told) tell(granule.write, true, same, false);
    if (!told && !same) {
      if (const Footprint* hidden = first_that(earlier.stores, unordered_here))
        tell(*hidden, true, false, false);
    }
    if (access == Access::read) {
      if (reads_cached && !told && granule.write.block != 0) tell(granule.write, true, false, true);
      if (reads_cached) trace.earlier.add_cached(at, now);
      if (!worker.launch->keeps_readers || !trace.earlier.add_read(at, now))
        record_read(granule, now, worker.order);
      continue;
    }
    if (!told) {
      const Footprint* read = first_that(earlier.reads, unordered_here);
      for (const Footprint* one : {&granule.read, &granule.read_elsewhere}) {
        if (read == nullptr && unordered_here(*one)) read = one;
      }
      if (read != nullptr) tell(*read, false, false, false);
    }
    if (earlier.cached.block != 0 && !told) tell(earlier.cached, false, false, true);
    trace.earlier.store_over(at, granule.write, Who::strong(now.who), sees_value(inst, access),
                             same, after_write);
    record_write(granule, now);
  }
}

Moment moment_of(const Warp& warp, unsigned lane) {
  return {block_number(warp), who_of(warp, lane), warp.worker->epoch,
          warp.steps,         warp.sync_count,    warp.known_of(lane)};
}

const Inst* fence(Warp& warp, const Inst* inst, Mask mask) {
  warp.worker->charge(kLanes);
  for_lanes(mask, [&](unsigned lane) {
    warp.worker->order.fence(moment_of(warp, lane), inst->flags != 0);
  });
  return inst + 1;
}

void Warp::meet(Mask lanes) {
  if (++sync_count % Who::kAgeing == 0) worker->age_accesses(*this);
  if ((live & ~lanes) == 0) {
    full_sync = sync_count;
    full_sync_time = steps;
    if (!known.empty()) known[0].fill(full_sync);
    known_row = {};
    return;
  }
  worker->charge(kStepsOfPart);
  worker->launch->parted.store(true, std::memory_order_relaxed);
  if (known.empty()) {
    known.resize(kLanes);
    known[0].fill(full_sync);
  }
  Mask rows = 0, others = 0;  // rows of these lanes, and of all others
  for (unsigned lane = 0; lane < kLanes; ++lane)
    ((lanes >> lane) & 1 ? rows : others) |= Mask{1} << known_row[lane];
  // A row that these lanes alone have, or nobody: a warp has as many rows as lanes.
  const Mask own = rows & ~others;
  const int row = std::countr_zero(own != 0 ? own : ~others);
  LaneCounts& together = known[static_cast<std::size_t>(row)];
  if (own == 0) together = {};
  for_lanes(rows & ~(Mask{1} << row), [&](unsigned other) {
    for (unsigned from = 0; from < kLanes; ++from)
      together[from] = std::max(together[from], known[other][from]);
  });
  for_lanes(lanes, [&](unsigned lane) {
    together[lane] = sync_count;
    known_row[lane] = static_cast<std::uint8_t>(row);
  });
}

bool Warp::met(std::uint32_t before, unsigned lane) const {
  if (known.empty()) return Who::synced(before, sync_count) < full_sync;
  return covers(known[known_row[lane]], sync_count, before);
}

void Worker::age_accesses(const Warp& warp) {
  const std::size_t granules = shadow.writes.epoch.size();
  charge(granules / kGranulesOfStep);
  for (Shadow::Column* column : {&shadow.writes, &shadow.reads}) {
    for (std::size_t at = 0; at < granules; ++at) {
      std::uint32_t& who = column->who[at];
      if (column->epoch[at] == epoch && Who::warp(who) == warp.index)
        who = Who::aged(who, warp.sync_count);
    }
  }
}

void Worker::keep_stores_of_ended() {
  if (block.live_threads == 0 || block.live_threads == block.threads) return;
  std::vector<std::uint32_t>& epochs = shadow.writes.epoch;
  charge(epochs.size() / kGranulesOfStep);
  for (std::size_t at = 0; at < epochs.size(); ++at) {
    if (epochs[at] != epoch) continue;
    const std::uint32_t thread = Who::thread(shadow.writes.who[at]);
    const Mask live = block.warps[thread / kLanes].live;
    if (((live >> thread % kLanes) & 1) == 0) epochs[at] = epoch + 1;
  }
}

void Worker::end_epoch() {
  for (const EarlyRead& read : early_reads) {
    if (raced_words.contains(read.granule)) continue;
    const SharedVariable& variable = *read.variable;
    const FindingKey key{FindingKind::uninitialized_read, read.function, read.source,
                         variable.name};
    note(key, 1, [&](FindingNote& entry) {
      const ArrayElement element = variable.element(static_cast<std::int64_t>(read.offset));
      entry.message =
          say(Phrase::reads_unwritten_shared, element, Thread{to_string(read.thread), ""});
      entry.hint = Phrase::reads_unwritten_shared_hint;
      const std::uint64_t threads = launch->shape.block.count();
      const std::uint32_t element_bytes = variable.dynamic ? 0 : variable.shape.element_bytes;
      if (element_bytes != 0 && read.offset / element_bytes >= threads) {
        entry.hint +=
            say(Phrase::more_elements_than_threads, Count{threads, Phrase::thread}, element);
      }
      entry.example.emplace_back("element", element.str());
      entry.example.emplace_back("thread", to_string(read.thread));
      entry.example.emplace_back("block", to_string(block.id));
    });
  }
  early_reads.clear();
  raced_words.clear();
  earlier.forget_all();
  keep_stores_of_ended();
  if (launch->fences) order.barrier();
  ++epoch;
}

}  // namespace tessera::sim
