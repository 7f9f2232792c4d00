#include "grader/simulator/check/shadow.h"

#include <algorithm>

namespace tessera::sim {
namespace {

/// Returns all ones if `condition` holds, else 0. So the loops below have no branches, and
/// compilers vectorise them.
std::uint32_t mask_if(bool condition) {
  return 0u - static_cast<std::uint32_t>(condition);
}

/// Returns the readers of a granule, so far `old`, after `who` reads it too; `same_epoch` is a
/// mask.
[[gnu::always_inline]] inline std::uint32_t merged_reader(std::uint32_t old, std::uint32_t who,
                                                          std::uint32_t same_epoch) {
  const std::uint32_t other_warp =
      mask_if((((old ^ who) & Who::kWarp) | (old & Who::kSeveralWarps)) != 0);
  const std::uint32_t other_lane = mask_if(((old ^ who) & Who::kSync) == 0) & mask_if(old != who);
  constexpr std::uint32_t kTalks = Who::kAtomic | Who::kVolatile;
  const std::uint32_t plain = same_epoch & ~old & kTalks;  // flags that the earlier readers lack
  return (who & ~plain) | (same_epoch & ((other_warp & Who::kSeveralWarps) |
                                         (~other_warp & other_lane & Who::kSeveralLanes)));
}

}  // namespace

bool Who::unordered(std::uint32_t before, std::uint32_t now) {
  const bool other_warp = (before & kSeveralWarps) != 0 || ((before ^ now) & kWarp) != 0;
  const bool both_volatile = (before & kVolatile) != 0 && (now & kVolatile) != 0;
  if (talk(before, now) && (other_warp || !both_volatile)) return false;
  if (other_warp) return true;
  const bool same_thread = (before & kSeveralLanes) == 0 && thread(before) == thread(now);
  return !same_thread && ((before ^ now) & kSync) == 0;
}

bool covers(const LaneCounts& counts, std::uint32_t sync_count, std::uint32_t who) {
  return Who::synced(who, sync_count) < counts[Who::thread(who) % kLanes];
}

std::uint32_t Who::merged(std::uint32_t before, std::uint32_t now, bool together) {
  return merged_reader(before, now, mask_if(together));
}

void Shadow::resize(std::uint64_t bytes, unsigned granule_bytes, bool with_times) {
  shift_ = granule_bytes == 1 ? 0 : 2;
  const std::size_t granules = granule(bytes + granule_bytes - 1);
  for (Column* column : {&writes, &reads}) {
    for (auto* values : {&column->epoch, &column->who, &column->site}) values->assign(granules, 0);
    column->time.assign(with_times ? granules : 0, 0);
  }
  settled_.assign(granules, 0);
}

template <unsigned kCount>
bool Shadow::read_lanes(std::size_t first, std::uint32_t who, std::uint32_t step, const Now& now,
                        std::uint32_t site) {
  const std::uint32_t now_epoch = now.epoch;
  std::uint32_t* settled = &settled_[first];
  const std::uint32_t first_epoch = now.first_epoch;
  const std::uint32_t* written = &writes.epoch[first];
  std::uint32_t doubt = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    doubt |= mask_if(written[i] < first_epoch) | mask_if(written[i] == now_epoch);
  }
  if (doubt != 0) return false;
  std::uint32_t* epoch = &reads.epoch[first];
  std::uint32_t* reader = &reads.who[first];
  std::uint32_t* by = &reads.site[first];
#pragma GCC ivdep
  for (unsigned i = 0; i < kCount; ++i) {
    reader[i] = merged_reader(reader[i], who + i * step, mask_if(epoch[i] == now_epoch));
    settled[i] = mask_if((reader[i] & Who::kSeveralWarps) != 0) & now_epoch;
    epoch[i] = now_epoch;
    by[i] = site;
  }
  return true;
}

template <unsigned kCount>
bool Shadow::write_run(std::size_t first, std::uint32_t who, const Now& now, std::uint32_t site) {
  std::uint32_t doubt = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    doubt |= static_cast<std::uint32_t>(writes.epoch[first + i] == now.epoch) |
             static_cast<std::uint32_t>(writes.epoch[first + i] == kOnTheWay) |
             static_cast<std::uint32_t>(reads.epoch[first + i] == now.epoch);
  }
  if (doubt != 0) return false;
  std::uint32_t* epoch = &writes.epoch[first];
  std::uint32_t* writer = &writes.who[first];
  std::uint32_t* by = &writes.site[first];
#pragma GCC ivdep
  for (unsigned i = 0; i < kCount; ++i) {
    epoch[i] = now.epoch;
    writer[i] = who + i;
    by[i] = site;
  }
  return true;
}

template bool Shadow::read_lanes<8>(std::size_t, std::uint32_t, std::uint32_t, const Now&,
                                    std::uint32_t);
