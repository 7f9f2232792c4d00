// The processor time of a child that has ended.
#pragma once

#include <sys/resource.h>

namespace tessera {

/// In seconds, of the child and of those of its children that it waited for.
inline double processor_seconds(const rusage& used) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Whether a program that did not end in the `seconds` that it may take used a fair part of them,
/// and so was slow by itself and not because of a busy machine.
inline bool took_fair_part(double processor_seconds, double seconds) {
  constexpr double kPart = 0.1;
  return processor_seconds > kPart * seconds;
}

}  // namespace tessera
