#include "grader/judge/diagnosis/settlement.h"

#include <algorithm>
#include <optional>

#include "grader/judge/diagnosis/words.h"

namespace tessera {
namespace {

/// One chance in a million, over all cases.
constexpr double kEnoughBits = 20;

constexpr std::pair<FindingKind, Verdict> kTold[] = {
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

/// Where both hold, the first says what the second does, and is true either way: with two phases,
/// where it changes nothing that every thread stores, where extents are exchanged, where a second
/// block has nothing to compute, and where an operation transposes.
constexpr std::pair<const char*, const char*> kSaidRather[] = {
    {"missing-last-phase", "only-first-phase"},  {"missing-last-phase", "made-for-whole-tiles"},
    {"wrong-inner-extent", "load-guard-wrong"},  {"grid-swapped", "guard-extents-swapped"},
    {"block-index-ignored", "fixed-block-size"}, {"copy-of-input", "operand-transposed"},
    {"copy-of-input", "result-transposed"},
};

class Settlement {
 public:
  explicit Settlement(std::vector<ExplainedCase> cases) : cases_(std::move(cases)) {}

  void settle() {
    for (const auto& [kind, verdict] : kTold) {
      const auto chosen = choose(kind, target_of(verdict));
      if (!chosen) continue;
      chosen_.insert(chosen->mistake);
      tell(*chosen, kind, verdict);
    }
  }

 private:
  static const Explanation* find(const ExplainedCase& one, const SharedMistake& mistake, Rank rank,
                                 Target target) {
    const auto found = std::ranges::find_if(one.explanations, [&](const Explanation& explanation) {
      return explanation.word == mistake.word && explanation.variant == mistake.variant &&
             explanation.rank == rank && (explanation.target & target) != 0;
    });
    return found == one.explanations.end() ? nullptr : &*found;
  }

  /// The mistakes of a rank, in the order of their table, that no case with the finding
  /// contradicts.
  std::vector<SharedMistake> shared(FindingKind kind, Target target, Rank rank) const {
    std::vector<SharedMistake> all;
    for (const ExplainedCase& one : cases_) {
      for (const Explanation& explanation : one.explanations) {
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

  /// Cases that cannot contradict a mistake can still speak for one: those that most cases show.
  std::vector<SharedMistake> most_shown(std::vector<SharedMistake> all, Target target,
                                        Rank rank) const {
    const auto shown = [&](const SharedMistake& mistake) {
      return std::ranges::count_if(cases_, [&](const ExplainedCase& one) {
        return find(one, mistake, rank, target) != nullptr;
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
    for (const ExplainedCase& one : cases_) {
      const bool concerned = has_kind(*one.outcome, kind);
      if (concerned && one.may_contradict && !find(one, mistake, rank, target)) return false;
      if (const Explanation* explanation = find(one, mistake, rank, kEveryFailure))
        bits += explanation->bits;
    }
    return bits >= kEnoughBits;
  }

  struct Choice {
    SharedMistake mistake;
    Rank rank;
  };

  /// The one word left at the first rank that leaves one. What explains another kind of failure
  /// already explains this one too, where it can.
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
      for (const auto& [said, implied] : kSaidRather) {
        if (words.contains(said)) words.erase(implied);
      }
      if (words.size() != 1) continue;
      return Choice{*std::ranges::find(mistakes, *words.begin(), &SharedMistake::word), rank};
    }
    return std::nullopt;
  }

  void tell(const Choice& choice, FindingKind kind, Verdict verdict) {
    for (ExplainedCase& one : cases_) {
      Finding* finding = find_kind(*one.outcome, kind);
      const Explanation* explanation = find(one, choice.mistake, choice.rank, target_of(verdict));
      if (!finding || !explanation) continue;
      const std::pair said(one.outcome, explanation->sentence);
      if (std::ranges::count(told_, said) > 0) {
        finding->hint = Phrase::one_cause_hint;
        continue;
      }
      told_.push_back(said);
      put(*explanation, *finding, *one.outcome);
    }
  }

  static void put(const Explanation& explanation, Finding& finding, CaseOutcome& outcome) {
    const bool told_first = std::ranges::any_of(kTold, [&](const auto& told) {
      const Finding* first = find_kind(outcome, told.first);
      return first && first->message == outcome.message;
    });
    finding.message = explanation.sentence + example_text(finding);
    finding.hint = explanation.hint;
    finding.example.emplace_back(kDiagnosisKey, explanation.word);
    if (!told_first) return;
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
  std::vector<std::pair<CaseOutcome*, Text>> told_;
};

}  // namespace

bool Candidates::contain(const CaseOutcome& outcome, const std::string& word,
                         const std::string& variant) const {
  return std::ranges::any_of(kTold, [&](const auto& told) {
    return has_kind(outcome, told.first) && left(told.first, {word, variant});
  });
}

void Candidates::narrow(const ExplainedCase& one) {
  if (!one.may_contradict) return;
  for (const auto& [kind, verdict] : kTold) {
    if (!has_kind(*one.outcome, kind)) continue;
    std::set<WordAndVariant> fitting;
    for (const Explanation& explanation : one.explanations) {
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
