// Replaces words in a text.
#pragma once

#include <string>

namespace tessera {

/// Replaces every `word` in `text` by `by`, without looking into `by`.
inline void replace_all(std::string& text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + by.size())) {
    text.replace(at, word.size(), by);
  }
}

}  // namespace tessera
