// race and uninitialized-read: every access to shared memory looks up in the shadow which threads
// touched the word before, every access to traced global memory in the trace.
#include <fmt/format.h>

#include <span>

#include "common/numbers.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

constexpr std::uint64_t kStepsOfPart = 8;     // for a meeting of a part of a warp
constexpr std::size_t kGranulesOfStep = 256;  // granules that are checked in one step
constexpr std::size_t kMostEarly = 4096;      // accesses of one epoch; more of them say nothing new

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

Footprint footprint_of(const Warp& warp, unsigned lane, const Inst* inst, Access access) {
  return {block_number(warp) + 1, who_of(warp, lane, inst, access), warp.worker->history.epoch,
          inst->site, warp.steps};
}

Dim3 thread_number(const Block& block, std::uint32_t who) {
  const std::uint32_t thread = Who::thread(who);
  return thread_of(block.warps[thread / kLanes], thread % kLanes);
}

/// Whether two accesses of one block and epoch, at least one a write, may happen in either order.
bool unordered_in_epoch(const Warp& warp, std::uint32_t before, std::uint32_t now) {
  if (Who::unordered(before, now)) return true;
  const bool same_warp = Who::warp(before) == Who::warp(now) && !(before & Who::kSeveralWarps);
  const bool same_thread =
      !(before & Who::kSeveralLanes) && Who::thread(before) == Who::thread(now);
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

/// Whether the thread, of the running block, ended in the epoch of that access: no barrier
/// followed.
bool has_ended(const Warp& warp, const Footprint& access) {
  const std::uint32_t thread = Who::thread(access.who);
  const Warp& own = warp.block->warps[thread / kLanes];
  return ((own.live >> thread % kLanes) & 1) == 0 && own.ended_in[thread % kLanes] == access.epoch;
}

/// Whether the access is by this warp, and all of its lanes have met since. False if the access has
/// no time, as some of shared memory, or its time is not that of its Who, as of a copy that arrives
/// at an mbarrier.
bool met_whole(const Warp& warp, const Footprint& access) {
  const bool own = Who::warp(access.who) == warp.index && !(access.who & Who::kSeveralWarps);
  if (!own || access.time == 0 || access.time >= warp.full_sync_time) return false;
  const SiteKind kind = warp.worker->launch->module->sites[access.site].kind;
  return kind != SiteKind::copy && kind != SiteKind::wait;
}

/// Whether all lanes of a warp execute such instructions together.
bool is_product(SiteKind kind) {
  return kind == SiteKind::product || kind == SiteKind::product_wait;
}

/// Whether two accesses, at least one a write, may happen in either order.
bool unordered(const Warp& warp, Footprint before, Footprint now) {
  if (before.block == 0) return false;
  // Strong accesses of different sizes are not morally strong (PTX ISA, "Memory Consistency
  // Model").
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
  Moment then = before.moment();
  then.by_warp = is_product(sites[before.site].kind);
  return !warp.worker->history.order.ordered(then, moment_of(warp, now));
}

/// An access of one lane, and an earlier access that is unordered with it.
struct Clash {
  const std::string& variable;
  bool after_write = false;  // the other access is a store or an update
  Access access = Access::read;
  bool same_value = false;
  bool dynamic = false;  // in dynamic shared memory
  bool cached = false;   // one of the two reads through the read-only cache: no order helps
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

SiteKind kind_of(const Warp& warp, std::uint32_t site) {
  return warp.worker->launch->module->sites[site].kind;
}

/// Whether the access is an atomic's, which may have changed the value whatever is stored later.
bool is_update(const Warp& warp, const Footprint& access) {
  return access.block != 0 && kind_of(warp, access.site) == SiteKind::atomic;
}

/// What an instruction of that kind does where it reads.
Phrase verb_of_read(SiteKind kind) {
  if (kind == SiteKind::product) return Phrase::multiplies;
  if (kind == SiteKind::product_wait) return Phrase::waits_for_product_of;
  return kind == SiteKind::wait ? Phrase::waits_for_copy_of : Phrase::reads;
}

Phrase verb(const Warp& warp, const Inst* inst, Access access) {
  if (access == Access::read) return verb_of_read(kind_of(warp, inst->site));
  return access == Access::atomic ? Phrase::updates : verb_of_change(kind_of(warp, inst->site));
}

/// Whether all live threads of the warp, at least two, store into the same place in this access.
bool all_lanes_meet(const Warp& warp, const Inst* inst) {
  const Pattern& pattern = warp.patterns[inst->pattern];
  if (pattern.mask != warp.live || std::popcount(pattern.mask) < 2) return false;
  const std::uint64_t first =
      pattern.address[static_cast<std::size_t>(std::countr_zero(pattern.mask))];
  bool meet = true;
  for_lanes(pattern.mask, [&](unsigned lane) { meet &= pattern.address[lane] == first; });
  return meet;
}

/// The thread of the other access; "" if several threads made that access and the only one that is
/// known is this lane's own.
std::string other_thread(const Warp& warp, unsigned lane, const Clash& clash) {
  const std::string thread = to_string(thread_number(*warp.block, clash.other_who));
  const bool self = !clash.cached && clash.other_block == warp.block->index &&
                    thread == to_string(thread_of(warp, lane));
  return self ? "" : thread;
}

/// `element()` returns the name of the element; only the first race with its key calls it.
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
    const SiteKind other_kind = kind_of(warp, clash.other_site);
    const Phrase other = clash.after_write ? verb_of_change(other_kind) : verb_of_read(other_kind);
    Race race;
    race.variable = clash.variable;
    race.element = element();
    race.scope = key.scope;
    race.first = {other, other_thread(warp, lane, clash),
                  to_string(block_id(clash.other_block, launch.shape.grid))};
    race.second = {verb(warp, inst, clash.access), to_string(thread_of(warp, lane)),
                   to_string(warp.block->id)};
    race.same_value = clash.same_value;
    if (race.same_value) race.first.verb = race.second.verb = Phrase::stores;
    race.dynamic = clash.dynamic;
    race.has_meetings = launch.meetings;
    race.has_flags = launch.flags;
    race.cached = clash.cached;
    race.block_atomic = (clash.other_who & Who::kBlockScope) != 0;
    race.whole_warp = clash.access == Access::write && clash.other_site == inst->site &&
                      all_lanes_meet(warp, inst);
    note.race = std::move(race);
  });
}

