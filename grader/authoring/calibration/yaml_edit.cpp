// Places come from the parser's marks, which say where a value begins. Where it ends is read from
// the text, and every edited text is parsed again: it must differ in that value only.
#include "grader/authoring/calibration/yaml_edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "common/yaml_mapping.h"

namespace tessera {
namespace {

constexpr std::size_t kMostColumns = 100;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// All scalars by path.
using Leaves = std::map<YamlPath, std::string>;

void collect(const YAML::Node& node, YamlPath& path, Leaves& leaves) {
  const auto below = [&](const std::string& step, const YAML::Node& child) {
    path.push_back(step);
    collect(child, path, leaves);
    path.pop_back();
  };
  if (node.IsMap()) {
    for (const auto& entry : node) below(entry.first.Scalar(), entry.second);
  } else if (node.IsSequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) below(std::to_string(i), node[i]);
  } else {
    leaves[path] = node.IsScalar() ? node.Scalar() : "";
  }
}

Leaves leaves_of(const YAML::Node& node) {
  Leaves leaves;
  YamlPath path;
  collect(node, path, leaves);
  return leaves;
}

Error cannot(const YAML::Node& node, const YamlPath& path, const std::string& why) {
  return yaml_error("", node, fmt::format("{} {}; edit it by hand", fmt::join(path, "."), why));
}

Expected<YAML::Node> parse(const std::string& text) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& exception) {
    return Error{.line = exception.mark.line + 1,
                 .column = exception.mark.column + 1,
                 .message = "is not valid YAML: " + exception.msg};
  }
}

/// The child of a node; nothing if the document has no such place.
std::optional<YAML::Node> child(const YAML::Node& node, const std::string& step) {
  if (node.IsSequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (std::to_string(i) == step) return node[i];
    }
  } else if (node.IsMap()) {
    for (const auto& entry : node) {
      if (entry.first.IsScalar() && entry.first.Scalar() == step) return entry.second;
    }
  }
  return std::nullopt;
}

Expected<YAML::Node> find(const YAML::Node& document, const YamlPath& path) {
  YAML::Node node = document;
  for (const std::string& step : path) {
    const auto next = child(node, step);
    if (!next) return cannot(node, path, "is not there");
    node.reset(*next);
  }
  return node;
}

std::size_t offset_of(const std::string& text, const YAML::Node& node) {
  const std::size_t skipped = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  return skipped + static_cast<std::size_t>(std::max(node.Mark().pos, 0));
}

/// The edited text, if its scalars are `expected`.
Expected<std::string> verified(std::string edited, const YAML::Node& place, const YamlPath& path,
                               const Leaves& expected) {
  const Expected<YAML::Node> after = parse(edited);
  if (after && leaves_of(*after) == expected) return edited;
  return cannot(place, path, "cannot be changed without changing something else");
}

/// One past the bracket that closes the flow collection at `start`; npos if there is none.
std::size_t end_of_flow(const std::string& text, std::size_t start) {
  int depth = 0;
  char before = '\0';  // the last character that is not a blank
  for (std::size_t i = start; i < text.size(); ++i) {
    const char letter = text[i];
    const bool blank_before = i > start && std::isspace(static_cast<unsigned char>(text[i - 1]));
    if (letter == '#' && blank_before) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if ((letter == '"' || letter == '\'') &&
        std::string_view("{[,:").find(before) != std::string::npos) {
      for (++i; i < text.size() && text[i] != letter; ++i) {
        if (letter == '"' && text[i] == '\\') ++i;
      }
    } else if (letter == '{' || letter == '[') {
      ++depth;
    } else if ((letter == '}' || letter == ']') && --depth == 0) {
      return i + 1;
    }
    if (!std::isspace(static_cast<unsigned char>(letter))) before = letter;
  }
  return std::string::npos;
}

std::size_t line_start(const std::string& text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  return before == std::string::npos ? 0 : before + 1;
}

std::size_t line_end(const std::string& text, std::size_t offset) {
  std::size_t end = std::min(text.find('\n', offset), text.size());
  if (end > offset && end < text.size() && text[end - 1] == '\r') --end;
  return end;
}

std::string line_break(const std::string& text) {
  return text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
}

