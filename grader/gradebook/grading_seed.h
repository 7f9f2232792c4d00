// The seed of a grading, which decides the inputs that a kernel meets.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera {

/// The seed for a code (its code_key) under a lab, by the gradebook's secret `key`. One code has
/// one seed, so that a grading can be repeated and copies get equal marks. The seed of any other
/// code cannot be predicted without `key`: a kernel with a table of the inputs seen under one seed
/// is other code, with another seed. It is below kSeeds (common/seed.h).
std::uint64_t grading_seed(std::string_view key, std::string_view lab, std::string_view code_key);

}  // namespace tessera
