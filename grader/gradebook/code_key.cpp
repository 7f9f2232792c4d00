#include "grader/gradebook/code_key.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "common/text.h"
#include "grader/compile/compiler.h"
#include "grader/compile/lexer.h"

namespace tessera {
namespace {

/// A word of the source where it stands; directives are cut into words as code is.
struct Word {
  std::string text;
  int line = 0;
  int column = 0;
};

/// All words in source order, or nothing where the text cannot be told apart.
std::optional<std::vector<Word>> words_of(std::string_view source) {
  const TokenizedSource tokens = tokenize(source);
  if (!tokens.errors.empty()) return std::nullopt;
  std::vector<Word> words;
  for (const Token& token : tokens.code) words.push_back({token.text, token.line, token.column});
  for (const Directive& directive : tokens.directives) {
    words.push_back({"#" + directive.name, directive.line, directive.column});
    // As it is written: in a macro's definition a blank has a meaning.
    words.push_back({directive.rest, directive.line, directive.column + 1});
  }
  std::ranges::stable_sort(words, {}, [](const Word& w) { return std::pair(w.line, w.column); });
  return words;
}

/// Also where it is hidden in a macro's definition.
bool asks_for_its_line(const std::vector<Word>& words) {
  static constexpr std::array<std::string_view, 4> kParts = {"__LINE__", "assert", "__builtin_LINE",
                                                             "source_location"};
  return std::ranges::any_of(words, [](const Word& word) {
    return word.text == "#line" || word.text == "#" ||
           std::ranges::any_of(kParts, [&](std::string_view part) {
             return word.text.find(part) != word.text.npos;
           });
  });
}

/// Places of one source -> places of another with the same words.
class PlaceMap {
 public:
  PlaceMap(const std::vector<Word>& from, const std::vector<Word>& to) {
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      lines_.try_emplace(from[i].line, to[i].line);
      columns_.try_emplace({from[i].line, from[i].column}, to[i].column);
    }
  }

  /// A line without code lies as far behind the last line of code as it did.
  int line(int from) const {
    if (from <= 0) return from;
    const auto next = lines_.upper_bound(from);
    if (next == lines_.begin()) return from;
    const auto& [known, to] = *std::prev(next);
    return to + (from - known);
  }

  int column(int line, int column) const {
    const auto next = columns_.upper_bound({line, column});
    if (column <= 0 || next == columns_.begin()) return column;
    const auto& [known, to] = *std::prev(next);
    return known.first == line ? to + (column - known.second) : column;
  }

  bool changes_nothing() const {
    return std::ranges::all_of(lines_,
                               [](const auto& pair) { return pair.first == pair.second; }) &&
           std::ranges::all_of(columns_,
                               [](const auto& pair) { return pair.first.second == pair.second; });
  }

 private:
  std::map<int, int> lines_;
  std::map<std::pair<int, int>, int> columns_;
};

/// Puts the other source's line in place of the number at `at`, if there is one.
void retell_number(std::string& text, std::size_t at, const PlaceMap& places) {
  int line = 0;
  const char* const begin = text.data() + at;
  const auto [end, failure] = std::from_chars(begin, text.data() + text.size(), line);
  const auto length = static_cast<std::size_t>(end - begin);
  if (failure != std::errc() || text.compare(at + length, 11, " of the PTX") == 0) return;
  text.replace(at, length, std::to_string(places.line(line)));
}

/// The number after "line " is one of the source, unless it is said to be the PTX's.
void retell_lines(std::string& text, const PlaceMap& places) {
  static constexpr std::string_view kWord = "line ";
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at)) {
    at += kWord.size();
    retell_number(text, at, places);
  }
}

void retell(Finding& finding, const PlaceMap& places) {
  finding.column = places.column(finding.line, finding.column);
  finding.line = places.line(finding.line);
  retell_lines(finding.message, places);
  retell_lines(finding.hint, places);
  for (auto& [name, value] : finding.example) {
    if (name.ends_with("line")) retell_number(value, 0, places);  // "line", "other line"
    retell_lines(value, places);
  }
}

void retell(Item& item, const PlaceMap& places) {
  retell_lines(item.message, places);
  retell_lines(item.hint, places);
  for (Finding& finding : item.findings) retell(finding, places);
}

/// "+ +" and "++" are the same two words to the lexer, and different to a compiler.
bool make_one_operator(const Word& word, const Word& next) {
  static constexpr std::string_view kOperators = "+-*/%&|^<>=!:.#";
  return word.text.size() == 1 && next.text.size() == 1 && word.line == next.line &&
         word.column + 1 == next.column && kOperators.find(word.text[0]) != kOperators.npos &&
         kOperators.find(next.text[0]) != kOperators.npos;
}

}  // namespace

std::string code_key(std::string_view source) {
  const std::string normalized = normalize_source(std::string(source));
  const auto words = words_of(normalized);
  if (!words || asks_for_its_line(*words)) return sha256(source);
  std::string text;
  for (std::size_t i = 0; i < words->size(); ++i) {
    const Word& word = (*words)[i];
    if (i > 0 && !make_one_operator((*words)[i - 1], word))
      text += (*words)[i - 1].line == word.line ? '\x1f' : '\n';
    text += word.text;
  }
  return sha256(text);
}

Record retold(const Record& record, std::string_view from, std::string_view to,
              const std::string& path) {
  Record told = record;
  told.path = path;
  told.sha256 = sha256(to);
  const std::string normalized = normalize_source(std::string(to));
  told.source = split_lines(normalized);
  if (from == to) return told;
  const auto words = words_of(normalize_source(std::string(from)));
  const auto others = words_of(normalized);
  if (!words || !others) return told;
  const PlaceMap places(*words, *others);
  if (places.changes_nothing()) return told;
  for (Item& item : told.items) retell(item, places);
  for (LineAccess& access : told.lines) access.line = places.line(access.line);
  return told;
}

}  // namespace tessera
