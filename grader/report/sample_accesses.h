// Accesses of source lines, for tests of the advice on them.
#pragma once

#include <cstdint>
#include <string>

#include "common/line_profile.h"

namespace tessera {

inline LineAccess access_at(int line, LineAccess::Memory memory, bool store, std::uint64_t requests,
                            const AccessShape& worst) {
  LineAccess access;
  access.line = line;
  access.memory = memory;
  access.store = store;
  access.requests = requests;
  access.passes = requests * worst.passes;
  access.ideal = requests * worst.ideal;
  access.worst = worst;
  return access;
}

/// A warp of 16 x 2 threads reads a column of a matrix with 64 floats a row.
inline AccessShape column_of_a() {
  return {.variable = "A",
          .lanes = 32,
          .width = 4,
          .passes = 16,
          .ideal = 4,
          .stride = 256,
          .row_bytes = 256};
}

inline AccessShape shape(const std::string& variable, std::uint32_t passes, std::uint32_t ideal,
                         std::int64_t stride) {
  return {.variable = variable,
          .lanes = 32,
          .width = 4,
          .passes = passes,
          .ideal = ideal,
          .stride = stride,
          .row_bytes = 0};
}

}  // namespace tessera
