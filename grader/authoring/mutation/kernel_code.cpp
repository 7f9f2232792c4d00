#include "grader/authoring/mutation/kernel_code.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "common/text.h"

namespace tessera {
namespace {

/// Words that stand before an expression, never before the name in a declaration.
const std::set<std::string_view> kStatementWords = {"return", "else", "case",
                                                    "do",     "goto", "throw"};

const std::set<std::string_view> kTemplates = {"Matrix", "static_cast", "reinterpret_cast",
                                               "const_cast", "template"};

bool opens(std::string_view text) {
  return text == "(" || text == "[" || text == "{";
}

bool closes(std::string_view text) {
  return text == ")" || text == "]" || text == "}";
}

/// The byte at which each line starts.
std::vector<std::size_t> line_starts(std::string_view source) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\n') starts.push_back(i + 1);
  }
  return starts;
}

/// For each line whether it lies between marks; empty if there are no marks.
std::vector<bool> marked_lines(const std::string& source) {
  std::vector<bool> marked;
  bool inside = false;
  bool any = false;
  for (const std::string& line : split_lines(source)) {
    const std::size_t start = line.find_first_not_of(" \t");
    const std::string_view text =
        start == std::string::npos ? std::string_view() : std::string_view(line).substr(start);
    if (text.starts_with("// BEGIN SOLUTION")) inside = any = true;
    if (text.starts_with("// END SOLUTION")) inside = false;
    marked.push_back(inside);
  }
  return any ? marked : std::vector<bool>();
}

}  // namespace

std::string edited(std::string source, std::vector<Edit> edits) {
  std::ranges::stable_sort(edits, std::greater(), &Edit::begin);
  for (const Edit& edit : edits) source.replace(edit.begin, edit.end - edit.begin, edit.text);
  return source;
}

KernelCode::KernelCode(const Source& source) : source_(source.text()) {
  read_lexemes(source.code());
  pair_brackets();
  find_functions();
  find_template_brackets();
  mark_editable();
}

bool KernelCode::is(std::size_t index, std::string_view text) const {
  return index < lexemes_.size() && lexemes_[index].text == text;
}

bool KernelCode::is_identifier(std::size_t index) const {
  return index < lexemes_.size() && lexemes_[index].kind == Token::Kind::identifier;
}

std::string KernelCode::text(LexemeRange range) const {
  if (range.empty()) return "";
  const std::size_t begin = lexemes_[range.first].begin;
  return source_.substr(begin, lexemes_[range.last - 1].end - begin);
}

std::vector<LexemeRange> KernelCode::parts(std::size_t open) const {
  std::vector<LexemeRange> parts;
  const std::size_t close = lexemes_[open].partner;
  if (close == kNowhere || close == open + 1) return parts;
  std::size_t first = open + 1;
  for (std::size_t i = first; i <= close; ++i) {
    if (i == close || is(i, ",")) {
      parts.push_back({first, i});
      first = i + 1;
    } else if (opens(lexemes_[i].text) && lexemes_[i].partner != kNowhere) {
      i = lexemes_[i].partner;
    }
  }
  return parts;
}

LexemeRange KernelCode::left_operand(std::size_t index, const std::set<std::string>& enders) const {
  std::size_t first = index;
  while (first > 0) {
    const Lexeme& before = lexemes_[first - 1];
    if (closes(before.text) && before.text != "}" && before.partner != kNowhere) {
      first = before.partner;
      continue;
    }
    if (opens(before.text) || before.text == "}" || before.text == ";" || before.text == "return" ||
        enders.contains(before.text))
      break;
    --first;
  }
  return {first, index};
}

LexemeRange KernelCode::right_operand(std::size_t index,
                                      const std::set<std::string>& enders) const {
  std::size_t last = index + 1;
  while (last < lexemes_.size()) {
    const Lexeme& next = lexemes_[last];
    if (closes(next.text) || next.text == ";" || enders.contains(next.text)) break;
    last = opens(next.text) && next.partner != kNowhere ? next.partner + 1 : last + 1;
  }
  return {index + 1, last};
}

