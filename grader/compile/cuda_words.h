// Words with the same meaning in every kernel.
#pragma once

#include <string>

namespace tessera {

/// Whether `word` is a frequent word of the language, of CUDA or of lab.cuh, so that no author
/// chose it. Every word that begins with "__" is CUDA's.
bool is_cuda_word(const std::string& word);

}  // namespace tessera
