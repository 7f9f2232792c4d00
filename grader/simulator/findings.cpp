#include "grader/simulator/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "grader/simulator/lines.h"

namespace tessera::sim {
namespace {

/// What to repair first: an access that goes astray can cause everything else.
std::ptrdiff_t rank(FindingKind kind) {
  static constexpr FindingKind kOrder[] = {FindingKind::unsupported_instruction,
                                           FindingKind::out_of_bounds,
                                           FindingKind::misaligned,
                                           FindingKind::read_only_write,
                                           FindingKind::divergent_barrier,
                                           FindingKind::barrier_deadlock,
                                           FindingKind::race,
                                           FindingKind::uninitialized_read};
  return std::find(std::begin(kOrder), std::end(kOrder), kind) - std::begin(kOrder);
}

/// A note in terms of source lines.
struct Told {
  Finding finding;
  std::uint64_t block = 0;
  std::uint32_t source = 0;
  const Function* function = nullptr;
  int other_line = 0;  // of a race's earlier access
  std::string subject;
  RaceScope scope = RaceScope::block;
  std::optional<Outside> outside;

  bool is_race() const {
    return finding.kind == FindingKind::race && finding.severity == Severity::error;
  }
  std::pair<int, int> lines() const { return std::minmax(finding.line, other_line); }
  bool before(const Told& other) const {
    return std::tie(block, source) < std::tie(other.block, other.source);
  }
};

/// Races of one function whose stretches of lines overlap: one missing barrier, inside all of them,
/// is their cause.
struct RaceGroup {
  Told told;
  std::pair<int, int> common;  // inside all of them
  std::pair<int, int> hull;    // around all of them
  std::set<std::string> subjects;

  bool takes(const Told& race) const {
    const auto [low, high] = race.lines();
    const bool same_place = common == race.lines();
    // No barrier mends a race between blocks, so it stands for itself and for those inside a block
    // in the same variable.
    const bool grid = told.scope == RaceScope::grid || race.scope == RaceScope::grid;
    if (grid && !subjects.contains(race.subject)) return false;
    return told.function == race.function &&
           (same_place || (low < common.second && common.first < high));
  }

  void add(Told race) {
    const auto [low, high] = race.lines();
    common = {std::max(common.first, low), std::min(common.second, high)};
    hull = {std::min(hull.first, low), std::max(hull.second, high)};
    subjects.insert(race.subject);
    const std::uint64_t count = told.finding.count + race.finding.count;
    // The race that needs the stronger order speaks for the group.
    if (race.scope > told.scope || (race.scope == told.scope && race.before(told)))
      told = std::move(race);
    told.finding.count = count;
  }
};

class Collector {
 public:
  Collector(const Module& module, const std::string& source_file)
      : module_(module), file_(source_file) {}

  std::vector<Finding> collect(const std::vector<Worker>& workers) {
    for (const Worker& worker : workers) {
      for (const FindingNote& note : worker.notes) add(note);
    }
    std::vector<Finding> result;
    std::vector<RaceGroup> races;
    for (auto& [key, told] : merged_) {
      if (told.is_race()) {
        join(races, std::move(told));
      } else {
        if (told.outside) told.finding.hint = outside_hint(*told.outside);
        result.push_back(std::move(told.finding));
      }
    }
    for (RaceGroup& group : races) result.push_back(repaired(group));
    std::stable_sort(result.begin(), result.end(), [](const Finding& a, const Finding& b) {
      return std::make_tuple(a.severity, rank(a.kind), a.line) <
             std::make_tuple(b.severity, rank(b.kind), b.line);
    });
    return result;
  }

 private:
  int line_of(const Function& function, std::uint32_t source) const {
    return source_line(module_, function, source, file_);
  }

