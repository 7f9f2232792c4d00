#include "grader/gpu/driver_version.h"

#include <cctype>

namespace tessera {

std::string driver_version_in(std::string_view text) {
  const std::string_view first_line = text.substr(0, text.find('\n'));
  std::string best;
  std::string word;
  for (const char c : std::string(first_line) + ' ') {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      word += c;
      continue;
    }
    if (c == ' ' && word.find('.') != std::string::npos && best.empty()) best = word;
    word.clear();
  }
  return best;
}

}  // namespace tessera
