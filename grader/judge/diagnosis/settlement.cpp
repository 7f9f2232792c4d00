#include "grader/judge/diagnosis/settlement.h"

#include <algorithm>
#include <optional>

#include "grader/judge/diagnosis/words.h"

namespace tessera {
namespace {

/// One chance in a million, over all cases.
constexpr double kEnoughBits = 20;

/// The findings that get a diagnosis, and the elements that they are about.
constexpr std::pair<FindingKind, Verdict> kDiagnosed[] = {
    {FindingKind::wrong_result, Verdict::wrong},
    {FindingKind::not_finite, Verdict::not_finite},
    {FindingKind::output_not_written, Verdict::unwritten}};

Finding* find_kind(CaseOutcome& outcome, FindingKind kind) {
  const auto found = std::ranges::find(outcome.findings, kind, &Finding::kind);
  return found == outcome.findings.end() ? nullptr : &*found;
}

/// A mistake as the cases share it.
struct SharedMistake {
  std::string word;
  std::string variant;
  auto operator<=>(const SharedMistake&) const = default;
};

/// If both hold, the first is reported, which is true either way: with two phases, if it changes
/// nothing that every thread stores, if extents are exchanged, if a second block has nothing to
/// compute, and if an operation transposes.
constexpr std::pair<const char*, const char*> kPreferred[] = {
    {"missing-last-phase", "only-first-phase"},  {"missing-last-phase", "made-for-whole-tiles"},
    {"wrong-inner-extent", "load-guard-wrong"},  {"grid-swapped", "guard-extents-swapped"},
    {"block-index-ignored", "fixed-block-size"}, {"copy-of-input", "operand-transposed"},
    {"copy-of-input", "result-transposed"},
};

class Settlement {
 public:
  explicit Settlement(std::vector<ExplainedCase> cases) : cases_(std::move(cases)) {}

  void settle() {
    for (const auto& [kind, verdict] : kDiagnosed) {
      const auto chosen = choose(kind, target_of(verdict));
      if (!chosen) continue;
      chosen_.insert(chosen->mistake);
      report(*chosen, kind, verdict);
    }
  }

 private:
  static const Explanation* find(const ExplainedCase& explained, const SharedMistake& mistake,
                                 Rank rank, Target target) {
    const auto found =
        std::ranges::find_if(explained.explanations, [&](const Explanation& explanation) {
          return explanation.word == mistake.word && explanation.variant == mistake.variant &&
                 explanation.rank == rank && (explanation.target & target) != 0;
        });
    return found == explained.explanations.end() ? nullptr : &*found;
  }

  /// The mistakes of a rank, in the order of their table, that no case with the finding
  /// contradicts.
  std::vector<SharedMistake> shared(FindingKind kind, Target target, Rank rank) const {
    std::vector<SharedMistake> all;
    for (const ExplainedCase& explained : cases_) {
      for (const Explanation& explanation : explained.explanations) {
        const SharedMistake mistake{explanation.word, explanation.variant};
        if (explanation.rank == rank && (explanation.target & target) != 0 &&
            std::ranges::count(all, mistake) == 0)
          all.push_back(mistake);
      }
    }
    std::erase_if(
        all, [&](const SharedMistake& mistake) { return !proven(mistake, kind, target, rank); });
    return all;
  }

  /// The mistakes that most cases show: cases that cannot contradict a mistake can still speak for
  /// it.
  std::vector<SharedMistake> most_shown(std::vector<SharedMistake> all, Target target,
                                        Rank rank) const {
    const auto shown = [&](const SharedMistake& mistake) {
      return std::ranges::count_if(cases_, [&](const ExplainedCase& explained) {
        return find(explained, mistake, rank, target) != nullptr;
      });
    };
    const auto most = std::ranges::max_element(all, {}, shown);
    if (most == all.end()) return all;
    const auto enough = shown(*most);
    std::erase_if(all, [&](const SharedMistake& mistake) { return shown(mistake) < enough; });
    return all;
  }

  bool proven(const SharedMistake& mistake, FindingKind kind, Target target, Rank rank) const {
    double bits = 0;
    for (const ExplainedCase& explained : cases_) {
      const bool can_contradict = has_kind(*explained.outcome, kind) && explained.may_contradict;
      if (can_contradict && !find(explained, mistake, rank, target)) return false;
      if (const Explanation* explanation = find(explained, mistake, rank, kEveryFailure))
        bits += explanation->bits;
    }
    return bits >= kEnoughBits;
  }