  void add(const FindingNote& note) {
    Told told;
    told.block = note.block;
    told.source = note.key.source;
    told.function = note.key.function;
    told.subject = note.key.subject;
    told.scope = note.key.scope;
    told.outside = note.outside;
    if (note.key.other != kNoSite) {
      const SiteInfo& site = module_.sites[note.key.other];
      told.other_line = line_of(module_.functions[site.function], site.source);
    }
    told.finding = finding_of(note, line_of(*note.key.function, note.key.source), told.other_line);
    const auto key = std::make_tuple(note.key.kind, told.finding.line, note.key.subject,
                                     note.severity, told.other_line, told.scope);
    const auto [entry, fresh] = merged_.try_emplace(key, told);
    if (fresh) return;
    const std::uint64_t count = entry->second.finding.count + note.count;
    const std::optional<Outside> outside = joined(entry->second.outside, told.outside);
    if (told.before(entry->second)) entry->second = std::move(told);
    entry->second.finding.count = count;
    entry->second.outside = outside;
  }

  static std::optional<Outside> joined(std::optional<Outside> first,
                                       const std::optional<Outside>& second) {
    if (!first || !second) return first;
    first->before |= second->before;
    first->past |= second->past;
    first->by_first_thread |= second->by_first_thread;
    return first;
  }

  Finding finding_of(const FindingNote& note, int line, int other_line) const {
    Finding finding;
    finding.kind = note.key.kind;
    finding.severity = note.severity;
    finding.file = file_;
    finding.line = line;
    finding.message = note.message;
    finding.hint = note.hint;
    finding.count = note.count;
    finding.example = note.example;
    const std::size_t place = finding.message.find(kOtherLine);
    if (place != std::string::npos)
      finding.message.replace(place, kOtherLine.size(), std::to_string(other_line));
    if (other_line != 0) finding.example.emplace_back("other line", std::to_string(other_line));
    return finding;
  }

  static void join(std::vector<RaceGroup>& groups, Told race) {
    for (RaceGroup& group : groups) {
      if (group.takes(race)) return group.add(std::move(race));
    }
    const std::pair<int, int> lines = race.lines();
    const std::string subject = race.subject;
    groups.push_back({std::move(race), lines, lines, {subject}});
  }

  /// The group's finding with the place of the missing barrier: before the later line, or, where a
  /// barrier stands there already, on the loop's way back.
  Finding repaired(const RaceGroup& group) const {
    Finding finding = group.told.finding;
    const auto [first, last] = group.common;
    if (group.told.scope == RaceScope::grid) {
      finding.hint =
          "Blocks cannot wait for each other inside a launch. Let each block write only what no "
          "other block touches, use an atomic function, or split the work into two launches.";
      return finding;
    }
    const std::string barrier =
        group.told.scope == RaceScope::warp ? "__syncwarp()" : "__syncthreads()";
    if (first == 0) {
      finding.hint = fmt::format("Put {} between the two accesses.", barrier);
      return finding;
    }
    if (first == last) {
      finding.hint = fmt::format(
          "Several threads meet in the same element at line {}: give each thread its own, use an "
          "atomic function, or separate "
          "the passes of the loop by {}.",
          first, barrier);
    } else if (barrier_between(*group.told.function, first, last)) {
      finding.hint = fmt::format("{} is missing after line {}, before line {} runs again.", barrier,
                                 group.hull.second, group.hull.first);
    } else {
      finding.hint =
          fmt::format("{} is missing between line {} and line {}.", barrier, first, last);
    }
    std::string others;
    for (const std::string& subject : group.subjects) {
      if (subject != group.told.subject) others += (others.empty() ? "" : ", ") + subject;
    }
    if (!others.empty()) finding.hint += fmt::format(" It is missing for {} too.", others);
    return finding;
  }

  bool barrier_between(const Function& function, int first, int last) const {
    for (std::uint32_t i = 0; i < function.texts.size(); ++i) {
      if (!function.texts[i].starts_with("bar")) continue;
      const int line = line_of(function, i);
      if (line > first && line < last) return true;
    }
    return false;
  }

  const Module& module_;
  const std::string& file_;
  std::map<std::tuple<FindingKind, int, std::string, Severity, int, RaceScope>, Told> merged_;
};

}  // namespace

std::vector<Finding> collect_findings(const Module& module, const std::vector<Worker>& workers,
                                      const std::string& source_file) {
  return Collector(module, source_file).collect(workers);
}

}  // namespace tessera::sim
