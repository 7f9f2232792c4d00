// What a kernel that is wrong on purpose must lose, as its first line says:
//
//     // expect: race -- threads read tiles that others have not filled yet
//     // expect: technique/1=fail, technique/2=fail -- right, but a warp walks down a column
//     // expect: wrong-result, diagnosis=missing-last-phase -- the loop ends one phase too early
//
// authoring/README.md has the rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

struct Expectation {
  /// Kinds of findings ("race"), statuses of items ("technique/1=fail") and the diagnosis
  /// ("diagnosis=zero": this diagnosis and no other; "diagnosis=none": there is none). The record
  /// must show all of them.
  std::vector<std::string> words;
  std::string why;
};

/// The expectation in the first line of `source`. Errors name `file` and what is missing: no such
/// line, nothing expected, no reason, a word that is neither a kind of finding nor an item with a
/// status, an unknown diagnosis.
Expected<Expectation> read_expectation(std::string_view source, const std::string& file);

/// The message about an item that the lab does not have: "no item 'technique/9': this lab has ...";
/// or "".
std::string unknown_item(const Expectation& expectation, const Lab& lab);

/// Whether the kernel is expected to be right, and to lose only technique or performance.
bool loses_no_correctness(const Expectation& expectation);

/// The words of the expectation that the record does not show.
std::vector<std::string> missing_words(const Expectation& expectation, const Record& record);

/// The words that say what the record loses: kinds of errors, diagnoses, technique and performance
/// items that are not won.
std::vector<std::string> lost_words(const Record& record);

}  // namespace tessera
