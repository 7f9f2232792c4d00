#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/report/pictures/inked_text.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/warp_access.h"

namespace tessera {
namespace {

constexpr const char* kAccessIndent = "    ";
constexpr unsigned kBarLines = 4;       // of a bank's bar; each is two words or more
constexpr std::size_t kMostListed = 4;  // banks whose lanes are listed
constexpr std::size_t kSectorsInLine = 8;
constexpr std::size_t kMostSectors = 32;
constexpr std::size_t kLaneCharacters = 8;

/// "8 words for lanes 0, 4, 8"; if lanes share a word, "2 words for lanes 0-3 | 4-7".
std::string lanes_of(const std::vector<BankWord>& words) {
  const std::string count = counted(words.size(), "word") + " for lanes ";
  std::vector<unsigned> all;
  for (const BankWord& word : words) all.insert(all.end(), word.lanes.begin(), word.lanes.end());
  std::ranges::sort(all);
  if (all.size() == words.size()) return count + ranges_of(all);
  std::vector<std::string> each;
  for (const BankWord& word : words) each.push_back(ranges_of(word.lanes));
  return fmt::format("{}{}", count, fmt::join(each, " | "));
}

class BankText {
 public:
  BankText(const LineAccess& access, const TextOptions& options)
      : use_(banks_of(access.worst)), ascii_(options.ascii), out_(options.color) {
    per_half_ = (use_.wavefronts + 2 * kBarLines - 1) / (2 * kBarLines);
    out_.put_lines(wrapped(printable(access_title(access)), kAccessIndent, kPictureWidth));
  }

  std::string text() {
    const unsigned lines = (use_.wavefronts + 2 * per_half_ - 1) / (2 * per_half_);
    for (unsigned line = lines; line-- > 0;) bars(line);
    numbers();
    out_.put_lines(wrapped(scale(), kAccessIndent, kPictureWidth));
    list();
    return out_.str();
  }

 private:
  /// Draws line `line` of the bars, counted from below.
  void bars(unsigned line) {
    out_.put(fmt::format("{}      ", kAccessIndent));
    for (const std::vector<BankWord>& words : use_.words) {
      const auto halves = static_cast<unsigned>((words.size() + per_half_ - 1) / per_half_);
      const Color ink = words.size() > 1 ? Color::red : Color::green;
      if (halves > 2 * line) {
        const bool full = halves > 2 * line + 1;
        out_.put(full ? (ascii_ ? "#" : "\u2588") : (ascii_ ? "+" : "\u2584"), ink);
      } else {
        out_.put(line == 0 ? (ascii_ ? "." : "\u00b7") : " ", Color::dim);
      }
      out_.put(" ");
    }
    out_.end_line();
  }

  void numbers() {
    out_.put(fmt::format("{}bank  ", kAccessIndent), Color::dim);
    for (unsigned bank = 0; bank < kBanks; bank += 4)
      out_.put(fmt::format("{:<8}", bank), Color::dim);
    out_.end_line();
  }

  std::string scale() const {
    std::string text =
        fmt::format("{} is {}, {} twice as many. A bank delivers one word after the other.",
                    ascii_ ? "+" : "\u2584", counted(per_half_, "word"), ascii_ ? "#" : "\u2588");
    if (use_.lanes < kWarpLanes) {
      text += fmt::format(" Lanes {} to {} are shown: {} are served at a time.", use_.first_lane,
                          use_.first_lane + use_.lanes - 1, use_.lanes);
    }
    return text;
  }

  /// Lists the banks that deliver most, and which lanes meet there.
  void list() {
    std::vector<unsigned> worst;
    for (unsigned bank = 0; bank < kBanks; ++bank) {
      if (use_.words[bank].size() == use_.wavefronts) worst.push_back(bank);
    }
    for (std::size_t i = 0; i < std::min(worst.size(), kMostListed); ++i) {
      const std::vector<BankWord>& words = use_.words[worst[i]];
      const std::string start = fmt::format("{}bank {}: ", kAccessIndent, worst[i]);
      out_.put_lines(wrapped(lanes_of(words), start, kPictureWidth));
    }
    if (worst.size() > kMostListed)
      out_.put_lines(fmt::format("{}and {} more like these\n", kAccessIndent,
                                 counted(worst.size() - kMostListed, "bank")));
  }

