#include "grader/compile/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "common/utf8.h"
#include "grader/compile/letters.h"

namespace tessera {
namespace {

/// Macros that NVRTC has built in and that Clang is given.
constexpr std::array<std::string_view, 2> kAlwaysDefined = {"__CUDACC__", "__CUDACC_RTC__"};
/// Macros of editors, which no compiler of a kernel has.
constexpr std::array<std::string_view, 4> kNeverDefined = {"__CDT_PARSER__", "__INTELLISENSE__",
                                                           "__JETBRAINS_IDE__", "__RESHARPER__"};

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
bool is_identifier_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/// The token that a digraph stands for; any other token itself.
std::string without_digraph(std::string token) {
  static constexpr std::pair<std::string_view, std::string_view> kDigraphs[] = {
      {"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}, {"%:", "#"}, {"%:%:", "##"}};
  const auto found = std::ranges::find(kDigraphs, token, [](const auto& row) { return row.first; });
  return found == std::end(kDigraphs) ? token : std::string(found->second);
}

/// A backslash and blanks at the end of a line: compilers disagree on whether it is a line splice.
struct DisputedSplice {
  std::size_t at = 0;  // the character after it in the text without splices
  int line = 0;
  int column = 0;
  bool settled = false;  // it makes no difference here
};

/// The source without its line splices, and the place of each character in the original.
class SplicedText {
 public:
  explicit SplicedText(std::string_view source) : source_(source), hidden_(source.size()) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] == '\n') line_starts_.push_back(i + 1);
    }
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] == '\\') {
        std::size_t end = i + 1;
        while (end < source.size() && is_blank(source[end])) ++end;
        if (end < source.size() && source[end] == '\n') {
          if (end != i + 1) disputed_.push_back({text_.size(), line_at(i), column_at(i)});
          i = end;
          continue;
        }
      }
      text_ += source[i];
      origins_.push_back(i);
    }
  }

  const std::string& text() const { return text_; }
  /// The disputed splices in [begin, end) of the text.
  std::span<DisputedSplice> disputed(std::size_t begin, std::size_t end) {
    const auto first = std::ranges::lower_bound(disputed_, begin, {}, &DisputedSplice::at);
    const auto last = std::ranges::lower_bound(disputed_, end, {}, &DisputedSplice::at);
    return {first, last};
  }
  const std::vector<DisputedSplice>& disputed() const { return disputed_; }
  int line(std::size_t i) const { return line_at(origin(i)); }
  int column(std::size_t i) const { return column_at(origin(i)); }

  /// Takes [begin, end) of the text out of visible(). If it is `in_directive`, the directive goes
  /// on behind it, in another line too.
  void hide(std::size_t begin, std::size_t end, bool in_directive) {
    if (begin == end) return;
    const auto from = hidden_.begin() + static_cast<std::ptrdiff_t>(origin(begin));
    const auto to = hidden_.begin() + static_cast<std::ptrdiff_t>(origin(end - 1) + 1);
    std::fill(from, to, in_directive ? Hidden::in_directive : Hidden::yes);
  }
  /// The source with blanks in place of what is hidden; all else is at the same line and column.
  std::string visible() const {
    std::string visible;
    for (std::size_t i = 0; i < source_.size(); ++i) {
      const bool kept = hidden_[i] == Hidden::no || is_blank(source_[i]);
      if (source_[i] == '\n' && hidden_[i] == Hidden::in_directive) visible += '\\';
      visible += kept || source_[i] == '\n' ? source_[i] : ' ';
    }
    return visible;
  }

 private:
  enum class Hidden : char { no, yes, in_directive };

  std::size_t origin(std::size_t i) const {
    return i < origins_.size() ? origins_[i] : (origins_.empty() ? 0 : origins_.back() + 1);
  }
  int line_at(std::size_t offset) const {
    return static_cast<int>(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) -
                            line_starts_.begin());
  }
  int column_at(std::size_t offset) const {
    return static_cast<int>(offset - line_starts_[static_cast<std::size_t>(line_at(offset) - 1)]) +
           1;
  }

  std::string_view source_;
  std::string text_;
  std::vector<Hidden> hidden_;  // for each character of the source
  std::vector<std::size_t> origins_;
  std::vector<std::size_t> line_starts_;
  std::vector<DisputedSplice> disputed_;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : spliced_(text), text_(spliced_.text()) {}

  Tokens run() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') {
        line_start_ = true;
        behind_long_comment_ = false;
        ++at_;
      } else if (is_blank(text_[at_]) || skip_comment()) {
        if (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      } else if (const std::size_t begin = at_;
                 line_start_ && (cut("#") || cut("%:") || (skipped_ == 0 && cut("?\?=")))) {
        read_directive(begin);
      } else {
        line_start_ = false;
        Token token = read_token();
        if (skipped_ > 0) {
          spliced_.hide(begin, at_, false);
        } else {
          result_.code.push_back(std::move(token));
        }
      }
    }
    std::vector<LexicalError> errors;
    for (const DisputedSplice& splice : spliced_.disputed()) {
      if (splice.settled) continue;
      errors.push_back({splice.line, splice.column, Phrase::blank_behind_backslash,
                        Phrase::blank_behind_backslash_hint});
    }
    result_.errors.insert(result_.errors.begin(), errors.begin(), errors.end());
    result_.visible = spliced_.visible();
    return std::move(result_);
  }

 private:
  bool starts(std::string_view word) const {
    return std::string_view(text_).substr(at_).starts_with(word);
  }
  bool cut(std::string_view word) {
    if (!starts(word)) return false;
    at_ += word.size();
    return true;
  }

  bool skip_comment() {
    if (starts("//")) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      settle_between_comments(at_ + 2, end);
      spliced_.hide(at_, end, false);
      at_ = end;
      return true;
    }
    if (!starts("/*")) return false;
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string::npos) {
      result_.errors.push_back({spliced_.line(at_), spliced_.column(at_), Phrase::unclosed_comment,
                                Phrase::unclosed_comment_hint});
      at_ = text_.size();
    } else {
      // A splice between * and / decides where the comment ends.
      for (DisputedSplice& splice : spliced_.disputed(at_ + 2, end + 1)) splice.settled = true;
      const std::string_view comment = std::string_view(text_).substr(at_, end - at_);
      behind_long_comment_ |= !line_start_ && comment.find('\n') != comment.npos;
      spliced_.hide(at_, end + 2, in_directive_);
      at_ = end + 2;
    }
    return true;
  }

  /// A '#' that is the first token of its line, behind a comment that began in the middle of a line
  /// above: NVRTC takes it for a directive, Clang does not.
  void refuse_disputed_hash() {
    if (behind_long_comment_ && (starts("#") || starts("%:") || starts("?\?="))) {
      result_.errors.push_back({spliced_.line(at_), spliced_.column(at_),
                                Phrase::hash_behind_comment, Phrase::hash_behind_comment_hint});
    }
    behind_long_comment_ = false;
  }

  /// In a comment up to the line's end, a splice makes no difference if nothing or another such
  /// comment follows it.
  void settle_between_comments(std::size_t begin, std::size_t end) {
    const std::span<DisputedSplice> splices = spliced_.disputed(begin, end + 1);
    for (std::size_t i = 0; i < splices.size(); ++i) {
      const std::size_t next = i + 1 < splices.size() ? splices[i + 1].at : end;
      std::string_view line = std::string_view(text_).substr(splices[i].at, next - splices[i].at);
      while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
      splices[i].settled = line.empty() || line.starts_with("//");
    }
  }

  /// The end of the literal whose opening quote is at `quote`: behind its closing quote, or the end
  /// of the line if there is none.
  std::size_t literal_end(std::size_t quote) const {
    std::size_t i = quote + 1;
    while (i < text_.size() && text_[i] != '\n') {
      if (text_[i] == text_[quote]) return i + 1;
      i += text_[i] == '\\' && i + 1 < text_.size() && text_[i + 1] != '\n' ? 2 : 1;
    }
    return i;
  }

  /// The end of the raw string whose opening quote is at `quote`.
  std::size_t raw_string_end(std::size_t quote) {
    // The delimiter has at most 16 characters: a longer search for each quote could take minutes.
    const std::size_t place =
        std::string_view(text_).substr(quote + 1, 17).find_first_of("( )\\\t\v\f\n");
    const std::size_t open = quote + 1 + place;
    if (place == std::string::npos || text_[open] != '(') {
      return literal_end(quote);
    }
    const std::string closing = ")" + text_.substr(quote + 1, open - quote - 1) + "\"";
    const std::size_t end = text_.find(closing, open);
    if (end != std::string::npos) return end + closing.size();
    result_.errors.push_back({spliced_.line(quote), spliced_.column(quote),
                              Phrase::unclosed_raw_string,
                              say(Phrase::unclosed_raw_string_hint, closing)});
    return text_.size();
  }

  /// In a part that #if leaves out, compilers differ on a quote that is never closed and on a quote
  /// inside a number: whether a comment or a raw string begins behind it decides the rest.
  void refuse_disputed_quote(std::size_t end) {
    const std::string_view token = std::string_view(text_).substr(at_, end - at_);
    const bool quoted = token.front() == '\'' || token.front() == '"';
    const std::size_t literal = quoted ? literal_end(at_) : at_;
    const bool closed = literal - at_ > 1 && text_[literal - 1] == text_[at_];
    const bool open = quoted && !closed;
    const bool separator = !quoted && token.find('\'') != token.npos;
    if (!open && !separator) return;
    if (last_opening_in_line() <= at_) return;
    result_.errors.push_back(
        {spliced_.line(at_), spliced_.column(at_), Phrase::stray_quote, Phrase::stray_quote_hint});
  }

  /// A quote right after a name, number or suffix with '$' or a letter beyond ASCII: some compilers
  /// do not take these as part of a name, so that to them $R"( begins a raw string.
  void refuse_disputed_prefix(std::size_t end) {
    if (end >= text_.size() || (text_[end] != '"' && text_[end] != '\'')) return;
    std::size_t begin = end;
    const auto in_name = [&](char c) {
      return !is_ascii(c) || is_digit(c) || is_identifier_start(c);
    };
    while (begin > at_ && in_name(text_[begin - 1])) --begin;
    const std::string_view name = std::string_view(text_).substr(begin, end - begin);
    if (std::ranges::none_of(name, [](char c) { return c == '$' || !is_ascii(c); })) return;
    result_.errors.push_back({spliced_.line(begin), spliced_.column(begin),
                              Phrase::quote_behind_name, Phrase::quote_behind_name_hint});
  }

  /// The place behind the last "/*" or R" that begins in this line; 0 if there is none.
  std::size_t last_opening_in_line() {
    if (at_ < line_end_) return last_opening_;
    const std::size_t begin = at_;
    line_end_ = std::min(text_.find('\n', begin), text_.size());
    const std::string_view rest = std::string_view(text_).substr(begin, line_end_ - begin);
    last_opening_ = 0;
    for (const std::string_view word : {"/*", "R\""}) {
      if (const std::size_t found = rest.rfind(word); found != rest.npos)
        last_opening_ = std::max(last_opening_, begin + found + 1);
    }
    return last_opening_;
  }

  std::size_t number_end() const {
    std::size_t i = at_;
    while (i < text_.size()) {
      const bool sign = (text_[i] == '+' || text_[i] == '-') && i > at_ &&
                        std::string_view("eEpP").find(text_[i - 1]) != std::string_view::npos;
      // Before '$' or a letter beyond ASCII a quote begins a literal.
      const bool separator = text_[i] == '\'' && i + 1 < text_.size() && text_[i + 1] != '$' &&
                             is_ascii(text_[i + 1]) && identifier_bytes(i + 1) > 0;
      const std::size_t bytes = text_[i] == '.' || sign || separator ? 1 : identifier_bytes(i);
      if (bytes == 0) break;
      i += bytes;
    }
    return i;
  }

  /// The bytes of the character at `at` if an identifier may contain it after its start; otherwise
  /// 0.
  std::size_t identifier_bytes(std::size_t at) const {
    if (at >= text_.size()) return 0;
    if (is_ascii(text_[at])) return is_identifier_start(text_[at]) || is_digit(text_[at]) ? 1 : 0;
    const auto c = decode_utf8(std::string_view(text_).substr(at));
    return c && is_letter_beyond_ascii(c->value) ? c->bytes : 0;
  }

  /// The end of the identifier, or part of an identifier, that begins at `at`.
  std::size_t identifier_end(std::size_t at) const {
    while (const std::size_t bytes = identifier_bytes(at)) at += bytes;
    return at;
  }

  /// The end of a character beyond ASCII that is not a letter. Compilers take it for different
  /// things: a blank, the end of a line, a part of a name.
  std::size_t refuse_strange_character() {
    const std::string_view rest = std::string_view(text_).substr(at_);
    const auto c = decode_utf8(rest);
    const std::size_t bytes = c ? c->bytes : 1;
    const auto value = c ? std::optional(c->value) : std::nullopt;
    if (strange_.emplace(rest.substr(0, bytes)).second) {
      StrangeCharacter strange = strange_character(value, rest.substr(0, bytes));
      result_.errors.push_back(
          {spliced_.line(at_), spliced_.column(at_), std::move(strange.message), strange.hint});
    }
    return at_ + bytes;
  }

  /// The longest punctuator that begins here.
  std::size_t punctuator_end() const {
    static constexpr std::string_view kLongestFirst[] = {
        "%:%:", "<<<", "<<=", ">>=", "...", "->*", "::", "##", "->", ".*", "++",
        "--",   "<<",  ">>",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
        "*=",   "/=",  "%=",  "&=",  "|=",  "^=",  "<%", "%>", "<:", ":>", "%:"};
    // S<::T> is not S[:T>.
    if (starts("<::") && !starts("<:::") && !starts("<::>")) return at_ + 1;
    for (const std::string_view word : kLongestFirst) {
      if (starts(word)) return at_ + word.size();
    }
    return at_ + 1;
  }

  Token read_token() {
    refuse_disputed_hash();
    Token token;
    token.line = spliced_.line(at_);
    token.column = spliced_.column(at_);
    token.conditional = !branches_.empty();
    token.alternative = alternatives_ > 0;
    std::size_t end = at_;
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (!is_digit(text_[at_]) && identifier_bytes(at_) > 0) {
      end = identifier_end(at_);
      token.kind = Token::Kind::identifier;
      const std::string_view word = std::string_view(text_).substr(at_, end - at_);
      if (end < text_.size() && (text_[end] == '"' || text_[end] == '\'')) {
        const bool raw =
            word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
        const bool prefix = word == "L" || word == "u" || word == "U" || word == "u8";
        if (raw && text_[end] == '"') {
          result_.errors.push_back(
              {token.line, token.column, Phrase::raw_string, Phrase::raw_string_hint});
          end = raw_string_end(end);
          token.kind = Token::Kind::string;
        } else if (prefix) {
          end = identifier_end(literal_end(end));
          token.kind = Token::Kind::string;
        }
      }
    } else if (is_digit(text_[at_]) || (text_[at_] == '.' && is_digit(next))) {
      end = number_end();
      token.kind = Token::Kind::number;
    } else if (text_[at_] == '"' || text_[at_] == '\'') {
      // A suffix belongs to the literal: "a"R( begins no raw string.
      end = identifier_end(literal_end(at_));
      token.kind = Token::Kind::string;
    } else if (!is_ascii(text_[at_])) {
      end = refuse_strange_character();
    } else {
      end = punctuator_end();
    }
    if (token.kind != Token::Kind::identifier && !branches_.empty()) refuse_disputed_quote(end);
    refuse_disputed_prefix(end);
    token.text = without_digraph(text_.substr(at_, end - at_));
    at_ = end;
    return token;
  }

  /// Skips blanks and comments inside a logical line.
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (!skip_comment()) {
        return;
      }
    }
  }

  /// Reads the directive whose "#" begins at `hash` and ends at `at_`.
  void read_directive(std::size_t hash) {
    line_start_ = false;
    in_directive_ = true;
    Directive directive;
    directive.line = spliced_.line(at_ - 1);
    directive.column = spliced_.column(at_ - 1);
    const std::size_t begin = at_;
    const bool skipped = skipped_ > 0;
    skip_blanks();
    std::size_t rest_start = at_;
    std::size_t rest_end = at_;
    bool named = false;
    while (at_ < text_.size() && text_[at_] != '\n') {
      const bool touches = at_ == rest_end;  // the token before
      Token token = read_token();
      rest_end = at_;
      const bool first = !named && directive.tokens.empty();
      skip_blanks();
      if (first && token.kind == Token::Kind::identifier) {
        directive.name = token.text;
        named = true;
        rest_start = at_;
        rest_end = at_;
      } else {
        directive.takes_arguments |=
            directive.name == "define" && is(token, "(") && directive.tokens.size() == 1 && touches;
        directive.tokens.push_back(std::move(token));
      }
    }
    // Clang sees no comment in the text of these.
    const bool is_text =
        directive.name == "warning" || directive.name == "error" || directive.name == "pragma";
    if (is_text && text_.find('\n', begin) < at_) {
      result_.errors.push_back({directive.line, directive.column, Phrase::unclosed_comment,
                                Phrase::unclosed_comment_hint});
    }
    directive.rest = text_.substr(rest_start, rest_end - rest_start);
    follow_conditional(directive);
    directive.conditional = !branches_.empty();
    directive.skipped = skipped_ > 0;
    // The directives around a skipped part remain.
    if (skipped && directive.skipped) spliced_.hide(hash, at_, false);
    in_directive_ = false;
    result_.directives.push_back(std::move(directive));
  }

  struct Branch {
    bool alternative = false;  // the lexer is behind its #else or #elif
    bool skipped = false;
    bool taken = false;  // its condition holds: what is behind #else or #elif is skipped
  };

  void follow_conditional(const Directive& directive) {
    const std::string& name = directive.name;
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      const std::optional<bool> holds = holds_always(directive);
      branches_.push_back({.skipped = holds == false, .taken = holds == true});
      skipped_ += branches_.back().skipped ? 1 : 0;
    } else if (!branches_.empty() && (name == "else" || name == "elif")) {
      alternatives_ += branches_.back().alternative ? 0 : 1;
      skipped_ -= branches_.back().skipped ? 1 : 0;
      const bool taken = branches_.back().taken;
      branches_.back() = {.alternative = true, .skipped = taken, .taken = taken};
      skipped_ += taken ? 1 : 0;
    } else if (!branches_.empty() && name == "endif") {
      alternatives_ -= branches_.back().alternative ? 1 : 0;
      skipped_ -= branches_.back().skipped ? 1 : 0;
      branches_.pop_back();
    }
    // From here on, the value of a macro that is defined again or undefined is unknown.
    if (skipped_ == 0 && (name == "define" || name == "undef")) {
      for (const Token& token : directive.tokens) {
        if (is_defined(token)) redefined_.insert(token.text);
      }
    }
  }

  /// Whether every compiler of a kernel reads what follows `condition` (true) or none does (false);
  /// nothing if that is unknown.
  std::optional<bool> holds_always(const Directive& condition) const {
    const std::vector<Token>& tokens = condition.tokens;
    if (condition.name != "if") {
      if (tokens.size() != 1 || !is_defined(tokens[0])) return {};
      return *is_defined(tokens[0]) == (condition.name == "ifdef");
    }
    // Terms between `||`.
    bool holds = false;
    for (std::size_t at = 0;; ++at) {
      const std::optional<bool> term = term_at(tokens, at);
      if (!term) return {};
      holds |= *term;
      if (at == tokens.size()) return holds;
      if (!is(tokens[at], "||")) return {};
    }
  }

  /// The value of `0`, `1`, `defined NAME` or `defined(NAME)`, optionally after `!`, if it is
  /// known. Moves `at` behind it.
  std::optional<bool> term_at(const std::vector<Token>& tokens, std::size_t& at) const {
    const auto take = [&](std::string_view text) {
      const bool there = at < tokens.size() && is(tokens[at], text);
      at += there ? 1 : 0;
      return there;
    };
    const bool holds = !take("!");
    if (take("0")) return !holds;
    if (take("1")) return holds;
    if (!take("defined")) return {};
    const bool parenthesis = take("(");
    if (at == tokens.size()) return {};
    const std::optional<bool> defined = is_defined(tokens[at++]);
    if (!defined || (parenthesis && !take(")"))) return {};
    return *defined == holds;
  }

  /// Whether the macro is defined for every compiler of a kernel (true) or for none (false).
  std::optional<bool> is_defined(const Token& macro) const {
    if (redefined_.contains(macro.text)) return {};
    if (std::ranges::find(kAlwaysDefined, macro.text) != kAlwaysDefined.end()) return true;
    if (std::ranges::find(kNeverDefined, macro.text) != kNeverDefined.end()) return false;
    return {};
  }

  Tokens result_;
  SplicedText spliced_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t line_end_ = 0;      // of the line that was last looked at
  std::size_t last_opening_ = 0;  // in it
  std::vector<Branch> branches_;  // the open conditional groups
  int alternatives_ = 0;          // how many of them are in an #else or #elif
  int skipped_ = 0;               // how many of them no compiler reads
  bool line_start_ = true;        // only blanks and comments stand before `at_` in its line
  bool behind_long_comment_ = false;
  bool in_directive_ = false;
  std::set<std::string> redefined_;
  // Each character that is not a letter is reported once: a copied text is full of them.
  std::set<std::string, std::less<>> strange_;
};

}  // namespace

Tokens tokenize(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace tessera
