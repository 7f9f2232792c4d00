// How far `lab check` has come.
#pragma once

#include <cstddef>
#include <string_view>

namespace tessera {

struct CheckProgress {
  std::string_view part;  // "kernels", "mutants", "shapes to compare on", "mutants to compare"
  std::size_t done = 0;
  std::size_t total = 0;
  std::size_t kept = 0;  // of `done`, known from an earlier run
};

}  // namespace tessera