  struct Choice {
    SharedMistake mistake;
    Rank rank;
  };

  /// The mistake whose word alone is left, at the first rank where that is so. A mistake that was
  /// chosen for another kind of failure is chosen for this kind too, if it explains it.
  std::optional<Choice> choose(FindingKind kind, Target target) const {
    for (const Rank rank :
         {Rank::specific, Rank::general, Rank::listing, Rank::fact, Rank::region}) {
      const std::vector<SharedMistake> possible = shared(kind, target, rank);
      const auto again = std::ranges::find_if(
          possible, [&](const SharedMistake& m) { return chosen_.contains(m); });
      if (again != possible.end()) return Choice{*again, rank};
      const std::vector<SharedMistake> mistakes = most_shown(possible, target, rank);
      std::set<std::string> words;
      for (const SharedMistake& mistake : mistakes) words.insert(mistake.word);
      for (const auto& [preferred, implied] : kPreferred) {
        if (words.contains(preferred)) words.erase(implied);
      }
      if (words.size() != 1) continue;
      return Choice{*std::ranges::find(mistakes, *words.begin(), &SharedMistake::word), rank};
    }
    return std::nullopt;
  }

  void report(const Choice& choice, FindingKind kind, Verdict verdict) {
    for (ExplainedCase& explained : cases_) {
      Finding* finding = find_kind(*explained.outcome, kind);
      const Explanation* explanation =
          find(explained, choice.mistake, choice.rank, target_of(verdict));
      if (!finding || !explanation) continue;
      const std::pair reported(explained.outcome, explanation->sentence);
      if (std::ranges::count(reported_, reported) > 0) {
        finding->hint = Phrase::one_cause_hint;
        continue;
      }
      reported_.push_back(reported);
      put(*explanation, *finding, *explained.outcome);
    }
  }

  static void put(const Explanation& explanation, Finding& finding, CaseOutcome& outcome) {
    const bool is_outcomes_message = std::ranges::any_of(kDiagnosed, [&](const auto& diagnosed) {
      const Finding* first = find_kind(outcome, diagnosed.first);
      return first && first->message == outcome.message;
    });
    finding.message = explanation.sentence + example_text(finding);
    finding.hint = explanation.hint;
    finding.example.emplace_back(kDiagnosisKey, explanation.word);
    if (!is_outcomes_message) return;
    outcome.message = finding.message;
    outcome.hint = finding.hint;
  }

  /// ". C[3][5] is 4, expected 9"
  static Text example_text(const Finding& finding) {
    const std::string element = example_value(finding, "element");
    if (element.empty()) return {};
    const std::string got = example_value(finding, "got");
    return say(Phrase::got_expected, Detail(element),
               got.empty() ? Statement::Value(Phrase::not_written) : Detail(got),
               Detail(example_value(finding, "expected")));
  }

  std::vector<ExplainedCase> cases_;
  std::set<SharedMistake> chosen_;
  std::vector<std::pair<CaseOutcome*, Text>> reported_;
};

}  // namespace

bool Candidates::contain(const CaseOutcome& outcome, const std::string& word,
                         const std::string& variant) const {
  return std::ranges::any_of(kDiagnosed, [&](const auto& diagnosed) {
    return has_kind(outcome, diagnosed.first) && left(diagnosed.first, {word, variant});
  });
}

void Candidates::narrow(const ExplainedCase& explained) {
  if (!explained.may_contradict) return;
  for (const auto& [kind, verdict] : kDiagnosed) {
    if (!has_kind(*explained.outcome, kind)) continue;
    std::set<WordAndVariant> fitting;
    for (const Explanation& explanation : explained.explanations) {
      const WordAndVariant mistake{explanation.word, explanation.variant};
      const bool concerned = (explanation.target & target_of(verdict)) != 0;
      if (concerned && left(kind, mistake)) fitting.insert(mistake);
    }
    left_[kind] = std::move(fitting);
  }
}

bool Candidates::left(FindingKind kind, const WordAndVariant& mistake) const {
  const auto found = left_.find(kind);
  return found == left_.end() || found->second.contains(mistake);
}

bool has_kind(const CaseOutcome& outcome, FindingKind kind) {
  return std::ranges::count(outcome.findings, kind, &Finding::kind) > 0;
}

void settle(std::vector<ExplainedCase> cases) {
  Settlement(std::move(cases)).settle();
}

}  // namespace tessera