template bool Shadow::read_lanes<16>(std::size_t, std::uint32_t, std::uint32_t, const Now&,
                                     std::uint32_t);
template bool Shadow::read_lanes<32>(std::size_t, std::uint32_t, std::uint32_t, const Now&,
                                     std::uint32_t);
template bool Shadow::write_run<8>(std::size_t, std::uint32_t, const Now&, std::uint32_t);
template bool Shadow::write_run<16>(std::size_t, std::uint32_t, const Now&, std::uint32_t);
template bool Shadow::write_run<32>(std::size_t, std::uint32_t, const Now&, std::uint32_t);

bool Shadow::read_unsettled(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                            std::uint32_t site) {
  const auto read = [&]<unsigned kCount>() {
    if (!read_lanes<kCount>(first, who, 0, now, site)) return false;
    first += kCount;
    count -= kCount;
    return true;
  };
  while (count >= 32) {
    if (!read.template operator()<32>()) return false;
  }
  return ((count & 16) == 0 || read.template operator()<16>()) &&
         ((count & 8) == 0 || read.template operator()<8>()) &&
         ((count & 4) == 0 || read.template operator()<4>()) &&
         ((count & 2) == 0 || read.template operator()<2>()) &&
         ((count & 1) == 0 || read.template operator()<1>());
}

bool Shadow::written_before(std::size_t first, std::size_t count, std::uint32_t epoch) const {
  std::uint32_t doubt = 0;
  for (std::size_t at = first; at < first + count; ++at)
    doubt |= mask_if(writes.epoch[at] >= epoch) | mask_if(writes.epoch[at] == kOnTheWay);
  return doubt == 0;
}

bool Shadow::write_words(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                         std::uint32_t site) {
  for (std::size_t at = first; at < first + count; ++at) {
    if (writes.epoch[at] == now.epoch || reads.epoch[at] == now.epoch || on_the_way(at))
      return false;
  }
  for (std::size_t at = first; at < first + count; ++at) record_write(at, who, now, site, 0);
  return true;
}

template <unsigned kCount>
bool Shadow::copy_lanes(std::size_t first, std::uint32_t who, const Now& now,
                        std::uint32_t written_in, std::uint32_t site, std::uint64_t time) {
  std::uint32_t* written = &writes.epoch[first];
  const std::uint32_t* read = &reads.epoch[first];
  std::uint32_t doubt = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    doubt |= mask_if(written[i] == now.epoch) | mask_if(read[i] == now.epoch) |
             (mask_if(written_in == kOnTheWay) & mask_if(written[i] == kOnTheWay));
  }
  if (doubt != 0) return false;
  std::uint32_t* writer = &writes.who[first];
  std::uint32_t* by = &writes.site[first];
  std::uint32_t* settled = &settled_[first];
#pragma GCC ivdep
  for (unsigned i = 0; i < kCount; ++i) {
    written[i] = written_in;
    writer[i] = who;
    by[i] = site;
    settled[i] = 0;
  }
  if (!writes.time.empty()) std::fill_n(&writes.time[first], kCount, time);
  return true;
}

bool Shadow::copy_words(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                        std::uint32_t written_in, std::uint32_t site, std::uint64_t time) {
  const auto copy = [&]<unsigned kCount>() {
    return copy_lanes<kCount>(first, who, now, written_in, site, time);
  };
  switch (count) {
    case 1:
      return copy.template operator()<1>();
    case 2:
      return copy.template operator()<2>();
    case 4:
      return copy.template operator()<4>();
    case 8:
      return copy.template operator()<8>();
    case 16:
      return copy.template operator()<16>();
    default:
      return false;
  }
}

bool Shadow::copy_begins(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                         std::uint32_t site, std::uint64_t time) {
  return copy_words(first, count, who, now, kOnTheWay, site, time);
}

bool Shadow::copy_arrives(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                          std::uint32_t site, std::uint64_t time) {
  return copy_words(first, count, who, now, now.epoch, site, time);
}

void Shadow::record_read(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site,
                         std::uint64_t time) {
  reads.who[at] = merged_reader(reads.who[at], who, mask_if(reads.epoch[at] == now.epoch));
  reads.epoch[at] = now.epoch;
  reads.site[at] = site;
  if (!reads.time.empty()) reads.time[at] = time;
}

void Shadow::forget_copies() {
  std::ranges::replace(writes.epoch, kOnTheWay, 0u);
}

void Shadow::record_write(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site,
                          std::uint64_t time) {
  settled_[at] = 0;
  writes.who[at] = who;
  writes.epoch[at] = now.epoch;
  writes.site[at] = site;
  if (!writes.time.empty()) writes.time[at] = time;
}

}  // namespace tessera::sim
