#include "grader/compile/source_facts.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "grader/compile/include_rules.h"
#include "grader/compile/macro_users.h"

namespace tessera {
namespace {

/// How many brackets a token opens (+) or closes (-).
int depth_change(const Token& token) {
  if (token.kind != Token::Kind::punctuator) return 0;
  if (is(token, "(") || is(token, "[") || is(token, "{") || is(token, "<")) return 1;
  if (is(token, ")") || is(token, "]") || is(token, "}") || is(token, ">")) return -1;
  return is(token, ">>") ? -2 : 0;
}

/// The last identifier of a parameter's declaration before its default value and its extents; "" if
/// it is the only identifier, which is a type.
std::string name_in(std::span<const Token> declaration) {
  std::string name;
  int identifiers = 0;
  int depth = 0;
  for (const Token& token : declaration) {
    if (depth == 0 && (is(token, "=") || is(token, "["))) break;
    depth += depth_change(token);
    if (depth > 0 || token.kind != Token::Kind::identifier) continue;
    name = token.text;
    ++identifiers;
  }
  return identifiers > 1 ? name : "";
}

/// The parameter names between the parenthesis at `open` and its partner.
std::vector<std::string> names_from(std::span<const Token> code, std::size_t open) {
  std::vector<std::string> names;
  std::size_t start = open + 1;
  int depth = 1;
  for (std::size_t at = open + 1; at < code.size(); ++at) {
    const bool ends = depth == 1 && (is(code[at], ",") || is(code[at], ")"));
    if (ends && at > start) names.push_back(name_in(code.subspan(start, at - start)));
    if (ends) start = at + 1;
    depth += depth_change(code[at]);
    if (depth <= 0) break;
  }
  return names;
}

/// The place behind the partner of a parenthesis or brace; the end if it is not closed.
std::size_t behind_partner(std::span<const Token> code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (is(code[at], code[open].text)) ++depth;
    if (is(code[at], is(code[open], "(") ? ")" : "}") && --depth == 0) return at + 1;
  }
  return code.size();
}

/// Where the parameters of the __global__ functions named `kernel` begin, outside other functions.
std::vector<std::size_t> parameter_lists(std::span<const Token> code, std::string_view kernel) {
  std::vector<std::size_t> lists;
  bool global = false;
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    if (is(code[at], "__global__")) global = true;
    if (is(code[at], ";") || is(code[at], "}")) global = false;
    if (!global || !is(code[at], kernel) || !is(code[at + 1], "(")) continue;
    lists.push_back(at + 1);
    at = behind_partner(code, at + 1) - 1;
  }
  return lists;
}

bool does_something(std::span<const Token> body) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    const bool calls = at > 0 && is(body[at], "(") && body[at - 1].kind == Token::Kind::identifier;
    if (calls || is(body[at], "[") || is(body[at], "do")) return true;
  }
  return false;
}

bool is_any(const Token& token, std::initializer_list<std::string_view> texts) {
  return std::ranges::any_of(texts, [&](std::string_view text) { return is(token, text); });
}

/// The brackets around a token; kNowhere for those that do not exist.
struct Nesting {
  std::size_t partner = 0;  // of a closing bracket or an opening parenthesis
  std::size_t brace = 0;    // that is open here
  std::size_t last_if = 0;  // before it in these braces
};
constexpr std::size_t kNowhere = SIZE_MAX;

std::vector<Nesting> nesting_of(std::span<const Token> code) {
  std::vector<Nesting> nesting;
  struct Open {
    std::size_t at, last_if;
  };
  std::vector<Open> braces{{kNowhere, kNowhere}};
  std::vector<std::size_t> parentheses;
  for (std::size_t at = 0; at < code.size(); ++at) {
    std::size_t partner = kNowhere;
    if (is(code[at], "(")) parentheses.push_back(at);
    if (is(code[at], ")") && !parentheses.empty()) {
      partner = parentheses.back();
      parentheses.pop_back();
      nesting[partner].partner = at;
    }
    if (is(code[at], "}") && braces.size() > 1) {
      partner = braces.back().at;
      braces.pop_back();
    }
    nesting.push_back({partner, braces.back().at, braces.back().last_if});
    if (is(code[at], "if")) braces.back().last_if = at;
    if (is(code[at], "{")) braces.push_back({at, kNowhere});
  }
  return nesting;
}

/// Where the attributes before the statement at `at` begin, as [[likely]]; `at` if there are none.
std::size_t before_attributes(std::span<const Token> code, std::size_t at) {
  constexpr std::size_t kMost = 32;  // tokens
  const std::size_t statement = at;
  while (at > 1 && is(code[at - 1], "]") && is(code[at - 2], "]")) {
    std::size_t open = at - 2;
    while (open > 0 && statement - open < kMost && !is(code[open], "[")) --open;
    if (open == 0 || !is(code[open], "[") || !is(code[open - 1], "[")) break;
    at = open - 1;
  }
  return at;
}