/// The key as YAML: plain if that cannot be read as anything else.
std::string written_key(const std::string& key) {
  const auto plain = [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           std::string_view(" -_.()/+").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  const bool is_plain = !key.empty() &&
                        std::isalpha(static_cast<unsigned char>(key.front())) != 0 &&
                        key.back() != ' ' && std::ranges::all_of(key, plain);
  if (is_plain) return key;
  std::string quoted = "'";
  for (const char letter : key) quoted += letter == '\'' ? "''" : std::string(1, letter);
  return quoted + "'";
}

struct LastEntry {
  YAML::Node first_key;
  YAML::Node last_key;
  YAML::Node last_value;
};

LastEntry last_entry(const YAML::Node& mapping) {
  LastEntry found;
  for (const auto& entry : mapping) {
    if (!found.first_key.IsScalar()) found.first_key.reset(entry.first);
    found.last_key.reset(entry.first);
    found.last_value.reset(entry.second);
  }
  return found;
}

/// One past the value at `node`, or npos if its end cannot be found.
std::size_t value_end(const std::string& text, const YAML::Node& node) {
  const std::size_t start = offset_of(text, node);
  if (node.IsNull()) return start;
  if (node.IsScalar()) return start + node.Scalar().size();
  if (node.Style() == YAML::EmitterStyle::Flow) return end_of_flow(text, start);
  YAML::Node last;
  for (const auto& entry : node) last.reset(node.IsMap() ? entry.second : YAML::Node(entry));
  return value_end(text, last);
}

/// `text` with the entry inserted at `place`, the end of the mapping's last value.
std::string inserted(const std::string& text, const YAML::Node& mapping, const LastEntry& entries,
                     std::size_t place, const std::string& entry) {
  const auto column = static_cast<std::size_t>(entries.first_key.Mark().column);
  const std::string new_line = line_break(text) + std::string(column, ' ');
  std::string edited = text;
  if (mapping.Style() != YAML::EmitterStyle::Flow) {
    edited.insert(line_end(text, place), new_line + entry);
    return edited;
  }
  const bool spread = entries.first_key.Mark().line != entries.last_key.Mark().line;
  const std::size_t length = line_end(text, place) - line_start(text, place);
  const bool too_long = length + entry.size() + 2 > kMostColumns;
  edited.insert(place, (spread || too_long ? "," + new_line : ", ") + entry);
  return edited;
}

}  // namespace

Expected<std::string> replace_scalar(const std::string& text, const YamlPath& path,
                                     const std::string& value) {
  const Expected<YAML::Node> document = parse(text);
  if (!document) return document.error();
  const Expected<YAML::Node> node = find(*document, path);
  if (!node) return node.error();
  const std::size_t offset = offset_of(text, *node);
  if (!node->IsScalar() || text.compare(offset, node->Scalar().size(), node->Scalar()) != 0)
    return cannot(*node, path, "is not a plain value");
  Leaves expected = leaves_of(*document);
  expected[path] = value;
  std::string edited = text;
  edited.replace(offset, node->Scalar().size(), value);
  return verified(std::move(edited), *node, path, expected);
}

Expected<std::string> append_entry(const std::string& text, const YamlPath& path,
                                   const std::string& key, const std::string& value) {
  const Expected<YAML::Node> document = parse(text);
  if (!document) return document.error();
  const Expected<YAML::Node> mapping = find(*document, path);
  if (!mapping) return mapping.error();
  if (!mapping->IsMap() || mapping->size() == 0)
    return cannot(*mapping, path, "is not a mapping with entries");
  if (child(*mapping, key)) return cannot(*mapping, path, fmt::format("has '{}' already", key));
  const Expected<YAML::Node> added = parse(value);
  if (!added) return added.error();
  Leaves expected = leaves_of(*document);
  YamlPath below = path;
  below.push_back(key);
  collect(*added, below, expected);
  const std::string entry = written_key(key) + ": " + value;
  const LastEntry entries = last_entry(*mapping);
  const std::size_t place = value_end(text, entries.last_value);
  if (place == std::string::npos || place > text.size())
    return cannot(*mapping, path, "is written in a way that cannot be added to");
  return verified(inserted(text, *mapping, entries, place, entry), *mapping, path, expected);
}

}  // namespace tessera
