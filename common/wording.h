// What is told of a kernel, as values: phrases of the catalogue and what fills them in. English is
// made of them where somebody reads it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {

/// A row of the catalogue, common/wording/*.def.
enum class Phrase : std::uint16_t {
#define TESSERA_PHRASE(name, text) name,
#include "common/wording/catalogue.def"
};

inline constexpr std::size_t kPhrases = 0
#define TESSERA_PHRASE(name, text) +1
#include "common/wording/catalogue.def"
    ;

/// "line 13" of the student's source.
struct SourceLine {
  int number = 0;  // 0: not known
  bool operator==(const SourceLine&) const = default;
};

/// What tells one cause from another: an array, a function, a count that is part of the mistake.
struct Name {
  std::string text;
  bool operator==(const Name&) const = default;
};

/// What varies between the cases of one mistake: sizes, addresses, how often.
struct Detail {
  std::string text;
  Detail() = default;
  Detail(std::string it) : text(std::move(it)) {}
  Detail(std::integral auto number) : text(std::to_string(number)) {}
  bool operator==(const Detail&) const = default;
};

/// As[3][5]: its array is a Name, which element varies.
struct ArrayElement {
  std::string array;
  std::string index;  // "[3][5]"; " + 212 bytes"; "" of a single value
  bool operator==(const ArrayElement&) const = default;
  std::string str() const { return array + index; }
};

/// "thread (3, 0, 0)", with its block where that is told; it varies.
struct Thread {
  std::string index;  // "": of a thread that is not known
  std::string block;  // "": not told
  bool operator==(const Thread&) const = default;
};

/// "1 byte", "1,024 bytes": the noun is a phrase of its own.
struct Count {
  std::uint64_t number = 0;
  Phrase noun = Phrase::verbatim;
  bool operator==(const Count&) const = default;
};

/// A phrase with a value for each {} in it, in their order.
struct Statement {
  using Value = std::variant<Detail, Name, ArrayElement, SourceLine, Thread, Count, Phrase>;

  Phrase phrase = Phrase::verbatim;
  std::vector<Value> values{};
  bool operator==(const Statement&) const = default;
};

/// The phrase in the language that is printed, with {} for each value; of a noun "one|several".
/// Another language is another definition of this function (wording/english.cpp).
std::string_view sentence(Phrase phrase);
/// How many values the phrase takes.
std::size_t values_of(Phrase phrase);
/// Whether it has a form for one and one for several, for a Count.
bool is_noun(Phrase phrase);

/// Whether the statement has what its phrase takes, as one from elsewhere may not: as many values,
/// of verbatim words the words, and of each Count a noun.
bool is_complete(const Statement& statement);

/// The phrase's name in the catalogue, and the phrase that `name` names.
std::string_view to_string(Phrase phrase);
std::optional<Phrase> phrase_called(std::string_view name);

/// Statements that follow each other without a gap.
class Text {
 public:
  Text() = default;
  /// Words that are nobody's of ours, as a compiler's.
  Text(std::string verbatim);
  Text(const char* verbatim) : Text(std::string(verbatim)) {}
  Text(std::string_view verbatim) : Text(std::string(verbatim)) {}
  Text(Phrase phrase) { statements_.push_back({phrase}); }
  explicit Text(std::vector<Statement> statements) : statements_(std::move(statements)) {}

  const std::vector<Statement>& statements() const { return statements_; }
  std::vector<Statement>& statements() { return statements_; }
  bool empty() const { return statements_.empty(); }
  Text& operator+=(const Text& more);
  friend Text operator+(Text first, const Text& second) { return first += second; }
  bool operator==(const Text&) const = default;

  /// As it is printed.
  std::string str() const;
  operator std::string() const { return str(); }
  friend std::ostream& operator<<(std::ostream& to, const Text& text);

  /// Equal for what is told of one cause in several cases: phrases but for remarks, and names.
  /// Words that are not ours count without their numbers and what stands in parentheses.
  std::string cause() const;

 private:
  std::vector<Statement> statements_;
};

/// say(Phrase::freed_block, Name{"tile"}, 4): the phrase with these values.
template <class... Values>
Text say(Phrase phrase, Values&&... values) {
  Text text = phrase;
  std::vector<Statement::Value>& filled = text.statements().front().values;
  const auto add = [&filled](auto&& value) {
    if constexpr (std::integral<std::remove_cvref_t<decltype(value)>>) {
      filled.push_back(Detail(value));
    } else {
      filled.push_back(std::forward<decltype(value)>(value));
    }
  };
  (add(std::forward<Values>(values)), ...);
  return text;
}

}  // namespace tessera
