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

std::string driver_version_in_maps(std::string_view text) {
  constexpr std::string_view kLibrary = "/libcuda.so.";
  for (std::size_t at = text.find(kLibrary); at != text.npos; at = text.find(kLibrary, at)) {
    at += kLibrary.size();
    const std::string_view rest = text.substr(at);
    const std::string_view version = rest.substr(0, rest.find_first_not_of("0123456789."));
    if (version.find('.') >= 3 && version.find('.') != version.npos) return std::string(version);
  }
  return "";
}

}  // namespace tessera
