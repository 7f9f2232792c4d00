#include "grader/report/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "common/numbers.h"
#include "grader/judge/diagnosis/words.h"
#include "grader/judge/points/merge.h"
#include "grader/judge/points/technique.h"
#include "grader/report/advice.h"

namespace tessera {
namespace {

using Stage = FindingFacts::Stage;

constexpr std::string_view kCasePrefix = "correctness/";
constexpr std::size_t kMaxListed = 4;

bool is_case(const Item& item) {
  return item.id.starts_with(kCasePrefix);
}

bool needs_reason(const Item& item) {
  using enum Status;
  return item.status == fail || item.status == error || item.status == timeout ||
         item.status == review || item.status == infra || item.status == partial;
}

bool is_error(const Finding& finding) {
  return finding.severity == Severity::error;
}

/// Whether the finding belongs to the cases that have it: the compiler's are about the file.
bool concerns_cases(const Finding& finding) {
  return about(finding.kind).shows_in != Stage::source;
}

/// Findings with the same key have one cause. Those of the comparison have no line: each kind is
/// one cause.
std::string key_of(const Finding& finding) {
  const bool compared = finding.line == 0 && concerns_cases(finding);
  return compared ? std::string(to_string(finding.kind)) : cause_of(finding);
}

/// Whether the diagnosis of a wrong result says more than where or what the elements are.
bool names_mistake(const Finding& finding) {
  static constexpr std::string_view kSymptoms[] = {"block-starts-wrong", "edge-tiles-unwritten",
                                                   "edge-tiles-wrong", "first-block-right", "zero"};
  const std::string word = diagnosis_word(finding);
  return !word.empty() && std::ranges::count(kSymptoms, word) == 0;
}

bool is_error_finding(const Cause& cause) {
  return cause.title.empty() && is_error(cause.finding);
}

/// Causes of a lower rank bring about those of a higher one. A diagnosis of the result stands
/// before the checks, which show only what came of the mistake that it names.
int rank_of(const Cause& cause) {
  const Stage stage = about(cause.finding.kind).shows_in;
  if (cause.title.empty() && stage == Stage::source) return 0;
  if (!is_error_finding(cause)) return 4;
  if (stage == Stage::launch) return 1;
  if (stage == Stage::run) return 3;
  return names_mistake(cause.finding) ? 2 : 4;
}

class Collector {
 public:
  explicit Collector(const Record& record) : record_(record) {
    cases_ = std::ranges::count_if(record.items, is_case);
    for (; index_ < record.items.size(); ++index_) add(record.items[index_]);
    for (Cause& cause : causes_) {
      const auto shown = static_cast<std::ptrdiff_t>(cause.cases.size());
      cause.everywhere = cases_ > 1 && shown == cases_;
    }
    std::ranges::stable_sort(causes_, {}, rank_of);
    for (std::size_t i = 0; i < causes_.size(); ++i) find_what_comes_first(i);
  }

  std::vector<Cause> take() { return std::move(causes_); }

 private:
  void add(const Item& item) {
    for (const Finding& finding : item.findings) {
      if (finding.severity != Severity::info) add_finding(item, finding);
    }
    if (needs_reason(item) && std::ranges::none_of(item.findings, is_error)) add_message(item);
  }

  void add_finding(const Item& item, const Finding& finding) {
    const std::string key = key_of(finding);
    const std::optional<std::size_t> known = explanation_of(item, finding, key);
    const std::size_t place = known.value_or(causes_.size());
    if (!known) {
      causes_.push_back({finding, "", item.status, {}, false, index_, std::nullopt});
      by_key_.emplace(key, place);
      by_kind_.emplace(std::pair(finding.kind, finding.severity), place);
    }
    Cause& cause = causes_[place];
    if (known) {
      if (is_case(item)) join_finding(cause.finding, finding);
      if (diagnosis_word(cause.finding).empty() && !diagnosis_word(finding).empty())
        describe_by(cause, item, finding);
    }
    if (is_case(item) && concerns_cases(finding)) add_case(cause, item);
  }

  /// The known cause of the finding. A hidden case gives only the kind, so the first cause of that
  /// kind explains it.
  std::optional<std::size_t> explanation_of(const Item& item, const Finding& finding,
                                            const std::string& key) const {
    if (item.hidden) {
      const auto same = by_kind_.find({finding.kind, finding.severity});
      return same == by_kind_.end() ? std::nullopt : std::optional(same->second);
    }
    const auto same = by_key_.find(key);
    return same == by_key_.end() ? std::nullopt : std::optional(same->second);
  }

  /// Has the cause described by this finding, which has a diagnosis, and lists its case first.
  void describe_by(Cause& cause, const Item& item, const Finding& finding) const {
    const std::uint64_t count = cause.finding.count;
    cause.finding = finding;
    cause.finding.count = count;
    cause.status = item.status;
    cause.item = index_;
    cause.cases.insert(cause.cases.begin(), case_label(item));
  }

  void add_message(const Item& item) {
    const auto same = std::ranges::find_if(
        causes_, [&](const Cause& cause) { return cause.finding.message == item.message; });
    if (same != causes_.end()) return;
    Cause cause;
    cause.finding.message = item.message;
    cause.finding.hint = remedy_of(item, record_);
    cause.title = is_case(item) ? case_label(item) : worded_title(item);
    cause.status = item.status;
    cause.item = index_;
    causes_.push_back(std::move(cause));
  }

