// The generators of recipe.h. Only std::mt19937_64 and plain double arithmetic are used, because
// the standard's distributions differ from one library to the next.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "common/npy.h"
#include "common/recipe.h"

namespace tessera {
namespace {

struct Range {
  double low = 0;
  double high = 0;
};

template <class T, class Value>
void fill_elements_of(HostMatrix& matrix, Value& value) {
  T* to = matrix.as<T>().data();
  for (int row = 0; row < matrix.height(); ++row, to += matrix.pitch()) {
    for (int column = 0; column < matrix.width(); ++column)
      to[column] = static_cast<T>(static_cast<double>(value(row, column)));
  }
}

template <class Value>
void fill_elements(HostMatrix& matrix, Value value) {
  matrix.element() == Element::float32 ? fill_elements_of<float>(matrix, value)
                                       : fill_elements_of<std::int32_t>(matrix, value);
}

std::string plain_number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Why `value` cannot be drawn as a whole number of `element`; nothing if it can.
std::optional<Error> check_whole(double value, Element element) {
  // Beyond 2^24 not every whole number is a float32.
  const double least =
      element == Element::float32 ? -0x1p24 : std::numeric_limits<std::int32_t>::min();
  const double most =
      element == Element::float32 ? 0x1p24 : std::numeric_limits<std::int32_t>::max();
  if (value == std::trunc(value) && value >= least && value <= most) return std::nullopt;
  return Error{.message = "the recipe has " + plain_number(value) +
                          "; expected whole numbers from " + plain_number(least) + " to " +
                          plain_number(most) + " for " + std::string(to_string(element))};
}

std::optional<Error> fill_integers(HostMatrix& matrix, Range range, std::mt19937_64& random) {
  for (const double end : {range.low, range.high}) {
    if (std::optional<Error> error = check_whole(end, matrix.element())) return error;
  }
  if (range.low > range.high) {
    return Error{.message = "the recipe's range is empty: low " + plain_number(range.low) +
                            " is above high " + plain_number(range.high)};
  }
  const auto count = static_cast<std::uint64_t>(range.high - range.low) + 1;
  fill_elements(matrix,
                [&](int, int) { return range.low + static_cast<double>(random() % count); });
  return std::nullopt;
}

void fill_uniform(HostMatrix& matrix, Range range, std::mt19937_64& random) {
  fill_elements(matrix, [&](int, int) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    return range.low + (range.high - range.low) * unit;
  });
}

std::vector<int> shuffled(int count, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

void fill_permutation(HostMatrix& matrix, std::mt19937_64& random) {
  const bool tall = matrix.height() > matrix.width();
  const std::vector<int> order = shuffled(std::max(matrix.height(), matrix.width()), random);
  fill_elements(matrix, [&](int row, int column) {
    return tall ? order[static_cast<std::size_t>(column)] == row
                : order[static_cast<std::size_t>(row)] == column;
  });
}

std::optional<Error> fill_from_file(HostMatrix& matrix, const std::filesystem::path& path) {
  const Expected<HostMatrix> source = read_npy(path, matrix.element());
  if (!source) return source.error();
  if (source->height() != matrix.height() || source->width() != matrix.width()) {
    return Error{.file = path.string(),
                 .message = "holds a matrix of " + source->shape_text() + ", but the operand is " +
                            matrix.shape_text() +
                            " (rows x columns); change the case's extents or use another dataset"};
  }
  for (int row = 0; row < matrix.height(); ++row) {
    for (int column = 0; column < matrix.width(); ++column) {
      if (!std::isfinite(source->value(row, column))) {
        return Error{
            .file = path.string(),
            .message = "the value at row " + std::to_string(row) + ", column " +
                       std::to_string(column) +
                       " is not finite, and nothing could be compared with it; replace it"};
      }
    }
  }
  fill_elements(matrix, [&](int row, int column) { return source->value(row, column); });
  return std::nullopt;
}

std::int32_t wrapped(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

void fill_index(HostMatrix& matrix) {
  const bool whole = matrix.element() == Element::int32;
  fill_elements(matrix, [&](int row, int column) {
    const std::int64_t index = std::int64_t{row} * matrix.width() + column;
    return static_cast<double>(whole ? wrapped(index) : index);
  });
}

void fill_hilbert(HostMatrix& matrix) {
  const bool whole = matrix.element() == Element::int32;
  fill_elements(matrix, [&](int row, int column) {
    const std::int64_t diagonal = std::int64_t{row} + column + 1;
    return whole ? wrapped(diagonal) : 1.0 / static_cast<double>(diagonal);
  });
}

}  // namespace

std::optional<Error> fill(HostMatrix& matrix, const Recipe& recipe, std::uint64_t seed) {
  if (matrix.pitch() != matrix.width()) poison(matrix);
  std::mt19937_64 random(seed);
  const bool whole = matrix.element() == Element::int32;
  const auto range = [&recipe](double low, double high) {
    return Range{recipe.low.value_or(low), recipe.high.value_or(high)};
  };

  const std::string& generator = recipe.generator;
  if (generator == "file") return fill_from_file(matrix, recipe.file);
  if (generator == "integers" || (generator == "uniform" && whole)) {
    const double widest = whole ? 99 : 9;
    return fill_integers(matrix, range(-widest, widest), random);
  }
  if (generator == "constant") {
    const double value = recipe.low.value_or(1.0);
    if (whole) {
      if (std::optional<Error> error = check_whole(value, matrix.element())) return error;
    }
    fill_elements(matrix, [&](int, int) { return value; });
  } else if (generator == "uniform") {
    fill_uniform(matrix, range(-1.0, 1.0), random);
  } else if (generator == "permutation") {
    fill_permutation(matrix, random);
  } else if (generator == "identity") {
    fill_elements(matrix, [](int row, int column) { return row == column; });
  } else if (generator == "hilbert") {
    fill_hilbert(matrix);
  } else if (generator == "index") {
    fill_index(matrix);
  } else if (generator == "zeros" || generator == "ones") {
    fill_elements(matrix, [&](int, int) { return generator == "ones"; });
  } else {
    return Error{.message = "unknown generator '" + generator + "'"};
  }
  return std::nullopt;
}

void fill_with_order(HostMatrix& matrix, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<int> order = shuffled(matrix.height() * matrix.width(), random);
  fill_elements(matrix, [&](int row, int column) {
    return order[static_cast<std::size_t>(row * matrix.width() + column)];
  });
}

std::uint32_t poison_bits(Element element) {
  return element == Element::float32 ? 0x7fedbeefu : 0x8badf00du;
}

void poison(HostMatrix& matrix) {
  poison(matrix.bytes(), matrix.element());
}

void poison(std::span<std::byte> bytes, Element element) {
  const std::uint32_t bits = poison_bits(element);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof bits) {
    std::memcpy(&bytes[at], &bits, sizeof bits);
  }
}

}  // namespace tessera