/// What is known of the copy that is on its way where `lane` accesses `element`.
UnfinishedCopy unfinished(const Warp& warp, const AsyncCopy& copy, Phrase verb,
                          ArrayElement element) {
  const Block& block = *warp.block;
  const std::uint32_t thread = Who::thread(copy.who);
  const LaneCopies& copies = block.warps[thread / kLanes].copies.lanes[thread % kLanes];
  UnfinishedCopy result;
  result.verb = verb;
  result.element = std::move(element);
  result.copier = to_string(thread_number(block, copy.who));
  result.at_mbarrier = std::ranges::any_of(
      copies.arrivals, [&](const CopyArrival& arrival) { return copy.number < arrival.begun; });
  result.in_group = copies.groups != copy.group;
  if (copies.wait.site == kNoSite) return result;
  result.wait_site = copies.wait.site;
  result.begun_after_wait = copies.wait.begun <= copy.number;
  if (!result.begun_after_wait) {
    result.waited_for = copies.wait.count;
    result.behind = copies.wait.groups - copy.group;
  }
  return result;
}

/// `copy` is on its way there; nullptr: the word is not written. `certain`: see EarlyAccess.
void note_early(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                std::uint64_t address, std::size_t granule, Access access, const AsyncCopy* copy,
                bool certain) {
  auto& early = warp.worker->history.early;
  if (warp.block->diverged || early.size() >= kMostEarly) return;
  early.push_back({.granule = granule,
                   .function = warp.frame->function,
                   .source = inst->source,
                   .variable = &variable,
                   .offset = address - variable.address,
                   .thread = thread_of(warp, lane),
                   .certain = certain});
  if (copy == nullptr) return;
  early.back().copy_site = copy->site;
  early.back().unfinished =
      unfinished(warp, *copy, verb(warp, inst, access), element_at(variable, address));
}

/// Whether the access is an atomic whose thread uses the value that was there.
bool sees_value(const Inst* inst, Access access) {
  return access == Access::atomic && (inst->flags & AtomicFlags::kResult) != 0;
}

/// Notes an access of a flag for the order of memory: atomics and volatile stores set flags,
/// atomics and volatile loads read them. A compare-and-swap that does not store (`stores`) only
/// reads.
void note_flag(MemoryOrder& order, const Inst* inst, std::uint64_t address, const Moment& now,
               Access access, bool stores) {
  if (access == Access::read || sees_value(inst, access)) order.acquire(address, now);
  if (access == Access::read || !stores) return;
  const bool whole_device = (inst->flags & MemoryFlags::kBlockScope) == 0;
  order.release(address, now, whole_device, (inst->flags & MemoryFlags::kReleases) != 0);
}

