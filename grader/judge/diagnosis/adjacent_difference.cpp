#include "grader/judge/diagnosis/adjacent_difference.h"

#include <string_view>

namespace tessera {
namespace {

/// input[i], or 0 outside.
struct Input {
  const HostMatrix& values;
  int block;

  double operator()(int i) const { return i >= 0 && i < values.width() ? values.value(0, i) : 0; }
  bool starts_block(int i) const { return i > 0 && i % block == 0; }
};

struct Formula {
  const char* word;
  const char* variant;
  const char* clause;
  const char* hint;
  double (*value)(const Input&, int i);
};

double right_value(const Input& in, int i) {
  return in(i)-in(i - 1);
}

constexpr const char* kSides =
    "result[i] is input[i] - input[i - 1]: the left neighbour's value is "
    "subtracted";
constexpr const char* kEdge =
    "the left neighbour of a block's first element belongs to the block before: its thread has to "
    "read it from global memory";

constexpr Formula kFormulas[] = {
    {"operands-swapped", "", "the difference is taken the wrong way round", kSides,
     [](const Input& in, int i) { return in(i - 1) - in(i); }},
    {"operands-swapped", "from the second on", "the difference is taken the wrong way round",
     kSides, [](const Input& in, int i) { return i == 0 ? in(0) : in(i - 1) - in(i); }},
    {"wrong-neighbour", "right", "the right neighbour is subtracted instead of the left one",
     kSides, [](const Input& in, int i) { return in(i)-in(i + 1); }},
    {"wrong-neighbour", "from the right", "each element is subtracted from its right neighbour",
     kSides, [](const Input& in, int i) { return in(i + 1) - in(i); }},
    {"wrong-neighbour", "two steps", "the element two places to the left is subtracted", kSides,
     [](const Input& in, int i) { return in(i)-in(i - 2); }},
    {"added-not-subtracted", "", "the neighbours are added instead of subtracted", kSides,
     [](const Input& in, int i) { return in(i) + in(i - 1); }},
    {"block-edge", "start",
     "the first element of each block is copied, as if it had no left neighbour", kEdge,
     [](const Input& in, int i) { return in.starts_block(i) ? in(i) : right_value(in, i); }},
    {"block-edge", "zero", "the first element of each block becomes 0", kEdge,
     [](const Input& in, int i) { return in.starts_block(i) ? 0 : right_value(in, i); }},
    {"block-edge", "right", "the first element of each block is compared with its right neighbour",
     kEdge,
     [](const Input& in, int i) {
       return in.starts_block(i) ? in(i + 1) - in(i) : right_value(in, i);
     }},
    {"block-edge", "first of all", "the first element of each block is compared with input[0]",
     kEdge,
     [](const Input& in, int i) { return in.starts_block(i) ? in(i)-in(0) : right_value(in, i); }},
    {"block-edge", "last of the block",
     "the first element of each block is compared with the block's own last one", kEdge,
     [](const Input& in, int i) {
       return in.starts_block(i) ? in(i)-in(i + in.block - 1) : right_value(in, i);
     }},
};

double in_element(Element element, double value) {
  if (element == Element::float32) return static_cast<double>(static_cast<float>(value));
  return static_cast<double>(
      static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value))));
}

}  // namespace

std::vector<Hypothesis> adjacent_difference_hypotheses(const WrongOutput& output) {
  std::vector<Hypothesis> hypotheses;
  const int block = static_cast<int>(output.shape().block.x);
  for (const Formula& formula : kFormulas) {
    hypotheses.push_back(
        {formula.word, formula.variant, Rank::specific, formula.clause, formula.hint,
         [&output, &formula, block](int, int column) {
           const Input input{output.inputs()[0], block};
           const double value = formula.value(input, column);
           return output.holds(0, column, {in_element(output.got().element(), value), 0});
         },
         std::string_view(formula.word) == "block-edge"});
  }
  return hypotheses;
}

}  // namespace tessera
