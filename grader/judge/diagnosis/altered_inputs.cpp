#include "grader/judge/diagnosis/altered_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "common/rounding.h"
#include "grader/judge/diagnosis/product.h"

namespace tessera {
namespace {

/// Returns an element of the changed input.
using Change = std::function<double(const HostMatrix&, int row, int column)>;

HostMatrix changed(const HostMatrix& input, const Change& change) {
  HostMatrix result(input.element(), input.height(), input.width(), input.width(), input.storage());
  for (int row = 0; row < input.height(); ++row) {
    for (int column = 0; column < input.width(); ++column) {
      result.set(row, column, change(input, row, column));
    }
  }
  return result;
}

std::vector<HostMatrix> all_changed(const std::vector<HostMatrix>& inputs,
                                    const std::vector<Change>& changes) {
  std::vector<HostMatrix> all;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    all.push_back(changes[i] ? changed(inputs[i], changes[i]) : inputs[i]);
  return all;
}

/// The product of changed inputs.
class OtherProduct {
 public:
  OtherProduct(const WrongOutput& output, std::vector<Change> changes)
      : output_(output), changes_(std::move(changes)) {}

  bool holds(int row, int column) {
    if (!product_) {
      const std::vector<HostMatrix> inputs = all_changed(output_.inputs(), changes_);
      product_.emplace(output_, inputs[0], inputs[1]);
    }
    TermSum sum = product_->sum();
    for (int p = product_->k() - 1; p >= 0 && !sum.is_nan(); --p)
      sum.add(product_->a(row, p), product_->b(p, column));
    return product_->holds(row, column, sum);
  }

 private:
  const WrongOutput& output_;
  std::vector<Change> changes_;
  std::optional<Product> product_;
};

/// The reference for changed inputs. A lab's reference.cu takes a second for some millions of
/// elements, and most hypotheses fail at the first elements: these are computed one by one.
class OtherReference {
 public:
  OtherReference(const WrongOutput& output, std::vector<Change> changes)
      : output_(output), changes_(std::move(changes)) {}

  bool holds(int row, int column) {
    if (inputs_.empty()) inputs_ = all_changed(output_.inputs(), changes_);
    const std::int32_t element = row * output_.width() + column;
    if (!all_ && asked_++ < kOneByOne) {
      const std::int32_t only[] = {element};
      return agrees(row, column, output_.reference_for(inputs_, only), 0);
    }
    if (!all_) all_ = output_.reference_for(inputs_, {}).value_or(Reference{});
    return agrees(row, column, all_, static_cast<std::size_t>(element));
  }

 private:
  static constexpr int kOneByOne = 4;

  bool agrees(int row, int column, const std::optional<Reference>& reference, std::size_t i) const {
    return reference && i < reference->value.size() &&
           output_.holds(row, column, {reference->value[i], reference->bound[i]});
  }

  const WrongOutput& output_;
  std::vector<Change> changes_;
  std::vector<HostMatrix> inputs_;
  std::optional<Reference> all_;
  int asked_ = 0;
};

class AlteredInputs {
 public:
  explicit AlteredInputs(const WrongOutput& output) : output_(output) {}

  std::vector<Hypothesis> hypotheses() {
    for (std::size_t input = 0; input < output_.inputs().size(); ++input) {
      if (output_.inputs()[input].height() > 1) add_transposed(input);
      if (output_.inputs()[input].height() > 1) add_row_lengths(input);
      add_shifted(input);
    }
    if (output_.inputs().size() == 2) add_both();
    if (output_.got().element() == Element::float32) add_rounded();
    if (output_.got().element() == Element::int32) add_narrow();
    if (reduces()) add_parts();
    return std::move(hypotheses_);
  }

 private:
  const HostMatrix& input(std::size_t i) const { return output_.inputs()[i]; }
  Name name(std::size_t i) const { return {output_.input_name(i)}; }

