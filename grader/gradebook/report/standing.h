// Who gets on with a lab, and who does not.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grader/gradebook/marks.h"

namespace tessera {

/// Where somebody is stuck from the first of so many attempts without more points.
constexpr int kAttemptsWithoutGain = 3;

enum class Trouble {
  no_gain,     // the last kAttemptsWithoutGain attempts or more won nothing more
  same_again,  // the last two attempts or more are the same program
  ungradable,  // handed in, but nothing that can be graded
  missing,     // nothing handed in, and it is due or never will be
  late
};

std::string_view to_string(Trouble trouble);  // "no progress", "same again", ...

struct Standing {
  int attempts = 0;       // that were graded, or never can be
  int without_gain = 0;   // of these the last ones, since the points last rose
  int same = 0;           // the last ones that are one program
  double best = 0;        // points of the best record
  bool finished = false;  // an attempt won everything that could be measured
  std::vector<Trouble> troubles = {};
};

/// `now` and `due` decide whether nothing is too little yet.
Standing standing_of(const Mark& mark, std::optional<UnixTime> due, UnixTime now);

}  // namespace tessera
