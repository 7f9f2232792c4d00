#include "grader/simulator/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "grader/simulator/exec/control.h"

namespace tessera::sim {
namespace {

/// A note in terms of source lines.
struct Told {
  Finding finding;
  std::uint64_t block = 0;
  std::uint32_t source = 0;
  const Function* function = nullptr;
  SourcePlace place;
  SourcePlace other;  // of a race's other access
  std::string subject;
  std::optional<Outside> outside;
  std::optional<Race> race;

  bool is_race() const {
    return finding.kind == FindingKind::race && finding.severity == Severity::error;
  }
  /// From the last line that the one access may be to the first that the other may be.
  std::pair<int, int> lines() const {
    const LineRange here = place.range, there = other.range;
    if (here.last < there.first) return {here.last, there.first};
    if (there.last < here.first) return {there.last, here.first};
    return std::minmax(race->first.line, race->second.line);
  }
  bool before(const Told& other) const {
    return std::tie(block, source) < std::tie(other.block, other.source);
  }
};

/// Races of one function whose stretches of lines overlap: one missing barrier, inside all of them,
/// is their cause.
struct RaceGroup {
  Told told;
  RaceHull all;

  explicit RaceGroup(Told race) : told(std::move(race)) {
    all.common = all.hull = told.lines();
    all.stores_only = told.race->stores_only();
    all.subjects = {told.subject};
  }

  RaceScope scope() const { return told.race->scope; }

  bool takes(const Told& race) const {
    const auto [low, high] = race.lines();
    const bool same_place = all.common == race.lines();
    // No barrier mends a race between blocks, so it stands for itself and for those inside a block
    // in the same variable.
    const bool grid = scope() == RaceScope::grid || race.race->scope == RaceScope::grid;
    if (grid && !all.subjects.contains(race.subject)) return false;
    return told.function == race.function &&
           (same_place || (low < all.common.second && all.common.first < high));
  }

  void add(Told race) {
    const auto [low, high] = race.lines();
    all.common = {std::max(all.common.first, low), std::min(all.common.second, high)};
    all.hull = {std::min(all.hull.first, low), std::max(all.hull.second, high)};
    all.stores_only &= race.race->stores_only();
    all.subjects.insert(race.subject);
    const std::uint64_t count = told.finding.count + race.finding.count;
    // The race that needs the stronger order speaks for the group.
    const RaceScope now = race.race->scope;
    if (now > scope() || (now == scope() && race.before(told))) told = std::move(race);
    told.finding.count = count;
  }
};

class Collector {
 public:
  Collector(const Module& module, const SourceLines& source) : module_(module), source_(source) {}

  std::vector<Finding> collect(const std::vector<Worker>& workers) {
    diverged_ = std::ranges::any_of(workers, [](const Worker& worker) {
      return std::ranges::any_of(worker.notes.all(), [](const FindingNote& note) {
        return note.key.kind == FindingKind::divergent_barrier && note.severity == Severity::error;
      });
    });
    for (const Worker& worker : workers) {
      for (const FindingNote& note : worker.notes.all()) add(note);
    }
    std::vector<Finding> result;
    std::vector<RaceGroup> races;
    for (auto& [key, told] : merged_) {
      if (told.is_race()) {
        if (follows_from_stray_stores(told)) continue;
        join(races, std::move(told));
      } else {
        if (told.outside) told.finding.hint = outside_hint(*told.outside);
        result.push_back(std::move(told.finding));
      }
    }
    for (RaceGroup& group : races) result.push_back(repaired(group));
    std::stable_sort(result.begin(), result.end(), [](const Finding& a, const Finding& b) {
      return std::make_tuple(a.severity, about(a.kind).repair, a.line) <
             std::make_tuple(b.severity, about(b.kind).repair, b.line);
    });
    return result;
  }

 private:
  void add(const FindingNote& note) {
    Told told;
    told.block = note.block;
    told.source = note.key.source;
    told.function = note.key.function;
    told.subject = note.key.subject;
    told.outside = note.outside;
    told.place = source_.place(*note.key.function, note.key.source, variable_of(note));
    told.finding = finding_of(note, told.place);
    if (note.race) tell_race(note, told);
    const int other_line = told.race ? told.race->first.line : 0;
    const auto key = std::make_tuple(note.key.kind, told.finding.line, note.key.subject,
                                     note.severity, other_line, note.key.scope);
    const auto [entry, fresh] = merged_.try_emplace(key, told);
    if (fresh) return;
    const std::uint64_t count = entry->second.finding.count + note.count;
    const std::optional<Outside> outside = joined(entry->second.outside, told.outside);
    if (told.before(entry->second)) entry->second = std::move(told);
    entry->second.finding.count = count;
    entry->second.outside = outside;
  }

  static std::string variable_of(const FindingNote& note) {
    return note.race ? note.race->variable : note.key.subject;
  }