/// The `if`, `for`, `while` or `switch` whose statement, or whose `else`, begins at `at`; kNowhere
/// if there is none.
std::size_t head_of(std::span<const Token> code, const std::vector<Nesting>& nesting,
                    std::size_t at) {
  at = before_attributes(code, at);
  if (at == 0) return kNowhere;
  if (is(code[at - 1], "else")) return nesting[at - 1].last_if;
  std::size_t open = is(code[at - 1], ")") ? nesting[at - 1].partner : kNowhere;
  if (open == kNowhere || open == 0) return kNowhere;
  if (is(code[open - 1], "constexpr")) --open;
  const bool heads = open > 0 && is_any(code[open - 1], {"if", "for", "while", "switch"});
  return heads ? open - 1 : kNowhere;
}

constexpr int kMostHeads = 256;  // nested around a return; kernels have fewer

/// The place of the condition around the `return` at `at`; `at` if there is none. kNowhere if it
/// has an `else` and lies in another condition: compilers make one branch of both.
std::size_t condition_of(std::span<const Token> code, const std::vector<Nesting>& nesting,
                         std::size_t at) {
  std::size_t condition = at;
  std::size_t statement = at;  // the return, then the statement that holds only that
  std::size_t behind = at + 2;
  for (int heads = 0; heads < kMostHeads; ++heads) {
    std::size_t head = head_of(code, nesting, statement);
    const std::size_t brace = nesting[statement].brace;
    const bool has_else = condition != at && behind < code.size() && is(code[behind], "else");
    if (head == kNowhere && brace != kNowhere) {
      const bool alone = brace + 1 == statement && behind < code.size() && is(code[behind], "}");
      head = head_of(code, nesting, brace);
      if (condition != at && !alone && !(has_else && head != kNowhere)) return condition;
      ++behind;
    }
    if (head == kNowhere) return condition;
    if (condition != at && is(code[statement - 1], "else")) return condition;
    if (has_else) return kNowhere;
    condition = statement = head;
  }
  return condition;
}

/// Whether the identifier at `at` follows a type, as in `int tile[256]`.
bool is_declared(std::span<const Token> code, std::size_t at) {
  if (at == 0) return false;
  const Token& before = code[at - 1];
  return before.kind == Token::Kind::identifier &&
         !is_any(before, {"return", "else", "do", "case", "and", "or", "not"});
}

/// Whether a `*` before the identifier at `at` dereferences it, and is neither a product nor part
/// of a type.
bool is_pointed_to(std::span<const Token> code, std::size_t at) {
  if (at < 2 || !is(code[at - 1], "*")) return false;
  const Token& before = code[at - 2];
  return before.kind == Token::Kind::punctuator && !is_any(before, {")", "]", ">", ">>"});
}

/// Macros whose definition, from the name on, `holds`, and macros that contain such a macro.
template <class Holds>
std::set<std::string> macros_that(const std::vector<Directive>& directives, Holds holds) {
  std::vector<std::string> direct;
  for (const Directive& directive : directives) {
    if (directive.name == "define" && holds(directive.tokens))
      direct.push_back(directive.tokens.front().text);
  }
  std::set<std::string> names = macros_with(directives, direct);
  names.insert(direct.begin(), direct.end());
  return names;
}

/// Macros that contain a `return;`, whose semicolon may follow the macro, or contain such a macro.
std::set<std::string> returning_macros(const std::vector<Directive>& directives) {
  const auto returns = [](const std::vector<Token>& tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      const bool ends = i + 1 == tokens.size() || is_any(tokens[i + 1], {";", "}"});
      if (is(tokens[i], "return") && ends) return true;
    }
    return false;
  };
  return macros_that(directives, returns);
}

/// Finds conditions that share a line with a statement: the line of a branch does not say whether
/// it belongs to the statement or to them.
class Neighbours {
 public:
  /// `own`: for each token, whether it belongs to the condition of such a statement.
  Neighbours(const Source& source, const std::vector<bool>& own) : code_(source.code()) {
    const auto decides = [](const Token& token) {
      return is_any(token, {"if", "while", "for", "switch", "?", "&&", "||", "and", "or"});
    };
    const std::set<std::string> macros = macros_that(
        source.directives(),
        [&](const std::vector<Token>& tokens) { return std::ranges::any_of(tokens, decides); });
    before_.push_back(0);
    for (std::size_t at = 0; at < code_.size(); ++at) {
      const bool counts = !own[at] && (decides(code_[at]) || macros.contains(code_[at].text));
      before_.push_back(before_.back() + counts);
    }
  }