bool talks(const Inst* inst, Access access) {
  return (access == Access::atomic || (inst->flags & MemoryFlags::kTalks) != 0) &&
         (inst->flags & MemoryFlags::kOwnOrder) == 0;
}

/// The size of an atomic access; 0 if it is another access.
std::uint32_t atomic_bytes(const Warp& warp, const Footprint& access) {
  const bool atomic = (access.who & (Who::kAtomic | Who::kVolatile)) == Who::kAtomic;
  return atomic ? warp.worker->launch->module->sites[access.site].bytes : 0;
}

/// The first of the accesses for which `matches` is true; nullptr if there is none.
template <class F>
const Footprint* first_that(std::span<const Footprint> accesses, F matches) {
  const auto found = std::ranges::find_if(accesses, matches);
  return found == accesses.end() ? nullptr : &*found;
}

/// Whether `who` reads a granule that it stored itself, or that another thread stored before the
/// last barrier. Most reads are of this kind, and need no other check of check_shared_lane().
bool own_read_clean(const Launch& launch, const AccessHistory& history, std::uint64_t offset,
                    unsigned bytes, std::uint32_t who) {
  const Shadow& shadow = history.shadow;
  const Now now = history.now();
  if (launch.fences || launch.keeps_readers || bytes > shadow.granule_bytes()) return false;
  const std::size_t granule = shadow.granule(offset);
  if (granule != shadow.granule(offset + bytes - 1) || !shadow.written(granule, now)) return false;
  const bool settled = shadow.writes.epoch[granule] != now.epoch ||
                       Who::thread(shadow.writes.who[granule]) == Who::thread(who);
  return settled && history.earlier.of(granule).stores.empty();
}

template <unsigned kLength>
bool pieces_clean(const Warp& warp, const Inst* inst, const Pattern& pattern, Access access) {
  Shadow& shadow = warp.worker->history.shadow;
  const Now now = warp.worker->history.now();
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

/// The same for lanes in any order, each of which accesses `bytes` bytes at `base` + `offset`.
bool groups_clean(const Warp& warp, const Inst* inst, const LaneGroups& groups,
                  const std::array<std::uint64_t, kLanes>& base, std::uint64_t offset,
                  unsigned bytes, Access access) {
  Shadow& shadow = warp.worker->history.shadow;
  const Now now = warp.worker->history.now();
  const unsigned granules = bytes / shadow.granule_bytes();
  if (granules * shadow.granule_bytes() != bytes) return false;
  offset -= warp.worker->launch->shared_low;
  for (unsigned group = 0; group < groups.count; ++group) {
    const unsigned lane = groups.lane[group];
    const std::size_t granule = shadow.granule(base[lane] + offset);
    std::uint32_t who = who_of(warp, lane);
    if ((groups.several >> group) & 1) who |= Who::kSeveralLanes;
    const bool clean = access == Access::read
                           ? shadow.read_words(granule, granules, who, now, inst->site)
                           : shadow.write_words(granule, granules, who, now, inst->site);
    if (!clean) return false;
  }
  return true;
}

/// The same for the lanes of a pattern. Those that store must have addresses of their own.
bool groups_clean(const Warp& warp, const Inst* inst, Pattern& pattern, Access access) {
  if (pattern.groups.count == 0) pattern.groups = groups_of(pattern.address, pattern.mask);
  if (access != Access::read && pattern.groups.several != 0) return false;
  const auto offset = static_cast<std::uint64_t>(inst->offset);
  const auto clean = [&](std::uint64_t at, unsigned bytes) {
    return groups_clean(warp, inst, pattern.groups, pattern.address, offset + at, bytes, access);
  };
  if (access != Access::read || (inst->flags & MemoryFlags::kAnyUnused) == 0)
    return clean(0, pattern.width);
  for (unsigned at = 0; at < pattern.width; at += inst->size) {
    const bool unused =
        MemoryFlags::has_element(inst->flags, MemoryFlags::kUnused, at / inst->size);
    if (!unused && !clean(at, inst->size)) return false;
  }
  return true;
}

}  // namespace

ArrayElement element_at(const SharedVariable& variable, std::uint64_t address) {
  return variable.element(static_cast<std::int64_t>(address - variable.address));
}

Phrase verb_of_change(SiteKind kind) {
  switch (kind) {
    case SiteKind::atomic:
      return Phrase::updates;
    case SiteKind::copy:
      return Phrase::copies_into;
    case SiteKind::wait:
      return Phrase::waits_for_copy_into;
    case SiteKind::load:
    case SiteKind::store:
    case SiteKind::product:
    case SiteKind::product_wait:
      break;
  }
  return Phrase::stores;
}

