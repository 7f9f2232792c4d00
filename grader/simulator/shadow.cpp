#include "grader/simulator/shadow.h"

namespace tessera::sim {
namespace {

/// Whether an access recorded as (epoch, sync, who) is unordered with one by `who_now` at `now`.
bool unordered(std::uint32_t epoch, std::uint32_t sync, std::uint32_t who, std::uint32_t who_now,
               const Now& now, bool across_blocks) {
  if (epoch == 0 || ((who & who_now) & Who::kAtomic) != 0) return false;
  if (epoch < now.first_epoch) return across_blocks;
  if (epoch != now.epoch) return false;
  if ((who & Who::kSeveralWarps) != 0) return true;
  if (Who::warp(who) != Who::warp(who_now)) return true;
  const bool same_thread =
      (who & Who::kSeveralLanes) == 0 && Who::thread(who) == Who::thread(who_now);
  return !same_thread && sync == now.sync;
}

/// Who has read a granule after `who` reads it too.
std::uint32_t merged_reader(std::uint32_t old_epoch, std::uint32_t old_sync, std::uint32_t old,
                            std::uint32_t who, const Now& now) {
  if (old_epoch != now.epoch) return who;
  if ((old & Who::kSeveralWarps) != 0) return Who::kSeveralWarps | who;
  if (((old ^ who) & 0x3e0) != 0) return Who::kSeveralWarps | who;
  if (old_sync != now.sync || ((old ^ who) & ~Who::kAtomic) == 0) return who;
  return Who::kSeveralLanes | who;
}

}  // namespace

void Shadow::resize(std::uint64_t bytes, unsigned granule_bytes) {
  granule_ = granule_bytes;
  const auto granules = static_cast<std::size_t>((bytes + granule_bytes - 1) / granule_bytes);
  for (Column* column : {&writes, &reads}) {
    for (auto* values : {&column->epoch, &column->sync, &column->who, &column->site})
      values->assign(granules, 0);
  }
}

bool Shadow::read_run(std::size_t first, unsigned count, std::uint32_t thread, const Now& now,
                      std::uint32_t site) {
  const std::uint32_t* written = &writes.epoch[first];
  const std::uint32_t* writer = &writes.who[first];
  std::uint32_t doubt = 0;
  for (unsigned i = 0; i < count; ++i) {
    doubt |= static_cast<std::uint32_t>(written[i] < now.first_epoch) |
             (static_cast<std::uint32_t>(written[i] == now.epoch) &
              static_cast<std::uint32_t>(writer[i] != thread + i));
  }
  if (doubt != 0) return false;
  std::uint32_t* epoch = &reads.epoch[first];
  std::uint32_t* sync = &reads.sync[first];
  std::uint32_t* who = &reads.who[first];
  std::uint32_t* by = &reads.site[first];
#pragma GCC ivdep
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t self = thread + i;
    const std::uint32_t old = who[i];
    const bool other_warp = ((old ^ self) & (0x3e0 | Who::kSeveralWarps)) != 0;
    const bool alone = (sync[i] != now.sync) | (old == self);
    const std::uint32_t merged = other_warp ? Who::kSeveralWarps | self
                                 : alone    ? self
                                            : Who::kSeveralLanes | self;
    who[i] = epoch[i] != now.epoch ? self : merged;
    epoch[i] = now.epoch;
    sync[i] = now.sync;
    by[i] = site;
  }
  return true;
}

bool Shadow::read_broadcast(std::size_t at, unsigned count, std::uint32_t thread, const Now& now,
                            std::uint32_t site) {
  const std::uint32_t written = writes.epoch[at];
  if (written < now.first_epoch || written == now.epoch) return false;
  const std::uint32_t who = count == 1 ? thread : Who::kSeveralLanes | thread;
  record_read(at, who, now, site);
  return true;
}

bool Shadow::write_run(std::size_t first, unsigned count, std::uint32_t thread, const Now& now,
                       std::uint32_t site) {
  std::uint32_t doubt = 0;
  for (unsigned i = 0; i < count; ++i) {
    doubt |= static_cast<std::uint32_t>(writes.epoch[first + i] == now.epoch) &
             static_cast<std::uint32_t>(writes.who[first + i] != thread + i);
    doubt |= static_cast<std::uint32_t>(reads.epoch[first + i] == now.epoch) &
             static_cast<std::uint32_t>(reads.who[first + i] != thread + i);
  }
  if (doubt != 0) return false;
  std::uint32_t* epoch = &writes.epoch[first];
  std::uint32_t* sync = &writes.sync[first];
  std::uint32_t* who = &writes.who[first];
  std::uint32_t* by = &writes.site[first];
#pragma GCC ivdep
  for (unsigned i = 0; i < count; ++i) {
    epoch[i] = now.epoch;
    sync[i] = now.sync;
    who[i] = thread + i;
    by[i] = site;
  }
  return true;
}

bool Shadow::write_clashes(std::size_t at, std::uint32_t who, const Now& now,
                           bool across_blocks) const {
  return unordered(writes.epoch[at], writes.sync[at], writes.who[at], who, now, across_blocks);
}

bool Shadow::read_clashes(std::size_t at, std::uint32_t who, const Now& now,
                          bool across_blocks) const {
  return unordered(reads.epoch[at], reads.sync[at], reads.who[at], who, now, across_blocks);
}

void Shadow::record_read(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site) {
  reads.who[at] = merged_reader(reads.epoch[at], reads.sync[at], reads.who[at], who, now);
  reads.epoch[at] = now.epoch;
  reads.sync[at] = now.sync;
  reads.site[at] = site;
}

void Shadow::record_write(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site) {
  writes.who[at] = who;
  writes.epoch[at] = now.epoch;
  writes.sync[at] = now.sync;
  writes.site[at] = site;
}

}  // namespace tessera::sim
