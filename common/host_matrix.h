// Matrices in host memory with the layout that kernels use: row-major, `pitch` elements from the
// start of a row to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tessera {

enum class Element { float32, int32 };

std::string_view to_string(Element element);
std::optional<Element> element_from(std::string_view word);

/// Bytes of one element; 4 for both.
constexpr std::size_t element_size(Element) {
  return 4;
}

/// How the device stores an element: as the host does, or in 16 bits. Then the host keeps a float32
/// of the same value.
enum class Storage : std::uint8_t { same, bfloat16, float16 };

/// Zeroed bytes, which take no memory until they are written.
class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  /// Throws std::bad_alloc.
  explicit ZeroedBytes(std::size_t size);
  ZeroedBytes(const ZeroedBytes& other);
  ZeroedBytes(ZeroedBytes&& other) noexcept { swap(other); }
  ZeroedBytes& operator=(ZeroedBytes other) noexcept {
    swap(other);
    return *this;
  }
  ~ZeroedBytes();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void swap(ZeroedBytes& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A height x width matrix with `pitch` >= width elements between row starts. A vector is a matrix
/// of height 1. Elements and padding start as zero bytes.
class HostMatrix {
 public:
  HostMatrix() = default;
  /// Throws std::invalid_argument for a negative extent or pitch < width.
  HostMatrix(Element element, int height, int width, int pitch, Storage storage = Storage::same);
  HostMatrix(Element element, int height, int width) : HostMatrix(element, height, width, width) {}

  Element element() const { return element_; }
  Storage storage() const { return storage_; }
  int height() const { return height_; }
  int width() const { return width_; }
  int pitch() const { return pitch_; }

  /// height * pitch elements, including the padding.
  std::span<std::byte> bytes() { return {bytes_.data(), bytes_.size()}; }
  std::span<const std::byte> bytes() const { return {bytes_.data(), bytes_.size()}; }

  /// The elements as float or std::int32_t; T must be the type that element() names.
  template <class T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  /// One element as double (exact for both element types).
  double value(int row, int column) const;
  void set(int row, int column, double value);

  /// "48 x 64"
  std::string shape_text() const;

 private:
  Element element_ = Element::float32;
  Storage storage_ = Storage::same;
  int height_ = 0;
  int width_ = 0;
  int pitch_ = 0;
  ZeroedBytes bytes_;
};

}  // namespace tessera
