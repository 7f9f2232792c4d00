#include "grader/simulator/race_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::sim {
namespace {

std::string line_text(int line) {
  return line == 0 ? "a line that is not known" : fmt::format("line {}", line);
}

std::string thread_text(const Race& race, const RaceAccess& access) {
  if (access.thread.empty()) return "another thread";
  return race.scope == RaceScope::grid
             ? fmt::format("thread {} of block {}", access.thread, access.block)
             : fmt::format("thread {}", access.thread);
}

std::string in_one_line(const Race& race) {
  const std::string line = line_text(race.first.line);
  const std::string first = thread_text(race, race.first);
  const std::string second = thread_text(race, race.second);
  if (race.first.verb == race.second.verb) {
    return fmt::format("{} {} {}{} twice ({}, {})", line, race.first.verb,
                       race.same_value ? "the same value into " : "", race.element, first, second);
  }
  return fmt::format("{} {} {} ({}) and {} it ({})", line, race.first.verb, race.element, first,
                     race.second.verb, second);
}

std::string in_two_lines(const Race& race) {
  const std::string what = race.same_value                       ? "the same value there"
                           : race.first.verb == race.second.verb ? "it too"
                                                                 : "it";
  return fmt::format("{} {} {} ({}), {} {} {}{} ({})", line_text(race.first.line), race.first.verb,
                     race.element, thread_text(race, race.first), line_text(race.second.line),
                     race.second.verb, what, race.next_pass ? " in the next pass of the loop" : "",
                     thread_text(race, race.second));
}

std::string_view what_is_missing(const Race& race) {
  if (race.cached) return "and the read is through the read-only cache, which sees no stores";
  if (race.unheld) return "and the barrier between does not hold them";
  switch (race.scope) {
    case RaceScope::warp:
      return "no __syncwarp() between";
    case RaceScope::block:
      return "no barrier between";
    case RaceScope::grid:
      return race.block_atomic ? "and an atomic function with _block holds for its block alone"
                               : "and blocks run in any order";
  }
  return "";
}

constexpr const char* kCachedHint =
    "What a launch writes must not be read through __ldg(), nor through a pointer that is both "
    "const and __restrict__. Read it through a plain pointer, or write into another array.";

std::string between_blocks_hint(const Race& race) {
  if (!race.in_one_line() || !race.stores_only()) {
    return "Blocks cannot wait for each other inside a launch. Let each block write only what no "
           "other block touches, use an atomic function, or split the work into two launches.";
  }
  const bool same_thread = race.first.thread == race.second.thread;
  return fmt::format(
      "{} If the blocks must meet there, use an atomic function, or split the work into two "
      "launches.",
      same_thread ? "The same thread of two blocks stores into one element: is blockIdx missing in "
                    "the index?"
                  : "Threads of two blocks store into one element: does the index tell them apart "
                    "(row and column, the row length)?");
}

std::string one_line_hint(const Race& race, int line, std::string_view barrier) {
  if (!race.stores_only()) {
    return fmt::format(
        "Several threads meet in the same element at line {}: give each thread its own, use an "
        "atomic function, or separate the passes of the loop by {}.",
        line, barrier);
  }
  if (race.whole_warp) {
    return fmt::format(
        "All threads of the warp store into the same element at line {}: is threadIdx missing in "
        "the index? If one value is meant, one thread alone must store it.",
        line);
  }
  return fmt::format(
      "Several threads store into the same element at line {}: does the index tell them apart "
      "(threadIdx.x and .y, the row length)? Where they take turns in a loop, separate its passes "
      "by {}.",
      line, barrier);
}

/// Two lines store into an element and nobody reads it in between: a barrier cures that only where
/// the later store is meant to replace the earlier one.
std::string two_stores_hint(const Race& race, const std::pair<int, int>& lines,
                            const std::string& barrier) {
  const auto [first, last] = lines;
  if (race.dynamic) {
    return fmt::format(
        "Both line {} and line {} store into the same element of {}: do two arrays overlap? Look "
        "at where "
        "each of them starts. Only where both lines mean the same array: {}",
        first, last, race.variable, barrier);
  }
  return fmt::format(
      "Both line {} and line {} store into the same element of {}: which of the two values is "
      "meant? If "
      "both, one of the indices is wrong. If the later one: {}",
      first, last, race.variable, barrier);
}

/// Whether one line reads plainly what another updates by an atomic function.
bool is_read_of_updates(const Race& race) {
  const auto verbs = std::minmax(race.first.verb, race.second.verb);
  return verbs.first == "reads" && verbs.second == "updates";
}

constexpr const char* kReadOfUpdatesHint =
    " Where any of the updates may be read, as before a loop with atomicCAS, read through a "
    "pointer "
    "to volatile.";

std::string order_hint(const Race& race, const RaceHull& all) {
  if (race.scope == RaceScope::grid) return between_blocks_hint(race);
  const std::string_view barrier =
      race.scope == RaceScope::warp ? "__syncwarp()" : "__syncthreads()";
  const auto [first, last] = all.common;
  if (first == 0) return fmt::format("Put {} between the two accesses.", barrier);
  if (all.unheld) {
    return fmt::format(
        "A barrier stands between line {} and line {}, and not every thread of the block waits at "
        "it: does it stand under a condition?",
        first, last);
  }
  std::string hint;
  if (first == last) {
    hint = one_line_hint(race, first, barrier);
  } else {
    hint = all.next_pass
               ? fmt::format("{} is missing after line {}, before line {} runs again.", barrier,
                             all.hull.second, all.hull.first)
               : fmt::format("{} is missing between line {} and line {}.", barrier, first, last);
    if (all.stores_only) return two_stores_hint(race, all.common, hint);
  }
  std::set<std::string> others = all.subjects;
  others.erase(race.variable);
  if (!others.empty()) hint += fmt::format(" It is missing for {} too.", fmt::join(others, ", "));
  return hint;
}

}  // namespace

Race in_program_order(Race race, Between between) {
  if (race.scope == RaceScope::grid) between = Between::nothing;
  const bool reads_second = race.second.verb == "reads" && race.first.verb != "reads";
  const bool swapped = race.in_one_line() ? reads_second
                                          : (race.first.line > race.second.line) !=
                                                (between == Between::barrier_in_loop);
  if (swapped) std::swap(race.first, race.second);
  race.next_pass = between == Between::barrier_in_loop && !race.in_one_line();
  race.unheld = between == Between::barrier && !race.in_one_line();
  return race;
}

std::string race_message(const Race& race) {
  return fmt::format("{}, {}", race.in_one_line() ? in_one_line(race) : in_two_lines(race),
                     what_is_missing(race));
}

std::vector<std::pair<std::string, std::string>> race_example(const Race& race) {
  std::vector<std::pair<std::string, std::string>> example = {
      {"variable", race.variable},    {"element", race.element},
      {"thread", race.second.thread}, {"other thread", race.first.thread},
      {"block", race.second.block},
  };
  if (race.scope == RaceScope::grid) example.emplace_back("other block", race.first.block);
  if (race.first.line != 0) example.emplace_back("other line", std::to_string(race.first.line));
  std::erase_if(example, [](const auto& entry) { return entry.second.empty(); });
  return example;
}

std::string race_hint(const Race& race, const RaceHull& all) {
  if (race.cached) return kCachedHint;
  return order_hint(race, all) + (is_read_of_updates(race) ? kReadOfUpdatesHint : "");
}

}  // namespace tessera::sim
