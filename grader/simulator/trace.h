// Who touched which granule of a buffer in global memory: races inside a block and between the
// blocks of a launch. Kept while blocks run one after the other; all of them count as concurrent.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "grader/simulator/order.h"

namespace tessera::sim {

/// The last access of one kind. 24 bytes.
struct Footprint {
  std::uint32_t block = 0;  // linear number, from 1; 0: nobody
  std::uint32_t who = 0;    // Who of shadow.h
  std::uint32_t epoch = 0;
  std::uint32_t site = 0;  // memory instruction
  std::uint64_t time = 0;  // warp instructions of the warp

  Moment moment() const { return {block - 1, who, epoch, time}; }
};

struct Footprints {
  Footprint write;
  Footprint read;
  Footprint read_elsewhere;  // a read by another block than `read`'s that no flag orders before it
};

/// The footprints of one buffer: 72 bytes a granule, of memory that is used only where touched.
class Trace {
 public:
  Trace(std::uint64_t bytes, unsigned granule_bytes);

  std::size_t granule(std::uint64_t offset) const {
    return static_cast<std::size_t>(offset / granule_bytes_);
  }
  Footprints& operator[](std::size_t granule) { return footprints_[granule]; }

 private:
  struct Free {
    void operator()(Footprints* memory) const { std::free(memory); }
  };
  unsigned granule_bytes_;
  std::unique_ptr<Footprints[], Free> footprints_;
};

/// Takes the access into the granule's footprints.
void record_read(Footprints& granule, const Footprint& now, const MemoryOrder& order);
void record_write(Footprints& granule, const Footprint& now);

}  // namespace tessera::sim