bool copied_clean(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                  unsigned bytes) {
  const Launch& launch = *warp.worker->launch;
  if (!warp.worker->checks_shared) return true;
  if (launch.keeps_readers) return false;
  Shadow& shadow = warp.worker->history.shadow;
  const Now now = warp.worker->history.now();
  const std::uint64_t offset = address - launch.shared_low;
  const std::size_t first = shadow.granule(offset);
  const auto count = static_cast<unsigned>(shadow.granule(offset + bytes - 1) + 1 - first);
  const std::uint32_t who = who_of(warp, lane);
  return kind_of(warp, inst->site) == SiteKind::copy
             ? shadow.copy_begins(first, count, who, now, inst->site, warp.steps)
             : shadow.copy_arrives(first, count, who, now, inst->site, warp.steps);
}

bool shared_access_clean(Warp& warp, const Inst* inst, Pattern& pattern, Access access) {
  if (!warp.worker->checks_shared) return true;
  if (warp.worker->launch->keeps_readers || (inst->flags & MemoryFlags::kTalks)) return false;
  const bool words = pattern.width == warp.worker->history.shadow.granule_bytes();
  switch (words ? pattern.segment : 0) {
    case 32:
      return pieces_clean<32>(warp, inst, pattern, access);
    case 16:
      return pieces_clean<16>(warp, inst, pattern, access);
    case 8:
      return pieces_clean<8>(warp, inst, pattern, access);
    default:
      return groups_clean(warp, inst, pattern, access);
  }
}

bool shared_read_clean(const Warp& warp, const Inst* inst,
                       const std::array<std::uint64_t, kLanes>& address, Mask mask) {
  if (!warp.worker->checks_shared) return true;
  return !warp.worker->launch->keeps_readers && (inst->flags & MemoryFlags::kTalks) == 0 &&
         groups_clean(warp, inst, groups_of(address, mask), address, 0, inst->size, Access::read);
}

StoredWord stored_word(const Warp& warp, unsigned lane, std::uint64_t address) {
  const Worker& worker = *warp.worker;
  const StoredWord own{.store = ~std::uint64_t{0}, .thread = Who::thread(who_of(warp, lane))};
  const std::uint64_t offset = address - worker.launch->shared_low;
  if (offset >= worker.shared.size()) return own;
  const Shadow& shadow = worker.history.shadow;
  const std::size_t granule = shadow.granule(offset);
  const Now now = worker.history.now();
  if (!shadow.written(granule, now)) return own;
  const std::uint32_t who = shadow.writes.who[granule];
  const std::uint32_t barriers = shadow.writes.epoch[granule] - now.first_epoch;
  // Where mbarriers or flags order accesses, no sync need lie between two stores.
  const std::uint64_t time =
      shadow.writes.time.empty() ? who >> Who::kSyncShift : shadow.writes.time[granule];
  return {.store = number_of_store(granule, barriers, time), .thread = Who::thread(who)};
}

