// One lab: how the class did.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/numbers.h"
#include "grader/gradebook/distribution.h"
#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/item_tally.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr std::size_t kMostFindings = 10;
constexpr int kWonColumns = 18;
constexpr int kMeanColumns = 16;

std::string distribution_line(const std::vector<const Mark*>& marks) {
  std::vector<double> scores;
  for (const Mark* mark : marks) {
    if (mark->has_score()) scores.push_back(mark->score);
  }
  const std::optional<Distribution> spread = distribution_of(scores);
  if (!spread) return "  no marks yet\n";
  return fmt::format(
      "  n {}, mean {:.1f}, median {:.1f}, quartiles {:.1f} and {:.1f}, min {:.1f}, max {:.1f}\n",
      spread->count, spread->mean, spread->median, spread->lower_quartile, spread->upper_quartile,
      spread->least, spread->most);
}

std::string states(const std::vector<const Mark*>& marks) {
  std::string text;
  for (const MarkState state : {MarkState::graded, MarkState::waiting, MarkState::infra,
                                MarkState::ungradable, MarkState::missing}) {
    const auto count =
        std::ranges::count_if(marks, [&](const Mark* mark) { return mark->state == state; });
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "  " : ", ", count, to_string(state));
  }
  return text + "\n";
}

/// Counts the records of a class, item by item and finding by finding.
class Tally {
 public:
  void add(const Record& record) {
    for (const Item& item : record.items) items_.add(item);
    std::set<FindingKind> kinds;
    for (const Item& item : record.items) {
      for (const Finding& finding : item.findings) {
        if (finding.severity != Severity::info) kinds.insert(finding.kind);
      }
    }
    for (const FindingKind kind : kinds) ++findings_[kind];
  }

  std::string items(int width) const {
    if (items_.items().empty()) return "";
    const int columns = width - 2 - kWonColumns - kMeanColumns;
    std::string text = fmt::format("\n  {}{:>{}}{:>{}}\n", padded("item", columns), "won by",
                                   kWonColumns, "mean points", kMeanColumns);
    for (const ItemCounts& counts : items_.items()) text += line(counts, columns);
    return text;
  }

  std::string findings() const {
    std::vector<std::pair<FindingKind, int>> sorted(findings_.begin(), findings_.end());
    std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<FindingKind, int>::second);
    if (sorted.size() > kMostFindings) sorted.resize(kMostFindings);
    std::string text = sorted.empty() ? "" : "\n  most frequent findings\n";
    for (const auto& [kind, count] : sorted) {
      text += fmt::format("    {:<24}{}\n", to_string(kind),
                          counted(static_cast<std::uint64_t>(count), "student"));
    }
    return text;
  }

 private:
  static std::string line(const ItemCounts& counts, int columns) {
    const std::string label = printable(counts.label);
    const std::size_t measured = counts.points.size();
    std::string won = "not measured";
    std::string mean = fmt::format("- / {:5.1f}", counts.max_points);
    if (counts.deferred > 0) {
      // Only kernels that could not win the item count as measured: their share says nothing about
      // the class.
      won = fmt::format("deferred for {}", counts.deferred);
    } else if (measured > 0) {
      won = fmt::format("{} of {} ({:.0f} %)", counts.won, measured,
                        100.0 * counts.won / static_cast<double>(measured));
      mean = fmt::format("{:.1f} / {:5.1f}", counts.mean_points(), counts.max_points);
    }
    return fmt::format("  {}{:>{}}{:>{}}\n",
                       padded(std::string(prefix_of_width(label, columns)), columns), won,
                       kWonColumns, mean, kMeanColumns);
  }

  ItemTally items_;
  std::map<FindingKind, int> findings_;
};

std::string missing(const std::vector<const Mark*>& marks, int width) {
  std::vector<std::string> names;
  for (const Mark* mark : marks) {
    if (mark->state == MarkState::missing) names.push_back(display_name(mark->student.identity));
  }
  if (names.empty()) return "";
  return "\n" + wrapped(printable(listed(names, names.size())), "  missing: ", width);
}

}  // namespace

std::string show_lab(const Book& book, const std::vector<Mark>& marks, const std::string& lab,
                     int width) {
  std::vector<const Mark*> of_lab;
  for (const Mark& mark : marks) {
    if (mark.lab == lab) of_lab.push_back(&mark);
  }
  if (of_lab.empty()) return fmt::format("The gradebook has no marks for lab {}.\n", lab);
  Tally tally;
  std::string unreadable;
  for (const Mark* mark : of_lab) {
    const Expected<std::optional<Record>> record = record_of(book, *mark);
    if (!record) unreadable += wrapped(printable(record.error().str()), "  ", width);
    if (record && *record) tally.add(**record);
  }
  return fmt::format("{}  {}, {} points\n", lab, printable(title_of(book, lab)),
                     points_cell(of_lab.front()->max_points)) +
         states(of_lab) + distribution_line(of_lab) + unreadable + tally.items(width) +
         tally.findings() + missing(of_lab, width);
}

}  // namespace tessera
