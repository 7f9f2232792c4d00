// The words that a diagnosis may be: stable, so that a class report can count mistakes.
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

/// What the example of a finding says about `key` ("element", "got"), or "".
std::string example_value(const Finding& finding, std::string_view key);

/// What the example of a finding calls the word of its diagnosis.
inline constexpr std::string_view kDiagnosisKey = "diagnosis";

/// The word of the finding's diagnosis, or "".
std::string diagnosis_word(const Finding& finding);

}  // namespace tessera
