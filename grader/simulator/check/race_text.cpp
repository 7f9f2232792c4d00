#include "grader/simulator/check/race_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::sim {
namespace {

Thread thread_of(const Race& race, const RaceAccess& access) {
  return {access.thread, race.scope == RaceScope::grid ? access.block : ""};
}

Text in_one_line(const Race& race) {
  const SourceLine line{race.first.line};
  const Thread first = thread_of(race, race.first);
  const Thread second = thread_of(race, race.second);
  if (race.first.verb != race.second.verb) {
    return say(Phrase::race_in_line, line, race.first.verb, race.element, first, race.second.verb,
               second);
  }
  return say(race.same_value ? Phrase::race_twice_same_value : Phrase::race_twice, line,
             race.first.verb, race.element, first, second);
}

Text in_two_lines(const Race& race) {
  const Phrase what = race.same_value                       ? Phrase::race_same_value
                      : race.first.verb == race.second.verb ? Phrase::race_it_too
                                                            : Phrase::race_it;
  return say(Phrase::race_in_lines, SourceLine{race.first.line}, race.first.verb, race.element,
             thread_of(race, race.first), SourceLine{race.second.line}, race.second.verb, what,
             race.next_pass ? Phrase::next_pass : Phrase::this_pass, thread_of(race, race.second));
}

Phrase what_is_missing(const Race& race) {
  if (race.cached) return Phrase::race_cached;
  if (race.unheld) return Phrase::race_unheld;
  switch (race.scope) {
    case RaceScope::warp:
      return Phrase::race_no_warp_barrier;
    case RaceScope::block:
      return Phrase::race_no_barrier;
    case RaceScope::grid:
      break;
  }
  return race.block_atomic ? Phrase::race_block_atomic : Phrase::race_of_blocks;
}

Text between_blocks_hint(const Race& race) {
  if (race.has_flags && !race.stores_only()) return Phrase::flags_of_blocks_hint;
  if (!race.in_one_line() || !race.stores_only()) return Phrase::race_of_blocks_hint;
  const bool same_thread = race.first.thread == race.second.thread;
  return Text(same_thread ? Phrase::same_thread_of_blocks_hint : Phrase::threads_of_blocks_hint) +
         Phrase::blocks_must_meet_hint;
}

Text one_line_hint(const Race& race, SourceLine line, Phrase barrier) {
  if (!race.stores_only()) return say(Phrase::threads_meet_hint, line, barrier);
  if (race.whole_warp) return say(Phrase::whole_warp_stores_hint, line);
  return say(Phrase::threads_store_hint, line, barrier);
}

/// The hint for two lines that store into one element which no thread reads in between: a barrier
/// is the repair only if the later store is meant to replace the earlier one.
Text two_stores_hint(const Race& race, SourceLine first, SourceLine last) {
  return say(race.dynamic ? Phrase::two_dynamic_stores_hint : Phrase::two_stores_hint, first, last,
             Name{race.variable});
}

/// Whether one line plainly reads what the other line updates by an atomic function.
bool is_read_of_updates(const Race& race) {
  const auto has = [&](Phrase verb) { return race.first.verb == verb || race.second.verb == verb; };
  return has(Phrase::reads) && has(Phrase::updates);
}

Text missing_hint(const RaceHull& all, Phrase barrier) {
  if (all.next_pass) {
    return say(Phrase::missing_before_next_pass_hint, barrier, SourceLine{all.hull.second},
               SourceLine{all.hull.first});
  }
  return say(Phrase::missing_between_hint, barrier, SourceLine{all.common.first},
             SourceLine{all.common.second});
}

Text order_hint(const Race& race, const RaceHull& all) {
  if (race.scope == RaceScope::grid) return between_blocks_hint(race);
  const Phrase barrier = race.scope == RaceScope::warp ? Phrase::syncwarp : Phrase::syncthreads;
  const SourceLine first{all.common.first}, last{all.common.second};
  const bool meet = race.has_meetings && race.scope == RaceScope::block && !all.stores_only;
  if (meet && first.number != 0) return say(Phrase::meetings_hint, first, last);
  if (first.number == 0) return say(Phrase::put_between_hint, barrier);
  if (all.unheld) return say(Phrase::barrier_under_condition_hint, first, last);
  if (first != last && race.first.copies() && !race.second.stores() && !race.next_pass)
    return say(Phrase::copy_meets_access_hint, SourceLine{race.second.line},
               SourceLine{race.first.line});
  if (first != last && all.stores_only)
    return two_stores_hint(race, first, last) + missing_hint(all, barrier);
  Text hint = first == last ? one_line_hint(race, first, barrier) : missing_hint(all, barrier);
  std::set<std::string> other_variables = all.subjects;
  other_variables.erase(race.variable);
  if (!other_variables.empty())
    hint +=
        say(Phrase::missing_too_hint, Name{fmt::format("{}", fmt::join(other_variables, ", "))});
  return hint;
}

}  // namespace

Race in_program_order(Race race, Between between) {
  if (race.scope == RaceScope::grid) between = Between::nothing;
  const bool reads_second = race.second.verb == Phrase::reads && race.first.verb != Phrase::reads;
  const bool swapped = race.in_one_line()
                           ? reads_second
                           : (race.place_of(race.first) > race.place_of(race.second)) !=
                                 (between == Between::barrier_in_loop);
  if (swapped) std::swap(race.first, race.second);
  race.next_pass = between == Between::barrier_in_loop && !race.in_one_line();
  race.unheld = between == Between::barrier && !race.in_one_line();
  return race;
}

Text race_message(const Race& race) {
  Text text = (race.in_one_line() ? in_one_line(race) : in_two_lines(race)) + what_is_missing(race);
  if (race.in_one_call()) return text;
  for (const RaceAccess* access : {&race.first, &race.second}) {
    const int caller = race.place_of(*access);
    if (caller != access->line)
      text += say(Phrase::called_in_line, SourceLine{access->line}, SourceLine{caller});
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> race_example(const Race& race) {
  std::vector<std::pair<std::string, std::string>> example = {
      {"variable", race.variable},    {"element", race.element.str()},
      {"thread", race.second.thread}, {"other thread", race.first.thread},
      {"block", race.second.block},
  };
  if (race.scope == RaceScope::grid) example.emplace_back("other block", race.first.block);
  if (race.first.line != 0) example.emplace_back("other line", std::to_string(race.first.line));
  std::erase_if(example, [](const auto& entry) { return entry.second.empty(); });
  return example;
}

Text race_hint(const Race& race, const RaceHull& all) {
  if (race.cached) return Phrase::race_cached_hint;
  for (const RaceAccess* side : {&race.first, &race.second}) {
    if (side->verb == Phrase::waits_for_product_of)
      return say(Phrase::product_ends_hint, SourceLine{side->line});
  }
  const Text hint = order_hint(race, all);
  return is_read_of_updates(race) ? hint + Phrase::read_of_updates_hint : hint;
}

}  // namespace tessera::sim
