#include "grader/gradebook/report/standing.h"

#include <algorithm>

namespace tessera {
namespace {

constexpr double kRounding = 1e-6;  // of points

/// Whether the attempt was graded or is ungradable. One that waits, or failed by our fault, says
/// nothing about the student.
bool has_outcome(const AttemptOutcome& outcome) {
  return outcome.state == MarkState::graded || outcome.state == MarkState::ungradable;
}

void count(const AttemptOutcome& outcome, double max_points, Standing& standing) {
  ++standing.attempts;
  ++standing.without_gain;
  if (outcome.state != MarkState::graded) return;
  if (outcome.raw >= max_points - outcome.deferred - kRounding) standing.finished = true;
  if (outcome.raw <= standing.best + kRounding) return;
  standing.best = outcome.raw;
  standing.without_gain = 0;
}

/// How many of the last attempts are one program.
int same_at_end(const std::vector<AttemptOutcome>& history) {
  if (history.empty() || history.back().program.empty()) return 0;
  const auto other = std::find_if(
      history.rbegin(), history.rend(),
      [&](const AttemptOutcome& outcome) { return outcome.program != history.back().program; });
  return static_cast<int>(other - history.rbegin());
}

}  // namespace

std::string_view to_string(Trouble trouble) {
  switch (trouble) {
    case Trouble::no_gain:
      return "no progress";
    case Trouble::same_again:
      return "same again";
    case Trouble::ungradable:
      return "ungradable";
    case Trouble::missing:
      return "nothing handed in";
    case Trouble::late:
      break;
  }
  return "late";
}

Standing standing_of(const Mark& mark, std::optional<UnixTime> due, UnixTime now) {
  Standing standing;
  for (const AttemptOutcome& outcome : mark.history) {
    if (has_outcome(outcome)) count(outcome, mark.max_points, standing);
  }
  standing.same = same_at_end(mark.history);
  const bool open = !standing.finished && standing.attempts > 0;
  const auto add = [&](Trouble trouble, bool applies) {
    if (applies) standing.troubles.push_back(trouble);
  };
  add(Trouble::no_gain, open && standing.without_gain >= kAttemptsWithoutGain);
  add(Trouble::same_again, open && standing.same >= 2);
  add(Trouble::ungradable, mark.state == MarkState::ungradable);
  add(Trouble::missing,
      mark.state == MarkState::missing && !mark.has_score() && !(due && now <= *due));
  add(Trouble::late, mark.late && mark.penalty > 0);
  return standing;
}

}  // namespace tessera
