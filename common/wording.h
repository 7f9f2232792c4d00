// Messages about a kernel as values: phrases of the catalogue and the values that fill them in.
// They become English only when they are printed.
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

/// A value that distinguishes causes: an array, a function, a count that is part of the mistake.
struct Name {
  std::string text;
  bool operator==(const Name&) const = default;
};

/// A value that varies between cases of one mistake: a size, an address, how often.
struct Detail {
  std::string text;
  Detail() = default;
  Detail(std::string it) : text(std::move(it)) {}
  Detail(std::integral auto number) : text(std::to_string(number)) {}
  bool operator==(const Detail&) const = default;
};

/// As[3][5]: the array is a Name; the index varies.
struct ArrayElement {
  std::string array;
  std::string index;  // "[3][5]"; " + 212 bytes"; "" for a single value
  bool operator==(const ArrayElement&) const = default;
  std::string str() const { return array + index; }
};

/// "thread (3, 0, 0)", with its block if given; it varies.
struct Thread {
  std::string index;  // "": the thread is unknown
  std::string block;  // "": not given
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

/// The phrase in the language of the output, with {} for each value; "singular|plural" for a noun.
/// Another language is another definition of this function (wording/english.cpp).
std::string_view sentence(Phrase phrase);
/// How many values the phrase takes.
std::size_t values_of(Phrase phrase);
/// Whether the phrase is a noun with a singular and a plural form, for a Count.
bool is_noun(Phrase phrase);

/// Whether the statement has all that its phrase takes, which a statement read from a file may
/// lack: the right number of values, the words of a verbatim phrase, and a noun for each Count.
bool is_complete(const Statement& statement);

/// The phrase's name in the catalogue, and the phrase that `name` names.
std::string_view to_string(Phrase phrase);
std::optional<Phrase> phrase_called(std::string_view name);

/// A sequence of statements, printed without gaps.
class Text {
 public:
  Text() = default;
  /// Words that the catalogue does not have, such as a compiler's.
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

  /// A text that is equal for all reports of one cause: names, and phrases other than remarks.
  /// Verbatim words count without their numbers and parentheses.
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