  /// Adds a hypothesis with these `changes` of the inputs, in order; an empty change leaves its
  /// input as it is.
  void add(std::string word, std::string variant, Text clause, Text hint,
           const std::vector<Change>& changes) {
    hypotheses_.push_back({std::move(word), std::move(variant), Rank::specific, std::move(clause),
                           std::move(hint), right_for(changes)});
  }

  /// The same with one input changed.
  void add_one(std::string word, std::size_t which, const std::string& variant, Text clause,
               Text hint, const Change& change) {
    std::vector<Change> changes(output_.inputs().size());
    changes[which] = change;
    add(std::move(word), name(which).text + " " + variant, std::move(clause), std::move(hint),
        changes);
  }

  std::function<bool(int, int)> right_for(const std::vector<Change>& changes) const {
    if (output_.operation().is_product()) {
      const auto product = std::make_shared<OtherProduct>(output_, changes);
      return [product](int row, int column) { return product->holds(row, column); };
    }
    const auto reference = std::make_shared<OtherReference>(output_, changes);
    return [reference](int row, int column) { return reference->holds(row, column); };
  }

  /// Inputs that are read as if their columns followed each other in memory.
  void add_transposed(std::size_t which) {
    Text clause = say(Phrase::read_transposed, name(which));
    if (output_.operation().is_product())
      clause += which == 0 ? Phrase::is_product_of_at_b : Phrase::is_product_of_a_bt;
    for (const auto& [variant, step] :
         {std::pair{"height", input(which).height()}, {"pitch", input(which).pitch()}}) {
      add_one("operand-transposed", which, variant, clause, output_.place_text(which),
              [step = step](const HostMatrix& matrix, int row, int column) {
                return element_at(matrix, static_cast<std::int64_t>(column) * step + row);
              });
    }
    add_one("operand-transposed", which, "copied", say(Phrase::copy_transposed, name(which)),
            Phrase::copy_transposed_hint, [](const HostMatrix& matrix, int row, int column) {
              const int at = row * matrix.width() + column;
              return matrix.value(at % matrix.height(), at / matrix.height());
            });
  }

  void add_row_lengths(std::size_t which) {
    const int pitch = input(which).pitch();
    const auto with_length = [&](const Text& of, int length) {
      if (length == pitch) return;
      add_one(
          "wrong-row-length", which, of.cause(),
          say(Phrase::rows_taken_apart, name(which), length) + of + say(Phrase::are_apart, pitch),
          output_.place_text(which), [length](const HostMatrix& matrix, int row, int column) {
            return element_at(matrix, static_cast<std::int64_t>(row) * length + column);
          });
    };
    with_length(Phrase::length_is_width, input(which).width());
    for (const auto& [extent, length] : output_.extents())
      with_length(say(Phrase::length_is, Name{extent}), length);
    for (const auto& [of, length] : output_.other_pitches(which)) with_length(of, length);
  }

  /// Inputs that are read one element too far or too near; beyond the edge is what memory holds, or
  /// 0.
  void add_shifted(std::size_t which) {
    struct Step {
      int rows;
      int columns;
      Phrase words;
    };
    static constexpr Step kSteps[] = {{0, 1, Phrase::too_far_right},
                                      {0, -1, Phrase::too_far_left},
                                      {1, 0, Phrase::too_far_down},
                                      {-1, 0, Phrase::too_far_up}};
    const bool vector = input(which).height() == 1;
    for (const Step& step : kSteps) {
      if (vector && step.rows != 0) continue;
      const Phrase words =
          !vector ? step.words : (step.columns > 0 ? Phrase::too_far : Phrase::too_early);
      for (const bool flat : {true, false}) {
        add_one("operand-off-by-one", which,
                fmt::format("{}{}", to_string(step.words), flat ? ", flat" : ""),
                say(Phrase::is_read, name(which), words), Phrase::off_by_one_hint,
                [step, flat](const HostMatrix& matrix, int row, int column) {
                  const int r = row + step.rows;
                  const int c = column + step.columns;
                  const std::int64_t at = static_cast<std::int64_t>(r) * matrix.pitch() + c;
                  const bool inside = r >= 0 && r < matrix.height() && c >= 0 && c < matrix.width();
                  return inside || flat ? element_at(matrix, at) : 0.0;
                });
        hypotheses_.back().everywhere = true;  // an index that is wrong is wrong for every element
      }
    }
  }

