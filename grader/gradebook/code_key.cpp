#include "grader/gradebook/code_key.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "common/sha256.h"
#include "common/utf8.h"
#include "grader/compile/source.h"

namespace tessera {
namespace {

/// A word of the source with its place; directives are split into words like code.
struct Word {
  std::string text;
  int line = 0;
  int column = 0;
};

/// All words in source order, or nothing if the text cannot be split into tokens.
std::optional<std::vector<Word>> words_of(const Source& source) {
  if (!source.errors().empty()) return std::nullopt;
  std::vector<Word> words;
  for (const Token& token : source.code()) words.push_back({token.text, token.line, token.column});
  for (const Directive& directive : source.directives()) {
    words.push_back(
        {.text = "#" + directive.name, .line = directive.line, .column = directive.column});
    // As it is written: in a macro's definition a blank has a meaning.
    words.push_back(
        {.text = directive.rest, .line = directive.line, .column = directive.column + 1});
  }
  std::ranges::stable_sort(words, {}, [](const Word& w) { return std::pair(w.line, w.column); });
  return words;
}

/// Names through which a program sees its own text, its lines or the time, also inside a macro's
/// definition: an assertion makes a string of its condition.
bool names_its_text(const Word& word) {
  static constexpr std::array<std::string_view, 15> kParts = {
      "__LINE__", "__FILE", "__BASE_FILE__", "__COUNTER__", "__INCLUDE", "__TIME", "__DATE__",
      "__func__", "__FUNC", "__PRETTY_FUNC",
      // Compilers add to these; one of Clang's prints the place of a lambda.
      "__builtin", "source_location", "assert", "_Pragma", "__pragma"};
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return word.text.find(part) != word.text.npos; });
}

/// Compilers differ in what they make of names beyond ASCII.
bool is_beyond_ascii(const Token& token) {
  return token.kind != Token::Kind::string && std::ranges::any_of(token.text, [](char c) {
           return static_cast<unsigned char>(c) > 127;
         });
}

/// A name that headers reserve for themselves may be a macro that makes strings or pastes.
bool is_reserved(const Token& token) {
  const std::string& text = token.text;
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (token.kind != Token::Kind::identifier || text.size() < 3 || text[0] != '_') return false;
  return is_upper(text[1]) || (text[1] == '_' && is_upper(text[2]) && !text.starts_with("__CUDA"));
}

bool is_raw_or_unclosed(const Token& token) {
  const std::size_t quote = token.text.find_first_of("\"'");
  if (token.kind != Token::Kind::string || quote == token.text.npos) return false;
  const bool raw = token.text.substr(0, quote).ends_with('R');
  return raw || quote + 1 == token.text.size() || token.text.back() != token.text[quote];
}

bool is_layout_sensitive(const Directive& directive) {
  static constexpr std::array<std::string_view, 12> kKnown = {
      "include", "define", "undef", "if",    "ifdef",  "ifndef",
      "elif",    "else",   "endif", "error", "pragma", "warning"};
  if (std::ranges::find(kKnown, directive.name) == kKnown.end()) return true;
  if (directive.name == "include") {
    // Other headers bring macros of unknown content.
    return directive.rest.size() < 2 ||
           !std::string_view(directive.rest).substr(1).starts_with("tessera/");
  }
  const std::string& rest = directive.rest;
  return directive.name == "define" &&
         (rest.find('#') != rest.npos || rest.find("%:") != rest.npos);
}

bool is_utf8(std::string_view text) {
  bool all = true;
  for_each_character(
      text, [&](const auto& character, std::string_view) { all &= character.has_value(); });
  return all;
}

/// Whether the text alone makes blanks and comments count: line splices, trigraphs, other control
/// characters, bytes that are no character, which each compiler reads in its own way.
bool has_odd_characters(std::string_view normalized) {
  constexpr std::string_view kBlanks = "\t\n\v\f";
  const bool control = std::ranges::any_of(normalized, [&](char c) {
    return (c >= 0 && c < ' ' && kBlanks.find(c) == kBlanks.npos) || c == '\x7f';
  });
  return control || !is_utf8(normalized) || normalized.find("\\\n") != normalized.npos ||
         normalized.ends_with('\\') || normalized.find("??") != normalized.npos;
}

