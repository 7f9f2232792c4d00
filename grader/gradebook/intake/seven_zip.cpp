#include "grader/gradebook/intake/seven_zip.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace tessera {
namespace {

constexpr std::string_view kSignature = "7z\xbc\xaf\x27\x1c";
constexpr std::size_t kStartBytes = 32;
constexpr std::size_t kOffsetAt = 12;
constexpr std::size_t kSizeAt = 20;
constexpr std::size_t kMostPropertyBytes = 4096;  // how the list is packed takes about 40

/// Kinds of properties, as 7-Zip's 7zFormat.txt numbers them.
enum class Property : unsigned char {
  end = 0x00,
  header = 0x01,
  pack_info = 0x06,
  unpack_info = 0x07,
  size = 0x09,
  crc = 0x0a,
  folder = 0x0b,
  unpack_size = 0x0c,
  encoded_header = 0x17
};

struct Malformed {};

/// Reads values from the front of `bytes`; throws Malformed at their end.
class PropertyReader {
 public:
  explicit PropertyReader(std::string_view bytes) : bytes_(bytes) {}

  unsigned byte() { return static_cast<unsigned char>(take(1).front()); }

  Property property() { return static_cast<Property>(byte()); }

  void expect(Property property) {
    if (this->property() != property) throw Malformed();
  }

  std::uint64_t little_endian(std::size_t size) {
    std::uint64_t value = 0;
    const std::string_view taken = take(size);
    for (std::size_t i = 0; i < size; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << 8 * i;
    }
    return value;
  }

  /// The leading 1 bits of the first byte say how many bytes follow; its other bits are the
  /// highest.
  std::uint64_t number() {
    const unsigned first = byte();
    std::size_t more = 0;
    while (more < 8 && (first & 0x80u >> more) != 0) ++more;
    const std::uint64_t low = little_endian(more);
    const std::uint64_t high = first & 0x7fu >> more;
    return more < 8 ? low | high << 8 * more : low;
  }

  std::uint64_t number(std::uint64_t least, std::uint64_t most) {
    const std::uint64_t value = number();
    if (value < least || value > most) throw Malformed();
    return value;
  }

  void skip(std::uint64_t size) {
    if (size > bytes_.size()) throw Malformed();
    bytes_.remove_prefix(size);
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = bytes_.substr(0, size);
    skip(size);
    return taken;
  }

  std::string_view bytes_;
};

void skip_pack_info(PropertyReader& in) {
  in.expect(Property::pack_info);
  in.number();  // where the packed bytes are
  in.number(1, 1);
  in.expect(Property::size);
  in.number();
  Property next = in.property();
  if (next == Property::crc) {
    if (in.byte() != 1) throw Malformed();
    in.skip(4);
    next = in.property();
  }
  if (next != Property::end) throw Malformed();
}

/// Returns how many streams the coders give.
std::uint64_t skip_coders(PropertyReader& in) {
  constexpr unsigned kIdBytes = 0x0f;
  constexpr unsigned kHasStreams = 0x10;
  constexpr unsigned kHasProperties = 0x20;
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
  for (std::uint64_t coders = in.number(1, 4); coders > 0; --coders) {
    const unsigned flags = in.byte();
    in.skip(flags & kIdBytes);
    inputs += (flags & kHasStreams) != 0 ? in.number(1, 4) : 1;
    outputs += (flags & kHasStreams) != 0 ? in.number(1, 4) : 1;
    if ((flags & kHasProperties) != 0) in.skip(in.number());
  }
  const std::uint64_t bound = outputs - 1;
  for (std::uint64_t i = 0; i < 2 * bound; ++i) in.number();
  if (inputs != bound + 1) throw Malformed();  // one packed stream
  return outputs;
}

std::uint64_t unpacked_list_bytes(PropertyReader& in) {
  skip_pack_info(in);
  in.expect(Property::unpack_info);
  in.expect(Property::folder);
  in.number(1, 1);
  if (in.byte() != 0) throw Malformed();  // described elsewhere
  const std::uint64_t outputs = skip_coders(in);
  in.expect(Property::unpack_size);
  std::uint64_t most = 0;
  for (std::uint64_t i = 0; i < outputs; ++i) most = std::max(most, in.number());
  return most;
}

/// Up to `size` bytes at `offset`.
std::string bytes_at(const std::filesystem::path& file, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(in.bad() ? 0 : static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return bytes;
}

}  // namespace

bool is_seven_zip(const std::filesystem::path& file) {
  return bytes_at(file, 0, kSignature.size()) == kSignature;
}

std::optional<std::uint64_t> seven_zip_list_bytes(const std::filesystem::path& file) {
  try {
    const std::string start = bytes_at(file, 0, kStartBytes);
    PropertyReader sizes(start);
    sizes.skip(kOffsetAt);
    const std::uint64_t offset = sizes.little_endian(kSizeAt - kOffsetAt);
    const std::uint64_t size = sizes.little_endian(8);
    if (size == 0) return 0;
    if (offset > std::numeric_limits<std::int64_t>::max() - kStartBytes) return std::nullopt;
    const std::string list =
        bytes_at(file, kStartBytes + offset,
                 static_cast<std::size_t>(std::min<std::uint64_t>(size, kMostPropertyBytes)));
    PropertyReader in(list);
    const Property kind = in.property();
    if (kind == Property::header) return size;
    if (kind != Property::encoded_header) return std::nullopt;
    return unpacked_list_bytes(in);
  } catch (const Malformed&) {
    return std::nullopt;
  }
}

}  // namespace tessera
