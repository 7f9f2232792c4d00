#include "grader/report/pictures/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "common/numbers.h"

namespace tessera {
namespace {

/// No access is wider or farther away, but a record may hold any numbers.
constexpr std::uint64_t kMostWidth = 32;
constexpr std::uint64_t kFarthest = std::uint64_t{1} << 60;

std::uint64_t width_of(const AccessShape& shape) {
  return std::bit_floor(std::clamp<std::uint64_t>(shape.width, 1, kMostWidth));
}

BankUse banks_of_group(const AccessShape& shape, unsigned first, unsigned lanes) {
  BankUse use;
  use.first_lane = first;
  use.lanes = lanes;
  std::map<std::uint64_t, std::vector<unsigned>> by_word;
  for (unsigned lane = first; lane < first + lanes; ++lane) {
    if (!shape.offsets[lane]) continue;
    const std::uint64_t low = std::min(*shape.offsets[lane], kFarthest);
    const std::uint64_t last = (low + width_of(shape) - 1) / kBankBytes;
    for (std::uint64_t word = low / kBankBytes; word <= last; ++word) by_word[word].push_back(lane);
  }
  for (auto& [word, wanted_by] : by_word)
    use.words[word % kBanks].push_back({word, std::move(wanted_by)});
  for (const std::vector<BankWord>& words : use.words)
    use.wavefronts = std::max(use.wavefronts, static_cast<unsigned>(words.size()));
  return use;
}

}  // namespace

unsigned BankUse::banks_used() const {
  return static_cast<unsigned>(
      std::ranges::count_if(words, [](const auto& bank) { return !bank.empty(); }));
}

BankUse banks_of(const AccessShape& shape) {
  const auto groups =
      static_cast<unsigned>(std::max<std::uint64_t>(1, width_of(shape) / kBankBytes));
  const unsigned lanes = kWarpLanes / std::min(groups, 8u);
  BankUse worst = banks_of_group(shape, 0, lanes);
  for (unsigned first = lanes; first < kWarpLanes; first += lanes) {
    BankUse group = banks_of_group(shape, first, lanes);
    if (group.wavefronts > worst.wavefronts) worst = std::move(group);
  }
  return worst;
}

std::vector<Sector> sectors_of(const AccessShape& shape) {
  std::map<std::uint64_t, Sector> by_index;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!shape.offsets[lane]) continue;
    const std::uint64_t low = std::min(*shape.offsets[lane], kFarthest);
    const std::uint64_t last = (low + width_of(shape) - 1) / kBankBytes;
    for (std::uint64_t word = low / kBankBytes; word <= last; ++word) {
      Sector& sector = by_index[word / kSectorWords];
      sector.index = word / kSectorWords;
      sector.words |= static_cast<std::uint8_t>(1u << (word % kSectorWords));
      if (sector.lanes.empty() || sector.lanes.back() != lane) sector.lanes.push_back(lane);
    }
  }
  std::vector<Sector> sectors;
  for (auto& [index, sector] : by_index) sectors.push_back(std::move(sector));
  return sectors;
}

std::string ranges_of(const std::vector<unsigned>& lanes) {
  std::string text;
  for (std::size_t i = 0; i < lanes.size();) {
    std::size_t end = i + 1;
    while (end < lanes.size() && lanes[end] == lanes[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += std::to_string(lanes[i]);
    if (end - i > 1) text += (end - i == 2 ? ", " : "-") + std::to_string(lanes[end - 1]);
    i = end;
  }
  return text;
}

std::string short_ranges_of(const std::vector<unsigned>& lanes, std::size_t most) {
  std::string text = ranges_of(lanes);
  if (text.size() <= most) return text;
  std::size_t run = 1;
  while (run < lanes.size() && lanes[run] == lanes[run - 1] + 1) ++run;
  const std::vector<unsigned> first(lanes.begin(),
                                    lanes.begin() + static_cast<std::ptrdiff_t>(run));
  return fmt::format("{} +{}", ranges_of(first), lanes.size() - run);
}

bool has_lanes(const AccessShape& shape) {
  return shape.offsets.size() == kWarpLanes &&
         std::ranges::any_of(shape.offsets, [](const auto& offset) { return offset.has_value(); });
}

std::string access_title(const LineAccess& access) {
  const AccessShape& shape = access.worst;
  const bool global = access.memory == LineAccess::Memory::global;
  std::string text = fmt::format("line {}, {} {}", access.line, global ? "global" : "shared",
                                 access.store ? "store" : "load");
  if (!shape.variable.empty()) text += (access.store ? " to " : " of ") + shape.variable;
  return text + fmt::format(": {} a request where {} would do",
                            counted(shape.passes, global ? "sector" : "wavefront"), shape.ideal);
}

}  // namespace tessera
