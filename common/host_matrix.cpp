#include "common/host_matrix.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace tessera {

std::string_view to_string(Element element) {
  return element == Element::float32 ? "float32" : "int32";
}

std::optional<Element> element_from(std::string_view word) {
  if (word == "float32") return Element::float32;
  if (word == "int32") return Element::int32;
  return std::nullopt;
}

ZeroedBytes::ZeroedBytes(std::size_t size) : size_(size) {
  if (size_ == 0) return;
  data_ = static_cast<std::byte*>(std::calloc(size_, 1));
  if (data_ == nullptr) throw std::bad_alloc();
  // For many megabytes, page faults cost more than writing does. If madvise fails, nothing is lost.
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  const auto start = reinterpret_cast<std::uintptr_t>(data_);
  const std::uintptr_t first = (start + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (start + size_) / kLargePage * kLargePage;
  if (first < end) madvise(data_ + (first - start), end - first, MADV_HUGEPAGE);
}

ZeroedBytes::ZeroedBytes(const ZeroedBytes& other) : ZeroedBytes(other.size_) {
  if (size_ != 0) std::memcpy(data_, other.data_, size_);
}

ZeroedBytes::~ZeroedBytes() {
  std::free(data_);
}

HostMatrix::HostMatrix(Element element, int height, int width, int pitch, Storage storage)
    : element_(element), storage_(storage), height_(height), width_(width), pitch_(pitch) {
  if (height < 0 || width < 0 || pitch < width) {
    throw std::invalid_argument("HostMatrix: height " + std::to_string(height) + ", width " +
                                std::to_string(width) + ", pitch " + std::to_string(pitch) +
                                "; extents must not be negative and pitch at least the width");
  }
  bytes_ = ZeroedBytes(static_cast<std::size_t>(height) * static_cast<std::size_t>(pitch) *
                       element_size(element));
}

double HostMatrix::value(int row, int column) const {
  const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(pitch_) +
                        static_cast<std::size_t>(column);
  return element_ == Element::float32 ? static_cast<double>(as<float>()[i])
                                      : static_cast<double>(as<std::int32_t>()[i]);
}

void HostMatrix::set(int row, int column, double value) {
  const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(pitch_) +
                        static_cast<std::size_t>(column);
  if (element_ == Element::float32) {
    as<float>()[i] = static_cast<float>(value);
  } else {
    as<std::int32_t>()[i] = static_cast<std::int32_t>(value);
  }
}

std::string HostMatrix::shape_text() const {
  return std::to_string(height_) + " x " + std::to_string(width_);
}

}  // namespace tessera
