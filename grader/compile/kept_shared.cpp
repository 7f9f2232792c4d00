#include "grader/compile/kept_shared.h"

#include <charconv>
#include <string_view>
#include <unordered_set>

#include "common/text.h"

namespace tessera {
namespace {

/// The shared variables that the PTX declares, as the source names them: "tile" of "_ZZ1kPiE4tile",
/// and the names as they are. The views are parts of `ptx`.
std::unordered_set<std::string_view> shared_variables(std::string_view ptx) {
  constexpr std::string_view kShared = ".shared ";
  constexpr std::size_t kLongest = 1 << 12;  // of a declaration; inline assembly may hold anything
  std::unordered_set<std::string_view> names;
  for (std::size_t at = 0; (at = ptx.find(kShared, at)) != ptx.npos; at += kShared.size()) {
    const std::string_view rest = ptx.substr(at, kLongest);
    const std::string_view declaration = rest.substr(0, rest.find_first_of("[;=\n"));
    const std::string_view trimmed_text = trimmed(declaration);
    const std::string_view name = trimmed_text.substr(trimmed_text.find_last_of(" \t") + 1);
    names.insert(name);
    for (std::size_t end = 0; (end = name.find('E', end)) != name.npos; ++end) {
      std::size_t length = 0;
      const char* first = name.data() + end + 1;
      const char* last = name.data() + name.size();
      const auto [digits_end, error] = std::from_chars(first, last, length);
      if (error == std::errc{} && length <= static_cast<std::size_t>(last - digits_end))
        names.insert({digits_end, length});
    }
  }
  return names;
}

}  // namespace

bool keeps_shared_variables(std::string_view ptx, const Source& program) {
  const std::vector<Token>& code = program.code();
  const std::unordered_set<std::string_view> kept = shared_variables(ptx);
  bool in_declaration = false;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    const std::string& next = code[i + 1].text;
    if (code[i].text == "__shared__") {
      in_declaration = next != "extern" && (i == 0 || code[i - 1].text != "extern");
    } else if (code[i].text == ";") {
      in_declaration = false;
    } else if (in_declaration && (next == "[" || next == ";" || next == ",")) {
      const Token& name = code[i];
      if (name.kind == Token::Kind::identifier && !kept.contains(name.text)) return false;
    }
  }
  return true;
}

std::string with_kept_shared_variables(std::string_view text) {
  constexpr std::string_view kShared = " addrspace(3) global ";
  std::string result;
  for (const std::string& line : split_lines(text)) {
    const std::size_t at = line.starts_with('@') ? line.find(kShared) : std::string::npos;
    if (at == std::string::npos || line.find(" undef", at) == std::string::npos) {
      result += line + '\n';
      continue;
    }
    result += line.substr(0, at) + " addrspace(3) externally_initialized global " +
              line.substr(at + kShared.size()) + '\n';
  }
  return result;
}

}  // namespace tessera
