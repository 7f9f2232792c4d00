// Correct rounding by exact arithmetic: the expected results of instructions with a rounding mode.
#pragma once

#include <cmath>
#include <limits>

namespace tessera::test {

// With 113 bits of mantissa it holds every fp64 product exactly, and every sum of terms of similar
// magnitude.
#ifdef __x86_64__
__extension__ typedef __float128 Quad;
#else
typedef long double Quad;
#endif

enum class Rounding { nearest, zero, down, up };

inline constexpr Rounding kRoundings[] = {Rounding::nearest, Rounding::zero, Rounding::down,
                                          Rounding::up};

/// "rn", "rz", "rm" or "rp".
inline const char* suffix(Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return "rn";
    case Rounding::zero:
      return "rz";
    case Rounding::down:
      return "rm";
    case Rounding::up:
      break;
  }
  return "rp";
}

/// Returns `nearest`, or the neighbour that `rounding` requires. `side` is negative if the exact
/// value lies below `nearest`, positive if above.
template <class T>
T directed(T nearest, int side, Rounding rounding) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (side == 0 || rounding == Rounding::nearest) return nearest;
  const bool toward_zero_is_down = nearest > 0;
  const bool down =
      rounding == Rounding::down || (rounding == Rounding::zero && toward_zero_is_down);
  const bool up = rounding == Rounding::up || (rounding == Rounding::zero && !toward_zero_is_down);
  if (down && side < 0) return std::nextafter(nearest, -kInfinity);
  if (up && side > 0) return std::nextafter(nearest, kInfinity);
  return nearest;
}

/// Returns the exact value rounded to float or double; handles subnormals and overflow.
template <class T>
T rounded(Quad exact, Rounding rounding) {
  const T nearest = static_cast<T>(exact);
  if (nearest == 0) {  // rounding towards zero keeps it
    if (exact > 0 && rounding == Rounding::up) return std::numeric_limits<T>::denorm_min();
    if (exact < 0 && rounding == Rounding::down) return -std::numeric_limits<T>::denorm_min();
    return nearest;
  }
  const Quad back = static_cast<Quad>(nearest);
  return directed(nearest, exact < back ? -1 : exact > back ? 1 : 0, rounding);
}

/// Returns the rounded square root.
template <class T>
T rounded_sqrt(T value, Rounding rounding) {
  const T nearest = std::sqrt(value);
  const Quad square = static_cast<Quad>(nearest) * static_cast<Quad>(nearest);
  const Quad exact = static_cast<Quad>(value);
  return directed(nearest, exact < square ? -1 : exact > square ? 1 : 0, rounding);
}

}  // namespace tessera::test
