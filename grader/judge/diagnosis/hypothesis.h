// What may have made an output wrong, and whether it explains what is there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/wording.h"
#include "grader/judge/diagnosis/wrong_output.h"

namespace tessera {

/// A rank is considered only if those before it do not decide. `specific` names a mistake,
/// `general` says what was computed, `listing` lists how often each part was counted, `fact` says
/// what is plain to see, and `region` where the wrong elements lie.
enum class Rank { specific, general, listing, fact, region };

struct Hypothesis {
  std::string word;     // of diagnosis_words()
  std::string variant;  // which one of that word's mistakes; must be the same in every case
  Rank rank = Rank::specific;
  Text clause;  // "k stops at 16 of 19"
  Text hint;    // what to do
  std::function<bool(int row, int column)> explains;
  /// The clause is a whole sentence that names the elements itself; every element must fit.
  bool whole = false;
  /// Every element of the output must fit.
  bool everywhere = false;
};

/// Where a hypothesis holds.
struct Fit {
  Text where;  // "the last 3 columns"; empty for the whole output
  /// Other values would fit with a probability of 2^-bits.
  double bits = 0;
};

/// The kinds of elements that have to be explained, as bits 1 << Verdict.
using Target = std::uint32_t;

constexpr Target target_of(Verdict verdict) {
  return 1u << static_cast<unsigned>(verdict);
}
inline constexpr Target kEveryFailure =
    target_of(Verdict::unwritten) | target_of(Verdict::not_finite) | target_of(Verdict::wrong);

/// A part of the output, and its description.
struct Area {
  Text words;
  std::vector<bool> members;  // row-major
};

/// Looks for areas in which hypotheses explain every element of the target.
class Fitter {
 public:
  /// `output` must outlive it. At least one element must be in the target.
  Fitter(const WrongOutput& output, Target target);

  /// The whole output if `hypothesis` explains all of it, else the smallest area that holds the
  /// target and that it explains, the right elements in it included. Elements that are neither
  /// right nor in the target do not count.
  std::optional<Fit> fit(const Hypothesis& hypothesis) const;

  /// An element of the target, by which most hypotheses can be dismissed.
  std::pair<int, int> first() const { return wrong_.front(); }

 private:
  bool in_target(int row, int column) const {
    return (target_ & target_of(output_.verdict(row, column))) != 0;
  }
  bool explains_right_elements(const Hypothesis& hypothesis, const Area& area) const;
  void add_box();
  void add_tiles();
  void add_area(Text words, const std::function<bool(int, int)>& contains);
  double information() const;
  double pattern_bits(const Hypothesis& hypothesis) const;

  const WrongOutput& output_;
  Target target_;
  std::vector<std::pair<int, int>> wrong_;  // the target's elements, neighbours far apart
  std::vector<Area> areas_;  // all hold the target; the whole output first, then by size
  double bits_ = 0;
};

}  // namespace tessera
