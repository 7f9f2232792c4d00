// Words with the same meaning in every kernel.
#pragma once

#include <string>

namespace tessera {

/// Whether `word` belongs to the language, to CUDA or to lab.cuh, so that no author chose it. Every
/// word that begins with "__" is CUDA's.
bool is_cuda_word(const std::string& word);

}  // namespace tessera
