#include "grader/compile/ptx_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <optional>

#include "common/text.h"
#include "grader/compile/backend.h"

namespace tessera {
namespace {

bool ends_in(std::string_view path, std::string_view name) {
  return path == name || (path.ends_with(name) && path[path.size() - name.size() - 1] == '/');
}

std::string plain_name(std::string_view path, std::string_view file_name,
                       std::string_view include_dir) {
  if (ends_in(path, file_name)) return std::string(file_name);
  if (ends_in(path, kEpilogueName)) return std::string(kEpilogueName);
  if (path.starts_with(include_dir) && path.size() > include_dir.size()) {
    return std::string(path.substr(include_dir.size() + 1));
  }
  return std::string(path.substr(path.rfind('/') + 1));
}

/// The next quoted text of `line` from `at` on; moves `at` behind it.
std::optional<std::string_view> next_quoted(std::string_view line, std::size_t& at) {
  const auto open = line.find('"', at);
  if (open == std::string_view::npos) return std::nullopt;
  const auto close = line.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  at = close + 1;
  return line.substr(open + 1, close - open - 1);
}

/// `line` with a plain name, if it is `.file 1 "name"` or `.file 1 "directory" "name"`; either may
/// have a time and a size after it.
std::optional<std::string> plain_directive(std::string_view line, std::string_view file_name,
                                           std::string_view include_dir) {
  const auto start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || !line.substr(start).starts_with(".file")) {
    return std::nullopt;
  }
  const auto quote = line.find('"');
  if (quote == std::string_view::npos) return std::nullopt;
  std::size_t at = 0;
  const auto first = next_quoted(line, at);
  if (!first) return std::nullopt;
  const auto second = next_quoted(line, at);
  std::string path(*first);
  if (second)
    path = second->starts_with("/") ? std::string(*second) : path + "/" + std::string(*second);
  return std::string(line.substr(0, quote)) + '"' + plain_name(path, file_name, include_dir) + '"';
}

/// The first four words of a directive: ".loc", "1", "12", "3". No more, because a comment may have
/// millions.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0;
       words.size() < 4 && (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

int number_in(std::string_view word) {
  int number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

}  // namespace

SourceLines::SourceLines(std::string_view ptx, std::string_view file_name) {
  const std::string quoted = '"' + std::string(file_name) + '"';
  int file = 0;
  for (int ptx_line = 1; !ptx.empty(); ++ptx_line) {
    const std::size_t end = std::min(ptx.find('\n'), ptx.size());
    const auto words = words_of(ptx.substr(0, end));
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
    if (words.size() == 3 && words[0] == ".file" && words[2] == quoted) file = number_in(words[1]);
    if (words.size() < 4 || words[0] != ".loc") continue;
    if (const int line = number_in(words[2]); line > 0)
      places_.push_back({.ptx_line = ptx_line, .file = number_in(words[1]), .line = line});
  }
  std::erase_if(places_, [&](const Place& place) { return place.file != file; });
}

int SourceLines::of(int ptx_line) const {
  const auto next = std::ranges::upper_bound(places_, ptx_line, {}, &Place::ptx_line);
  return next == places_.begin() ? 0 : std::prev(next)->line;
}

std::string with_plain_file_names(std::string_view ptx, std::string_view file_name,
                                  std::string_view include_dir) {
  std::string result;
  result.reserve(ptx.size());
  while (!ptx.empty()) {
    const auto end = ptx.find('\n');
    const std::string_view line = ptx.substr(0, end);
    result += plain_directive(line, file_name, include_dir).value_or(std::string(line));
    if (end != std::string_view::npos) result += '\n';
    ptx.remove_prefix(end == std::string_view::npos ? ptx.size() : end + 1);
  }
  return result;
}

std::string with_own_lines(std::string_view ptx, std::string_view file_name) {
  std::string result;
  result.reserve(2 * ptx.size());
  int depth = 0;    // of braces
  char last = ';';  // of what precedes the line, without blanks and comments
  for (int number = 1; !ptx.empty(); ++number) {
    const std::size_t end = std::min(ptx.find('\n'), ptx.size());
    const std::string_view line = ptx.substr(0, end);
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
    const std::string_view code = trimmed(line.substr(0, line.find("//")));
    const bool is_place = code.starts_with(".loc") || code.starts_with(".file");
    const bool begins = last == ';' || last == '{' || last == '}' || last == ':';
    if (begins && depth > 0 && !code.empty() && (std::isalpha(code[0]) != 0 || code[0] == '@'))
      result += ".loc 1 " + std::to_string(number) + " 0 ";
    if (!is_place) result += line;
    result += '\n';
    if (is_place || code.empty()) continue;
    depth += static_cast<int>(std::ranges::count(code, '{') - std::ranges::count(code, '}'));
    last = code.back();
  }
  return result + ".file 1 \"" + std::string(file_name) + "\"\n";
}

}  // namespace tessera