  /// Sets `after` of a wrong result that an error of the run may explain, and of a second place
  /// with the same remedy.
  void find_what_comes_first(std::size_t index) {
    Cause& cause = causes_[index];
    if (!is_error_finding(cause)) return;
    const auto same = std::ranges::find_if(with_remedy_, [&](std::size_t other) {
      const Finding& first = causes_[other].finding;
      return first.kind == cause.finding.kind && first.hint == cause.finding.hint;
    });
    const bool has_remedy = cause.finding.line > 0 && !cause.finding.hint.empty();
    if (const auto first = what_it_follows(cause, index)) {
      cause.finding.hint = fmt::format("This may come from the {}: repair that first.",
                                       finding_name(causes_[*first].finding));
      cause.after = first;
    } else if (same != with_remedy_.end()) {
      const Finding& finding = causes_[*same].finding;
      cause.after = *same;
      cause.finding.hint = finding.line == cause.finding.line
                               ? "The same as above."
                               : fmt::format("The same as for line {}.", finding.line);
    }
    if (!cause.after && has_remedy) with_remedy_.push_back(index);
  }

  std::optional<std::size_t> what_it_follows(const Cause& cause, std::size_t index) const {
    if (about(cause.finding.kind).shows_in != Stage::result) return std::nullopt;
    for (std::size_t i = 0; i < index; ++i) {
      const Cause& first = causes_[i];
      if (is_error_finding(first) && !first.after && may_follow(cause, first)) return i;
    }
    return std::nullopt;
  }

  /// Whether the result has no diagnosis and is wrong only in cases whose runs had errors too.
  bool may_follow(const Cause& cause, const Cause& first) const {
    if (!diagnosis_word(cause.finding).empty()) return false;
    const auto did_wrong = [&](const std::string& label) {
      return std::ranges::any_of(causes_, [&](const Cause& other) {
        return is_error_finding(other) && about(other.finding.kind).spoils_outputs &&
               std::ranges::count(other.cases, label) > 0;
      });
    };
    return about(first.finding.kind).spoils_outputs &&
           std::ranges::count(first.cases, cause.cases.front()) > 0 &&
           std::ranges::all_of(cause.cases, did_wrong);
  }

  static void add_case(Cause& cause, const Item& item) {
    const std::string label = case_label(item);
    if (std::ranges::count(cause.cases, label) == 0) cause.cases.push_back(label);
  }

  const Record& record_;
  std::vector<Cause> causes_;
  std::unordered_map<std::string, std::size_t> by_key_;  // places in `causes_`, by key_of()
  std::map<std::pair<FindingKind, Severity>, std::size_t> by_kind_;  // the first of each kind
  /// The first cause with each remedy, to which later ones refer.
  std::vector<std::size_t> with_remedy_;
  std::ptrdiff_t cases_ = 0;
  std::size_t index_ = 0;  // of the item that is being added
};

/// " in another shape, whose limit is 5" if the item's number comes from a case with another bound.
std::string elsewhere(const Item& item) {
  if (!item.goal || item.status != Status::fail) return "";
  const std::optional<double> bound = item.goal->at_most ? item.goal->at_most : item.goal->at_least;
  if (!bound) return "";
  if (item.title == technique_title(*item.goal)) return "";
  return fmt::format(" in another shape, whose limit is {}", short_number(*bound));
}

}  // namespace

std::string finding_name(const Finding& finding) {
  const std::string kind(to_string(finding.kind));
  return finding.line > 0 ? fmt::format("{} in line {}", kind, finding.line) : kind;
}

std::string_view metric_words(Metric metric) {
  const MetricFacts& facts = about(metric);
  return facts.words ? sentence(*facts.words) : facts.name;
}

std::string worded_title(const Item& item) {
  const auto metric = metric_of(item);
  if (!metric || metric_words(*metric) == to_string(*metric)) return item.title;
  return fmt::format("{}{} ({})", metric_words(*metric),
                     item.title.substr(to_string(*metric).size()), to_string(*metric));
}

std::string case_label(const Item& item) {
  if (!is_case(item)) return "";
  if (item.hidden) return item.title;
  return "case " + item.id.substr(kCasePrefix.size());
}

std::string item_name(const Item& item) {
  const std::string label = case_label(item);
  return label.empty() || label == item.title ? item.title : label + ": " + item.title;
}

std::string item_label(const Item& item) {
  if (!item.id.starts_with("technique/") && !item.id.starts_with("performance/"))
    return item_name(item);
  const std::string title = worded_title(item);
  const auto metric = metric_of(item);
  const auto value = metric ? item.metrics.find(*metric) : item.metrics.end();
  if (value == item.metrics.end()) return title;
  return title + ": " + short_number(value->second) + elsewhere(item);
}

std::optional<Item> item_of_all(const Record& record) {
  using enum Status;
  double points = 0;
  bool refused = false;
  for (const Item& item : record.items) {
    if (item.status != error && item.status != skipped && !not_measured(item)) return std::nullopt;
    if (item.status == error && item.message != record.items.front().message) return std::nullopt;
    refused |= std::ranges::any_of(item.findings, [](const Finding& finding) {
      return is_error(finding) && !concerns_cases(finding);
    });
    if (!not_measured(item)) points += item.max_points;
  }
  if (!refused || record.items.size() < 2) return std::nullopt;
  Item all;
  all.title = fmt::format("nothing was run: all {} items wait for a kernel that compiles",
                          record.items.size());
  all.status = error;
  all.max_points = points;
  return all;
}

std::string where_text(const Cause& cause) {
  if (cause.cases.empty()) return "";
  const std::string first = "in " + cause.cases.front();
  const std::size_t others = cause.cases.size() - 1;
  if (others == 0) return first;
  if (cause.everywhere) return first + ", also in every other";
  if (others > kMaxListed) return fmt::format("{}, also in {} others", first, others);
  return fmt::format("{}, also in {}", first,
                     fmt::join(cause.cases.begin() + 1, cause.cases.end(), ", "));
}

std::vector<Cause> causes_of(const Record& record) {
  return Collector(record).take();
}

}  // namespace tessera