  void tell_race(const FindingNote& note, Told& told) {
    const SiteInfo& other = module_.sites[note.key.other];
    Race race = *note.race;
    told.other = source_.place(module_.functions[other.function], other.source, variable_of(note));
    race.first.line = told.other.line();
    race.second.line = told.place.line();
    const auto [low, high] = std::minmax(race.first.line, race.second.line);
    Between between = Between::nothing;
    if (barrier_between(*note.key.function, low, high, race.scope)) {
      const bool one_function = note.key.function == &module_.functions[other.function];
      const bool again = !one_function || runs_again(*note.key.function, low, high);
      between = again && !diverged_ ? Between::barrier_in_loop : Between::barrier;
    }
    race = in_program_order(std::move(race), between);
    told.finding.line = race.second.line;
    told.finding.message = race_message(race) + told.other.remark() + told.place.remark();
    told.finding.example = race_example(race);
    told.race = std::move(race);
  }

  static std::optional<Outside> joined(std::optional<Outside> first,
                                       const std::optional<Outside>& second) {
    if (!first || !second) return first;
    first->before |= second->before;
    first->past |= second->past;
    first->stores |= second->stores;
    first->by_first_thread |= second->by_first_thread;
    first->wrapped |= second->wrapped;
    return first;
  }

  Finding finding_of(const FindingNote& note, const SourcePlace& at) const {
    Finding finding;
    finding.kind = note.key.kind;
    finding.severity = note.severity;
    finding.file = source_.file();
    finding.line = at.line();
    finding.message = note.message + at.remark();
    finding.hint = note.hint;
    finding.count = note.count;
    finding.example = note.example;
    return finding;
  }

  /// Whether the line that races with itself stores outside of the same array too: what goes too
  /// far by less lands on elements of other threads.
  bool follows_from_stray_stores(const Told& told) const {
    const Race& race = *told.race;
    if (!race.in_one_line() || !race.stores_only()) return false;
    return std::any_of(merged_.begin(), merged_.end(), [&](const auto& entry) {
      const Told& other = entry.second;
      return other.outside && other.outside->stores && other.finding.line == race.second.line &&
             other.subject == race.variable;
    });
  }

  static void join(std::vector<RaceGroup>& groups, Told race) {
    for (RaceGroup& group : groups) {
      if (group.takes(race)) return group.add(std::move(race));
    }
    groups.emplace_back(std::move(race));
  }

  Finding repaired(RaceGroup& group) {
    const auto [first, last] = group.all.common;
    const bool barrier = barrier_between(*group.told.function, first, last, group.scope());
    group.all.next_pass = barrier && group.told.race->next_pass;
    group.all.unheld = barrier && group.told.race->unheld;
    Finding finding = group.told.finding;
    finding.hint = race_hint(*group.told.race, group.all);
    return finding;
  }

  struct BarrierLine {
    int line = 0;
    bool of_warp = false;
  };

  bool barrier_between(const Function& function, int first, int last, RaceScope scope) {
    const auto [entry, fresh] = barriers_.try_emplace(&function);
    if (fresh) entry->second = barrier_lines(function);
    return std::any_of(entry->second.begin(), entry->second.end(), [&](const BarrierLine& barrier) {
      const bool orders = scope == RaceScope::warp || !barrier.of_warp;
      return orders && barrier.line > first && barrier.line < last;
    });
  }

  /// Whether an access of line `first` can follow one of line `last`: in a loop, also one that the
  /// compiler unrolled. What calls a function may have the loop.
  bool runs_again(const Function& function, int first, int last) {
    if (!function.entry) return true;
    const auto [entry, fresh] = code_lines_.try_emplace(&function);
    std::vector<int>& line_at = entry->second;
    if (fresh) {
      for (const Inst& inst : function.code) {
        const bool access = inst.size != 0;
        line_at.push_back(access ? source_.place(function, inst.source, "").line() : 0);
      }
    }
    std::vector<std::size_t> from;
    for (std::size_t at = 0; at < line_at.size(); ++at) {
      if (line_at[at] == last) from.push_back(at);
    }
    return reaches(function, std::move(from), [&](std::size_t at) { return line_at[at] == first; });
  }

  std::vector<BarrierLine> barrier_lines(const Function& function) const {
    std::vector<BarrierLine> lines;
    for (std::uint32_t i = 0; i < function.texts.size(); ++i) {
      const std::string& text = function.texts[i];
      if (text.starts_with("bar"))
        lines.push_back({source_.place(function, i, "").line(), text.starts_with("bar.warp")});
    }
    return lines;
  }

  const Module& module_;
  const SourceLines& source_;
  std::map<std::tuple<FindingKind, int, std::string, Severity, int, RaceScope>, Told> merged_;
  std::map<const Function*, std::vector<BarrierLine>> barriers_;
  std::map<const Function*, std::vector<int>> code_lines_;  // of each access, else 0
  bool diverged_ = false;  // threads of a block met at no barrier, or at different ones
};

}  // namespace

std::vector<Finding> collect_findings(const Module& module, const std::vector<Worker>& workers,
                                      const SourceLines& source) {
  return Collector(module, source).collect(workers);
}

}  // namespace tessera::sim
