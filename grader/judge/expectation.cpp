#include "grader/judge/expectation.h"

#include <fmt/format.h>

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

constexpr std::array kStatuses = {Status::pass,     Status::partial, Status::fail,
                                  Status::error,    Status::timeout, Status::skipped,
                                  Status::deferred, Status::infra};

bool is_status(std::string_view word) {
  return std::ranges::any_of(kStatuses, [&](Status status) { return to_string(status) == word; });
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
  for (const FindingKind kind : all_finding_kinds()) kinds.emplace_back(to_string(kind));
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

}  // namespace

Expected<Expectation> read_expectation(std::string_view source, const std::string& file) {
  static const std::regex kHeader("// expect: (.*?) -- (.+)");
  const std::vector<std::string> lines = split_lines(source.substr(0, source.find('\n')));
  std::smatch match;
  if (lines.empty() || !std::regex_match(lines.front(), match, kHeader)) {
    return Error{file, 1, 0,
                 "the first line tells what the kernel loses, and why: '// expect: race -- nobody "
                 "waits for the tile'"};
  }
  Expectation expectation{split_words(match[1]), match[2]};
  for (const std::string& word : expectation.words) {
    if (const auto mistake = mistake_in(word)) return Error{file, 1, 0, *mistake};
  }
  return expectation;
}

std::vector<std::string> missing_words(const Expectation& expectation, const Record& record) {
  std::vector<std::string> missing;
  std::ranges::copy_if(expectation.words, std::back_inserter(missing),
                       [&](const std::string& word) { return !shows(record, word); });
  return missing;
}

}  // namespace tessera
