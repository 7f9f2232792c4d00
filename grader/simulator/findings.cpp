#include "grader/simulator/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "grader/simulator/exec/control.h"

namespace tessera::sim {
namespace {

/// A note with its place in the source.
struct LocatedFinding {
  Finding finding;
  std::uint64_t block = 0;
  std::uint32_t source = 0;
  const Function* function = nullptr;
  SourcePlace place;
  SourcePlace other_place;  // of a race's first access
  int other_line = 0;       // of that access
  std::string subject;
  std::optional<Outside> outside;
  std::optional<Race> race;

  bool is_race() const {
    return finding.kind == FindingKind::race && finding.severity == Severity::error;
  }
  /// Returns the lines between a race's accesses: from the last line at which the upper access may
  /// be to the first line at which the lower one may be.
  std::pair<int, int> lines() const {
    const bool calls = place.caller != other_place.caller;
    const LineRange here = place.range, there = other_place.range;
    if (!calls && here.last < there.first) return {here.last, there.first};
    if (!calls && there.last < here.first) return {there.last, here.first};
    return std::minmax({race->place_of(race->first), race->place_of(race->second)});
  }
  bool before(const LocatedFinding& second) const {
    return std::tie(block, source) < std::tie(second.block, second.source);
  }
};

/// Races of one function whose ranges of lines overlap. Their cause is one missing barrier, on a
/// line inside all of the ranges.
struct RaceGroup {
  LocatedFinding reported;
  RaceHull all;

  explicit RaceGroup(LocatedFinding race) : reported(std::move(race)) {
    all.common = all.hull = reported.lines();
    all.stores_only = reported.race->stores_only();
    all.subjects = {reported.subject};
  }

  RaceScope scope() const { return reported.race->scope; }

  bool takes(const LocatedFinding& race) const {
    const auto [low, high] = race.lines();
    const bool same_place = all.common == race.lines();
    // Lines inside a call are not compared with lines of the function that calls.
    if (reported.race->in_one_call() != race.race->in_one_call()) return false;
    // No barrier repairs a race between blocks, so such a race is joined only with races in the
    // same variable.
    const bool grid = scope() == RaceScope::grid || race.race->scope == RaceScope::grid;
    if (grid && !all.subjects.contains(race.subject)) return false;
    return reported.function == race.function &&
           (same_place || (low < all.common.second && all.common.first < high));
  }