/// Whether a blank, a comment or an empty line may change what the compiler makes of the source.
bool depends_on_its_layout(const Source& source, const std::vector<Word>& words) {
  const auto is_odd = [](const Token& token) {
    return token.text == "\\" || is_beyond_ascii(token) || is_reserved(token) ||
           is_raw_or_unclosed(token);
  };
  const auto is_odd_directive = [&](const Directive& directive) {
    return is_layout_sensitive(directive) || std::ranges::any_of(directive.tokens, is_odd);
  };
  return has_odd_characters(source.text()) || std::ranges::any_of(source.code(), is_odd) ||
         std::ranges::any_of(source.directives(), is_odd_directive) ||
         std::ranges::any_of(words, names_its_text);
}

/// Maps places of one source to places of another with the same words.
class PlaceMap {
 public:
  PlaceMap(const std::vector<Word>& from, const std::vector<Word>& to) {
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      lines_.try_emplace(from[i].line, to[i].line);
      columns_.try_emplace({from[i].line, from[i].column}, to[i].column);
    }
  }

  /// A line without code stays as far below the last line of code as it was.
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

/// Replaces the number at `at`, if there is one, by the other source's line.
void move_number(std::string& text, std::size_t at, const PlaceMap& places) {
  int line = 0;
  const char* const begin = text.data() + at;
  const auto [end, failure] = std::from_chars(begin, text.data() + text.size(), line);
  const auto length = static_cast<std::size_t>(end - begin);
  if (failure != std::errc() || text.compare(at + length, 11, " of the PTX") == 0) return;
  text.replace(at, length, std::to_string(places.line(line)));
}

/// The number after "line " is a line of the source, unless "of the PTX" follows.
void move_lines(std::string& text, const PlaceMap& places) {
  static constexpr std::string_view kWord = "line ";
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at)) {
    at += kWord.size();
    move_number(text, at, places);
  }
}

void move_places(Text& text, const PlaceMap& places) {
  for (Statement& statement : text.statements()) {
    for (Statement::Value& value : statement.values) {
      if (auto* line = std::get_if<SourceLine>(&value)) line->number = places.line(line->number);
      auto* words = std::get_if<Detail>(&value);
      if (words != nullptr && statement.phrase == Phrase::verbatim) move_lines(words->text, places);
    }
  }
}

void move_places(Finding& finding, const PlaceMap& places) {
  finding.column = places.column(finding.line, finding.column);
  finding.line = places.line(finding.line);
  move_places(finding.message, places);
  move_places(finding.hint, places);
  for (auto& [name, value] : finding.example) {
    if (name.ends_with("line")) move_number(value, 0, places);  // "line", "other line"
    move_lines(value, places);
  }
}

void move_places(Item& item, const PlaceMap& places) {
  move_places(item.message, places);
  move_places(item.hint, places);
  for (Finding& finding : item.findings) move_places(finding, places);
}

}  // namespace

std::string code_key(const Source& source) {
  const auto words = words_of(source);
  if (!words || depends_on_its_layout(source, *words)) return sha256(source.as_read());
  std::string text;
  for (std::size_t i = 0; i < words->size(); ++i) {
    const Word& word = (*words)[i];
    if (i > 0) text += (*words)[i - 1].line == word.line ? '\x1f' : '\n';
    text += word.text;
  }
  return sha256(text);
}

Record copied_record(const Record& record, const Source& from, const Source& to,
                     const std::string& path) {
  Record copied = record;
  copied.path = path;
  copied.sha256 = sha256(to.as_read());
  copied.source = to.lines();
  if (from.as_read() == to.as_read()) return copied;
  const auto words = words_of(from);
  const auto others = words_of(to);
  if (!words || !others) return copied;
  const PlaceMap places(*words, *others);
  if (places.changes_nothing()) return copied;
  for (Item& item : copied.items) move_places(item, places);
  for (LineAccess& access : copied.lines) access.line = places.line(access.line);
  return copied;
}

}  // namespace tessera
