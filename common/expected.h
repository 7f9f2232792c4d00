// Errors that a user can cause are values: an Error names the place, the value and the remedy.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace tessera {

/// A mistake in a file or on the command line. `line` and `column` count from 1; 0 means unknown.
struct Error {
  std::string file = "";
  int line = 0;
  int column = 0;
  std::string message = "";

  /// "file:line:column: message" without the unknown parts.
  std::string str() const;
};

/// Either a value or the Error (or another type E) that prevented it.
template <class T, class E = Error>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(E error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }

  /// The value; throws std::bad_variant_access if there is an error.
  T& value() & { return std::get<0>(content_); }
  const T& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The error; throws std::bad_variant_access if there is a value.
  const E& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, E> content_;
};

}  // namespace tessera