  void add(LocatedFinding race) {
    const auto [low, high] = race.lines();
    all.common = {std::max(all.common.first, low), std::min(all.common.second, high)};
    all.hull = {std::min(all.hull.first, low), std::max(all.hull.second, high)};
    all.stores_only &= race.race->stores_only();
    all.subjects.insert(race.subject);
    const std::uint64_t count = reported.finding.count + race.finding.count;
    // The group reports the race whose repair needs the wider scope; of two, one where a copy
    // begins rather than one where it arrives.
    const RaceScope now = race.race->scope;
    const bool arrives = race.race->has_wait(), reported_arrives = reported.race->has_wait();
    const bool first = arrives == reported_arrives ? race.before(reported) : reported_arrives;
    if (now > scope() || (now == scope() && first)) reported = std::move(race);
    reported.finding.count = count;
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
    for (auto& [key, located] : merged_) {
      if (follows_from_early_access(located)) continue;
      if (located.is_race()) {
        if (follows_from_stray_stores(located) || meets_unfinished_copy(located) ||
            meets_unfinished_product(located))
          continue;
        join(races, std::move(located));
      } else {
        if (located.outside) located.finding.hint = outside_hint(*located.outside);
        result.push_back(std::move(located.finding));
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
    LocatedFinding located;
    located.block = note.block;
    located.source = note.key.source;
    located.function = note.key.function;
    located.subject = note.key.subject;
    located.outside = note.outside;
    located.place = source_.place(*note.key.function, note.key.source, variable_of(note));
    located.finding = finding_of(note, located.place);
    if (note.race) place_race(note, located);
    if (note.unfinished) say_unfinished(note, located);
    if (note.product) say_product(note, located);
    const auto key = std::make_tuple(note.key.kind, located.finding.line, note.key.subject,
                                     note.severity, located.other_line, note.key.scope);
    const auto [entry, fresh] = merged_.try_emplace(key, located);
    if (fresh) return;
    const std::uint64_t count = entry->second.finding.count + note.count;
    const std::optional<Outside> outside = joined(entry->second.outside, located.outside);
    if (located.before(entry->second)) entry->second = std::move(located);
    entry->second.finding.count = count;
    entry->second.outside = outside;
  }

  static std::string variable_of(const FindingNote& note) {
    return note.race ? note.race->variable : note.key.subject;
  }

  void place_race(const FindingNote& note, LocatedFinding& located) {
    const SiteInfo& first_site = module_.sites[note.key.other];
    Race race = *note.race;
    located.other_place =
        source_.place(module_.functions[first_site.function], first_site.source, variable_of(note));
    race.first.line = located.other_place.line();
    race.second.line = located.place.line();
    const bool one_function = note.key.function == &module_.functions[first_site.function];
    if (one_function) {
      race.first.caller = located.other_place.caller;
      race.second.caller = located.place.caller;
    }
    const auto [low, high] = std::minmax({race.place_of(race.first), race.place_of(race.second)});
    const LinesAs as = race.in_one_call() ? LinesAs::own : LinesAs::outermost;
    Between between = Between::nothing;
    if (barrier_between(*note.key.function, low, high, race.scope, as)) {
      const Function& function = *note.key.function;
      const bool again =
          !one_function || (runs_again(function, low, high, as) &&
                            !goes_around_barriers(function, low, high, race.scope, as));
      between = again && !diverged_ ? Between::barrier_in_loop : Between::barrier;
    }
    race = in_program_order(std::move(race), between);
    located.finding.line = race.second.line;
    located.finding.message =
        race_message(race) + located.other_place.remark() + located.place.remark();
    located.finding.example = race_example(race);
    located.other_line = race.first.line;
    located.race = std::move(race);
  }

  SourcePlace place_of_site(std::uint32_t number, const std::string& variable) const {
    const SiteInfo& site = module_.sites[number];
    return source_.place(module_.functions[site.function], site.source, variable);
  }
  SourceLine line_of_site(std::uint32_t number, const std::string& variable) const {
    return {place_of_site(number, variable).line()};
  }

  /// " (line 8 is called in line 24)" for a place in a function of the file that another calls.
  static Text where_called(const SourcePlace& place) {
    if (place.caller == 0 || place.caller == place.line()) return {};
    return say(Phrase::called_in_line, SourceLine{place.line()}, SourceLine{place.caller});
  }

  void say_unfinished(const FindingNote& note, LocatedFinding& located) const {
    const UnfinishedCopy& access = *note.unfinished;
    const SourcePlace begun = place_of_site(note.key.other, note.key.subject);
    const SourceLine copy{begun.line()};
    const SourceLine wait =
        access.wait_site ? line_of_site(*access.wait_site, note.key.subject) : SourceLine{};
    located.finding.message = unfinished_message(access, copy) + located.place.remark() +
                              where_called(located.place) + where_called(begun);
    located.finding.hint = unfinished_hint(access, copy, wait);
    located.finding.example.emplace_back("other line", std::to_string(copy.number));
  }

  void say_product(const FindingNote& note, LocatedFinding& located) const {
    const ProductMeeting& meeting = *note.product;
    const SourcePlace place = place_of_site(note.key.other, note.key.subject);
    const SourceLine other{place.line()};
    const SourceLine wait =
        meeting.wait_site ? line_of_site(*meeting.wait_site, note.key.subject) : SourceLine{};
    located.finding.message = product_message(meeting, other) + located.place.remark() +
                              where_called(located.place) + where_called(place);
    located.finding.hint = product_hint(meeting, other, wait);
    located.finding.example.emplace_back("other line", std::to_string(other.number));
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

  /// Whether a line that races with itself also stores outside of the same array. Then the race
  /// follows from the wrong index: where it goes less far, it reaches elements of other threads.
  bool follows_from_stray_stores(const LocatedFinding& located) const {
    const Race& race = *located.race;
    if (!race.in_one_line() || !race.stores_only()) return false;
    return std::any_of(merged_.begin(), merged_.end(), [&](const auto& entry) {
      const LocatedFinding& access = entry.second;
      return access.outside && access.outside->stores && access.finding.line == race.second.line &&
             access.subject == race.variable;
    });
  }

  /// Whether an access races with the arrival of a copy, and has been found to come too early for
  /// copies into the same array.
  bool meets_unfinished_copy(const LocatedFinding& located) const {
    const Race& race = *located.race;
    if (!race.has_wait()) return false;
    const int line = race.first.waits() ? race.second.line : race.first.line;
    return std::ranges::any_of(merged_, [&](const auto& entry) {
      const Finding& access = entry.second.finding;
      return access.kind == FindingKind::unfinished_copy && access.line == line &&
             entry.second.subject == race.variable;
    });
  }

  /// Whether a write that races with a product, or with its end, has been found to come too early
  /// for products of the same array.
  bool meets_unfinished_product(const LocatedFinding& located) const {
    const Race& race = *located.race;
    const auto reads = [](const RaceAccess& access) {
      return access.verb == Phrase::multiplies || access.verb == Phrase::waits_for_product_of;
    };
    if (!reads(race.first) && !reads(race.second)) return false;
    const int line = reads(race.first) ? race.second.line : race.first.line;
    return std::ranges::any_of(merged_, [&](const auto& entry) {
      const Finding& early = entry.second.finding;
      return early.kind == FindingKind::unfinished_product &&
             (early.line == line || race.has_wait()) && entry.second.subject == race.variable;
    });
  }

  /// Whether the kernel ends without a wait for copies or products, and has also met some of them
  /// too early: that is the finding which matters.
  bool follows_from_early_access(const LocatedFinding& located) const {
    const FindingKind kind = located.finding.kind;
    if (located.finding.severity != Severity::warning ||
        (kind != FindingKind::unfinished_copy && kind != FindingKind::unfinished_product))
      return false;
    return std::ranges::any_of(merged_, [&](const auto& entry) {
      const Finding& other = entry.second.finding;
      return other.kind == kind && other.severity == Severity::error;
    });
  }

  static void join(std::vector<RaceGroup>& groups, LocatedFinding race) {
    for (RaceGroup& group : groups) {
      if (group.takes(race)) return group.add(std::move(race));
    }
    groups.emplace_back(std::move(race));
  }

  Finding repaired(RaceGroup& group) {
    const auto [first, last] = group.all.common;
    const LinesAs as = group.reported.race->in_one_call() ? LinesAs::own : LinesAs::outermost;
    const bool barrier = barrier_between(*group.reported.function, first, last, group.scope(), as);
    group.all.next_pass = barrier && group.reported.race->next_pass;
    group.all.unheld = barrier && group.reported.race->unheld;
    Finding finding = group.reported.finding;
    finding.hint = race_hint(*group.reported.race, group.all);
    return finding;
  }

  /// How the lines of inlined functions are counted: as they are, or as that of the call.
  enum class LinesAs : std::uint8_t { own, outermost };
  using Lines = std::pair<const Function*, LinesAs>;

  int line_as(const Function& function, std::uint32_t source, LinesAs as) const {
    const SourcePlace place = source_.place(function, source, "");
    return as == LinesAs::own || place.caller == 0 ? place.line() : place.caller;
  }

  struct BarrierLine {
    int line = 0;
    std::string_view text;
  };

  /// Whether that instruction is a barrier which orders accesses that race in `scope`.
  static bool orders(std::string_view text, RaceScope scope) {
    return text.starts_with("bar") && (scope == RaceScope::warp || !text.starts_with("bar.warp"));
  }

  bool barrier_between(const Function& function, int first, int last, RaceScope scope, LinesAs as) {
    const auto [entry, fresh] = barriers_.try_emplace({&function, as});
    if (fresh) entry->second = barrier_lines(function, as);
    return std::any_of(entry->second.begin(), entry->second.end(), [&](const BarrierLine& barrier) {
      return orders(barrier.text, scope) && barrier.line > first && barrier.line < last;
    });
  }

  /// The line of each instruction of the code that accesses memory; 0 for all others.
  const std::vector<int>& access_lines(const Function& function, LinesAs as) {
    const auto [entry, fresh] = code_lines_.try_emplace({&function, as});
    if (fresh) {
      for (const Inst& inst : function.code) {
        const bool access = inst.size != 0 || inst.run == wait_for_copies;
        entry->second.push_back(access ? line_as(function, inst.source, as) : 0);
      }
    }
    return entry->second;
  }

  /// Whether an access of line `to` can follow one of line `from`, on a path without `is_wall`.
  bool can_follow(const Function& function, int from, int to, LinesAs as,
                  const std::function<bool(std::size_t)>& is_wall = {}) {
    const std::vector<int>& line_at = access_lines(function, as);
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < line_at.size(); ++at) {
      if (line_at[at] == from) starts.push_back(at);
    }
    return reaches(
        function, std::move(starts), [&](std::size_t at) { return line_at[at] == to; }, is_wall);
  }

  /// Whether an access of line `first` can follow one of line `last`: in a loop, even if the
  /// compiler unrolled it. The loop around a called function may be in its caller.
  bool runs_again(const Function& function, int first, int last, LinesAs as) {
    return !function.entry || can_follow(function, last, first, as);
  }

  /// Whether a condition can lead threads from line `first` to line `last` without a barrier.
  bool goes_around_barriers(const Function& function, int first, int last, RaceScope scope,
                            LinesAs as) {
    return can_follow(function, first, last, as, [&](std::size_t at) {
      const Inst& inst = function.code[at];
      return inst.guard == 0 && orders(function.texts[inst.source], scope);
    });
  }

  std::vector<BarrierLine> barrier_lines(const Function& function, LinesAs as) const {
    std::vector<BarrierLine> lines;
    for (std::uint32_t i = 0; i < function.texts.size(); ++i) {
      const std::string& text = function.texts[i];
      if (text.starts_with("bar")) lines.push_back({line_as(function, i, as), text});
    }
    return lines;
  }

  const Module& module_;
  const SourceLines& source_;
  std::map<std::tuple<FindingKind, int, std::string, Severity, int, RaceScope>, LocatedFinding>
      merged_;
  std::map<Lines, std::vector<BarrierLine>> barriers_;
  std::map<Lines, std::vector<int>> code_lines_;  // of each access, else 0
  bool diverged_ = false;  // threads of a block skipped a barrier, or waited at different ones
};

}  // namespace

std::vector<Finding> collect_findings(const Module& module, const std::vector<Worker>& workers,
                                      const SourceLines& source) {
  return Collector(module, source).collect(workers);
}

}  // namespace tessera::sim
