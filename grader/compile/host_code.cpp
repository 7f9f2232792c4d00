#include "grader/compile/host_code.h"

#include <algorithm>
#include <set>
#include <utility>

#include "grader/compile/macro_users.h"
#include "grader/compile/slips.h"

namespace tessera {
namespace {

/// Teaching code has no deeper scopes: they are skipped.
constexpr std::size_t kDeepestScope = 64;
/// The most host functions that are examined more closely: each time the whole file is read again.
constexpr std::size_t kMostExamined = 20;

bool is_annotation(std::string_view word) {
  return word == "__device__" || word == "__global__";
}

/// Words before a parenthesis that are part of a declaration but do not make it a function.
bool is_attribute(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "__align__", "alignas",        "__attribute__", "__declspec",       "__launch_bounds__",
      "decltype",  "__maxnreg__",    "noexcept",      "__cluster_dims__", "__builtin_align__",
      "explicit",  "__block_size__", "throw",         "requires",         "sizeof"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

/// The macros of a file: which of them stand for an annotation, and which take arguments.
class Macros {
 public:
  explicit Macros(const std::vector<Directive>& directives)
      : annotating_(macros_with(directives, {"__device__", "__global__", "##"})) {
    for (const Directive& directive : directives) {
      if (directive.name == "define" && directive.takes_arguments)
        with_arguments_.insert(directive.tokens.front().text);
    }
  }

  bool takes_arguments(const std::string& name) const { return with_arguments_.contains(name); }

  bool may_annotate(const std::string& name) const { return annotating_.contains(name); }

 private:
  std::set<std::string> annotating_;
  std::set<std::string> with_arguments_;
};

/// Walks through the declarations at namespace and class scope and skips everything else.
class DeclarationScan {
 public:
  DeclarationScan(const Source& source, const std::string& file_name)
      : macros_(source.directives()), file_name_(file_name) {
    for (const Token& token : source.code()) {
      if (!token.alternative) tokens_.push_back(&token);
    }
  }

  std::vector<Finding> run() {
    while (at_ < tokens_.size()) {
      scan_scope();
      ++at_;  // an extra "}", which the compiler reports
    }
    return std::move(findings_);
  }

 private:
  const std::string& text(std::size_t i) const {
    static const std::string kNone;
    return i < tokens_.size() ? tokens_[i]->text : kNone;
  }
  bool is_word(std::size_t i) const {
    return i < tokens_.size() && tokens_[i]->kind == Token::Kind::identifier;
  }

  /// Moves from an opening bracket behind its closing one.
  void skip_group() {
    int depth = 0;
    do {
      const std::string& word = text(at_);
      if (word == "(" || word == "[" || word == "{") ++depth;
      if (word == ")" || word == "]" || word == "}") --depth;
      ++at_;
    } while (depth > 0 && at_ < tokens_.size());
  }

  /// Moves from "<" behind its ">"; gives up at what cannot be in a template's parameter list.
  void skip_angles() {
    int depth = 0;
    while (at_ < tokens_.size()) {
      const std::string& word = text(at_);
      if (word == ";" || word == "{" || word == "}") return;
      if (word == "(" || word == "[") {
        skip_group();
        continue;
      }
      if (word == "<") ++depth;
      if (word == ">") --depth;
      if (word == ">>") depth -= 2;
      ++at_;
      if (depth <= 0) return;
    }
  }

  void skip_statement() {
    while (at_ < tokens_.size() && text(at_) != ";" && text(at_) != "}") {
      if (text(at_) == "(" || text(at_) == "[" || text(at_) == "{") {
        skip_group();
      } else {
        ++at_;
      }
    }
  }

  void scan_scope() {
    while (at_ < tokens_.size() && text(at_) != "}") {
      const std::string& word = text(at_);
      if (word == ";" || word == ":") {
        ++at_;
      } else if (word == "namespace" || (word == "inline" && text(at_ + 1) == "namespace") ||
                 (word == "extern" && text(at_ + 1).starts_with('"') && text(at_ + 2) == "{")) {
        scan_namespace();
      } else if (word == "using" || word == "typedef" || word == "static_assert" || word == "asm" ||
                 word == "__asm__" || word == "friend" ||
                 (word == "template" && text(at_ + 1) != "<")) {
        skip_statement();
      } else if (word == "public" || word == "private" || word == "protected") {
        ++at_;
      } else {
        scan_declaration();
      }
    }
  }

  void scan_namespace() {
    while (at_ < tokens_.size() && text(at_) != "{" && text(at_) != ";") ++at_;
    if (text(at_) != "{") return;
    scan_nested();
  }

  /// Scans a namespace or class, at its "{".
  void scan_nested() {
    if (depth_ == kDeepestScope) return skip_group();
    ++depth_;
    ++at_;
    scan_scope();
    ++at_;
    --depth_;
  }

  struct Declaration {
    std::size_t begin = 0;        // its first token
    const Token* name = nullptr;  // before the parameter list
    bool annotated = false;
    bool uncertain = false;  // a macro or the preprocessor decides
    bool is_class = false;
    bool is_enum = false;
    bool constant = false;  // constexpr: NVRTC needs the annotation anyway
    bool initialised = false;
    bool constructing = false;  // behind the ":" of a constructor
  };

  void scan_declaration() {
    Declaration declaration{.begin = at_};
    while (at_ < tokens_.size()) {
      const std::string& word = text(at_);
      if (word == ";" || word == "}") {
        if (declaration.annotated && declaration.name != nullptr) {
          annotated_names_.insert(declaration.name->text);
        }
        return;
      }
      if (word == "{") {
        if (scan_braces(declaration)) return;
      } else {
        scan_part(declaration);
      }
    }
  }

  void scan_part(Declaration& declaration) {
    const Token& token = *tokens_[at_];
    const std::string& word = token.text;
    declaration.uncertain |= token.conditional;
    if (word == "template" && text(at_ + 1) == "<") {
      ++at_;
      skip_angles();
    } else if (word == "operator") {
      scan_operator(declaration);
    } else if (is_word(at_)) {
      scan_word(declaration);
    } else if (word == "(") {
      if (declaration.name == nullptr && at_ > 0 && is_word(at_ - 1) && !declaration.initialised) {
        declaration.name = tokens_[at_ - 1];
      }
      skip_group();
    } else if (word == "[") {
      skip_group();
    } else {
      if (word == "=") declaration.initialised = true;
      if (word == ":" && declaration.name != nullptr) declaration.constructing = true;
      ++at_;
    }
  }

  void scan_word(Declaration& declaration) {
    const std::string& word = text(at_);
    if (is_annotation(word) || macros_.may_annotate(word)) declaration.annotated = true;
    if (macros_.takes_arguments(word)) declaration.uncertain = true;
    if (declaration.name == nullptr && (word == "class" || word == "struct" || word == "union")) {
      declaration.is_class = true;
    }
    if (word == "enum") declaration.is_enum = true;
    if (word == "constexpr" || word == "consteval") declaration.constant = true;
    const bool attribute = is_attribute(word);
    ++at_;
    if (!attribute || text(at_) != "(") return;
    const std::size_t start = at_;
    skip_group();
    for (std::size_t i = start; i < at_; ++i) {
      const std::string& inner = text(i);
      if (inner == "device" || inner == "global" || inner == "__device__") {
        declaration.annotated = true;
      }
    }
  }

  void scan_operator(Declaration& declaration) {
    if (declaration.name == nullptr) declaration.name = tokens_[at_];
    ++at_;
    if (text(at_) == "(" && text(at_ + 1) == ")") at_ += 2;
    while (at_ < tokens_.size() && text(at_) != "(" && text(at_) != ";" && text(at_) != "{") ++at_;
  }

  /// At "{". Returns true if the declaration ends behind the braces.
  bool scan_braces(Declaration& declaration) {
    if (declaration.name == nullptr && declaration.is_class && !declaration.is_enum &&
        !declaration.initialised) {
      scan_nested();
      declaration.is_class = false;
      return false;
    }
    const bool body = declaration.name != nullptr && !declaration.initialised;
    if (!body) {
      skip_group();
      return false;
    }
    // In `S() : a{1} {}` the first braces initialise the member.
    if (declaration.constructing &&
        (is_word(at_ - 1) || text(at_ - 1) == ">" || text(at_ - 1) == ">>")) {
      skip_group();
      return false;
    }
    check(declaration);
    skip_group();
    return true;
  }

  void check(const Declaration& declaration) {
    const std::string& name = declaration.name->text;
    if (declaration.annotated) {
      annotated_names_.insert(name);
      return;
    }
    if (declaration.uncertain || annotated_names_.contains(name)) return;
    const Words words = words_for(declaration);
    findings_.push_back({.kind = FindingKind::does_not_compile,
                         .file = file_name_,
                         .line = declaration.name->line,
                         .column = declaration.name->column,
                         .message = words.message,
                         .hint = words.hint,
                         .example = {}});
  }

  struct Words {
    Text message;
    Text hint;
  };

  /// The message and hint about the function whose body begins here.
  Words words_for(const Declaration& declaration) {
    const std::string& name = declaration.name->text;
    if (name == "launch") {
      return {Phrase::launch_lacks_annotations, Phrase::launch_lacks_annotations_hint};
    }
    if (findings_.size() < kMostExamined && is_kernel(declaration)) {
      return {say(Phrase::lacks_global, Name{name}), say(Phrase::lacks_global_hint, Name{name})};
    }
    if (declaration.constant) {
      return {say(Phrase::lacks_device, Name{name}), Phrase::lacks_device_hint};
    }
    return {name == "operator" ? Phrase::host_operator : say(Phrase::host_function, Name{name}),
            name == "main" ? Phrase::host_main_hint : Phrase::host_function_hint};
  }

  /// Whether the function whose body begins here returns nothing, uses its thread or block index
  /// and is called by no other function.
  bool is_kernel(const Declaration& declaration) {
    const auto is_void = [&](std::size_t i) { return text(i) == "void"; };
    std::size_t name_at = declaration.begin;
    while (tokens_[name_at] != declaration.name) ++name_at;
    if (name_at == declaration.begin || !is_void(name_at - 1)) return false;
    const std::size_t body = at_;
    skip_group();
    const std::size_t end = std::exchange(at_, body);
    const auto is_index = [&](std::size_t i) {
      return text(i) == "threadIdx" || text(i) == "blockIdx";
    };
    bool asks = false;
    for (std::size_t i = body; i < end; ++i) asks |= is_index(i);
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const bool call = tokens_[i]->text == declaration.name->text && text(i + 1) == "(" &&
                        (i == 0 || !is_void(i - 1));
      if (call) return false;
    }
    return asks;
  }

  std::vector<const Token*> tokens_;
  Macros macros_;
  const std::string& file_name_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::set<std::string> annotated_names_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> find_host_code(const Source& source, const std::string& file_name) {
  std::vector<Finding> findings = DeclarationScan(source, file_name).run();
  for (std::size_t i = 0; i < source.code().size(); ++i) {
    const Token& token = source.code()[i];
    if (token.text != "<<<" || token.conditional) continue;
    if (i > 0 && source.code()[i - 1].text == "operator") continue;
    if (is_conflict_marker(source.code(), i)) {
      findings.push_back(conflict_finding(token, file_name));
      return findings;
    }
    findings.push_back({.kind = FindingKind::does_not_compile,
                        .file = file_name,
                        .line = token.line,
                        .column = token.column,
                        .message = Phrase::launches_kernel,
                        .hint = Phrase::launches_kernel_hint,
                        .example = {}});
  }
  return findings;
}

int unclosed_brace_line(const Source& source) {
  std::vector<int> open;
  for (const Token& token : source.code()) {
    if (token.alternative || token.kind != Token::Kind::punctuator) continue;
    if (token.text == "{") open.push_back(token.line);
    if (token.text == "}" && !open.empty()) open.pop_back();
  }
  return open.empty() ? 0 : open.back();
}

}  // namespace tessera