  void add_both() {
    const auto transposed = [](const HostMatrix& matrix, int row, int column) {
      return element_at(matrix, static_cast<std::int64_t>(column) * matrix.height() + row);
    };
    if (input(0).height() == 1 || input(1).height() == 1) return;
    add("operand-transposed", "both", say(Phrase::both_read_transposed, name(0), name(1)),
        Phrase::both_read_transposed_hint, {transposed, transposed});
    Text clause = say(Phrase::operands_exchanged, name(0), name(1));
    if (output_.operation().is_product()) clause += Phrase::is_product_of_b_a;
    const Text hint = say(Phrase::operands_exchanged_hint, name(0));
    // Rows have the length of the matrix that is read, or of the matrix that belongs there.
    for (const bool own : {true, false}) {
      const auto from = [own](const HostMatrix& source) {
        return [&source, own](const HostMatrix& matrix, int row, int column) {
          const std::int64_t length = own ? source.pitch() : matrix.width();
          return element_at(source, row * length + column);
        };
      };
      add("operands-swapped", own ? "own rows" : "rows of the other", clause, hint,
          {from(input(1)), from(input(0))});
    }
  }

  void add_rounded() {
    using Round = double (*)(double);
    struct Format {
      const char* variant;
      Phrase clause;
      Round round;
    };
    using enum Phrase;
    static constexpr Format kFormats[] = {
        {"half", operands_of_11_bits, [](double x) { return round_to(x, kHalf); }},
        {"tf32", operands_of_11_bits, [](double x) { return round_to(x, kTf32); }},
        {"tf32 away", operands_of_11_bits,
         [](double x) { return round_to(x, kTf32, Rounding::nearest_away); }},  // cvt.rna.tf32
        {"tf32 cut", operands_of_11_bits,
         [](double x) { return round_to(x, kTf32, Rounding::zero); }},
        {"bfloat16", operands_of_8_bits, [](double x) { return round_to(x, kBfloat16); }},
        {"bfloat16 cut", operands_of_8_bits,
         [](double x) { return round_to(x, kBfloat16, Rounding::zero); }}};
    const auto change_all = [&](double (*round)(double)) {
      return std::vector<Change>(output_.inputs().size(),
                                 [round](const HostMatrix& matrix, int row, int column) {
                                   return round(matrix.value(row, column));
                                 });
    };
    for (const Format& format : kFormats) {
      add("low-precision-operands", format.variant, format.clause, operands_rounded_hint,
          change_all(format.round));
    }
    add("fraction-cut", "operands", operands_cut, operands_cut_hint,
        change_all([](double x) { return std::trunc(x); }));
  }

  void add_narrow() {
    for (const int bits : {16, 8}) {
      const Change cut = [bits](const HostMatrix& matrix, int row, int column) {
        const double modulus = std::ldexp(1.0, bits);
        const double value = matrix.value(row, column);
        return value - modulus * std::floor(value / modulus + 0.5);
      };
      add("narrow-integer", fmt::format("operands {}", bits), say(Phrase::operands_narrow, bits),
          Phrase::operands_narrow_hint, std::vector<Change>(output_.inputs().size(), cut));
    }
  }

  /// Whether the operation makes a shorter vector of a vector: sums of pieces, and the like.
  bool reduces() const {
    return output_.inputs().size() == 1 && input(0).height() == 1 && output_.height() == 1 &&
           input(0).width() > output_.width();
  }

