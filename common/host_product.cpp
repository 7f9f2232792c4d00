#include "common/host_product.h"

#include <algorithm>
#include <cstdint>

#include "common/matmul.h"

namespace tessera {
namespace {

/// Rows of C that a thread computes at a time, and the tile of B that they are multiplied by: 128
/// rows of 512 elements are 256 KiB, half of a core's L2 cache.
constexpr int kTileRows = 64;
constexpr int kTileDepth = 128;
constexpr int kTileColumns = 512;

template <class T>
const T* row_of(const HostMatrix& matrix, int row) {
  return matrix.as<T>().data() +
         static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch());
}

template <class T>
T* row_of(HostMatrix& matrix, int row) {
  return matrix.as<T>().data() +
         static_cast<std::size_t>(row) * static_cast<std::size_t>(matrix.pitch());
}

/// Sums of int32 must wrap, so they are computed in std::uint32_t.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;

template <class T>
void textbook(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
  const T* b_all = row_of<T>(b, 0);
  const auto b_pitch = static_cast<std::size_t>(b.pitch());
  for (int row = 0; row < c.height(); ++row) {
    const T* a_row = row_of<T>(a, row);
    T* c_row = row_of<T>(c, row);
    for (int column = 0; column < c.width(); ++column) {
      const T* b_column = b_all + column;
      Sum<T> sum = 0;
      for (int p = 0; p < a.width(); ++p) {
        sum += static_cast<Sum<T>>(a_row[p]) *
               static_cast<Sum<T>>(b_column[static_cast<std::size_t>(p) * b_pitch]);
      }
      c_row[column] = static_cast<T>(sum);
    }
  }
}

template <class T>
void transposed(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
  HostMatrix turned(b.element(), b.width(), b.height());
  for (int row = 0; row < b.height(); ++row) {
    const T* b_row = row_of<T>(b, row);
    for (int column = 0; column < b.width(); ++column) {
      row_of<T>(turned, column)[row] = b_row[column];
    }
  }
  for (int row = 0; row < c.height(); ++row) {
    const T* a_row = row_of<T>(a, row);
    T* c_row = row_of<T>(c, row);
    for (int column = 0; column < c.width(); ++column) {
      const T* b_column = row_of<T>(turned, column);
      Sum<T> sum = 0;
      for (int p = 0; p < a.width(); ++p) {
        sum += static_cast<Sum<T>>(a_row[p]) * static_cast<Sum<T>>(b_column[p]);
      }
      c_row[column] = static_cast<T>(sum);
    }
  }
}

/// Adds to a piece of C's row the product of A's row with a tile of B: `depth` rows from `first_p`
/// and `width` columns from `first_column`.
template <class T>
void add_tile(const T* a_row, const HostMatrix& b, int first_p, int depth, int first_column,
              int width, T* c_piece) {
  for (int p = first_p; p < first_p + depth; ++p) {
    const auto factor = static_cast<Sum<T>>(a_row[p]);
    const T* b_piece = row_of<T>(b, p) + first_column;
    for (int column = 0; column < width; ++column) {
      c_piece[column] = static_cast<T>(static_cast<Sum<T>>(c_piece[column]) +
                                       factor * static_cast<Sum<T>>(b_piece[column]));
    }
  }
}

template <class T>
void blocked(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
#pragma omp parallel for schedule(dynamic)
  for (int first_row = 0; first_row < c.height(); first_row += kTileRows) {
    const int last_row = std::min(first_row + kTileRows, c.height());
    for (int row = first_row; row < last_row; ++row) {
      std::fill_n(row_of<T>(c, row), c.width(), T{0});
    }
    for (int p = 0; p < a.width(); p += kTileDepth) {
      const int depth = std::min(kTileDepth, a.width() - p);
      for (int column = 0; column < c.width(); column += kTileColumns) {
        const int width = std::min(kTileColumns, c.width() - column);
        for (int row = first_row; row < last_row; ++row) {
          add_tile(row_of<T>(a, row), b, p, depth, column, width, row_of<T>(c, row) + column);
        }
      }
    }
  }
}

}  // namespace

void matmul_textbook(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
  require_product(a, b, c);
  a.element() == Element::float32 ? textbook<float>(a, b, c) : textbook<std::int32_t>(a, b, c);
}

void matmul_transposed(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
  require_product(a, b, c);
  a.element() == Element::float32 ? transposed<float>(a, b, c) : transposed<std::int32_t>(a, b, c);
}

void matmul_blocked(const HostMatrix& a, const HostMatrix& b, HostMatrix& c) {
  require_product(a, b, c);
  a.element() == Element::float32 ? blocked<float>(a, b, c) : blocked<std::int32_t>(a, b, c);
}

const std::vector<HostProduct>& host_products() {
  static const std::vector<HostProduct> products = {
      {"textbook", "a row of A times a column of B, for each element", false, matmul_textbook},
      {"transposed", "the same on a transposed copy of B", false, matmul_transposed},
      {"serial", "rows of B, scaled and added up", false, matmul_serial},
      {"openmp", "the same, rows of C over threads", true, matmul_openmp},
      {"blocked", "tiles of B that stay in the cache, over threads", true, matmul_blocked}};
  return products;
}

const HostProduct* find_host_product(std::string_view name) {
  const auto found = std::ranges::find(host_products(), name, &HostProduct::name);
  return found == host_products().end() ? nullptr : &*found;
}

}  // namespace tessera