bool KernelCode::is_template_bracket(std::size_t index) const {
  return template_brackets_.contains(index);
}

bool KernelCode::in_loop_header(std::size_t index) const {
  for (std::size_t i = 0; i + 1 < index; ++i) {
    const std::size_t close = is(i, "for") && is(i + 1, "(") ? lexemes_[i + 1].partner : kNowhere;
    if (close != kNowhere && index < close) return true;
  }
  return false;
}

bool KernelCode::declares(std::size_t index) const {
  if (!is_identifier(index) || index == 0) return false;
  const Lexeme& before = lexemes_[index - 1];
  if (before.kind == Token::Kind::identifier) return !kStatementWords.contains(before.text);
  if (is_template_bracket(index - 1)) return true;
  // `x * y = ...` makes no sense as an expression: the star belongs to a type.
  return (before.text == "*" || before.text == "&") && (is(index + 1, "=") || is(index + 1, ";"));
}

void KernelCode::read_lexemes(const std::vector<Token>& tokens) {
  const std::vector<std::size_t> starts = line_starts(source_);
  for (const Token& token : tokens) {
    const std::size_t begin = starts[static_cast<std::size_t>(token.line) - 1] +
                              static_cast<std::size_t>(token.column) - 1;
    lexemes_.push_back({.kind = token.kind,
                        .text = token.text,
                        .begin = begin,
                        .end = begin + token.text.size(),
                        .line = token.line,
                        .column = token.column});
  }
}

void KernelCode::pair_brackets() {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < lexemes_.size(); ++i) {
    if (opens(lexemes_[i].text)) {
      open.push_back(i);
    } else if (closes(lexemes_[i].text) && !open.empty()) {
      lexemes_[i].partner = open.back();
      lexemes_[open.back()].partner = i;
      open.pop_back();
    }
  }
}

void KernelCode::find_functions() {
  for (std::size_t i = 0; i + 1 < lexemes_.size(); ++i) {
    if (is(i, "{") && lexemes_[i].partner != kNowhere) {
      i = lexemes_[i].partner;  // a struct, or a namespace
      continue;
    }
    if (!is_identifier(i) || !is(i + 1, "(") || lexemes_[i + 1].partner == kNowhere) continue;
    const std::size_t open = lexemes_[i + 1].partner + 1;
    if (!is(open, "{") || lexemes_[open].partner == kNowhere) continue;
    functions_.push_back({lexemes_[i].text, i + 1, open, lexemes_[open].partner});
    i = lexemes_[open].partner;
  }
}

void KernelCode::find_template_brackets() {
  for (std::size_t i = 0; i + 1 < lexemes_.size(); ++i) {
    if (!kTemplates.contains(lexemes_[i].text) || !is(i + 1, "<")) continue;
    std::size_t close = i + 2;
    while (close < lexemes_.size() && !is(close, ">") && !is(close, ";")) ++close;
    if (!is(close, ">")) continue;
    template_brackets_.insert({i + 1, close});
  }
}

void KernelCode::mark_editable() {
  const std::vector<bool> marked = marked_lines(source_);
  for (Lexeme& lexeme : lexemes_) {
    // A token with a line splice inside differs from the source at its place.
    const bool whole = source_.compare(lexeme.begin, lexeme.text.size(), lexeme.text) == 0;
    lexeme.editable =
        whole && (marked.empty() || marked[static_cast<std::size_t>(lexeme.line) - 1]);
  }
  for (const FunctionRange& function : functions_) {
    for (std::size_t i = function.open + 1; i < function.close && function.name == "launch"; ++i) {
      const Lexeme& lexeme = lexemes_[i];
      lexemes_[i].editable = source_.compare(lexeme.begin, lexeme.text.size(), lexeme.text) == 0;
    }
  }
}

}  // namespace tessera
