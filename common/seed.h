// Where random numbers come from, and how many seeds there are.
#pragma once

#include <cstdint>

namespace tessera {

/// The grader draws its seeds from 2^49: too many for a kernel on a GPU to try them all, which it
/// does with 2^32 in one launch. They have at most 15 digits, which students can type and
/// spreadsheets keep.
inline constexpr std::uint64_t kSeeds = std::uint64_t{1} << 49;

/// 64 random bits of the operating system.
std::uint64_t random_number();

}  // namespace tessera
