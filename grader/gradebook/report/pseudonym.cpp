#include "grader/gradebook/report/pseudonym.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "common/sha256.h"

namespace tessera {
namespace {

// No vowels, so that no words come out, and no letters that look alike.
constexpr std::string_view kLetters = "23456789bcdfghjkmnpqrstvwxyz";
constexpr std::size_t kLength = 8;  // two of 2,000 students are called alike once in 200,000

}  // namespace

std::string pseudonym(RowId student, const std::string& key) {
  const std::string digest = sha256(fmt::format("{}:{}", key, student));
  std::uint64_t number = 0;
  std::from_chars(digest.data(), digest.data() + 16, number, 16);
  std::string word;
  for (std::size_t i = 0; i < kLength; ++i) {
    if (i == kLength / 2) word += '-';
    word += kLetters[number % kLetters.size()];
    number /= kLetters.size();
  }
  return word;
}

std::vector<Mark> anonymised(std::vector<Mark> marks, const std::string& key) {
  for (Mark& mark : marks) {
    mark.student.identity = {.name = pseudonym(mark.student.id, key)};
    mark.note.clear();
    if (mark.attempt) {
      BookAttempt bare;
      bare.id = mark.attempt->id;
      bare.lab = mark.attempt->lab;
      bare.sha256 = mark.attempt->sha256;
      mark.attempt = bare;
    }
    for (AttemptOutcome& outcome : mark.history) outcome.submitted_at.clear();
  }
  std::ranges::stable_sort(
      marks, {}, [](const Mark& mark) -> const std::string& { return mark.student.identity.name; });
  return marks;
}

}  // namespace tessera
