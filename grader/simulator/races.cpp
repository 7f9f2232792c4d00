// race and uninitialized-read in shared memory: every access asks the shadow who touched the word
// before.
#include <fmt/format.h>

#include "grader/simulator/ops_memory.h"

namespace tessera::sim {
namespace {

constexpr std::size_t kMaxEarlyReads = 4096;  // of one epoch; more of them say nothing new

Now now_of(const Warp& warp) {
  return {warp.worker->epoch, warp.worker->first_epoch};
}

std::uint32_t who_of(const Warp& warp, unsigned lane) {
  return Who::make(warp.index * kLanes + lane, warp.sync_count);
}

Dim3 thread_number(const Block& block, std::uint32_t thread) {
  return thread_of(block.warps[thread / kLanes], thread % kLanes);
}

std::string element_of(const SharedVariable& variable, std::uint64_t address) {
  return fmt::format("{} + {} bytes", variable.name, address - variable.address);
}

struct Clash {
  const Shadow::Column* column = nullptr;  // of the earlier access
  std::size_t granule = 0;
  std::string_view earlier;  // "reads" or "writes"
  std::string_view later;
  bool same_value = false;
};

/// The line of the earlier access is known when the findings are brought together: kOtherLine
/// stands for it.
void note_race(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
               std::uint64_t address, const Clash& clash) {
  const std::uint32_t site = clash.column->site[clash.granule];
  const std::uint32_t who = clash.column->who[clash.granule];
  FindingKey key{FindingKind::race, warp.frame->function, inst->source, variable.name, site};
  if (clash.same_value) key.subject += " (same value)";
  key.inside_warp = Who::warp(who) == warp.index && (who & Who::kSeveralWarps) == 0;
  warp.worker->note(key, 1, [&](FindingNote& note) {
    if (clash.same_value) note.severity = Severity::info;
    const Dim3 self = thread_of(warp, lane);
    const Dim3 other = thread_number(*warp.block, Who::thread(who));
    note.message =
        fmt::format("{} {} {}, which thread {} {} at line {} with no {} between", clash.later,
                    variable.name, clash.same_value ? "(the same value)" : "here", to_string(other),
                    clash.earlier, kOtherLine, key.inside_warp ? "__syncwarp()" : "barrier");
    note.hint =
        key.inside_warp
            ? "Lanes of one warp do not run in step: put __syncwarp() between the two accesses."
            : "Put __syncthreads() between the two accesses.";
    note.example.emplace_back("variable", variable.name);
    note.example.emplace_back("element", element_of(variable, address));
    note.example.emplace_back("thread", to_string(self));
    note.example.emplace_back("other thread", to_string(other));
    note.example.emplace_back("block", to_string(warp.block->id));
  });
}

void note_early_read(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                     std::uint64_t address, std::size_t granule) {
  auto& reads = warp.worker->early_reads;
  if (reads.size() >= kMaxEarlyReads) return;
  EarlyRead read;
  read.granule = granule;
  read.key.kind = FindingKind::uninitialized_read;
  read.key.function = warp.frame->function;
  read.key.source = inst->source;
  read.key.subject = variable.name;
  read.element = element_of(variable, address);
  read.thread = thread_of(warp, lane);
  reads.push_back(std::move(read));
}

}  // namespace

bool shared_access_clean(Warp& warp, const Inst* inst, const Pattern& pattern, Access access) {
  Worker& worker = *warp.worker;
  Shadow& shadow = worker.shadow;
  if (pattern.segment == 0 || pattern.width != shadow.granule_bytes()) return false;
  const Now now = now_of(warp);
  const std::uint64_t offset = static_cast<std::uint64_t>(inst->offset) - worker.launch->shared_low;
  for (unsigned lane = 0, piece = 0; lane < kLanes; lane += pattern.segment, ++piece) {
    if (!((pattern.mask >> lane) & 1)) continue;
    const std::size_t granule = shadow.granule(pattern.address[lane] + offset);
    const std::uint32_t who = who_of(warp, lane);
    const bool consecutive = (pattern.consecutive >> piece) & 1;
    bool clean = false;
    if (access == Access::read) {
      clean = consecutive ? shadow.read_run(granule, pattern.segment, who, now, inst->site)
                          : shadow.read_broadcast(granule, who, now, inst->site);
    } else if (consecutive) {
      clean = shadow.write_run(granule, pattern.segment, who, now, inst->site);
    }
    if (!clean) return false;
  }
  return true;
}

void check_shared_lane(Warp& warp, const Inst* inst, unsigned lane, const SharedVariable& variable,
                       std::uint64_t address, unsigned bytes, Access access,
                       const std::byte* incoming) {
  Worker& worker = *warp.worker;
  Shadow& shadow = worker.shadow;
  const Now now = now_of(warp);
  const std::uint64_t offset = address - worker.launch->shared_low;
  const bool atomic = access == Access::atomic;
  const std::uint32_t who = who_of(warp, lane) | (atomic ? Who::kAtomic : 0);
  const bool looks_at_old =
      access == Access::read || (atomic && !(inst->flags & AtomicFlags::kOverwrites));
  const bool same_value =
      incoming != nullptr && std::memcmp(incoming, worker.shared.data() + offset, bytes) == 0;
  bool told = false;  // one hazard an access is enough
  for (std::size_t granule = shadow.granule(offset); granule <= shadow.granule(offset + bytes - 1);
       ++granule) {
    const bool after_write = shadow.write_clashes(granule, who, now);
    if (after_write && !told) {
      const bool writes = access != Access::read;
      note_race(warp, inst, lane, variable, address,
                {&shadow.writes, granule, "writes", writes ? "writes" : "reads",
                 access == Access::write && same_value});
      told = true;
    }
    if (access != Access::read && !told && shadow.read_clashes(granule, who, now)) {
      note_race(warp, inst, lane, variable, address,
                {&shadow.reads, granule, "reads", "writes", false});
      told = true;
    }
    if (looks_at_old && !after_write && !shadow.written(granule, now) && !told) {
      note_early_read(warp, inst, lane, variable, address, granule);
      told = true;
    }
    if (access == Access::read) {
      shadow.record_read(granule, who, now, inst->site);
    } else {
      shadow.record_write(granule, who, now, inst->site);
    }
  }
}

void Worker::end_epoch() {
  for (const EarlyRead& read : early_reads) {
    if (shadow.writes.epoch[read.granule] == epoch) continue;
    note(read.key, 1, [&](FindingNote& entry) {
      entry.message = fmt::format("reads {}, which nobody has written", read.key.subject);
      entry.hint =
          "Every element of a shared array that is read must first be written by some thread, with "
          "a barrier between.";
      entry.example.emplace_back("element", read.element);
      entry.example.emplace_back("thread", to_string(read.thread));
      entry.example.emplace_back("block", to_string(block.id));
    });
  }
  early_reads.clear();
  ++epoch;
}

}  // namespace tessera::sim
