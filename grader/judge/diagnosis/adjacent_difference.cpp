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
  Phrase clause;
  Phrase hint;
  double (*value)(const Input&, int i);
};

double right_value(const Input& in, int i) {
  return in(i)-in(i - 1);
}

constexpr Phrase kSides = Phrase::left_neighbour_hint;
constexpr Phrase kEdge = Phrase::block_edge_hint;

constexpr Formula kFormulas[] = {
    {"operands-swapped", "", Phrase::difference_turned, kSides,
     [](const Input& in, int i) { return in(i - 1) - in(i); }},
    {"operands-swapped", "from the second on", Phrase::difference_turned, kSides,
     [](const Input& in, int i) { return i == 0 ? in(0) : in(i - 1) - in(i); }},
    {"wrong-neighbour", "right", Phrase::right_subtracted, kSides,
     [](const Input& in, int i) { return in(i)-in(i + 1); }},
    {"wrong-neighbour", "from the right", Phrase::subtracted_from_right, kSides,
     [](const Input& in, int i) { return in(i + 1) - in(i); }},
    {"wrong-neighbour", "two steps", Phrase::two_places_subtracted, kSides,
     [](const Input& in, int i) { return in(i)-in(i - 2); }},
    {"added-not-subtracted", "", Phrase::neighbours_added, kSides,
     [](const Input& in, int i) { return in(i) + in(i - 1); }},
    {"block-edge", "start", Phrase::block_start_copied, kEdge,
     [](const Input& in, int i) { return in.starts_block(i) ? in(i) : right_value(in, i); }},
    {"block-edge", "zero", Phrase::block_start_zero, kEdge,
     [](const Input& in, int i) { return in.starts_block(i) ? 0 : right_value(in, i); }},
    {"block-edge", "right", Phrase::block_start_with_right, kEdge,
     [](const Input& in, int i) {
       return in.starts_block(i) ? in(i + 1) - in(i) : right_value(in, i);
     }},
    {"block-edge", "first of all", Phrase::block_start_with_first, kEdge,
     [](const Input& in, int i) { return in.starts_block(i) ? in(i)-in(0) : right_value(in, i); }},
    {"block-edge", "last of the block", Phrase::block_start_with_last, kEdge,
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
