#include "grader/compile/ptx_text.h"

#include <optional>

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

/// The next quoted text of `line` from `at`, which moves behind it.
std::optional<std::string_view> next_quoted(std::string_view line, std::size_t& at) {
  const auto open = line.find('"', at);
  if (open == std::string_view::npos) return std::nullopt;
  const auto close = line.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  at = close + 1;
  return line.substr(open + 1, close - open - 1);
}

/// `.file 1 "name"`, `.file 1 "directory" "name"`, both also with a time and a size after them.
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

}  // namespace

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

}  // namespace tessera
