#include "common/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "common/numbers.h"
#include "common/text.h"

namespace tessera {
namespace {

static_assert(std::endian::native == std::endian::little,
              ".npy data is copied without a change of byte order");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kVersionBytes = 2;
constexpr std::size_t kMaxHeaderBytes = 1u << 16;
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the Python dictionary of a header: `{'descr': '<f4', 'fortran_order': False, 'shape': (4,
/// 4), }`. Stops at the first mistake; `mistake()` then says what was expected.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Header parse() {
    Header header;
    std::vector<std::string> seen;
    expect('{');
    while (ok() && !accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (std::ranges::count(seen, key) > 0) fail("the key '" + key + "' only once");
      seen.push_back(key);
      if (key == "descr") {
        header.descr = quoted();
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
      } else if (key == "shape") {
        header.shape = tuple();
      } else {
        fail("the keys 'descr', 'fortran_order' and 'shape', not '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (ok() && seen.size() != 3) fail("all of the keys 'descr', 'fortran_order' and 'shape'");
    skip_space();
    if (ok() && !text_.empty()) fail("nothing after the closing brace");
    return header;
  }

  const std::string& mistake() const { return mistake_; }

 private:
  bool ok() const { return mistake_.empty(); }

  void fail(const std::string& expected) {
    if (ok()) mistake_ = "its header is malformed: expected " + expected;
  }

  void skip_space() {
    const std::size_t start = text_.find_first_not_of(" \n\t");
    text_.remove_prefix(std::min(start, text_.size()));
  }

  bool accept(char wanted) {
    skip_space();
    if (!ok() || !text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(std::string("'") + wanted + "'");
  }

  std::string quoted() {
    skip_space();
    const char quote = text_.starts_with('"') ? '"' : '\'';
    if (!accept(quote)) {
      fail("a quoted word (structured types are not read)");
      return "";
    }
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) {
      fail("a closing quote");
      return "";
    }
    std::string word(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return word;
  }

  bool truth() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return word == "True";
      }
    }
    fail("True or False after 'fortran_order'");
    return false;
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> extents;
    expect('(');
    while (ok() && !accept(')')) {
      skip_space();
      std::uint64_t extent = 0;
      const auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (code != std::errc()) {
        fail("whole numbers in 'shape'");
        break;
      }
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      extents.push_back(extent);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

  std::string_view text_;
  std::string mistake_;
};

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (const std::uint64_t extent : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::size_t type_size(std::string_view descr) {
  if (descr == "<f4" || descr == "<i4") return 4;
  if (descr == "<f8" || descr == "<i8") return 8;
  return 0;
}

bool fits(double value, Element element) {
  if (element == Element::float32) {
    return !std::isfinite(value) || std::abs(value) <= std::numeric_limits<float>::max();
  }
  return value == std::trunc(value) && value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

std::string written(double value) {
  return exact_number(value);
}

std::string written(std::integral auto value) {
  return std::to_string(value);
}

/// Converts the elements at `data`. Returns what is wrong with the first value that does not fit,
/// or "".
template <class Source>
std::string convert(std::string_view data, HostMatrix& matrix) {
  for (int row = 0; row < matrix.height(); ++row) {
    for (int column = 0; column < matrix.width(); ++column) {
      Source value;
      std::memcpy(&value, data.data(), sizeof value);
      data.remove_prefix(sizeof value);
      if (!fits(static_cast<double>(value), matrix.element())) {
        return "the value " + written(value) + " at row " + std::to_string(row) + ", column " +
               std::to_string(column) + " is not a value of " +
               std::string(to_string(matrix.element())) +
               "; change it, or use the file with another element type";
      }
      matrix.set(row, column, static_cast<double>(value));
    }
  }
  return "";
}

std::string convert_from(std::string_view descr, std::string_view data, HostMatrix& matrix) {
  if (descr == "<f4") return convert<float>(data, matrix);
  if (descr == "<f8") return convert<double>(data, matrix);
  if (descr == "<i4") return convert<std::int32_t>(data, matrix);
  return convert<std::int64_t>(data, matrix);
}

/// Why an array with this header cannot be read, or "".
std::string objection(const Header& header) {
  if (type_size(header.descr) == 0) {
    return "has elements of type '" + header.descr +
           "'; expected little-endian '<f4', '<f8', '<i4' or '<i8': save it with "
           "numpy.save(path, array.astype('<f4'))";
  }
  if (header.fortran_order) {
    return "is stored in Fortran order; expected C order: save it with numpy.save(path, "
           "numpy.ascontiguousarray(array))";
  }
  if (header.shape.empty() || header.shape.size() > 2) {
    return "has shape " + shape_text(header.shape) + "; expected one or two dimensions";
  }
  for (const std::uint64_t extent : header.shape) {
    if (extent == 0) {
      return "has shape " + shape_text(header.shape) + "; expected at least one element";
    }
    if (extent > kMaxFileBytes) {
      return "has shape " + shape_text(header.shape) + "; files of at most " +
             std::to_string(kMaxFileBytes) + " bytes are read";
    }
  }
  return "";
}

/// What is wrong with the number of bytes after the header, or "".
std::string length_objection(const Header& header, std::size_t bytes) {
  std::uint64_t expected = type_size(header.descr);
  for (const std::uint64_t extent : header.shape) expected *= extent;
  if (bytes == expected) return "";
  const std::string promise = "its shape " + shape_text(header.shape) + " of '" + header.descr +
                              "' takes " + std::to_string(expected) + " bytes of data, and ";
  if (bytes < expected) {
    return promise + std::to_string(expected - bytes) +
           " of them are missing: the file is truncated, so copy it again";
  }
  return promise + std::to_string(bytes - expected) + " more follow; save one array a file";
}

}  // namespace

Expected<HostMatrix> read_npy(const std::filesystem::path& path, Element element) {
  const auto mistake = [&path](const std::string& what) {
    return Error{.file = path.string(), .message = what};
  };
  const Expected<std::string> content = read_file(path, kMaxFileBytes);
  if (!content) return content.error();

  std::string_view rest = *content;
  if (!rest.starts_with(kMagic)) {
    return mistake(
        "is not a .npy file: it does not start with \\x93NUMPY; write it with numpy.save");
  }
  rest.remove_prefix(kMagic.size());
  const std::string cut_off = "ends inside its header: the file is truncated, so copy it again";
  if (rest.size() < kVersionBytes) return mistake(cut_off);
  const int major = static_cast<unsigned char>(rest[0]);
  const int minor = static_cast<unsigned char>(rest[1]);
  if ((major != 1 && major != 2) || minor != 0) {
    return mistake("has .npy format version " + std::to_string(major) + "." +
                   std::to_string(minor) + "; expected 1.0 or 2.0");
  }
  rest.remove_prefix(kVersionBytes);

  const std::size_t length_bytes = major == 1 ? 2 : 4;
  if (rest.size() < length_bytes) return mistake(cut_off);
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= std::size_t{static_cast<unsigned char>(rest[i])} << 8 * i;
  }
  rest.remove_prefix(length_bytes);
  if (length > kMaxHeaderBytes) {
    return mistake("announces a header of " + std::to_string(length) + " bytes; expected at most " +
                   std::to_string(kMaxHeaderBytes) + ": the file is damaged");
  }
  if (rest.size() < length) return mistake(cut_off);

  HeaderParser parser(rest.substr(0, length));
  const Header header = parser.parse();
  rest.remove_prefix(length);
  if (!parser.mistake().empty()) return mistake(parser.mistake());
  std::string wrong = objection(header);
  if (wrong.empty()) wrong = length_objection(header, rest.size());
  if (!wrong.empty()) return mistake(wrong);

  const int height = header.shape.size() == 2 ? static_cast<int>(header.shape[0]) : 1;
  HostMatrix matrix(element, height, static_cast<int>(header.shape.back()));
  wrong = convert_from(header.descr, rest, matrix);
  if (!wrong.empty()) return mistake(wrong);
  return matrix;
}

std::optional<Error> write_npy(const std::filesystem::path& path, const HostMatrix& matrix) {
  const std::size_t row_bytes =
      static_cast<std::size_t>(matrix.width()) * element_size(matrix.element());
  const std::size_t pitch_bytes =
      static_cast<std::size_t>(matrix.pitch()) * element_size(matrix.element());
  std::vector<std::byte> elements;
  for (int row = 0; row < matrix.height(); ++row) {
    const auto bytes =
        matrix.bytes().subspan(static_cast<std::size_t>(row) * pitch_bytes, row_bytes);
    elements.insert(elements.end(), bytes.begin(), bytes.end());
  }
  const int shape[] = {matrix.height(), matrix.width()};
  return write_npy(path, matrix.element() == Element::float32 ? "<f4" : "<i4", shape, elements);
}

std::optional<Error> write_npy(const std::filesystem::path& path, std::string_view type,
                               std::span<const int> shape, std::span<const std::byte> elements) {
  constexpr std::size_t kAlignment = 64;
  std::string extents;
  for (const int extent : shape) extents += std::to_string(extent) + ", ";
  extents.resize(extents.size() - (shape.size() == 1 ? 1 : 2));  // (4,) and (4, 8)
  std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" +
                       extents + "), }";
  const std::size_t prefix = kMagic.size() + kVersionBytes + 2;
  while ((prefix + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';

  std::string content(kMagic);
  content += '\x01';
  content += '\0';
  content += static_cast<char>(header.size() & 0xff);
  content += static_cast<char>(header.size() >> 8);
  content += header;
  content.append(reinterpret_cast<const char*>(elements.data()), elements.size());
  return write_file(path, content);
}

}  // namespace tessera
