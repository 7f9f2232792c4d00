#include "grader/report/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "grader/compile/source.h"

namespace tessera {
namespace {

using Memory = LineAccess::Memory;

/// "A" or "memory".
std::string name_of(const AccessShape& shape) {
  return shape.variable.empty() ? "memory" : shape.variable;
}

std::string lanes_lie(const AccessShape& shape) {
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride));
  if (shape.row_bytes != 0 && distance == shape.row_bytes)
    return fmt::format("neighbouring lanes walk down a column of {}, {} bytes apart",
                       name_of(shape), distance);
  if (distance > shape.width)
    return fmt::format("neighbouring lanes are {} bytes apart in {}", distance, name_of(shape));
  return fmt::format("the lanes are scattered over {}", name_of(shape));
}

std::string global_advice(const AccessShape& shape) {
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride));
  const std::string cost =
      fmt::format("{} sectors a request where {} would do", shape.passes, shape.ideal);
  if (distance <= shape.width) {
    return fmt::format("{}: {}. Let neighbouring lanes touch neighbouring addresses.",
                       lanes_lie(shape), cost);
  }
  const bool wide = distance >= kSectorBytes;
  return fmt::format("{}: {}. {}", lanes_lie(shape), cost,
                     wide ? "Let threadIdx.x run along the row."
                          : "Every sector is used in part: let neighbouring lanes touch "
                            "neighbouring elements.");
}

bool is_shared(const LineAccess& access) {
  return access.memory == Memory::shared;
}

std::map<std::string, int> declarations_of_shared(const Source& source) {
  std::map<std::string, int> declared;
  bool shared = false;
  bool dynamic = false;
  for (const Token& token : source.code()) {
    if (token.text == ";") shared = dynamic = false;
    shared |= token.text == "__shared__";
    dynamic |= token.text == "extern";
    if (shared && !dynamic) declared.try_emplace(token.text, token.line);
  }
  return declared;
}

/// Where a shared array is declared, as " (line 12)"; "" if its declaration gives no size.
std::string declared_in(const CountedSource& source, const std::string& name) {
  const auto line = source.shared_lines.find(name);
  return line == source.shared_lines.end() ? "" : fmt::format(" (line {})", line->second);
}

/// Longer padding wastes more shared memory than it is worth.
constexpr std::uint64_t kMostPadding = 16;

/// Whether the record says where the lanes lie in the rows of the variable.
bool has_known_rows(const AccessShape& shape) {
  return shape.row_bytes != 0 && shape.width == kBankBytes && !shape.offsets.empty();
}

/// The wavefronts that a request would take if each row of the variable were `padding` elements
/// longer. Needs an access that has_known_rows().
std::size_t padded_wavefronts(const AccessShape& shape, std::uint64_t padding) {
  std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& offset : shape.offsets) lowest = std::min(lowest, offset.value_or(lowest));
  std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank
  for (const auto& offset : shape.offsets) {
    if (!offset) continue;
    const std::uint64_t from_lowest = *offset - lowest;
    const std::uint64_t word = from_lowest / kBankBytes + padding * (from_lowest / shape.row_bytes);
    words[word % (kBankRowBytes / kBankBytes)].insert(word);
  }
  std::size_t most = 0;
  for (const auto& [bank, touched] : words) most = std::max(most, touched.size());
  return most;
}

/// A line whose accesses of the variable still conflict with this padding; 0 if there is none.
int conflicting_line(const CountedSource& source, const std::string& variable,
                     std::uint64_t padding) {
  const auto conflicts = [&](const LineAccess& access) {
    const AccessShape& shape = access.worst;
    return is_shared(access) && shape.variable == variable && has_known_rows(shape) &&
           padded_wavefronts(shape, padding) > shape.ideal;
  };
  const auto found = std::ranges::find_if(source.accesses, conflicts);
  return found == source.accesses.end() ? 0 : found->line;
}

/// The least padding that frees this access of conflicts, if possible together with all other
/// accesses of the variable; 0 if none does.
std::uint64_t helpful_padding(const CountedSource& source, const AccessShape& shape) {
  std::uint64_t least = 0;
  for (std::uint64_t padding = 1; padding <= kMostPadding; ++padding) {
    if (padded_wavefronts(shape, padding) > shape.ideal) continue;
    if (conflicting_line(source, shape.variable, padding) == 0) return padding;
    if (least == 0) least = padding;
  }
  return least;
}

