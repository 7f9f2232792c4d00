// What a failed assert in a kernel prints to standard error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

struct FailedAssert {
  std::string file;
  int line = 0;
  std::string block;      // "[0,0,0]"
  std::string thread;     // "[5,0,0]"
  std::string condition;  // "i < n"
};

/// The first failed assert in `log`, from a line like "kernel.cu:12: void k(int *): block: [0,0,0],
/// thread: [5,0,0] Assertion `i < n` failed."
std::optional<FailedAssert> failed_assert(std::string_view log);

}  // namespace tessera
