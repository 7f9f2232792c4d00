// Mistakes in the configuration of a launch.
#include <fmt/format.h>

#include "grader/authoring/mutation/mutation_operators.h"

namespace tessera {
namespace {

Mutation appended(const KernelCode& code, LexemeRange range, const std::string& replacement) {
  return {"launch",
          range.first,
          {{code[range.first].begin, code[range.last - 1].end, replacement}},
          fmt::format("`{}` became `{}`", code.text(range), replacement)};
}

void swap_axes(const KernelCode& code, const std::vector<LexemeRange>& axes, Mutations& mutations) {
  if (axes.size() < 2) return;
  const std::string x = code.text(axes[0]);
  const std::string y = code.text(axes[1]);
  if (x == y) return;
  mutations.push_back({"launch",
                       axes[0].first,
                       {{code[axes[0].first].begin, code[axes[1].last - 1].end, y + ", " + x}},
                       fmt::format("`{}, {}` became `{}, {}`", x, y, y, x)});
}

/// Adds mutations with smaller axes: a grid one block smaller, a block halved.
void shrink(const KernelCode& code, const std::vector<LexemeRange>& axes, bool grid,
            Mutations& mutations) {
  for (const LexemeRange axis : axes) {
    const std::string text = code.text(axis);
    const std::string half = axis.last - axis.first == 1 ? text + " / 2" : "(" + text + ") / 2";
    mutations.push_back(appended(code, axis, grid ? text + " - 1" : half));
  }
}

void round_down(const KernelCode& code, std::size_t name, Mutations& mutations) {
  const std::vector<LexemeRange> parts = code.parts(name + 1);
  if (parts.size() != 2) return;
  mutations.push_back(
      appended(code, {name, code[name + 1].partner + 1},
               fmt::format("({}) / ({})", code.text(parts[0]), code.text(parts[1]))));
}

void halve_shared_bytes(const KernelCode& code, std::size_t brace, Mutations& mutations) {
  const std::vector<LexemeRange> parts = code.parts(brace);
  if (parts.size() != 3 || code.text(parts[2]) == "0") return;
  mutations.push_back(appended(code, parts[2], fmt::format("({}) / 2", code.text(parts[2]))));
}

}  // namespace

void change_launch(const KernelCode& code, const FunctionRange& function, Mutations& mutations) {
  if (function.name != "launch") return;
  bool grid = true;
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    if (!code[i].editable) continue;
    if (code.is(i, "dim3")) {
      // dim3(x, y), or a variable: dim3 grid(x, y)
      const std::size_t open = code.is(i + 1, "(") ? i + 1 : i + 2;
      if (!code.is(open, "(") || code[open].partner == kNowhere) continue;
      swap_axes(code, code.parts(open), mutations);
      shrink(code, code.parts(open), grid, mutations);
      grid = false;
    } else if (code.is(i, "ceil_div") && code.is(i + 1, "(")) {
      round_down(code, i, mutations);
    } else if (code.is(i, "return") && code.is(i + 1, "{")) {
      halve_shared_bytes(code, i + 1, mutations);
    }
  }
}

}  // namespace tessera
