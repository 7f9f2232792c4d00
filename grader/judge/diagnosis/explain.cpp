#include "grader/judge/diagnosis/explain.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "grader/judge/diagnosis/adjacent_difference.h"
#include "grader/judge/diagnosis/altered_inputs.h"
#include "grader/judge/diagnosis/placement.h"
#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

/// The bits of a mistake that is plain to see: no values are needed to prove it.
constexpr double kEvident = 1e6;

struct Context {
  const WrongOutput& output;
  const Fitter& fitter;
  const Clues& clues;
  Target target;
};

std::vector<Hypothesis> product_hypotheses(const Context& context) {
  const WrongOutput& output = context.output;
  const auto product = std::make_shared<const Product>(output);
  std::vector<Hypothesis> hypotheses = window_hypotheses(product, context.fitter.first());
  for (const int tile : output.tile_sizes()) {
    std::ranges::move(phase_hypotheses(product, tile), std::back_inserter(hypotheses));
    std::ranges::move(load_guard_hypotheses(product, tile), std::back_inserter(hypotheses));
    std::ranges::move(unguarded_hypotheses(product, tile), std::back_inserter(hypotheses));
    std::ranges::move(stride_hypotheses(product, tile), std::back_inserter(hypotheses));
    std::ranges::move(counted_phases(product, tile, context.target),
                      std::back_inserter(hypotheses));
  }
  if (output.inputs().front().storage() != Storage::same)  // for tensor cores
    std::ranges::move(fragment_hypotheses(product), std::back_inserter(hypotheses));
  std::ranges::move(arithmetic_hypotheses(product), std::back_inserter(hypotheses));
  for (const ProductCounts& counts : context.clues.repeated_counts)
    hypotheses.push_back(repeated_count(product, counts));
  return hypotheses;
}

/// The hypotheses for one operation, besides those for all operations.
struct OperationHypotheses {
  bool (*concerns)(const Operation&);
  std::vector<Hypothesis> (*make)(const Context&);
};

constexpr OperationHypotheses kOperations[] = {
    {[](const Operation& operation) { return operation.is_product(); }, product_hypotheses},
    {[](const Operation& operation) { return operation.name() == "adjacent_difference"; },
     [](const Context& context) { return adjacent_difference_hypotheses(context.output); }},
};

Text sentence_of(const WrongOutput& output, const Hypothesis& hypothesis, const Fit& fit,
                 bool all_failures) {
  const Name name{output.name()};
  Text sentence = hypothesis.clause;
  if (hypothesis.whole) return sentence;
  if (!fit.where.empty()) {
    return all_failures
               ? say(Phrase::right_except_in, name) + fit.where + Phrase::where_wrong + sentence
               : Phrase::in_area + fit.where + say(Phrase::area_of, name) + sentence;
  }
  Statement& first = sentence.statements().front();
  if (first.phrase != Phrase::every_element) return say(Phrase::in_all_of, name) + sentence;
  first.phrase = Phrase::every_element_of;
  first.values.emplace_back(name);
  return sentence;
}

/// The states of all elements, right elements included.
Target states_of(const WrongOutput& output) {
  Target states = 0;
  for (int row = 0; row < output.height(); ++row) {
    for (int column = 0; column < output.width(); ++column)
      states |= target_of(output.verdict(row, column));
  }
  return states;
}

class Explainer {
 public:
  Explainer(const WrongOutput& output, const Clues& clues, const WorthTrying& worth)
      : output_(output), clues_(clues), worth_(worth), states_(states_of(output)) {}

  std::vector<Explanation> explanations() {
    explain(failures_);
    for (const Verdict verdict : {Verdict::unwritten, Verdict::not_finite, Verdict::wrong}) {
      const Target kind = target_of(verdict);
      if ((failures_ & kind) != 0 && failures_ != kind) explain(kind);
    }
    return std::move(explanations_);
  }

 private:
  void explain(Target target) {
    const Fitter fitter(output_, target);
    for (const Hypothesis& hypothesis : hypotheses_for(fitter, target)) {
      if (!worth_(hypothesis.word, hypothesis.variant)) continue;
      const auto fit = fitter.fit(hypothesis);
      if (!fit) continue;
      explanations_.push_back({target, hypothesis.rank, hypothesis.word, hypothesis.variant,
                               sentence_of(output_, hypothesis, *fit, target == failures_),
                               hypothesis.hint, bits_of(hypothesis, *fit, target)});
    }
  }

  std::vector<Hypothesis> hypotheses_for(const Fitter& fitter, Target target) const {
    std::vector<Hypothesis> hypotheses;
    if ((target & target_of(Verdict::unwritten)) != 0) hypotheses = coverage_hypotheses(output_);
    if (target == target_of(Verdict::unwritten)) return hypotheses;
    for (const OperationHypotheses& operation : kOperations) {
      if (operation.concerns(output_.operation()))
        std::ranges::move(operation.make({output_, fitter, clues_, target}),
                          std::back_inserter(hypotheses));
    }
    std::ranges::copy(altered_, std::back_inserter(hypotheses));
    std::ranges::move(value_hypotheses(output_), std::back_inserter(hypotheses));
    std::ranges::move(placement_hypotheses(output_), std::back_inserter(hypotheses));
    std::ranges::move(region_hypotheses(output_, target), std::back_inserter(hypotheses));
    return hypotheses;
  }

  double bits_of(const Hypothesis& hypothesis, const Fit& fit, Target target) const {
    if (states_ == target_of(Verdict::unwritten)) return 0;  // as before a kernel is begun
    if (hypothesis.rank == Rank::region && states_ == failures_) return 0;  // everything is wrong
    const bool evident = hypothesis.rank == Rank::fact || hypothesis.rank == Rank::region;
    return evident || target == target_of(Verdict::unwritten) ? kEvident : fit.bits;
  }

  const WrongOutput& output_;
  const Clues& clues_;
  const WorthTrying& worth_;
  Target states_;
  Target failures_ = states_ & kEveryFailure;
  // Made once for all targets, since they keep what they compute.
  std::vector<Hypothesis> altered_ = altered_input_hypotheses(output_);
  std::vector<Explanation> explanations_;
};

}  // namespace

void gather_clues(const WrongOutput& output, Clues& clues) {
  if (!output.operation().is_product()) return;
  for (ProductCounts& counts : repeated_counts(output))
    clues.repeated_counts.insert(std::move(counts));
}

std::vector<Explanation> explanations_of(const WrongOutput& output, const Clues& clues,
                                         const WorthTrying& worth) {
  if ((states_of(output) & kEveryFailure) == 0) return {};
  if (output.operation().work(output.extents()) > kMostDiagnosedWork) return {};
  return Explainer(output, clues, worth).explanations();
}

}  // namespace tessera