std::string padding_advice(const CountedSource& source, const AccessShape& shape,
                           std::uint64_t padding) {
  const std::uint64_t row = shape.row_bytes / kBankBytes;
  const bool padded_already = (row & (row - 1)) != 0;
  const std::string_view more = padded_already ? " more" : "";
  std::string text =
      fmt::format("Pad each row by {}{} {} where the array is declared{}",
                  padding == 1 ? "one" : std::to_string(padding), more,
                  padding == 1 ? "element" : "elements", declared_in(source, shape.variable));
  if (const int line = conflicting_line(source, shape.variable, padding))
    text += fmt::format("; line {} then still has conflicts", line);
  return text + ".";
}

std::string layout_advice(const CountedSource& source, const AccessShape& shape) {
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride));
  if (distance <= shape.width)
    return "Change the layout so that the lanes of a warp touch different banks.";
  const bool known = has_known_rows(shape);
  const bool same_bank = distance % kBankRowBytes == 0;
  const std::uint64_t padding = known ? helpful_padding(source, shape) : same_bank ? 1 : 0;
  if (padding != 0) return padding_advice(source, shape, padding);
  return known ? "Store what neighbouring lanes touch in neighbouring elements."
               : "Store what neighbouring lanes touch in neighbouring elements, or choose a row "
                 "length that spreads the lanes over the banks.";
}

std::string shared_advice(const CountedSource& source, const AccessShape& shape) {
  return fmt::format(
      "{}: they meet in the same banks, {} wavefronts a request where {} would do. "
      "{}",
      lanes_lie(shape), shape.passes, shape.ideal, layout_advice(source, shape));
}

/// The kind of access by which the counters of global and shared memory are named.
Accesses accesses_of(const LineAccess& access) {
  if (is_shared(access)) return access.store ? Accesses::shared_store : Accesses::shared_load;
  return access.store ? Accesses::global_store : Accesses::global_load;
}

/// Whether the metric depends on how well such accesses lie, and not only on their number.
bool depends_on_layout(Metric metric, const LineAccess& access) {
  const auto [accesses, quantity] = about(metric).counts;
  return accesses == accesses_of(access) && quantity != Quantity::requests;
}

bool wants_strides(const Item& item) {
  return item.goal && item.goal->at_least &&
         about(item.goal->metric).counts.quantity == Quantity::per_request;
}

}  // namespace

CountedSource counted_source(const std::vector<std::string>& lines,
                             const std::vector<LineAccess>& accesses) {
  CountedSource source{.lines = lines, .accesses = accesses};
  if (std::ranges::any_of(accesses, is_shared))
    source.shared_lines = source.shared_lines =
        declarations_of_shared(Source(fmt::format("{}", fmt::join(lines, "\n"))));
  return source;
}

CountedSource counted_source(const Record& record) {
  CountedSource source = counted_source(record.source, record.lines);
  source.wants_strides = std::ranges::any_of(record.items, wants_strides);
  return source;
}

std::string advice(const CountedSource& source, const LineAccess& access) {
  const AccessShape& shape = access.worst;
  if (access.requests == 0 || shape.passes == 0 || shape.passes < 2 * shape.ideal) return "";
  if (access.memory == Memory::shared) return shared_advice(source, shape);
  if (source.wants_strides) return "";
  // As many sectors as a warp of neighbouring elements takes are never bad, even if a broadcast
  // would take fewer.
  const unsigned whole = (shape.lanes * shape.width + kSectorBytes - 1) / kSectorBytes;
  return shape.passes <= whole ? "" : global_advice(shape);
}

const LineAccess* costliest_access(const Item& item, const Record& record) {
  if (item.status != Status::fail && item.status != Status::partial) return nullptr;
  if (!item.goal) return nullptr;
  const LineAccess* worst = nullptr;
  for (const LineAccess& access : record.lines) {
    if (!depends_on_layout(item.goal->metric, access) || access.passes <= access.ideal) continue;
    const auto excess = access.passes - access.ideal;
    if (worst == nullptr || excess > worst->passes - worst->ideal) worst = &access;
  }
  return worst;
}

std::string remedy_of(const Item& item, const Record& record) {
  const LineAccess* access = costliest_access(item, record);
  const std::string found = access == nullptr ? "" : advice(counted_source(record), *access);
  return found.empty() ? item.hint.str() : fmt::format("line {}: {}", access->line, found);
}

}  // namespace tessera
