// The table that the program prints: a row for each transfer and for the kernel.
#pragma once

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

namespace host {

/// `operations` is the unit of the last column, "GFLOP/s".
inline void print_heading(const char* memory, const char* operations) {
  std::printf("\n%-40s%10s%10s%10s%10s\n", memory, "MB", "ms", "GB/s", operations);
}

/// Prints a row; the last column stays empty if `operations` is 0. A row without milliseconds says
/// that the memory moves later.
inline void print_row(const char* what, double bytes, std::optional<float> milliseconds,
                      double operations = 0) {
  std::printf("  %-38s%10.2f", what, bytes / 1e6);
  if (milliseconds) {
    std::printf("%10.3f%10.1f", *milliseconds, bytes / *milliseconds / 1e6);
    if (operations > 0) std::printf("%10.1f", operations / *milliseconds / 1e6);
  } else {
    std::printf("  moves when the kernel touches it");
  }
  std::printf("\n");
}

/// The middle value; `values` must not be empty.
inline float median(std::vector<float> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace host
