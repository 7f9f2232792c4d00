// A JSON document read strictly: a mistake is an Error that names the place.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// A value of the document with its path. A missing value or one of another type reads as empty or
/// zero; the first such mistake is kept in `error`.
class JsonNode {
 public:
  using Json = nlohmann::ordered_json;

  JsonNode(const Json& json, std::string path, std::optional<Error>& error)
      : json_(json), path_(std::move(path)), error_(error) {}

  JsonNode operator[](const char* key) const {
    static const Json none;
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (!json_.is_object()) {
      wrong("an object");
      return {none, path, error_};
    }
    const auto found = json_.find(key);
    if (found != json_.end()) return {*found, path, error_};
    fail(path + " is missing");
    return {none, path, error_};
  }

  const std::string& path() const { return path_; }
  bool is_null() const { return json_.is_null(); }
  bool has(const char* key) const { return json_.contains(key); }

  std::string text() const {
    if (json_.is_string()) return json_.get<std::string>();
    wrong("text");
    return "";
  }

  bool truth() const {
    if (json_.is_boolean()) return json_.get<bool>();
    wrong("true or false");
    return false;
  }

  double number() const {
    if (json_.is_number()) return json_.get<double>();
    wrong("a number");
    return 0;
  }

  /// A number; null is NaN, because JSON has neither NaN nor infinity and both are written as null.
  double metric() const {
    return json_.is_null() ? std::numeric_limits<double>::quiet_NaN() : number();
  }

  template <class T>
  T whole() const {
    if (json_.is_number_unsigned()) {
      const auto value = json_.get<std::uint64_t>();
      if (std::in_range<T>(value)) return static_cast<T>(value);
    } else if (json_.is_number_integer()) {
      const auto value = json_.get<std::int64_t>();
      if (std::in_range<T>(value)) return static_cast<T>(value);
    }
    wrong(fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::max()));
    return 0;
  }

  /// Whether the value is the word `first`. A word that is neither `first` nor `second` is a
  /// mistake.
  bool is(std::string_view first, std::string_view second) const {
    const std::string found = text();
    if (found != first && found != second) fail(fmt::format("{} is not a known word", path_));
    return found == first;
  }

  /// The element of `values`, all possible values, whose word this is.
  template <class Values>
  auto word(const Values& values) const -> typename Values::value_type {
    const std::string found = text();
    for (const auto value : values) {
      if (to_string(value) == found) return value;
    }
    fail(fmt::format("{} is not a known word", path_));
    return values.front();
  }

  template <class Read>
  auto list(Read read) const {
    std::vector<decltype(read(*this))> all;
    if (!json_.is_array()) {
      wrong("a list");
      return all;
    }
    for (const Json& element : json_) {
      all.push_back(read(JsonNode(element, fmt::format("{}[{}]", path_, all.size()), error_)));
    }
    return all;
  }

  /// Calls `read` with each key and its value.
  template <class Read>
  void entries(Read read) const {
    if (!json_.is_object()) return wrong("an object");
    for (const auto& [key, value] : json_.items()) {
      read(key, JsonNode(value, path_ + "." + key, error_));
    }
  }

  void fail(std::string message) const {
    if (!error_) error_ = Error{.message = std::move(message)};
  }

 private:
  void wrong(std::string_view expected) const {
    fail(fmt::format("{} is {}; expected {}", path_.empty() ? "the record" : path_,
                     json_.type_name(), expected));
  }

  const Json& json_;
  std::string path_;
  std::optional<Error>& error_;
};

}  // namespace tessera
