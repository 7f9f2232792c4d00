#include "grader/gpu/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tessera {
namespace {

constexpr std::size_t kLeastGuard = 64 << 10;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kWord = 4;
constexpr std::uint32_t kQuietNan = 0x7fc00000u;

/// A NaN whose payload depends on the word's index; never the poison of an output.
std::uint32_t pattern(std::size_t word) {
  auto mixed = static_cast<std::uint32_t>(word) * 0x9e3779b1u;
  mixed ^= mixed >> 15;
  return kQuietNan | (mixed & 0x3f0000u) | 0x1234u;
}

/// The element with that index, or what is left of it at the end.
std::uint32_t element_at(std::span<const std::byte> bytes, std::size_t index, std::size_t size) {
  std::uint32_t bits = 0;
  const std::size_t at = index * size;
  std::memcpy(&bits, bytes.data() + at, std::min(size, bytes.size() - at));
  return bits;
}

std::size_t elements_in(std::span<const std::byte> bytes, std::size_t size) {
  return (bytes.size() + size - 1) / size;
}

Phrase elements(std::uint64_t count) {
  return count == 1 ? Phrase::one_element : Phrase::several_elements;
}

/// `nearest` and `farthest` count elements from the buffer's edge; the neighbour is 1.
Finding stray_store(const GpuBuffer& buffer, std::uint64_t count, std::uint64_t nearest,
                    std::uint64_t farthest, Phrase side, std::int64_t first) {
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.count = count;
  const Name name{buffer.name};
  const std::size_t size = buffer.contents.size() / buffer.element_bytes;
  finding.message = say(count == 1 ? Phrase::stray_store : Phrase::stray_stores, count, side, name,
                        farthest, name, size, elements(size));
  if (nearest > 1) finding.message += say(Phrase::stray_nearest, nearest);
  finding.hint = say(Phrase::stray_store_hint, name);
  finding.example = {{"element", element_called(buffer, first).str()}};
  return finding;
}

Detail bits_text(std::uint32_t bits, std::size_t size) {
  if (size < kWord) return fmt::format("0x{:04x}", bits);
  return fmt::format("{:.9g} (0x{:08x})", std::bit_cast<float>(bits), bits);
}

}  // namespace

ArrayElement element_called(const GpuBuffer& buffer, std::int64_t index) {
  const auto size = static_cast<std::int64_t>(buffer.contents.size() / buffer.element_bytes);
  if (buffer.width == 0 || buffer.pitch == 0 || index < 0 || index >= size) {
    return {buffer.name, fmt::format("[{}]", index)};
  }
  return {buffer.name, fmt::format("[{}][{}]", index / buffer.pitch, index % buffer.pitch)};
}

std::size_t guard_bytes(const GpuBuffer& buffer) {
  const std::size_t rows = 2 * kWord * std::size_t{std::max(buffer.pitch, buffer.width)};
  return (std::max(kLeastGuard, rows) + kAlignment - 1) / kAlignment * kAlignment;
}

void fill_guard(std::span<std::byte> band, std::size_t offset) {
  for (std::size_t at = 0; at < band.size(); at += kWord) {
    const std::uint32_t word = pattern((offset + at) / kWord);
    std::memcpy(band.data() + at, &word, std::min(kWord, band.size() - at));
  }
}

GuardDamage inspect_guard(std::span<const std::byte> band, std::size_t offset, std::size_t size) {
  GuardDamage damage;
  std::vector<std::byte> intact(band.size());
  fill_guard(intact, offset);
  if (std::ranges::equal(band, intact)) return damage;
  for (std::size_t i = 0; i < elements_in(band, size); ++i) {
    if (element_at(band, i, size) == element_at(intact, i, size)) continue;
    if (damage.count++ == 0) damage.first = i;
    damage.last = i;
  }
  return damage;
}

void inspect_input(std::span<const std::byte> was, std::span<const std::byte> is, std::size_t size,
                   BufferDamage& damage) {
  if (std::memcmp(was.data(), is.data(), was.size()) == 0) return;
  for (std::size_t i = 0; i < elements_in(was, size); ++i) {
    if (element_at(was, i, size) == element_at(is, i, size)) continue;
    if (damage.modified++ > 0) continue;
    damage.first_modified = i;
    damage.was = element_at(was, i, size);
    damage.is = element_at(is, i, size);
  }
}

std::vector<Finding> damage_findings(const GpuBuffer& buffer, const BufferDamage& damage) {
  std::vector<Finding> findings;
  const auto size = static_cast<std::int64_t>(buffer.contents.size() / buffer.element_bytes);
  if (damage.after.count > 0) {
    findings.push_back(stray_store(buffer, damage.after.count, damage.after.first + 1,
                                   damage.after.last + 1, Phrase::behind_end,
                                   size + static_cast<std::int64_t>(damage.after.first)));
  }
  if (damage.before.count > 0) {
    const std::uint64_t band = guard_bytes(buffer) / buffer.element_bytes;
    findings.push_back(stray_store(buffer, damage.before.count, band - damage.before.last,
                                   band - damage.before.first, Phrase::in_front_of_start,
                                   -static_cast<std::int64_t>(band - damage.before.last)));
  }
  if (damage.modified > 0) {
    const ArrayElement first =
        element_called(buffer, static_cast<std::int64_t>(damage.first_modified));
    Finding finding;
    finding.kind = FindingKind::input_modified;
    finding.count = damage.modified;
    finding.message =
        say(Phrase::input_changed, Name{buffer.name}, damage.modified, elements(damage.modified)) +
        say(Phrase::input_was, first, bits_text(damage.was, buffer.element_bytes),
            bits_text(damage.is, buffer.element_bytes));
    finding.hint = say(Phrase::input_changed_hint, Name{buffer.name});
    finding.example = {{"element", first.str()}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace tessera
