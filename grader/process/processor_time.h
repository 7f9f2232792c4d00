// Decides whether a program was slow by itself, or the machine was busy.
#pragma once

namespace tessera {

/// Whether a program that did not end in the `seconds` that it may take used a fair part of them,
/// and so was slow by itself and not because of a busy machine.
inline bool took_fair_part(double processor_seconds, double seconds) {
  constexpr double kPart = 0.1;
  return processor_seconds > kPart * seconds;
}

}  // namespace tessera
