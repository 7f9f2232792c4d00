// The seed of a grading, which decides the inputs that a kernel meets.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera {

/// The seed for a kernel's code (given by its code_key) in a lab, derived from the gradebook's
/// secret `key`. Equal code has an equal seed, so that a grading can be repeated and copies get
/// equal marks. The seed of other code cannot be predicted without `key`: a kernel with a table of
/// the inputs seen under one seed is other code, with another seed. Below kSeeds (common/seed.h).
std::uint64_t grading_seed(std::string_view key, std::string_view lab, std::string_view code_key);

}  // namespace tessera
