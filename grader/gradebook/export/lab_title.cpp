#include "grader/gradebook/export/lab_title.h"

#include <algorithm>
#include <cctype>

#include "grader/gradebook/intake/names.h"

namespace tessera {
namespace {

using Words = std::vector<std::string>;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c & 0x80) != 0 || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool is_number(const std::string& word) {
  return is_digit(word.front());
}

/// Words and numbers in lower case: "Lab03-Tiled" -> "lab", "3", "tiled".
Words words_of(std::string_view text) {
  Words words;
  char before = ' ';
  for (const char c : folded(text)) {
    if (is_digit(c) || is_letter(c)) {
      const bool starts = is_digit(c) ? !is_digit(before) : !is_letter(before);
      if (starts) words.emplace_back();
      if (words.back() == "0") words.back().clear();
      words.back() += c;
    }
    before = c;
  }
  return words;
}

bool holds(const Words& words, const Words& part) {
  const auto found = std::search(words.begin(), words.end(), part.begin(), part.end());
  return !part.empty() && found != words.end();
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

LabTitle::LabTitle(std::string_view lab, std::string_view title)
    : id_(words_of(lab)), slug_(id_), title_(words_of(title)) {
  if (id_.empty() || !is_number(id_.front())) return;
  number_ = id_.front();
  slug_.erase(slug_.begin());
}

TitleMatch LabTitle::match(std::string_view assignment) const {
  const Words words = words_of(assignment);
  if (is_alone(words)) return TitleMatch::alone;
  if (is_inside(words)) return TitleMatch::inside;
  const bool perhaps = starts_with_number(assignment) || holds(words, slug_);
  return perhaps && !names_another_number(words) ? TitleMatch::perhaps : TitleMatch::none;
}

bool LabTitle::is_alone(const Words& words) const {
  if (words.empty()) return false;
  if (words == title_) return true;
  Words rest = words;
  const bool numbered = rest.size() > 1 && is_number(rest[1]);
  if (rest.front() == "lab" || (rest.front() == "l" && numbered)) rest.erase(rest.begin());
  const bool same_number = !number_.empty() && !rest.empty() && rest.front() == number_;
  if (same_number) rest.erase(rest.begin());
  if (rest.empty()) return same_number;
  return rest == slug_ || rest == title_ || rest == joined(slug_, title_);
}

bool LabTitle::is_inside(const Words& words) const {
  const bool by_number = !number_.empty() && holds(words, {"lab", number_});
  // An id without a number is only a word like any other.
  const bool by_id = !number_.empty() && !slug_.empty() && holds(words, id_);
  return by_number || by_id || (holds(words, title_) && !names_another_number(words));
}

/// "03 on the GPU" or "3: on the GPU", but not "3D pictures".
bool LabTitle::starts_with_number(std::string_view assignment) const {
  const auto digits =
      static_cast<std::size_t>(std::ranges::find_if_not(assignment, is_digit) - assignment.begin());
  const Words words = words_of(assignment.substr(0, digits));
  if (words.empty() || words.front() != number_) return false;
  if (assignment.front() == '0')
    return digits == assignment.size() || !is_letter(assignment[digits]);
  return digits < assignment.size() &&
         std::string_view(":.)-").find(assignment[digits]) != std::string_view::npos;
}

/// Whether the title starts with a number, or has one after "lab", that is not the lab's.
bool LabTitle::names_another_number(const Words& words) const {
  const auto is_another = [&](const std::string& word) {
    const bool of_title = !title_.empty() && title_.front() == word;
    return is_number(word) && word != number_ && !of_title;
  };
  if (is_another(words.front())) return true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] == "lab" && is_another(words[i])) return true;
  }
  return false;
}

}  // namespace tessera
