// The message and the hint for what a running product meets: an asynchronous product of matrices
// for which its warp has not waited.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/wording.h"

namespace tessera::sim {

enum class ProductMistake : std::uint8_t {
  sum_read,        // an instruction reads the register of a sum
  sum_written,     // or writes it
  factor_written,  // or writes a register of A
  overwritten,     // shared memory that the product reads is written
  unfenced_store,  // the product reads what was stored, without a fence between the two
};

struct ProductMeeting {
  ProductMistake mistake = ProductMistake::sum_read;
  // Of a register:
  bool in_group = false;         // the product belongs to a group
  bool in_local_memory = false;  // the value goes to, or comes from, local memory
  // Of shared memory:
  ArrayElement element;
  Phrase verb = Phrase::stores;
  std::string thread;                      // that stored what the product reads
  std::optional<std::uint32_t> wait_site;  // where the product's warp waits for it
};

/// `line` is that of the product; of what was stored for unfenced_store.
Text product_message(const ProductMeeting& meeting, SourceLine line);

/// Returns how to repair it. `wait` is where the product's warp waits.
Text product_hint(const ProductMeeting& meeting, SourceLine line, SourceLine wait);

}  // namespace tessera::sim
