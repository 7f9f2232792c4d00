// Numbers as formats with fewer bits hold them.
#pragma once

namespace tessera {

/// A binary floating-point format: significant bits, with the hidden one, and the exponent of the
/// smallest normal number.
struct FloatFormat {
  int digits = 24;
  int least_exponent = -126;
};

inline constexpr FloatFormat kHalf{11, -14};
inline constexpr FloatFormat kBfloat16{8, -126};
inline constexpr FloatFormat kTf32{11, -126};
inline constexpr FloatFormat kFloat{24, -126};

/// `value` rounded to nearest, ties to even; or cut off towards zero. Neither overflows.
double round_to(double value, const FloatFormat& format);
double cut_to(double value, const FloatFormat& format);

}  // namespace tessera