  BankUse use_;
  bool ascii_;
  InkedText out_;
  unsigned per_half_ = 1;  // words for half a character
};

class SectorText {
 public:
  SectorText(const LineAccess& access, const TextOptions& options)
      : sectors_(sectors_of(access.worst)), ascii_(options.ascii), out_(options.color) {
    const std::string farthest = "+" + grouped(offset(last() - 1));
    label_ = static_cast<int>(std::max(farthest.size(), std::string_view("lanes").size()));
    for (std::size_t i = 0; i < last(); ++i)
      column_ = std::max(column_, static_cast<int>(lanes(sectors_[i]).size()) + 2);
    out_.put_lines(wrapped(printable(access_title(access)), kAccessIndent, kPictureWidth));
  }

  std::string text() {
    const auto fitting =
        static_cast<std::size_t>(std::max(1, (kPictureWidth - 5 - label_) / column_));
    const std::size_t in_line = std::min(kSectorsInLine, fitting);
    for (std::size_t first = 0; first < last(); first += in_line)
      sectors(first, std::min(first + in_line, last()));
    std::string legend =
        ascii_ ? "#: two words that lanes touch, < or >: one, .: none; "
               : "\u2588: two words that lanes touch, \u258c or \u2590: one, \u00b7: none; ";
    legend +=
        "a group is a sector of 32 bytes with its lanes below; left: offset of the first sector";
    if (sectors_.size() > last())
      legend += fmt::format("; {} more are left out", counted(sectors_.size() - last(), "sector"));
    out_.put_lines(wrapped(legend, kAccessIndent, kPictureWidth));
    return out_.str();
  }

 private:
  std::size_t last() const { return std::min(sectors_.size(), kMostSectors); }
  std::uint64_t offset(std::size_t sector) const { return sectors_[sector].index * kSectorBytes; }

  void sectors(std::size_t first, std::size_t end) {
    out_.put(fmt::format("{}{:>{}}  ", kAccessIndent, "+" + grouped(offset(first)), label_),
             Color::dim);
    for (std::size_t i = first; i < end; ++i) {
      words(sectors_[i]);
      out_.put(std::string(static_cast<std::size_t>(column_) - kSectorWords / 2, ' '));
    }
    out_.end_line();
    out_.put(fmt::format("{}{:>{}}  ", kAccessIndent, "lanes", label_), Color::dim);
    for (std::size_t i = first; i < end; ++i) {
      out_.put(fmt::format("{:<{}}", lanes(sectors_[i]), column_), Color::dim);
    }
    out_.end_line();
  }

  void words(const Sector& sector) {
    for (unsigned pair = 0; pair < kSectorWords / 2; ++pair) {
      const unsigned used = (sector.words >> (2 * pair)) & 3u;
      const char* const utf8[] = {"\u00b7", "\u258c", "\u2590", "\u2588"};
      const char* const ascii[] = {".", "<", ">", "#"};
      out_.put(ascii_ ? ascii[used] : utf8[used], used != 0 ? Color::cyan : Color::dim);
    }
  }

  static std::string lanes(const Sector& sector) {
    return short_ranges_of(sector.lanes, kLaneCharacters);
  }

  std::vector<Sector> sectors_;
  bool ascii_;
  InkedText out_;
  int label_ = 5;
  int column_ = 6;  // width of a sector, with the gap after it
};

}  // namespace

std::string access_text(const LineAccess& access, const TextOptions& options) {
  if (!has_lanes(access.worst)) return "";
  return access.memory == LineAccess::Memory::shared ? BankText(access, options).text()
                                                     : SectorText(access, options).text();
}

}  // namespace tessera
