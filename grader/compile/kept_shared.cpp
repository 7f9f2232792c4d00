#include "grader/compile/kept_shared.h"

#include <fmt/format.h>

#include "common/text.h"

namespace tessera {
namespace {

/// Whether the PTX has a variable of that name: "_ZZ1kPiE4tile" if it is inside a function.
bool has_variable(std::string_view ptx, const std::string& name) {
  const auto holds = [&](const std::string& word) { return ptx.find(word) != std::string::npos; };
  return holds(fmt::format("E{}{}", name.size(), name)) || holds(fmt::format(" {}[", name)) ||
         holds(fmt::format(" {};", name));
}

}  // namespace

bool keeps_shared_variables(std::string_view ptx, const Source& program) {
  const std::vector<Token>& code = program.code();
  bool in_declaration = false;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    const std::string& next = code[i + 1].text;
    if (code[i].text == "__shared__") {
      in_declaration = next != "extern" && (i == 0 || code[i - 1].text != "extern");
    } else if (code[i].text == ";") {
      in_declaration = false;
    } else if (in_declaration && (next == "[" || next == ";" || next == ",")) {
      const Token& name = code[i];
      if (name.kind == Token::Kind::identifier && !has_variable(ptx, name.text)) return false;
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
