// What may have made an output wrong, and whether it explains what is there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/wording.h"
#include "grader/judge/diagnosis/wrong_output.h"

namespace tessera {

/// A rank is looked at only where those before it do not decide. `specific` names a mistake,
/// `general` says what was computed, `listing` lists it, `fact` says what anybody sees, `region`
/// where.
enum class Rank { specific, general, listing, fact, region };

struct Hypothesis {
  std::string word;     // of diagnosis_words()
  std::string variant;  // which one of that word's mistakes; must be the same in every case
  Rank rank = Rank::specific;
  Text clause;  // "k stops at 16 of 19"
  Text hint;    // what to do
  std::function<bool(int row, int column)> explains;
  /// The clause is a sentence that names the elements itself, and the matrix as a whole must fit.
  bool whole = false;
  /// The matrix as a whole must fit.
  bool everywhere = false;
};

/// Where a hypothesis holds.
struct Fit {
  Text where;  // "the last 3 columns"; empty for the whole output
  /// How improbable it is that other values would fit, in powers of two.
  double bits = 0;
};

/// Which elements have to be explained: bit 1 << Verdict.
using Target = std::uint32_t;

constexpr Target target_of(Verdict verdict) {
  return 1u << static_cast<unsigned>(verdict);
}
inline constexpr Target kEveryFailure =
    target_of(Verdict::unwritten) | target_of(Verdict::not_finite) | target_of(Verdict::wrong);

/// Part of the output, in words.
struct Area {
  Text words;
  std::vector<bool> members;  // row-major
};

/// Looks for areas in which hypotheses explain every element of the target.
class Fitter {
 public:
  /// `output` must outlive it. At least one element must be in the target.
  Fitter(const WrongOutput& output, Target target);

  /// The whole output where `hypothesis` explains all of it, else the smallest area that holds the
  /// target and that it explains, right elements in it included. Elements that are neither right
  /// nor in the target do not count.
  std::optional<Fit> fit(const Hypothesis& hypothesis) const;

  /// An element of the target, by which most hypotheses can be dismissed.
  std::pair<int, int> first() const { return wrong_.front(); }

 private:
  bool in_target(int row, int column) const {
    return (target_ & target_of(output_.verdict(row, column))) != 0;
  }
  bool explains_right_ones(const Hypothesis& hypothesis, const Area& area) const;
  void add_box();
  void add_tiles();
  void add_area(Text words, const std::function<bool(int, int)>& contains);
  double information() const;
  double pattern_bits(const Hypothesis& hypothesis) const;

  const WrongOutput& output_;
  Target target_;
  std::vector<std::pair<int, int>> wrong_;  // the target, neighbours far apart
  std::vector<Area> areas_;                 // all hold the target; the whole first, then by size
  double bits_ = 0;
};

}  // namespace tessera
