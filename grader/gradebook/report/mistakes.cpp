#include "grader/gradebook/report/mistakes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/text.h"
#include "grader/compile/cuda_words.h"
#include "grader/judge/diagnosis/words.h"
#include "grader/report/causes.h"

namespace tessera {
namespace {

/// Renames names in order of appearance to a, b, ..., z, a1, b1, ..., except those that are known.
class Names {
 public:
  explicit Names(const std::vector<std::string>& known) : known_(known.begin(), known.end()) {}

  const std::string& of(const std::string& name) {
    if (const auto kept = known_.find(name); kept != known_.end() || is_cuda_word(name))
      return name;
    const auto [entry, fresh] = letters_.try_emplace(name);
    if (fresh) entry->second = next();
    return entry->second;
  }

 private:
  std::string next() {
    constexpr int kLetters = 26;
    std::string letter;
    do {
      letter = static_cast<char>('a' + used_ % kLetters);
      if (used_ >= kLetters) letter += std::to_string(used_ / kLetters);
      ++used_;
    } while (known_.contains(letter) || is_cuda_word(letter));
    return letter;
  }

  std::set<std::string> known_;
  std::map<std::string, std::string> letters_;
  int used_ = 0;
};

/// Whether a blank stands between the two words; it stands where a reader expects it, whatever the
/// student wrote.
bool parted(const std::string& left, const std::string& right) {
  static const std::set<std::string_view> kOpening = {
      "(", "[", ".", "->", "::", "!", "~", "++", "--"};
  static const std::set<std::string_view> kClosing = {")", "]", ".", "->", "::", ",",
                                                      ";", "(", "[", "++", "--"};
  if (left == ";" || left == ",") return true;
  return !kOpening.contains(left) && !kClosing.contains(right);
}

/// "use of undeclared identifier 'tile'" -> "use of undeclared identifier '...'"
std::string without_quotes(std::string_view message) {
  std::string pattern;
  char quote = 0;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const char c = message[at];
    const bool opens = c == '\'' || c == '"' || c == '`';
    if (quote != 0) {
      if (c == quote) {
        pattern += c;
        quote = 0;
      }
    } else if (opens && message.find(c, at + 1) != message.npos) {
      quote = c;
      pattern += c;
      pattern += "...";
    } else {
      pattern += c;
    }
  }
  return pattern;
}

/// Whether the compiler's message says more than the line at which it stopped.
bool compiler_speaks(const Finding& finding) {
  return finding.severity == Severity::error &&
         about(finding.kind).shows_in == FindingFacts::Stage::source;
}

}  // namespace

std::string pattern_of(const Source& source, int line, const std::vector<std::string>& known) {
  Names names(known);
  std::string pattern;
  std::string last;
  for (const Token& word : source.code()) {
    if (word.line != line) continue;
    if (!last.empty() && parted(last, word.text)) pattern += ' ';
    if (word.kind == Token::Kind::identifier) {
      pattern += names.of(word.text);
    } else {
      pattern += word.kind == Token::Kind::string ? "\"\"" : word.text;
    }
    last = word.text;
  }
  return pattern;
}

std::string pattern_of_message(Text message) {
  for (Statement& statement : message.statements()) {
    const bool words = statement.phrase == Phrase::verbatim;
    for (Statement::Value& value : statement.values)
      value = Detail(words ? without_quotes(std::get<Detail>(value).text) : "...");
  }
  return message.str();
}

std::vector<MadeMistake> mistakes_of(const Record& record, const std::vector<std::string>& known) {
  const Source source(fmt::format("{}", fmt::join(record.source, "\n")));
  std::vector<MadeMistake> mistakes;
  for (const Cause& cause : causes_of(record)) {
    // A message of an item is no finding, and a consequence of a mistake is not another mistake.
    if (!cause.title.empty() || cause.after) continue;
    const Finding& finding = cause.finding;
    MadeMistake made;
    made.mistake = {finding.kind, finding.severity, diagnosis_word(finding), ""};
    made.line = finding.line;
    const bool quotable =
        finding.line > 0 && static_cast<std::size_t>(finding.line) <= record.source.size();
    if (quotable) made.quoted = trimmed(record.source[static_cast<std::size_t>(finding.line) - 1]);
    if (compiler_speaks(finding)) {
      made.mistake.pattern = pattern_of_message(finding.message);
    } else if (quotable) {
      made.mistake.pattern = pattern_of(source, finding.line, known);
    }
    const bool listed = std::ranges::any_of(
        mistakes, [&](const MadeMistake& other) { return other.mistake == made.mistake; });
    if (!listed) mistakes.push_back(std::move(made));
  }
  return mistakes;
}

}  // namespace tessera