  /// Whether there is such a condition before or behind the tokens `first` to `last`, on one of
  /// their lines.
  bool decide(std::size_t first, std::size_t last) const {
    const auto begin = std::ranges::lower_bound(code_, code_[first].line, {}, &Token::line);
    const auto end = std::ranges::upper_bound(code_, code_[last].line, {}, &Token::line);
    const auto before = [&](auto at) {
      return before_[static_cast<std::size_t>(at - code_.begin())];
    };
    return before_[first] != before(begin) || before(end) != before_[last + 1];
  }

 private:
  const std::vector<Token>& code_;
  std::vector<int> before_;  // conditions before each token, but for `own` ones
};

/// Whether a name has `underscores` underscores and then a capital letter.
bool is_reserved(std::string_view name, std::size_t underscores) {
  const std::size_t first = name.find_first_not_of('_');
  return first == underscores && std::isupper(static_cast<unsigned char>(name[first])) != 0;
}

bool defines_nothing_or_a_number(const Directive& directive) {
  const std::vector<Token>& tokens = directive.tokens;
  return directive.name == "define" &&
         (tokens.size() == 1 || (tokens.size() == 2 && tokens[1].kind == Token::Kind::number));
}

/// Macros with a reserved name that belong only to the source and stand for nothing or a number:
/// include guards, and macros that are defined before they are used. If a toolkit's headers are
/// included, a used macro may be theirs.
std::set<std::string> own_constants(const std::vector<Token>& code,
                                    const std::vector<Directive>& directives, bool has_toolkit) {
  std::map<std::string, const Directive*> defined;
  std::set<std::string> others;
  for (const Directive& directive : directives) {
    if (directive.tokens.empty() || !is_reserved(directive.tokens[0].text, 2)) continue;
    const std::string& name = directive.tokens[0].text;
    if (defines_nothing_or_a_number(directive)) defined.try_emplace(name, &directive);
    if (directive.name == "undef" ||
        (directive.name == "define" && !defines_nothing_or_a_number(directive)))
      others.insert(name);
  }
  const auto use = [&](const Token& token) {
    const auto found = defined.find(token.text);
    if (found == defined.end()) return;
    if (has_toolkit || found->second->conditional || token.line <= found->second->line)
      others.insert(token.text);
  };
  std::ranges::for_each(code, use);
  for (const Directive& directive : directives) {
    if (directive.name != "define" || directive.tokens.empty()) continue;
    std::for_each(directive.tokens.begin() + 1, directive.tokens.end(), use);
  }
  std::set<std::string> own;
  for (const auto& [name, directive] : defined) {
    if (!others.contains(name)) own.insert(name);
  }
  return own;
}

}  // namespace

std::vector<std::string> parameter_names(const Source& source, std::string_view kernel,
                                         std::size_t count) {
  for (const std::size_t open : parameter_lists(source.code(), kernel)) {
    std::vector<std::string> names = names_from(source.code(), open);
    if (names.size() == count) return names;
  }
  return {};
}

FunctionFacts function_facts(const Source& source, std::string_view name) {
  FunctionFacts first;
  FunctionFacts here;  // what precedes the function
  const std::vector<Token>& code = source.code();
  int depth = 0, depth_of_template = 0;  // 0: in none
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    here.is_global |= is(code[at], "__global__");
    here.is_template |= is(code[at], "template");
    if (is(code[at], name) && is(code[at + 1], "(") &&
        (here.is_global || (at > 0 && is(code[at - 1], "void")))) {
      here.line = code[at].line;
      here.is_template |= depth_of_template != 0;
      here.is_nested = depth > 0;
      if (here.is_global) return here;
      if (first.line == 0) first = here;
    }
    if (is(code[at], "{")) {
      ++depth;
      if (here.is_template && depth_of_template == 0) depth_of_template = depth;
    }
    if (is(code[at], "}")) {
      if (depth_of_template == depth) depth_of_template = 0;
      depth = std::max(depth - 1, 0);
    }
    if (is_any(code[at], {";", "{", "}"})) here = {};
  }
  return first;
}

