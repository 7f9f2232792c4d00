// A kernel file as the mutation operators see it: tokens with their places, brackets with their
// partners, functions, and what may be edited.
#pragma once

#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/source.h"

namespace tessera {

inline constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

struct Lexeme {
  Token::Kind kind = Token::Kind::punctuator;
  std::string text;
  std::size_t begin = 0;  // byte offsets in the source
  std::size_t end = 0;
  int line = 0;  // 1-based
  int column = 0;
  std::size_t partner = kNowhere;  // of a bracket: the index of its counterpart
  bool editable = false;           // in what students write, or in the body of `launch`
};

/// A function with a body. All members are indices of lexemes.
struct FunctionRange {
  std::string name;
  std::size_t parameters = 0;  // "("
  std::size_t open = 0;        // "{"
  std::size_t close = 0;       // "}"
};

/// A run of lexemes: first <= i < last.
struct LexemeRange {
  std::size_t first = 0;
  std::size_t last = 0;

  bool empty() const { return first >= last; }
};

/// A range of the source's bytes, and what replaces it.
struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

/// `source` with all edits made; no two of them may touch the same bytes.
std::string edited(std::string source, std::vector<Edit> edits);

class KernelCode {
 public:
  /// If the source has "// BEGIN SOLUTION" marks, the marked parts and `launch` may be edited, else
  /// every function and every constant at the top.
  explicit KernelCode(const Source& source);

  const std::string& source() const { return source_; }
  std::size_t size() const { return lexemes_.size(); }
  const Lexeme& operator[](std::size_t index) const { return lexemes_[index]; }
  const std::vector<FunctionRange>& functions() const { return functions_; }

  /// Whether lexeme `index` exists and reads `text`.
  bool is(std::size_t index, std::string_view text) const;
  bool is_identifier(std::size_t index) const;

  /// The source of a range, as written.
  std::string text(LexemeRange range) const;

  /// The parts between the commas of the bracket that opens at `open`; none if it is empty.
  std::vector<LexemeRange> parts(std::size_t open) const;

  /// The operand on either side of the operator at `index`. It ends at an enclosing bracket, at a
  /// `;`, or at one of `enders`.
  LexemeRange left_operand(std::size_t index, const std::set<std::string>& enders) const;
  LexemeRange right_operand(std::size_t index, const std::set<std::string>& enders) const;

  /// Whether "<" or ">" at `index` encloses template arguments.
  bool is_template_bracket(std::size_t index) const;

  /// Whether `index` stands between the parentheses of a `for`.
  bool in_loop_header(std::size_t index) const;

  /// Whether the identifier at `index` is declared there.
  bool declares(std::size_t index) const;

 private:
  void read_lexemes(const std::vector<Token>& tokens);
  void pair_brackets();
  void find_functions();
  void find_template_brackets();
  void mark_editable();

  std::string source_;
  std::vector<Lexeme> lexemes_;
  std::vector<FunctionRange> functions_;
  std::set<std::size_t> template_brackets_;
};

}  // namespace tessera
