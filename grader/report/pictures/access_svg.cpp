#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/svg.h"
#include "grader/report/pictures/warp_access.h"

namespace tessera {
namespace {

constexpr double kSvgLine = 16;  // height of a line of text
constexpr double kWidth = 660;

constexpr double kBankLeft = 40;
constexpr double kBankWidth = 19;

constexpr double kSectorLeft = 62;
constexpr double kWordWidth = 8;
constexpr double kWordHeight = 12;
constexpr double kSectorWidth = kSectorWords * kWordWidth + 10;
constexpr double kSectorRow = 36;
constexpr std::size_t kSectorsInRow = 8;
constexpr std::size_t kSvgMostSectors = 64;
constexpr std::size_t kSvgLaneCharacters = 11;

/// Describes every bank that must deliver several words, for those who cannot see the picture.
std::string banks_text(const BankUse& use) {
  std::string text;
  for (unsigned bank = 0; bank < kBanks; ++bank) {
    if (use.words[bank].size() < 2) continue;
    std::vector<unsigned> lanes;
    for (const BankWord& word : use.words[bank])
      lanes.insert(lanes.end(), word.lanes.begin(), word.lanes.end());
    std::ranges::sort(lanes);
    text += fmt::format(" Bank {}: {}, lanes {}.", bank, counted(use.words[bank].size(), "word"),
                        ranges_of(lanes));
  }
  return text.empty() ? " No bank must deliver more than one word." : text;
}

std::string bank_svg(const LineAccess& access) {
  const BankUse use = banks_of(access.worst);
  const double cell = use.wavefronts > 16 ? 11 : 16;
  const bool grouped_lanes = use.lanes < kWarpLanes;
  const double top = grouped_lanes ? 40 : 24;
  const double bottom = top + cell * use.wavefronts;
  const std::string title = access_title(access);
  Svg svg("banks", kWidth, bottom + 54, "Banks: " + title,
          fmt::format("{} of {} banks are used.{}", use.banks_used(), kBanks, banks_text(use)));
  svg.text(0, 13, title);
  if (grouped_lanes) {
    svg.text(0, 31,
             fmt::format("lanes {} to {}: of accesses this wide {} lanes are served at a time",
                         use.first_lane, use.first_lane + use.lanes - 1, use.lanes),
             Anchor::start, Paint::faint, 11);
  }
  std::string crowded, outlines;
  for (unsigned bank = 0; bank < kBanks; ++bank) {
    const double x = kBankLeft + kBankWidth * bank;
    for (std::size_t i = 0; i < use.words[bank].size(); ++i) {
      const std::string box =
          rect_path(x, bottom - cell * static_cast<double>(i + 1), kBankWidth, cell);
      if (use.words[bank].size() > 1) crowded += box;
      outlines += box;
    }
    svg.text(x + kBankWidth / 2, bottom + 13, std::to_string(bank), Anchor::middle,
             use.words[bank].empty() ? Paint::faint : Paint::ink, 10);
  }
  svg.fill(crowded, Paint::clash);
  svg.stroke(outlines, Paint::faint);
  svg.stroke(line_path(kBankLeft, bottom, kBankLeft + kBankWidth * kBanks, bottom), Paint::ink);
  bool shared = false;  // several lanes want the same word
  for (unsigned bank = 0; bank < kBanks; ++bank) {
    for (std::size_t i = 0; i < use.words[bank].size(); ++i) {
      const std::vector<unsigned>& lanes = use.words[bank][i].lanes;
      shared |= lanes.size() > 1;
      svg.text(kBankLeft + kBankWidth * (bank + 0.5),
               bottom - cell * static_cast<double>(i) - (cell - 8) / 2 + 0.5,
               std::to_string(lanes.front()) + (lanes.size() > 1 ? "+" : ""), Anchor::middle,
               Paint::ink, 9.5);
    }
  }
  svg.text(kBankLeft - 8, bottom + 13, "bank", Anchor::end, Paint::faint, 10);
  svg.text(kBankLeft - 8, bottom - 4, "lane", Anchor::end, Paint::faint, 10);
  std::string legend = "A box is a word that a bank must deliver, with the lane that wants it";
  legend += shared ? "; 0+: and others." : ".";
  svg.text(0, bottom + 34, legend, Anchor::start, Paint::faint, 11);
  svg.text(0, bottom + 34 + kSvgLine,
           "Boxes on top of each other are delivered one after the other.", Anchor::start,
           Paint::faint, 11);
  return svg.str();
}

std::string sectors_text(const std::vector<Sector>& sectors) {
  std::string text;
  for (std::size_t i = 0; i < std::min(sectors.size(), kSvgMostSectors); ++i) {
    text += fmt::format(" At byte {}: lanes {}.", grouped(sectors[i].index * kSectorBytes),
                        ranges_of(sectors[i].lanes));
  }
  return text;
}

std::string sector_svg(const LineAccess& access) {
  const std::vector<Sector> sectors = sectors_of(access.worst);
  const std::size_t shown = std::min(sectors.size(), kSvgMostSectors);
  const double rows = static_cast<double>((shown + kSectorsInRow - 1) / kSectorsInRow);
  const std::string title = access_title(access);
  const double bottom = 24 + kSectorRow * rows;
  Svg svg("sectors", kWidth, bottom + 36, "Sectors: " + title,
          fmt::format("The lanes touch {}.{}", counted(sectors.size(), "sector"),
                      sectors_text(sectors)));
  svg.text(0, 13, title);
  std::string touched, outlines;
  for (std::size_t i = 0; i < shown; ++i) {
    const Sector& sector = sectors[i];
    const double x = kSectorLeft + kSectorWidth * static_cast<double>(i % kSectorsInRow);
    const double y = 38 + kSectorRow * static_cast<double>(i / kSectorsInRow);
    if (i % kSectorsInRow == 0) {
      svg.text(kSectorLeft - 8, y + 10, "+" + grouped(sector.index * kSectorBytes), Anchor::end,
               Paint::faint, 10);
    }
    for (unsigned word = 0; word < kSectorWords; ++word) {
      if ((sector.words >> word) & 1)
        touched += rect_path(x + kWordWidth * word, y, kWordWidth, kWordHeight);
    }
    outlines += rect_path(x, y, kSectorWords * kWordWidth, kWordHeight);
    svg.text(x, y - 4, short_ranges_of(sector.lanes, kSvgLaneCharacters), Anchor::start, Paint::ink,
             10);
  }
  svg.text(kSectorLeft - 8, 34, "lanes", Anchor::end, Paint::faint, 10);
  svg.fill(touched, Paint::used);
  svg.stroke(outlines, Paint::faint);
  std::string legend =
      "A box is a sector of 32 bytes, above it the lanes that touch it; filled: the words that "
      "they want.";
  svg.text(0, bottom + 12, legend, Anchor::start, Paint::faint, 11);
  std::string more = "On the left: the byte at which a row starts.";
  if (sectors.size() > shown)
    more += fmt::format(" {} more are left out.", counted(sectors.size() - shown, "sector"));
  svg.text(0, bottom + 12 + kSvgLine, more, Anchor::start, Paint::faint, 11);
  return svg.str();
}

}  // namespace

std::string access_svg(const LineAccess& access) {
  if (!has_lanes(access.worst)) return "";
  return access.memory == LineAccess::Memory::shared ? bank_svg(access) : sector_svg(access);
}

}  // namespace tessera
