#include "grader/simulator/trace.h"

#include <new>

#include "grader/simulator/shadow.h"

namespace tessera::sim {

Trace::Trace(std::uint64_t bytes, unsigned granule_bytes) : granule_bytes_(granule_bytes) {
  // calloc leaves untouched pages out of memory.
  void* zeroes = std::calloc(bytes / granule_bytes + 1, sizeof(Footprints));
  if (zeroes == nullptr) throw std::bad_alloc();
  footprints_.reset(static_cast<Footprints*>(zeroes));
}

void record_read(Footprints& granule, const Footprint& now, const MemoryOrder& order) {
  Footprint& read = granule.read;
  // A reader that a flag orders before this one need not be remembered, one of two that nothing
  // orders must be.
  const auto is_past = [&](const Footprint& before) {
    return before.block == 0 || order.ordered(before.moment(), now.moment());
  };
  Footprint& elsewhere = granule.read_elsewhere;
  if (read.block != 0 && read.block != now.block &&
      (elsewhere.block == now.block || is_past(elsewhere)))
    elsewhere = read;
  const bool together = read.block == now.block && read.epoch == now.epoch && !is_past(read);
  const std::uint32_t who = Who::merged(read.who, now.who, together);
  read = now;
  read.who = who;
}

void record_write(Footprints& granule, const Footprint& now) {
  granule.write = now;
}

}  // namespace tessera::sim
