// ptxas stores the register count of each kernel in the section .nv.info. Its records have a
// format, an attribute, and two bytes that are the value or the size of the data that follows.
#include "grader/compile/cubin.h"

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace tessera {
namespace {

constexpr std::uint8_t kFormatSized = 0x04;
constexpr std::uint8_t kRegisterCount = 0x2f;

struct Record {
  std::uint8_t format;
  std::uint8_t attribute;
  std::uint16_t size;
};

struct RegisterCount {
  std::uint32_t symbol;
  std::uint32_t count;
};

/// The T at `offset`; nothing if it is beyond the end.
template <class T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view contents(std::string_view cubin, const Elf64_Shdr& section) {
  if (section.sh_offset > cubin.size()) return {};
  return cubin.substr(section.sh_offset, section.sh_size);
}

/// Whether the name at `offset` is `text`. Reads at most text.size() + 1 bytes: a forged image may
/// have a million names that never end.
bool stands_at(std::string_view strings, std::uint64_t offset, std::string_view text) {
  if (offset >= strings.size()) return false;
  strings.remove_prefix(offset);
  return strings.starts_with(text) &&
         (strings.size() == text.size() || strings[text.size()] == '\0');
}

class Image {
 public:
  explicit Image(std::string_view cubin) : cubin_(cubin) {
    if (const auto header = read_at<Elf64_Ehdr>(cubin, 0)) header_ = *header;
    if (const auto names = section(header_.e_shstrndx)) names_ = contents(cubin, *names);
  }

  std::string_view section_named(std::string_view name) const {
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      const auto found = section(i);
      if (found && stands_at(names_, found->sh_name, name)) return contents(cubin_, *found);
    }
    return {};
  }

 private:
  std::optional<Elf64_Shdr> section(unsigned index) const {
    return read_at<Elf64_Shdr>(cubin_, header_.e_shoff + std::uint64_t{index} * sizeof(Elf64_Shdr));
  }

  std::string_view cubin_;
  Elf64_Ehdr header_{};
  std::string_view names_;
};

}  // namespace

bool is_cubin(std::string_view bytes) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_CUDA;
}

std::optional<int> cubin_registers(std::string_view cubin, std::string_view entry) {
  if (!is_cubin(cubin)) return std::nullopt;
  const Image image(cubin);
  const std::string_view symbols = image.section_named(".symtab");
  const std::string_view strings = image.section_named(".strtab");
  const std::string_view info = image.section_named(".nv.info");
  std::uint64_t at = 0;
  while (const auto record = read_at<Record>(info, at)) {
    at += sizeof(Record);
    if (record->format != kFormatSized) continue;
    const auto count = read_at<RegisterCount>(info, at);
    at += record->size;
    if (record->attribute != kRegisterCount || !count) continue;
    const auto symbol =
        read_at<Elf64_Sym>(symbols, std::uint64_t{count->symbol} * sizeof(Elf64_Sym));
    if (symbol && stands_at(strings, symbol->st_name, entry)) return static_cast<int>(count->count);
  }
  return std::nullopt;
}

}  // namespace tessera
