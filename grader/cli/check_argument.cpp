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
#include "common/mixed.h"
#include "common/npy.h"
#include "common/recipe.h"
#include "common/text.h"
#include "grader/judge/run/arguments.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMatrixPrefix = "matrix:";
constexpr std::string_view kStructurePrefix = "struct:";
constexpr std::string_view kBytesPrefix = "bytes:";
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
                 "; write TYPE=NUMBER, TYPE[N]=RECIPE, TYPE[ROWS,COLUMNS]=RECIPE, "
                 "matrix:TYPE[ROWS,COLUMNS]=RECIPE, '&NAME[INDEX]', struct:MEMBER,MEMBER or "
                 "bytes:HEX, as in float32[4096]=uniform or int32=64"};
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

/// How many elements from the start hold data.
std::uint64_t written_elements(const ArgumentSpec& spec, std::uint64_t elements) {
  return spec.value == kUnwritten ? 0 : spec.written.value_or(elements);
}

/// Values of the recipe, for the whole array.
Expected<std::vector<std::byte>> array_contents(const ArgumentSpec& spec, int height, int width,
                                                std::uint64_t seed, const fs::path& datasets) {
  const Expected<Recipe> recipe = recipe_of(spec, datasets);
  if (!recipe) return mistake(spec.text, recipe.error().message);
  const Element element =
      spec.type.kind == ScalarKind::floating ? Element::float32 : Element::int32;
  HostMatrix matrix(element, height, width, width, storage_of(spec.type));
  if (spec.shape.size() == 1 && recipe->generator == "permutation") {
    fill_with_order(matrix, seed);
  } else if (const auto error = fill(matrix, *recipe, seed)) {
    return mistake(spec.text, error->str());
  }
  return converted(std::move(matrix), spec.type);
}

Expected<Argument> array_argument(const ArgumentSpec& spec, const std::string& name,
                                  std::uint64_t seed, ArgumentPlace& place) {
  const int height = spec.shape.size() == 2 ? spec.shape[0] : 1;
  const int width = spec.shape.back();
  const std::uint64_t elements =
      static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(width);
  const std::uint64_t size = elements * spec.type.bytes;
  if (size > kMaxBytes) {
    return mistake(spec.text, fmt::format("{} bytes are more than the {} that one array may have",
                                          size, kMaxBytes));
  }
  const std::uint64_t written = written_elements(spec, elements);
  if (written > elements || spec.offset > elements)
    return mistake(spec.text, fmt::format("the array has only {} elements", elements));
  BufferInfo info = buffer_info(spec, name);
  info.initialized = written == elements;
  info.partly_written = written > 0 && written < elements;
  const std::uint64_t address = place.memory.allocate(info, size);
  place.arrays.push_back({name, address, spec.type, spec.shape});
  const std::span<std::byte> bytes = place.memory.bytes(address);
  fill_with_poison(bytes);
  if (written > 0) {
    const auto contents = array_contents(spec, height, width, seed, place.datasets);
    if (!contents) return contents.error();
    std::copy_n(contents->begin(), written * spec.type.bytes, bytes.begin());
  }
  return spec.kind == ArgumentSpec::Kind::matrix
             ? matrix_argument(address, height, width, width)
             : argument_of(address + spec.offset * spec.type.bytes);
}

Expected<Argument> pointer_argument(const ArgumentSpec& spec, const ArgumentPlace& place) {
  const auto array = std::ranges::find(place.arrays, spec.array, &PlacedArray::name);
  if (array != place.arrays.end())
    return argument_of(array->address + spec.offset * array->type.bytes);
  std::vector<std::string> names;
  for (const PlacedArray& known : place.arrays) names.push_back(known.name);
  return mistake(spec.text, fmt::format("no array called {}{} comes before it", spec.array,
                                        did_you_mean(spec.array, names)));
}

std::size_t alignment_of(const ArgumentSpec& spec) {
  using Kind = ArgumentSpec::Kind;
  if (spec.kind == Kind::number) return spec.type.bytes;
  if (spec.kind == Kind::bytes) return 1;
  if (spec.kind != Kind::structure) return sizeof(std::uint64_t);
  std::size_t largest = 1;
  for (const ArgumentSpec& member : spec.members) largest = std::max(largest, alignment_of(member));
  return largest;
}