  void add_parts() {
    const int width = input(0).width();
    const int outputs = output_.width();
    const int piece = width % outputs == 0 ? width / outputs : width;
    const int threads = static_cast<int>(output_.shape().block.count());
    const auto keep = [&](const char* word, const std::string& variant, const Text& clause,
                          Phrase hint, std::function<bool(int)> counts) {
      add_one(word, 0, variant, clause, hint,
              [counts = std::move(counts)](const HostMatrix& matrix, int row, int column) {
                return counts(column) ? matrix.value(row, column) : 0.0;
              });
    };
    for (int length = 1; length < piece; length *= 2) {
      keep("elements-left-out", fmt::format("first {}", length),
           say(Phrase::first_ones_count, length, piece, name(0)), Phrase::first_ones_count_hint,
           [length, piece](int column) { return column % piece < length; });
    }
    keep("elements-left-out", "last one", say(Phrase::last_one_lost, piece, name(0)),
         Phrase::last_one_lost_hint, [piece](int column) { return column % piece != piece - 1; });
    keep("elements-left-out", "first one", say(Phrase::first_one_lost, piece, name(0)),
         Phrase::first_one_lost_hint, [piece](int column) { return column % piece != 0; });
    for (int lanes = 1; lanes < 32 && piece > 32; lanes *= 2) {
      keep("lanes-left-out", fmt::format("first {}", lanes), say(Phrase::first_lanes_count, lanes),
           Phrase::first_lanes_count_hint, [lanes](int column) { return column % 32 < lanes; });
    }
    for (int length = 2; length < piece; length *= 2) {
      add_one("first-elements-repeated", 0, fmt::format("{}", length),
              say(Phrase::first_ones_repeated, length, piece, name(0)),
              say(Phrase::first_ones_repeated_hint, piece - 1),
              [piece, length](const HostMatrix& matrix, int row, int column) {
                return matrix.value(row, column - column % piece + column % piece % length);
              });
    }
    // A shuffle from a lane that does not exist gives a lane its own value.
    for (int times = 32; times <= 1024; times *= 2) {
      add_one("own-value-repeated", 0, fmt::format("{}", times),
              Phrase::every_element + say(Phrase::is_times_first, times, piece, name(0)),
              Phrase::is_times_first_hint,
              [piece, times](const HostMatrix& matrix, int row, int column) {
                return column % piece == 0 ? times * matrix.value(row, column) : 0.0;
              });
    }
    for (const int start : {0, 1}) {
      keep("elements-left-out", "every second", say(Phrase::every_second_counts, name(0)),
           Phrase::every_second_counts_hint, [start](int column) { return column % 2 == start; });
    }
    if (piece < width) {
      add_one("piece-strided", 0, "", say(Phrase::piece_strided, outputs, piece),
              say(Phrase::piece_strided_hint, piece),
              [piece, outputs](const HostMatrix& matrix, int, int column) {
                return element_at(
                    matrix, static_cast<std::int64_t>(column % piece) * outputs + column / piece);
              });
    }
    if (threads == piece || threads < 2) return;
    add_one(
        "wrong-piece-length", 0, "", say(Phrase::piece_of_other_length, threads, threads, piece),
        say(Phrase::piece_of_other_length_hint,
            Count{static_cast<std::uint64_t>(threads), Phrase::thread},
            Count{static_cast<std::uint64_t>(piece), Phrase::element}),
        [piece, threads](const HostMatrix& matrix, int, int column) {
          const int inside = column % piece;
          if (inside >= threads) return 0.0;
          return element_at(matrix, static_cast<std::int64_t>(column / piece) * threads + inside);
        });
  }

  const WrongOutput& output_;
  std::vector<Hypothesis> hypotheses_;
};

}  // namespace

std::vector<Hypothesis> altered_input_hypotheses(const WrongOutput& output) {
  return AlteredInputs(output).hypotheses();
}

}  // namespace tessera
