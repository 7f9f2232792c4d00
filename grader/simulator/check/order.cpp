#include "grader/simulator/check/order.h"

#include <algorithm>

#include "grader/simulator/check/shadow.h"

namespace tessera::sim {
namespace {

constexpr std::uint64_t kAlways = ~std::uint64_t{0};  // later than any time

bool same_thread(std::uint32_t a, std::uint32_t b) {
  return Who::thread(a) == Who::thread(b);
}

/// Whether the thread of `now`, whose lane knows `known`, is the thread of `before` or has met it
/// since.
bool has_met(std::uint32_t now, std::uint32_t sync_count, const LaneCounts* known,
             std::uint32_t before) {
  if (same_thread(now, before)) return true;
  if (Who::warp(now) != Who::warp(before)) return false;
  return known == nullptr ? ((now ^ before) & Who::kSync) != 0 : covers(*known, sync_count, before);
}

/// Whether the counts of two moments are equal.
bool same_lanes(const LaneCounts* a, const LaneCounts* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace

bool MemoryOrder::Met::covers(const Moment& before) const {
  if (before.by_warp) return Who::warp(who) == Who::warp(before.who);
  return has_met(who, sync_count, known.get(), before.who);
}

MemoryOrder::Met MemoryOrder::met_at(const Moment& now) {
  return {now.who, now.sync_count,
          now.known == nullptr ? nullptr : std::make_shared<const LaneCounts>(*now.known)};
}

void MemoryOrder::start_block(std::uint32_t threads) {
  first_version_ = ++version_;
  fences_.assign(threads, {});
  seen_.assign(threads, {});
  std::fill(std::begin(fence_epoch_), std::end(fence_epoch_), 0);
  std::fill(std::begin(settled_epoch_), std::end(settled_epoch_), 0);
  settled_.reset();
  acquired_.assign((threads + kLanes - 1) / kLanes, {});
  latest_.assign(threads, 0);
  acquired_count_ = 0;
  acquired_at_.clear();
  by_block_.clear();
  work_ = 0;
  full_ = false;
  keep_own_flags();
  std::erase_if(flags_, [&](const auto& flag) {
    const bool own = flag.first < kGlobalFlags;
    if (own) {
      for (const auto& [from, inherited] : flag.second.inherited) kept_ -= inherited.size();
      for (const auto& [block, all] : flag.second.releases) {
        for (const auto& [thread, releases] : all.by_thread) kept_ -= releases.size();
      }
    }
    return own;
  });
  if (flags_.empty()) kept_fences_ = 0;
  began_ = order_;
}

void MemoryOrder::keep_own_flags() {
  std::map<std::uint64_t, std::uint64_t> kept;  // the new name of each
  std::vector<std::uint64_t> open;              // to look at, first those of other blocks too
  for (const auto& [address, flag] : flags_) {
    if (address >= kGlobalFlags && flag.changed > began_) open.push_back(address);
  }
  const std::vector<std::uint64_t> others = open;
  while (!open.empty()) {
    const std::uint64_t address = open.back();
    open.pop_back();
    const auto flag = flags_.find(address);
    if (flag == flags_.end()) continue;
    for (const auto& [from, inherited] : flag->second.inherited) {
      if (from.address < kGlobalFlags && kept.try_emplace(from.address, next_kept_).second) {
        ++next_kept_;
        open.push_back(from.address);
      }
    }
  }
  if (kept.empty()) return;
  const auto rename = [&](Flag& flag) {
    for (const auto& [before, after] : kept) {
      auto entry = flag.inherited.lower_bound({before, 0});
      while (entry != flag.inherited.end() && entry->first.address == before) {
        auto node = flag.inherited.extract(entry++);
        node.key().address = after;
        flag.inherited.insert(std::move(node));
      }
    }
  };
  for (const std::uint64_t address : others) rename(flags_.at(address));
  for (const auto& [before, after] : kept) {
    auto node = flags_.extract(before);
    if (node.empty()) continue;
    rename(node.mapped());
    node.key() = after;
    flags_.insert(std::move(node));
  }
}

void MemoryOrder::Fence::stand_at(const Moment& now, bool whole_device) {
  met = met_at(now);
  for (int reach = kBlock; reach <= (whole_device ? kDevice : kBlock); ++reach) {
    time[reach] = now.time;
    epoch[reach] = now.epoch;
  }
}

void MemoryOrder::see(std::uint64_t address, const Moment& now) {
  if (full()) return;
  std::vector<std::uint64_t>& flags = seen_[Who::thread(now.who)];
  work_ += flags.size();
  if (std::ranges::find(flags, address) == flags.end()) flags.push_back(address);
}

void MemoryOrder::fence(const Moment& now, bool whole_device) {
  for (const std::uint64_t flag : std::exchange(seen_[Who::thread(now.who)], {}))
    acquire(flag, now);
  fences_[Who::thread(now.who)].stand_at(now, whole_device);
  for (int reach = kBlock; reach <= (whole_device ? kDevice : kBlock); ++reach)
    fence_epoch_[reach] = now.epoch;
}

void MemoryOrder::release(std::uint64_t address, const Moment& now, bool whole_device,
                          bool orders) {
  if (full()) return;
  const Fence& fence = fences_[Who::thread(now.who)];
  Fence here;
  if (orders) {
    Moment with_itself = now;
    ++with_itself.time;
    here = fence;
    here.stand_at(with_itself, whole_device);
  }
  const Fence& own = orders ? here : fence;
  Release release;
  release.order = ++order_;
  for (int reach = kBlock; reach <= (whole_device ? kDevice : kBlock); ++reach) {
    release.time[reach] = own.time[reach];
    release.epoch[reach] = std::max(own.epoch[reach], settled_epoch_[reach]);
  }
  if (release.epoch[kBlock] == 0) return;  // no fence so far
  release.met = met_at(now);
  release.others = settled_;
  Flag& flag = flags_[address];
  Releases& of_block = flag.releases[now.block];
  std::vector<Release>& releases = of_block.by_thread[Who::thread(now.who)];
  // Copies that arrive at an mbarrier release what their thread did before an earlier moment than
  // this one, which it has released there too.
  if (!releases.empty() && releases.back().time[kBlock] > release.time[kBlock]) {
    const Release& last = releases.back();
    release.met = last.met;
    for (const Reach reach : {kBlock, kDevice}) {
      release.time[reach] = std::max(release.time[reach], last.time[reach]);
      release.epoch[reach] = std::max(release.epoch[reach], last.epoch[reach]);
    }
  }
  const auto same = [&](const Release& last) {
    return std::equal(last.time, last.time + kReaches, release.time) &&
           std::equal(last.epoch, last.epoch + kReaches, release.epoch) &&
           last.others == release.others &&
           same_lanes(last.met.known.get(), release.met.known.get());
  };
  const auto say_more = [&] {
    ++kept_;
    ++version_;
    flag.changed = release.order;
  };
  if (releases.empty() || !same(releases.back())) {
    releases.push_back(release);
    for (const Reach reach : {kBlock, kDevice})
      of_block.epoch[reach] = std::max(of_block.epoch[reach], release.epoch[reach]);
    of_block.others |= release.others != nullptr;
    if (std::exchange(last_kept_, release.others.get()) != release.others.get() &&
        release.others != nullptr)
      kept_fences_ += release.others->size();
    say_more();
  }
  const auto inherit = [&](std::uint64_t from, std::uint64_t order) {
    if (from == address) return;
    const bool device = release.epoch[kDevice] != 0;
    std::vector<Inherited>& inherited = flag.inherited[{from, now.block}];
    if (!inherited.empty() && inherited.back().acquired >= order &&
        inherited.back().whole_device >= device)
      return;
    inherited.push_back({order, release.order, device});
    say_more();
  };
  work_ += by_block_.size() + acquired_[Who::warp(now.who)].size();
  for (const auto& [from, order] : by_block_) inherit(from, order);
  for (const Acquired& acquired : acquired_[Who::warp(now.who)]) {
    if (const std::uint64_t order = known_order(acquired, now, order_))
      inherit(acquired.address, order);
  }
}

void MemoryOrder::acquire(std::uint64_t address, const Moment& now) {
  const auto flag = flags_.find(address);
  if (full() || flag == flags_.end()) return;
  const auto known = by_block_.find(address);
  if (known != by_block_.end() && known->second >= flag->second.changed) return;
  // Addresses have fewer than 54 bits, and threads wait for a lock again and again.
  const std::uint64_t key = address << 10 | Who::thread(now.who);
  std::vector<Acquired>& of_warp = acquired_[Who::warp(now.who)];
  const auto [at, fresh] = acquired_at_.try_emplace(key, of_warp.size());
  if (fresh) {
    of_warp.emplace_back();
    ++acquired_count_;
  }
  latest_[Who::thread(now.who)] = at->second;
  Acquired& acquired = of_warp[at->second];
  if (!fresh && acquired.last.order >= flag->second.changed) return;
  if (((acquired.last.who ^ now.who) & Who::kSync) != 0) acquired.before = acquired.last;
  acquired.address = address;
  acquired.last = {++order_, now.who};
  ++version_;
}

void MemoryOrder::barrier() {
  ++version_;
  for (std::vector<Acquired>& of_warp : acquired_) {
    for (const Acquired& acquired : of_warp) {
      std::uint64_t& order = by_block_[acquired.address];
      order = std::max(order, acquired.last.order);
    }
    of_warp.clear();
  }
  acquired_count_ = 0;
  acquired_at_.clear();
  if (std::equal(std::begin(fence_epoch_), std::end(fence_epoch_), std::begin(settled_epoch_)))
    return;
  std::copy(std::begin(fence_epoch_), std::end(fence_epoch_), std::begin(settled_epoch_));
  settled_ = std::make_shared<const std::vector<Fence>>(fences_);
}

std::uint64_t MemoryOrder::covered(const Release& release, const Moment& before, Reach reach) {
  if (before.epoch < release.epoch[reach]) return kAlways;
  if (before.time < release.time[reach] && release.met.covers(before)) return release.time[reach];
  if (release.others == nullptr || release.epoch[reach] == 0) return 0;
  const std::uint32_t first = Who::warp(before.who) * kLanes;
  for (std::uint32_t thread = first; thread < release.others->size() && thread < first + kLanes;
       ++thread) {
    const Fence& fence = (*release.others)[thread];
    if (before.time < fence.time[reach] && fence.met.covers(before)) return fence.time[reach];
  }
  return 0;
}

std::uint64_t MemoryOrder::known_order(const Acquired& acquired, const Moment& now,
                                       std::uint64_t until) {
  const auto knows = [&](const Acquired::Time& time) {
    return time.order <= until && has_met(now.who, now.sync_count, now.known, time.who);
  };
  if (knows(acquired.last)) return acquired.last.order;
  return knows(acquired.before) ? acquired.before.order : 0;
}

std::uint64_t MemoryOrder::covered(const std::vector<Release>& releases, std::uint64_t until,
                                   const Moment& before, Reach reach) {
  const auto after = std::upper_bound(
      releases.begin(), releases.end(), until,
      [](std::uint64_t order, const Release& release) { return order < release.order; });
  if (after == releases.begin()) return 0;
  return covered(*std::prev(after), before, reach);  // as all that earlier releases cover
}

std::uint64_t MemoryOrder::covered(const Flag& flag, std::uint64_t until, const Moment& before,
                                   Reach reach) const {
  const auto found = flag.releases.find(before.block);
  if (found == flag.releases.end()) return 0;
  const Releases& all = found->second;
  const auto own = all.by_thread.find(Who::thread(before.who));  // the likeliest
  if (own != all.by_thread.end()) {
    ++work_;
    if (const std::uint64_t time = covered(own->second, until, before, reach)) return time;
  }
  // Releases of another warp cover what barriers put before them, and nothing else.
  const bool any_warp = before.epoch < all.epoch[reach] || all.others;
  const std::uint32_t first = Who::warp(before.who) * kLanes;
  auto entry = any_warp ? all.by_thread.begin() : all.by_thread.lower_bound(first);
  for (; entry != all.by_thread.end() && (any_warp || entry->first < first + kLanes); ++entry) {
    if (entry == own) continue;
    ++work_;
    if (const std::uint64_t time = covered(entry->second, until, before, reach)) return time;
  }
  return 0;
}

std::uint64_t& MemoryOrder::Seen::operator[](const Acquirer& flag) {
  using Entry = std::pair<Acquirer, std::uint64_t>;
  const auto found = std::ranges::find(few_, flag, &Entry::first);
  if (found != few_.end()) return found->second;
  if (few_.size() < kFew) return few_.emplace_back(flag, 0).second;
  return many_[flag];
}

std::uint64_t MemoryOrder::search(const Acquirer& flag, std::uint64_t until, const Moment& before,
                                  Seen& seen) const {
  // A chain of flags can be as long as the kernel makes it: no recursion.
  std::vector<std::pair<Acquirer, std::uint64_t>> open{{flag, until}};
  while (!open.empty()) {
    const auto [at, order] = open.back();
    open.pop_back();
    std::uint64_t& searched = seen[at];  // up to this order
    ++work_;
    if (order <= searched) continue;
    searched = order;
    const auto found = flags_.find(at.address);
    if (found == flags_.end()) continue;
    const Reach reach = before.block == at.block ? kBlock : kDevice;
    if (const std::uint64_t time = covered(found->second, order, before, reach)) return time;
    work_ += found->second.inherited.size();
    for (const auto& [from, inherited] : found->second.inherited) {
      auto later = std::ranges::lower_bound(inherited, order, std::less<>(), &Inherited::released);
      // A link between two blocks must reach the device; one inside of a block need not.
      while (later != inherited.begin() && from.block != at.block &&
             !std::prev(later)->whole_device)
        --later;
      if (later != inherited.begin()) open.emplace_back(from, std::prev(later)->acquired);
    }
  }
  return 0;
}

bool MemoryOrder::ordered(const Moment& before, const Moment& now) const {
  if (full()) {
    gave_up_ = true;
    return true;
  }
  if (flags_.empty()) return false;
  answers_.resize(kAnswers);
  const std::uint64_t hash =
      (before.who * std::uint64_t{0x9e3779b1} + now.who) * std::uint64_t{0x9e3779b97f4a7c15};
  Answer& last = answers_[hash >> 32 & (kAnswers - 1)];
  const bool same = last.version >= first_version_ && last.block == before.block &&
                    last.before == before.who && last.now == now.who &&
                    last.by_warp == before.by_warp;
  if (same && last.ordered && before.time < last.time && before.epoch == last.epoch) return true;
  if (same && !last.ordered && last.version == version_ && before.time >= last.time &&
      before.epoch >= last.epoch)
    return false;
  const std::uint64_t covered = search(before, now, order_);
  const bool ordered = covered != 0;
  last = {.block = before.block,
          .before = before.who,
          .now = now.who,
          .epoch = before.epoch,
          .time = ordered ? covered : before.time,
          .version = version_,
          .ordered = ordered,
          .by_warp = before.by_warp};
  return ordered;
}

bool MemoryOrder::was_ordered(const Moment& before, const Moment& then,
                              std::uint64_t sequence) const {
  if (full()) {
    gave_up_ = true;
    return true;
  }
  return search(before, then, sequence) != 0;
}

std::uint64_t MemoryOrder::search(const Moment& before, const Moment& now,
                                  std::uint64_t until) const {
  Seen seen;
  const std::vector<Acquired>& of_warp = acquired_[Who::warp(now.who)];
  const auto covered_by = [&](const Acquired& acquired) {
    const std::uint64_t order = known_order(acquired, now, until);
    return order == 0 ? 0 : search({acquired.address, now.block}, order, before, seen);
  };
  const std::size_t latest = latest_[Who::thread(now.who)];  // the likeliest
  if (latest < of_warp.size()) {
    if (const std::uint64_t time = covered_by(of_warp[latest])) return time;
  }
  for (const Acquired& acquired : of_warp) {
    if (const std::uint64_t time = covered_by(acquired)) return time;
  }
  for (const auto& [address, order] : by_block_) {
    if (const std::uint64_t time = search({address, now.block}, order, before, seen)) return time;
  }
  return 0;
}

}  // namespace tessera::sim
