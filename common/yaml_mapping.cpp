#include "common/yaml_mapping.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/numbers.h"
#include "common/text.h"

namespace tessera {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

Error error_at(const std::filesystem::path& path, const YAML::Mark& mark, std::string message) {
  Error error{.file = path.string(), .message = std::move(message)};
  if (!mark.is_null()) {
    error.line = mark.line + 1;
    error.column = mark.column + 1;
  }
  return error;
}

template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// A value as messages show it: a scalar as written, anything else by its kind.
std::string shown(const YAML::Node& node) {
  if (node.IsScalar()) return "'" + node.Scalar() + "'";
  if (node.IsSequence()) return "a list";
  return node.IsMap() ? "a mapping" : "nothing";
}

/// Whether a tab comes before the text of the line, counted from 0.
bool begins_with_tab(const std::string& content, int line) {
  const std::vector<std::string> lines = split_lines(content);
  if (line < 0 || static_cast<std::size_t>(line) >= lines.size()) return false;
  const std::string& text = lines[static_cast<std::size_t>(line)];
  return text.substr(0, text.find_first_not_of(" \t")).find('\t') != std::string::npos;
}

}  // namespace

Expected<YAML::Node> read_yaml(const std::filesystem::path& path) {
  const Expected<std::string> content = read_file(path, kMaxBytes);
  if (!content) return content.error();
  try {
    const YAML::Node document = YAML::Load(*content);
    if (!document.IsDefined() || document.IsNull()) {
      return Error{.file = path.string(), .message = "is empty; expected a YAML mapping"};
    }
    return document;
  } catch (const YAML::Exception& exception) {
    const std::string message = begins_with_tab(*content, exception.mark.line)
                                    ? "is indented by a tab; YAML wants spaces"
                                    : "is not valid YAML: " + exception.msg;
    return error_at(path, exception.mark, message);
  }
}

Error yaml_error(const std::filesystem::path& path, const YAML::Node& node, std::string message) {
  return error_at(path, node.Mark(), std::move(message));
}

YamlMapping::YamlMapping(std::filesystem::path path, const YAML::Node& node, std::string what,
                         std::vector<std::string> keys)
    : path_(std::move(path)), node_(node), what_(std::move(what)) {
  if (!node.IsMap()) {
    fail_at(node, "a " + what_ + " is a mapping of keys to values, not " + shown(node));
    return;
  }
  std::vector<std::string> seen;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) {
      fail_at(entry.first, "a key is a word, not " + shown(entry.first));
      return;
    }
    const std::string& key = entry.first.Scalar();
    if (std::ranges::count(keys, key) == 0) {
      fail_at(entry.first, "unknown key '" + key + "' in a " + what_ + did_you_mean(key, keys) +
                               "; known are " + joined(keys));
    }
    if (std::ranges::count(seen, key) > 0) {
      fail_at(entry.first, "the key '" + key + "' is given twice; remove one");
    }
    seen.push_back(key);
  }
}

bool YamlMapping::has(const std::string& key) const {
  return find(key).has_value();
}

std::optional<YAML::Node> YamlMapping::find(const std::string& key) const {
  if (error_) return std::nullopt;
  const YAML::Node& readable = node_;
  const YAML::Node value = readable[key];
  if (!value.IsDefined()) return std::nullopt;
  return value;
}

std::optional<YAML::Node> YamlMapping::scalar(const std::string& key, const std::string& expected) {
  const std::optional<YAML::Node> value = find(key);
  if (!value || value->IsScalar()) return value;
  fail_at(*value, "'" + key + "' is " + shown(*value) + "; expected " + expected);
  return std::nullopt;
}

std::optional<std::string> YamlMapping::text(const std::string& key) {
  const std::optional<YAML::Node> value = scalar(key, "a text");
  if (!value) return std::nullopt;
  if (value->Scalar().empty()) {
    fail_at(*value, "'" + key + "' is empty; expected a text");
    return std::nullopt;
  }
  return value->Scalar();
}

std::optional<double> YamlMapping::number(const std::string& key, double least, double most) {
  const std::string range = "a number from " + exact_number(least) + " to " + exact_number(most);
  const std::optional<YAML::Node> value = scalar(key, range);
  if (!value) return std::nullopt;
  const std::optional<double> number = parse<double>(value->Scalar());
  if (!number || !(*number >= least && *number <= most)) {
    fail_at(*value, "'" + key + "' is " + shown(*value) + "; expected " + range);
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> YamlMapping::whole_value(const std::string& key, const YAML::Node& node,
                                                     std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> number =
      node.IsScalar() ? parse<std::int64_t>(node.Scalar()) : std::nullopt;
  if (!number || *number < least || *number > most) {
    fail_at(node, "'" + key + "' is " + shown(node) + "; expected a whole number from " +
                      std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> YamlMapping::whole(const std::string& key, std::int64_t least,
                                               std::int64_t most) {
  const std::optional<YAML::Node> value = find(key);
  if (!value) return std::nullopt;
  return whole_value(key, *value, least, most);
}

std::optional<std::vector<std::int64_t>> YamlMapping::wholes(const std::string& key,
                                                             std::size_t count, std::int64_t least,
                                                             std::int64_t most) {
  const std::optional<YAML::Node> value = find(key);
  if (!value) return std::nullopt;
  if (!value->IsSequence() || value->size() != count) {
    fail_at(*value, "'" + key + "' is " + shown(*value) + "; expected a list of " +
                        std::to_string(count) + " whole numbers");
    return std::nullopt;
  }
  std::vector<std::int64_t> numbers;
  for (const auto& entry : *value) {
    const std::optional<std::int64_t> number = whole_value(key, entry, least, most);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

void YamlMapping::require(const std::string& key) {
  if (!has(key)) fail_at(node_, "the " + what_ + " has no '" + key + "'; add it");
}

void YamlMapping::fail(const std::string& key, const std::string& message) {
  const std::optional<YAML::Node> value = find(key);
  fail_at(value ? *value : node_, message);
}

void YamlMapping::fail_at(const YAML::Node& node, const std::string& message) {
  if (!error_) error_ = yaml_error(path_, node, message);
}

}  // namespace tessera
