#include "grader/judge/diagnosis/words.h"

#include <algorithm>
#include <utility>

namespace tessera {

const std::vector<DiagnosisWord>& diagnosis_words() {
  static const std::vector<DiagnosisWord> kWords = {
      {"added-not-multiplied", "A + B where A * B belongs"},
      {"added-not-subtracted", "neighbours are added"},
      {"added-to-old-content", "the result is added to what the output held (int32)"},
      {"axis-exchanged", "a row of A follows from a column, or a column of B from a row"},
      {"block-edge", "the first element of each block lacks its left neighbour"},
      {"block-index-ignored", "every block computes what the first one has to"},
      {"block-index-not-multiplied", "an index is blockIdx + threadIdx"},
      {"block-starts-wrong", "only the first element of each block is wrong"},
      {"constant-added", "every element is off by the same number"},
      {"copy-of-input", "the output holds an input"},
      {"counted-several-times", "a multiple of the right value"},
      {"counted-twice", "twice the right value"},
      {"divided", "a part of the right value"},
      {"edge-not-cleared", "beyond the edge the last tile holds the phase before"},
      {"edge-not-zero", "beyond the edge the last tile holds ones, or its last elements again"},
      {"edge-tiles-unwritten", "nothing beyond the last whole tile is written"},
      {"edge-tiles-wrong", "only tiles that stick out are wrong"},
      {"elements-left-out", "a sum leaves elements out"},
      {"first-block-right", "only what the first block computes is right"},
      {"first-elements-repeated", "every warp adds the elements of the first one"},
      {"fixed-block-size", "a number is left in the kernel in place of the block's size"},
      {"fraction-cut", "sum, products or operands are cut to whole numbers"},
      {"fragment-layout", "fragments hold other elements than the tensor cores take"},
      {"grid-rounded-down", "blocks at the edge are not launched"},
      {"grid-swapped", "rows and columns run along other axes in the kernel than in the grid"},
      {"grid-too-small", "the grid does not cover the output"},
      {"guard-extents-swapped", "the store's guard compares rows with the width"},
      {"guard-of-the-load", "the load's guard stands before the store"},
      {"guard-too-strict", "the store's guard leaves out the first or last row or column"},
      {"lanes-left-out", "a sum over a warp leaves lanes out"},
      {"load-guard-wrong", "the guard of a load leaves elements out that exist"},
      {"low-precision-operands", "operands rounded to half, TF32 or bfloat16"},
      {"low-precision-sum", "the sum is kept in half precision"},
      {"made-for-whole-tiles", "nothing is guarded, where tiles stick out over the edge"},
      {"missing-first-phase", "the first phase is left out"},
      {"missing-first-product", "the inner loop begins with 1"},
      {"missing-last-phase", "the last phase is left out"},
      {"missing-last-product", "the inner loop ends one step too early"},
      {"narrow-integer", "operands or the result are cut to 16 or 8 bits"},
      {"neighbour-element", "each element is its neighbour's"},
      {"one-block-launched", "the grid is one block"},
      {"only-first-phase", "only the first phase is counted"},
      {"only-last-phase", "the sum is reset in every phase"},
      {"only-last-product", "the sum is replaced in every step"},
      {"operand-off-by-one", "an input is read one element off"},
      {"operand-transposed", "an input is read as if it were transposed"},
      {"operands-swapped", "B A for A B, or a difference the wrong way round"},
      {"own-elements-only", "a thread multiplies only what it has loaded itself"},
      {"own-value-repeated", "a lane adds its own value again in every step"},
      {"part-of-each-tile", "the loop inside of a tile is too short"},
      {"phases-miscounted", "some phases count twice, others not at all"},
      {"piece-strided", "a block takes every n-th element instead of neighbours"},
      {"products-miscounted", "of every few products some count twice, others not at all"},
      {"products-skipped", "only every second, third or fourth product is added"},
      {"result-transposed", "the output is stored transposed"},
      {"sign-changed", "every element has the wrong sign"},
      {"stale-tile", "each phase reads a tile of the phase before"},
      {"subtracted", "products are subtracted"},
      {"sum-in-float", "an int32 sum is kept in a float"},
      {"sum-starts-late", "the first products are left out"},
      {"sum-stops-early", "the last products are left out"},
      {"swizzled-on-one-side",
       "a tile is swizzled only where it is stored, or only where it is read"},
      {"thread-index-ignored", "all threads of a block compute the same element"},
      {"tile-not-advanced", "every phase uses the first tile"},
      {"tile-place-swapped", "tiles stand on the other side of the diagonal"},
      {"tile-step-wrong", "a tile moves on by one element a phase"},
      {"tile-transposed", "a tile of A or B is used with rows and columns exchanged"},
      {"tile-turned", "tiles of the output have their rows and columns exchanged"},
      {"tiles-overlap", "both tiles lie in the same shared memory"},
      {"wrong-inner-extent", "the inner loop runs to m or n instead of k"},
      {"wrong-neighbour", "the difference is taken with another neighbour"},
      {"wrong-piece-length", "a block takes a piece of another length"},
      {"wrong-row-length", "rows are taken to be another length apart"},
      {"zero", "elements are 0"},
  };
  return kWords;
}

bool is_diagnosis_word(std::string_view word) {
  return std::ranges::binary_search(diagnosis_words(), word, {}, &DiagnosisWord::word);
}

std::string example_value(const Finding& finding, std::string_view key) {
  const auto found =
      std::ranges::find(finding.example, key, &std::pair<std::string, std::string>::first);
  return found == finding.example.end() ? "" : found->second;
}

std::string diagnosis_word(const Finding& finding) {
  return example_value(finding, kDiagnosisKey);
}

}  // namespace tessera
