// Correct rounding by exact arithmetic: what a directed instruction has to give.
#pragma once

#include <cmath>
#include <limits>

namespace tessera::test {

// 113 bits of mantissa: it holds every fp64 product, and every sum whose terms are near, exactly.
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

/// Moves `nearest` to the neighbour that `rounding` asks for, where the exact value lies `side` of
/// it (negative: below it).
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

/// The exact value rounded to float or double, subnormals and overflow included.
template <class T>
T rounded(Quad exact, Rounding rounding) {
  const T nearest = static_cast<T>(exact);
  if (nearest == 0) {  // towards zero it stays, whatever the side
    if (exact > 0 && rounding == Rounding::up) return std::numeric_limits<T>::denorm_min();
    if (exact < 0 && rounding == Rounding::down) return -std::numeric_limits<T>::denorm_min();
    return nearest;
  }
  const Quad back = static_cast<Quad>(nearest);
  return directed(nearest, exact < back ? -1 : exact > back ? 1 : 0, rounding);
}

/// The square root, rounded.
template <class T>
T rounded_sqrt(T value, Rounding rounding) {
  const T nearest = std::sqrt(value);
  const Quad square = static_cast<Quad>(nearest) * static_cast<Quad>(nearest);
  const Quad exact = static_cast<Quad>(value);
  return directed(nearest, exact < square ? -1 : exact > square ? 1 : 0, rounding);
}

}  // namespace tessera::test
