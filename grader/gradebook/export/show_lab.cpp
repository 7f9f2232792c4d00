// One lab: how the class did.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/judge/numbers.h"
#include "grader/report/causes.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

constexpr std::size_t kMostFindings = 10;
constexpr int kWonColumns = 18;
constexpr int kMeanColumns = 16;

/// Linear between the two nearest; `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - std::floor(at));
}

std::string distribution(const std::vector<const Mark*>& marks) {
  std::vector<double> scores;
  for (const Mark* mark : marks) {
    if (mark->has_score()) scores.push_back(mark->score);
  }
  if (scores.empty()) return "  no marks yet\n";
  std::ranges::sort(scores);
  const double mean =
      std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
  return fmt::format(
      "  n {}, mean {:.1f}, median {:.1f}, quartiles {:.1f} and {:.1f}, min {:.1f}, max {:.1f}\n",
      scores.size(), mean, quantile(scores, 0.5), quantile(scores, 0.25), quantile(scores, 0.75),
      scores.front(), scores.back());
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

/// What the records of a class say, item by item and finding by finding.
class Tally {
 public:
  void add(const Record& record) {
    for (const Item& item : record.items) add(item);
    std::set<FindingKind> kinds;
    for (const Item& item : record.items) {
      for (const Finding& finding : item.findings) {
        if (finding.severity != Severity::info) kinds.insert(finding.kind);
      }
    }
    for (const FindingKind kind : kinds) ++findings_[kind];
  }

  std::string items(int width) const {
    if (rows_.empty()) return "";
    const int columns = width - 2 - kWonColumns - kMeanColumns;
    std::string text = fmt::format("\n  {}{:>{}}{:>{}}\n", padded("item", columns), "won by",
                                   kWonColumns, "mean points", kMeanColumns);
    for (const ItemRow& row : rows_) text += line(row, columns);
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
  struct ItemRow {
    std::string id;
    std::string title;
    double max_points = 0;
    double points = 0;
    int measured = 0;
    int deferred = 0;
    int won = 0;
  };

  void add(const Item& item) {
    auto row = std::ranges::find_if(
        rows_, [&](const ItemRow& one) { return one.id == item.id && one.title == item.title; });
    if (row == rows_.end())
      row = rows_.insert(row, {item.id, item.title, item.max_points, 0, 0, 0, 0});
    row->deferred += item.status == Status::deferred ? 1 : 0;
    if (not_measured(item)) return;
    ++row->measured;
    row->points += item.points;
    row->won += item.status == Status::pass ? 1 : 0;
  }

  static std::string line(const ItemRow& row, int columns) {
    Item item;  // what its label shows is the same for everybody
    item.id = row.id;
    item.title = row.title;
    const std::string label = printable(item_label(item));
    std::string won = "not measured";
    std::string mean = fmt::format("- / {:5.1f}", row.max_points);
    if (row.deferred > 0) {
      // Those who could not win it count as measured: a share of them says nothing of the class.
      won = fmt::format("deferred for {}", row.deferred);
    } else if (row.measured > 0) {
      won =
          fmt::format("{} of {} ({:.0f} %)", row.won, row.measured, 100.0 * row.won / row.measured);
      mean = fmt::format("{:.1f} / {:5.1f}", row.points / row.measured, row.max_points);
    }
    return fmt::format("  {}{:>{}}{:>{}}\n",
                       padded(std::string(prefix_of_width(label, columns)), columns), won,
                       kWonColumns, mean, kMeanColumns);
  }

  std::vector<ItemRow> rows_;
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
         states(of_lab) + distribution(of_lab) + unreadable + tally.items(width) +
         tally.findings() + missing(of_lab, width);
}

}  // namespace tessera
