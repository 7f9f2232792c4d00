// Converts values to bytes and back, between two processes of one program. The reader trusts
// nothing: what is too long, cut off or no value of its type is a WireError.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::wire {

struct WireError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Specialised for each struct that is sent: `of(value)` ties its fields, in their order on the
/// wire.
template <class T>
struct Fields;

/// Specialised for each enum that is sent: its largest value.
template <class T>
struct Largest;

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

template <class T>
concept Struct = requires(T& value) {
  Fields<T>::of(value);
};

// NOLINTBEGIN(bugprone-macro-parentheses)
/// Specialises Fields, in namespace tessera::wire: the fields of `it`, which is of type `Type`.
#define TESSERA_FIELDS(Type, ...)                              \
  template <>                                                  \
  struct Fields<Type> {                                        \
    static auto of(auto& it) { return std::tie(__VA_ARGS__); } \
  }
// NOLINTEND(bugprone-macro-parentheses)

class Writer {
 public:
  template <class T>
  Writer& put(const T& value) {
    if constexpr (std::same_as<T, bool>) {
      put_bytes(std::uint8_t{value});
    } else if constexpr (Number<T>) {
      put_bytes(value);
    } else if constexpr (std::is_enum_v<T>) {
      put_bytes(static_cast<std::uint32_t>(value));
    } else {
      std::apply([this](const auto&... field) { (put(field), ...); }, Fields<T>::of(value));
    }
    return *this;
  }
  Writer& put(std::byte value) { return put(static_cast<std::uint8_t>(value)); }
  Writer& put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
  }
  template <class T>
  Writer& put(const std::vector<T>& values) {
    return put_each(values);
  }
  template <class T>
  Writer& put(const std::set<T>& values) {
    return put_each(values);
  }
  template <class K, class V>
  Writer& put(const std::map<K, V>& values) {
    return put_each(values);
  }
  template <class A, class B>
  Writer& put(const std::pair<A, B>& pair) {
    return put(pair.first).put(pair.second);
  }
  template <class T>
  Writer& put(const std::optional<T>& value) {
    put(value.has_value());
    return value ? put(*value) : *this;
  }
  /// The index of the alternative that it holds, and its value.
  template <class... Ts>
  Writer& put(const std::variant<Ts...>& variant) {
    put(static_cast<std::uint32_t>(variant.index()));
    std::visit([this](const auto& held) { put(held); }, variant);
    return *this;
  }

  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void put_bytes(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  template <class Values>
  Writer& put_each(const Values& values) {
    put(std::uint64_t{values.size()});
    for (const auto& value : values) put(value);
    return *this;
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T get() {
    T value{};
    get_into(value);
    return value;
  }

  /// The last value; nothing may follow it.
  template <class T>
  T get_last() {
    T value = get<T>();
    require_end();
    return value;
  }

  void require_end() const {
    if (!bytes_.empty()) throw WireError("there is more than a message");
  }

 private:
  template <class T>
  void get_into(T& value) {
    if constexpr (std::same_as<T, bool>) {
      const auto byte = get<std::uint8_t>();
      if (byte > 1) throw WireError("a truth value that is neither 0 nor 1");
      value = byte == 1;
    } else if constexpr (Number<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else if constexpr (std::is_enum_v<T>) {
      const auto number = get<std::uint32_t>();
      if (number > static_cast<std::uint32_t>(Largest<T>::value))
        throw WireError("a number that no value of an enumeration has");
      value = static_cast<T>(number);
    } else {
      std::apply([this](auto&... field) { (get_into(field), ...); }, Fields<T>::of(value));
    }
  }
  void get_into(std::byte& value) { value = std::byte{get<std::uint8_t>()}; }
  void get_into(std::string& text) { text = take(get<std::uint64_t>()); }
  template <class T>
  void get_into(std::vector<T>& values) {
    // Every element has at least one byte. A larger count is false, so nothing is reserved for it.
    for (std::uint64_t left = count(); left > 0; --left) values.push_back(get<T>());
  }
  template <class T>
  void get_into(std::set<T>& values) {
    for (std::uint64_t left = count(); left > 0; --left) values.insert(get<T>());
  }
  template <class K, class V>
  void get_into(std::map<K, V>& values) {
    for (std::uint64_t left = count(); left > 0; --left) {
      K key = get<K>();
      values[std::move(key)] = get<V>();
    }
  }
  template <class A, class B>
  void get_into(std::pair<A, B>& pair) {
    get_into(pair.first);
    get_into(pair.second);
  }
  template <class T>
  void get_into(std::optional<T>& value) {
    if (get<bool>()) get_into(value.emplace());
  }
  template <class... Ts>
  void get_into(std::variant<Ts...>& variant) {
    get_alternative<0>(get<std::uint32_t>(), variant);
  }

  template <std::size_t kIndex, class... Ts>
  void get_alternative(std::uint32_t index, std::variant<Ts...>& variant) {
    if constexpr (kIndex == sizeof...(Ts)) {
      throw WireError("a value of no known kind");
    } else if (index == kIndex) {
      get_into(variant.template emplace<kIndex>());
    } else {
      get_alternative<kIndex + 1>(index, variant);
    }
  }

  std::uint64_t count() {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size()) throw WireError("a list with more elements than bytes");
    return count;
  }

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) throw WireError("the message ends too early");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace tessera::wire
