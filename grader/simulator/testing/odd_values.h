// Values at the edges of their types, as operands of tests.
#pragma once

#include <cstdint>
#include <limits>

namespace tessera::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kTiny = std::numeric_limits<float>::min();  // the smallest normal number
inline constexpr float kDenorm = std::numeric_limits<float>::denorm_min();
inline constexpr double kInfD = std::numeric_limits<double>::infinity();
inline constexpr std::uint32_t kOtherNan = 0xffc12345;

inline constexpr std::int32_t kMin32 = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();

}  // namespace tessera::test
