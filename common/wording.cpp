#include "common/wording.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <ostream>

#include "common/numbers.h"

namespace tessera {
namespace {

struct Row {
  std::string_view name;
  bool remark = false;
};

constexpr Row kCatalogue[] = {
#define TESSERA_PHRASE(name, text) {#name},
#define TESSERA_REMARK(name, text) {#name, true},
#include "common/wording/catalogue.def"
};

constexpr std::string_view kPlace = "{}";

const Row& row_of(Phrase phrase) {
  return kCatalogue[static_cast<std::size_t>(phrase)];
}

std::string rendered(const Statement& statement);

struct Rendered {
  std::string operator()(const Detail& detail) const { return detail.text; }
  std::string operator()(const Name& name) const { return name.text; }
  std::string operator()(const ArrayElement& element) const { return element.str(); }
  std::string operator()(SourceLine line) const {
    if (line.number == 0) return rendered({Phrase::unknown_line});
    return rendered({Phrase::line, {Detail(line.number)}});
  }
  std::string operator()(const Thread& thread) const {
    if (thread.index.empty()) return rendered({Phrase::another_thread});
    if (thread.block.empty()) return rendered({Phrase::one_thread, {Detail(thread.index)}});
    return rendered({Phrase::thread_of_block, {Detail(thread.index), Detail(thread.block)}});
  }
  std::string operator()(Count count) const {
    const std::string_view forms = sentence(count.noun);
    const std::size_t bar = forms.find('|');
    const std::string_view form = count.number == 1 ? forms.substr(0, bar) : forms.substr(bar + 1);
    return grouped(count.number) + " " + std::string(form);
  }
  std::string operator()(Phrase phrase) const { return std::string(sentence(phrase)); }
};

/// Places without a value stay empty.
std::string rendered(const Statement& statement) {
  std::string text;
  std::string_view rest = sentence(statement.phrase);
  for (const Statement::Value& value : statement.values) {
    const std::size_t at = rest.find(kPlace);
    if (at == rest.npos) break;
    text += rest.substr(0, at);
    text += std::visit(Rendered{}, value);
    rest.remove_prefix(at + kPlace.size());
  }
  return text += rest;
}

bool digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// `text` without parentheses and their contents, and without the blank before each.
std::string without_parentheses(const std::string& text) {
  std::string result;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') {
      if (depth++ == 0 && result.ends_with(' ')) result.pop_back();
    } else if (c == ')' && depth > 0) {
      --depth;
    } else if (depth == 0) {
      result += c;
    }
  }
  return result;
}

/// "C[3][5] is 1,024.5" and "C[3] is 0" -> "C[#] is #"
std::string without_numbers(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(text[i])) {
      result += text[i++];
      continue;
    }
    result += '#';
    const auto continues = [&](std::size_t at) {
      const bool separator = text[at] == ',' || text[at] == '.';
      return digit(text[at]) || (separator && at + 1 < text.size() && digit(text[at + 1]));
    };
    while (i < text.size() && continues(i)) ++i;
    if (text.compare(i, 1, "]") == 0 && result.ends_with("[#][#")) result.erase(result.size() - 3);
  }
  return result;
}

/// The part of a value that belongs to the cause.
struct OfCause {
  std::string operator()(const Name& name) const { return name.text; }
  std::string operator()(const ArrayElement& element) const { return element.array; }
  std::string operator()(Phrase phrase) const { return std::string(to_string(phrase)); }
  std::string operator()(const auto&) const { return ""; }
};

std::string cause_of(const Statement& statement) {
  std::string cause(to_string(statement.phrase));
  if (statement.phrase == Phrase::verbatim) {
    const std::string words = rendered(statement);
    return cause + ':' + without_numbers(without_parentheses(words));
  }
  for (const Statement::Value& value : statement.values)
    cause += '\0' + std::visit(OfCause{}, value);
  return cause;
}

}  // namespace

std::size_t values_of(Phrase phrase) {
  const std::string_view text = sentence(phrase);
  std::size_t values = 0;
  for (std::size_t at = 0; (at = text.find(kPlace, at)) != text.npos; at += kPlace.size()) ++values;
  return values;
}

bool is_noun(Phrase phrase) {
  return sentence(phrase).find('|') != std::string_view::npos;
}

bool is_complete(const Statement& statement) {
  if (statement.values.size() != values_of(statement.phrase)) return false;
  if (statement.phrase == Phrase::verbatim)
    return std::holds_alternative<Detail>(statement.values.front());
  return std::ranges::all_of(statement.values, [](const Statement::Value& value) {
    const auto* count = std::get_if<Count>(&value);
    return count == nullptr || is_noun(count->noun);
  });
}

std::string_view to_string(Phrase phrase) {
  return row_of(phrase).name;
}

std::optional<Phrase> phrase_called(std::string_view name) {
  const auto row = std::ranges::find(kCatalogue, name, &Row::name);
  if (row == std::end(kCatalogue)) return std::nullopt;
  return static_cast<Phrase>(row - kCatalogue);
}

Text::Text(std::string verbatim) {
  if (!verbatim.empty()) statements_.push_back({Phrase::verbatim, {Detail(std::move(verbatim))}});
}

Text& Text::operator+=(const Text& more) {
  statements_.insert(statements_.end(), more.statements_.begin(), more.statements_.end());
  return *this;
}

std::string Text::str() const {
  std::string text;
  for (const Statement& statement : statements_) text += rendered(statement);
  return text;
}

std::ostream& operator<<(std::ostream& to, const Text& text) {
  return to << text.str();
}

std::string Text::cause() const {
  std::string cause;
  for (const Statement& statement : statements_) {
    if (!row_of(statement.phrase).remark) cause += cause_of(statement) + '\n';
  }
  return cause;
}

}  // namespace tessera
