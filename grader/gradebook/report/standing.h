// Who makes progress with a lab, and who is stuck.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/gradebook/marks.h"

namespace tessera {

/// A student is stuck after this many attempts without more points.
constexpr int kAttemptsWithoutGain = 3;

enum class Trouble {
  no_gain,     // the last kAttemptsWithoutGain attempts or more won nothing more
  same_again,  // the last two attempts or more are the same program
  ungradable,  // handed in, but nothing that can be graded
  missing,     // nothing handed in, and the due date has passed or there is none
  late
};

std::string_view to_string(Trouble trouble);  // "no progress", "same again", ...

struct Standing {
  int attempts = 0;       // that were graded or are ungradable
  int without_gain = 0;   // of these, the attempts since the points last rose
  int same = 0;           // the last attempts that are one program
  double best = 0;        // points of the best record
  bool finished = false;  // an attempt won everything that could be measured
  std::vector<Trouble> troubles = {};
};

/// `now` and `due` decide whether a missing submission is trouble yet.
Standing standing_of(const Mark& mark, std::optional<UnixTime> due, UnixTime now);

}  // namespace tessera
