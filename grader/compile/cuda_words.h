// Words that mean the same in every kernel.
#pragma once

#include <string>

namespace tessera {

/// Whether `word` is the language's, CUDA's or lab.cuh's, and no name that an author chose. What
/// begins with "__" is CUDA's.
bool is_cuda_word(const std::string& word);

}  // namespace tessera
