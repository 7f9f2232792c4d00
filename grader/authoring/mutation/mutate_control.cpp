// Mistakes in conditions and loops.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "grader/authoring/mutation/mutation_operators.h"

namespace tessera {
namespace {

const std::map<std::string, std::string> kOtherComparison = {
    {"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}, {"==", "!="}, {"!=", "=="}};

/// Tokens at which an operand ends: separators, and operators that bind less tightly than a
/// comparison.
const std::set<std::string> kConditionEnders = {",", "?", ":", "="};
const std::set<std::string> kComparisonEnders = {",", "?", ":", "=", "&&", "||"};

/// `for (init; condition; step)`: the three parts.
struct LoopHeader {
  LexemeRange init;
  LexemeRange condition;
  LexemeRange step;
};

std::optional<LoopHeader> loop_at(const KernelCode& code, std::size_t index) {
  if (!code.is(index, "for") || !code.is(index + 1, "(") || code[index + 1].partner == kNowhere)
    return std::nullopt;
  const std::size_t close = code[index + 1].partner;
  std::vector<std::size_t> separators;
  for (std::size_t i = index + 2; i < close; ++i) {
    if (code.is(i, ";")) separators.push_back(i);
  }
  if (separators.size() != 2) return std::nullopt;
  return LoopHeader{
      {index + 2, separators[0]}, {separators[0] + 1, separators[1]}, {separators[1] + 1, close}};
}

std::vector<LoopHeader> editable_loops(const KernelCode& code, const FunctionRange& function) {
  std::vector<LoopHeader> loops;
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    const std::optional<LoopHeader> loop = loop_at(code, i);
    if (loop && code[i].editable) loops.push_back(*loop);
  }
  return loops;
}

/// The mutation that replaces a range of lexemes.
Mutation replacement(const KernelCode& code, std::string kind, LexemeRange range,
                     const std::string& text) {
  return {std::move(kind),
          range.first,
          {{code[range.first].begin, code[range.last - 1].end, text}},
          fmt::format("`{}` became `{}`", code.text(range), text)};
}

/// The step of a loop, doubled, or "".
std::string doubled_step(const KernelCode& code, LexemeRange step) {
  if (step.empty()) return "";
  const std::size_t last = step.last - 1;
  for (const auto& [once, twice] : {std::pair("++", " += 2"), std::pair("--", " -= 2")}) {
    if (code.is(step.first, once)) return code.text({step.first + 1, step.last}) + twice;
    if (code.is(last, once)) return code.text({step.first, last}) + twice;
  }
  for (std::size_t i = step.first; i < step.last; ++i) {
    if (!code.is(i, "+=") && !code.is(i, "-=")) continue;
    return fmt::format("{} 2 * ({})", code.text({step.first, i + 1}),
                       code.text({i + 1, step.last}));
  }
  return "";
}

void start_later(const KernelCode& code, LexemeRange init, Mutations& mutations) {
  for (std::size_t i = init.first; i < init.last; ++i) {
    if (!code.is(i, "=")) continue;
    const LexemeRange value = code.right_operand(i, {","});
    if (value.empty()) continue;
    mutations.push_back(replacement(code, "bound", value, fmt::format("{} + 1", code.text(value))));
  }
}

void end_earlier(const KernelCode& code, LexemeRange condition, Mutations& mutations) {
  for (std::size_t i = condition.first; i < condition.last; ++i) {
    if (!kOtherComparison.contains(code[i].text) || code.is_template_bracket(i)) continue;
    const LexemeRange limit = code.right_operand(i, kComparisonEnders);
    const char* shift = code[i].text.starts_with(">") ? "+" : "-";
    if (limit.empty()) continue;
    mutations.push_back(
        replacement(code, "bound", limit, fmt::format("{} {} 1", code.text(limit), shift)));
  }
}

}  // namespace

void change_comparisons(const KernelCode& code, const FunctionRange& function,
                        Mutations& mutations) {
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    const auto other_comparison = kOtherComparison.find(code[i].text);
    if (other_comparison == kOtherComparison.end() || !code[i].editable ||
        code.is_template_bracket(i))
      continue;
    const LexemeRange whole = {code.left_operand(i, kComparisonEnders).first,
                               code.right_operand(i, kComparisonEnders).last};
    mutations.push_back({code.in_loop_header(i) ? "bound" : "guard",
                         i,
                         {{code[i].begin, code[i].end, other_comparison->second}},
                         fmt::format("`{}` became `{}` in `{}`", code[i].text,
                                     other_comparison->second, code.text(whole))});
  }
}

void drop_sides(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    const bool conjunction = code.is(i, "&&");
    if ((!conjunction && !code.is(i, "||")) || !code[i].editable) continue;
    std::set<std::string> enders = kConditionEnders;
    if (conjunction) enders.insert("||");
    std::set<std::string> right_enders = enders;
    right_enders.insert(code[i].text);
    const LexemeRange left = code.left_operand(i, enders);
    const LexemeRange right = code.right_operand(i, right_enders);
    if (left.empty() || right.empty()) continue;
    mutations.push_back({"guard",
                         left.first,
                         {{code[left.first].begin, code[right.first].begin, ""}},
                         fmt::format("`{}` was left out", code.text({left.first, i + 1}))});
    mutations.push_back({"guard",
                         i,
                         {{code[left.last - 1].end, code[right.last - 1].end, ""}},
                         fmt::format("`{}` was left out", code.text({i, right.last}))});
  }
}

void drop_conditions(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    if (!code[i].editable) continue;
    if (code.is(i, "if") && code.is(i + 1, "(") && code[i + 1].partner != kNowhere) {
      // `if (...) return;` is a guard too: to leave it out, its condition becomes false, not true.
      std::size_t body = code[i + 1].partner + 1;
      if (code.is(body, "{")) ++body;
      const bool ends =
          code.is(body, "return") || code.is(body, "continue") || code.is(body, "break");
      mutations.push_back(
          replacement(code, "guard", {i + 2, code[i + 1].partner}, ends ? "false" : "true"));
    } else if (code.is(i, "?")) {
      const LexemeRange condition = code.left_operand(i, {",", "=", ":", "?"});
      if (!condition.empty()) mutations.push_back(replacement(code, "guard", condition, "true"));
    }
  }
}

void change_bounds(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  for (const LoopHeader& loop : editable_loops(code, function)) {
    start_later(code, loop.init, mutations);
    end_earlier(code, loop.condition, mutations);
    const std::string step = doubled_step(code, loop.step);
    if (!step.empty()) mutations.push_back(replacement(code, "bound", loop.step, step));
  }
}

}  // namespace tessera
