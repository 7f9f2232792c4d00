#include "grader/report/markdown.h"

#include "grader/report/terminal.h"

namespace tessera {

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_{}[]<>()#!|&~$@";
  std::string result;
  for (const char c : printable(text)) {
    if (kMarkup.find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string markdown_block(std::string_view text) {
  std::string result = "<pre>\n";
  for (const char c : printable(text)) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else {
      result += c;
    }
  }
  return result + (result.ends_with('\n') ? "" : "\n") + "</pre>\n";
}

}  // namespace tessera