/// As C++ lays it out.
Expected<Argument> structure_argument(const ArgumentSpec& spec, const std::string& name,
                                      std::uint64_t seed, ArgumentPlace& place) {
  Argument bytes;
  const auto fill_up = [&](std::size_t alignment) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
  };
  for (std::size_t i = 0; i < spec.members.size(); ++i) {
    const ArgumentSpec& member = spec.members[i];
    const auto made =
        make_argument(member, fmt::format("{}.{}", name, i + 1), mixed(seed + i), place);
    if (!made) return made.error();
    fill_up(alignment_of(member));
    bytes.insert(bytes.end(), made->begin(), made->end());
  }
  fill_up(alignment_of(spec));
  return bytes;
}

Expected<Argument> raw_argument(const ArgumentSpec& spec) {
  Argument bytes;
  for (std::size_t at = 0; at + 2 <= spec.value.size(); at += 2) {
    const std::string_view digits = std::string_view(spec.value).substr(at, 2);
    std::uint8_t value = 0;
    const auto [stop, status] = std::from_chars(digits.begin(), digits.end(), value, 16);
    if (status != std::errc() || stop != digits.end()) break;
    bytes.push_back(static_cast<std::byte>(value));
  }
  if (bytes.empty() || 2 * bytes.size() != spec.value.size())
    return mistake(spec.text, "bytes are pairs of hexadecimal digits");
  return bytes;
}

/// Splits at commas outside of brackets.
std::vector<std::string> members_in(std::string_view text) {
  std::vector<std::string> members(1);
  bool in_brackets = false;
  for (const char c : text) {
    if (c == '[') in_brackets = true;
    if (c == ']') in_brackets = false;
    if (c == ',' && !in_brackets) {
      members.emplace_back();
    } else {
      members.back() += c;
    }
  }
  return members;
}

Expected<ArgumentSpec> parse_structure(ArgumentSpec spec) {
  spec.kind = ArgumentSpec::Kind::structure;
  for (const std::string& text : members_in(spec.text.substr(kStructurePrefix.size()))) {
    Expected<ArgumentSpec> member = parse_argument(text);
    if (!member) return mistake(spec.text, "in its member " + member.error().str());
    spec.members.push_back(std::move(*member));
  }
  return spec;
}

/// "&x" and "&x[12]".
Expected<ArgumentSpec> parse_pointer(ArgumentSpec spec) {
  spec.kind = ArgumentSpec::Kind::pointer;
  const std::string_view text = std::string_view(spec.text).substr(1);
  const std::size_t open = std::min(text.find('['), text.size());
  spec.array = text.substr(0, open);
  if (spec.array.empty()) return mistake(spec.text, "there is no name after &");
  if (open == text.size()) return spec;
  const auto index =
      text.ends_with(']')
          ? parse_number<std::uint64_t>(text.substr(open + 1, text.size() - open - 2))
          : std::nullopt;
  if (!index) return mistake(spec.text, fmt::format("'{}' is no index", text.substr(open)));
  spec.offset = *index;
  return spec;
}

/// Takes what follows the last `mark` off `text`, if it is a number.
std::optional<std::uint64_t> take_number_after(char mark, std::string& text) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string::npos) return std::nullopt;
  const auto number = parse_number<std::uint64_t>(std::string_view(text).substr(at + 1));
  if (number) text.erase(at);
  return number;
}

/// The scalar types of C++ and those of ArgumentSpec.
constexpr std::pair<std::string_view, std::string_view> kScalars[] = {
    {"float", "float32"},
    {"double", "float64"},
    {"__half", "float16"},
    {"__nv_bfloat16", "bfloat16"},
    {"bool", "uint8"},
    {"char", "int8"},
    {"signed char", "int8"},
    {"unsigned char", "uint8"},
    {"short", "int16"},
    {"unsigned short", "uint16"},
    {"int", "int32"},
    {"unsigned int", "uint32"},
    {"unsigned", "uint32"},
    {"long", "int64"},
    {"unsigned long", "uint64"},
    {"long long", "int64"},
    {"unsigned long long", "uint64"},
};

std::string_view without_const(std::string_view type) {
  constexpr std::string_view kConst = "const";
  if (type.starts_with("const ")) type.remove_prefix(kConst.size() + 1);
  if (type.ends_with(" const")) type.remove_suffix(kConst.size() + 1);
  return type;
}

/// The name of ArgumentSpec for a scalar type of C++; "" for another type.
std::string_view scalar_name(std::string_view type) {
  for (const auto& [known, name] : kScalars) {
    if (known == without_const(type)) return name;
  }
  return {};
}

