#include "grader/gpu/assert_line.h"

#include <charconv>

#include "common/text.h"

namespace tessera {
namespace {

/// The text in `line` between `from` and the last `to` after it, or "".
std::string between(std::string_view line, std::string_view from, std::string_view to) {
  const auto start = line.find(from);
  if (start == std::string_view::npos) return "";
  line.remove_prefix(start + from.size());
  const auto end = line.rfind(to);
  return end == std::string_view::npos ? "" : std::string(line.substr(0, end));
}

std::string bracketed(std::string_view line, std::string_view label) {
  const auto start = line.find(label);
  if (start == std::string_view::npos) return "";
  line.remove_prefix(start + label.size());
  const auto end = line.find(']');
  return end == std::string_view::npos ? "" : std::string(line.substr(0, end + 1));
}

}  // namespace

std::optional<FailedAssert> failed_assert(std::string_view log) {
  for (const std::string& line : split_lines(log)) {
    FailedAssert found;
    found.condition = between(line, "Assertion `", "` failed");
    if (found.condition.empty()) continue;
    const std::string_view text = line;
    const auto colon = text.find(':');
    found.file = text.substr(0, colon);
    const std::string_view rest = text.substr(colon + 1);
    std::from_chars(rest.data(), rest.data() + rest.size(), found.line);
    found.block = bracketed(line, "block: ");
    found.thread = bracketed(line, "thread: ");
    return found;
  }
  return std::nullopt;
}

}  // namespace tessera