namespace {

/// Whether a granule that is loaded and that no thread has written may be padding of a struct,
/// which is copied with the rest: another byte of its element was written, or another element.
bool may_be_padding(const Warp& warp, const Inst* inst, std::uint64_t offset, unsigned bytes,
                    std::size_t granule) {
  if (inst->size == 0) return false;  // no ld
  const Shadow& shadow = warp.worker->history.shadow;
  const Now now = warp.worker->history.now();
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

/// Whether a load reads that byte only because of its neighbours. A wide granule may begin before
/// the load.
bool is_unused(const Inst* inst, Access access, std::uint64_t offset, std::uint64_t byte) {
  if (access != Access::read || (inst->flags & MemoryFlags::kAnyUnused) == 0 || byte < offset)
    return false;
  return MemoryFlags::has_element(inst->flags, MemoryFlags::kUnused, (byte - offset) / inst->size);
}

/// Whether `copy` brings the same bytes to the same place.
bool copies_the_same(const AsyncCopy* copy, std::uint64_t address, unsigned bytes,
                     const std::byte* incoming) {
  return copy != nullptr && copy->target == address && copy->bytes == bytes &&
         std::memcmp(copy->data.bytes.data(), incoming, bytes) == 0;
}

/// The access to a granule that the column holds, by a thread of the running block.
Footprint last_of(const Warp& warp, const Shadow::Column& column, std::size_t granule) {
  return {block_number(warp) + 1, column.who[granule], column.epoch[granule], column.site[granule],
          column.time.empty() ? 0 : column.time[granule]};
}

/// The set of the granule's readers; kElsewhere if class Earlier keeps them.
ReaderSets::Id readers_of(const AccessHistory& history, std::size_t granule) {
  const ReaderSets::Id id = history.readers.of(granule);
  if (id != ReaderSets::kElsewhere || history.earlier.has(granule)) return id;
  return ReaderSets::kNone;
}

/// The granules of an access that covers whole ones; none otherwise.
struct Granules {
  std::size_t first = 0;
  std::size_t end = 0;
};
Granules whole_granules(const Shadow& shadow, std::uint64_t offset, unsigned bytes) {
  const unsigned width = shadow.granule_bytes();
  if (offset % width != 0 || bytes % width != 0) return {};
  return {shadow.granule(offset), shadow.granule(offset) + bytes / width};
}

/// Returns false if there is no room for a reader.
bool add_reader(AccessHistory& history, const Granules& granules, const Footprint& now) {
  ReaderSets& sets = history.readers;
  ReaderSets::Id before = ReaderSets::kElsewhere, with_this = ReaderSets::kElsewhere;
  for (std::size_t at = granules.first; at < granules.end; ++at) {
    if (const ReaderSets::Id readers = readers_of(history, at); readers != before) {
      with_this = sets.with(readers, now);
      before = readers_of(history, at);  // sets may have got new numbers
    }
    if (with_this == ReaderSets::kElsewhere) return false;
    sets.put(at, with_this);
  }
  return true;
}

/// The access of whole granules where every reader is kept. Returns false if the access needs
/// check_shared_lane()'s closer look.
bool quick_access(Warp& warp, const Inst* inst, std::uint64_t offset, unsigned bytes, Access access,
                  const Footprint& now) {
  AccessHistory& history = warp.worker->history;
  Shadow& shadow = history.shadow;
  const Granules granules = whole_granules(shadow, offset, bytes);
  const auto [first, end] = granules;
  if (!warp.worker->launch->keeps_readers || first == end || access == Access::atomic ||
      Who::strong(now.who) || (inst->flags & MemoryFlags::kAnyUnused) != 0)
    return false;
  const SiteKind kind = access == Access::write ? kind_of(warp, inst->site) : SiteKind::load;
  const auto unordered_here = [&](const Footprint& before) { return unordered(warp, before, now); };
  const Shadow::Column& stores = shadow.writes;
  const std::uint32_t thread = Who::thread(now.who);
  Footprint last;                           // store that has been looked at
  ReaderSets::Id seen = ReaderSets::kNone;  // likewise
  for (std::size_t at = first; at < end; ++at) {
    const ReaderSets::Id readers = readers_of(history, at);
    if (readers == ReaderSets::kElsewhere || shadow.reads.epoch[at] == now.epoch) return false;
    if (stores.epoch[at] == now.epoch) {
      const Footprint store = last_of(warp, stores, at);
      if (store != last && unordered_here(store)) return false;
      last = store;
    }
    if (access == Access::read) {
      if (stores.epoch[at] < history.first_epoch) return false;
      continue;
    }
    if (shadow.on_the_way(at) && kind != SiteKind::wait) return false;
    if (readers != seen && !history.readers.precede(readers, thread)) {
      if (std::ranges::any_of(history.readers.readers(readers), unordered_here)) return false;
      history.readers.note_precede(readers, thread);
    }
    seen = readers;
  }
  if (access == Access::read) return add_reader(history, granules, now);
  const std::uint32_t written_in = kind == SiteKind::copy ? Shadow::kOnTheWay : now.epoch;
  for (std::size_t at = first; at < end; ++at) {
    history.readers.put_store(at);
    shadow.record_write(at, now.who, {written_in, history.first_epoch}, inst->site, now.time);
  }
  return true;
}

/// Hands the granule's readers over to class Earlier.
void keep_elsewhere(const Warp& warp, std::size_t granule) {
  AccessHistory& history = warp.worker->history;
  const ReaderSets::Id id = history.readers.of(granule);
  if (id == ReaderSets::kElsewhere) return;
  for (const Footprint& reader : history.readers.readers(id)) {
    if (!history.earlier.add_read(granule, reader, atomic_bytes(warp, reader)))
      history.shadow.record_read(granule, reader.who, history.now(), reader.site, reader.time);
  }
  history.readers.put(granule, ReaderSets::kElsewhere);
}

}  // namespace

bool kept_read_clean(Warp& warp, const Inst* inst, unsigned lane, std::uint64_t address,
                     unsigned bytes) {
  return quick_access(warp, inst, address - warp.worker->launch->shared_low, bytes, Access::read,
                      footprint_of(warp, lane, inst, Access::read));
}

bool still_read(Warp& warp, const Inst* wait, unsigned lane, std::uint64_t address,
                unsigned bytes) {
  const Launch& launch = *warp.worker->launch;
  AccessHistory& history = warp.worker->history;
  const Granules granules = whole_granules(history.shadow, address - launch.shared_low, bytes);
  const auto [first, end] = granules;
  if (!launch.keeps_readers || first == end) return false;
  const Footprint now = footprint_of(warp, lane, wait, Access::read);
  const auto is_this = [&](const Footprint& reader) {
    return Who::thread(reader.who) == Who::thread(now.who);
  };
  ReaderSets::Id seen = ReaderSets::kNone;
  for (std::size_t at = first; at < end; ++at) {
    const ReaderSets::Id readers = readers_of(history, at);
    if (readers == ReaderSets::kElsewhere || history.shadow.reads.epoch[at] == history.epoch)
      return false;
    // A store would have removed it.
    if ((readers != seen || at == first) &&
        std::ranges::none_of(history.readers.readers(readers), is_this))
      return false;
    seen = readers;
  }
  return add_reader(history, granules, now);
}

void check_shared_lane(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                       std::uint64_t address, unsigned bytes, Access access,
                       const std::byte* incoming) {
  Worker& worker = *warp.worker;
  if (!worker.checks_shared) return;
  AccessHistory& history = worker.history;
  Shadow& shadow = history.shadow;
  const Now now = history.now();
  const std::uint64_t offset = address - worker.launch->shared_low;
  const Footprint access_now = footprint_of(warp, lane, inst, access);
  const std::uint32_t who = access_now.who;
  if (access == Access::read && own_read_clean(*worker.launch, history, offset, bytes, who)) {
    shadow.record_read(shadow.granule(offset), who, now, inst->site, warp.steps);
    return;
  }
  const bool looks_at_old = sees_memory(inst, access);
  const SiteKind kind = access == Access::write ? kind_of(warp, inst->site) : SiteKind::load;
  const bool same_value =
      incoming != nullptr && std::memcmp(incoming, worker.shared.data() + offset, bytes) == 0;
  const bool stores = access == Access::write || incoming == nullptr || same_value;
  if (quick_access(warp, inst, offset, bytes, access, access_now)) return;
  if (worker.launch->fences && talks(inst, access))
    note_flag(history.order, inst, address, moment_of(warp, access_now), access, stores);
  const auto unordered_here = [&](const Footprint& before) {
    return unordered(warp, before, access_now);
  };
  const std::uint32_t bytes_if_atomic = atomic_bytes(warp, access_now);
  // A single race is enough for an access, and a single one that only stores the same value.
  bool reported = false, reported_same = false;
  const auto report = [&](const Footprint& before, std::size_t granule, bool after_write,
                          bool same) {
    // Two copies into one word have been noted where the second began.
    const SiteKind other = kind_of(warp, before.site);
    const bool two_copies = after_write && (other == SiteKind::copy || other == SiteKind::wait);
    if (kind == SiteKind::wait && two_copies) return;
    if (!same && !history.early.empty()) history.raced_words.insert(granule);
    bool& done = same ? reported_same : reported;
    if (reported || done) return;
    done = true;
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
  };
  for (std::size_t granule = shadow.granule(offset); granule <= shadow.granule(offset + bytes - 1);
       ++granule) {
    if (is_unused(inst, access, offset, granule * shadow.granule_bytes())) continue;
    if (worker.launch->keeps_readers) keep_elsewhere(warp, granule);
    const AsyncCopy* copy = nullptr;  // on its way there, and not the one that arrives now
    if (shadow.on_the_way(granule) && kind != SiteKind::wait)
      copy = copy_on_the_way(worker, Who::thread(shadow.writes.who[granule]),
                             worker.launch->shared_low + granule * shadow.granule_bytes());
    Footprint store, read;
    if (shadow.writes.epoch[granule] == now.epoch) store = last_of(warp, shadow.writes, granule);
    if (copy != nullptr && copy->epoch == now.epoch)
      store = {access_now.block, copy->who, copy->epoch, copy->site, 0};
    if (shadow.reads.epoch[granule] == now.epoch &&
        (worker.launch->fences || access != Access::read))
      read = last_of(warp, shadow.reads, granule);
    // A warp's stores are compared with its own products where it waits for them.
    if (read.block != 0 && is_product(kind_of(warp, read.site)) &&
        Who::warp(read.who) == warp.index && !(read.who & Who::kSeveralWarps))
      read = {};
    const EarlierAccesses& earlier = history.earlier.of(granule);
    const bool all_atomic = bytes_if_atomic != 0 && earlier.atomic_bytes == bytes_if_atomic;
    const bool after_write = unordered_here(store);
    const bool same =
        access == Access::write && !is_update(warp, store) &&
        (same_value || (kind == SiteKind::copy && copies_the_same(copy, address, bytes, incoming)));
    const Footprint* unordered_store = nullptr;
    if (after_write)
      unordered_store = &store;
    else if (!same && !all_atomic)
      unordered_store = first_that(earlier.stores, unordered_here);
    if (unordered_store != nullptr) report(*unordered_store, granule, true, same);
    if (access != Access::read && (unordered_store == nullptr || same)) {
      const Footprint* unordered_read =
          all_atomic ? nullptr : first_that(earlier.reads, unordered_here);
      if (unordered_here(read)) unordered_read = &read;
      if (unordered_read == nullptr && same && after_write) {
        unordered_read = first_that(earlier.overwritten, unordered_here);
        if (unordered_read == nullptr && worker.launch->keeps_readers)
          unordered_read = first_that(history.readers.readers(history.readers.overwritten(granule)),
                                      unordered_here);
      }
      if (unordered_read != nullptr) report(*unordered_read, granule, false, false);
    }
    const bool unwritten = looks_at_old && !shadow.written(granule, now) &&
                           !(access == Access::read && copy == nullptr &&
                             may_be_padding(warp, inst, offset, bytes, granule));
    // Threads that have waited in this epoch and meet a copy that has not arrived may have come too
    // early: its thread may be about to wait. Then a barrier is missing after the wait.
    const bool too_weak = copy != nullptr && warp.copies.waited_in != now.epoch;
    if ((copy != nullptr || unwritten) && !after_write && !reported) {
      note_early(warp, inst, lane, variable, address, granule, access, copy, too_weak);
      reported = true;
    }
    if (too_weak && kind != SiteKind::copy) continue;
    if (access == Access::read) {
      if (worker.launch->keeps_readers &&
          history.earlier.add_read(granule, access_now, bytes_if_atomic))
        continue;
      if (read.block != 0 && history.order.ordered(read.moment(), moment_of(warp, access_now)))
        shadow.forget_read(granule);
      shadow.record_read(granule, who, now, inst->site, warp.steps);
    } else {
      history.earlier.store_over(granule, store, atomic_bytes(warp, store), Who::strong(who),
                                 sees_value(inst, access), same, after_write);
      const std::uint32_t written_in = kind == SiteKind::copy ? Shadow::kOnTheWay : now.epoch;
      shadow.record_write(granule, who, {written_in, now.first_epoch}, inst->site, warp.steps);
    }
  }
}

void check_global_lane(Warp& warp, const Inst* inst, unsigned lane, const Allocation& allocation,
                       std::uint64_t offset, unsigned bytes, Access access,
                       const std::byte* incoming) {
  const Launch& launch = *warp.worker->launch;
  AccessHistory& history = warp.worker->history;
  const Footprint now = footprint_of(warp, lane, inst, access);
  const bool same_value =
      incoming != nullptr && std::memcmp(incoming, allocation.data + offset, bytes) == 0;
  const bool stores = access == Access::write || incoming == nullptr || same_value;
  if (launch.fences && talks(inst, access))
    note_flag(history.order, inst, allocation.address + offset, moment_of(warp, now), access,
              stores);
  Trace& trace = history.trace_of(allocation, launch.global_granule);
  bool reported = false, reported_same = false;  // likewise
  const auto report = [&](const Footprint& before, bool after_write, bool same, bool cached) {
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
    (same ? reported_same : reported) = true;
  };
  const auto unordered_here = [&](const Footprint& before) { return unordered(warp, before, now); };
  const bool reads_cached = access == Access::read && (inst->flags & MemoryFlags::kCached) != 0;
  for (std::size_t at = trace.granule(offset); at <= trace.granule(offset + bytes - 1); ++at) {
    if (is_unused(inst, access, offset, at * trace.granule_bytes())) continue;
    Footprints& granule = trace[at];
    const EarlierAccesses& earlier = trace.earlier.of(at);
    const bool same = access == Access::write && !is_update(warp, granule.write) && same_value;
    const bool after_write = unordered_here(granule.write);
    if (after_write && !reported && !(same && reported_same))
      report(granule.write, true, same, false);
    if (!reported && !same) {
      if (const Footprint* hidden = first_that(earlier.stores, unordered_here))
        report(*hidden, true, false, false);
    }
    if (access == Access::read) {
      if (reads_cached && !reported && granule.write.block != 0)
        report(granule.write, true, false, true);
      if (reads_cached) trace.earlier.add_cached(at, now);
      if (!launch.keeps_readers || !trace.earlier.add_read(at, now, atomic_bytes(warp, now)))
        record_read(granule, now, history.order);
      continue;
    }
    if (!reported) {
      const Footprint* read = first_that(earlier.reads, unordered_here);
      for (const Footprint* last : {&granule.read, &granule.read_elsewhere}) {
        if (read == nullptr && unordered_here(*last)) read = last;
      }
      if (read == nullptr && same && after_write)
        read = first_that(earlier.overwritten, unordered_here);
      if (read != nullptr) report(*read, false, false, false);
    }
    if (earlier.cached.block != 0 && !reported) report(earlier.cached, false, false, true);
    trace.earlier.store_over(at, granule.write, atomic_bytes(warp, granule.write),
                             Who::strong(now.who), sees_value(inst, access), same, after_write);
    record_write(granule, now);
  }
}

Moment moment_of(const Warp& warp, unsigned lane) {
  return {block_number(warp), who_of(warp, lane), warp.worker->history.epoch,
          warp.steps,         warp.sync_count,    warp.known_of(lane)};
}

const Inst* fence(Warp& warp, const Inst* inst, Mask mask) {
  warp.worker->charge(kLanes);
  for_lanes(mask, [&](unsigned lane) {
    warp.worker->history.order.fence(moment_of(warp, lane), inst->flags != 0);
  });
  return inst + 1;
}

void Warp::count_sync() {
  if (++sync_count % Who::kAgeing != 0) return;
  worker->charge(worker->history.granules() / kGranulesOfStep);
  worker->history.age_accesses_of(index, sync_count);
}

void Warp::count_without_meeting() {
  count_sync();
  if (!known.empty()) return;
  known.resize(kLanes);
  known[0].fill(full_sync);
}

void Warp::meet(Mask lanes) {
  count_sync();
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
  // A row that only these lanes have, or no lane: a warp has as many rows as lanes.
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

namespace {

void note_unfinished(Worker& worker, const EarlyAccess& access) {
  const FindingKey key{FindingKind::unfinished_copy, access.function, access.source,
                       access.variable->name, access.copy_site};
  worker.note(key, 1, [&](FindingNote& entry) {
    entry.unfinished = access.unfinished;
    entry.unfinished->thread = to_string(access.thread);
    entry.example.emplace_back("element", entry.unfinished->element.str());
    entry.example.emplace_back("thread", entry.unfinished->thread);
    entry.example.emplace_back("other thread", entry.unfinished->copier);
    entry.example.emplace_back("block", to_string(worker.block.id));
  });
}

void note_early_accesses(Worker& worker) {
  for (const EarlyAccess& read : worker.history.early) {
    if (!read.certain && worker.history.raced_words.contains(read.granule)) continue;
    if (read.unfinished) {
      note_unfinished(worker, read);
      continue;
    }
    const SharedVariable& variable = *read.variable;
    const FindingKey key{FindingKind::uninitialized_read, read.function, read.source,
                         variable.name};
    worker.note(key, 1, [&](FindingNote& entry) {
      const ArrayElement element = variable.element(static_cast<std::int64_t>(read.offset));
      entry.message =
          say(Phrase::reads_unwritten_shared, element, Thread{to_string(read.thread), ""});
      entry.hint = Phrase::reads_unwritten_shared_hint;
      const std::uint64_t threads = worker.launch->shape.block.count();
      const std::uint32_t element_bytes = variable.dynamic ? 0 : variable.shape.element_bytes;
      if (element_bytes != 0 && read.offset / element_bytes >= threads) {
        entry.hint +=
            say(Phrase::more_elements_than_threads, Count{threads, Phrase::thread}, element);
      }
      entry.example.emplace_back("element", element.str());
      entry.example.emplace_back("thread", to_string(read.thread));
      entry.example.emplace_back("block", to_string(worker.block.id));
    });
  }
}

}  // namespace

void Worker::end_epoch() {
  note_early_accesses(*this);
  if (block.live_threads != 0 && block.live_threads != block.threads) {
    charge(history.granules() / kGranulesOfStep);
    history.keep_stores_of_ended([&](std::uint32_t thread) {
      return ((block.warps[thread / kLanes].live >> thread % kLanes) & 1) == 0;
    });
  }
  if (launch->fences) history.order.barrier();
  history.end_epoch();
}

}  // namespace tessera::sim
