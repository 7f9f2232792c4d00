// The words that name diagnoses. They do not change, so that a report about a class can count
// mistakes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"

namespace tessera {

struct DiagnosisWord {
  std::string_view word;     // "missing-last-phase"
  std::string_view meaning;  // one line
};

/// All of them, sorted by word.
const std::vector<DiagnosisWord>& diagnosis_words();

bool is_diagnosis_word(std::string_view word);

/// The value of `key` ("element", "got") in the example of a finding, or "".
std::string example_value(const Finding& finding, std::string_view key);

/// The key of the diagnosis's word in the example of a finding.
inline constexpr std::string_view kDiagnosisKey = "diagnosis";

/// The word of the finding's diagnosis, or "".
std::string diagnosis_word(const Finding& finding);

}  // namespace tessera
