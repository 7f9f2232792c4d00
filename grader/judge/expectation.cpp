#include "grader/judge/expectation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>
#include <set>

#include "common/finding.h"
#include "common/text.h"
#include "grader/judge/diagnosis/words.h"

namespace tessera {
namespace {

constexpr std::string_view kDiagnosis = "diagnosis=";
constexpr std::string_view kNoDiagnosis = "none";

bool is_status(std::string_view word) {
  return std::ranges::any_of(kAllStatuses,
                             [&](Status status) { return to_string(status) == word; });
}

std::vector<std::string> split_words(const std::string& list) {
  static const std::regex kSeparator(", *");
  return {std::sregex_token_iterator(list.begin(), list.end(), kSeparator, -1),
          std::sregex_token_iterator()};
}

/// What is wrong with `word`, or nothing.
std::optional<std::string> mistake_in(const std::string& word) {
  if (word.starts_with(kDiagnosis)) {
    const std::string diagnosis = word.substr(kDiagnosis.size());
    if (diagnosis == kNoDiagnosis || is_diagnosis_word(diagnosis)) return std::nullopt;
    std::vector<std::string> words;
    for (const DiagnosisWord& known : diagnosis_words()) words.emplace_back(known.word);
    return fmt::format("'{}' is no diagnosis{}", diagnosis, did_you_mean(diagnosis, words));
  }
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos) {
    if (equals > 0 && is_status(word.substr(equals + 1))) return std::nullopt;
    return fmt::format("'{}': write an item and its status, like technique/1=fail", word);
  }
  if (finding_kind(word)) return std::nullopt;
  std::vector<std::string> kinds;
  for (const FindingKind kind : kAllFindingKinds) kinds.emplace_back(to_string(kind));
  return fmt::format("'{}' is no kind of finding{}", word, did_you_mean(word, kinds));
}

/// The diagnoses of all findings.
std::set<std::string> diagnoses(const Record& record) {
  std::set<std::string> words;
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings) {
      if (const std::string word = diagnosis_word(finding); !word.empty()) words.insert(word);
    }
  }
  return words;
}

bool shows(const Record& record, const std::string& word) {
  if (word.starts_with(kDiagnosis)) {
    const std::string wanted = word.substr(kDiagnosis.size());
    const std::set<std::string> words = diagnoses(record);
    return wanted == kNoDiagnosis ? words.empty() : words == std::set<std::string>{wanted};
  }
  const std::size_t equals = word.find('=');
  return std::ranges::any_of(record.items, [&](const Item& item) {
    if (equals != std::string::npos)
      return item.id == word.substr(0, equals) && to_string(item.status) == word.substr(equals + 1);
    return std::ranges::any_of(
        item.findings, [&](const Finding& finding) { return to_string(finding.kind) == word; });
  });
}

/// What is wrong with a first line that is no header.
std::string mistake_in_header(const std::string& line) {
  constexpr std::string_view kStart = "// expect: ";
  if (!line.starts_with(kStart))
    return "the first line must say what the kernel loses, and why: '// expect: race -- no thread "
           "waits for the tile'";
  const std::string words = line.substr(kStart.size(), line.find(" --") - kStart.size());
  return fmt::format("gives no reason: write '// expect: {} -- ' and then the reason",
                     words.empty() ? "race" : words);
}

/// An item of a kind that is numbered: "technique".
struct NumberedItems {
  std::string kind;
  std::size_t count;
};

std::vector<NumberedItems> numbered_items(const Lab& lab) {
  return {{"correctness", lab.cases.size()},
          {"technique", lab.technique.size()},
          {"performance", lab.thresholds.size()}};
}

/// "technique/1 to 4"
std::string numbers_of(const NumberedItems& items) {
  return items.count == 1 ? items.kind + "/1" : fmt::format("{}/1 to {}", items.kind, items.count);
}

bool has_item(const Lab& lab, const std::string& id) {
  if (id == "checks") return !lab.forbid.empty();
  for (const NumberedItems& items : numbered_items(lab)) {
    for (std::size_t i = 1; i <= items.count; ++i) {
      if (id == fmt::format("{}/{}", items.kind, i)) return true;
    }
  }
  return false;
}

bool is_of_speed(const std::string& item) {
  return item.starts_with("technique/") || item.starts_with("performance/");
}

}  // namespace

Expected<Expectation> read_expectation(std::string_view source, const std::string& file) {
  static const std::regex kHeader("// expect: (.*?) -- (.+)");
  const std::vector<std::string> lines = split_lines(source.substr(0, source.find('\n')));
  const std::string first = lines.empty() ? "" : lines.front();
  std::smatch match;
  if (!std::regex_match(first, match, kHeader))
    return Error{.file = file, .line = 1, .message = mistake_in_header(first)};
  Expectation expectation{split_words(match[1]), match[2]};
  for (const std::string& word : expectation.words) {
    if (const auto mistake = mistake_in(word))
      return Error{.file = file, .line = 1, .message = *mistake};
  }
  return expectation;
}

std::string unknown_item(const Expectation& expectation, const Lab& lab) {
  for (const std::string& word : expectation.words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || word.starts_with(kDiagnosis)) continue;
    if (has_item(lab, word.substr(0, equals))) continue;
    std::vector<std::string> known;
    for (const NumberedItems& items : numbered_items(lab)) {
      if (items.count > 0) known.push_back(numbers_of(items));
    }
    if (!lab.forbid.empty()) known.emplace_back("checks");
    return fmt::format("no item '{}': this lab has {}", word.substr(0, equals),
                       fmt::join(known, ", "));
  }
  return "";
}

bool loses_no_correctness(const Expectation& expectation) {
  return std::ranges::all_of(expectation.words, is_of_speed);
}

std::vector<std::string> missing_words(const Expectation& expectation, const Record& record) {
  std::vector<std::string> missing;
  std::ranges::copy_if(expectation.words, std::back_inserter(missing),
                       [&](const std::string& word) { return !shows(record, word); });
  return missing;
}

std::vector<std::string> lost_words(const Record& record) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& word) {
    if (std::ranges::count(words, word) == 0) words.push_back(word);
  };
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings) {
      if (finding.severity == Severity::error) add(std::string(to_string(finding.kind)));
    }
  }
  for (const std::string& word : diagnoses(record)) add(std::string(kDiagnosis) + word);
  for (const Item& item : record.items) {
    const bool lost = item.status == Status::fail || item.status == Status::partial;
    if (lost && is_of_speed(item.id)) add(fmt::format("{}={}", item.id, to_string(item.status)));
  }
  return words;
}

}  // namespace tessera
