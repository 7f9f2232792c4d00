// The message and the hint for a race: both accesses in the order of the program, and how to repair
// it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/wording.h"

namespace tessera::sim {

/// Whose threads race: those of one warp, of one block, or of different blocks.
enum class RaceScope : std::uint8_t { warp, block, grid };

/// One side of a race.
struct RaceAccess {
  Phrase verb = Phrase::reads;  // reads, stores, or updates (an atomic function)
  std::string thread;           // "(3, 0, 0)"
  std::string block;            // "(0, 0, 0)"
  int line = 0;                 // 0: not known
  int caller = 0;               // see SourcePlace

  bool copies() const { return verb == Phrase::copies_into; }         // a copy begins
  bool waits() const { return verb == Phrase::waits_for_copy_into; }  // a copy arrives
  bool stores() const { return verb == Phrase::stores || copies() || waits(); }
};

/// What stands between the lines of two accesses.
enum class Between {
  nothing,
  barrier,          // but no loop leads back to the first line, or threads skipped a barrier
  barrier_in_loop,  // at which all threads wait in every iteration
};

/// Two accesses to one element that nothing orders.
struct Race {
  std::string variable;
  ArrayElement element;
  RaceAccess first;
  RaceAccess second;
  RaceScope scope = RaceScope::block;
  bool same_value = false;    // the second stores the value that is there already
  bool block_atomic = false;  // an atomic function with _block meets another block
  bool cached = false;        // a read through the read-only cache, which does not see stores
  bool whole_warp = false;    // all threads of a warp store into the element in one instruction
  bool dynamic = false;       // in dynamic shared memory
  bool next_pass = false;     // the second runs in the next iteration of the loop around both
  bool unheld = false;        // a barrier between the two lines did not hold the threads
  bool has_meetings = false;  // the kernel uses mbarriers or named barriers
  bool has_flags = false;     // its blocks may order accesses by flags and fences

  bool stores_only() const { return first.stores() && second.stores(); }
  bool has_wait() const { return first.waits() || second.waits(); }
  bool in_one_line() const { return first.line == second.line && first.caller == second.caller; }
  /// Whether both accesses are part of the same call of a function that was inlined. Then their own
  /// lines say which comes first.
  bool in_one_call() const { return first.caller != 0 && first.caller == second.caller; }
  /// The line by which an access takes its place in the program.
  int place_of(const RaceAccess& access) const {
    return in_one_call() || access.caller == 0 ? access.line : access.caller;
  }
};

/// Returns the race with its accesses in the order of the program: by line, and within one line the
/// read first. If threads race although a barrier stands between the lines, and a loop is around
/// them, the later line comes first and the earlier line follows in the next iteration.
Race in_program_order(Race race, Between between);

/// "line 13 stores Bs[2][0] (thread (0, 2, 0)), line 15 reads it (thread (0, 1, 0)), no barrier
/// between".
Text race_message(const Race& race);

/// Returns the example of a finding whose place is the second access.
std::vector<std::pair<std::string, std::string>> race_example(const Race& race);

/// The lines and variables of the races that one mistake causes.
struct RaceHull {
  std::pair<int, int> common;  // the lines that all of them have in common
  std::pair<int, int> hull;    // the lines from the first to the last of them
  bool stores_only = true;     // none of them reads
  bool next_pass = false;      // see Race, of the common lines
  bool unheld = false;
  std::set<std::string> subjects{};  // variables
};

/// Returns how to repair the races, of which `race` is the reported one.
Text race_hint(const Race& race, const RaceHull& all);

}  // namespace tessera::sim
