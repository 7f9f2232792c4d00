// Mistakes in indices and in barriers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "grader/authoring/mutation/mutation_operators.h"

namespace tessera {
namespace {

/// Tokens that end an operand of the minus in `a - b`.
const std::set<std::string> kDifferenceEnders = {
    ",",  "=", "+", "-",  "<",  ">",  "<=", ">=", "==", "!=", "&&",
    "||", "?", ":", "+=", "-=", "*=", "<<", ">>", "&",  "|",  "^"};

/// Pairs of names that are easily taken for each other.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kCounterparts = {
    {{"row", "col"},
     {"height", "width"},
     {"rows", "columns"},
     {"i", "j"},
     {"x", "y"},
     {"m", "n"},
     {"n", "k"},
     {"m", "k"},
     {"A", "B"}}};

/// The names of the function's matrices; these are indexed with ().
std::set<std::string> matrix_names(const KernelCode& code, const FunctionRange& function) {
  std::set<std::string> names;
  for (std::size_t i = function.parameters; i < function.close; ++i) {
    if (!code.is(i, "Matrix") || !code.is(i + 1, "<")) continue;
    std::size_t close = i + 2;
    while (close < function.close && !code.is(close, ">")) ++close;
    if (code.is_identifier(close + 1)) names.insert(code[close + 1].text);
  }
  return names;
}

/// The brackets that hold an index, "[" of an element, "(" of a matrix or of its view, apart from
/// those of declarations.
std::vector<std::size_t> index_brackets(const KernelCode& code, const FunctionRange& function) {
  const std::set<std::string> matrices = matrix_names(code, function);
  std::vector<std::size_t> brackets;
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    if (!code[i].editable || code[i].partner == kNowhere || code[i].partner < i) continue;
    std::size_t name = i - 1;
    while (code.is(name, "]") && code[name].partner != kNowhere) name = code[name].partner - 1;
    if (!code.is_identifier(name) || code.declares(name)) continue;
    const bool of_matrix = matrices.contains(code[name].text) || code.is(name, "view");
    if (code.is(i, "[") || (code.is(i, "(") && of_matrix)) brackets.push_back(i);
  }
  return brackets;
}

/// The indices in a bracket, without a view's extents.
std::vector<LexemeRange> indices_in(const KernelCode& code, std::size_t bracket) {
  std::vector<LexemeRange> parts = code.parts(bracket);
  if (parts.size() > 2) parts.resize(2);
  return parts;
}

/// Adds the mutation that swaps two ranges.
void exchange(const KernelCode& code, std::string kind, LexemeRange left, LexemeRange right,
              Mutations& mutations) {
  const std::string first = code.text(left);
  const std::string second = code.text(right);
  if (left.empty() || right.empty() || first == second) return;
  mutations.push_back({std::move(kind),
                       left.first,
                       {{code[left.first].begin, code[left.last - 1].end, second},
                        {code[right.first].begin, code[right.last - 1].end, first}},
                       fmt::format("`{}` and `{}` changed places", first, second)});
}

/// `name` with the word `from` in it replaced: row, first_row, As, A_tile.
std::string replaced_word(const std::string& name, std::string_view from, std::string_view to) {
  if (name == from) return std::string(to);
  const bool matrix = from == "A" || from == "B";
  if (matrix && name.starts_with(from)) return std::string(to) + name.substr(1);
  if (from.size() < 3) return "";
  const std::size_t at = name.find(from);
  return at == std::string::npos ? "" : std::string(name).replace(at, from.size(), to);
}

/// The names in `known` that may be mistaken for `name`, each once.
std::vector<std::string> counterparts(const std::string& name, const std::set<std::string>& known) {
  std::vector<std::string> found;
  for (const auto& [first, second] : kCounterparts) {
    for (const std::string& word :
         {replaced_word(name, first, second), replaced_word(name, second, first)}) {
      if (word != name && known.contains(word) && std::ranges::count(found, word) == 0)
        found.push_back(word);
    }
  }
  return found;
}

/// The members that `name`, after a dot, may be mistaken for.
std::vector<std::string> member_counterparts(const std::string& name) {
  static const std::set<std::string> kMembers = {"x", "y", "height", "width"};
  return kMembers.contains(name) ? counterparts(name, kMembers) : std::vector<std::string>();
}

std::set<std::string> names_in(const KernelCode& code, const FunctionRange& function) {
  std::set<std::string> names;
  for (std::size_t i = function.parameters; i < function.close; ++i) {
    if (code.is_identifier(i) && !code.is(i - 1, ".")) names.insert(code[i].text);
  }
  return names;
}

}  // namespace

void drop_barriers(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    const bool barrier = code.is(i, "__syncthreads") || code.is(i, "__syncwarp");
    if (!barrier || !code[i].editable || code[i + 1].partner == kNowhere) continue;
    const std::size_t end = code[code[i + 1].partner].end;
    mutations.push_back({"barrier",
                         i,
                         {{code[i].begin, end, ""}},
                         fmt::format("`{}()` was left out", code[i].text)});
  }
}

void shift_indices(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (const std::size_t bracket : index_brackets(code, function)) {
    for (const LexemeRange index : indices_in(code, bracket)) {
      for (const std::string_view shift : {" + 1", " - 1"}) {
        const std::size_t end = code[index.last - 1].end;
        const std::string text = code.text(index);
        mutations.push_back({"index",
                             index.first,
                             {{end, end, std::string(shift)}},
                             fmt::format("index `{}` became `{}{}`", text, text, shift)});
      }
    }
  }
}

void swap_indices(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (const std::size_t bracket : index_brackets(code, function)) {
    const std::vector<LexemeRange> indices = indices_in(code, bracket);
    const std::size_t next = code[bracket].partner + 1;
    if (indices.size() == 2) {
      exchange(code, "swap", indices[0], indices[1], mutations);
    } else if (code.is(bracket, "[") && code.is(next, "[") && code[next].partner != kNowhere) {
      exchange(code, "swap", {bracket + 1, next - 1}, {next + 1, code[next].partner}, mutations);
    }
  }
}

void swap_differences(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    if (!code.is(i, "-") || !code[i].editable) continue;
    exchange(code, "swap", code.left_operand(i, kDifferenceEnders),
             code.right_operand(i, kDifferenceEnders), mutations);
  }
}

void swap_names(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  const std::set<std::string> known = names_in(code, function);
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    if (!code.is_identifier(i) || !code[i].editable || code.declares(i)) continue;
    const std::string& name = code[i].text;
    const bool member = code.is(i - 1, ".") || code.is(i - 1, "->");
    for (const std::string& other :
         member ? member_counterparts(name) : counterparts(name, known)) {
      const std::string whole = member ? code.text({i - 2, i}) : "";
      mutations.push_back({"swap",
                           i,
                           {{code[i].begin, code[i].end, other}},
                           fmt::format("`{0}{1}` became `{0}{2}`", whole, name, other)});
    }
  }
}

}  // namespace tessera