/// "int32" for "uint32".
std::string_view without_sign(std::string_view name) {
  return name.starts_with('u') ? name.substr(1) : name;
}

bool is_alike(std::string_view name, const ScalarType& type) {
  return without_sign(name) == without_sign(type.name);
}

bool is_null(const ArgumentSpec& spec) {
  return spec.kind == ArgumentSpec::Kind::number && spec.type.kind != ScalarKind::floating &&
         spec.type.bytes == 8 && spec.value == "0";
}

}  // namespace

Expected<ArgumentSpec> parse_argument(const std::string& text) {
  ArgumentSpec spec;
  spec.text = text;
  if (text.starts_with('&')) return parse_pointer(std::move(spec));
  if (text.starts_with(kStructurePrefix)) return parse_structure(std::move(spec));
  if (text.starts_with(kBytesPrefix)) {
    spec.kind = ArgumentSpec::Kind::bytes;
    spec.value = text.substr(kBytesPrefix.size());
    return spec;
  }
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    return mistake(text, "there is no value");
  }
  spec.value = text.substr(equals + 1);
  std::string type = text.substr(0, equals);
  const bool matrix = type.starts_with(kMatrixPrefix);
  if (matrix) type.erase(0, kMatrixPrefix.size());
  if (const std::size_t open = type.find('['); open != std::string::npos) {
    spec.kind = matrix ? ArgumentSpec::Kind::matrix : ArgumentSpec::Kind::array;
    if (!matrix) spec.offset = take_number_after('+', type).value_or(0);
    spec.written = take_number_after('@', spec.value);
    const bool closed = type.ends_with(']');
    const auto shape =
        closed ? parse_shape(std::string_view(type).substr(open + 1, type.size() - open - 2))
               : std::nullopt;
    if (!shape) return mistake(text, fmt::format("'{}' is no shape", type.substr(open)));
    spec.shape = *shape;
    type.erase(open);
  }
  if (matrix && spec.shape.size() != 2) return mistake(text, "a matrix has rows and columns");
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
                                 std::uint64_t seed, ArgumentPlace& place) {
  using Kind = ArgumentSpec::Kind;
  switch (spec.kind) {
    case Kind::array:
    case Kind::matrix:
      return array_argument(spec, name, seed, place);
    case Kind::pointer:
      return pointer_argument(spec, place);
    case Kind::structure:
      return structure_argument(spec, name, seed, place);
    case Kind::bytes:
      return raw_argument(spec);
    case Kind::number:
      break;
  }
  return scalar_argument(spec);
}

std::optional<std::string> argument_instead(std::string_view type, const ArgumentSpec& spec) {
  using Kind = ArgumentSpec::Kind;
  if (spec.kind == Kind::structure || spec.kind == Kind::bytes) return std::nullopt;
  if (type.ends_with('*')) {
    const std::string_view of = scalar_name(type.substr(0, type.size() - 1));
    const std::string array = fmt::format("{}[N]=RECIPE", of.empty() ? "float32" : of);
    if (spec.kind == Kind::number && !is_null(spec)) return array + ", or uint64=0 for none";
    if (spec.kind == Kind::array && !of.empty() && !is_alike(of, spec.type)) return array;
    return std::nullopt;
  }
  const std::string_view name = scalar_name(type);
  if (name.empty() || (spec.kind == Kind::number && is_alike(name, spec.type))) return std::nullopt;
  return fmt::format("{}=NUMBER", name);
}

std::optional<Error> write_array(const fs::path& file, const PlacedArray& array,
                                 DeviceMemory& memory) {
  const std::span<const std::byte> bytes = memory.bytes(array.address);
  if (storage_of(array.type) != Storage::bfloat16) {
    const char kind = array.type.kind == ScalarKind::floating         ? 'f'
                      : array.type.kind == ScalarKind::signed_integer ? 'i'
                                                                      : 'u';
    return write_npy(file, fmt::format("<{}{}", kind, array.type.bytes), array.shape, bytes);
  }
  HostMatrix matrix(Element::float32, 1, static_cast<int>(bytes.size() / array.type.bytes),
                    static_cast<int>(bytes.size() / array.type.bytes), Storage::bfloat16);
  from_device(bytes, matrix);
  return write_npy(file, "<f4", array.shape, matrix.bytes());
}

}  // namespace tessera
