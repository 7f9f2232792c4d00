// The pattern of an element that no kernel has written.
#pragma once

#include <cstring>

namespace host {

/// Each byte of the output before the launch. The pattern is 3.4e38 as float and 2139062143 as int;
/// no right element has that value here.
inline constexpr unsigned char kUnwritten = 0x7f;

template <class T>
bool is_unwritten(const T& element) {
  unsigned char pattern[sizeof(T)];
  std::memset(pattern, kUnwritten, sizeof pattern);
  return std::memcmp(&element, pattern, sizeof pattern) == 0;
}

}  // namespace host
