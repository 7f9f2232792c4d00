// How a race is told: both accesses in the order of the program, and what to do about it.
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

  bool stores() const { return verb == Phrase::stores; }
};

/// What stands between the lines of two accesses.
enum class Between {
  nothing,
  barrier,          // and no loop leads back to the first line, or threads passed a barrier by
  barrier_in_loop,  // which threads wait at in every pass
};

/// Two accesses of one element that nothing orders.
struct Race {
  std::string variable;
  ArrayElement element;
  RaceAccess first;
  RaceAccess second;
  RaceScope scope = RaceScope::block;
  bool same_value = false;    // the second stores what is there
  bool block_atomic = false;  // an atomic function with _block meets another block
  bool cached = false;        // a read through the read-only cache, which sees no stores
  bool whole_warp = false;    // one instruction stores into the element, for all threads of a warp
  bool dynamic = false;       // in dynamic shared memory
  bool next_pass = false;     // the second runs in the next pass of the loop around both
  bool unheld = false;        // a barrier between the two lines did not hold the threads

  bool stores_only() const { return first.stores() && second.stores(); }
  bool in_one_line() const { return first.line == second.line; }
};

/// The race with its accesses in the order of the program: by line, and in one line the read first.
/// Where a barrier stands between the lines and the threads race all the same, the later line comes
/// first and the other follows in the next pass of the loop, if there is one.
Race in_program_order(Race race, Between between);

/// "line 13 stores Bs[2][0] (thread (0, 2, 0)), line 15 reads it (thread (0, 1, 0)), no barrier
/// between".
Text race_message(const Race& race);

/// The race as an example of a finding told at the second access.
std::vector<std::pair<std::string, std::string>> race_example(const Race& race);

/// Races that one mistake makes, by line.
struct RaceHull {
  std::pair<int, int> common;  // lines: inside all of them
  std::pair<int, int> hull;    // around all of them
  bool stores_only = true;     // none of them has a read
  bool next_pass = false;      // see Race, of the common lines
  bool unheld = false;
  std::set<std::string> subjects{};  // variables
};

/// What to do about them, told by `race`.
Text race_hint(const Race& race, const RaceHull& all);

}  // namespace tessera::sim
