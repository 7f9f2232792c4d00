#include <charconv>
#include <optional>

#include "common/text.h"
#include "grader/compile/diagnostics.h"
#include "grader/compile/remedies.h"

namespace tessera {
namespace {

struct Level {
  std::string_view marker;
  bool note;
  Severity severity;
};

constexpr Level kLevels[] = {
    {": fatal error: ", false, Severity::error},
    {": error: ", false, Severity::error},
    {": warning: ", false, Severity::warning},
    {": note: ", true, Severity::info},
};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || rest != end) return std::nullopt;
  return value;
}

/// Removes ":7" from the end of `text` and returns 7.
std::optional<int> cut_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto value = number(text.substr(colon + 1));
  if (value) text = text.substr(0, colon);
  return value;
}

/// Parses "kernel.cu:3:7" or "kernel.cu:3".
std::optional<SourcePlace> parse_place(std::string_view text) {
  const auto last = cut_number(text);
  if (!last) return std::nullopt;
  const auto before = cut_number(text);
  if (before) return SourcePlace{std::string(text), *before, *last};
  return SourcePlace{std::string(text), *last, 0};
}

/// The place in "In file included from kernel.cu:1:".
std::optional<SourcePlace> parse_includer(std::string_view line) {
  constexpr std::string_view kStart = "In file included from ";
  if (!line.starts_with(kStart) || !line.ends_with(":")) return std::nullopt;
  return parse_place(line.substr(kStart.size(), line.size() - kStart.size() - 1));
}

/// The place in "could not determine the original source location for kernel.cu:13:5", a note to
/// messages of the optimizer: the message itself has only the place of the function.
std::optional<SourcePlace> parse_own_place(std::string_view note) {
  constexpr std::string_view kStart = "could not determine the original source location for ";
  if (!note.starts_with(kStart)) return std::nullopt;
  return parse_place(note.substr(kStart.size()));
}

/// The message of a line that names no place: "fatal error: error in backend: TEXT", which comes
/// from the code generator, or "fatal error: TEXT". "" for any other line.
std::string_view message_without_place(std::string_view line) {
  for (const std::string_view start : {"fatal error: error in backend: ", "fatal error: "}) {
    if (line.starts_with(start)) return line.substr(start.size());
  }
  return "";
}

}  // namespace

std::vector<Diagnostic> parse_clang_log(std::string_view log) {
  std::vector<Diagnostic> diagnostics;
  std::vector<SourcePlace> includers;
  std::vector<SourcePlace> note_places;
  // A note about an instantiation is more useful than another note, and a note more than an
  // #include.
  const auto close = [&] {
    if (!diagnostics.empty()) {
      auto& trail = diagnostics.back().trail;
      trail.insert(trail.end(), note_places.begin(), note_places.end());
      trail.insert(trail.end(), includers.begin(), includers.end());
    }
    note_places.clear();
    includers.clear();
  };
  std::vector<SourcePlace> next_includers;
  for (const std::string& text : split_lines(log)) {
    const std::string_view line = text;
    if (auto includer = parse_includer(line)) {
      next_includers.insert(next_includers.begin(), *includer);
      continue;
    }
    if (const std::string_view message = message_without_place(line); !message.empty()) {
      close();
      diagnostics.push_back({Severity::error, {}, std::string(message), {}, ""});
      continue;
    }
    for (const Level& level : kLevels) {
      const auto at = line.find(level.marker);
      if (at == std::string_view::npos) continue;
      const auto place = parse_place(line.substr(0, at));
      if (!place) break;
      const std::string message(line.substr(at + level.marker.size()));
      if (!level.note) {
        close();
        includers = std::move(next_includers);
        diagnostics.push_back({level.severity, *place, message, {}, ""});
      } else if (const auto own = parse_own_place(message); own && !diagnostics.empty()) {
        diagnostics.back().place = *own;
      } else if (!diagnostics.empty()) {
        Diagnostic& last = diagnostics.back();
        const bool origin = message.ends_with("requested here");
        (origin ? last.trail : note_places).push_back(*place);
        const bool better = last.note.empty() || (!says_more(last.note) && says_more(message));
        if (better && !origin) last.note = message;
      }
      next_includers.clear();
      break;
    }
  }
  close();
  return diagnostics;
}

}  // namespace tessera
