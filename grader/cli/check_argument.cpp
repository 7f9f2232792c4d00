#include "grader/cli/check_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

#include "common/device_storage.h"
#include "common/recipe.h"
#include "common/text.h"
#include "grader/judge/run/arguments.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMatrixPrefix = "matrix:";
constexpr std::string_view kUnwritten = "unwritten";  // as cudaMalloc leaves it
constexpr int kMaxExtent = std::numeric_limits<int>::max();
constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30;

const std::vector<ScalarType>& scalar_types() {
  using enum ScalarKind;
  static const std::vector<ScalarType> types = {
      {"float32", floating, 4},        {"float64", floating, 8},
      {"int8", signed_integer, 1},     {"int16", signed_integer, 2},
      {"int32", signed_integer, 4},    {"int64", signed_integer, 8},
      {"uint8", unsigned_integer, 1},  {"uint16", unsigned_integer, 2},
      {"uint32", unsigned_integer, 4}, {"uint64", unsigned_integer, 8},
      {"float16", floating, 2},        {"bfloat16", floating, 2},
  };
  return types;
}

Error mistake(const std::string& text, const std::string& what) {
  return Error{
      .file = fmt::format("--arg {}", text),
      .message = what +
                 "; write TYPE=NUMBER, TYPE[N]=RECIPE, TYPE[ROWS,COLUMNS]=RECIPE or "
                 "matrix:TYPE[ROWS,COLUMNS]=RECIPE, as in float32[4096]=uniform or int32=64"};
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<int>> parse_shape(std::string_view text) {
  std::vector<int> shape;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::optional<int> extent = parse_number<int>(text.substr(0, comma));
    if (!extent || *extent < 1 || *extent > kMaxExtent) return std::nullopt;
    shape.push_back(*extent);
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  return shape.size() <= 2 ? std::optional(shape) : std::nullopt;
}

/// How the elements of an array of that type are stored.
Storage storage_of(const ScalarType& type) {
  if (type.kind != ScalarKind::floating || type.bytes != 2) return Storage::same;
  return type.name == "float16" ? Storage::float16 : Storage::bfloat16;
}

/// `value` in 16 bits.
std::vector<std::byte> half_bytes(double value, Storage storage) {
  HostMatrix single(Element::float32, 1, 1, 1, storage);
  single.set(0, 0, value);
  round_to_storage(single);
  return to_device(single);
}

/// Little-endian bytes of `value` converted to `type`.
template <class T>
std::vector<std::byte> scalar_bytes(const ScalarType& type, T value) {
  if (const Storage storage = storage_of(type); storage != Storage::same)
    return half_bytes(static_cast<double>(value), storage);
  std::vector<std::byte> bytes(type.bytes);
  const auto store = [&](auto converted) { std::memcpy(bytes.data(), &converted, type.bytes); };
  if (type.kind != ScalarKind::floating) {
    store(static_cast<std::uint64_t>(value));
  } else if (type.bytes == 4) {
    store(static_cast<float>(value));
  } else {
    store(static_cast<double>(value));
  }
  return bytes;
}

bool fits(const ScalarType& type, std::int64_t value) {
  const std::int64_t limit = type.bytes == 8 ? std::numeric_limits<std::int64_t>::max()
                                             : (std::int64_t{1} << (8 * type.bytes - 1)) - 1;
  return value >= -limit - 1 && value <= limit;
}

bool fits(const ScalarType& type, std::uint64_t value) {
  return type.bytes == 8 || value < (std::uint64_t{1} << (8 * type.bytes));
}

bool fits(const ScalarType& type, double value) {
  constexpr double kBeyondHalf = 65520;  // rounds to infinity, as all beyond it do
  if (storage_of(type) == Storage::float16)
    return !std::isfinite(value) || std::abs(value) < kBeyondHalf;
  return type.bytes == 8 || !std::isfinite(value) ||
         std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
}

Expected<Argument> scalar_argument(const ArgumentSpec& spec) {
  const auto convert = [&](auto value) -> std::optional<Argument> {
    if (!value) return std::nullopt;
    return scalar_bytes(spec.type, *value);
  };
  std::optional<Argument> bytes;
  switch (spec.type.kind) {
    case ScalarKind::floating: {
      const auto value = parse_number<double>(spec.value);
      if (value && fits(spec.type, *value)) bytes = convert(value);
      break;
    }
    case ScalarKind::signed_integer: {
      const auto value = parse_number<std::int64_t>(spec.value);
      if (value && fits(spec.type, *value)) bytes = convert(value);
      break;
    }
    case ScalarKind::unsigned_integer: {
      const auto value = parse_number<std::uint64_t>(spec.value);
      if (value && fits(spec.type, *value)) bytes = convert(value);
      break;
    }
  }
  if (bytes) return *bytes;
  return mistake(spec.text, fmt::format("'{}' is no {}", spec.value, spec.type.name));
}

Expected<Recipe> recipe_of(const ArgumentSpec& spec, const fs::path& datasets) {
  if (!spec.value.ends_with(".npy")) return find_recipe(spec.value, "", datasets);
  Recipe recipe;
  recipe.generator = "file";
  recipe.file = fs::absolute(spec.value);
  return recipe;
}

/// Converts the values of a recipe, float32 or int32, to other types; unsigned types take their
/// magnitude.
std::vector<std::byte> converted(HostMatrix matrix, const ScalarType& type) {
  if (matrix.storage() != Storage::same) {
    round_to_storage(matrix);
    return to_device(matrix);
  }
  std::vector<std::byte> bytes;
  for (int row = 0; row < matrix.height(); ++row) {
    for (int column = 0; column < matrix.width(); ++column) {
      const double value = matrix.value(row, column);
      const std::vector<std::byte> element =
          type.kind == ScalarKind::floating ? scalar_bytes(type, value)
          : type.kind == ScalarKind::signed_integer
              ? scalar_bytes(type, std::int64_t(value))
              : scalar_bytes(type, std::uint64_t(std::abs(value)));
      bytes.insert(bytes.end(), element.begin(), element.end());
    }
  }
  return bytes;
}

BufferInfo buffer_info(const ArgumentSpec& spec, const std::string& name) {
  BufferInfo info;
  info.name = name;
  info.element_bytes = spec.type.bytes;
  if (spec.shape.size() == 2) {
    info.width = static_cast<std::uint32_t>(spec.shape[1]);
    info.pitch = info.width;
  }
  return info;
}

Expected<Argument> array_argument(const ArgumentSpec& spec, const std::string& name,
                                  std::uint64_t seed, const fs::path& datasets,
                                  DeviceMemory& memory) {
  const int height = spec.shape.size() == 2 ? spec.shape[0] : 1;
  const int width = spec.shape.back();
  const std::uint64_t size =
      static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(width) * spec.type.bytes;
  if (size > kMaxBytes) {
    return mistake(spec.text, fmt::format("{} bytes are more than the {} that one array may have",
                                          size, kMaxBytes));
  }
  BufferInfo info = buffer_info(spec, name);
  info.initialized = spec.value != kUnwritten;
  const std::uint64_t address = memory.allocate(info, size);
  const Argument argument =
      spec.matrix ? matrix_argument(address, height, width, width) : argument_of(address);
  if (!info.initialized) {
    fill_with_poison(memory.bytes(address));
    return argument;
  }
  const Expected<Recipe> recipe = recipe_of(spec, datasets);
  if (!recipe) return mistake(spec.text, recipe.error().message);
  const Element element =
      spec.type.kind == ScalarKind::floating ? Element::float32 : Element::int32;
  HostMatrix matrix(element, height, width, width, storage_of(spec.type));
  if (const auto error = fill(matrix, *recipe, seed)) return mistake(spec.text, error->str());
  std::ranges::copy(converted(std::move(matrix), spec.type), memory.bytes(address).begin());
  return argument;
}

}  // namespace

