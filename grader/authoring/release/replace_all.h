// Words in a text, replaced.
#pragma once

#include <string>

namespace tessera {

/// Every `word` of `text` becomes `by`; what `by` brings is not looked at again.
inline void replace_all(std::string& text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + by.size())) {
    text.replace(at, word.size(), by);
  }
}

}  // namespace tessera