bool may_have_assembly(const Source& source) {
  std::vector<Directive> directives = source.directives();
  std::erase_if(directives, [](const Directive& directive) { return directive.skipped; });
  // Of our headers, those of tensor cores include some of the toolkit's.
  const bool has_toolkit = std::ranges::any_of(directives, [](const Directive& directive) {
    return directive.name == "include" && included_path(directive) != "tessera/lab.cuh";
  });
  const std::set<std::string> own = own_constants(source.code(), directives, has_toolkit);
  // Among the macros of headers, those that paste tokens have names of two underscores and a
  // capital letter, or in the CUDA Toolkit's headers of one underscore and a capital letter.
  const auto may_paste = [&](const Token& token) {
    static constexpr std::string_view kWellKnown[] = {"__CUDA_ARCH__",
                                                      "__CUDACC__",
                                                      "__CUDACC_RTC__",
                                                      "__CUDACC_DEBUG__",
                                                      "__CUDACC_VER_MAJOR__",
                                                      "__CUDACC_VER_MINOR__",
                                                      "__NVCC__",
                                                      "__INT_MAX__",
                                                      "__FLT_MAX__",
                                                      "__FLT_MIN__",
                                                      "__FLT_EPSILON__",
                                                      "__DBL_MAX__",
                                                      "__FILE__",
                                                      "__LINE__",
                                                      "__COUNTER__",
                                                      "__FUNCTION__",
                                                      "__PRETTY_FUNCTION__",
                                                      "__VA_ARGS__",
                                                      "__VA_OPT__",
                                                      "__INTELLISENSE__",
                                                      "_Pragma"};
    return token.kind == Token::Kind::identifier &&
           (is_reserved(token.text, 2) || (has_toolkit && is_reserved(token.text, 1))) &&
           !own.contains(token.text) &&
           std::ranges::find(kWellKnown, token.text) == std::end(kWellKnown);
  };
  const auto may_be = [&](const Token& token) {
    return is(token, "asm") || is(token, "__asm") || is(token, "__asm__") || is(token, "##") ||
           may_paste(token);
  };
  // Words between asm and its text in a header.
  const auto redefines = [&](const Directive& directive) {
    if ((directive.name != "define" && directive.name != "undef") || directive.tokens.empty())
      return false;
    const Token& name = directive.tokens[0];
    return (name.text.starts_with("__") && !own.contains(name.text)) || is(name, "volatile") ||
           is(name, "inline") || is(name, "goto");
  };
  return std::ranges::any_of(source.code(), may_be) ||
         std::ranges::any_of(directives, [&](const Directive& directive) {
           return redefines(directive) || std::ranges::any_of(directive.tokens, may_be);
         });
}

int first_line_with(const Source& source, std::string_view name) {
  const std::vector<Token>& code = source.code();
  const auto found = std::ranges::find_if(code, [&](const Token& token) {
    return token.kind == Token::Kind::identifier && is(token, name);
  });
  return found == code.end() ? 0 : found->line;
}

std::map<int, int> return_lines(const Source& source) {
  struct Return {
    std::size_t at, condition, last;
  };
  std::vector<Return> returns;
  const std::vector<Token>& code = source.code();
  const std::vector<Nesting> nesting = nesting_of(code);
  const std::set<std::string> macros = returning_macros(source.directives());
  std::vector<bool> of_condition(code.size());
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    const bool is_return = is(code[i], "return") && is(code[i + 1], ";");
    if (!is_return && !macros.contains(code[i].text)) continue;
    const std::size_t condition = condition_of(code, nesting, i);
    if (condition == kNowhere) continue;
    const std::size_t arguments = is(code[i + 1], "(") ? nesting[i + 1].partner : kNowhere;
    returns.push_back({i, condition, arguments != kNowhere ? arguments : i});
    if (condition == i || !is(code[condition + 1], "(") || of_condition[condition]) continue;
    const std::size_t end = std::min(nesting[condition + 1].partner, i);
    std::fill(of_condition.begin() + static_cast<std::ptrdiff_t>(condition),
              of_condition.begin() + static_cast<std::ptrdiff_t>(end), true);
  }
  const Neighbours neighbours(source, of_condition);
  std::map<int, int> lines;
  for (const Return& one : returns) {
    if (neighbours.decide(one.condition, one.last)) continue;
    const auto [entry, fresh] = lines.try_emplace(code[one.at].line, code[one.at].line);
    entry->second = std::min(entry->second, code[one.condition].line);
  }
  return lines;
}

bool is_begun(const Source& source, std::string_view kernel) {
  const std::span<const Token> code = source.code();
  for (const std::size_t open : parameter_lists(code, kernel)) {
    const std::size_t body = behind_partner(code, open);
    if (body >= code.size() || !is(code[body], "{")) continue;
    if (does_something(code.subspan(body, behind_partner(code, body) - body))) return true;
  }
  return false;
}

std::map<std::string, std::set<int>> name_lines(const Source& source) {
  std::map<std::string, std::set<int>> lines;
  const std::vector<Token>& code = source.code();
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (code[i].kind != Token::Kind::identifier || is_declared(code, i)) continue;
    if (is_any(code[i + 1], {"[", "(", ".", "->"}) || is_pointed_to(code, i))
      lines[code[i].text].insert(code[i].line);
  }
  return lines;
}

}  // namespace tessera