Expected<ArgumentSpec> parse_argument(const std::string& text) {
  ArgumentSpec spec;
  spec.text = text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    return mistake(text, "there is no value");
  }
  spec.value = text.substr(equals + 1);
  std::string type = text.substr(0, equals);
  spec.matrix = type.starts_with(kMatrixPrefix);
  if (spec.matrix) type.erase(0, kMatrixPrefix.size());
  if (const std::size_t open = type.find('['); open != std::string::npos) {
    const bool closed = type.ends_with(']');
    const auto shape =
        closed ? parse_shape(std::string_view(type).substr(open + 1, type.size() - open - 2))
               : std::nullopt;
    if (!shape) return mistake(text, fmt::format("'{}' is no shape", type.substr(open)));
    spec.shape = *shape;
    type.erase(open);
  }
  if (spec.matrix && spec.shape.size() != 2) {
    return mistake(text, "a matrix has rows and columns");
  }
  std::vector<std::string> known;
  for (const ScalarType& scalar : scalar_types()) {
    if (scalar.name == type) spec.type = scalar;
    known.push_back(scalar.name);
  }
  if (spec.type.name != type) {
    return mistake(text, fmt::format("unknown type '{}'{}", type, did_you_mean(type, known)));
  }
  return spec;
}

Expected<Argument> make_argument(const ArgumentSpec& spec, const std::string& name,
                                 std::uint64_t seed, const fs::path& datasets,
                                 DeviceMemory& memory) {
  if (spec.shape.empty()) return scalar_argument(spec);
  return array_argument(spec, name, seed, datasets, memory);
}

}  // namespace tessera
